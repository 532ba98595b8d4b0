package study

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// names are those of data sets.
func names(sets []Set) string {
	var all []string
	for _, s := range sets {
		all = append(all, s.Name)
	}
	return text.Series(all)
}

// orDash is a text, "-" if it is empty.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// ratio is a fact as "3 of 4", "-" without it.
func ratio(f *results.Fact) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprintf("%d of %d", f.Count, f.Of)
}

// share is a fact in percent, "-" without it.
func share(f *results.Fact) string {
	if f == nil {
		return "-"
	}
	return stats.Percent(f.Count, f.Of, 2)
}

// known is a count as a fact, nil of nothing.
func known(count, of int) *results.Fact {
	if of == 0 {
		return nil
	}
	return &results.Fact{Count: count, Of: of}
}

// inPercent is a share in percent, "-" if it is none.
func inPercent(share float64) string { return decimals(100*share, 2) }

// accuracy is that of a cell in percent, "-" without a result.
func accuracy(c table.Cell) string {
	if c.Score == nil {
		return "-"
	}
	return c.Accuracy
}

// decimals writes a number with so many decimals, "-" if it is none.
func decimals(x float64, n int) string { return format(x, 'f', n) }

// digits writes a number with so many significant digits, "-" if it is none.
func digits(x float64, n int) string { return format(x, 'g', n) }

// plainDigits does so without an exponent: 1700, not 1.7e+03.
func plainDigits(x float64, n int) string {
	rounded, err := strconv.ParseFloat(digits(x, n), 64)
	if err != nil {
		return digits(x, n)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

func format(x float64, how byte, n int) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.IsInf(x, 1):
		return "∞"
	}
	return strconv.FormatFloat(x, how, n, 64)
}

// numbers lists whole numbers.
func numbers(all []int) string {
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// one is 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// pointsOf is an accuracy, or a difference of two, in points.
func pointsOf(correct, n int) float64 { return 100 * float64(correct) / float64(n) }

// fewestSplits is the number of random splits from which on their spread is told.
const fewestSplits = 10
