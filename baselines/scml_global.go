package baselines

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// SCMLGlobal learns one weight for every direction of discriminant analyses around
// k-means centers (Shi, Bellet, Sha, AAAI 2014):
//
//	min over w ≥ 0:  β Σ_b w_b + mean over triplets of [1 + Σ_b w_b δ_b]₊,   M = Σ_b w_b b bᵀ
//
// with δ_b as in [tripletLoss], by dual averaging. Features have mean 0 and standard
// deviation 1, and every sample unit length. SCML takes these weights as its start.
type SCMLGlobal struct {
	Beta  float64 `yaml:"beta" jsonschema:"minimum=0" jsonschema_description:"weight of the sum of the weights, which makes directions drop out; 0 means none"`
	Bases int     `yaml:"bases" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"most basis directions; 0 means 400"`
}

var _ r2lml.Method = SCMLGlobal{}

// Resolve fills in defaults and refuses impossible values.
func (m SCMLGlobal) Resolve() (SCMLGlobal, error) {
	m.Bases = cmp.Or(m.Bases, 400)
	switch {
	case !(m.Beta >= 0) || math.IsInf(m.Beta, 1):
		return m, fmt.Errorf("beta is %g, want 0 or more", m.Beta)
	case m.Bases < 1:
		return m, fmt.Errorf("bases is %d, want at least 1", m.Bases)
	}
	return m, nil
}

// Fit learns the metric.
func (m SCMLGlobal) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (SCMLGlobal) id() string { return "scml-global" }

// shared: settings with equal bases share directions and triplets.
func (m SCMLGlobal) shared() SCMLGlobal { return SCMLGlobal{Bases: m.Bases} }

// What fits of both kinds of SCML say.
const (
	directionsFact = "directions used"
	nothingToLearn = "there are no triplets, or no directions, to learn from"
)

// A tripletGround is a scaled problem with basis directions and triplets.
type tripletGround struct {
	p           r2lml.Problem // scaled
	bases       *mat.Dense    // K×D, nil when there are none
	tripletLoss *tripletLoss  // nil when there is nothing to learn from
	seed        uint64        // of the triplets drawn by a descent
}

// newTripletGround draws the directions.
func newTripletGround(ctx context.Context, p r2lml.Problem, bases int) (tripletGround, error) {
	g := tripletGround{p: unitLength(standardized(p))}
	triplets := comparisonsOf(surroundings(ctx, g.p.X, p.Y, sameNeighbors, otherNeighbors))
	if err := ctx.Err(); err != nil || len(triplets) == 0 {
		return g, err
	}
	draw := p.Rand()
	var err error
	if g.bases, err = localBases(ctx, draw, g.p, bases); err != nil || g.bases == nil {
		return g, err
	}
	g.seed = draw.Uint64()
	g.tripletLoss = newTripletLoss(g.p.X, g.bases, triplets)
	return g, nil
}

// draws returns the triplets of a descent, by index.
func (g tripletGround) draws() func() int {
	random := rand.New(rand.NewPCG(g.seed, 0))
	return func() int { return random.IntN(len(g.tripletLoss.triplets)) }
}

// globalWeights returns the w of [SCMLGlobal].
func (g tripletGround) globalWeights(ctx context.Context, beta float64, draw func() int) ([]float64, error) {
	w, _, err := newAveraging(g.tripletLoss, beta).run(ctx, schedule{scmlGlobalIterations, scmlCheck, draw})
	return w, err
}

func (g tripletGround) euclidean(why string) r2lml.Fitted {
	return r2lml.Fitted{
		Metric:   r2lml.NewGlobal(g.p, nil),
		Warnings: []string{why + "; the metric is Euclidean"},
	}
}

func (m SCMLGlobal) first(ctx context.Context, p r2lml.Problem) (tripletGround, error) {
	if err := checkTripletClasses(p); err != nil {
		return tripletGround{}, err
	}
	return newTripletGround(ctx, p, m.Bases)
}

// checkTripletClasses refuses samples of one class, and classes of one sample each:
// they have no triplets.
func checkTripletClasses(p r2lml.Problem) error {
	if classCount(p.Y) < 2 {
		return errOneClass
	}
	for label := 1; label <= p.Classes(); label++ {
		if len(rowsOf(p.Y, label)) > 1 {
			return nil
		}
	}
	return errNoPair
}

func (m SCMLGlobal) second(ctx context.Context, g tripletGround) (r2lml.Fitted, error) {
	if g.tripletLoss == nil {
		return g.euclidean(nothingToLearn), ctx.Err()
	}
	w, err := g.globalWeights(ctx, m.Beta, g.draws())
	if err != nil {
		return r2lml.Fitted{}, err
	}
	l := weightedDirections(g.bases, w)
	if l == nil {
		return g.euclidean("all weights are 0"), nil
	}
	used, _ := l.Dims()
	return r2lml.Fitted{
		Metric: r2lml.NewGlobal(g.p, l),
		Facts:  []r2lml.Fact{{Name: directionsFact, Count: used, Of: len(w)}},
	}, nil
}

// weightedDirections returns the rows √w_b b of positive weight, nil without any:
// LᵀL = Σ_b w_b b bᵀ.
func weightedDirections(bases *mat.Dense, w []float64) *mat.Dense {
	used := positives(w)
	if used == nil {
		return nil
	}
	return weightedRows(bases, used, func(b int) float64 { return w[b] })
}
