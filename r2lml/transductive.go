package r2lml

import (
	"cmp"
	"context"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml/internal/batch"
)

// Transductive is T-R2LML, the local metric learner of Eq. 3. It learns from
// the labeled and the query samples together. Similarities among the labeled
// ones come from their labels; every other one starts as a fair coin flip and
// is a variable of the problem. A query sample has coefficients of its own.
// So the metric depends on which samples are asked for. The hyper-parameters
// are those of [Efficient]. Reference: the paper's three-block algorithm;
// yinjiehuang/R2LMTL.
type Transductive Efficient

var _ Method = Transductive{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use.
func (m Transductive) Resolve() (Transductive, error) {
	resolved, err := Efficient(m).Resolve()
	return Transductive(resolved), err
}

// Fit implements [Method]. It fails when a map grows beyond all bounds, as it
// does when the step is too large for the scale of the features.
func (m Transductive) Fit(ctx context.Context, p Problem) (fitted Fitted, err error) {
	FitTransductive(p, []Transductive{m})[0].Run(ctx, func(_ int, f Fitted, e error) { fitted, err = f, e })
	return fitted, err
}

// FitTransductive is the [GridFit] of T-R2LML, grouped as that of E-R2LML is.
func FitTransductive(p Problem, settings []Transductive) []Task {
	same := make([]Efficient, len(settings))
	for i, m := range settings {
		same[i] = Efficient(m)
	}
	return tasks(same, grounds(stacked(p), func(_ context.Context, s scale) fitter { return newTransductive(p, s) }).fit)
}

// transductive is what all fits of T-R2LML to one problem share. Each has
// similarities of its own.
type transductive struct {
	p       Problem
	scale   scale
	x       *mat.Dense // training samples, then query samples
	samples *batch.Samples
}

func newTransductive(p Problem, s scale) *transductive {
	x := s.of(stacked(p))
	return &transductive{p, s, x, batch.Pack(x)}
}

// stacked returns the training samples of p, and the query samples below them.
func stacked(p Problem) *mat.Dense {
	var x mat.Dense
	x.Stack(p.X, p.Query)
	return &x
}

// fit fits settings side by side.
func (c *transductive) fit(ctx context.Context, settings []Efficient, done report) {
	done = done.named("t-r2lml")
	fits := startEach(settings, done, func(m Efficient) *blockDescent { return startTransductive(ctx, c.p, m, c.x) })
	minimizeTransductive(ctx, newBatched(c.samples, nil).until(ctx), fits, func(f *blockDescent) {
		done(f.index, fittedTransductive(c.p, c.scale, f), cmp.Or(f.err, ctx.Err()))
	})
}

// startTransductive starts a resolved setting on the samples x of [stacked]: it
// draws maps, then coefficients, then similarities.
func startTransductive(ctx context.Context, p Problem, m Efficient, x *mat.Dense) *blockDescent {
	r := p.Rand()
	f := newBlockDescent(m, r, x, p.Y)
	n, _ := x.Dims()
	f.s = coinSimilarity(ctx, r, p.Y, n-len(p.Y))
	return f
}

// minimizeTransductive is the paper's algorithm for Eq. 3, the whole of its box,
// for fits side by side. Every fit is handed over when it ends.
func minimizeTransductive(ctx context.Context, s solver, fits []*blockDescent, ended func(*blockDescent)) {
	for len(fits) > 0 {
		transforms(ctx, s, fits) // block 1: every L^k, by proximal subgradient descent
		for _, f := range fits {
			f.coefficients(ctx, s) // block 2: every g^k, by majorization-minimization
			f.similarities(ctx, s) // block 3: every s_mn that no labels decide
			f.endEpoch(s)          // F, which tells whether the fit has converged
		}
		fits = unfinished(fits, ended)
	}
}

// fittedTransductive returns the result of a fit, empty if it failed.
func fittedTransductive(p Problem, s scale, f *blockDescent) Fitted {
	if f.err != nil {
		return Fitted{}
	}
	n := len(p.Y)
	v := mat.DenseCopyOf(f.g.Slice(0, n, 0, f.setting.Metrics))
	u := mat.DenseCopyOf(f.g.Slice(n, f.s.n, 0, f.setting.Metrics))
	return Fitted{Metric: NewLocalMetric(p, s.maps(f.l), u, v), Facts: append(f.facts(), similarPairs(f.s, n))}
}

// SimilarFact counts the pairs with an unlabelled sample that a fit of T-R2LML
// ended with as similar.
const SimilarFact = "similar pairs chosen"

// similarPairs counts the similar ones of the pairs that the labels leave
// open: those with a sample behind the first n.
func similarPairs(s similarity, n int) Fact {
	f := Fact{Name: SimilarFact}
	for i := n; i < s.n; i++ {
		row, last := s.rows[i], i/64
		for _, word := range row[:last] {
			f.Count += bits.OnesCount64(word)
		}
		f.Count += bits.OnesCount64(row[last] & (1<<(i%64) - 1))
		f.Of += i
	}
	return f
}
