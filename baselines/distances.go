package baselines

import (
	"context"

	"gonum.org/v1/gonum/floats"

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
	return r2lml.Fitted{Metric: manhattan{p}}, ctx.Err()
}

// Cosine orders samples by the angle with the query: its distance is ‖q/‖q‖ − x/‖x‖‖, whose square
// is 2 − 2 qᵀx/(‖q‖ ‖x‖). The difference keeps small angles, which the second form rounds to 0. A
// sample of length 0 stays at the origin, at distance 1 from the others. It has no hyper-parameters
// and learns nothing.
type Cosine struct{}

var _ r2lml.Method = Cosine{}

// Resolve returns m: there is nothing to fill in.
func (m Cosine) Resolve() (Cosine, error) { return m, nil }

// Fit implements r2lml.Method.
func (Cosine) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return r2lml.Fitted{Metric: r2lml.NewGlobal(unitLength(p), nil)}, ctx.Err()
}

// manhattan is the metric of a problem.
type manhattan struct{ p r2lml.Problem }

// SquaredDistances implements r2lml.Metric.
func (m manhattan) SquaredDistances(dst []float64, query int) {
	q := m.p.Query.RawRowView(query)
	for n := range dst {
		d := floats.Distance(q, m.p.X.RawRowView(n), 1)
		dst[n] = d * d
	}
}
