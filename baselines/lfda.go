package baselines

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// LFDA is Fisher discriminant analysis in which far pairs of one class count less
// (Sugiyama, JMLR 8, 2007). With Δ = x_i − x_j over pairs i < j,
//
//	A_ij = exp(−‖Δ‖²/(σ_i σ_j)),   σ_i = distance to the k-th nearest sample of the class
//	S_w = Σ_same A_ij/n_c ΔΔᵀ
//	S_b = Σ_same A_ij (1/N − 1/n_c) ΔΔᵀ + Σ_different 1/N ΔΔᵀ
//	S_b v = l S_w v, vᵀS_w v = 1,   M = Σ over the largest l > 0 of l v vᵀ
//
// S_w is shrunk by ρ.
type LFDA struct {
	Rank      int     `yaml:"rank" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"most directions kept; 0 means all"`
	Neighbor  int     `yaml:"local_neighbor" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"which nearest sample of the class sets the scale of a sample; 0 means 7"`
	Shrinkage float64 `yaml:"shrinkage" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"share ρ of a multiple of the identity in the within-class scatter; 0 means none"`
}

var _ r2lml.Method = LFDA{}

// Defaults returns the values of parameters that a spec omits.
func (LFDA) Defaults() LFDA { return LFDA{Shrinkage: defaultShrinkage} }

// Resolve fills in defaults and refuses impossible values.
func (m LFDA) Resolve() (LFDA, error) {
	err := strictyaml.CheckBounds(m)
	m.Neighbor = cmp.Or(m.Neighbor, 7)
	return m, err
}

// Fit implements r2lml.Method. It fails if no two samples of a class differ or a decomposition fails.
func (m LFDA) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (LFDA) id() string { return "lfda" }

// shared: settings of one local_neighbor share the scatters; among them, settings of one
// shrinkage share the decomposition.
func (m LFDA) shared() LFDA { return LFDA{Neighbor: m.Neighbor} }

func (m LFDA) first(ctx context.Context, p r2lml.Problem) (ground[generalized], error) {
	s, err := m.scatters(ctx, p)
	return ground[generalized]{p, s, memo[float64, generalized]{}}, cmp.Or(err, ctx.Err())
}

func (m LFDA) second(ctx context.Context, g ground[generalized]) (r2lml.Fitted, error) {
	s, err := g.made.of(m.Shrinkage, func() (generalized, error) { return g.discriminants(m.Shrinkage) })
	if err != nil {
		return r2lml.Fitted{}, err
	}
	var largest []int
	for i := len(s.values) - 1; i >= 0 && s.values[i] > 0; i-- {
		largest = append(largest, i)
	}
	var l *mat.Dense
	if largest = atMost(m.Rank, largest); largest != nil {
		l = weightedRows(s.vectors, largest, func(i int) float64 { return s.values[i] })
	}
	return linear(g.Problem, l), ctx.Err()
}

// discriminants solves S_b v = l S_w v with S_w shrunk by rho.
func (p pairScatters) discriminants(rho float64) (generalized, error) {
	if mat.Trace(p.similar) == 0 {
		return generalized{}, errEqualSimilar
	}
	return newGeneralized(p.dissimilar, towardsIdentity(p.similar, rho))
}

// scatters returns S_w as the similar scatter and S_b as the dissimilar one.
func (m LFDA) scatters(ctx context.Context, p r2lml.Problem) (pairScatters, error) {
	pairs, err := newPairScatters(p)
	if err != nil {
		return pairScatters{}, err
	}
	n, d := p.X.Dims()
	within, between := mat.NewSymDense(d, nil), pairs.dissimilar
	between.ScaleSym(float64(pairs.dissimilarPairs)/float64(n), between)
	for label := 1; label <= p.Classes(); label++ {
		rows := rowsOf(p.Y, label)
		if len(rows) < 2 {
			continue
		}
		own := laplacianScatter(ctx, pickRows(p.X, rows), m.Neighbor)
		var share mat.SymDense
		share.ScaleSym(1/float64(len(rows)), own)
		within.AddSym(within, &share)
		share.ScaleSym(1/float64(n)-1/float64(len(rows)), own)
		between.AddSym(between, &share)
	}
	return pairScatters{similar: within, dissimilar: between}, nil
}

// laplacianScatter returns Σ_{i<j} A_ij ΔΔᵀ = Xᵀ(diag(A 1) − A)X of the samples of a
// class. It makes A row by row: that takes twice as long as the whole A, but O(N) memory.
func laplacianScatter(ctx context.Context, x *mat.Dense, k int) *mat.SymDense {
	n, _ := x.Dims()
	center(x, upTo(n))
	_, scale := tunedNeighbors(ctx, x, 0, k) // a class of k samples or fewer takes the farthest for the k-th
	row := make([]float64, n)
	return linalg.Symmetrize(laplacianRows(ctx, x, func(i int) []float64 {
		affinities(row, x, scale, i)
		return row
	}))
}

// affinities writes the A_ij of sample i to row; A_ij is 0 for j = i and for σ_i σ_j = 0.
func affinities(row []float64, x *mat.Dense, scale []float64, i int) {
	distancesInto(row, x, x.RawRowView(i))
	row[i] = math.Inf(1)
	for j, d := range row {
		if s := scale[i] * scale[j]; s > 0 {
			row[j] = -d / s
		} else {
			row[j] = math.Inf(-1)
		}
	}
	kernel.Exp(row, row)
}
