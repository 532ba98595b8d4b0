package published

import (
	_ "embed"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"sync"
)

//go:embed lambda.csv
var lambdaCSV string

// A Lambda is one column of the paper's two tables of the accuracy of
// E-R2LML against lambda on synthetic data, as printed.
type Lambda struct {
	Study    string // "overlap", the first table, or "sparse", the second
	Features int
	Test     int     // test samples
	Lambda   string  // as a number: "0.1"
	Accuracy string  // proportion: "0.5125"
	At       float64 // Lambda
	Percent  float64 // Accuracy in percent; NaN of an empty column
	Zeros    []int   // zero columns of each metric; nil where not printed
}

// LambdaAt returns the column of a study and lambda, an empty one if
// nothing is printed.
func LambdaAt(study string, lambda float64) Lambda {
	for _, p := range LambdaPoints() {
		if p.Study == study && p.At == lambda {
			return p
		}
	}
	return Lambda{Percent: math.NaN()}
}

// A LambdaFamily is the draws of one generated data set in the spec lambda.
type LambdaFamily struct {
	ID    string // of the data set, without the seed
	Study string // of the published table it stands beside
	Title string // as it stands within a sentence
}

// LambdaFamilies returns them in the order of the published tables.
func LambdaFamilies() []LambdaFamily {
	return []LambdaFamily{
		{"overlap30", "overlap", "overlapping classes, 30 features"},
		{"overlap60", "sparse", "60 features, each set to 0 with probability 0.5"},
		{"overlap60-13", "sparse", "60 features, each set to 0 with probability 13/60"},
	}
}

// LambdaPoints returns the two tables in their order. They are not to be changed.
var LambdaPoints = sync.OnceValue(func() []Lambda {
	lines, err := csv.NewReader(strings.NewReader(lambdaCSV)).ReadAll()
	if err != nil {
		panic("experiments: published/lambda.csv: " + err.Error()) // a test reads the embedded file
	}
	var all []Lambda
	for _, f := range lines[1:] {
		p := Lambda{Study: f[0], Features: whole(f[1]), Test: whole(f[2]), Lambda: f[3], Accuracy: f[4], At: number(f[3]), Percent: 100 * number(f[4])}
		for _, zeros := range f[5:] {
			if zeros != "" {
				p.Zeros = append(p.Zeros, whole(zeros))
			}
		}
		all = append(all, p)
	}
	return all
})

// number reads a number of the embedded file.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("experiments: published/lambda.csv: " + err.Error()) // likewise
	}
	return x
}

// whole reads a whole number of the embedded file.
func whole(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic("experiments: published/lambda.csv: " + err.Error()) // likewise
	}
	return n
}
