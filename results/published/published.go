package published

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed accuracy.csv
var publishedCSV string

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

var parsed = sync.OnceValue(func() []Number {
	all, err := parsePublished(publishedCSV)
	if err != nil {
		panic(fmt.Sprintf("results: published/accuracy.csv: %v", err)) // a test reads the embedded file
	}
	return all
})

func parsePublished(text string) ([]Number, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = 7
	if _, err := r.Read(); err != nil { // the heading
		return nil, err
	}
	lines, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var all []Number
	for i, f := range lines {
		rank, err1 := strconv.Atoi(f[4])
		bold, err2 := strconv.ParseBool(f[5])
		test, err3 := strconv.Atoi(f[6])
		for _, err := range []error{err1, err2, err3} {
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+2, err)
			}
		}
		all = append(all, Number{f[0], f[1], f[2], f[3], rank, bold, test})
	}
	return all, nil
}
