package baselines

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Proximal says how the norm of a direction's parameters is shrunk in
// SCML-local.
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
}

// run returns the best model met at the evaluations of the objective, and the
// objectives. The proximal map comes once before each evaluation, for all the
// steps between two of them.
func (d *localDescent) run(ctx context.Context, s schedule) (best localModel, objectives []float64, err error) {
	least := math.Inf(1)
	best = d.model.clone()
	used := d.model.used()
	drawn := make([]pull, len(d.model.c))
	for i := range s.iterations {
		if i%s.check == 0 {
			if err := ctx.Err(); err != nil {
				return best, nil, err
			}
			d.shrink(float64(s.check) * d.length * d.beta)
			used = d.model.used()
			value := d.objective(used)
			objectives = append(objectives, value)
			if value < least {
				least, best = value, d.model.clone()
			}
		}
		d.step(d.triplets[s.draw()], used, drawn[:len(used)])
	}
	return best, objectives, nil
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

func (d *localDescent) objective(used []int) float64 {
	weights := make([][]float64, len(d.z)) // N×len(used)
	for i, z := range d.z {
		for _, b := range used {
			root := d.model.root(b, z)
			weights[i] = append(weights[i], root*root)
		}
	}
	var loss, norms float64
	for _, t := range d.triplets {
		hinge, at := 1.0, d.standing(t)
		for u, b := range used {
			hinge += weights[t.i][u] * at.delta(b)
		}
		loss += max(0, hinge)
	}
	for _, b := range used {
		norms += d.model.norm(b)
	}
	return d.beta*norms + loss/float64(len(d.triplets))
}

// A pull is what a triplet has to say about a direction: a_b·z + c_b and δ_b.
type pull struct{ root, delta float64 }

// step moves the parameters against the gradient of the loss of t, in the
// directions used; drawn is scratch space, one place for each of them.
func (d *localDescent) step(t comparison, used []int, drawn []pull) {
	z, at, hinge := d.z[t.i], d.standing(t), 1.0
	for u, b := range used {
		p := pull{d.model.root(b, z), at.delta(b)}
		drawn[u] = p
		hinge += p.root * p.root * p.delta
	}
	if hinge <= 0 {
		return
	}
	for u, b := range used {
		move := -d.length * 2 * drawn[u].root * drawn[u].delta
		d.model.c[b] += move
		floats.AddScaled(d.model.a[b], move, z)
	}
}
