package r2lml

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
)

// nearHinge tells whether some pair is so near to distance 1 that a small
// change of the map could cross the kink of the hinge.
func nearHinge(x, l *mat.Dense) bool {
	z := linalg.MapRows(l, x)
	n, _ := x.Dims()
	for i := range n {
		for j := range i {
			if math.Abs(linalg.SquaredDistance(z.RawRowView(i), z.RawRowView(j))-1) < 1e-3 {
				return true
			}
		}
	}
	return false
}

func TestGradientAgreesWithFiniteDifferences(t *testing.T) {
	checked := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		n, d := 12, 1+int(seed%4)
		x, l := fixture.Normal(r, n, d), fixture.Normal(r, d, d)
		l.Scale(0.5, l)
		if nearHinge(x, l) {
			continue
		}
		checked++
		f := newBlockDescent(Efficient{C: 1.5, Metrics: 2}, r, x, nil)
		f.s = coinSimilarity(context.Background(), r, []int{1, 2, 1, 2}, n-4)
		column := mat.DenseCopyOf(f.g.Slice(0, n, 0, 1))
		b := newDescent(f)
		b.g = mat.Col(nil, 0, column)
		got := b.gradient(l)
		want := fd.Gradient(nil, func(entries []float64) float64 {
			return objective(x, f.s, []*mat.Dense{mat.NewDense(d, d, entries)}, column, b.c, 0)
		}, l.RawMatrix().Data, &fd.Settings{Formula: fd.Central})
		fixture.Near(t, "what the gradient differs by", relative(got, mat.NewDense(d, d, want)), 0, 1e-6)
	}
	if checked < 10 {
		t.Errorf("only %d starts were away from the hinge", checked)
	}
}

func TestShrinkSingularValues(t *testing.T) {
	// A rotation by 30 and one by 45 degrees around diag(3, 1).
	rotation := func(degrees float64) *mat.Dense {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return mat.NewDense(2, 2, []float64{cos, -sin, sin, cos})
	}
	with := func(a, b float64) *mat.Dense {
		var m mat.Dense
		m.Product(rotation(30), mat.NewDense(2, 2, []float64{a, 0, 0, b}), rotation(45))
		return &m
	}
	for _, test := range []struct {
		tau, a, b float64 // shrinkage, singular values left of 3 and 1
	}{{0, 3, 1}, {0.25, 2.75, 0.75}, {1, 2, 0}, {2, 1, 0}, {5, 0, 0}} {
		got := fixture.Must(shrinkSingularValues(with(3, 1), test.tau))(t)
		fixture.NearMatrix(t, fmt.Sprint("shrunk by ", test.tau), got, with(test.a, test.b), 1e-14)
	}
}

func TestShrinkSingularValuesRefusesDivergence(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 2 * divergence} {
		if got, err := shrinkSingularValues(mat.NewDense(2, 2, []float64{1, 0, v, 1}), 0.1); err == nil {
			t.Errorf("an entry of %v gives %v, want an error", v, got)
		}
	}
}

// Two samples at distance 1 on a line. Similar with g = 1 the gradient is 4L, so
// that a step of 1/8 halves L; dissimilar it is −4L below distance 1.
func TestDescentByHand(t *testing.T) {
	for _, test := range []struct {
		name       string
		variant    Variant
		labels     []int
		lambda     float64
		iterations int
		l, want    float64
	}{
		{"published: halved three times", Published, []int{1, 1}, 0, 3, 1, 0.125},
		{"published: halved and shrunk by 1/8", Published, []int{1, 1}, 1, 2, 1, 0.0625},
		{"published: shrunk to 0 at last", Published, []int{1, 1}, 1, 3, 1, 0},
		{"published: half as much again until distance 1 is reached", Published, []int{1, 2}, 0, 100, 0.5, 1.125},
		{"reference: momentum 0 at first", Reference, []int{1, 1}, 0, 1, 1, 0.5},
		{"reference: then 1/4 of (1/4 − 1/2)", Reference, []int{1, 1}, 0, 2, 1, 0.1875},
		{"reference: then 2/5 of (3/32 − 1/4)", Reference, []int{1, 1}, 0, 3, 1, 0.03125},
	} {
		m := Efficient{Variant: test.variant, C: 1, Lambda: test.lambda, Step: 0.125, Iterations: test.iterations}
		b := newDescent(&blockDescent{
			setting: m, momentum: m.Variant == Reference,
			x: mat.NewDense(2, 1, []float64{0, 1}), s: labelSimilarity(test.labels, 0),
		})
		b.g = []float64{1, 1}
		got := fixture.Must(b.run(t.Context(), mat.NewDense(1, 1, []float64{test.l})))(t)
		fixture.Near(t, test.name, got.At(0, 0), test.want, 1e-15)
	}
}
