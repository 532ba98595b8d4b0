package r2lml

import (
	"slices"

	"r2lmlbench/internal/kernel"
)

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
	votes := make([]int, p.Classes()+1)
	labels := make([][]int, len(ks))
	for j := range labels {
		labels[j] = make([]int, m)
	}
	neighbors(d, m, len(p.Y), slices.Max(ks), func(i int, near []int) {
		for j, k := range ks { // fewer neighbors are the first of them
			labels[j][i] = vote(votes, near[:min(k, len(near))], p.Y)
		}
	})
	return labels
}

// neighbors calls visit with the k nearest of n training samples of each of m query
// samples, in ascending order of distance, equal ones by index.
func neighbors(d Metric, m, n, k int, visit func(i int, near []int)) {
	if lm, ok := d.(*LocalMetric); ok && lm.global() {
		lm.neighbors(m, n, k, visit)
		return
	}
	distance, list := make([]float64, n), kernel.NewNeighbors(min(k, n))
	for i := range m {
		d.SquaredDistances(distance, i)
		list.Reset()
		list.Offer(0, distance)
		visit(i, list.Index)
	}
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
