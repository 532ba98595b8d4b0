package linalg

import (
	"context"
	"math"
	"math/rand/v2"
	"r2lmlbench/internal/fixture"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
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
		{"one pair", clusters(1, 1, 3), 3},
		{"unequal clusters", clusters(3, 27, 2), 18},
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
		if got := topOf(t, a); !(math.Abs(got-want) <= eigenvalueTolerance*want+1e-14) {
			rt.Fatalf("%.15g, want %.15g", got, want)
		}
	})
}
