package baselines

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// Manhattan is the metric Σ_d |q_d − x_d| of the features as they are. It has no
// hyper-parameters and learns nothing.
type Manhattan struct{}

var _ r2lml.Method = Manhattan{}

// Resolve returns m: there is nothing to fill in.
func (m Manhattan) Resolve() (Manhattan, error) { return m, nil }

// Fit implements r2lml.Method.
func (Manhattan) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return r2lml.Fitted{Metric: pairwise{p, func(q, x []float64) float64 { return floats.Distance(q, x, 1) }}}, ctx.Err()
}

// Cosine orders samples by the angle with the query: its distance is ‖q/‖q‖ − x/‖x‖‖, whose square is
// 2 − 2 qᵀx/(‖q‖ ‖x‖). The difference keeps small angles, which the second form rounds to 0. A sample of
// length 0 has no angle and stays where it is, at 1 from the others. It has no hyper-parameters and learns nothing.
type Cosine struct{}

var _ r2lml.Method = Cosine{}

// Resolve returns m: there is nothing to fill in.
func (m Cosine) Resolve() (Cosine, error) { return m, nil }

// Fit implements r2lml.Method.
func (Cosine) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	p.X, p.Query = directions(p.X), directions(p.Query)
	return r2lml.Fitted{Metric: pairwise{p, func(q, x []float64) float64 { return floats.Distance(q, x, 2) }}}, ctx.Err()
}

// directions are the rows of a matrix scaled to length 1; rows of length 0 stay.
func directions(of *mat.Dense) *mat.Dense {
	scaled := mat.DenseCopyOf(of)
	n, _ := of.Dims()
	for i := range n {
		row := scaled.RawRowView(i)
		length := floats.Norm(row, 2)
		for j := range row {
			if length > 0 {
				row[j] /= length // its inverse may be infinite
			}
		}
	}
	return scaled
}

// A pairwise metric has a distance for each pair of a query and a training sample.
type pairwise struct {
	p        r2lml.Problem
	distance func(q, x []float64) float64
}

// SquaredDistances implements r2lml.Metric.
func (m pairwise) SquaredDistances(dst []float64, query int) {
	q := m.p.Query.RawRowView(query)
	for n := range dst {
		d := m.distance(q, m.p.X.RawRowView(n))
		dst[n] = d * d
	}
}
