package baselines

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// GLML is generative local metric learning (Noh, Zhang and Lee, NIPS 2010; IEEE
// TPAMI 40(1), 2018). The error of 1-NN near x, with finitely many samples, has
// a part proportional to tr(A⁻¹ B(x)) for the metric A. GLML models the classes
// as Gaussians, which gives B(x), and takes at each x
//
//	A(x) = argmin (tr A⁻¹B)²  subject to  A positive definite, |A| = 1
//
// With B = U diag(l) Uᵀ and d₊, d₋ the numbers of its positive and negative
// eigenvalues, A = U diag(a) Uᵀ up to a factor, where
//
//	a_i = d₊ l_i (l_i > 0),   d₋ |l_i| (l_i < 0),   0 otherwise,   plus γ max|l|
//
// For eigenvalues of both signs and γ = 0 the trace is 0; γ → ∞ is Euclidean.
// The metric belongs to the query sample: attached to training samples it
// falls to chance on ring norm.
//
// No program of the authors is public. The step from B to A, with γ, is that of
// haanvid/kmis, a program of one of them; how they regularize covariances is
// not known, the shrinkage is ours.
type GLML struct {
	Gamma     float64 `yaml:"gamma" jsonschema:"minimum=0" jsonschema_description:"pull of the metric towards the Euclidean one, relative to the largest eigenvalue; 0 means none"`
	Shrinkage float64 `yaml:"shrinkage" jsonschema:"minimum=0,maximum=1" jsonschema_description:"share of a multiple of the identity in each class covariance; 0 means none"`
	// Metric is LocalGLML or MeanGLML.
	Metric GLMLMetric `yaml:"metric,omitempty" jsonschema:"enum=local,enum=mean,default=local" jsonschema_description:"the metric of the query sample (local, the default), or for all samples the mean of the metrics at the training samples (mean)"`
}

// A GLMLMetric selects one metric for all queries or one per query.
type GLMLMetric string

// The metrics of GLML. LocalGLML is the default; Resolve replaces it by "".
const (
	LocalGLML GLMLMetric = "local"
	MeanGLML  GLMLMetric = "mean"
)

var _ r2lml.Method = GLML{}

// Resolve refuses impossible values. The numbers have no defaults: 0 is a valid
// value of both.
func (m GLML) Resolve() (GLML, error) {
	err := strictyaml.CheckBounds(m)
	if m.Metric == LocalGLML {
		m.Metric = ""
	}
	return m, err
}

// Fit implements r2lml.Method. It fails when the samples are so large that
// their covariances overflow.
func (m GLML) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (GLML) id() string { return "glml" }

// shared: settings of one shrinkage and one kind of metric share the eigenvalues and
// eigenvectors of B.
func (m GLML) shared() GLML { return GLML{Shrinkage: m.Shrinkage, Metric: m.Metric} }

// A biasSpectrum is the first step of GLML: B at every query sample, or with
// MeanGLML at every training sample, by its eigenvalues and eigenvectors.
type biasSpectrum struct {
	p        r2lml.Problem
	values   [][]float64
	vectors  []*mat.Dense // as rows
	warnings []string
}

func (m GLML) first(ctx context.Context, p r2lml.Problem) (*biasSpectrum, error) {
	classes, warnings, err := fitGaussians(p, m.Shrinkage)
	if err != nil {
		return nil, err
	}
	at, of := p.Query, "query"
	if m.Metric == MeanGLML {
		at, of = p.X, "sample"
	}
	places, _ := at.Dims()
	s := &biasSpectrum{p: p, warnings: warnings}
	for i := range places {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values, v, err := linalg.EigenInPlace(bias(classes, at.RawRowView(i)))
		if err != nil {
			return nil, fmt.Errorf("%s %d: bias of the error: %w", of, i, err)
		}
		s.values = append(s.values, values)
		s.vectors = append(s.vectors, mat.DenseCopyOf(v.T()))
	}
	return s, nil
}

func (m GLML) second(ctx context.Context, s *biasSpectrum) (r2lml.Fitted, error) {
	metric := &queryMetric{x: s.p.X, query: s.p.Query, basis: s.vectors}
	for _, values := range s.values {
		metric.weights = append(metric.weights, glmlWeights(values, m.Gamma))
	}
	if m.Metric == MeanGLML {
		l, err := meanMap(metric)
		if err != nil {
			return r2lml.Fitted{}, fmt.Errorf("mean of the metrics: %w", err)
		}
		return r2lml.Fitted{Metric: r2lml.NewGlobal(s.p, l), Warnings: s.warnings}, ctx.Err()
	}
	return r2lml.Fitted{Metric: metric, Warnings: s.warnings}, ctx.Err()
}

// meanMap returns a D×D map L with LᵀL = (1/M) Σ_m A_m, the mean of M metrics.
func meanMap(f *queryMetric) (*mat.Dense, error) {
	_, d := f.basis[0].Dims()
	mean := mat.NewSymDense(d, nil)
	for m, basis := range f.basis {
		for r, weight := range f.weights[m] {
			mean.SymRankOne(mean, weight/float64(len(f.basis)), basis.RowView(r))
		}
	}
	return linalg.FromPSD(mean)
}

const (
	// biasCut: eigenvalues of B up to this share of the largest count as zero.
	biasCut = 1e-10
	// metricFloor is the smallest eigenvalue of A as a share of the largest.
	metricFloor = 1e-12
)

// glmlWeights returns the eigenvalues a of A, of product 1, for the eigenvalues l of B. They are
// all 1 when B = 0, where no metric is better than another.
func glmlWeights(l []float64, gamma float64) []float64 {
	largest := largestAbs(l)
	if largest == 0 {
		return ones(len(l))
	}
	a := make([]float64, len(l))
	positive, negative := 0, 0
	for _, v := range l {
		switch {
		case v > biasCut*largest:
			positive++
		case v < -biasCut*largest:
			negative++
		}
	}
	for i, v := range l {
		switch {
		case v > biasCut*largest:
			a[i] = float64(positive) * v / largest
		case v < -biasCut*largest:
			a[i] = float64(negative) * -v / largest
		}
		a[i] += gamma
	}
	// Divide by the geometric mean, and keep eigenvalues above the floor.
	largest = largestAbs(a)
	var logs float64
	for i, v := range a {
		a[i] = max(v/largest, metricFloor)
		logs += math.Log(a[i])
	}
	mean := math.Exp(logs / float64(len(a)))
	for i := range a {
		a[i] /= mean
	}
	return a
}

func largestAbs(v []float64) float64 {
	var largest float64
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	return largest
}

// queryMetric holds a metric of its own for every query sample,
//
//	d²(q_m, x_n) = Σ_r weight_mr (basis_mr · (q_m − x_n))²
//
// which is (q_m − x_n)ᵀ A_m (q_m − x_n) with A_m = Σ_r weight_mr basis_mr basis_mrᵀ.
type queryMetric struct {
	x, query *mat.Dense
	basis    []*mat.Dense // M matrices of D columns, the directions as rows
	weights  [][]float64  // M lists of non-negative weights, one per direction
}

var _ r2lml.Metric = (*queryMetric)(nil)

// SquaredDistances implements r2lml.Metric.
func (f *queryMetric) SquaredDistances(dst []float64, m int) {
	weightedDistances(dst, f.x, f.query.RawRowView(m), f.basis[m], f.weights[m])
}

// weightedDistances writes Σ_r w_r (b_r · (q − x_n))² to dst, with b_r the rows of b.
func weightedDistances(dst []float64, x *mat.Dense, q []float64, b *mat.Dense, w []float64) {
	diff := make([]float64, len(q))
	for n := range dst {
		floats.SubTo(diff, q, x.RawRowView(n))
		var sum float64
		for r, weight := range w {
			along := floats.Dot(b.RawRowView(r), diff)
			sum += weight * along * along
		}
		dst[n] = sum
	}
}
