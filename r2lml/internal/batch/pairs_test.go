package batch

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

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
