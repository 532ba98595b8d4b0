package r2lml

import (
	"context"
	"errors"
	"fmt"

	"r2lmlbench/r2lml/internal/batch"
)

// A batched solver hands the work to package batch, and keeps the batched form of
// every fit.
type batched struct {
	batch    *batch.Batch
	byLabels *batch.Pairs // of every fit, if similarities are those of the labels; else nil
	fits     map[*blockDescent]*batch.Fit
}

func newBatched(samples *batch.Samples, byLabels *batch.Pairs) batched {
	return batched{batch.New(samples), byLabels, map[*blockDescent]*batch.Fit{}}
}

// at returns the batched form of a fit, with its present variables.
func (b batched) at(f *blockDescent) *batch.Fit {
	if b.fits[f] == nil {
		b.fits[f] = b.batch.NewFit(batch.Setting{
			Step: f.setting.Step, Lambda: f.setting.Lambda, C: f.setting.C,
			Iterations: f.setting.Iterations, Momentum: f.momentum,
			Tolerance: gradientTolerance, Bound: divergence,
		})
		b.setSimilarities(f)
	}
	fit := b.fits[f]
	fit.L, fit.G = f.l, f.g
	return fit
}

func (b batched) setSimilarities(f *blockDescent) {
	pairs := b.byLabels
	if pairs == nil {
		pairs = b.batch.PairsByBits(f.s.rows)
	}
	b.fits[f].Pairs = pairs
}

func (b batched) transforms(ctx context.Context, fits []*blockDescent) {
	descents := make([]*batch.Fit, len(fits))
	for i, f := range fits {
		descents[i] = b.at(f)
	}
	err := b.batch.Descend(ctx, descents)
	for i, f := range fits {
		f.err = err
		if err == nil {
			f.err = diverged(descents[i].Err())
		}
	}
}

// diverged puts the error of a descent in the words of the plain solver.
func diverged(err error) error {
	var d *batch.DivergenceError
	if errors.As(err, &d) {
		return fmt.Errorf("metric %d: iteration %d: %w", d.Metric, d.Iteration, errDivergence)
	}
	return err
}

func (b batched) products(f *blockDescent) func(dst, v []float64, k int) { return b.at(f).Products() }

func (b batched) psi(f *blockDescent) func(m int) []float64 { return b.at(f).Psi() }

func (b batched) objective(f *blockDescent) float64 { return b.at(f).Objective() }
