package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// A PairBound holds the smallest and the largest p-value that McNemar's test of two methods can
// have, given only their counts of correct samples: of the pair alone (Low, High), and after a
// correction over all pairs of the row, such as [Holm].
type PairBound struct {
	I, J              int // methods, I < J
	Low, High         float64
	HolmLow, HolmHigh float64
}

// BoundPairs bounds the p-values of all pairs of a row, in lexicographic order, from the numbers of
// correct samples of n alone. adjust is the correction; raising one p-value must never lower an
// adjusted one.
//
// If the better method of a pair has g more samples right, then g+c are right by it only and c by
// the other only, where c is at most the number of samples the other has right, and at most the
// number the better has wrong. Every variant's p grows with c, so the ends of the range of c bound
// p. Adjusting all lower bounds together bounds every adjusted value from below, and likewise from
// above. BoundPairs panics if a count is not in 0 to n.
func BoundPairs(t Variant, adjust func([]float64) []float64, correct []int, n int) []PairBound {
	var bounds []PairBound
	var lows, highs []float64
	for i := range correct {
		for j := i + 1; j < len(correct); j++ {
			low, high := boundP(t, correct[i], correct[j], n)
			bounds = append(bounds, PairBound{I: i, J: j, Low: low, High: high})
			lows, highs = append(lows, low), append(highs, high)
		}
	}
	lows, highs = adjust(lows), adjust(highs)
	for b := range bounds {
		bounds[b].HolmLow, bounds[b].HolmHigh = lows[b], highs[b]
	}
	return bounds
}

func boundP(t Variant, first, second, n int) (low, high float64) {
	better, other := max(first, second), min(first, second)
	if other < 0 || better > n {
		panic(fmt.Sprintf("stats: BoundPairs: %d and %d right of %d samples", first, second, n))
	}
	gap, both := better-other, min(other, n-better)
	return McNemar(t, gap, 0).P, McNemar(t, gap+both, both).P
}

// A RankClaim is a claim of printed ranks about two methods that no predictions can make true.
type RankClaim struct {
	Leader    int  // the most accurate method of its rank, the first column of several
	Other     int  // the method compared with it
	Different bool // the claim is that they differ; otherwise that they are comparable
	Gap       int  // correct samples of Leader less those of Other
	// P bounds the p-value of the pair and Holm the adjusted one: from below
	// when Different is claimed, else from above.
	P, Holm float64
}

// RankClaims checks the ranks of a row against its numbers of correct samples by the
// bounds of [BoundPairs]. Ranks claim that the leader of each, its most accurate
// method, is comparable with the other methods of the rank, and differs from
// every method of a worse rank that is not more accurate. It returns the claims that are
// impossible at level alpha, by rank of the leader and then by column; see
// [Group] for the rule behind such ranks. It panics if there are not as many ranks as
// counts.
func RankClaims(all []PairBound, correct, rank []int, alpha float64) []RankClaim {
	if len(correct) != len(rank) {
		panic(fmt.Sprintf("stats: RankClaims: %d counts and %d ranks", len(correct), len(rank)))
	}
	bounds := map[[2]int]PairBound{}
	for _, b := range all {
		bounds[[2]int{b.I, b.J}] = b
	}
	var claims []RankClaim
	leaders := byAccuracy(correct) // the most accurate method of every rank, best rank first
	slices.SortStableFunc(leaders, func(i, j int) int { return cmp.Compare(rank[i], rank[j]) })
	leaders = slices.CompactFunc(leaders, func(i, j int) bool { return rank[i] == rank[j] })
	for _, leader := range leaders {
		for other := range correct {
			b := bounds[[2]int{min(leader, other), max(leader, other)}]
			gap := correct[leader] - correct[other]
			switch {
			case other == leader:
			case rank[other] == rank[leader] && b.HolmHigh <= alpha:
				claims = append(claims, RankClaim{leader, other, false, gap, b.High, b.HolmHigh})
			case rank[other] > rank[leader] && gap >= 0 && b.HolmLow > alpha:
				claims = append(claims, RankClaim{leader, other, true, gap, b.Low, b.HolmLow})
			}
		}
	}
	return claims
}
