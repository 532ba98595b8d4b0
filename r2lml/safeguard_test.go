package r2lml

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// drawRegularized draws a setting of the regularized variant, some with steps that
// are far too long.
func drawRegularized(t *rapid.T) Efficient {
	return Efficient{
		Variant:        Regularized,
		Metrics:        rapid.IntRange(1, 4).Draw(t, "metrics"),
		Lambda:         rapid.SampledFrom([]float64{0, 0.1, 10}).Draw(t, "lambda"),
		Step:           rapid.SampledFrom([]StepLength{1, 1e-2, 1e-4, 1e-6}).Draw(t, "step"),
		Epochs:         rapid.IntRange(1, 5).Draw(t, "epochs"),
		Iterations:     rapid.IntRange(1, 40).Draw(t, "iterations"),
		Regularization: rapid.SampledFrom([]float64{0.01, 1, 3}).Draw(t, "regularization"),
	}
}

// With μ = λmax, block 2 takes the steps of the reference variant.
func TestRegularizedStepsLikeReference(t *testing.T) {
	p := twoClouds(20, 4, 8)
	m := fixture.Must(Efficient{Metrics: 3, Lambda: 1, Step: 1e-4}.Resolve())(t)
	f := startEfficient(p, p.X, m, labelSimilarity(p.Y, 0))
	b := fixture.Must(newMajorization(context.Background(), Reference, f.s.n, len(f.l), plain{}.products(f)))(t)
	sg, ours, theirs := b.times(f.g), mat.DenseCopyOf(f.g), mat.DenseCopyOf(f.g)
	b.step(theirs, sg)
	b.pull = b.lmax
	b.step(ours, sg)
	fixture.NearMatrix(t, "coefficients", ours, theirs, 1e-14)
}

// The shares that the guards compare are those of the plain formulas.
func TestSharesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawShape(t)
		m := fixture.Must(Efficient{Metrics: rapid.IntRange(1, 3).Draw(t, "metrics"), Lambda: 1, Step: 1e-4, Epochs: 1, Iterations: 5}.Resolve())(t)
		c := newInductive(context.Background(), p, 0)
		f, s := startEfficient(p, p.X, m, c.s), newBatched(c.samples, c.pairs)
		for range 2 { // before block 1, and after it
			ours, theirs := s.shares(f), plain{}.shares(f)
			for k := range ours {
				if diff := ours[k] - theirs[k]; diff > 1e-9*(1+theirs[k]) || diff < -1e-9*(1+theirs[k]) {
					t.Fatalf("share %d is %g, want %g", k, ours[k], theirs[k])
				}
			}
			s.transforms(context.Background(), []*blockDescent{f})
			if f.err != nil {
				return
			}
		}
	})
}

// A step that is far too long ends no fit of the regularized variant: every map is
// put back in every epoch, and the fit says so.
func TestRegularizedSurvivesLongSteps(t *testing.T) {
	for name, method := range bothMethods(Efficient{Variant: Regularized, Metrics: 2, Step: 1e10, Epochs: 2}) {
		f := fit(t, method, twoClouds(12, 5, 2))
		if want := (Fact{Name: UndoneFact, Count: 4, Of: 4}); !slices.Contains(f.Facts, want) {
			t.Errorf("%s: facts %v, want %v", name, f.Facts, want)
		}
		for i, d := range allDistances(twoClouds(12, 5, 2), f.Metric) {
			if !(d >= 0) {
				t.Fatalf("%s: distance %d is %g", name, i, d)
			}
		}
	}
}

// No block of the regularized variant raises F + μ Σ_k |g^k|², by the plain formulas, by
// more than rounding, in both methods, with the fits side by side.
func TestRegularizedDescends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, settings := drawShape(t), rapid.SliceOfN(rapid.Custom(drawRegularized), 1, 3).Draw(t, "settings")
		if rapid.Bool().Draw(t, "transductive") {
			c := newTransductive(p, 0)
			fits := startEach(settings, nil, func(m Efficient) *blockDescent { return startTransductive(context.Background(), p, m, c.x) })
			checkDescent(t, newBatched(c.samples, nil), fits, true)
		} else {
			c := newInductive(context.Background(), p, 0)
			fits := startEach(settings, nil, func(m Efficient) *blockDescent { return startEfficient(p, c.x, m, c.s) })
			checkDescent(t, newBatched(c.samples, c.pairs), fits, false)
		}
	})
}

// checkDescent runs fits block by block.
func checkDescent(t *rapid.T, s solver, fits []*blockDescent, transductive bool) {
	ctx := context.Background()
	value := func(f *blockDescent) float64 { return plain{}.objective(f) + f.pull*dot(f.g, f.g) }
	for len(fits) > 0 {
		before := make([]float64, len(fits))
		for i, f := range fits {
			before[i] = value(f)
		}
		transforms(ctx, s, fits)
		for i, f := range fits {
			fell := func(block int) {
				if f.err != nil {
					t.Fatal(f.err)
				}
				if after := value(f); after-before[i] > 1e-9*(1+before[i]) {
					t.Fatalf("epoch %d: block %d raises the objective of %+v from %g to %g", f.epochs+1, block, f.setting, before[i], after)
				} else {
					before[i] = after
				}
			}
			fell(1)
			g, pull := f.g, f.pull
			f.coefficients(ctx, s)
			if pull != f.pull { // the weight is known from the first block 2 on
				before[i] += f.pull * dot(g, g)
			}
			fell(2)
			if transductive {
				f.similarities(ctx, s)
				fell(3)
			}
			f.endEpoch(s)
		}
		fits = unfinished(fits, func(*blockDescent) {})
	}
}
