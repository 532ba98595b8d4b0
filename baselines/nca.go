package baselines

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// NCA is neighborhood components analysis (Goldberger, Roweis, Hinton and
// Salakhutdinov, NIPS 2004): sample i picks another sample as its neighbor with
// a probability that falls with the distance. The map maximizes the expected number
// of samples that pick a neighbor of their class:
//
//	max over L:  f(L) = Σ_i p_i,  p_i = Σ_{j: y_j=y_i} p_ij
//	p_ij = exp(−‖L(x_i − x_j)‖²) / Σ_{k≠i} exp(−‖L(x_i − x_k)‖²),  p_ii = 0
//
// A sample without others of its class adds nothing. f is not concave; L-BFGS climbs
// from the identity.
type NCA struct {
	Iterations int `yaml:"iterations" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"most iterations of L-BFGS; 0 means 100"`
}

var _ r2lml.Method = NCA{}

// Resolve fills in the default of iterations and refuses values that no fit
// could use.
func (m NCA) Resolve() (NCA, error) {
	err := strictyaml.CheckBounds(m)
	m.Iterations = cmp.Or(m.Iterations, 100)
	return m, err
}

// Fit implements r2lml.Method.
func (m NCA) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	m, err := m.Resolve()
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("nca: %w", err)
	}
	rows, d := p.X.Dims()
	centered := mat.DenseCopyOf(p.X)
	center(centered, upTo(rows)) // f depends on differences only; centering reduces the rounding of Xᵀ (diag(S1) − S) X
	n := neighborhoods{ctx: ctx, x: centered, y: p.Y}
	if len(p.Y) <= NCAWhole {
		n.w = mat.NewDense(len(p.Y), len(p.Y), nil)
	}
	l, ended, err := m.climb(ctx, n, identity(d))
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("nca: %w", err)
	}
	f := r2lml.Fitted{Metric: r2lml.NewGlobal(p, l)}
	if !ended {
		f.Doubts = []string{fmt.Sprintf("not converged: stopped at its limit of %d iterations; try more (iterations)", m.Iterations)}
	}
	return f, nil
}

// climb returns the map that L-BFGS finds from l, and whether it converged before its limit of iterations. Its
// tolerances are those of SciPy's L-BFGS-B, which metric-learn calls.
func (m NCA) climb(ctx context.Context, n neighborhoods, l *mat.Dense) (best *mat.Dense, ended bool, err error) {
	rows, cols := l.Dims()
	fall := func(l []float64) (float64, []float64) {
		a := n.at(mat.NewDense(rows, cols, l))
		a.gradient.Scale(-1, a.gradient)
		return -a.value, a.gradient.RawMatrix().Data
	}
	b := lbfgs{function: fall, iterations: m.Iterations, history: 10, gradient: 1e-5, decrease: 2.2e-9}
	x, err := b.minimize(ctx, l.RawMatrix().Data)
	if err != nil {
		return nil, false, err
	}
	return mat.NewDense(rows, cols, x), b.ended, nil
}

// neighborhoods is f for the samples x with labels y.
type neighborhoods struct {
	ctx context.Context // when it ends, sums over the samples return early
	x   *mat.Dense
	y   []int
	w   *mat.Dense // N×N, scratch of at; nil: at computes W by blocks
}

// An ascent is f, its terms and its gradient at a map.
type ascent struct {
	value    float64
	p        []float64  // p_i
	gradient *mat.Dense // ∂f/∂L, of the shape of L
}

// at evaluates f and its gradient: with W_ij = p_ij (p_i − [y_i = y_j]) and S = W + Wᵀ
//
//	∂f/∂L = 2 L Xᵀ (diag(S1) − S) X
func (n neighborhoods) at(l *mat.Dense) ascent {
	rows, _ := l.Dims()
	z := mat.NewDense(len(n.y), rows, nil)
	mapInto(z, n.x, l)
	w := n.w
	if w == nil {
		return n.byBlocks(l, z)
	}
	allDistances(n.ctx, w, z)
	p := n.weights(w)
	addTransposed(n.ctx, w)
	var gradient mat.Dense
	gradient.Mul(l, laplacianRows(n.ctx, n.x, w.RawRowView))
	gradient.Scale(2, &gradient)
	return ascent{value: floats.Sum(p), p: p, gradient: &gradient}
}

// weights turns the squared distances in w into W and returns the p_i. It multiplies by
// [y_i = y_j] as 1 or 0, because branches on it are mispredicted.
func (n neighborhoods) weights(w *mat.Dense) (p []float64) {
	p = make([]float64, len(n.y))
	indicators := n.indicators()
	for i := range linalg.Rows(n.ctx, len(n.y)) {
		y := n.y[i]
		row, same := w.RawRowView(i), indicators[y]
		choose(row)
		same = same[:len(row)]
		var sum float64
		for j, v := range row {
			sum += v * same[j]
		}
		for j, v := range row {
			row[j] = v * (sum - same[j])
		}
		p[i] = sum
	}
	return p
}

// indicators returns, for every label, a vector with 1 at its samples and 0 at the others.
func (n neighborhoods) indicators() map[int][]float64 {
	all := map[int][]float64{}
	for i, y := range n.y {
		if all[y] == nil {
			all[y] = make([]float64, len(n.y))
		}
		all[y][i] = 1
	}
	return all
}

// allDistances writes the squared distances between all samples to w. The distance of a
// sample to itself is infinite, so that no sample is its own neighbor.
func allDistances(ctx context.Context, w, z *mat.Dense) {
	n, d := z.Dims()
	all, ld := w.RawMatrix().Data, w.RawMatrix().Stride
	for i := range linalg.Rows(ctx, n) {
		row := w.RawRowView(i)
		row[i] = math.Inf(1)
		if i == n-1 {
			break
		}
		distancesInto(row[i+1:], z.Slice(i+1, n, 0, d).(*mat.Dense), z.RawRowView(i))
		for j := i + 1; j < n; j++ {
			all[j*ld+i] = row[j]
		}
	}
}

// addTransposed adds its transpose to w.
func addTransposed(ctx context.Context, w *mat.Dense) {
	n, _ := w.Dims()
	all, ld := w.RawMatrix().Data, w.RawMatrix().Stride
	for i := range linalg.Rows(ctx, n) {
		row := w.RawRowView(i)
		row[i] += row[i]
		for j := range i {
			sum := all[j*ld+i] + row[j]
			row[j], all[j*ld+i] = sum, sum
		}
	}
}

// choose turns the squared distances of a sample into its p_ij, all 0 if there is no other
// sample. It subtracts the least distance first, so that the largest exponential is 1.
func choose(row []float64) {
	if len(row) == 1 {
		row[0] = 0
		return
	}
	least := floats.Min(row)
	var sum float64
	for j, v := range row {
		row[j] = least - v
	}
	kernel.Exp(row, row)
	for _, v := range row {
		sum += v
	}
	floats.Scale(1/sum, row)
}

const (
	// NCAWhole is the largest number of samples for which NCA holds its N×N weights (32 MiB).
	// Above, it holds blocks of rows, and sums are rounded in another order.
	NCAWhole = 2048
	// ncaRows and ncaColumns are the size of a block of W: its rows fit into the L2 cache,
	// and its samples into the L1 cache.
	ncaRows, ncaColumns = 16, 256
	// leastExponent: smaller exponentials count as 0 beside the largest of a row, which is 1.
	leastExponent = -690
)

// byBlocks is at in O(N D) memory. It makes W row by row and never has Wᵀ; with V = W X
// and u = W1 + Wᵀ1
//
//	Xᵀ (diag(S1) − S) X = XᵀU + UᵀX,   U = diag(u) X/2 − V
func (n neighborhoods) byBlocks(l, z *mat.Dense) ascent {
	count, d := n.x.Dims()
	x, columns := n.x.RawMatrix(), mat.DenseCopyOf(n.x.T())
	v := mat.NewDense(count, d, nil)
	p, u := make([]float64, count), make([]float64, count)
	one, indicators := ones(count), n.indicators()
	var block linalg.Distances
	block.To(z)
	for from := 0; from < count && n.ctx.Err() == nil; from += ncaRows {
		to := min(from+ncaRows, count)
		block.From(n.ctx, z.Slice(from, to, 0, l.RawMatrix().Rows).(*mat.Dense))
		for i := from; i < to; i++ {
			row, same := block.Row(i-from), indicators[n.y[i]]
			row[i] = math.Inf(1)
			p[i] = weightRow(row, same, one)
			row[i] = 0
			u[i] += dot(row, one)
			kernel.AddRows(u, one[:1], row, count)
		}
		for j := 0; j < count; j += ncaColumns {
			next := min(j+ncaColumns, count)
			for i := from; i < to; i++ {
				kernel.AddRows(v.RawRowView(i), block.Row(i - from)[j:next], x.Data[j*x.Stride:], x.Stride)
			}
		}
	}
	for i, sum := range u {
		row := v.RawRowView(i)
		floats.Scale(-1, row)
		floats.AddScaled(row, sum/2, n.x.RawRowView(i))
	}
	half := mat.NewDense(d, d, nil)
	for i := range d {
		kernel.AddRows(half.RawRowView(i), columns.RawRowView(i), v.RawMatrix().Data, d)
	}
	var form, gradient mat.Dense
	form.Add(half, half.T())
	gradient.Mul(l, &form)
	gradient.Scale(2, &gradient)
	return ascent{value: floats.Sum(p), p: p, gradient: &gradient}
}

// weightRow turns the squared distances of a sample into its row of W, and returns p_i.
// Exponentials beyond leastExponent, which take long, are 0.
func weightRow(row, same, one []float64) float64 {
	least, zero := floats.Min(row), math.Inf(-1)
	for j, v := range row {
		e := least - v
		if e < leastExponent {
			e = zero
		}
		row[j] = e
	}
	kernel.Exp(row, row)
	scale := 1 / dot(row, one)
	p := scale * dot(row, same)
	for j, s := range same[:len(row)] {
		row[j] *= scale * (p - s)
	}
	return p
}

// dot returns a·b, summed in the order of [kernel.Dots], which is the same on all processors.
func dot(a, b []float64) float64 {
	var product [1]float64
	kernel.Dots(product[:], a, len(a), b)
	return product[0]
}
