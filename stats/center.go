package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Median returns the middle number, or the mean of the middle two; NaN for none.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// MeanInterval returns Student's interval for the mean of numbers from a normal distribution,
//
//	mean ± t(n-1) · sd / √n
//
// Both ends are NaN with fewer than two numbers. It panics if one is not finite or the
// level is not between 0 and 1.
func MeanInterval(x []float64, level float64) Interval {
	checkLevel("MeanInterval", level)
	checkNumbers("MeanInterval", x)
	if len(x) < 2 {
		return Interval{math.NaN(), math.NaN()}
	}
	mean, sd := meanSD(x)
	n := float64(len(x))
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+level)/2) * sd / math.Sqrt(n)
	return Interval{mean - half, mean + half}
}

// MedianInterval returns an interval for the median of any continuous distribution, from the k-th
// smallest to the k-th largest number, with the largest k whose coverage is at least level. Both
// ends are NaN if no k has it: for fewer than 6 numbers at level 0.95. It panics as MeanInterval
// does.
func MedianInterval(x []float64, level float64) Interval {
	checkLevel("MedianInterval", level)
	checkNumbers("MedianInterval", x)
	n, k := len(x), 0
	for below := (distuv.Binomial{N: float64(n), P: 0.5}); k < n/2 && below.CDF(float64(k)) <= (1-level)/2; {
		k++
	}
	if k == 0 {
		return Interval{math.NaN(), math.NaN()}
	}
	sorted := slices.Sorted(slices.Values(x))
	return Interval{sorted[k-1], sorted[n-k]}
}

// meanSD returns the mean and the standard deviation (divisor n-1).
func meanSD(x []float64) (mean, sd float64) {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += v
	}
	mean = sum / float64(len(x))
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / float64(len(x)-1))
}
