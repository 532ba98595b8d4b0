package baselines

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// SCML is SCML-local, sparse compositional metric learning (Shi, Bellet and
// Sha, AAAI 2014). The metric of a sample is a combination of squared basis
// directions b whose weights depend on its kernel PCA scores z,
//
//	d²(q, x) = Σ_b w_b(z_q) (b·(q − x))²,   w_b(z) = (a_b·z + c_b)²
//
// The directions come from local discriminant analyses. The first descent learns
// weights that are the same everywhere; the second starts there and learns a_b
// and c_b, both from triplets. Features are scaled as in PLML.
//
// It follows the program of the authors, bellet/SCML, except for the proximal map
// (see Proximal) and for small training sets: there SCML takes fewer bases, which
// that program cannot.
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
	err := strictyaml.CheckBounds(m)
	m.Step, m.Bases, m.Proximal = cmp.Or(m.Step, 0.7), cmp.Or(m.Bases, scmlBases), cmp.Or(m.Proximal, Norm)
	return m, err
}

// Fit implements r2lml.Method. It warns when the weights are the same everywhere,
// and when all weights are 0 and the metric is Euclidean in the scaled features.
func (m SCML) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (SCML) id() string { return "scml-local" }

// shared: settings with equal bases share them, the triplets and the kernel PCA.
func (m SCML) shared() SCML { return SCML{Bases: m.Bases} }

const (
	scmlBases            = 400 // default of the largest number of directions
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

// fitted returns the metric of the local model. If the model is 0 it returns that of the
// global weights, and if these are 0, the Euclidean one.
func (g *compositionGround) fitted(model localModel, global []float64) r2lml.Fitted {
	var warnings []string
	used := model.used()
	if len(used) == 0 {
		warnings = []string{"the local weights are all 0; those of the whole set are used"}
		model = newLocalModel(global, len(g.z[0]), 0)
		used = model.used()
	}
	if len(used) == 0 {
		return g.zeroWeights()
	}
	return r2lml.Fitted{
		Metric:   g.localMetric(model, used),
		Facts:    []r2lml.Count{{Name: directionsFact, Count: len(used), Of: len(global)}},
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

// SCMLGlobal learns one weight for every direction of discriminant analyses around
// k-means centers (Shi, Bellet, Sha, AAAI 2014):
//
//	min over w ≥ 0:  β Σ_b w_b + mean over triplets of [1 + Σ_b w_b δ_b]₊,   M = Σ_b w_b b bᵀ
//
// with δ_b as in [tripletLoss], by dual averaging. Features have mean 0 and standard
// deviation 1, and every sample unit length. SCML starts from these weights.
type SCMLGlobal struct {
	Beta  float64 `yaml:"beta" jsonschema:"minimum=0" jsonschema_description:"weight of the sum of the weights, which makes directions drop out; 0 means none"`
	Bases int     `yaml:"bases" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"most basis directions; 0 means 400"`
}

var _ r2lml.Method = SCMLGlobal{}

// Resolve fills in defaults and refuses impossible values.
func (m SCMLGlobal) Resolve() (SCMLGlobal, error) {
	err := strictyaml.CheckBounds(m)
	m.Bases = cmp.Or(m.Bases, scmlBases)
	return m, err
}

// Fit implements r2lml.Method. It fails without triplets: with one class, or one sample per class.
func (m SCMLGlobal) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (SCMLGlobal) id() string { return "scml-global" }

// shared: settings with equal bases share directions and triplets.
func (m SCMLGlobal) shared() SCMLGlobal { return SCMLGlobal{Bases: m.Bases} }

// Warnings of SCML and SCMLGlobal.
const (
	directionsFact = "directions used"
	nothingToLearn = "there are no triplets, or no directions, to learn from"
	// scaledEuclidean warns that nothing was learned, and why.
	scaledEuclidean = "nothing learned: %s, so that distances are Euclidean between rows scaled to standard deviation 1 and length 1; try %s"
)

// A tripletGround is a scaled problem with basis directions and triplets.
type tripletGround struct {
	p           r2lml.Problem // scaled
	bases       *mat.Dense    // K×D; nil: no directions
	tripletLoss *tripletLoss  // nil: no directions or no triplets
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

// draws returns a function that draws indices of triplets.
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
		Metric: r2lml.NewGlobal(g.p, nil),
		Doubts: []string{fmt.Sprintf(scaledEuclidean, why, "more samples")},
	}
}

// zeroWeights keeps the warning of accepted cells word by word; results.Told rewrites it for
// readers.
func (g tripletGround) zeroWeights() r2lml.Fitted {
	return r2lml.Fitted{Metric: r2lml.NewGlobal(g.p, nil), Warnings: []string{"all weights are 0; the metric is Euclidean"}}
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
		return g.zeroWeights(), nil
	}
	used, _ := l.Dims()
	return r2lml.Fitted{
		Metric: r2lml.NewGlobal(g.p, l),
		Facts:  []r2lml.Count{{Name: directionsFact, Count: used, Of: len(w)}},
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
