package baselines_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	. "r2lmlbench/baselines"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// Small angles are not lost in rounding, nor are samples that nearly vanish.
func TestSmallAngles(t *testing.T) {
	p := r2lml.Problem{
		X: mat.NewDense(3, 2, []float64{1e8, 1e8, 1e8, 1e8 + 2, 1e-310, 3e-310}), Y: []int{1, 2, 3},
		Query: mat.NewDense(1, 2, []float64{1e8, 1e8 + 0.5}),
	}
	d := make([]float64, 3)
	fixture.Must(Cosine{}.Fit(t.Context(), p))(t).Metric.SquaredDistances(d, 0)
	// The angles are near (b − a)/(2·1e8) for the samples (1e8 + a, 1e8 + b): 2.5e-9 and 7.5e-9.
	fixture.Near(t, "a small angle", math.Sqrt(d[0])/2.5e-9, 1, 1e-3)
	fixture.Near(t, "three times that", math.Sqrt(d[1])/7.5e-9, 1, 1e-3)
	fixture.Near(t, "of a small sample", d[2], 2-2*4/math.Sqrt(20), 1e-6)
}

// Distances are those of their definitions; a sample of length 0 is at 1 from all others by cosine.
func TestPlainDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 6).Draw(t, "features")
		drawn := func(name string) *mat.Dense {
			n := rapid.IntRange(1, 5).Draw(t, name)
			return mat.NewDense(n, d, rapid.SliceOfN(rapid.Map(rapid.IntRange(-9, 9), func(n int) float64 { return float64(n) / 4 }), n*d, n*d).Draw(t, name))
		}
		p := r2lml.Problem{X: drawn("training"), Query: drawn("queries")}
		n, _ := p.X.Dims()
		m, _ := p.Query.Dims()
		p.Y = make([]int, n)
		manhattan := fixture.Must(Manhattan{}.Fit(t.Context(), p))(t).Metric
		cosine := fixture.Must(Cosine{}.Fit(t.Context(), p))(t).Metric
		sums, angles := make([]float64, n), make([]float64, n)
		for i := range m {
			manhattan.SquaredDistances(sums, i)
			cosine.SquaredDistances(angles, i)
			for j := range n {
				var sum, product, q, x float64
				for k := range d {
					a, b := p.Query.At(i, k), p.X.At(j, k)
					sum, product, q, x = sum+math.Abs(a-b), product+a*b, q+a*a, x+b*b
				}
				angle := 1.
				switch {
				case q > 0 && x > 0:
					angle = 2 - 2*product/math.Sqrt(q)/math.Sqrt(x)
				case q == x:
					angle = 0
				}
				fixture.Near(t, "Manhattan", sums[j], sum*sum, 1e-9*(1+sum*sum))
				fixture.Near(t, "cosine", angles[j], angle, 1e-9)
			}
		}
	})
}
