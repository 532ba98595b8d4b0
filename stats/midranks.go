package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// doubledRanks returns twice the ranks of values, as integers, and Σ(t³-t) over the groups of t
// equal values. The smallest value has rank 1; equal values share their average rank.
func doubledRanks(values []float64) (ranks []int, ties int) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks = make([]int, len(values))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && values[order[end]] == values[order[start]] {
			end++
		}
		for _, i := range order[start:end] {
			ranks[i] = start + 1 + end // twice the mean of start+1 to end
		}
		t := end - start
		ties += t*t*t - t
		start = end
	}
	return ranks, ties
}

// checkNumbers panics if one of the values is not a number.
func checkNumbers(name string, values []float64) {
	for i, v := range values {
		if math.IsNaN(v) {
			panic(fmt.Sprintf("stats: %s: value %d is not a number", name, i))
		}
	}
}

// Spearman returns the rank correlation of paired values: Pearson's correlation of their ranks,
// where equal values share their average rank. It is NaN if all values of one side are equal. It
// panics if the lengths differ or a value is not a number.
func Spearman(x, y []float64) float64 {
	var ranks [2][]float64
	for side, values := range [][]float64{x, y} {
		checkNumbers("Spearman", values)
		doubled, _ := doubledRanks(values)
		for _, r := range doubled {
			ranks[side] = append(ranks[side], float64(r)/2)
		}
	}
	return stat.Correlation(ranks[0], ranks[1], nil)
}
