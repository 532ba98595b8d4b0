package baselines

import (
	"cmp"
	"context"
	"fmt"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// ITML is information-theoretic metric learning (Davis, Kulis, Jain, Sra and
// Dhillon, ICML 2007): the metric A that is closest to the identity, in the
// LogDet divergence, among those that keep similar pairs of samples within one
// bound and dissimilar pairs beyond another, up to slack:
//
//	min over A ≻ 0, ξ > 0:  tr A − log det A − D + γ Σ_c [ξ_c/b_c − log(ξ_c/b_c) − 1]
//	s.t.  δ_c v_cᵀ A v_c ≤ δ_c ξ_c
//
// Pair c has the difference v_c, the side δ_c (+1 similar, −1 dissimilar) and
// the bound b_c. Pairs and bounds are drawn as in the published program, whose
// bounds are 5 % and 95 % of the range of sampled distances where the
// publication speaks of percentiles; its loose stop is kept as well. Both
// decide the accuracies.
type ITML struct {
	Gamma float64 `yaml:"gamma" jsonschema:"minimum=0" jsonschema_description:"weight γ of the slack; 0 means 1"`
}

var _ r2lml.Method = ITML{}

// Resolve fills in the default of gamma and refuses values that no fit could
// use. An infinite gamma allows no slack.
func (m ITML) Resolve() (ITML, error) {
	m.Gamma = cmp.Or(m.Gamma, 1)
	if !(m.Gamma > 0) {
		return m, fmt.Errorf("gamma is %g, want more than 0", m.Gamma)
	}
	return m, nil
}

// Fit implements r2lml.Method. It fails when the samples do not differ, and
// when rounding spoils the metric, as an extreme gamma can make it.
func (m ITML) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (ITML) id() string { return "itml" }

// shared: all settings use the same pairs.
func (ITML) shared() ITML { return ITML{} }

// constrained is a problem with pairs drawn for it.
type constrained struct {
	r2lml.Problem
	pairs
}

func (ITML) first(_ context.Context, p r2lml.Problem) (constrained, error) {
	c, err := drawPairs(p)
	return constrained{p, c}, err
}

func (m ITML) second(ctx context.Context, c constrained) (r2lml.Fitted, error) {
	_, d := c.X.Dims()
	b := newBregman(c.pairs, d, m.Gamma)
	if err := b.run(ctx); err != nil {
		return r2lml.Fitted{}, err
	}
	l, err := linalg.FromPSD(linalg.Symmetrize(b.a))
	if err != nil {
		return r2lml.Fitted{}, err
	}
	return r2lml.Fitted{Metric: r2lml.NewGlobal(c.Problem, l), Warnings: c.warnings()}, nil
}
