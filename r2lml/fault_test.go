package r2lml

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// TestFaultOf puts metrics with known faults on drawn samples, which are moved by up to a million
// and of several classes: a map of full rank has none, a turned and stretched one is Euclidean.
func TestFaultOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(6, 700).Draw(t, "n"), rapid.IntRange(2, 6).Draw(t, "d")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "data"), 1))
		p := Problem{X: fixture.Normal(r, n, d), Y: make([]int, n), Query: fixture.Normal(r, rapid.IntRange(1, 40).Draw(t, "m"), d)}
		m, _ := p.Query.Dims()
		for i := range p.Y {
			p.Y[i] = 1 + i%3
		}
		away := rapid.SampledFrom([]float64{0, 1, 1e6}).Draw(t, "away")
		for _, x := range []*mat.Dense{p.X, p.Query} {
			x.Apply(func(_, _ int, v float64) float64 { return v + away }, x)
		}
		first := func(k int, coefficients *mat.Dense) *mat.Dense { // a coefficient for metric k alone
			rows, _ := coefficients.Dims()
			for i := range rows {
				coefficients.Set(i, k, 1)
			}
			return coefficients
		}
		full, line, zero := fixture.Normal(r, d, d), fixture.Normal(r, 1, d), mat.NewDense(d, d, nil)
		var turned mat.Dense
		var qr mat.QR
		qr.Factorize(full)
		qr.QTo(&turned)
		turned.Scale(rapid.SampledFrom([]float64{1e-6, 1, 1e6}).Draw(t, "stretch"), &turned)
		for _, c := range []struct {
			name string
			d    Metric
			want Fault
		}{
			{"full rank", NewGlobal(p, full), ""},
			{"identity", NewGlobal(p, nil), Euclidean},
			{"turned", NewGlobal(p, &turned), Euclidean},
			{"one dimension", NewGlobal(p, line), Line},
			{"zero", NewGlobal(p, zero), Flat},
			{"two of one dimension", NewLocalMetric(p, []*mat.Dense{line, fixture.Normal(r, 1, d)}, nil, nil), ""},
			{"twice the same", NewLocalMetric(p, []*mat.Dense{line, line}, nil, nil), Line},
			{"full rank without a coefficient", NewLocalMetric(p, []*mat.Dense{line, full}, first(0, mat.NewDense(m, 2, nil)), nil), Line},
			{"coefficients that do not meet", NewLocalMetric(p, []*mat.Dense{full, full}, first(0, mat.NewDense(m, 2, nil)), first(1, mat.NewDense(n, 2, nil))), Flat},
		} {
			fixture.Equal(t, c.name, FaultOf(p, c.d), c.want)
		}
	})
}

// TestFaultOfFewPlaces: of one feature with six values, a scaling to length 1 leaves the sign. It
// is no fault where samples lie on a line anyway, nor where each place has one class.
func TestFaultOfFewPlaces(t *testing.T) {
	values := []float64{-3, -2, -1, 1, 2, 3, -1, 2}
	sign := []float64{-1, -1, -1, 1, 1, 1, -1, 1}
	p := Problem{X: mat.NewDense(8, 1, values), Y: []int{1, 2, 1, 2, 1, 2, 1, 2}, Query: mat.NewDense(2, 1, []float64{-1, 1})}
	scaled := p
	scaled.X = mat.NewDense(8, 1, sign)
	fixture.Equal(t, "the sign", FaultOf(p, NewGlobal(scaled, nil)), Places)
	fixture.Equal(t, "a multiple of the feature", FaultOf(p, NewGlobal(p, mat.NewDense(1, 1, []float64{3}))), "")
	p.Y = []int{1, 1, 1, 2, 2, 2, 1, 2}
	fixture.Equal(t, "the sign, which tells the class", FaultOf(p, NewGlobal(scaled, nil)), "")
	equal := Problem{X: mat.NewDense(4, 2, nil), Y: []int{1, 1, 2, 2}, Query: mat.NewDense(1, 2, nil)}
	fixture.Equal(t, "equal samples", FaultOf(equal, NewGlobal(equal, nil)), "")
}
