package baselines

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// NCA is neighborhood components analysis (Goldberger, Roweis, Hinton and
// Salakhutdinov, NIPS 2004): sample i picks another sample as its neighbor with
// a probability that falls with the distance, and the map is to make it likely
// that both are of one class:
//
//	max over L:  f(L) = Σ_i p_i,  p_i = Σ_{j: y_j=y_i} p_ij
//	p_ij = exp(−‖L(x_i − x_j)‖²) / Σ_{k≠i} exp(−‖L(x_i − x_k)‖²),  p_ii = 0
//
// f is not concave; this climbs by L-BFGS from the identity.
type NCA struct {
	Iterations int `yaml:"iterations" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"most iterations of L-BFGS; 0 means 100"`
}

var _ r2lml.Method = NCA{}

// Resolve fills in the default of iterations and refuses values that no fit
// could use.
func (m NCA) Resolve() (NCA, error) {
	m.Iterations = orDefault(m.Iterations, 100)
	if m.Iterations < 1 {
		return m, fmt.Errorf("iterations is %d, want at least 1", m.Iterations)
	}
	return m, nil
}

// Fit implements r2lml.Method.
func (m NCA) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	m, err := m.Resolve()
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("nca: %w", err)
	}
	_, d := p.X.Dims()
	l, err := m.climb(ctx, neighborhoods{x: p.X, y: p.Y}, identity(d))
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("nca: %w", err)
	}
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, l)}, nil
}

// climb returns the map that L-BFGS finds from l. Where it stops is taken from
// the L-BFGS-B of SciPy, which metric-learn calls.
func (m NCA) climb(ctx context.Context, n neighborhoods, l *mat.Dense) (*mat.Dense, error) {
	rows, cols := l.Dims()
	fall := func(l []float64) (float64, []float64) {
		a := n.at(mat.NewDense(rows, cols, l))
		a.gradient.Scale(-1, a.gradient)
		return -a.value, a.gradient.RawMatrix().Data
	}
	b := lbfgs{function: fall, iterations: m.Iterations, history: 10, gradient: 1e-5, decrease: 2.2e-9}
	x, err := b.minimize(ctx, l.RawMatrix().Data)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(rows, cols, x), nil
}

// neighborhoods is f for the samples x with labels y.
type neighborhoods struct {
	x *mat.Dense
	y []int
}

// An ascent is f at a map.
type ascent struct {
	value    float64
	p        []float64  // p_i
	gradient *mat.Dense // ∂f/∂L, of the shape of L
}

// at evaluates f and its gradient: with W_ij = p_ij (p_i − [y_i = y_j]) and
// S = W + Wᵀ
//
//	∂f/∂L = 2 L Xᵀ (diag(S1) − S) X
func (n neighborhoods) at(l *mat.Dense) ascent {
	var z, s mat.Dense
	z.Mul(n.x, l.T())
	w, p := n.weights(&z)
	s.Add(w, w.T())
	return ascent{value: floats.Sum(p), p: p, gradient: n.gradient(l, &s)}
}

// weights returns W and the p_i for mapped samples z.
func (n neighborhoods) weights(z *mat.Dense) (w *mat.Dense, p []float64) {
	w = mat.NewDense(len(n.y), len(n.y), nil)
	p = make([]float64, len(n.y))
	for i := range n.y {
		row := w.RawRowView(i)
		choose(row, z, i)
		for j, v := range row {
			if n.y[j] == n.y[i] {
				p[i] += v
			}
		}
		for j := range row {
			if n.y[j] == n.y[i] {
				row[j] *= p[i] - 1
			} else {
				row[j] *= p[i]
			}
		}
	}
	return w, p
}

// choose writes the p_ij of sample i to row. The least distance is taken from
// all, so that the largest exponential is 1.
func choose(row []float64, z *mat.Dense, i int) {
	least := math.Inf(1)
	for j := range row {
		row[j] = linalg.SquaredDistance(z.RawRowView(i), z.RawRowView(j))
		if j != i {
			least = min(least, row[j])
		}
	}
	var sum float64
	for j, d := range row {
		row[j] = math.Exp(least - d)
		if j == i {
			row[j] = 0
		}
		sum += row[j]
	}
	if sum == 0 { // no other sample
		return
	}
	floats.Scale(1/sum, row)
}

// gradient returns 2 L Xᵀ (diag(S1) − S) X.
func (n neighborhoods) gradient(l, s *mat.Dense) *mat.Dense {
	var sx, g, result mat.Dense
	sx.Mul(s, n.x)
	for i := range n.y {
		row := sx.RawRowView(i)
		floats.Scale(-1, row)
		floats.AddScaled(row, floats.Sum(s.RawRowView(i)), n.x.RawRowView(i))
	}
	g.Mul(n.x.T(), &sx)
	result.Mul(l, &g)
	result.Scale(2, &result)
	return &result
}
