package baselines

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// margins is the objective of the large margin methods for fixed targets T_i.
// Distances are directed: to a sample j with the metric c_j
//
//	d(i, j) = (x_i − x_j)ᵀ M_{c_j} (x_i − x_j) = ‖L_{c_j} (x_i − x_j)‖²
//
// and the objective is
//
//	ε = ½ Σ_{i, j∈T_i} d(i, j) + ½ Σ_{i, j∈T_i} Σ_{l: y_l≠y_i} [1 + d(i, j) − d(i, l)]₊
//
// LMNN has one metric for all samples, LMNN-MM one per class. An impostor is an
// l with a positive term. With one metric the impostors are searched among the samples
// of a [screen], otherwise among all.
type margins struct {
	ctx     context.Context // when it ends, evaluations return early with incomplete values
	x       *mat.Dense      // N×D
	y       []int
	targets []target
	metric  []int   // c_j, from 0
	members [][]int // the samples of every metric, ascending
	place   []int   // index of every sample among the members of its metric
	closed  bool    // a term with an argument of exactly 0 counts as active

	columns   *mat.Dense         // the transpose of x
	z         []*mat.Dense       // per metric: the samples under its map
	distances []linalg.Distances // per metric: from the samples first to past−1 to its members
	weighted  []*mat.Dense       // per metric: V of weigh

	first, past int

	screen   *screen // nil if there are several metrics
	screened bool    // this evaluation uses the screen, not the distances
}

// rowsMeasured is the number of samples whose distances are computed at once: the
// distances of all pairs would take 8 N² bytes.
const rowsMeasured = 64

// newMargins finds k targets per sample. metric names the metric of every
// sample, out of count.
func newMargins(ctx context.Context, x *mat.Dense, y []int, k int, metric []int, count int) *margins {
	n, d := x.Dims()
	m := &margins{
		ctx: ctx, x: x, y: y, targets: targetNeighbors(ctx, x, y, k),
		metric: metric, members: make([][]int, count), place: make([]int, n),
		distances: make([]linalg.Distances, count),
		columns:   mat.DenseCopyOf(x.T()),
	}
	if count == 1 {
		m.screen = newScreen(x)
		m.screen.ctx = ctx
	}
	for j, c := range metric {
		m.place[j] = len(m.members[c])
		m.members[c] = append(m.members[c], j)
	}
	for range count {
		m.z = append(m.z, mat.NewDense(n, d, nil))
		m.weighted = append(m.weighted, mat.NewDense(n, d, nil))
	}
	return m
}

// An evaluation is the objective at some metrics.
type evaluation struct {
	value    float64      // ε
	active   int          // number of impostors, over all targets
	gradient []*mat.Dense // ∂ε/∂M_c, D×D each
}

func (e evaluation) finite() bool {
	return !math.IsNaN(e.value) && !math.IsInf(e.value, 0)
}

// evaluate returns the objective at the maps l.
func (m *margins) evaluate(l []*mat.Dense) evaluation {
	var e evaluation
	m.prepare(l)
	for i := range linalg.Rows(m.ctx, len(m.targets)) {
		t := m.targets[i]
		d := m.distance(t)
		push, active := m.push(t.from, d)
		m.weigh(float64(1+active)/2, t.from, t.to)
		e.value += (d + push) / 2
		e.active += active
	}
	e.gradient = m.gradient()
	return e
}

// prepare maps the samples by l, updates the screen, and clears the weights.
func (m *margins) prepare(l []*mat.Dense) {
	m.first, m.past, m.screened = 0, 0, false
	for c, members := range m.members {
		m.weighted[c].Zero()
		if len(members) == 0 {
			continue
		}
		mapInto(m.z[c], m.x, l[c])
		if m.screen == nil {
			m.distances[c].To(pickRows(m.z[c], members))
		}
	}
	if m.screen != nil {
		m.search(l[0])
	}
}

// search rebuilds a screen that does not cover l, unless screens are suspended.
func (m *margins) search(l *mat.Dense) {
	m.screened = m.screen.covers(l)
	if !m.screened {
		m.distances[0].To(m.z[0])
		if !m.screen.resting() {
			m.screened = m.screen.renew(m, l)
		}
	}
	m.screen.last = l
}

// row returns the distances from sample i to the members of metric c. They are valid until
// row is called for a sample of another block of rowsMeasured.
func (m *margins) row(c, i int) []float64 {
	if i < m.first || i >= m.past {
		n, _ := m.x.Dims()
		m.first = i / rowsMeasured * rowsMeasured
		m.past = min(m.first+rowsMeasured, n)
		for c, members := range m.members {
			if len(members) > 0 {
				_, d := m.z[c].Dims()
				m.distances[c].From(m.ctx, m.z[c].Slice(m.first, m.past, 0, d).(*mat.Dense))
			}
		}
	}
	return m.distances[c].Row(i - m.first)
}

// mapInto writes the rows of x under the map l to z.
func mapInto(z, x, l *mat.Dense) {
	const block = 64 // features from which Mul sums by blocks
	rows, d := l.Dims()
	if d > block {
		z.Mul(x, l.T())
		return
	}
	n, _ := x.Dims()
	for i := range n {
		kernel.Dots(z.RawRowView(i)[:rows], l.RawMatrix().Data, l.RawMatrix().Stride, x.RawRowView(i))
	}
}

func (m *margins) distance(t target) float64 {
	if m.screened {
		return kernel.SquaredDistance(m.z[0].RawRowView(t.from), m.z[0].RawRowView(t.to))
	}
	return m.row(m.metric[t.to], t.from)[m.place[t.to]]
}

// push adds the impostors of sample i for a target at distance d to the gradient,
// and returns the sum of their terms and their number.
func (m *margins) push(i int, d float64) (sum float64, active int) {
	reach := 1 + d
	if m.screened {
		return m.pushListed(i, reach)
	}
	for c, members := range m.members {
		if len(members) == 0 {
			continue
		}
		for at, dl := range m.row(c, i) {
			if !(dl <= reach) || dl == reach && !m.closed || m.y[members[at]] == m.y[i] {
				continue
			}
			sum += reach - dl
			active++
			m.weigh(-0.5, i, members[at])
		}
	}
	return sum, active
}

// pushListed is push over the samples of the screen, which are all of other classes.
func (m *margins) pushListed(i int, reach float64) (sum float64, active int) {
	zi := m.z[0].RawRowView(i)
	for _, l := range m.screen.of(i) {
		dl := kernel.SquaredDistance(zi, m.z[0].RawRowView(int(l)))
		if !(dl <= reach) || dl == reach && !m.closed {
			continue
		}
		sum += reach - dl
		active++
		m.weigh(-0.5, i, int(l))
	}
	return sum, active
}

// weigh gives d(i, j) the weight w in the gradient: since
//
//	w (x_i − x_j)(x_i − x_j)ᵀ = x_i (w (x_i − x_j))ᵀ − x_j (w (x_i − x_j))ᵀ
//
// the gradient is XᵀV for a matrix V of weighted differences.
func (m *margins) weigh(w float64, i, j int) {
	v, xi := m.weighted[m.metric[j]], m.x.RawRowView(i)
	xj, vi, vj := m.x.RawRowView(j)[:len(xi)], v.RawRowView(i)[:len(xi)], v.RawRowView(j)[:len(xi)]
	for d, x := range xi {
		diff := w * (x - xj[d])
		vi[d] += diff
		vj[d] -= diff
	}
}

func (m *margins) gradient() []*mat.Dense {
	_, d := m.x.Dims()
	g := make([]*mat.Dense, len(m.weighted))
	for c, v := range m.weighted {
		g[c] = mat.NewDense(d, d, nil)
		for i := range d {
			kernel.AddRows(g[c].RawRowView(i), m.columns.RawRowView(i), v.RawMatrix().Data, d)
		}
	}
	return g
}
