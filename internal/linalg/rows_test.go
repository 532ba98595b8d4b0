package linalg

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

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
