package linalg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func topOf(t testing.TB, a *mat.SymDense) float64 {
	t.Helper()
	n := a.SymmetricDim()
	return fixture.Must(LargestEigenvalue(context.Background(), n, func(dst, v []float64) {
		mat.NewVecDense(n, dst).MulVec(a, mat.NewVecDense(n, v))
	}))(t)
}

// clusters has an edge of weight w between every sample of the first a and
// every one of the last b: its extreme eigenvalues are ±w√(ab).
func clusters(a, b int, w float64) *mat.SymDense {
	s := mat.NewSymDense(a+b, nil)
	for i := range a {
		for j := range b {
			s.SetSym(i, a+j, w)
		}
	}
	return s
}

// twoBlocks is block diagonal.
func twoBlocks(a, b *mat.SymDense) *mat.SymDense {
	n := a.SymmetricDim()
	s := mat.NewSymDense(n+b.SymmetricDim(), nil)
	for at, block := range map[int]*mat.SymDense{0: a, n: b} {
		for i := range block.SymmetricDim() {
			for j := range i + 1 {
				s.SetSym(at+i, at+j, block.At(i, j))
			}
		}
	}
	return s
}

func TestLargestEigenvalue(t *testing.T) {
	for _, test := range []struct {
		name string
		a    *mat.SymDense
		want float64
	}{
		{"one sample", mat.NewSymDense(1, []float64{0}), 0},
		{"zero", mat.NewSymDense(5, nil), 0},
		{"star", clusters(1, 99, 1), math.Sqrt(99)},
		{"two equal blocks", twoBlocks(clusters(2, 8, 1), clusters(2, 8, 1)), 4},
		{"two nearly equal blocks", twoBlocks(clusters(2, 8, 1), clusters(4, 9, 2.0/3*(1+1e-7))), 4 * (1 + 1e-7)},
		{"a small block decides", twoBlocks(clusters(10, 10, 0.1), clusters(1, 1, 7)), 7},
		{"huge", clusters(3, 27, 1e200), 9e200},
		{"tiny", clusters(3, 27, 1e-300), 9e-300},
	} {
		fixture.Near(t, test.name, topOf(t, test.a), test.want, eigenvalueTolerance*test.want)
	}
}

// Below the normal range of float64 products keep few digits or none.
func TestLargestEigenvalueOfSubnormalEntries(t *testing.T) {
	for _, w := range []float64{5e-324, 1e-320, 1e-315, 1e-308} {
		if got, bound := topOf(t, clusters(2, 3, w)), 3*w; !(got >= 0 && got <= bound) {
			t.Errorf("entries %g: %v, want between 0 and %v", w, got, bound)
		}
	}
}

func TestLargestEigenvalueAgreesWithDense(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(rt, "n")
		share := rapid.SampledFrom([]float64{0.05, 0.5, 1}).Draw(rt, "share of pairs")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i {
				if r.Float64() < share {
					a.SetSym(i, j, r.ExpFloat64())
				}
			}
		}
		var dense mat.EigenSym
		if !dense.Factorize(a, false) {
			rt.Fatal("no eigenvalues")
		}
		want := dense.Values(nil)[n-1]
		fixture.Near(rt, "largest eigenvalue", topOf(t, a), want, eigenvalueTolerance*want+1e-14)
	})
}

// hard are symmetric matrices of all kinds.
func hard(r *rand.Rand, n, kind int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := r.NormFloat64()
			switch kind {
			case 1: // many equal eigenvalues
				v = math.Round(v / 2)
			case 2: // graded
				v *= math.Ldexp(1, -3*(i+j))
			case 3: // diagonal but for a few
				if i != j && r.IntN(2*n) > 0 {
					v = 0
				}
			case 4: // rank one
				v = float64(i+1) * float64(j+1)
			case 5: // blocks of very different size
				if (i < n/2) != (j < n/2) {
					v = 0
				} else if i < n/2 {
					v *= 1e-100
				}
			case 6:
				v = 0
			}
			a.SetSym(i, j, v)
		}
	}
	return a
}

// Eigenvalues and eigenvectors have the bits of LAPACK where nothing is fused.
func TestEigenIsThatOfLAPACK(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("products and sums of LAPACK in Go may be fused here")
	}
	r := rand.New(rand.NewPCG(9, 4))
	for n := 1; n < 45; n++ {
		for kind := range 7 {
			a := hard(r, n, kind)
			var plain mat.EigenSym
			if !plain.Factorize(a, true) {
				t.Fatalf("n = %d, kind %d: LAPACK gave up", n, kind)
			}
			values, v, err := Eigen(a)
			fixture.Check(t, err)
			var want mat.Dense
			plain.VectorsTo(&want)
			for i, value := range plain.Values(nil) {
				if values[i] != value {
					t.Fatalf("n = %d, kind %d: eigenvalue %d is %v, want %v", n, kind, i, values[i], value)
				}
				fixture.SameBits(t, fmt.Sprintf("n = %d, kind %d: eigenvector %d", n, kind, i), mat.Col(nil, i, v), mat.Col(nil, i, &want))
			}
		}
	}
}

// The trace, the Frobenius norm and A v = λ v are those of A = diag(tiny G₁, G₂), whatever
// the sizes of its blocks; the eigenvalues of the tiny one are its own. LAPACK in gonum 0.17
// returns eigenvalues of 1e121 and more for some of them.
func TestEigenOfBlocksOfAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(rt, "n")
		cut := rapid.IntRange(1, n-1).Draw(rt, "rows of the tiny block")
		tiny := math.Pow(10, rapid.Float64Range(-320, 300).Draw(rt, "exponent of its size"))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		a, block := mat.NewSymDense(n, nil), mat.NewSymDense(cut, nil)
		for i := range n {
			for j := i; j < n; j++ {
				switch v := r.NormFloat64(); {
				case j < cut:
					block.SetSym(i, j, v)
					a.SetSym(i, j, v*tiny)
				case i >= cut:
					a.SetSym(i, j, v)
				}
			}
		}
		if rapid.Bool().Draw(rt, "the tiny block is last") {
			b := mat.NewSymDense(n, nil)
			for i := range n {
				for j := i; j < n; j++ {
					b.SetSym(n-1-i, n-1-j, a.At(i, j))
				}
			}
			a = b
		}
		values, v, err := Eigen(a)
		fixture.Check(t, err)
		norm := mat.Max(a) - mat.Min(a) // between the largest entry and twice it: no square overflows
		sum, squares, trace, frobenius := 0.0, 0.0, 0.0, 0.0
		for i, value := range values {
			sum += value / norm
			squares += value / norm * (value / norm)
			trace += a.At(i, i) / norm
			for j := range n {
				frobenius += a.At(i, j) / norm * (a.At(i, j) / norm)
			}
		}
		fixture.Near(rt, "trace", sum, trace, 1e-12)
		fixture.Near(rt, "squared Frobenius norm", squares, frobenius, 1e-11)
		var av mat.Dense
		av.Mul(a, v)
		for j, value := range values {
			for i := range n {
				fixture.Near(rt, "entry of A v - λ v", av.At(i, j)/norm-value/norm*v.At(i, j), 0, 1e-12)
			}
		}
		if tiny > 1e-300 && tiny < 1e-20 { // its eigenvalues stand in the middle of the others
			var own mat.EigenSym
			if !own.Factorize(block, false) {
				rt.Fatal("no eigenvalues")
			}
			for _, want := range own.Values(nil) {
				nearest := slices.MinFunc(values, func(x, y float64) int {
					return cmp.Compare(math.Abs(x/tiny-want), math.Abs(y/tiny-want))
				})
				fixture.Near(rt, "eigenvalue of the tiny block, in its unit", nearest/tiny, want, 1e-12)
			}
		}
	})
}

// The matrix has the eigenvalues 3 and −1, with eigenvectors (1, 1)/√2 and (1, −1)/√2.
func TestMapEigenvalues(t *testing.T) {
	inverse := fixture.Must(MapEigenvalues(mat.NewSymDense(2, []float64{1, 2, 2, 1}), func(values []float64) {
		for i, v := range values {
			values[i] = 1 / v
		}
	}))(t)
	third := 1.0 / 3
	fixture.NearMatrix(t, "inverse", inverse, mat.NewSymDense(2, []float64{-third, 2 * third, 2 * third, -third}), 1e-15)
}

func TestSymmetrize(t *testing.T) {
	fixture.NearMatrix(t, "Symmetrize", Symmetrize(mat.NewDense(2, 2, []float64{1, 4, 2, 3})), mat.NewSymDense(2, []float64{1, 3, 3, 3}), 0)
}

func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := mat.NewSymDense(2, []float64{1, bad, bad, 1})
		fixture.Is(t, fixture.Error(FromPSD(a)), ErrNotFinite)
		if _, err := MapEigenvalues(a, func([]float64) {}); !errors.Is(err, ErrNotFinite) {
			t.Errorf("MapEigenvalues with an entry %g: error %v, want ErrNotFinite", bad, err)
		}
	}
}

// LᵀL of [FromPSD] is the nearest matrix of the cone: what it removes is negative
// semi-definite and orthogonal to what it keeps.
func TestFromPSDIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, rapid.Float64Range(-10, 10).Draw(t, "entry"))
			}
		}
		kept := Gram(fixture.Must(FromPSD(a))(t))
		var removed, product mat.Dense
		removed.Sub(kept, a) // with the opposite sign
		product.Mul(&removed, kept)
		fixture.NearMatrix(t, "removed times kept", &product, mat.NewDense(n, n, nil), 1e-11)
		for name, m := range map[string]*mat.SymDense{"kept": kept, "minus removed": Symmetrize(&removed)} {
			values, _, err := Eigen(m)
			fixture.Check(t, err)
			if values[0] < -1e-12 {
				t.Errorf("%s has the eigenvalue %g, want 0 or more", name, values[0])
			}
		}
	})
}

// A computation that knows nothing of a context is left behind when that ends; otherwise it
// is waited for, and its panic is the caller's.
func TestUntil(t *testing.T) {
	done := false
	if err := Until(t.Context(), func() { done = true }); err != nil || !done {
		t.Errorf("done %t, %v", done, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	if err := Until(ctx, func() { cancel(); <-release }); !errors.Is(err, context.Canceled) {
		t.Errorf("an endless computation: %v", err)
	}
	if err := Until(ctx, func() { t.Error("begun after the end") }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	defer func() {
		if recover() != "broken" {
			t.Error("the panic is lost")
		}
	}()
	Until(t.Context(), func() { panic("broken") })
}

func drawRows(t *rapid.T, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rapid.Float64Range(-5, 5).Draw(t, "entry"))
		}
	}
	return x
}

func TestDistances(t *testing.T) {
	var s Distances // one for all draws: memory is used again
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 9).Draw(t, "d")
		q := drawRows(t, rapid.IntRange(1, 20).Draw(t, "m"), d)
		x := drawRows(t, rapid.IntRange(1, 40).Draw(t, "n"), d)
		s.Measure(context.Background(), q, x)
		for i := range q.RawMatrix().Rows {
			row := s.Row(i)
			if n, _ := x.Dims(); len(row) != n {
				t.Fatalf("row %d has %d distances, want %d", i, len(row), n)
			}
			for j, got := range row {
				want := SquaredDistance(q.RawRowView(i), x.RawRowView(j))
				fixture.Near(t, "squared distance", got, want, 1e-13*want)
			}
		}
	})
}

func TestMapByEach(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	got := MapByEach([]*mat.Dense{nil, mat.NewDense(1, 2, []float64{10, 1})}, x)
	if got[0] != x {
		t.Errorf("the identity gives %v, want the samples themselves", mat.Formatted(got[0]))
	}
	fixture.NearMatrix(t, "(10, 1) gives", got[1], mat.NewDense(2, 1, []float64{12, 34}), 0)
}

func TestNuclearNorm(t *testing.T) {
	for _, test := range []struct {
		name string
		a    *mat.Dense
		want float64
	}{
		{"zero", mat.NewDense(2, 2, nil), 0},
		{"diagonal", mat.NewDense(2, 2, []float64{3, 0, 0, -4}), 7},
		{"one row", mat.NewDense(1, 2, []float64{3, 4}), 5},
		{"rank one", mat.NewDense(2, 2, []float64{1, 1, 1, 1}), 2},
	} {
		fixture.Near(t, test.name, NuclearNorm(test.a), test.want, 1e-14)
	}
}

func TestProjectSimplex(t *testing.T) {
	for _, tt := range []struct {
		name    string
		v, want []float64
	}{
		{"empty", nil, nil},
		{"one entry", []float64{-7}, []float64{1}},
		{"on the simplex", []float64{0.25, 0.75, 0}, []float64{0.25, 0.75, 0}},
		{"a vertex", []float64{3, 0, 0}, []float64{1, 0, 0}},
		{"equal entries", []float64{5, 5, 5, 5}, []float64{0.25, 0.25, 0.25, 0.25}},
		{"two stay", []float64{0.5, -1, 1}, []float64{0.25, 0, 0.75}},
		// The 1 of the sum would vanish beside these entries.
		{"large entries", []float64{1e20, 1e20, 0}, []float64{0.5, 0.5, 0}},
		{"large negative entries", []float64{-1e20, -1e20}, []float64{0.5, 0.5}},
	} {
		got := slices.Clone(tt.v)
		ProjectSimplex(got)
		fixture.EqualSlice(t, tt.name, got, tt.want)
	}
}

// The projection p of v is the point of the simplex at which no other point
// of it is in an acute direction: (v − p)ᵀ(e_i − p) ≤ 0 for all vertices e_i.
func TestProjectSimplexIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hundredths := rapid.Map(rapid.IntRange(0, 40), func(v int) float64 { return float64(v) / 100 }) // often near the bound
		v := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-3, 3), hundredths), 1, 12).Draw(t, "v")
		p := slices.Clone(v)
		ProjectSimplex(p)
		if slices.Min(p) < 0 || math.Abs(floats.Sum(p)-1) > 1e-14 {
			t.Fatalf("%v is not on the simplex", p)
		}
		var inner float64 // (v − p)ᵀ p
		for i := range p {
			inner += (v[i] - p[i]) * p[i]
		}
		for i := range p {
			if v[i]-p[i]-inner > 1e-13 {
				t.Fatalf("vertex %d is nearer to %v than %v", i, v, p)
			}
		}
	})
}

// A unit makes no feature constant, and rounding no feature vary.
func TestVaries(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   bool
	}{
		{"equal", []float64{0.1, 0.1, 0.1}, false},
		{"equal but for rounding", []float64{0.3, 0.30000000000000004, 0.3}, false},
		{"zero", []float64{0, 0, 0}, false},
		{"seconds of an hour, since 1970", []float64{1.7e9, 1.7e9 + 1800, 1.7e9 + 3600}, true},
	} {
		for _, unit := range []float64{0x1p-40, 1, 0x1p40} {
			values := slices.Clone(c.values)
			floats.Scale(unit, values)
			if got := Varies(stat.StdDev(values, nil), values); got != c.want {
				t.Errorf("%s, times %g: %t, want %t", c.name, unit, got, c.want)
			}
		}
	}
	if Varies(math.NaN(), []float64{3}) {
		t.Error("one value varies")
	}
}

func TestToUnitLength(t *testing.T) {
	for v, want := range map[[2]float64][2]float64{{3, 4}: {0.6, 0.8}, {3 * 0x1p-60, 4 * 0x1p-60}: {0.6, 0.8}, {0, 0}: {0, 0}} {
		got := v
		ToUnitLength(got[:])
		fixture.Near(t, "first", got[0], want[0], 1e-15)
		fixture.Near(t, "second", got[1], want[1], 1e-15)
	}
}
