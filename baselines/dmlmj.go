package baselines

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// DMLMJ keeps the directions in which differences to near samples of the same and
// of other classes have the largest Jeffrey divergence (Nguyen, Morell, De Baets,
// Pattern Recognition 64, 2017). S and D are the mean outer products of the
// differences of every sample to its k nearest samples of its class and of others,
// shrunk by ρ:
//
//	D v = l S v, vᵀSv = 1,   M = Σ over the largest l + 1/l of v vᵀ
//
// With all directions M = S⁻¹.
type DMLMJ struct {
	Rank      int     `yaml:"rank" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"directions kept; 0 means all"`
	Neighbors int     `yaml:"neighbors" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"near samples, of the same class and of others; 0 means 5"`
	Shrinkage float64 `yaml:"shrinkage" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"share ρ of a multiple of the identity in both scatters; 0 means none"`
}

var _ r2lml.Method = DMLMJ{}

// Defaults returns the values of parameters that a spec omits.
func (DMLMJ) Defaults() DMLMJ { return DMLMJ{Shrinkage: defaultShrinkage} }

// Resolve fills in defaults and refuses impossible values.
func (m DMLMJ) Resolve() (DMLMJ, error) {
	err := strictyaml.CheckBounds(m)
	m.Neighbors = cmp.Or(m.Neighbors, 5)
	return m, err
}

// Fit implements r2lml.Method. It fails if no two samples of a class differ, all samples are of one
// class, or a decomposition fails.
func (m DMLMJ) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (DMLMJ) id() string { return "dmlmj" }

// shared: settings with equal neighbors share the scatters; among them, settings with equal
// shrinkage share the decomposition.
func (m DMLMJ) shared() DMLMJ { return DMLMJ{Neighbors: m.Neighbors} }

func (m DMLMJ) first(ctx context.Context, p r2lml.Problem) (ground[generalized], error) {
	s, err := nearScatters(ctx, p, m.Neighbors)
	return ground[generalized]{p, s, memo[float64, generalized]{}}, err
}

func (m DMLMJ) second(ctx context.Context, g ground[generalized]) (r2lml.Fitted, error) {
	s, err := g.made.of(m.Shrinkage, func() (generalized, error) {
		same, other, err := g.shrunk(m.Shrinkage)
		if err != nil {
			return generalized{}, err
		}
		return newGeneralized(other, same)
	})
	if err != nil {
		return r2lml.Fitted{}, err
	}
	kept := atMost(m.Rank, s.byDivergence())
	return linear(g.Problem, pickRows(s.vectors, kept)), ctx.Err()
}

// leastRatio is the least l for 1/l; smaller ones are raised to it.
const leastRatio = 1e-300

// byDivergence returns the indices of the values by descending l + 1/l, ties by index.
func (g generalized) byDivergence() []int {
	order := upTo(len(g.values))
	divergence := func(i int) float64 {
		l := max(g.values[i], leastRatio)
		return l + 1/l
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(divergence(j), divergence(i)) })
	return order
}

// nearScatters returns the mean outer products of the differences to the k nearest
// samples of the same class and of other classes; a smaller class gives fewer.
func nearScatters(ctx context.Context, p r2lml.Problem, k int) (pairScatters, error) {
	_, d := p.X.Dims()
	s := pairScatters{similar: mat.NewSymDense(d, nil), dissimilar: mat.NewSymDense(d, nil)}
	diff := mat.NewVecDense(d, nil)
	add := func(sum *mat.SymDense, i int, near []int) int {
		for _, j := range near {
			diff.SubVec(p.X.RowView(i), p.X.RowView(j))
			sum.SymRankOne(sum, 1, diff)
		}
		return len(near)
	}
	for i, near := range surroundings(ctx, p.X, p.Y, k, k) {
		s.similarPairs += add(s.similar, i, near.same)
		s.dissimilarPairs += add(s.dissimilar, i, near.other)
	}
	return s, cmp.Or(ctx.Err(), s.average())
}
