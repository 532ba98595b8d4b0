package registry

import (
	"context"

	"r2lmlbench/baselines"
	"r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
)

// ties is the family of Euclidean under other rules for ties: it labels the
// queries itself, for which it must know the k of the spec.
type ties struct {
	method.Typed[baselines.EuclideanTies]
}

// Tasks implements method.Family.
func (ties) Tasks(p method.Problem, settings []method.Setting) []r2lml.Task {
	tasks := make([]r2lml.Task, len(settings))
	for i, s := range settings {
		tasks[i] = r2lml.Task{
			Settings: []int{i},
			Run: func(_ context.Context, done func(int, r2lml.Fitted, error)) {
				done(i, r2lml.Fitted{Labels: s.(baselines.EuclideanTies).Label(p.Problem, p.Neighbors)}, nil)
			},
		}
	}
	return tasks
}
