package baselines

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// SCML is SCML-local, sparse compositional metric learning (Shi, Bellet and
// Sha, AAAI 2014). The metric of a sample is a combination of squared basis
// directions b whose weights depend on its kernel PCA scores z,
//
//	d²(q, x) = Σ_b w_b(z_q) (b·(q − x))²,   w_b(z) = (a_b·z + c_b)²
//
// The directions come from local discriminant analyses. Weights that are the
// same everywhere are learned from triplets first, then a_b and c_b, starting
// there. Features are scaled as in PLML.
//
// It follows the program of the authors, bellet/SCML, but for the proximal map
// (see Proximal) and the number of bases, which that program cannot reduce to
// what a small training set has room for.
type SCML struct {
	Beta     float64  `yaml:"beta" jsonschema:"minimum=0" jsonschema_description:"weight of the norms, which makes directions drop out; 0 means none"`
	Step     float64  `yaml:"step" jsonschema:"minimum=0" jsonschema_description:"step length of the local weights; 0 means 0.7"`
	Bases    int      `yaml:"bases" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"most basis directions; 0 means 400"`
	Proximal Proximal `yaml:"proximal" jsonschema:"enum=norm,enum=squared-norm" jsonschema_description:"shrinking by the norm (norm, the default) or by its square (squared-norm, as the authors' program)"`
}

var _ r2lml.Method = SCML{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use. Beta 0 is taken literally.
func (m SCML) Resolve() (SCML, error) {
	m.Step = cmp.Or(m.Step, 0.7)
	m.Bases = cmp.Or(m.Bases, 400)
	m.Proximal = cmp.Or(m.Proximal, Norm)
	switch {
	case !(m.Beta >= 0) || math.IsInf(m.Beta, 1):
		return m, fmt.Errorf("beta is %g, want 0 or more", m.Beta)
	case !positive(m.Step):
		return m, fmt.Errorf("step is %g, want more than 0", m.Step)
	case m.Bases < 1:
		return m, fmt.Errorf("bases is %d, want at least 1", m.Bases)
	case m.Proximal != Norm && m.Proximal != SquaredNorm:
		return m, fmt.Errorf("proximal is %q, want %q or %q", m.Proximal, Norm, SquaredNorm)
	}
	return m, nil
}

// Fit implements r2lml.Method. It warns when nothing local, or nothing at all,
// was learned: the weights are then the same everywhere, or the metric is the
// Euclidean one of the scaled features.
func (m SCML) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (SCML) id() string { return "scml-local" }

// shared: settings with as many bases share them, the triplets and the kernel PCA.
func (m SCML) shared() SCML { return SCML{Bases: m.Bases} }

const (
	scmlComponents       = 40
	scmlGlobalIterations = 100001
	scmlLocalIterations  = 200001
	scmlCheck            = 5000
)

// compositionGround is the first step of SCML.
type compositionGround struct {
	tripletGround
	z, zq [][]float64 // scores of the training and the query samples
}

func (m SCML) first(ctx context.Context, p r2lml.Problem) (*compositionGround, error) {
	triplets, err := newTripletGround(ctx, p, m.Bases)
	g := &compositionGround{tripletGround: triplets}
	if err != nil || g.tripletLoss == nil {
		return g, err
	}
	n, _ := g.p.X.Dims()
	components, err := newKernelPCA(ctx, g.p.X, min(scmlComponents, n-1), medianDistance(ctx, g.p.X))
	if err != nil {
		return nil, fmt.Errorf("kernel PCA: %w", err)
	}
	g.z, g.zq = scoresOf(ctx, components, g.p.X), scoresOf(ctx, components, g.p.Query)
	return g, ctx.Err()
}

func scoresOf(ctx context.Context, p *kernelPCA, x *mat.Dense) [][]float64 {
	n, _ := x.Dims()
	z := make([][]float64, n)
	for i := range linalg.Rows(ctx, n) {
		z[i] = p.scores(x.RawRowView(i))
	}
	return z
}

func (m SCML) second(ctx context.Context, g *compositionGround) (r2lml.Fitted, error) {
	if g.tripletLoss == nil {
		return g.euclidean(nothingToLearn), ctx.Err()
	}
	draw := g.draws()
	global, err := g.globalWeights(ctx, m.Beta, draw)
	if err != nil {
		return r2lml.Fitted{}, err
	}
	descent := &localDescent{
		tripletLoss: g.tripletLoss, z: g.z, beta: m.Beta, length: m.Step, proximal: m.Proximal,
		model: newLocalModel(global, len(g.z[0]), startOffset),
	}
	model, _, err := descent.run(ctx, schedule{scmlLocalIterations, scmlCheck, draw})
	if err != nil {
		return r2lml.Fitted{}, err
	}
	return g.fitted(model, global), nil
}

// fitted binds the local model to the samples; in its place the global weights
// or the Euclidean metric, when the weights are all 0.
func (g *compositionGround) fitted(model localModel, global []float64) r2lml.Fitted {
	var warnings []string
	used := model.used()
	if len(used) == 0 {
		warnings = []string{"the local weights are all 0; those of the whole set are used"}
		model = newLocalModel(global, len(g.z[0]), 0)
		used = model.used()
	}
	if len(used) == 0 {
		return g.euclidean("all weights are 0")
	}
	return r2lml.Fitted{
		Metric:   g.localMetric(model, used),
		Facts:    []r2lml.Fact{{Name: directionsFact, Count: len(used), Of: len(global)}},
		Warnings: warnings,
	}
}

func (g *compositionGround) localMetric(model localModel, used []int) *r2lml.LocalMetric {
	queries, d := g.p.Query.Dims()
	maps := make([]*mat.Dense, len(used))
	u := mat.NewDense(queries, len(used), nil)
	for i, b := range used {
		maps[i] = mat.NewDense(1, d, g.bases.RawRowView(b))
		for q, z := range g.zq {
			root := model.root(b, z)
			u.Set(q, i, root*root)
		}
	}
	return r2lml.NewLocalMetric(g.p, maps, u, nil)
}
