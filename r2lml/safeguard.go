package r2lml

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// transforms is block 1 of some fits. Those of the regularized variant take its
// maps only where they do not raise the objective.
func transforms(ctx context.Context, s solver, fits []*blockDescent) {
	var guards []guard
	for _, f := range fits {
		if f.setting.Variant == Regularized {
			guards = append(guards, guard{f, slices.Clone(f.l), s.shares(f)})
		}
	}
	s.transforms(ctx, fits)
	for _, g := range guards {
		g.decide(s)
	}
}

// A guard knows a fit as it was before block 1.
type guard struct {
	fit    *blockDescent
	maps   []*mat.Dense
	shares []float64 // of the metrics in F
}

// decide puts back the maps that raised their share of F, all of them if one has
// diverged, and halves the step of the next epochs then.
func (g guard) decide(s solver) {
	f := g.fit
	if f.err != nil && !errors.Is(f.err, errDivergence) {
		return
	}
	undone := 0
	if f.err != nil {
		f.err, undone = nil, len(f.l)
		copy(f.l, g.maps)
	} else {
		for k, share := range s.shares(f) {
			if !(share <= g.shares[k]) {
				f.l[k] = g.maps[k]
				undone++
			}
		}
	}
	if undone > 0 {
		f.setting.Step /= 2
	}
	f.undone += undone
	f.err = f.tracer.blockEnded(1, 0)
}
