package stats

import (
	"cmp"
	"math"
	"slices"
)

// sortedSums finds the sums of [BayesSignedRank] in time of order n for a draw. In
// ascending order of z, the z_j with z_i + z_j below a border come first, so that their
// weights are a sum from the start. It differs from adding all terms up by rounding only.
type sortedSums struct {
	order        []int       // indices of z, ascending
	lower, upper [][2]int    // in that order: how many z_j make a sum below the border, and not above it
	sums         []drawBlock // of the weights before each place, and of all
	margin       float64     // more than the rounding of two sums by either way
}

func newSortedSums(first, second []float64, rope float64) *sortedSums {
	z := []float64{0}
	for i := range first {
		z = append(z, second[i]-first[i])
	}
	n := len(z)
	// Each sum is of at most n² products with two roundings; a rounding is 2⁻⁵³.
	s := &sortedSums{order: make([]int, n), sums: make([]drawBlock, n+1), margin: float64(n*n) * 0x1p-48}
	for i := range s.order {
		s.order[i] = i
	}
	if slices.ContainsFunc(z, func(v float64) bool { return !(math.Abs(v) <= math.MaxFloat64) }) {
		s.margin = math.Inf(1) // sums of infinite differences are not in order
	}
	slices.SortStableFunc(s.order, func(i, j int) int { return cmp.Compare(z[i], z[j]) })
	for _, i := range s.order {
		var lower, upper [2]int
		for _, j := range s.order {
			sum := z[i] + z[j]
			lower[0] += one(sum < -2*rope)
			lower[1] += one(sum <= -2*rope)
			upper[0] += one(sum < 2*rope)
			upper[1] += one(sum <= 2*rope)
		}
		s.lower, s.upper = append(s.lower, lower), append(s.upper, upper)
	}
	return s
}

// weigh adds up, over all i, the weight of z_i times the weights of the z_j before both of
// its places.
func (s *sortedSums) weigh(places [][2]int, block []drawBlock) drawBlock {
	var a, b, c, d float64
	for k, p := range places {
		w, before, at := &block[s.order[k]], &s.sums[p[0]], &s.sums[p[1]]
		a += w[0] * (before[0] + at[0])
		b += w[1] * (before[1] + at[1])
		c += w[2] * (before[2] + at[2])
		d += w[3] * (before[3] + at[3])
	}
	return drawBlock{a, b, c, d}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// winners tells which region is the largest for the first n draws of a block. It is not ok
// where rounding could tell otherwise.
func (s *sortedSums) winners(block []drawBlock, n int) (all [lanes]Regions, ok bool) {
	var total drawBlock
	sums := s.sums
	for k, i := range s.order {
		w := &block[i]
		total = drawBlock{total[0] + w[0], total[1] + w[1], total[2] + w[2], total[3] + w[3]}
		sums[k+1] = total
	}
	first, notSecond := s.weigh(s.lower, block), s.weigh(s.upper, block) // twice the sums
	for l := range n {
		r := Regions{first[l] / 2, (notSecond[l] - first[l]) / 2, total[l]*total[l] - notSecond[l]/2}
		switch {
		case r.First > max(r.Equal, r.Second)+s.margin:
			all[l].First = 1
		case r.Equal > max(r.First, r.Second)+s.margin:
			all[l].Equal = 1
		case r.Second > max(r.First, r.Equal)+s.margin:
			all[l].Second = 1
		default:
			return all, false
		}
	}
	return all, true
}
