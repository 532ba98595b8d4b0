package linalg

import (
	"math"
	"math/rand/v2"
	"r2lmlbench/internal/fixture"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"
)

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
			case 4: // rank one, times a size that LAPACK scales for n = 7
				v = float64(i+1) * float64(j+1)
				if n == 7 {
					v *= 1e200
				}
			case 5: // blocks of very different size
				if (i < n/2) != (j < n/2) {
					v = 0
				} else if i < n/2 {
					v *= 1e-140
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
				for j := range n {
					if math.Float64bits(v.At(j, i)) != math.Float64bits(want.At(j, i)) {
						t.Fatalf("n = %d, kind %d: entry %d of eigenvector %d is %v, want %v", n, kind, j, i, v.At(j, i), want.At(j, i))
					}
				}
			}
		}
	}
}
