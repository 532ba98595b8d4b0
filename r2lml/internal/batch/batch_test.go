package batch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/kernel"
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
		x: fixture.HardSamples(t, r, n, d), g: mat.NewDense(n, metrics, nil), y: make([]int, n),
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

// TestScreensSpareTiles: where margins are wide a screen spares nearly all tiles,
// and the bits stay the same.
func TestScreensSpareTiles(t *testing.T) {
	const n, d, metrics = 400, 6, 2
	r := rand.New(rand.NewPCG(n, d))
	f := testFit{
		setting: Setting{Step: 1e-9, Lambda: 1, C: 1, Iterations: 60, Momentum: true, Tolerance: 1e-5, Bound: 1e100},
		g:       mat.NewDense(n, metrics, nil),
	}
	f.x, f.y = fixture.Clusters(r, n, d, 5, 8)
	f.similar = similarBits(n, func(m, n int) bool { return f.y[m] == f.y[n] })
	f.draw(r, metrics)
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
	a, w := fixture.Normal(r, d, d), fixture.Normal(r, d, d)
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

// turned returns a batch of normal samples whose features have the given scale, with a lane's map.
func turned(t *testing.T, n, d int, scale func(feature int) float64, entry float64) (*Batch, *lane) {
	t.Helper()
	if !kernel.Prefilters() {
		t.Skip("this level has no prefilter")
	}
	r := rand.New(rand.NewPCG(1, uint64(d)))
	x := fixture.Normal(r, n, d)
	x.Apply(func(_, j int, v float64) float64 { return v * scale(j) }, x)
	b := New(Pack(x))
	b.limits = always
	for i := range d {
		b.l[i*d+(i+3)%d] = entry
	}
	kernel.Map(b.z, b.h, b.panels, b.l, n, d)
	return b, &lane{}
}

// TestTurn: where a few features hold nearly all of the variance, few are looked at first,
// whatever their places. Where all are alike, most are.
func TestTurn(t *testing.T) {
	const n, d = 300, 24
	for _, c := range []struct {
		name  string
		scale func(int) float64
		least int
		most  int
	}{
		{"three features", func(j int) float64 { return map[bool]float64{true: 3, false: 1e-3}[j%8 == 0] }, 1, 4},
		{"alike", func(int) float64 { return 0.25 }, 16, d},
	} {
		b, l := turned(t, n, d, c.scale, 1)
		b.prefiltered(l, len(b.now))
		if l.turn.first < c.least || l.turn.first > c.most {
			t.Errorf("%s: %d features first, want %d to %d", c.name, l.turn.first, c.least, c.most)
		}
		if q := mat.NewDense(d, d, l.turn.q); !orthogonal(q) {
			t.Errorf("%s: directions are not orthogonal", c.name)
		}
	}
}

// TestTurnOfHugeMaps: maps whose second moments overflow are compared in their own
// coordinates, at first and after a good turn.
func TestTurnOfHugeMaps(t *testing.T) {
	const n, d = 100, 12
	for _, entry := range []float64{1e60, 1e160, math.Inf(1), math.NaN()} {
		b, l := turned(t, n, d, func(int) float64 { return 1 }, 1)
		for range turnPasses + 1 {
			b.prefiltered(l, len(b.now))
		}
		for i := range b.l {
			b.l[i] *= entry
		}
		kernel.Map(b.z, b.h, b.panels, b.l, n, d)
		for _, one := range []*lane{l, {}} {
			one.turn.age = 0
			want := make([]uint64, len(b.now))
			kernel.Near(want, b.z, b.h, nil, n, d, 0, kernel.TileRows(n))
			for range 2 { // the second pass has no turn of its own
				kernel.Near(b.now, b.z, b.h, b.prefiltered(one, len(b.now)), n, d, 0, kernel.TileRows(n))
				fixture.EqualSlice(t, fmt.Sprint("tiles with entries of ", entry), b.now, want)
				fixture.Equal(t, "features that are looked at first", one.turn.first, d)
			}
		}
	}
}

// TestDoubtGoesExact: two groups of samples so far apart that float32 cannot tell the distances within
// them make a lane do without a prefilter for some passes. Near ones do not.
func TestDoubtGoesExact(t *testing.T) {
	if !kernel.Prefilters() {
		t.Skip("this level has no prefilter")
	}
	const n, d = 300, 12
	for _, c := range []struct {
		apart float64
		want  int
	}{{1e5, exactPasses}, {0, 0}} {
		x := fixture.Normal(rand.New(rand.NewPCG(1, 2)), n, d)
		x.Apply(func(i, _ int, v float64) float64 { return v + c.apart*float64(i%2) }, x)
		b, l := New(Pack(x)), &lane{}
		b.limits = always
		for i := range d {
			b.l[i*d+i] = 1
		}
		l.fit = &Fit{Pairs: &Pairs{dissimilar: make([]uint64, len(b.now))}}
		b.clearNear(l)
		for pass := range exactPasses + 2 {
			b.update(l)
			want := max(0, c.want-pass%(exactPasses+1))
			if l.exact != want {
				t.Fatalf("groups %g apart, pass %d: %d passes go without a prefilter, want %d", c.apart, pass, l.exact, want)
			}
		}
	}
}

// TestPairsAgree: the sums over pairs of a class are those over the same pairs
// given by bits.
func TestPairsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFit(t)
		if f.y == nil {
			t.Skip("similarity is not that of labels")
		}
		n, d := f.x.Dims()
		byClass, byBits := PairsByClass(context.Background(), f.x, f.y, f.similar).similar, New(Pack(f.x)).PairsByBits(f.similar).similar
		g := mat.Col(nil, 0, f.g)
		got, want := make([]float64, d*d), make([]float64, d*d)
		byClass.scatter(got, g)
		byBits.scatter(want, g)
		if !floats.EqualApprox(got, want, 1e-9) {
			t.Errorf("A of classes is %v, of bits %v", got, want)
		}
		got, want = make([]float64, n), make([]float64, n)
		byClass.products(f.l)(got, g, 0)
		byBits.products(f.l)(want, g, 0)
		if !floats.EqualApprox(got, want, 1e-9*float64(n*d)) {
			t.Errorf("S̄ g of classes is %v, of bits %v", got, want)
		}
	})
}

// First fit, the fits with the most metrics first: 9; 8; 7+1; 5+3; 4+4; 2.
func TestGroups(t *testing.T) {
	fixture.Same(t, "groups", Groups([]int{1, 7, 3, 5, 8, 9, 4, 4, 2}), [][]int{{5}, {4}, {1, 0}, {3, 2}, {6, 7}, {8}})
}
