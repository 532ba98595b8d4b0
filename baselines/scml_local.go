package baselines

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// Proximal is the proximal map of a direction's parameters in SCML-local.
type Proximal string

const (
	// Norm is the proximal map of the norm: the group v becomes
	// max(0, 1 − s/‖v‖) v.
	Norm Proximal = "norm"
	// SquaredNorm divides by ‖v‖² instead, as the authors' program does.
	SquaredNorm Proximal = "squared-norm"
)

// A localModel gives every sample weights of the basis directions that depend
// on its kernel PCA scores z,
//
//	w_b(z) = (a_b·z + c_b)²
type localModel struct {
	a [][]float64
	c []float64
}

// startOffset lets directions without a global weight take part in the descent.
const startOffset = 0.001

// newLocalModel returns the weights (√w_b + offset)², the same everywhere.
func newLocalModel(w []float64, scores int, offset float64) localModel {
	m := localModel{c: make([]float64, len(w))}
	for b, v := range w {
		m.a = append(m.a, make([]float64, scores))
		m.c[b] = math.Sqrt(v) + offset
	}
	return m
}

func (m localModel) clone() localModel {
	c := localModel{c: slices.Clone(m.c)}
	for _, a := range m.a {
		c.a = append(c.a, slices.Clone(a))
	}
	return c
}

// root returns a_b·z + c_b.
func (m localModel) root(b int, z []float64) float64 { return floats.Dot(m.a[b], z) + m.c[b] }

// norm returns the norm of a_b and c_b together.
func (m localModel) norm(b int) float64 { return math.Hypot(floats.Norm(m.a[b], 2), m.c[b]) }

// used lists the directions whose parameters are not all 0. The others have
// the weight 0 everywhere, and so no gradient.
func (m localModel) used() []int {
	var used []int
	for b := range m.c {
		if m.norm(b) > 0 {
			used = append(used, b)
		}
	}
	return used
}

// A localDescent is stochastic proximal gradient descent on
//
//	β Σ_b ‖(a_b, c_b)‖ + mean over triplets (i, j, k) of [1 + Σ_b w_b(z_i) δ_b]₊
type localDescent struct {
	*tripletLoss
	z        [][]float64 // scores of the training samples
	beta     float64
	length   float64 // of a gradient step
	proximal Proximal
	model    localModel
	now      usedDirections
}

// usedDirections are the directions used and the parameters of the model for them, side
// by side. Between two evaluations of the objective the steps change these copies, not the
// model.
type usedDirections struct {
	*tripletLoss
	used         []int
	a            []float64 // all a_b, concatenated
	c            []float64
	roots, drawn []float64 // scratch: a_b·z + c_b and δ_b
}

// run returns the model with the least evaluated objective, and all evaluated
// objectives. It applies the proximal map once before each evaluation, for all
// steps since the one before.
func (d *localDescent) run(ctx context.Context, s schedule) (best localModel, objectives []float64, err error) {
	least := math.Inf(1)
	best = d.model.clone()
	d.gather()
	for i := range s.iterations {
		if i%s.check == 0 {
			if err := ctx.Err(); err != nil {
				return best, nil, err
			}
			d.putBack()
			d.shrink(float64(s.check) * d.length * d.beta)
			d.gather()
			value := d.objective(ctx)
			objectives = append(objectives, value)
			if value < least {
				least, best = value, d.model.clone()
			}
		}
		d.step(d.triplets[s.draw()])
	}
	d.putBack()
	return best, objectives, ctx.Err()
}

// gather copies the used directions and their parameters from the model.
func (d *localDescent) gather() {
	used := d.model.used()
	n := usedDirections{tripletLoss: d.on(used), used: used}
	for _, b := range used {
		n.a, n.c = append(n.a, d.model.a[b]...), append(n.c, d.model.c[b])
	}
	n.roots, n.drawn = make([]float64, len(used)), make([]float64, kernel.Padded(len(used)))
	d.now = n
}

// putBack copies the parameters back to the model.
func (d *localDescent) putBack() {
	for u, b := range d.now.used {
		d.model.c[b] = d.now.c[u]
		copy(d.model.a[b], d.now.row(u))
	}
}

// row returns a_b of the u-th direction used.
func (n *usedDirections) row(u int) []float64 {
	scores := len(n.a) / len(n.used)
	return n.a[u*scores : (u+1)*scores]
}

// rootsAt writes a_b·z + c_b to dst.
func (n *usedDirections) rootsAt(dst, z []float64) {
	kernel.Dots(dst, n.a, len(z), z)
	for u, c := range n.c {
		dst[u] += c
	}
}

// shrink lowers the norm of every group by s; see Proximal.
func (d *localDescent) shrink(s float64) {
	for b, a := range d.model.a {
		norm := d.model.norm(b)
		if d.proximal == SquaredNorm {
			norm *= norm
		}
		scale := 0.0
		if norm > s {
			scale = 1 - s/norm
		}
		floats.Scale(scale, a)
		d.model.c[b] *= scale
	}
}

// objective returns the objective at the copies of the used parameters. It is incomplete when ctx
// ends.
func (d *localDescent) objective(ctx context.Context) float64 {
	n := d.now
	weights := make([]float64, len(d.z)*len(n.used)) // by samples
	for i, z := range d.z {
		own := weights[i*len(n.used) : (i+1)*len(n.used)]
		n.rootsAt(own, z)
		for u, root := range own {
			own[u] = root * root
		}
	}
	var loss, norms float64
	for at := range linalg.Rows(ctx, len(d.triplets)) {
		t := d.triplets[at]
		n.deltas(n.drawn, t)
		hinge := 1.0
		for u, weight := range weights[t.i*len(n.used) : (t.i+1)*len(n.used)] {
			hinge += weight * n.drawn[u]
		}
		loss += max(0, hinge)
	}
	for _, b := range n.used {
		norms += d.model.norm(b)
	}
	return d.beta*norms + loss/float64(len(d.triplets))
}

// step moves the parameters of the used directions against the gradient of the
// loss of t.
func (d *localDescent) step(t comparison) {
	n, z, hinge := &d.now, d.z[t.i], 1.0
	n.rootsAt(n.roots, z)
	n.deltas(n.drawn, t)
	for u, root := range n.roots {
		hinge += root * root * n.drawn[u]
	}
	if hinge <= 0 {
		return
	}
	for u, root := range n.roots {
		move := -d.length * 2 * root * n.drawn[u]
		n.c[u] += move
		floats.AddScaled(n.row(u), move, z)
	}
}
