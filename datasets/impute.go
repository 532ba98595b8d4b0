package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// impute fills missing values, which are NaN, in with the mean or the median of their
// column over the training rows, or with zero. Without a rule nothing is missing. Columns
// of texts stay as they are: a missing text is none of the training rows' texts.
func impute(x *mat.Dense, train []int, rule string, texts [][]string) (*mat.Dense, error) {
	if rule == "" {
		return x, nil
	}
	x = mat.DenseCopyOf(x)
	rows, cols := x.Dims()
	for j := range cols {
		if texts != nil && texts[j] != nil {
			continue
		}
		var there []float64
		for _, i := range train {
			if v := x.At(i, j); !math.IsNaN(v) {
				there = append(there, v)
			}
		}
		value := center(there, rule)
		for i := range rows {
			switch {
			case !math.IsNaN(x.At(i, j)):
			case math.IsNaN(value):
				return nil, fmt.Errorf("feature %d has no value among the training rows, so that there is no %s to impute; drop it, or use `impute: zero`", j+1, rule)
			default:
				x.Set(i, j, value)
			}
		}
	}
	return x, nil
}

// center returns the mean or the median of some values, NaN of none; 0 under rule
// zero.
func center(values []float64, rule string) float64 {
	switch {
	case rule == "zero":
		return 0
	case len(values) == 0:
		return math.NaN()
	case rule == "mean":
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return sum / float64(len(values))
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// oneHot makes a feature of each text that the training rows have in a column of texts:
// 1 in the rows that have it, and 0 in all others.
func oneHot(x *mat.Dense, train []int, texts [][]string) *mat.Dense {
	if texts == nil {
		return x
	}
	type source struct {
		column int
		text   float64 // its place among the texts; NaN: the column as it is
	}
	var sources []source
	for j := range texts {
		if texts[j] == nil {
			sources = append(sources, source{j, math.NaN()})
			continue
		}
		var seen []int
		for _, i := range train {
			if v := x.At(i, j); !math.IsNaN(v) && !slices.Contains(seen, int(v)) {
				seen = append(seen, int(v))
			}
		}
		slices.SortFunc(seen, func(a, b int) int { return strings.Compare(texts[j][a], texts[j][b]) })
		for _, code := range seen {
			sources = append(sources, source{j, float64(code)})
		}
	}
	rows, _ := x.Dims()
	wide := mat.NewDense(rows, max(len(sources), 1), nil)
	for i := range rows {
		for k, s := range sources {
			switch v := x.At(i, s.column); {
			case math.IsNaN(s.text):
				wide.Set(i, k, v)
			case v == s.text:
				wide.Set(i, k, 1)
			}
		}
	}
	return wide
}
