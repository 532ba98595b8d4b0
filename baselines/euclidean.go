package baselines

import (
	"context"

	"r2lmlbench/r2lml"
)

// Euclidean is the metric ‖q − x‖² of the features as they are. It has no
// hyper-parameters and learns nothing.
type Euclidean struct{}

var _ r2lml.Method = Euclidean{}

// Resolve returns m: there is nothing to fill in.
func (m Euclidean) Resolve() (Euclidean, error) { return m, nil }

// Fit implements r2lml.Method.
func (Euclidean) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, nil)}, nil
}
