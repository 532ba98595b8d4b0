package linalg

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// indefinite has the eigenvalues 3 and −1, with eigenvectors (1, 1)/√2 and
// (1, −1)/√2.
func indefinite() *mat.SymDense { return mat.NewSymDense(2, []float64{1, 2, 2, 1}) }

// projectPSD returns the nearest positive semi-definite matrix.
func projectPSD(a mat.Symmetric) (*mat.SymDense, error) {
	l, err := FromPSD(a)
	if err != nil {
		return nil, err
	}
	return Gram(l), nil
}

func TestByHand(t *testing.T) {
	a := indefinite()
	projected := fixture.Must(projectPSD(a))(t)
	fixture.NearMatrix(t, "the projection", projected, mat.NewSymDense(2, []float64{1.5, 1.5, 1.5, 1.5}), 1e-14)

	l := fixture.Must(FromPSD(a))(t)
	fixture.NearMatrix(t, "Gram of FromPSD", Gram(l), projected, 1e-15)

	inverse := fixture.Must(MapEigenvalues(a, func(values []float64) {
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
		if _, err := FromPSD(a); !errors.Is(err, ErrNotFinite) {
			t.Errorf("FromPSD with an entry %g: error %v, want ErrNotFinite", bad, err)
		}
		if _, err := MapEigenvalues(a, func([]float64) {}); !errors.Is(err, ErrNotFinite) {
			t.Errorf("MapEigenvalues with an entry %g: error %v, want ErrNotFinite", bad, err)
		}
	}
}

func drawSymmetric(t *rapid.T) *mat.SymDense {
	n := rapid.IntRange(1, 6).Draw(t, "n")
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, rapid.Float64Range(-10, 10).Draw(t, "entry"))
		}
	}
	return a
}

// The projection is the nearest matrix of the cone: what it removes is
// negative semi-definite and orthogonal to what it keeps.
func TestProjectionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawSymmetric(t)
		p := fixture.Must(projectPSD(a))(t)
		n := a.SymmetricDim()
		var rest, product mat.Dense
		rest.Sub(a, p)
		product.Mul(&rest, p)
		fixture.NearMatrix(t, "removed times kept", &product, mat.NewDense(n, n, nil), 1e-11)
		for name, m := range map[string]*mat.SymDense{"kept": p, "minus removed": negated(&rest)} {
			values, _, err := Eigen(m)
			fixture.Check(t, err)
			if values[0] < -1e-12 {
				t.Errorf("%s has the eigenvalue %g, want 0 or more", name, values[0])
			}
		}
	})
}

func negated(a *mat.Dense) *mat.SymDense {
	var minus mat.Dense
	minus.Scale(-1, a)
	return Symmetrize(&minus)
}
