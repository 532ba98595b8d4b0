package datasets

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

type scaledFixture struct{ X, Q [][]float64 }

type scalingFixture struct {
	Cases []struct {
		Name                      string
		X, Q                      [][]float64
		Raw, ZScore, MinMax, Unit scaledFixture
	}
}

func TestScalingFixtures(t *testing.T) {
	fixture.Each(t, ".", "scaling.json", func(t *testing.T, f scalingFixture) {
		for _, c := range f.Cases {
			for scaling, want := range map[Scaling]scaledFixture{Unscaled: c.Raw, ZScore: c.ZScore, MinMax: c.MinMax, UnitLength: c.Unit} {
				scaler := scaling.Learn(fixture.Dense(c.X))
				checkWithin(t, c.Name+" "+string(scaling)+" X", scaler.Apply(fixture.Dense(c.X)), fixture.Dense(want.X), 1e-12)
				checkWithin(t, c.Name+" "+string(scaling)+" Q", scaler.Apply(fixture.Dense(c.Q)), fixture.Dense(want.Q), 1e-12)
			}
		}
	})
}

func checkWithin(t *testing.T, name string, got, want mat.Matrix, tolerance float64) {
	t.Helper()
	n, d := want.Dims()
	for i := range n {
		for j := range d {
			fixture.Near(t, name, got.At(i, j), want.At(i, j), tolerance)
		}
	}
}

// Queries do not enter the statistics, units do not matter, and the problem stays
// as it was.
func TestScalingProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 8).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		draw := func(name string) *mat.Dense {
			x := mat.NewDense(n, d, nil)
			for i := range n {
				for j := range d {
					x.Set(i, j, float64(rapid.IntRange(-50, 50).Draw(t, name)))
				}
			}
			return x
		}
		x, q := draw("x"), draw("q")
		before := mat.DenseCopyOf(x)
		units := math.Ldexp(1, rapid.IntRange(-40, 40).Draw(t, "units"))
		var other mat.Dense
		other.Scale(units, x)
		for _, s := range []Scaling{ZScore, MinMax} {
			scaler := s.Learn(x)
			scaled := scaler.Apply(x)
			if scaler.Apply(q); !mat.Equal(scaler.Apply(x), scaled) {
				t.Fatalf("%s: the queries change the scaled training samples", s)
			}
			if again := s.Learn(&other).Apply(&other); !mat.EqualApprox(again, scaled, 1e-12) && !constantSomewhere(x) {
				t.Fatalf("%s: other units give other scaled samples", s)
			}
		}
		fixture.NearMatrix(t, "samples", x, before, 0)
	})
}

// constantSomewhere tells whether a feature has one value only.
func constantSomewhere(x *mat.Dense) bool {
	for j := range x.RawMatrix().Cols {
		if mat.Max(x.ColView(j)) == mat.Min(x.ColView(j)) {
			return true
		}
	}
	return false
}

// Points on the line through (1, 2) with direction (-3, 4)/5, at -5, 0, 5: the
// loading of largest size, 0.8, is made positive.
func TestPrincipalScoresOfALine(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{4, -2, 1, 2, -2, 6})
	got := fixture.Must(principalScores(x, x, 1))(t)
	fixture.NearMatrix(t, "scores", got, mat.NewDense(3, 1, []float64{-5, 0, 5}), 1e-12)
}

func TestPrincipalScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(5, 30).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "cols")
		k := rapid.IntRange(1, cols).Draw(t, "k")
		values := rapid.SliceOfN(rapid.Float64Range(-10, 10), rows*cols, rows*cols).Draw(t, "values")
		x := mat.NewDense(rows, cols, values)
		full := fixture.Must(principalScores(x, x, cols))(t)
		scores := fixture.Must(principalScores(x, x, k))(t)
		fixture.NearMatrix(t, "the first of all components", full.Slice(0, rows, 0, k), scores, 1e-12)
		checkScores(t, x, full)
	})
}

// checkScores checks that scores are uncorrelated, come by falling variance
// and keep all distances between rows.
func checkScores(t *rapid.T, x, scores *mat.Dense) {
	var c mat.SymDense
	stat.CovarianceMatrix(&c, scores, nil)
	n := c.SymmetricDim()
	for i := range n {
		for j := range i {
			fixture.Near(t, "covariance", c.At(i, j), 0, 1e-9)
		}
		if i > 0 && c.At(i, i) > c.At(i-1, i-1)+1e-9 {
			t.Errorf("variance rises from %v to %v", c.At(i-1, i-1), c.At(i, i))
		}
	}
	between := func(m *mat.Dense, i int) float64 {
		var d mat.VecDense
		d.SubVec(m.RowView(i), m.RowView(0))
		return mat.Norm(&d, 2)
	}
	rows, _ := x.Dims()
	for i := range rows {
		fixture.Near(t, "distance from the first row", between(scores, i), between(x, i), 1e-9)
	}
}

// TestStandardizedSplit: features in other units give the same components once they are
// standardized over all rows, with mean 0 and standard deviation 1; a constant feature
// changes nothing.
func TestStandardizedSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(5, 20).Draw(t, "rows")
		hundredths := rapid.Map(rapid.IntRange(-1000, 1000), func(v int) float64 { return float64(v) / 100 }) // far above rounding
		values := rapid.SliceOfN(hundredths, 3*rows, 3*rows).Draw(t, "values")
		x, scaled := mat.NewDense(rows, 4, nil), mat.NewDense(rows, 4, nil)
		units := []float64{1, 1e3, 1e-2, 1}
		for i := range rows {
			for j := range 3 {
				x.Set(i, j, values[3*i+j]+float64(i*j)) // no two rows the same
				scaled.Set(i, j, units[j]*x.At(i, j)+5)
			}
			x.Set(i, 3, 7)
			scaled.Set(i, 3, 7)
		}
		z, other := ZScore.Learn(x).Apply(x), ZScore.Learn(scaled).Apply(scaled)
		fixture.NearMatrix(t, "in other units", other, z, 1e-6)
		for j := range 3 {
			mean, sd := stat.MeanStdDev(mat.Col(nil, j, z), nil)
			if math.Abs(mean) > 1e-9 || math.Abs(sd-1) > 1e-9 && mat.Norm(z.ColView(j), 1) > 0 {
				t.Fatalf("feature %d has mean %g and standard deviation %g", j, mean, sd)
			}
		}
		fixture.Equal(t, "norm of a constant feature", mat.Norm(z.ColView(3), 1), 0)
	})
}
