package published

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"r2lmlbench/results/audit"
)

//go:embed accuracy.yaml
var accuracyYAML []byte

// A Number is one entry of the paper's table of accuracies (Table 2),
// with the size of the test set from its table of data sets (Table 1), both as
// printed. Table 1 gives Sonar 180 test samples; its accuracies fit 128.
type Number struct {
	Letter   string // row of the tables, "A" to "R"
	Dataset  string // our id of the data set
	Method   string // our id of the method
	Accuracy string // percent, as printed: "65.31"
	Rank     int    // as printed
	Bold     bool   // printed in bold: in the best group
	Test     int    // test samples according to Table 1
}

// Percent reads the printed accuracy. The error is that of a text that is no number.
func (n Number) Percent() (float64, error) {
	value, err := strconv.ParseFloat(n.Accuracy, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("results: published %s/%s: %q is no number", n.Letter, n.Method, n.Accuracy)
	}
	return value, nil
}

// All returns the paper's accuracies by row, and within a row in the
// order of its columns.
func All() []Number {
	return slices.Clone(parsed())
}

// Lookup returns the paper's number for a row and a method, and
// whether it has one.
func Lookup(letter, method string) (Number, bool) {
	for _, p := range parsed() {
		if p.Letter == letter && p.Method == method {
			return p, true
		}
	}
	return Number{}, false
}

// Table is the paper's table of accuracies for the audit.
var Table = sync.OnceValue(func() *audit.Table {
	t, err := audit.Parse("accuracy.yaml", accuracyYAML)
	if err != nil {
		panic(fmt.Sprintf("results: published/accuracy.yaml: %v", err)) // a test reads the embedded file
	}
	return t
})

var parsed = sync.OnceValue(func() []Number {
	var all []Number
	for _, r := range Table().Rows {
		for i, method := range Table().Columns {
			all = append(all, Number{
				Letter: r.ID, Dataset: r.Name, Method: method, Accuracy: string(r.Printed[i]), Rank: int(r.Rank[i]),
				Bold: slices.Contains(r.Bold, method), Test: r.PrintedN,
			})
		}
	}
	return all
})
