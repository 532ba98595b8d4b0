package r2lml

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
)

func TestZeroColumns(t *testing.T) {
	for _, test := range []struct {
		name      string
		l         *mat.Dense
		threshold float64
		want      []int
	}{
		{"none", mat.NewDense(2, 2, []float64{1, 2, 3, 4}), 1e-6, nil},
		{"one exactly", mat.NewDense(2, 3, []float64{1, 0, 2, 1, 0, 2}), 1e-6, []int{1}},
		{"one below, one at the threshold", mat.NewDense(1, 3, []float64{4, 1, 0.5}), 0.25, []int{2}},
		{"the norm decides, not an entry", mat.NewDense(2, 2, []float64{5, 3, 0, 4}), 0.9, nil},
		{"signs do not matter", mat.NewDense(1, 2, []float64{-8, -1}), 0.5, []int{1}},
		{"a zero map", mat.NewDense(2, 3, nil), 1e-6, []int{0, 1, 2}},
		{"the identity", nil, 1e-6, nil},
		{"huge entries", mat.NewDense(2, 2, []float64{1e300, 1, 1e300, 1}), 1e-6, []int{1}},
	} {
		fixture.EqualSlice(t, test.name, ZeroColumns(test.l, test.threshold), test.want)
	}
}

// drawLocalMetric draws the local metric of 3 to 14 training samples and 1 to 3 maps.
func drawLocalMetric(t *rapid.T, coefficients bool) *LocalMetric {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
	n, d, metrics := rapid.IntRange(3, 14).Draw(t, "N"), rapid.IntRange(1, 5).Draw(t, "D"), rapid.IntRange(1, 3).Draw(t, "K")
	p := Problem{X: fixture.Normal(r, n, d), Y: make([]int, n), Query: fixture.Normal(r, 1, d)}
	if rapid.Bool().Draw(t, "duplicates") {
		p.X.SetRow(n-1, p.X.RawRowView(0))
	}
	var l []*mat.Dense
	for range metrics {
		l = append(l, fixture.Normal(r, rapid.IntRange(1, d).Draw(t, "rank"), d))
	}
	if rapid.Bool().Draw(t, "identity") {
		l[0] = nil
	}
	if !coefficients {
		return NewLocalMetric(p, l, nil, nil)
	}
	return NewLocalMetric(p, l, nil, newBlockDescent(Efficient{Metrics: metrics}, r, p.X, p.Y, nil).g)
}

// naiveDistance follows the formula.
func naiveDistance(f *LocalMetric, m, n int) float64 {
	var squared float64
	for k, z := range linalg.MapByEach(f.L, f.samples) {
		squared += coefficient(f.V, m, k) * coefficient(f.V, n, k) * linalg.SquaredDistance(z.RawRowView(m), z.RawRowView(n))
	}
	return math.Sqrt(squared)
}

func TestTrainingDistancesFollowTheFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawLocalMetric(t, rapid.Bool().Draw(t, "coefficients"))
		d := fixture.Must(f.TrainingDistances())(t)
		for m := range d.SymmetricDim() {
			for n := range d.SymmetricDim() {
				if want := naiveDistance(f, m, n); !near(d.At(m, n), want) {
					t.Fatalf("distance of %d and %d is %v, want %v", m, n, d.At(m, n), want)
				}
			}
		}
	})
}

// The naive count compares, for every pair i > k, the way by way of every j.
func TestTriangleViolationsAgreeWithTheNaiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawLocalMetric(t, true)
		n, _ := f.samples.Dims()
		want := 0
		for i := range n {
			for j := range n {
				for k := range i {
					direct, detour := naiveDistance(f, i, k), naiveDistance(f, i, j)+naiveDistance(f, j, k)
					if j != i && j != k && direct > detour*(1+triangleTolerance) {
						want++
					}
				}
			}
		}
		got, triples, err := TriangleViolations(context.Background(), f)
		fixture.Check(t, err)
		fixture.Equal(t, "violations and triples", [2]int{got, triples}, [2]int{want, n * (n - 1) * (n - 2) / 6})
	})
}

// A 6 by 2 rectangle, turned: the axes are its sides. All corners are equally
// far out, so that the first one is positive on both.
func TestEmbeddingOfARectangle(t *testing.T) {
	sin, cos := math.Sincos(0.3)
	corners := mat.NewDense(4, 2, []float64{-3, 1, 3, 1, 3, -1, -3, -1})
	var x mat.Dense
	x.Mul(corners, mat.NewDense(2, 2, []float64{cos, sin, -sin, cos}))
	got, lost, err := Embedding(NewGlobal(Problem{X: &x, Query: mat.NewDense(1, 2, nil)}, nil))
	fixture.Check(t, err)
	want := mat.NewDense(4, 2, []float64{3, 1, -3, 1, -3, -1, 3, -1})
	if !mat.EqualApprox(got, want, 1e-9) || !(lost <= 1e-12) {
		t.Errorf("coordinates %v, lost %v; want %v, lost 0", mat.Formatted(got), lost, mat.Formatted(want))
	}
}

// Points in a plane of space keep their distances.
func TestEmbeddingKeepsPlanarDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		n := rapid.IntRange(1, 20).Draw(t, "N")
		p := Problem{X: fixture.Normal(r, n, 4), Query: fixture.Normal(r, 1, 4)}
		f := NewGlobal(p, fixture.Normal(r, 2, 4))
		got, lost, err := Embedding(f)
		fixture.Check(t, err)
		if !(lost >= 0 && lost <= 1e-9) {
			t.Fatalf("%v of a planar drawing is lost", lost)
		}
		for i := range n {
			for j := range n {
				d, want := math.Sqrt(linalg.SquaredDistance(got.RawRowView(i), got.RawRowView(j))), naiveDistance(f, i, j)
				fixture.Near(t, "distance of two drawn samples", d, want, 1e-6*(1+want))
			}
		}
	})
}

// Sides 6, 0 and 0: with the squared distances D² and the centering matrix J,
// −½JD²J is 36/18 times
//
//	 4 −5  1
//	−5  4  1
//	 1  1 −2
//
// with eigenvalues 18 on (1, −1, 0), −6 on (1, 1, −2) and 0. The one axis to
// show is √18 (1, −1, 0)/√2, and 6 of 24 are lost.
func TestEmbeddingOfASemiMetric(t *testing.T) {
	p := Problem{X: mat.NewDense(3, 1, []float64{0, 6, 9}), Query: mat.NewDense(1, 1, nil)}
	got, lost, err := Embedding(NewLocalMetric(p, []*mat.Dense{nil, nil}, nil, mat.NewDense(3, 2, []float64{1, 0, 1, 0, 0, 1})))
	fixture.Check(t, err)
	want := mat.NewDense(3, 2, []float64{3, 0, -3, 0, 0, 0})
	if !mat.EqualApprox(got, want, 1e-12) || !(math.Abs(lost-0.25) <= 1e-12) {
		t.Errorf("coordinates %v, lost %v; want %v, lost 0.25", mat.Formatted(got), lost, mat.Formatted(want))
	}
}

// quadratic returns vᵀ Lᵀ L v; a nil map is the identity.
func quadratic(l *mat.Dense, v *mat.VecDense) float64 {
	if l == nil {
		return mat.Dot(v, v)
	}
	var a mat.Dense
	a.Mul(l.T(), l)
	return mat.Inner(v, &a, v)
}

func TestLocalMetricIsAQuadraticForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		n, d := p.X.Dims()
		m, _ := p.Query.Dims()
		rank := rapid.IntRange(1, d).Draw(t, "rank")
		l := []*mat.Dense{drawDense(t, "L1", rank, d, 3), nil, drawDense(t, "L3", d, d, 3)}
		u, v := drawDense(t, "U", m, len(l), 1), drawDense(t, "V", n, len(l), 1)
		f := NewLocalMetric(p, l, u, v)
		got := make([]float64, n)
		for i := range m {
			f.SquaredDistances(got, i)
			for j := range n {
				var diff mat.VecDense
				diff.SubVec(p.Query.RowView(i), p.X.RowView(j))
				var want, size float64
				for k, lk := range l {
					term := u.At(i, k) * v.At(j, k) * quadratic(lk, &diff)
					want += term
					size += math.Abs(term)
				}
				fixture.Near(t, "squared distance", got[j], want, 1e-11*(1+size))
			}
		}
	})
}
