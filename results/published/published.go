package published

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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

var parsed = sync.OnceValue(func() []Number { return mustRead("accuracy.csv", publishedCSV, 7, readNumber) })

func readNumber(f []string) (Number, error) {
	rank, err1 := strconv.Atoi(f[4])
	bold, err2 := strconv.ParseBool(f[5])
	test, err3 := strconv.Atoi(f[6])
	return Number{f[0], f[1], f[2], f[3], rank, bold, test}, errors.Join(err1, err2, err3)
}
