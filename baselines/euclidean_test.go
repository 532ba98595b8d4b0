package baselines

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

func TestEuclidean(t *testing.T) {
	p := r2lml.Problem{
		X:     mat.NewDense(3, 2, []float64{0, 0, 3, 4, 1, 0}),
		Y:     []int{1, 2, 2},
		Query: mat.NewDense(2, 2, []float64{0, 0, 3, 0}),
	}
	f, err := Euclidean{}.Fit(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range [][]float64{{0, 25, 1}, {9, 16, 4}} { // by hand
		got := make([]float64, 3)
		f.Metric.SquaredDistances(got, m)
		if !slices.Equal(got, want) {
			t.Errorf("query %d: squared distances %v, want %v", m, got, want)
		}
	}
}
