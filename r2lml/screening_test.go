package r2lml

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// withScreens runs f with screens from the given number of tiles on, and sieves
// from as many samples.
func withScreens(tiles int, f func()) {
	screens, samples, features := screenTiles, sieveSamples, sieveFeatures
	defer func() { screenTiles, sieveSamples, sieveFeatures = screens, samples, features }()
	screenTiles, sieveSamples, sieveFeatures = tiles, tiles, 1
	f()
}

// learned returns everything that a fit has learned.
func learned(f *LocalMetric) (v []float64) {
	for _, m := range slices.Concat(f.L, []*mat.Dense{f.U, f.V}) {
		v = append(v, m.RawMatrix().Data...)
	}
	return v
}

// TestScreensChangeNothing: fits with and without screens and sieves are the same
// bits.
func TestScreensChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m := drawShape(t), drawEfficient(t)
		m.Iterations = 120
		transductive := rapid.Bool().Draw(t, "transductive")
		var with, without *LocalMetric
		var err, plainErr error
		withScreens(0, func() { with, err = fitEither(p, m, transductive) })
		withScreens(math.MaxInt, func() { without, plainErr = fitEither(p, m, transductive) })
		if err != nil || plainErr != nil {
			sameError(t, err, plainErr)
			return
		}
		sameLearned(t, with, without)
	})
}

func sameLearned(t rapid.TB, got, want *LocalMetric) {
	t.Helper()
	w := learned(want)
	for i, v := range learned(got) {
		if math.Float64bits(v) != math.Float64bits(w[i]) {
			t.Fatalf("number %d learned is %v, want the bits of %v", i, v, w[i])
		}
	}
}

// farClasses has many samples in classes that are far apart, so that few pairs
// come near distance 1.
func farClasses(n, d int) Problem {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	p := Problem{X: normalDense(r, n, d), Y: make([]int, n), Query: normalDense(r, 5, d), Seed: 3}
	for i := range p.Y {
		p.Y[i] = 1 + i%5
		p.X.Set(i, i%5%d, p.X.At(i, i%5%d)+20)
	}
	return p
}

// TestScreensSleep: where margins are wide a screen spares nearly all tiles,
// and the bits stay the same.
func TestScreensSleep(t *testing.T) {
	p := farClasses(400, 6)
	m := Efficient{Metrics: 2, Lambda: 1, Step: 1e-9, Epochs: 2, Iterations: 60}
	var with, without *LocalMetric
	var err error
	withScreens(math.MaxInt, func() { without, err = fitEither(p, m, false) })
	if err != nil {
		t.Fatal(err)
	}
	withScreens(0, func() { with, err = fitEither(p, m, false) })
	if err != nil {
		t.Fatal(err)
	}
	sameLearned(t, with, without)

	resolved, err := m.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	c := newEfficientScene(p)
	member := c.member(resolved)
	member.prepare()
	withScreens(0, func() { err = newLaneDescent(c.scene).run(context.Background(), member.lanes) })
	if err != nil {
		t.Fatal(err)
	}
	for k, l := range member.lanes {
		s := &l.screen
		if s.age < 40 || s.spent > 0.5*float64(len(s.slack)*s.age) {
			t.Errorf("metric %d: %d iterations since the reference, cost %.0f of %d tiles each",
				k+1, s.age, s.spent/float64(max(s.age, 1)), len(s.slack))
		}
	}
}

func TestDivide(t *testing.T) {
	const d = 7
	r := rand.New(rand.NewPCG(1, 2))
	a, w := normalDense(r, d, d), normalDense(r, d, d)
	for i := range d {
		w.Set(i, i, 3+w.At(i, i))
		for j := range i {
			w.Set(i, j, 0)
		}
	}
	var product mat.Dense
	product.Mul(a, w)
	divide(product.RawMatrix().Data, w.RawMatrix().Data, d)
	if !mat.EqualApprox(&product, a, 1e-10) {
		t.Errorf("A W W⁻¹ is\n%v, want\n%v", mat.Formatted(&product), mat.Formatted(a))
	}
}

func TestNormBoundIsAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 9, 9).Draw(t, "a")
		if got, want := normBound(a), mat.Norm(mat.NewDense(3, 3, a), 2); got < want {
			t.Errorf("bound %v is below the norm %v", got, want)
		}
	})
}
