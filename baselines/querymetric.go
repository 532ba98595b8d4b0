package baselines

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

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
	q := f.query.RawRowView(m)
	diff := make([]float64, len(q))
	for n := range dst {
		for d, v := range f.x.RawRowView(n) {
			diff[d] = q[d] - v
		}
		dst[n] = weightedNorm(f.basis[m], f.weights[m], diff)
	}
}

// weightedNorm returns Σ_r w_r (b_r · v)², with b_r the rows of b.
func weightedNorm(b *mat.Dense, w, v []float64) float64 {
	var sum float64
	for r, weight := range w {
		along := floats.Dot(b.RawRowView(r), v)
		sum += weight * along * along
	}
	return sum
}
