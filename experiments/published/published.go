// Package published has the tables of publications that are part of the program, and finds the
// printed number that belongs to a cell.
package published

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"r2lmlbench/stats/audit"
)

// Files are tables of publications in the format of audit, each under the name by which the
// key published of a spec may call it.
//
//go:embed *.yaml
var Files embed.FS

// Names returns the names of the tables of Files.
func Names() []string {
	files, err := Files.ReadDir(".")
	if err != nil {
		panic(err) // an embedded root always reads
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".yaml")
	}
	return names
}

// A Number is one entry of a printed table, with the size of the test set, both as printed.
type Number struct {
	Letter   string  // row of the table, such as "A"
	Dataset  string  // our id of the data set
	Method   string  // id of the column: of our column, or of our method
	Name     string  // of the column as texts call it
	Accuracy string  // percent, as printed: "81.25"
	Percent  float64 // the same as a number
	Rank     int     // as printed; 0: none is
	Bold     bool    // printed in bold: in the best group
	Test     int     // test samples as printed
}

// Numbers are the accuracies of a table by row, and within a row in the order of its columns.
type Numbers []Number

// Lookup returns the number of a row, by letter or data set, and a column, and whether there
// is one.
func (all Numbers) Lookup(row, column string) (Number, bool) {
	for _, n := range all {
		if n.Method == column && row != "" && (n.Letter == row || n.Dataset == row) {
			return n, true
		}
	}
	return Number{}, false
}

// Find is Lookup by the id or letter of a data set, and by the id of a column or else of its
// method.
func (all Numbers) Find(dataset, letter, column, method string) (Number, bool) {
	for _, id := range []string{column, method} {
		for _, row := range []string{dataset, letter} {
			if n, ok := all.Lookup(row, id); ok {
				return n, true
			}
		}
	}
	return Number{}, false
}

// Of returns the numbers of a table, as accuracies in percent.
func Of(t *audit.PrintedTable) Numbers {
	var all Numbers
	for _, r := range t.Rows {
		for i, id := range t.Columns {
			if r.Printed[i] == "" {
				continue
			}
			n := Number{
				Letter: r.ID, Dataset: r.Name, Method: id, Name: t.Names[i], Accuracy: t.Percent(r.Printed[i]), Percent: t.Number(r.Printed[i]),
				Bold: slices.Contains(r.Bold, id), Test: r.PrintedN,
			}
			if i < len(r.Rank) {
				n.Rank = int(r.Rank[i])
			}
			all = append(all, n)
		}
	}
	return all
}

// Table is the table that audit examines without a file, with the printed numbers of other
// studies that its claims are about.
var Table = sync.OnceValue(func() *audit.PrintedTable {
	const name = "accuracy.yaml"
	b, err := Files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	t, err := audit.Parse(name, b)
	if err != nil {
		panic(fmt.Sprintf("experiments: published/%s: %v", name, err)) // a test reads the embedded file
	}
	t.Studies = lambdaStudies()
	return t
})
