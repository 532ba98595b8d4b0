package results

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"r2lmlbench/stats"
)

//go:embed published/lambda.csv
var lambdaCSV string

// A lambdaPoint is one column of the paper's two tables on synthetic data: the
// accuracy of E-R2LML against its nuclear-norm weight.
type lambdaPoint struct {
	study    string // "overlap" or "sparse"
	features int
	test     int    // test samples
	lambda   string // as a number
	accuracy string // proportion, as printed
	zeros    []int  // zero columns of each metric; nil where not printed
}

// A PublishedLambda is one column of the paper's two tables of the accuracy of
// E-R2LML against lambda on synthetic data, as printed.
type PublishedLambda struct {
	Study    string // "overlap", the first table, or "sparse", the second
	Features int
	Test     int    // test samples
	Lambda   string // as a number: "0.1"
	Accuracy string // proportion: "0.544"
	Zeros    []int  // zero columns of each metric; nil where not printed
}

// AllPublishedLambda returns the two tables in their order.
func AllPublishedLambda() []PublishedLambda {
	all := make([]PublishedLambda, len(lambdaPoints()))
	for i, p := range lambdaPoints() {
		all[i] = PublishedLambda{p.study, p.features, p.test, p.lambda, p.accuracy, slices.Clone(p.zeros)}
	}
	return all
}

// lambdaPoints returns the two tables in their order.
var lambdaPoints = sync.OnceValue(func() []lambdaPoint {
	all, err := parseLambda(lambdaCSV)
	if err != nil {
		panic(fmt.Sprintf("results: published/lambda.csv: %v", err)) // a test reads the embedded file
	}
	return all
})

func parseLambda(text string) ([]lambdaPoint, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = 8
	if _, err := r.Read(); err != nil { // the heading
		return nil, err
	}
	lines, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var all []lambdaPoint
	for i, f := range lines {
		numbers, err := integers(f[1], f[2], f[5], f[6], f[7])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		p := lambdaPoint{study: f[0], lambda: f[3], accuracy: f[4], features: numbers[0], test: numbers[1]}
		if len(numbers) > 2 {
			p.zeros = numbers[2:]
		}
		all = append(all, p)
	}
	return all, nil
}

// integers reads the texts that are not empty.
func integers(texts ...string) ([]int, error) {
	var all []int
	for _, text := range texts {
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// agreedZeros is the number of zero columns if all metrics have the same, else 0.
func (p lambdaPoint) agreedZeros() int {
	agreed := 0
	for i, zeros := range p.zeros {
		if i > 0 && zeros != agreed {
			return 0
		}
		agreed = zeros
	}
	return agreed
}

// unreachableLambda finds accuracies that no count of correct samples gives.
func unreachableLambda(points []lambdaPoint) []Finding {
	var all []Finding
	for _, p := range points {
		reach := mustReach(stats.ReachProportion(p.accuracy, p.test))
		if reach.Possible {
			continue
		}
		f := Finding{
			Kind: KindUnreachable, Table: "lambda", Letter: p.study, Method: "e-r2lml",
			Printed: p.accuracy, Nearest: stats.Proportion(reach.Nearest, p.test, 3),
		}
		f.Text = "at lambda " + p.lambda + ", " + unreachableText(f, p.test, reach.Nearest)
		all = append(all, f)
	}
	return all
}
