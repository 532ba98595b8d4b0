package baselines

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// metricOf returns LᵀL of a fit.
func metricOf(t *testing.T, m r2lml.Method, p r2lml.Problem) *mat.SymDense {
	t.Helper()
	return linalg.Gram(mapOf(fit(t, m, p)))
}

// mapped returns the problem with its training samples shifted by v and mapped by l.
func mapped(p r2lml.Problem, l *mat.Dense, v float64) r2lml.Problem {
	shift := func(x *mat.Dense) *mat.Dense {
		x = mat.DenseCopyOf(linalg.MapRows(l, x))
		x.Apply(func(_, _ int, a float64) float64 { return a + v }, x)
		return x
	}
	p.X, p.Query = shift(p.X), shift(p.Query)
	return p
}

func TestClosedFormTranslation(t *testing.T) {
	p := blobs([]int{14, 9, 11}, 4, 22)
	for name, m := range map[string]r2lml.Method{
		"kissme": KISSME{1, 0.01}, "gmml": GMML{0.5, 0.01}, "lfda": LFDA{2, 7, 0.01}, "dmlmj": DMLMJ{2, 5, 0.01}, "rfm": RFM{Iterations: 2},
	} {
		checkMatrix(t, name, metricOf(t, m, mapped(p, nil, 1000)), metricOf(t, m, p), 1e-8)
	}
}

// KISSME without dissimilar pairs ranks like RCA when classes have equal size: S is
// a multiple of the within-class covariance.
func TestKISSMEIsRCA(t *testing.T) {
	p := blobs([]int{12, 12, 12}, 4, 23)
	ours, rca := metricOf(t, KISSME{}, p), metricOf(t, RCA{}, p)
	ours.ScaleSym(mat.Trace(rca)/mat.Trace(ours), ours)
	checkMatrix(t, "M", ours, rca, 1e-10)
}

// The ends of the geodesic are S⁻¹ and D; in the middle A S A = D.
func TestGMMLGeodesic(t *testing.T) {
	p := blobs([]int{14, 9, 11}, 4, 24)
	const rho = 0.01
	s := fixture.Must(newPairScatters(p))(t)
	similar, dissimilar, err := s.shrunk(rho)
	fixture.Check(t, err)
	inverse := fixture.Must(power(similar, -1))(t)
	checkMatrix(t, "t = 0", metricOf(t, GMML{0, rho}, p), inverse, 1e-9)
	checkMatrix(t, "t = 1", metricOf(t, GMML{1, rho}, p), dissimilar, 1e-9)
	middle := metricOf(t, GMML{0.5, rho}, p)
	var product mat.Dense
	product.Product(middle, similar, middle)
	checkMatrix(t, "A S A", &product, dissimilar, 1e-9)
}

// With all directions the metric of DMLMJ is S⁻¹, whatever D is.
func TestDMLMJAllDirections(t *testing.T) {
	p := blobs([]int{14, 9, 11}, 4, 26)
	s := fixture.Must(nearScatters(t.Context(), p, 5))(t)
	inverse := fixture.Must(power(towardsIdentity(s.similar, 0.01), -1))(t)
	checkMatrix(t, "M", metricOf(t, DMLMJ{0, 5, 0.01}, p), inverse, 1e-9)
	checkMatrix(t, "M of more than all directions", metricOf(t, DMLMJ{Rank: 99, Neighbors: 5, Shrinkage: 0.01}, p), inverse, 1e-9)
}

// Units do not matter to RFM with a relative bandwidth, and a rotation of the
// features rotates M.
func TestRFMUnitsAndRotation(t *testing.T) {
	p := blobs([]int{14, 9, 11}, 3, 27)
	m := RFM{Iterations: 2}
	want := metricOf(t, m, p)
	scale := mat.NewDense(3, 3, []float64{64, 0, 0, 0, 64, 0, 0, 0, 64})
	checkMatrix(t, "units", metricOf(t, m, mapped(p, scale, 0)), want, 1e-9)
	cos, sin := math.Cos(0.7), math.Sin(0.7)
	rotation := mat.NewDense(3, 3, []float64{cos, -sin, 0, sin, cos, 0, 0, 0, 1})
	rotated := metricOf(t, m, mapped(p, rotation, 0)) // rows Q x: M becomes Q M Qᵀ up to a factor
	var back mat.Dense
	back.Product(rotation.T(), rotated, rotation)
	back.Scale(mat.Trace(want)/mat.Trace(&back), &back)
	checkMatrix(t, "rotation", &back, want, 1e-9)
}
