package r2lml

// Classify labels every query sample of p with the k-nearest-neighbor rule
// under the metric d, with the training samples as neighbors. Equal distances
// go to the lower training index, equal votes to the smallest label, as in the
// authors' Testknn.m (stable sort, then mode). When there are fewer than k
// training samples all of them vote. It panics if k < 1.
func Classify(p Problem, d Metric, k int) []int {
	if k < 1 {
		panic("r2lml: Classify needs at least one neighbor")
	}
	m, _ := p.Query.Dims()
	distance := make([]float64, len(p.Y))
	near := make([]int, 0, k)
	votes := make([]int, p.Classes()+1)
	labels := make([]int, m)
	for i := range labels {
		d.SquaredDistances(distance, i)
		near = nearest(near[:0], distance, k)
		labels[i] = vote(votes, near, p.Y)
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
