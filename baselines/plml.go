package baselines

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// PLML is parametric local metric learning (Wang, Woznica and Kalousis, NIPS
// 2012, arXiv 1209.3056). The metric of a sample is a combination of basis
// metrics, one per anchor,
//
//	d²(x_i, z) = Σ_b W_ib (x_i − z)ᵀ M_b (x_i − z)
//
// The anchors are k-means centers; the weights W, convex combinations that vary
// smoothly over a neighborhood graph, are learned first, then the metrics M_b
// from triplets. A query takes the weights of its Euclidean nearest training
// sample (the lower index on ties).
//
// Features are scaled to mean 0 and standard deviation 1 over the training
// samples and samples to length 1, queries too. The program of the authors is
// not public; scaling, graph and triplets follow parts of it that bellet/SCML
// carries, the rest the publication.
type PLML struct {
	Alpha1  float64 `yaml:"alpha1" jsonschema:"minimum=0" jsonschema_description:"weight of the basis metrics' norms; 0 means 1"`
	Alpha2  float64 `yaml:"alpha2" jsonschema:"minimum=0" jsonschema_description:"weight of the distances to neighbors of the same class; 0 means 1"`
	Anchors int     `yaml:"anchors" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"number of anchors, at most that of distinct training samples; 0 means 20"`
	Lambda1 float64 `yaml:"lambda1" jsonschema:"minimum=0" jsonschema_description:"pull of the weights towards near anchors; 0 means 1"`
	Lambda2 float64 `yaml:"lambda2" jsonschema:"minimum=0" jsonschema_description:"smoothness of the weights over the graph; 0 means 100"`
}

var _ r2lml.Method = PLML{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use.
func (m PLML) Resolve() (PLML, error) {
	err := strictyaml.CheckBounds(m)
	m.Alpha1 = cmp.Or(m.Alpha1, 1)
	m.Alpha2 = cmp.Or(m.Alpha2, 1)
	m.Anchors = cmp.Or(m.Anchors, 20)
	m.Lambda1 = cmp.Or(m.Lambda1, 1)
	m.Lambda2 = cmp.Or(m.Lambda2, 100)
	return m, err
}

// Fit implements r2lml.Method. It warns of training samples whose learned metric
// is 0 (all of them when there are no triplets); distances from these are
// Euclidean in the scaled features.
func (m PLML) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (PLML) id() string { return "plml" }

// shared: graph, anchors, weights and triplets do not depend on alpha1 and alpha2.
func (m PLML) shared() PLML {
	m.Alpha1, m.Alpha2 = 0, 0
	return m
}

const (
	graphNeighbors = 6
	graphTuner     = 7
	// weightTolerance is the change of a weight that ends the first step.
	weightTolerance = 1e-7
	// gapTolerance is the relative duality gap that ends the second step.
	gapTolerance    = 1e-3
	basisIterations = 600
)

// weightedAnchors is the first step of PLML.
type weightedAnchors struct {
	p       r2lml.Problem // scaled
	span    *mat.Dense    // D×R orthonormal columns whose span holds the training samples; nil: all D features
	w       *mat.Dense    // N×m weights of the anchors
	nearest []int         // the training sample nearest to each query
	around  []surrounding
}

func (m PLML) first(ctx context.Context, p r2lml.Problem) (*weightedAnchors, error) {
	p = unitLength(standardized(p))
	anchors, err := kMeans(ctx, p.Rand(), p.X, m.Anchors)
	if err != nil {
		return nil, err
	}
	weighting, err := newWeighting(p.X, anchors, selfTuningGraph(ctx, p.X, graphNeighbors, graphTuner), m.Lambda1, m.Lambda2)
	if err != nil {
		return nil, fmt.Errorf("weights of the anchors: %w", err)
	}
	w, _, err := weighting.minimize(ctx, weightTolerance)
	if err != nil {
		return nil, err
	}
	// Basis metrics are sums of outer products of differences of training samples. With fewer
	// samples than features they are found in the span of the samples: smaller eigenvalue problems.
	var span *mat.Dense
	if n, d := p.X.Dims(); n < d {
		if span, err = linalg.RowSpan(p.X, 0); err != nil {
			return nil, err
		}
	}
	found := &weightedAnchors{
		p: p, span: span, w: w, nearest: nearestTo(ctx, p),
		around: surroundings(ctx, p.X, p.Y, sameNeighbors, otherNeighbors),
	}
	return found, ctx.Err()
}

// problem returns the second problem, in the coordinates of the span.
func (s *weightedAnchors) problem(ctx context.Context, alpha1, alpha2 float64) *basisProblem {
	x := s.p.X
	if s.span != nil {
		x = &mat.Dense{}
		x.Mul(s.p.X, s.span)
	}
	return &basisProblem{ctx: ctx, x: x, w: s.w, around: s.around, alpha1: alpha1, alpha2: alpha2}
}

// maps returns the linear maps of the basis metrics in all features.
func (s *weightedAnchors) maps(b *basis) []*mat.Dense {
	maps := b.maps()
	if s.span != nil {
		for k, l := range maps {
			maps[k] = &mat.Dense{}
			maps[k].Mul(l, s.span.T())
		}
	}
	return maps
}

// nearestTo returns the Euclidean nearest training sample of every query, the
// lower index on ties.
func nearestTo(ctx context.Context, p r2lml.Problem) []int {
	m, _ := p.Query.Dims()
	nearest := make([]int, m)
	var distance []float64
	for i := range linalg.Rows(ctx, m) {
		distance = distancesInto(distance, p.X, p.Query.RawRowView(i))
		nearest[i] = floats.MinIdx(distance)
	}
	return nearest
}

func (m PLML) second(ctx context.Context, s *weightedAnchors) (r2lml.Fitted, error) {
	problem := s.problem(ctx, m.Alpha1, m.Alpha2)
	if problem.triplets() == 0 {
		return r2lml.Fitted{
			Metric: r2lml.NewGlobal(s.p, nil),
			Doubts: []string{fmt.Sprintf(scaledEuclidean, "there are no triplets to learn from", "more samples")},
		}, nil
	}
	b, gap, err := problem.minimize(ctx, gapTolerance, basisIterations)
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("basis metrics: %w", err)
	}
	f := s.localMetric(b)
	if !(gap < gapTolerance) {
		f.Warnings = append(f.Warnings, fmt.Sprintf("the basis metrics are not optimal after %d iterations: relative gap %.1g", basisIterations, gap))
		f.Doubts = append(f.Doubts, fmt.Sprintf("not converged: stopped at its limit of %d iterations; try a larger alpha1", basisIterations))
	}
	return f, nil
}

// localMetric gives every sample its combination of the basis metrics, and the
// Euclidean metric where that combination is 0.
func (s *weightedAnchors) localMetric(b *basis) r2lml.Fitted {
	n, m := s.w.Dims()
	weights := mat.DenseCopyOf(s.w.Grow(0, 1))
	flat := 0
	for i := range n {
		if row := weights.RawRowView(i); b.vanishes(row[:m]) {
			row[m] = 1
			flat++
		}
	}
	maps := append(s.maps(b), nil)
	var f r2lml.Fitted
	if flat > 0 {
		f.Warnings = []string{fmt.Sprintf("the learned metric is 0 at %d of %d training samples; there it is that of the scaled features", flat, n)}
		if flat == n {
			f.Doubts = []string{fmt.Sprintf(scaledEuclidean, "the learned metric is 0 everywhere", "a smaller alpha1")}
		}
	} else {
		maps, weights = maps[:m], s.w
	}
	f.Metric = r2lml.NewLocalMetric(s.p, maps, pickRows(weights, s.nearest), nil)
	return f
}

// vanishes reports whether the metric of these weights is 0.
func (b *basis) vanishes(weights []float64) bool {
	for k, weight := range weights {
		if weight > 0 && largestAbs(b.values[k]) > 0 {
			return false
		}
	}
	return true
}
