package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// A FriedmanResult compares k methods over N data sets by their ranks.
type FriedmanResult struct {
	// AverageRanks of the methods over the data sets, 1 the best.
	AverageRanks []float64
	// ChiSquared is Friedman's statistic, corrected for ties, with DF = k-1
	// degrees of freedom.
	ChiSquared float64
	DF         int
	P          float64
	// F is the statistic of Iman and Davenport, less conservative, with DF and
	// DF2 = (k-1)(N-1) degrees of freedom; +Inf when all data sets have
	// the same ranks.
	F   float64
	DF2 int
	FP  float64
}

// Friedman tests whether some of the methods are better than others over several
// data sets. scores has one row per data set and in it one score per method,
// higher is better, such as its accuracy. Only the order within a row counts, and
// equal scores share their average rank, so ties must be exact: pass counts, or
// accuracies as they were printed.
//
// With R_j the sum of the ranks of method j and t the sizes of the groups of
// equal scores within rows,
//
//	χ² = 12 Σ_j (R_j - N(k+1)/2)² / (N k (k+1) - Σ(t³-t)/(k-1))
//	F  = (N-1) χ² / (N(k-1) - χ²)
//
// (Demšar 2006, equations of the Friedman and the Iman-Davenport statistic, with the usual tie
// correction). If all ranks are tied, or there are fewer than two methods, the statistics are 0 and
// p is 1; for one data set F is 0 and its p is 1. It panics if the rows differ in length or a score
// is not a number.
func Friedman(scores [][]float64) FriedmanResult {
	sums, ties := rankSums(scores)
	n, k := len(scores), len(sums)
	r := FriedmanResult{AverageRanks: make([]float64, k), P: 1, FP: 1}
	squares := 0 // Σ of the squares of twice the deviations of the rank sums
	for j, sum := range sums {
		r.AverageRanks[j] = float64(sum) / float64(2*n)
		squares += (sum - n*(k+1)) * (sum - n*(k+1))
	}
	if k < 2 {
		return r
	}
	r.DF, r.DF2 = k-1, (k-1)*(n-1)
	// χ² = (k-1) above/below, in integers.
	above, below := 3*squares, n*k*(k+1)*(k-1)-ties
	if below == 0 {
		return r
	}
	r.ChiSquared = float64(k-1) * float64(above) / float64(below)
	r.P = distuv.ChiSquared{K: float64(r.DF)}.Survival(r.ChiSquared)
	switch { // χ²/(k-1) is above/below
	case n == 1 || above == 0:
	case n*below == above:
		r.F, r.FP = math.Inf(1), 0
	default:
		r.F = float64(n-1) * float64(above) / float64(n*below-above)
		// The upper tail directly: 1 minus the lower tail would round small p-values to 0.
		d1, d2 := float64(r.DF), float64(r.DF2)
		r.FP = mathext.RegIncBeta(d2/2, d1/2, d2/(d2+d1*r.F))
	}
	return r
}

// rankSums returns twice the sum of the ranks of each method, and the sum of the tie terms.
func rankSums(scores [][]float64) (sums []int, ties int) {
	if len(scores) == 0 {
		return nil, 0
	}
	sums = make([]int, len(scores[0]))
	for i, row := range scores {
		if len(row) != len(sums) {
			panic(fmt.Sprintf("stats: Friedman: row %d has %d scores, row 0 has %d", i, len(row), len(sums)))
		}
		checkNumbers("Friedman", row)
		ranks, t := doubledRanks(row)
		for j, rank := range ranks {
			sums[j] += 2*(len(row)+1) - rank // the highest score is rank 1
		}
		ties += t
	}
	return sums, ties
}
