package baselines

import (
	"cmp"
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// GMML takes a point of the geodesic of positive definite matrices from S⁻¹ to D
// (Zadeh, Hosseini, Sra, ICML 2016), S and D of [pairScatters], shrunk by ρ:
//
//	M = S⁻¹ #_t D = S^(−1/2) (S^(1/2) D S^(1/2))^t S^(−1/2)
//
// At t = ½ it minimizes tr(M S) + tr(M⁻¹ D). All pairs are used; nothing is sampled.
type GMML struct {
	T         float64 `yaml:"t" jsonschema:"minimum=0,maximum=1" jsonschema_description:"place on the way from the inverse scatter of similar pairs (0) to the scatter of dissimilar ones (1)"`
	Shrinkage float64 `yaml:"shrinkage" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"share ρ of a multiple of the identity in both scatters; 0 means none"`
}

var _ r2lml.Method = GMML{}

// Defaults returns the values of parameters that a spec omits.
func (GMML) Defaults() GMML { return GMML{T: 0.5, Shrinkage: defaultShrinkage} }

// Resolve refuses impossible values.
func (m GMML) Resolve() (GMML, error) {
	return m, strictyaml.CheckBounds(m)
}

// Fit implements r2lml.Method. It fails if no two samples of a class differ, all samples are of one
// class, or a decomposition fails.
func (m GMML) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (GMML) id() string { return "gmml" }

// shared: all settings share the scatters; settings of one shrinkage share the decomposition.
func (GMML) shared() GMML { return GMML{} }

func (GMML) first(ctx context.Context, p r2lml.Problem) (ground[geodesic], error) {
	s, err := newPairScatters(p)
	return ground[geodesic]{p, s, memo[float64, geodesic]{}}, cmp.Or(err, ctx.Err())
}

func (m GMML) second(ctx context.Context, g ground[geodesic]) (r2lml.Fitted, error) {
	way, err := g.made.of(m.Shrinkage, func() (geodesic, error) { return newGeodesic(g.pairScatters, m.Shrinkage) })
	if err != nil {
		return r2lml.Fitted{}, err
	}
	return linear(g.Problem, way.at(m.T)), ctx.Err()
}

// A geodesic is the curve S⁻¹ #_t D from S⁻¹ (t = 0) to D (t = 1).
type geodesic struct {
	s    []float64  // singular values of D^(1/2) S^(1/2)
	rows *mat.Dense // Vᵀ S^(−1/2), V its right singular vectors
}

// newGeodesic decomposes D^(1/2) S^(1/2) rather than S^(1/2) D S^(1/2), whose
// condition is the square.
func newGeodesic(p pairScatters, rho float64) (geodesic, error) {
	similar, dissimilar, err := p.shrunk(rho)
	if err != nil {
		return geodesic{}, err
	}
	root, err := power(similar, 0.5)
	if err != nil {
		return geodesic{}, err
	}
	inverseRoot, err := power(similar, -0.5)
	if err != nil {
		return geodesic{}, err
	}
	other, err := power(dissimilar, 0.5)
	if err != nil {
		return geodesic{}, err
	}
	var product, v, rows mat.Dense
	product.Mul(other, root)
	var svd mat.SVD
	if !svd.Factorize(&product, mat.SVDThin) {
		return geodesic{}, errors.New("the singular values of the scatters did not converge")
	}
	svd.VTo(&v)
	rows.Mul(v.T(), inverseRoot)
	return geodesic{svd.Values(nil), &rows}, nil
}

// at returns L = diag(s^t) Vᵀ S^(−1/2).
func (g geodesic) at(t float64) *mat.Dense {
	l := mat.DenseCopyOf(g.rows)
	for i, s := range g.s {
		floats.Scale(math.Pow(s, t), l.RawRowView(i))
	}
	return l
}
