package baselines

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A weighting is the first problem of PLML: the weights W of the anchors u_b
// for the samples x_i, smooth over a graph with Laplacian L,
//
//	min  g(W) = ‖X − W U‖² + λ₁ Σ_ib W_ib ‖x_i − u_b‖² + λ₂ tr(Wᵀ L W)
//
// over the N×m matrices W whose rows are on the simplex.
type weighting struct {
	gram     *mat.SymDense // U Uᵀ
	linear   *mat.Dense    // λ₁ G − 2 X Uᵀ with G_ib = ‖x_i − u_b‖²
	constant float64       // ‖X‖²
	near     graph
	lambda2  float64
	step     float64 // 1 / a Lipschitz constant of the gradient
}

func newWeighting(x, anchors *mat.Dense, near graph, lambda1, lambda2 float64) (*weighting, error) {
	n, _ := x.Dims()
	m, _ := anchors.Dims()
	p := &weighting{gram: mat.NewSymDense(m, nil), linear: mat.NewDense(n, m, nil), near: near, lambda2: lambda2}
	p.gram.SymOuterK(1, anchors)
	p.linear.Mul(x, anchors.T())
	p.linear.Scale(-2, p.linear)
	for i := range n {
		floats.AddScaled(p.linear.RawRowView(i), lambda1, squaredDistances(anchors, x.RawRowView(i)))
		p.constant += floats.Dot(x.RawRowView(i), x.RawRowView(i))
	}
	values, _, err := linalg.Eigen(p.gram)
	if err != nil {
		return nil, err
	}
	p.step = 1 / (2*values[m-1] + 2*lambda2*near.largestEigenvalue())
	return p, nil
}

const (
	weightSettled    = 3 // settled iterations in a row that end the descent
	weightIterations = 5000
)

// minimize runs FISTA from equal weights until the largest change of a weight
// stays below tolerance. A step that raises g is taken again without momentum.
// It also returns the number of iterations.
func (p *weighting) minimize(ctx context.Context, tolerance float64) (*mat.Dense, int, error) {
	now := p.start()
	ahead, next := now.clone(), now.clone()
	momentum, settled, i := 1.0, 0, 0
	for ; i < weightIterations && settled < weightSettled; i++ {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		p.proximalStep(next, ahead)
		if p.value(next) > p.value(now) && momentum > 1 {
			momentum = 1
			ahead.extrapolate(now, now, 0)
			continue
		}
		settled++
		if largestDifference(next.w, now.w) >= tolerance {
			settled = 0
		}
		before := momentum
		momentum = (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		ahead.extrapolate(next, now, (before-1)/momentum)
		now, next = next, now
	}
	return now.w, i, nil
}

// A weightsAt is a matrix of weights W with the part of the gradient of g that is
// linear in W, 2 W U Uᵀ + 2 λ₂ L W.
type weightsAt struct{ w, gradient *mat.Dense }

// start returns equal weights.
func (p *weighting) start() weightsAt {
	n, m := p.linear.Dims()
	a := weightsAt{mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)}
	for i := range n {
		floats.AddConst(1/float64(m), a.w.RawRowView(i))
	}
	p.differentiate(a)
	return a
}

func (a weightsAt) clone() weightsAt {
	return weightsAt{mat.DenseCopyOf(a.w), mat.DenseCopyOf(a.gradient)}
}

// extrapolate sets a to b + c (b − from). The gradient follows, being linear.
func (a weightsAt) extrapolate(b, from weightsAt, c float64) {
	extrapolate(a.w.RawMatrix().Data, b.w.RawMatrix().Data, from.w.RawMatrix().Data, c)
	extrapolate(a.gradient.RawMatrix().Data, b.gradient.RawMatrix().Data, from.gradient.RawMatrix().Data, c)
}

// extrapolate sets dst to b + c (b − from).
func extrapolate(dst, b, from []float64, c float64) {
	for i, v := range b {
		dst[i] = v + c*(v-from[i])
	}
}

func (p *weighting) differentiate(a weightsAt) {
	a.gradient.Mul(a.w, p.gram)
	a.gradient.Scale(2, a.gradient)
	p.near.addLaplacian(a.gradient, 2*p.lambda2, a.w)
}

// value returns g.
func (p *weighting) value(a weightsAt) float64 {
	w, gradient, linear := a.w.RawMatrix().Data, a.gradient.RawMatrix().Data, p.linear.RawMatrix().Data
	sum := p.constant
	for i, v := range w {
		sum += v * (gradient[i]/2 + linear[i])
	}
	return sum
}

// proximalStep sets dst to Π(W − ∇g(W)/L) at the weights of from, with the rows
// projected on the simplex.
func (p *weighting) proximalStep(dst, from weightsAt) {
	n, _ := from.w.Dims()
	for i := range n {
		row := dst.w.RawRowView(i)
		copy(row, from.w.RawRowView(i))
		floats.AddScaled(row, -p.step, from.gradient.RawRowView(i))
		floats.AddScaled(row, -p.step, p.linear.RawRowView(i))
		linalg.ProjectSimplex(row)
	}
	p.differentiate(dst)
}

func largestDifference(a, b *mat.Dense) float64 {
	return floats.Distance(a.RawMatrix().Data, b.RawMatrix().Data, math.Inf(1))
}

// A graph joins samples that are near each other, with weights S_ij = S_ji.
type graph struct {
	edges  [][]edge  // of every sample; edge.to is the other one
	degree []float64 // Σ_j S_ij
}

type edge struct {
	to     int
	weight float64
}

// selfTuningGraph joins i and j when one is among the k nearest of the other,
//
//	S_ij = exp(−‖x_i − x_j‖²/(s_i s_j))
//
// where s_i is the distance from i to its tuner-th neighbor (the farthest, when
// there are fewer). An s_i of 0 is replaced by the smallest positive one.
//
// L. Zelnik-Manor, P. Perona, Self-Tuning Spectral Clustering, NIPS 2004.
//
// The graph is incomplete when ctx ends.
func selfTuningGraph(ctx context.Context, x *mat.Dense, k, tuner int) graph {
	near, scale := tunedNeighbors(ctx, x, k, tuner)
	raiseZeros(scale)
	g := graph{edges: make([][]edge, len(near)), degree: make([]float64, len(near))}
	for i, rows := range near {
		for _, j := range rows {
			if j < i && slices.Contains(near[j], i) {
				continue // i and j are joined already
			}
			d := linalg.SquaredDistance(x.RawRowView(i), x.RawRowView(j))
			g.join(i, j, math.Exp(-d/(scale[i]*scale[j])))
		}
	}
	return g
}

// tunedNeighbors returns the k nearest samples of every sample, and its distance to the
// tuner-th nearest, or to the farthest if there are fewer.
func tunedNeighbors(ctx context.Context, x *mat.Dense, k, tuner int) (near [][]int, scale []float64) {
	n, _ := x.Dims()
	near, scale = make([][]int, n), make([]float64, n)
	var distance []float64
	for i := range linalg.Rows(ctx, n) {
		distance = distancesInto(distance, x, x.RawRowView(i))
		rows := closest(distance, max(k, tuner), func(j int) bool { return j != i })
		near[i] = rows[:min(k, len(rows))]
		if len(rows) > 0 {
			scale[i] = math.Sqrt(distance[rows[min(tuner, len(rows))-1]])
		}
	}
	return near, scale
}

// raiseZeros replaces zeros by the smallest positive value, 1 when there is
// none.
func raiseZeros(v []float64) {
	smallest := math.Inf(1)
	for _, x := range v {
		if x > 0 {
			smallest = min(smallest, x)
		}
	}
	if math.IsInf(smallest, 1) {
		smallest = 1
	}
	for i, x := range v {
		if x == 0 {
			v[i] = smallest
		}
	}
}

func (g graph) join(i, j int, weight float64) {
	g.edges[i] = append(g.edges[i], edge{j, weight})
	g.edges[j] = append(g.edges[j], edge{i, weight})
	g.degree[i] += weight
	g.degree[j] += weight
}

// addLaplacian adds c L w to dst, with the Laplacian L = diag(degree) − S and
// one row of w for every sample.
func (g graph) addLaplacian(dst *mat.Dense, c float64, w *mat.Dense) {
	for i, edges := range g.edges {
		row := dst.RawRowView(i)
		floats.AddScaled(row, c*g.degree[i], w.RawRowView(i))
		for _, e := range edges {
			floats.AddScaled(row, -c*e.weight, w.RawRowView(e.to))
		}
	}
}

// largestEigenvalue bounds that of L from above: by Anderson and Morley it is at
// most the largest sum of two joined degrees.
func (g graph) largestEigenvalue() float64 {
	var bound float64
	for i, edges := range g.edges {
		for _, e := range edges {
			bound = max(bound, g.degree[i]+g.degree[e.to])
		}
	}
	return bound
}
