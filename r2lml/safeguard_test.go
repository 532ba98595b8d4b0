package r2lml

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
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

// No block of the regularized variant raises F + μ Σ_k |g^k|² by more than rounding.
func TestRegularizedDescends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m := drawShape(t), drawRegularized(t)
		transductive := rapid.Bool().Draw(t, "transductive")
		end, err := traceEither(p, m, transductive, true)
		if err != nil {
			t.Fatal(err)
		}
		for block := 1; block <= 3; block++ {
			if raised, of := end.trace.Raised(block); raised > 0 {
				t.Fatalf("block %d raises the objective in %d of %d runs: %+v", block, raised, of, end.trace.Blocks)
			}
		}
	})
}

// With μ = λmax, block 2 takes the steps of the reference variant.
func TestRegularizedStepsLikeReference(t *testing.T) {
	p := twoClouds(20, 4, 8)
	m, err := Efficient{Metrics: 3, Lambda: 1, Step: 1e-4}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	f := startEfficient(p, p.X, m, labelSimilarity(p.Y, 0))
	b, err := newMajorization(Reference, f.s.n, len(f.l), plain{}.products(f))
	if err != nil {
		t.Fatal(err)
	}
	sg, ours, theirs := b.times(f.g), mat.DenseCopyOf(f.g), mat.DenseCopyOf(f.g)
	b.step(theirs, sg)
	b.pull = b.lmax
	b.step(ours, sg)
	if !mat.EqualApprox(ours, theirs, 1e-14) {
		t.Errorf("coefficients\n%v\nwant\n%v", mat.Formatted(ours), mat.Formatted(theirs))
	}
}

// The shares that the guards compare are those of the plain formulas.
func TestSharesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawShape(t)
		m, err := Efficient{Metrics: rapid.IntRange(1, 3).Draw(t, "metrics"), Lambda: 1, Step: 1e-4, Epochs: 1, Iterations: 5}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		c := newInductive(p, 0)
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

// A step that is far too long ends no fit of the regularized variant.
func TestRegularizedSurvivesLongSteps(t *testing.T) {
	for name, method := range bothMethods(Efficient{Variant: Regularized, Metrics: 2, Step: 1e10}) {
		f, err := method.Fit(t.Context(), twoClouds(12, 5, 2))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, d := range allDistances(twoClouds(12, 5, 2), f.Metric) {
			if !(d >= 0) {
				t.Fatalf("%s: distance %d is %g", name, i, d)
			}
		}
	}
}
