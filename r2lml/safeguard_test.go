package r2lml

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// drawRegularized draws a setting of the regularized variant, some with steps that
// are far too long.
func drawRegularized(t *rapid.T) Efficient {
	m := drawEfficient(t)
	m.Variant, m.Regularization = Regularized, rapid.SampledFrom([]float64{0.01, 1, 3}).Draw(t, "regularization")
	m.Step = rapid.SampledFrom([]StepLength{1, 1e-2, 1e-4, 1e-6}).Draw(t, "long step")
	m.Epochs, m.Iterations = rapid.IntRange(1, 5).Draw(t, "epochs"), rapid.IntRange(1, 40).Draw(t, "iterations")
	return m
}

// With μ = λmax, block 2 takes the steps of the reference variant.
func TestRegularizedStepsLikeReference(t *testing.T) {
	p := twoClouds(20, 4, 8)
	m := fixture.Must(Efficient{Metrics: 3, Lambda: 1, Step: 1e-4}.Resolve())(t)
	f := startEither(p, m, false)
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
		c := groundOf(p, false)
		f, s := c.start(context.Background(), m), newBatched(c.samples, c.pairs)
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
		if want := (Count{Name: UndoneFact, Count: 4, Of: 4}); !slices.Contains(f.Facts, want) {
			t.Errorf("%s: facts %v, want %v", name, f.Facts, want)
		}
		for i, d := range allDistances(twoClouds(12, 5, 2), f.Metric) {
			if !(d >= 0) {
				t.Fatalf("%s: distance %d is %g", name, i, d)
			}
		}
	}
}

// When a map is put back, the step of the next epochs is half of this one's; when none is,
// it stays.
func TestUndoingHalvesTheStep(t *testing.T) {
	p := twoClouds(12, 5, 2)
	m := fixture.Must(Efficient{Variant: Regularized, Metrics: 3, Lambda: 1, Step: 0.5}.Resolve())(t)
	for rise := range 4 { // of 3 maps so many have a higher term than before
		c := groundOf(p, false)
		f, s := c.start(t.Context(), m), newBatched(c.samples, c.pairs)
		g := guard{fit: f, maps: slices.Clone(f.l), shares: s.shares(f)}
		for k := range f.l {
			f.l[k] = mat.DenseCopyOf(f.l[k])
			if k < rise {
				g.shares[k] = math.Inf(-1)
			}
		}
		g.decide(s)
		want := StepLength(0.5)
		if rise > 0 {
			want = 0.25
		}
		fixture.Equal(t, "step", f.setting.Step, want)
		fixture.Equal(t, "step of the next run of block 1", s.at(f).Step, float64(want))
		fixture.Equal(t, "maps put back", f.undone, rise)
		for k := range f.l {
			fixture.Equal(t, "the map is the old one", f.l[k] == g.maps[k], k < rise)
		}
	}
}

// No block of the regularized variant raises F + μ Σ_k |g^k|², by the plain formulas, by
// more than rounding, in both methods, with the fits side by side.
func TestRegularizedDescends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, settings := drawShape(t), rapid.SliceOfN(rapid.Custom(drawRegularized), 1, 3).Draw(t, "settings")
		c := groundOf(p, rapid.Bool().Draw(t, "transductive"))
		var fits []*blockDescent
		for _, m := range settings {
			fits = append(fits, c.start(context.Background(), fixture.Must(m.Resolve())(t)))
		}
		checkDescent(t, newBatched(c.samples, c.pairs), fits, c.transductive)
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

// inUnits returns the problem with its features times c.
func inUnits(p Problem, c float64) Problem {
	for _, x := range []**mat.Dense{&p.X, &p.Query} {
		var scaled mat.Dense
		scaled.Scale(c, *x)
		*x = &scaled
	}
	return p
}

// Features in other units give the same fit: the same labels, and distances that
// differ by rounding.
func TestAutoStepDoesNotDependOnUnits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := twoClouds(rapid.IntRange(8, 20).Draw(rt, "n"), 5, rapid.IntRange(2, 5).Draw(rt, "d"))
		c := rapid.SampledFrom([]float64{0x1p-30, 0.125, 4, 1024, 0x1p40}).Draw(rt, "units")
		m := Efficient{Metrics: rapid.IntRange(1, 3).Draw(rt, "metrics"), Lambda: 0.1, Step: AutoStep, Epochs: 2, Iterations: 30}
		for name, method := range bothMethods(m) {
			first := fixture.Must(method.Fit(t.Context(), p))(rt)
			other := fixture.Must(method.Fit(t.Context(), inUnits(p, c)))(rt)
			fixture.EqualSlice(rt, name+": labels", Classify(inUnits(p, c), other.Metric, 3), Classify(p, first.Metric, 3))
			a, b := allDistances(p, first.Metric), allDistances(inUnits(p, c), other.Metric)
			for i := range a {
				if !near(a[i], b[i]) {
					rt.Fatalf("%s: distance %d is %g, want %g", name, i, b[i], a[i])
				}
			}
		}
	})
}

// The step is the reciprocal of a bound of the gradient's slope: no fit of these
// diverges, and no step is halved.
func TestAutoStepConverges(t *testing.T) {
	for _, scale := range []float64{1e-6, 1, 1e6} {
		for name, method := range bothMethods(Efficient{Metrics: 2, Lambda: 1, Step: AutoStep, Epochs: 2, Iterations: 100}) {
			f := fixture.Must(method.Fit(t.Context(), inUnits(twoClouds(20, 5, 3), scale)))(t)
			at := slices.IndexFunc(f.Facts, func(f Count) bool { return f.Name == HalvingsFact })
			if at < 0 || f.Facts[at].Count != 0 {
				t.Errorf("%s, features times %g: facts %v, want no halving", name, scale, f.Facts)
			}
		}
	}
}

// With a step too long by far, the step is halved until the fit converges.
func TestAutoStepHalves(t *testing.T) {
	p := twoClouds(12, 3, 6)
	c := fixture.Must((&ground{p: p, auto: true}).get(t.Context()))(t)
	c.step = 1e3
	c.fit(t.Context(), []Efficient{{Lambda: 1}}, []int{0}, func(_ int, f Fitted, err error) {
		fixture.Check(t, err)
		last := f.Facts[len(f.Facts)-1]
		if last.Name != HalvingsFact || last.Count == 0 {
			t.Errorf("facts %v, want some halvings", f.Facts)
		}
		fixture.Near(t, "the step by its series, in units of the first one", f.Series[0].Values[0]*float64(c.scale*c.scale)/1e3,
			math.Ldexp(1, -last.Count), 1e-15)
	})
}

// The step of a fit is 1/(4 λmax) of the sum of D_mn D_mnᵀ over pairs of its samples,
// taken here pair by pair.
func TestAutoStepSeries(t *testing.T) {
	p := inUnits(twoClouds(12, 5, 3), 10)
	for name, method := range bothMethods(Efficient{Step: AutoStep, Epochs: 1, Iterations: 5}) {
		x := p.X
		if name == "t-r2lml" {
			x = stacked(p)
		}
		n, d := x.Dims()
		sum := mat.NewSymDense(d, nil)
		for i := range n {
			for j := range i {
				var move mat.VecDense
				move.SubVec(x.RowView(i), x.RowView(j))
				sum.SymRankOne(sum, 1, &move)
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(sum, false)
		got, want := fit(t, method, p).Series, 1/(4*eigen.Values(nil)[d-1])
		if len(got) != 1 || got[0].Name != StepSeries || len(got[0].Values) != 1 || !near(got[0].Values[0]/want, 1) {
			t.Errorf("%s: series %v, want the step %g", name, got, want)
		}
	}
}
