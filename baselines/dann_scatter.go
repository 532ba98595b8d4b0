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

// neighborhoodOf returns the k training samples nearest to x under the map l.
// Their weights are (1 − (d/h)³)³ or 1, where h is the largest distance.
func neighborhoodOf(p r2lml.Problem, l *mat.Dense, x []float64, k int, w NeighborWeights) weightedSample {
	n, d := p.X.Dims()
	distance, diff, unit := make([]float64, n), make([]float64, d), ones(d)
	for i := range distance {
		floats.SubTo(diff, p.X.RawRowView(i), x)
		distance[i] = weightedNorm(l, unit, diff)
	}
	s := weightedSample{p: p, rows: closest(distance, k, everyRow)}
	farthest := distance[s.rows[len(s.rows)-1]]
	var sum float64
	for _, row := range s.rows {
		ratio := math.Pow(distance[row]/farthest, 1.5) // (d/h)³ from squares
		s.weight = append(s.weight, math.Pow(1-ratio, 3))
		sum += s.weight[len(s.weight)-1]
	}
	if w == Uniform || !(sum > 0) { // NaN when all distances are 0
		s.weight = ones(len(s.rows))
	}
	return s
}

// scatter returns the covariances of the sample within and between its classes,
//
//	W = Σ_n w_n (x_n − mean_c)(x_n − mean_c)ᵀ / Σ w,   c the class of n
//	B = Σ_c w_c (mean_c − mean)(mean_c − mean)ᵀ / Σ w,   w_c = Σ_{n in c} w_n
func (s weightedSample) scatter() (within, between *mat.SymDense) {
	_, d := s.p.X.Dims()
	within, between = mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	total, mean := s.mean(everyRow)
	diff := mat.NewVecDense(d, nil)
	for label := 1; label <= s.p.Classes(); label++ {
		weight, center := s.mean(func(y int) bool { return y == label })
		if weight == 0 {
			continue
		}
		diff.SubVec(center, mean)
		between.SymRankOne(between, weight/total, diff)
		for i, row := range s.rows {
			if s.p.Y[row] == label {
				diff.SubVec(s.p.X.RowView(row), center)
				within.SymRankOne(within, s.weight[i]/total, diff)
			}
		}
	}
	return within, between
}

// mean returns the weight and the weighted mean of the rows whose labels are in
// a class; no mean when the weight is 0. It averages the differences to one of
// the rows, so that the mean of equal rows is exactly that row.
func (s weightedSample) mean(in func(label int) bool) (weight float64, mean *mat.VecDense) {
	_, d := s.p.X.Dims()
	var base mat.Vector
	mean = mat.NewVecDense(d, nil)
	diff := mat.NewVecDense(d, nil)
	for i, row := range s.rows {
		if !in(s.p.Y[row]) || s.weight[i] == 0 {
			continue
		}
		if base == nil {
			base = s.p.X.RowView(row)
		}
		weight += s.weight[i]
		diff.SubVec(s.p.X.RowView(row), base)
		mean.AddScaledVec(mean, s.weight[i], diff)
	}
	if base == nil {
		return 0, nil
	}
	mean.ScaleVec(1/weight, mean)
	mean.AddVec(mean, base)
	return weight, mean
}
