package r2lml

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// surrogate is what block 2 minimizes: gᵀ S̃ g for w = 1, gᵀ S̃ g + λmax |g|² for
// w = 1/2.
func (b *majorization) surrogate(g *mat.Dense) float64 {
	value := dot(g, b.times(g))
	if b.weight == 0.5 {
		value += b.lmax * dot(g, g)
	}
	return value
}

func TestCoefficientStepsLowerTheSurrogate(t *testing.T) {
	for _, variant := range []Variant{Reference, Published} {
		t.Run(string(variant), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				f := drawDescent(t)
				b, err := newMajorization(context.Background(), variant, f.s.n, len(f.l), plain{}.products(f))
				if err != nil || b.lmax == 0 {
					t.Skip("no two similar samples lie apart")
				}
				value := b.surrogate(f.g)
				for i := range 20 {
					before := value
					b.step(f.g, b.times(f.g))
					checkSimplex(t, f.g)
					value = b.surrogate(f.g)
					if !(value <= before+1e-12*b.lmax+0x1p-1000) { // below that, rounding is absolute
						t.Fatalf("step %d: the surrogate rose from %v to %v", i, before, value)
					}
				}
			})
		})
	}
}

// Three similar samples at the corners of an equilateral triangle of side 1,
// two equal metrics: S̄ is 1 off its diagonal, λmax = 2. For w = 1/2 symmetry
// makes the one minimizer (1/2, 1/2) everywhere. For w = 1 the first two samples
// part in two steps until they sit at opposite vertices; then every place is the
// same to the third, which stays at (1/5, 4/5).
func TestCoefficientsByHand(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0.5, math.Sqrt(0.75)})
	l := []*mat.Dense{mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDense(2, 2, []float64{0, -1, 1, 0})}
	for _, test := range []struct {
		variant Variant
		want    []float64
	}{
		{Reference, []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
		{Published, []float64{1, 0, 0, 1, 0.2, 0.8}},
	} {
		f := &blockDescent{x: x, s: labelSimilarity([]int{1, 1, 1}, 0), l: l}
		b := fixture.Must(newMajorization(context.Background(), test.variant, 3, len(l), plain{}.products(f)))(t)
		fixture.Near(t, "λmax", b.lmax, 2, 1e-9)
		got := fixture.Must(b.run(t.Context(), mat.NewDense(3, 2, []float64{0.9, 0.1, 0.2, 0.8, 0.3, 0.7})))(t)
		// Block 2 ends at a change of q by 1e-3, so near the solution only.
		fixture.NearMatrix(t, string(test.variant), got, mat.NewDense(3, 2, test.want), 0.02)
	}
}

func TestCoefficientsStayWhenSimilarSamplesCoincide(t *testing.T) {
	x, identity := mat.NewDense(2, 1, []float64{3, 3}), mat.NewDense(1, 1, []float64{1})
	f := &blockDescent{x: x, s: labelSimilarity([]int{1, 1}, 0), l: []*mat.Dense{identity, identity}}
	b := fixture.Must(newMajorization(context.Background(), Reference, 2, 2, plain{}.products(f)))(t)
	g := mat.NewDense(2, 2, []float64{0.7, 0.3, 0.4, 0.6})
	got, err := b.run(t.Context(), g)
	if err != nil || !mat.Equal(got, g) {
		t.Errorf("coefficients %v (%v), want those of the start", got, err)
	}
}

func TestVertices(t *testing.T) {
	g := mat.NewDense(5, 2, []float64{1, 0, 0.995, 0.005, 0.5, 0.5, 0.99, 0.01, 0.02, 0.98})
	fixture.EqualSlice(t, "facts", vertices(g), []Fact{{"coefficients at vertices", 2, 5}})
	fixture.EqualSlice(t, "facts of one metric", vertices(mat.NewDense(3, 1, []float64{1, 1, 1})), nil)
}
