package baselines

import (
	"context"
	"fmt"
	"slices"

	"r2lmlbench/r2lml"
)

// A twoStep method learns in two steps. The first depends on some of the
// hyper-parameters only and returns an S.
type twoStep[M, S any] interface {
	comparable
	Resolve() (M, error)
	// id is the start of every error of the method.
	id() string
	// shared clears the parameters of the second step: settings with equal shared
	// values share the first step.
	shared() M
	first(ctx context.Context, p r2lml.Problem) (S, error)
	// second learns from the result of the first step and does not change it.
	second(ctx context.Context, found S) (r2lml.Fitted, error)
}

// fitTwoSteps is the Fit of a method in two steps.
func fitTwoSteps[M twoStep[M, S], S any](ctx context.Context, p r2lml.Problem, m M) (f r2lml.Fitted, err error) {
	FitGrid(p, []M{m})[0].Run(ctx, func(_ int, fitted r2lml.Fitted, e error) { f, err = fitted, e })
	return f, err
}

// FitGrid is the [r2lml.GridFit] of a method in two steps, such as FitGrid[LFDA]: settings
// that share the first step are one task, which runs that step once. A setting that does
// not resolve is a task of its own.
func FitGrid[M twoStep[M, S], S any](p r2lml.Problem, settings []M) []r2lml.Task {
	var tasks []r2lml.Task
	var keys []M
	var groups [][]int
	resolved := make([]M, len(settings))
	for i, m := range settings {
		var err error
		if resolved[i], err = m.Resolve(); err != nil {
			err = fmt.Errorf("%s: %w", m.id(), err)
			tasks = append(tasks, r2lml.Task{
				Settings: []int{i},
				Run:      func(_ context.Context, done func(int, r2lml.Fitted, error)) { done(i, r2lml.Fitted{}, err) },
			})
			continue
		}
		g := slices.Index(keys, resolved[i].shared())
		if g < 0 {
			g = len(keys)
			keys, groups = append(keys, resolved[i].shared()), append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	for _, members := range groups {
		tasks = append(tasks, r2lml.Task{
			Settings: members,
			Run: func(ctx context.Context, done func(int, r2lml.Fitted, error)) {
				found, firstErr := resolved[members[0]].first(ctx, p)
				for _, i := range members {
					f, err := r2lml.Fitted{}, firstErr
					if err == nil {
						f, err = resolved[i].second(ctx, found)
					}
					if err != nil {
						f, err = r2lml.Fitted{}, fmt.Errorf("%s: %w", resolved[i].id(), err)
					}
					done(i, f, err)
				}
			},
		})
	}
	return tasks
}
