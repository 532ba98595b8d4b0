package r2lml

import (
	"context"
	"errors"
	"fmt"

	"r2lmlbench/r2lml/internal/batch"
)

// A batched solver computes with package batch. It keeps the batched form of every fit
// that has not ended.
type batched struct {
	batch    *batch.Batch
	byLabels *batch.Pairs // E-R2LML: the pairs of every fit, by the labels; else nil
	fits     map[*blockDescent]*batch.Fit
}

func newBatched(samples *batch.Samples, byLabels *batch.Pairs) batched {
	return batched{batch.New(samples), byLabels, map[*blockDescent]*batch.Fit{}}
}

// until returns the solver with sums that stop early when ctx ends.
func (b batched) until(ctx context.Context) batched {
	b.batch.Stop = func() bool { return ctx.Err() != nil }
	return b
}

// at returns the batched form of a fit, with its present variables.
func (b batched) at(f *blockDescent) *batch.Fit {
	fit := b.fits[f]
	if fit == nil {
		fit = b.batch.NewFit(batch.Setting{
			Step: float64(f.setting.Step), Lambda: f.setting.Lambda, C: f.setting.C,
			Iterations: f.setting.Iterations, Momentum: f.momentum,
			Tolerance: gradientTolerance, Bound: divergence,
		})
		fit.Pairs = b.pairs(f)
		b.fits[f] = fit
	}
	fit.L, fit.G, fit.Step = f.l, f.g, float64(f.setting.Step) // which halves in the regularized variant
	return fit
}

// pairs are the pairs of a fit by its present similarities.
func (b batched) pairs(f *blockDescent) *batch.Pairs {
	if b.byLabels != nil {
		return b.byLabels
	}
	return b.batch.PairsByBits(f.s.rows)
}

// setSimilarities updates the pairs of a fit that has a batched form. For a fit
// without one it does nothing: at makes the form with the similarities of that time.
func (b batched) setSimilarities(f *blockDescent) {
	if fit := b.fits[f]; fit != nil {
		fit.Pairs = b.pairs(f)
	}
}

func (b batched) release(f *blockDescent) { delete(b.fits, f) }

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

// diverged turns the error of a batched descent into that of the plain solver.
func diverged(err error) error {
	var d *batch.DivergenceError
	if errors.As(err, &d) {
		return fmt.Errorf("metric %d: iteration %d: %w", d.Metric, d.Iteration, errDivergence)
	}
	return err
}

func (b batched) products(f *blockDescent) func(dst, v []float64, k int) { return b.at(f).Products() }

func (b batched) psi(f *blockDescent) func(m int) []float64 { return b.at(f).Psi() }

func (b batched) shares(f *blockDescent) []float64 { return b.at(f).Shares() }

func (b batched) objective(f *blockDescent) float64 { return b.at(f).Objective() }
