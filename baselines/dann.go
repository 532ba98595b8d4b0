package baselines

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// Scaling says how the features are scaled before a metric is learned.
type Scaling string

const (
	// Raw leaves the features as they are.
	Raw Scaling = "raw"
	// Standard gives every feature mean 0 and standard deviation 1 over the
	// training samples.
	Standard Scaling = "std"
)

// NeighborWeights says how much a neighbor counts in the statistics of DANN.
type NeighborWeights string

const (
	// TriCube lets the weight fall from 1 at the query to 0 at the farthest
	// neighbor, as in the publication: (1 − (d/h)³)³.
	TriCube NeighborWeights = "tricube"
	// Uniform counts all neighbors alike. On training sets of a few hundred
	// samples it is more accurate.
	Uniform NeighborWeights = "uniform"
)

// DANN is discriminant adaptive nearest neighbor classification (Hastie and
// Tibshirani, IEEE PAMI 18(6), 1996). Around each query, with W and B the
// within- and between-class covariances of its neighbors, the metric is
//
//	Σ = W^-½ (W^-½ B W^-½ + ε I) W^-½
//
// The neighbors are first those under the identity, then those under Σ. As the
// samples can be fewer than the features, W is drawn towards a multiple of the
// identity: W ← (1−ρ) W + ρ tr(W)/D I, which is ours.
//
// The roots are those of matrices. Two public programs (gmcmacran/dann and
// christopherjenness/ML-lib) take roots of the entries instead, which costs
// them 8 to 38 points of accuracy, and use no tri-cube weights.
type DANN struct {
	Scaling    Scaling         `yaml:"scaling" jsonschema:"enum=raw,enum=std" jsonschema_description:"features as they are (raw, the default) or with mean 0 and standard deviation 1 (std)"`
	Neighbors  int             `yaml:"neighbors" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"training samples that the metric of a query is computed from; 0 means a fifth of them, at least 50"`
	Shrinkage  float64         `yaml:"shrinkage" jsonschema:"minimum=0,maximum=1" jsonschema_description:"share of a multiple of the identity in the within-class covariance; 0 means none"`
	Epsilon    float64         `yaml:"epsilon" jsonschema:"minimum=0" jsonschema_description:"weight of the sphered Euclidean metric beside the class differences; 0 means 1"`
	Iterations int             `yaml:"iterations" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"times that neighbors are sought and the metric is computed; 0 means 1"`
	Weights    NeighborWeights `yaml:"weights" jsonschema:"enum=tricube,enum=uniform" jsonschema_description:"weights of the neighbors: tricube (the default) or uniform"`
}

var _ r2lml.Method = DANN{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use. Neighbors stays 0, since its default depends on the problem.
func (m DANN) Resolve() (DANN, error) {
	m.Scaling = cmp.Or(m.Scaling, Raw)
	m.Epsilon = cmp.Or(m.Epsilon, 1)
	m.Iterations = cmp.Or(m.Iterations, 1)
	m.Weights = cmp.Or(m.Weights, TriCube)
	switch {
	case m.Scaling != Raw && m.Scaling != Standard:
		return m, fmt.Errorf("scaling is %q, want %q or %q", m.Scaling, Raw, Standard)
	case m.Neighbors < 0:
		return m, fmt.Errorf("neighbors is %d, want 0 or more", m.Neighbors)
	case !(m.Shrinkage >= 0 && m.Shrinkage <= 1):
		return m, fmt.Errorf("shrinkage is %g, want 0 to 1", m.Shrinkage)
	case !(m.Epsilon > 0) || math.IsInf(m.Epsilon, 1):
		return m, fmt.Errorf("epsilon is %g, want more than 0", m.Epsilon)
	case m.Iterations < 1:
		return m, fmt.Errorf("iterations is %d, want at least 1", m.Iterations)
	case m.Weights != TriCube && m.Weights != Uniform:
		return m, fmt.Errorf("weights is %q, want %q or %q", m.Weights, TriCube, Uniform)
	}
	return m, nil
}

// Fit implements r2lml.Method. It fails when the samples are so large that
// their covariances overflow.
func (m DANN) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	m, err := m.Resolve()
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("dann: %w", err)
	}
	if m.Scaling == Standard {
		p = standardized(p)
	}
	metric := &queryMetric{x: p.X, query: p.Query}
	queries, d := p.Query.Dims()
	for q := range queries {
		if err := ctx.Err(); err != nil {
			return r2lml.Fitted{}, fmt.Errorf("dann: %w", err)
		}
		l, err := m.adapted(p, p.Query.RawRowView(q))
		if err != nil {
			return r2lml.Fitted{}, fmt.Errorf("dann: query %d: %w", q, err)
		}
		metric.basis = append(metric.basis, l)
		metric.weights = append(metric.weights, ones(d))
	}
	return r2lml.Fitted{Metric: metric}, nil
}

// adapted returns a linear map L with LᵀL = Σ at the query x.
func (m DANN) adapted(p r2lml.Problem, x []float64) (*mat.Dense, error) {
	n, _ := p.X.Dims()
	k := m.Neighbors
	if k == 0 {
		k = max(n/5, 50)
	}
	var l *mat.Dense // the identity
	for range m.Iterations {
		near := neighborhoodOf(p, l, x, k, m.Weights)
		within, between := near.scatter()
		var err error
		if l, err = discriminantMap(within, between, m.Shrinkage, m.Epsilon); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// sphereFloor is the smallest eigenvalue that W is inverted with, as a share of
// the largest.
const sphereFloor = 1e-10

// discriminantMap returns L with LᵀL = Σ for the covariances W and B; the
// identity when W = 0.
func discriminantMap(within, between *mat.SymDense, rho, epsilon float64) (*mat.Dense, error) {
	d := within.SymmetricDim()
	t := mat.Trace(within) / float64(d)
	if t == 0 {
		return identity(d), nil
	}
	within.ScaleSym(1-rho, within)
	for i := range d {
		within.SetSym(i, i, within.At(i, i)+rho*t)
	}
	sphere, err := linalg.MapEigenvalues(within, func(values []float64) {
		floor := sphereFloor * values[d-1]
		for i, v := range values {
			values[i] = 1 / math.Sqrt(max(v, floor))
		}
	})
	if err != nil {
		return nil, err
	}
	var sphered mat.Dense
	sphered.Mul(mat.DenseCopyOf(between), mat.DenseCopyOf(sphere)) // dense: symmetric by symmetric is slow
	sphered.Mul(sphere, &sphered)
	values, v, err := linalg.EigenInPlace(linalg.Symmetrize(&sphered))
	if err != nil {
		return nil, err
	}
	for i := range values {
		values[i] = max(0, values[i]) + epsilon
	}
	var l mat.Dense
	l.Mul(linalg.Root(values, v), sphere)
	return &l, nil
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }
