package linalg

import (
	"r2lmlbench/internal/fixture"
	"testing"

	"gonum.org/v1/gonum/mat"
)

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
