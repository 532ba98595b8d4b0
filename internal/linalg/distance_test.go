package linalg

import (
	"context"
	"math"
	"r2lmlbench/internal/fixture"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestSquaredDistance(t *testing.T) {
	fixture.Equal(t, "SquaredDistance", SquaredDistance([]float64{1, -2, 5}, []float64{4, 2, 5}), 25) // by hand
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
				if want := SquaredDistance(q.RawRowView(i), x.RawRowView(j)); math.Abs(got-want) > 1e-13*want {
					t.Errorf("distance (%d, %d) is %g, want %g", i, j, got, want)
				}
			}
		}
	})
}
