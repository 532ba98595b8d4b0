package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMapByEach(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	got := MapByEach([]*mat.Dense{nil, mat.NewDense(1, 2, []float64{10, 1})}, x)
	if got[0] != x {
		t.Errorf("the identity gives %v, want the samples themselves", mat.Formatted(got[0]))
	}
	if want := mat.NewDense(2, 1, []float64{12, 34}); !mat.Equal(got[1], want) {
		t.Errorf("(10, 1) gives %v, want %v", mat.Formatted(got[1]), mat.Formatted(want))
	}
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
		if got := NuclearNorm(test.a); !(math.Abs(got-test.want) <= 1e-14) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
