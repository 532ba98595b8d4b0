package baselines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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
// the bound b_c. Pairs, bounds and the loose stopping rule are those of the
// published program. Its bounds are 5 % and 95 % of the range of sampled
// distances; the publication says percentiles. Bounds and stopping rule both
// change the accuracies.
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

// constrained is a problem and its drawn pairs.
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
	f := r2lml.Fitted{Metric: r2lml.NewGlobal(c.Problem, l), Warnings: c.warnings()}
	if !b.settledDown {
		f.Doubts = []string{fmt.Sprintf("not converged: stopped at its limit of %d projections; try a smaller gamma", mostProjections)}
	}
	return f, nil
}

const (
	// boundPairs is the number of pairs whose distances give the bounds, unless
	// there are fewer pairs of samples.
	boundPairs = 100
	// pairsPerClassPair: K classes get 40·K(K−1) constraints.
	pairsPerClassPair = 40
	// shortestDifference drops shorter pairs, such as a sample with itself. It is relative to
	// the distance that dissimilar pairs should reach. The published program takes it as an
	// absolute length, which drops all pairs when features have a small unit.
	shortestDifference = 1e-9
)

// pairs are the constraints of ITML, in the order of the projections.
type pairs struct {
	v     [][]float64 // differences of two samples
	side  []float64   // δ: +1 similar, −1 dissimilar
	bound []float64   // b: squared distance not to exceed, or to reach
}

// drawPairs draws bounds and constraints.
func drawPairs(p r2lml.Problem) (pairs, error) {
	r := p.Rand()
	n, _ := p.X.Dims()
	near, far, err := distanceBounds(p.X, indexPairs(r, n, min(boundPairs, n*(n-1)/2)))
	if err != nil {
		return pairs{}, err
	}
	k := p.Classes()
	return newPairs(p, indexPairs(r, n, pairsPerClassPair*k*(k-1)), near, far), nil
}

// indexPairs draws pairs of n indices, uniformly and with replacement; the two
// may be equal.
func indexPairs(r *rand.Rand, n, count int) [][2]int {
	drawn := make([][2]int, count)
	for c := range drawn {
		drawn[c] = [2]int{r.IntN(n), r.IntN(n)}
	}
	return drawn
}

// distanceBounds returns the squared distances that similar pairs should not exceed and
// dissimilar ones should reach: the centers of bins 5 and 95 out of 100 between
// the smallest and the largest squared distance of the sampled pairs.
func distanceBounds(x *mat.Dense, sampled [][2]int) (near, far float64, err error) {
	distances := make([]float64, len(sampled))
	for c, s := range sampled {
		distances[c] = linalg.SquaredDistance(x.RawRowView(s[0]), x.RawRowView(s[1]))
	}
	if len(distances) > 0 && math.IsInf(floats.Max(distances), 1) {
		return 0, 0, fmt.Errorf("distances of the samples: %w; scale the features", linalg.ErrNotFinite)
	}
	if len(distances) == 0 || floats.Max(distances) == 0 {
		return 0, 0, errors.New("all sampled rows are equal, which leaves no bound for the distance of similar pairs; give samples that differ")
	}
	least := floats.Min(distances)
	bin := (floats.Max(distances) - least) / 100
	return least + 4.5*bin, least + 94.5*bin, nil
}

// newPairs makes constraints of pairs of samples. Pairs of equal samples are
// dropped.
func newPairs(p r2lml.Problem, drawn [][2]int, near, far float64) pairs {
	var c pairs
	for _, s := range drawn {
		v := slices.Clone(p.X.RawRowView(s[0]))
		floats.Sub(v, p.X.RawRowView(s[1]))
		if floats.Norm(v, 2) <= shortestDifference*math.Sqrt(far) {
			continue
		}
		c.v = append(c.v, v)
		if p.Y[s[0]] == p.Y[s[1]] {
			c.side, c.bound = append(c.side, 1), append(c.bound, near)
		} else {
			c.side, c.bound = append(c.side, -1), append(c.bound, far)
		}
	}
	return c
}

// warnings says when there are no similar or no dissimilar pairs: the other
// side alone shapes the metric.
func (c pairs) warnings() []string {
	var w []string
	if !slices.Contains(c.side, 1) {
		w = append(w, "no similar pair among those drawn")
	}
	if !slices.Contains(c.side, -1) {
		w = append(w, "no dissimilar pair among those drawn")
	}
	return w
}
