package baselines

import (
	"cmp"
	"context"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// KISSME compares two Gaussians of differences with mean 0, of similar and of
// dissimilar pairs (Köstinger, Hirzer, Wohlhart, Roth, Bischof, CVPR 2012):
//
//	M = clip(S⁻¹ − λ D⁻¹),   S and D of [pairScatters], shrunk by ρ
//
// where clip sets negative eigenvalues to 0. All pairs are used; nothing is sampled.
type KISSME struct {
	Lambda    float64 `yaml:"lambda" jsonschema:"minimum=0,maximum=1" jsonschema_description:"weight λ of the dissimilar pairs; 0 uses the similar ones alone"`
	Shrinkage float64 `yaml:"shrinkage" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"share ρ of a multiple of the identity in both scatters; 0 means none"`
}

var _ r2lml.Method = KISSME{}

// Defaults returns the values of parameters that a spec omits.
func (KISSME) Defaults() KISSME { return KISSME{Lambda: 1, Shrinkage: defaultShrinkage} }

// Resolve refuses impossible values.
func (m KISSME) Resolve() (KISSME, error) {
	return m, strictyaml.CheckBounds(m)
}

// Fit implements r2lml.Method. It fails if no two samples of a class differ, all samples are of one
// class, or a decomposition fails.
func (m KISSME) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (KISSME) id() string { return "kissme" }

// shared: all settings share the scatters.
func (KISSME) shared() KISSME { return KISSME{} }

func (KISSME) first(ctx context.Context, p r2lml.Problem) (ground[struct{}], error) {
	s, err := newPairScatters(p)
	return ground[struct{}]{Problem: p, pairScatters: s}, cmp.Or(err, ctx.Err())
}

func (m KISSME) second(ctx context.Context, s ground[struct{}]) (r2lml.Fitted, error) {
	difference, err := m.difference(s.pairScatters)
	if err != nil {
		return r2lml.Fitted{}, err
	}
	l, err := positiveRoot(difference)
	if err != nil {
		return r2lml.Fitted{}, err
	}
	return linear(s.Problem, l), ctx.Err()
}

// difference returns S⁻¹ − λ D⁻¹.
func (m KISSME) difference(s pairScatters) (*mat.SymDense, error) {
	similar, dissimilar, err := s.shrunk(m.Shrinkage)
	if err != nil {
		return nil, err
	}
	k, err := power(similar, -1)
	if err != nil || m.Lambda == 0 {
		return k, err
	}
	other, err := power(dissimilar, -1)
	if err != nil {
		return nil, err
	}
	other.ScaleSym(-m.Lambda, other)
	k.AddSym(k, other)
	return k, nil
}

// positiveRoot returns the L of [linalg.FromPSD] without its rows of zeros: one row per
// positive eigenvalue, nil when there is none.
func positiveRoot(a mat.Symmetric) (*mat.Dense, error) {
	values, v, err := linalg.Eigen(a)
	if err != nil || positives(values) == nil {
		return nil, err
	}
	return pickRows(linalg.Root(values, v), positives(values)), nil
}
