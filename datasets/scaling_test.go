package datasets

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
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
