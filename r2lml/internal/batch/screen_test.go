package batch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"r2lmlbench/internal/fixture"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var (
	always = limits{}
	never  = limits{math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt}
)

// A testFit is a start of a fit, and what block 3 chooses after its first descent.
type testFit struct {
	setting Setting
	x       *mat.Dense
	l       []*mat.Dense
	g       *mat.Dense
	y       []int      // labels, if similarity is theirs
	similar [][]uint64 // at the start
	next    [][]uint64 // after the first descent
}

func normalDense(r *rand.Rand, rows, cols int) *mat.Dense {
	a := mat.NewDense(rows, cols, nil)
	for i := range rows * cols {
		a.RawMatrix().Data[i] = r.NormFloat64()
	}
	return a
}

// similarBits returns a similarity in rows of bits.
func similarBits(n int, similar func(m, n int) bool) [][]uint64 {
	rows := make([][]uint64, n)
	for m := range rows {
		rows[m] = make([]uint64, (n+63)/64)
	}
	for m := range rows {
		for n := range m + 1 {
			if m == n || similar(m, n) {
				rows[m][n/64] |= 1 << (n % 64)
				rows[n][m/64] |= 1 << (m % 64)
			}
		}
	}
	return rows
}

// drawFit draws a fit with the traits that are hard on screens: constant
// features, duplicated rows, maps that move fast and slowly.
func drawFit(t *rapid.T) testFit {
	n, d := rapid.IntRange(2, 45).Draw(t, "n"), rapid.IntRange(1, 9).Draw(t, "d")
	metrics := rapid.IntRange(1, 4).Draw(t, "metrics")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "data"), 1))
	f := testFit{
		setting: Setting{
			Step:       rapid.SampledFrom([]float64{1e-3, 1e-4, 1e-6}).Draw(t, "step"),
			Lambda:     rapid.SampledFrom([]float64{0, 0.1, 1, 100}).Draw(t, "lambda"),
			C:          1,
			Iterations: 120,
			Momentum:   rapid.Bool().Draw(t, "momentum"),
			Tolerance:  1e-5, Bound: 1e100,
		},
		x: normalDense(r, n, d), g: mat.NewDense(n, metrics, nil), y: make([]int, n),
	}
	f.x.Scale(rapid.Float64Range(0.1, 2).Draw(t, "scale"), f.x)
	if rapid.Bool().Draw(t, "constant") {
		for i := range n {
			f.x.Set(i, d-1, 7)
		}
	}
	if rapid.Bool().Draw(t, "duplicates") {
		f.x.SetRow(n-1, f.x.RawRowView(0))
	}
	f.draw(r, metrics)
	classes := rapid.IntRange(1, 4).Draw(t, "classes")
	for i := range f.y {
		f.y[i] = 1 + i%classes
	}
	f.similar = similarBits(n, func(m, n int) bool { return f.y[m] == f.y[n] })
	f.next = f.similar
	if rapid.Bool().Draw(t, "bits") {
		f.y, f.next = nil, similarBits(n, func(m, n int) bool { return r.IntN(2) == 0 })
	}
	return f
}

// draw draws maps and coefficients, uniform on [0, 1).
func (f *testFit) draw(r *rand.Rand, metrics int) {
	_, d := f.x.Dims()
	for range metrics {
		l := mat.NewDense(d, d, nil)
		l.Apply(func(int, int, float64) float64 { return r.Float64() }, l)
		f.l = append(f.l, l)
	}
	f.g.Apply(func(int, int, float64) float64 { return r.Float64() }, f.g)
}

// start adds the fit to a batch.
func (f testFit) start(b *Batch) *Fit {
	fit := b.NewFit(f.setting)
	fit.L, fit.G = append([]*mat.Dense(nil), f.l...), f.g
	fit.Pairs = b.PairsByBits(f.similar)
	if f.y != nil {
		fit.Pairs = PairsByClass(context.Background(), f.x, f.y, f.similar)
	}
	return fit
}

// run makes two descents, with new similarities between them, and returns
// everything learned and the objectives on the way.
func (f testFit) run(within limits) (learned []float64, err error) {
	b := New(Pack(f.x))
	b.limits = within
	fit := f.start(b)
	for round := range 2 {
		if err := cmp.Or(b.Descend(context.Background(), []*Fit{fit}), fit.Err()); err != nil {
			return nil, err
		}
		learned = append(learned, fit.Objective())
		if round == 0 && f.y == nil {
			fit.Pairs = b.PairsByBits(f.next)
			learned = append(learned, fit.Objective())
		}
	}
	for _, l := range fit.L {
		learned = append(learned, l.RawMatrix().Data...)
	}
	return learned, nil
}

// TestShortcutsChangeNothing: descents with and without screens and prefilters
// give the same bits.
func TestShortcutsChangeNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFit(rt)
		with, err := f.run(always)
		without, plainErr := f.run(never)
		if fmt.Sprint(err) != fmt.Sprint(plainErr) {
			rt.Fatalf("error %v, want %v", err, plainErr)
		}
		fixture.SameBits(rt, "learned", with, without)
	})
}

// farClasses has many samples in classes that are far apart, so that few pairs
// come near distance 1.
func farClasses(n, d, metrics int) testFit {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	f := testFit{
		setting: Setting{Step: 1e-9, Lambda: 1, C: 1, Iterations: 60, Momentum: true, Tolerance: 1e-5, Bound: 1e100},
		x:       normalDense(r, n, d), g: mat.NewDense(n, metrics, nil), y: make([]int, n),
	}
	for i := range f.y {
		f.y[i] = 1 + i%5
		f.x.Set(i, i%5%d, f.x.At(i, i%5%d)+20)
	}
	f.similar = similarBits(n, func(m, n int) bool { return f.y[m] == f.y[n] })
	f.draw(r, metrics)
	return f
}

// TestScreensSpareTiles: where margins are wide a screen spares nearly all tiles,
// and the bits stay the same.
func TestScreensSpareTiles(t *testing.T) {
	f := farClasses(400, 6, 2)
	fixture.SameBits(t, "learned", fixture.Must(f.run(always))(t), fixture.Must(f.run(never))(t))

	b := New(Pack(f.x))
	b.limits = always
	fit := f.start(b)
	fixture.Check(t, b.Descend(t.Context(), []*Fit{fit}))
	for k, l := range fit.lanes {
		s := &l.screen
		if s.age < 40 || s.spent > 0.5*float64(len(s.margins)*s.age) {
			t.Errorf("metric %d: %d iterations since the reference, cost %.0f of %d tiles each",
				k+1, s.age, s.spent/float64(max(s.age, 1)), len(s.margins))
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
	fixture.NearMatrix(t, "A W W⁻¹", &product, a, 1e-10)
}

func TestNormBoundIsAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 9, 9).Draw(t, "a")
		if got, want := normBound(a), mat.Norm(mat.NewDense(3, 3, a), 2); got < want {
			t.Errorf("bound %v is below the norm %v", got, want)
		}
	})
}
