package datasets

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// impute fills missing values, which are NaN, in with the mean or the median of their
// column over the training rows, or with zero. Without a rule nothing is missing.
func impute(x *mat.Dense, train []int, rule string) (*mat.Dense, error) {
	if rule == "" {
		return x, nil
	}
	x = mat.DenseCopyOf(x)
	rows, cols := x.Dims()
	for j := range cols {
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
