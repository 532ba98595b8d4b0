package r2lml

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// A LocalMetric is the metric that nearly every method returns: a conical
// combination of K Mahalanobis metrics with coefficients for the query samples
// (U) and the training samples (V),
//
//	d²(q_m, x_n) = Σ_k U_mk V_nk ‖L_k (q_m − x_n)‖²
//
// Do not change the fields after NewLocalMetric.
type LocalMetric struct {
	L []*mat.Dense // K linear maps, P×D each; a nil map is the identity
	U *mat.Dense   // M×K coefficients of the query samples; nil: all 1
	V *mat.Dense   // N×K coefficients of the training samples; nil: all 1

	samples *mat.Dense         // N×D training samples of the Problem
	x       []*mat.Dense       // per metric: mapped training samples
	panels  []func() []float64 // per metric: x in panels, packed at the first call
	q       []*mat.Dense       // per metric: mapped query samples
}

var _ Metric = (*LocalMetric)(nil)

// NewLocalMetric binds learned maps and coefficients to the samples of p. It panics
// if the shapes do not fit.
func NewLocalMetric(p Problem, l []*mat.Dense, u, v *mat.Dense) *LocalMetric {
	n, _ := p.X.Dims()
	m, _ := p.Query.Dims()
	checkCoefficients("query", u, m, len(l))
	checkCoefficients("training", v, n, len(l))
	lm := &LocalMetric{L: l, U: u, V: v, samples: p.X, x: linalg.MapByEach(l, p.X), q: linalg.MapByEach(l, p.Query)}
	for _, z := range lm.x {
		lm.panels = append(lm.panels, sync.OnceValue(func() []float64 { return linalg.Panels(z) }))
	}
	return lm
}

// NewGlobal returns the metric ‖L (q − x)‖² of one linear map; a nil map is
// the Euclidean metric.
func NewGlobal(p Problem, l *mat.Dense) *LocalMetric {
	return NewLocalMetric(p, []*mat.Dense{l}, nil, nil)
}

func checkCoefficients(of string, c *mat.Dense, rows, cols int) {
	if c == nil {
		return
	}
	if r, k := c.Dims(); r != rows || k != cols {
		panic(fmt.Sprintf("r2lml: %d×%d %s coefficients, want %d×%d", r, k, of, rows, cols))
	}
}

// SquaredDistances implements [Metric].
func (lm *LocalMetric) SquaredDistances(dst []float64, m int) {
	clear(dst)
	e := make([]float64, kernel.PanelLen(len(dst), 1))
	for k := range lm.L {
		u := coefficient(lm.U, m, k)
		if u == 0 {
			continue
		}
		q := lm.q[k].RawRowView(m)
		kernel.SquaredDistances(e, len(e), q, len(q), 1, lm.panels[k](), len(dst), len(q))
		lm.add(dst, e, u, k)
	}
}

// global reports whether there is one map and all coefficients are 1.
func (lm *LocalMetric) global() bool { return len(lm.L) == 1 && lm.U == nil && lm.V == nil }

// Map returns the one map, P×D, of a metric on the features of x, N×D. ok is false if the
// metric has several maps or coefficients, or if the method transformed the samples x itself.
func (lm *LocalMetric) Map(x *mat.Dense) (l *mat.Dense, ok bool) {
	if !lm.global() || lm.samples != x {
		return nil, false
	}
	if lm.L[0] != nil {
		return lm.L[0], true
	}
	_, d := x.Dims()
	l = mat.NewDense(d, d, nil) // the identity
	for i := range d {
		l.Set(i, i, 1)
	}
	return l, true
}

// bounded reports whether a [kernel.Search] finds the neighbors: there is one map, all
// coefficients are 1, and no distance overflows. For mapped samples with |z|² of at most an
// eighth of the largest number, |q − x|² ≤ 2|q|² + 2|x|² does not.
func (lm *LocalMetric) bounded() bool {
	if !lm.global() {
		return false
	}
	for _, z := range []*mat.Dense{lm.x[0], lm.q[0]} {
		rows, _ := z.Dims()
		for i := range rows {
			if row := z.RawRowView(i); !(floats.Dot(row, row) <= math.MaxFloat64/8) { // NaN, too
				return false
			}
		}
	}
	return true
}

// search is neighbors for a bounded metric.
func (lm *LocalMetric) search(ctx context.Context, m, n, k int, visit func(i int, near kernel.Neighbors)) error {
	x, q := lm.x[0].RawMatrix(), lm.q[0].RawMatrix()
	search := kernel.NewSearch(x.Data, x.Stride, n, x.Cols)
	search.Stop = func() bool { return ctx.Err() != nil }
	search.Nearest(q.Data, q.Stride, m, min(k, n), visit)
	return ctx.Err()
}

// add adds u V_nk e_n to dst.
func (lm *LocalMetric) add(dst, e []float64, u float64, k int) {
	if lm.V == nil {
		for n := range dst {
			dst[n] += u * e[n]
		}
		return
	}
	v := lm.V.RawMatrix()
	for n := range dst {
		dst[n] += u * v.Data[n*v.Stride+k] * e[n]
	}
}

func coefficient(c *mat.Dense, row, k int) float64 {
	if c == nil {
		return 1
	}
	return c.At(row, k)
}
