package published

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"r2lmlbench/results/audit"
)

//go:embed accuracy.yaml
var accuracyYAML []byte

// A Number is one entry of a paper's table of accuracies, with the size of the test set, both
// as printed. Table 1 of the R2LML paper gives Sonar 180 test samples; its accuracies fit 128.
type Number struct {
	Letter   string  // row of the table, such as "A"
	Dataset  string  // our id of the data set
	Method   string  // our id of the method
	Accuracy string  // percent, as printed: "65.31"
	Percent  float64 // the same as a number
	Rank     int     // as printed; 0: none is
	Bold     bool    // printed in bold: in the best group
	Test     int     // test samples as printed
}

// Numbers are the accuracies of a paper by row, and within a row in the order of its columns.
type Numbers []Number

// Lookup returns the number of a row and a method, and whether there is one.
func (all Numbers) Lookup(letter, method string) (Number, bool) {
	for _, n := range all {
		if n.Letter == letter && n.Method == method {
			return n, true
		}
	}
	return Number{}, false
}

// Of are the numbers of a table in percent.
func Of(t *audit.Table) Numbers {
	var all Numbers
	for _, r := range t.Rows {
		for i, method := range t.Columns {
			if r.Printed[i] == "" {
				continue
			}
			n := Number{
				Letter: r.ID, Dataset: r.Name, Method: method, Accuracy: string(r.Printed[i]), Bold: slices.Contains(r.Bold, method), Test: r.PrintedN,
			}
			n.Percent, _ = strconv.ParseFloat(n.Accuracy, 64) // which the table was checked for
			if i < len(r.Rank) {
				n.Rank = int(r.Rank[i])
			}
			all = append(all, n)
		}
	}
	return all
}

// Paper has the accuracies of the R2LML paper (Table 2).
var Paper = sync.OnceValue(func() Numbers { return Of(Table()) })

// Table is the paper's table of accuracies for the audit.
var Table = sync.OnceValue(func() *audit.Table {
	t, err := audit.Parse("accuracy.yaml", accuracyYAML)
	if err != nil {
		panic(fmt.Sprintf("results: published/accuracy.yaml: %v", err)) // a test reads the embedded file
	}
	return t
})
