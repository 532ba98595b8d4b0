package stats

import "math"

// maxSignedRank is the largest number of pairs for which p is exact: it counts 2³⁰ arrangements of
// signs.
const maxSignedRank = 30

// A SignedRank is the outcome of Wilcoxon's signed-rank test.
type SignedRank struct {
	N             int     // number of differences other than 0
	WPlus, WMinus float64 // sums of the ranks of positive and of negative differences
	Z             float64 // of the normal approximation, positive if WPlus is larger
	P             float64 // two-sided
	Exact         bool    // P is from the permutation distribution, not from Z
}

// Wilcoxon tests whether differences, such as those of two methods' accuracies on
// several data sets, are symmetric around zero. Zeros are dropped and equal
// absolute differences share their average rank, so ties must be exact: take
// differences of counts or of whole hundredths, as those of printed decimals
// differ in the last bit.
//
// Up to 30 differences p comes from the permutation distribution, even with ties; beyond, from the
// normal approximation with continuity correction 0.5 and variance n(n+1)(2n+1)/24 - Σ(t³-t)/48.
// Without any difference p = 1. It panics if a difference is not a number.
func Wilcoxon(differences []float64) SignedRank {
	checkNumbers("Wilcoxon", differences)
	var sizes []float64
	var positive []bool
	for _, d := range differences {
		if d != 0 {
			sizes = append(sizes, math.Abs(d))
			positive = append(positive, d > 0)
		}
	}
	ranks, ties := doubledRanks(sizes)
	plus, all := 0, 0
	for i, rank := range ranks {
		all += rank
		if positive[i] {
			plus += rank
		}
	}
	r := SignedRank{N: len(ranks), WPlus: float64(plus) / 2, WMinus: float64(all-plus) / 2}
	r.Z = signedRankZ(r, ties)
	r.Exact = r.N <= maxSignedRank
	if r.Exact {
		r.P = signedRankP(ranks, min(plus, all-plus))
	} else {
		r.P = math.Erfc(math.Abs(r.Z) / math.Sqrt2)
	}
	return r
}

// WilcoxonTest is [Wilcoxon] as a [Test] of two methods by their scores on data sets.
type WilcoxonTest struct{}

func (WilcoxonTest) String() string { return "wilcoxon-signed-rank" }

// Title names the test in words.
func (WilcoxonTest) Title() string { return "Wilcoxon's signed-rank test" }

// Compare tests the differences on the data sets that both methods have; with fewer than two there
// is no p.
func (WilcoxonTest) Compare(a, b Sample) Outcome {
	o, d := describe(a, b)
	if len(d) > 1 {
		o.P = Wilcoxon(d).P
	}
	return o
}

// signedRankZ returns the deviation of WPlus from its mean, moved toward 0 by 0.5, in standard
// deviations.
func signedRankZ(r SignedRank, ties int) float64 {
	deviation := (r.WPlus - r.WMinus) / 2
	if math.Abs(deviation) <= 0.5 {
		return 0
	}
	n := float64(r.N)
	variance := n*(n+1)*(2*n+1)/24 - float64(ties)/48
	return (deviation - math.Copysign(0.5, deviation)) / math.Sqrt(variance)
}

// signedRankP returns twice the share of the 2ⁿ arrangements of signs whose doubled rank sum is at
// most w.
func signedRankP(ranks []int, w int) float64 {
	ways := make([]int, w+1) // by rank sum
	ways[0] = 1
	for _, rank := range ranks {
		for sum := w; sum >= rank; sum-- {
			ways[sum] += ways[sum-rank]
		}
	}
	tail := 0
	for _, count := range ways {
		tail += count
	}
	return min(1, math.Ldexp(float64(2*tail), -len(ranks)))
}
