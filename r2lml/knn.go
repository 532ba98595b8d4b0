package r2lml

import "slices"

// Classify labels every query sample of p with the k-nearest-neighbor rule
// under the metric d, with the training samples as neighbors. Equal distances
// go to the lower training index, equal votes to the smallest label, as in the
// authors' Testknn.m (stable sort, then mode). When there are fewer than k
// training samples all of them vote. It panics if k < 1.
func Classify(p Problem, d Metric, k int) []int { return ClassifyEach(p, d, []int{k})[0] }

// ClassifyEach is Classify for several numbers of neighbors, in their order. It asks
// for every distance once.
func ClassifyEach(p Problem, d Metric, ks []int) [][]int {
	if slices.Min(ks) < 1 {
		panic("r2lml: Classify needs at least one neighbor")
	}
	m, _ := p.Query.Dims()
	most := slices.Max(ks)
	distance := make([]float64, len(p.Y))
	near := make([]int, 0, min(most, len(p.Y)))
	votes := make([]int, p.Classes()+1)
	labels := make([][]int, len(ks))
	for j := range labels {
		labels[j] = make([]int, m)
	}
	for i := range m {
		d.SquaredDistances(distance, i)
		near = nearest(near[:0], distance, most)
		for j, k := range ks { // fewer neighbors are the first of them
			labels[j][i] = vote(votes, near[:min(k, len(near))], p.Y)
		}
	}
	return labels
}

// nearest appends to dst the indices of the k smallest distances in ascending
// order, equal ones by index.
func nearest(dst []int, distance []float64, k int) []int {
	full, worst := false, 0.0
	for n, dn := range distance {
		if full && dn >= worst {
			continue
		}
		if len(dst) < k {
			dst = append(dst, n)
		}
		i := len(dst) - 1
		for ; i > 0 && dn < distance[dst[i-1]]; i-- {
			dst[i] = dst[i-1]
		}
		dst[i] = n
		if full = len(dst) == k; full {
			worst = distance[dst[k-1]]
		}
	}
	return dst
}

// vote returns the most frequent label of the neighbors, the smallest of
// several. It uses votes, indexed by label, as scratch space.
func vote(votes, near, y []int) int {
	clear(votes)
	best := 0
	for _, n := range near {
		votes[y[n]]++
	}
	for label, count := range votes {
		if count > votes[best] {
			best = label
		}
	}
	return best
}
