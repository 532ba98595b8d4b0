package baselines

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// A weightedSample is some rows of a problem with weights.
type weightedSample struct {
	p      r2lml.Problem
	rows   []int
	weight []float64 // one per row, not all 0
}

// neighborhoodOf returns the k training samples nearest to x under the map l, nil for the
// identity. Their weights are (1 − (d/h)³)³ or 1, where h is the largest distance.
func neighborhoodOf(p r2lml.Problem, l *mat.Dense, x []float64, k int, w NeighborWeights) weightedSample {
	distance := distancesUnder(l, p.X, x)
	s := weightedSample{p: p, rows: closest(distance, k, everyRow)}
	if w == Uniform {
		s.weight = ones(len(s.rows))
		return s
	}
	farthest := distance[s.rows[len(s.rows)-1]]
	s.weight = make([]float64, len(s.rows))
	var sum float64
	for i, row := range s.rows {
		rest := 1 - math.Pow(distance[row]/farthest, 1.5) // (d/h)³ from squares
		s.weight[i] = rest * (rest * rest)
		sum += s.weight[i]
	}
	if !(sum > 0) { // NaN when all distances are 0
		s.weight = ones(len(s.rows))
	}
	return s
}

// distancesUnder returns the squared distances from v to the rows of x under the map l.
func distancesUnder(l, x *mat.Dense, v []float64) []float64 {
	if l == nil {
		return squaredDistances(x, v)
	}
	n, d := x.Dims()
	distance, diff, unit := make([]float64, n), make([]float64, d), ones(d)
	for i := range distance {
		floats.SubTo(diff, x.RawRowView(i), v)
		distance[i] = weightedNorm(l, unit, diff)
	}
	return distance
}

// scatter returns the covariances of the sample within and between its classes,
//
//	W = Σ_n w_n (x_n − mean_c)(x_n − mean_c)ᵀ / Σ w,   c the class of n
//	B = Σ_c w_c (mean_c − mean)(mean_c − mean)ᵀ / Σ w,   w_c = Σ_{n in c} w_n
func (s weightedSample) scatter() (within, between *mat.SymDense) {
	_, d := s.p.X.Dims()
	w, b := make(packed, packedLen(d)), make(packed, packedLen(d))
	total, mean := s.mean(upTo(len(s.rows)))
	shares, diffs := make([]float64, 0, len(s.rows)), make([]float64, 0, len(s.rows)*d)
	factors := make([]float64, len(s.rows))
	for _, members := range s.byClass() {
		weight, center := s.mean(members)
		if weight == 0 {
			continue
		}
		b.addOuters(d, []float64{weight / total}, appendDifference(nil, center, mean), factors)
		for _, i := range members {
			shares = append(shares, s.weight[i]/total)
			diffs = appendDifference(diffs, s.p.X.RawRowView(s.rows[i]), center)
		}
	}
	w.addOuters(d, shares, diffs, factors)
	return w.unpacked(d), b.unpacked(d)
}

// byClass lists the places of the rows of every class, in their order.
func (s weightedSample) byClass() [][]int {
	members := make([][]int, s.p.Classes())
	for i, row := range s.rows {
		c := s.p.Y[row] - 1
		members[c] = append(members[c], i)
	}
	return members
}

// mean returns the weight and the weighted mean of the rows in some places; no mean when
// the weight is 0. It averages the differences to one of the rows, so that the mean of
// equal rows is exactly that row.
func (s weightedSample) mean(places []int) (weight float64, mean []float64) {
	var base []float64
	for _, i := range places {
		if s.weight[i] == 0 {
			continue
		}
		row := s.p.X.RawRowView(s.rows[i])
		if base == nil {
			base, mean = row, make([]float64, len(row))
		}
		weight += s.weight[i]
		for j, v := range row {
			mean[j] += s.weight[i] * (v - base[j])
		}
	}
	scale := 1 / weight
	for j, v := range base {
		mean[j] = mean[j]*scale + v
	}
	return weight, mean
}
