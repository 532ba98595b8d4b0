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

// Distances are those of their definitions; a sample of length 0 is at √2 from all by cosine.
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
				angle := 2.
				if q > 0 && x > 0 {
					angle = 2 - 2*product/math.Sqrt(q)/math.Sqrt(x)
				}
				fixture.Near(t, "Manhattan", sums[j], sum*sum, 1e-9*(1+sum*sum))
				fixture.Near(t, "cosine", angles[j], angle, 1e-9)
			}
		}
	})
}
