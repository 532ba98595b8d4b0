package baselines

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// multiplierTolerance ends the sweeps when the multipliers change by less,
	// relative to their size.
	multiplierTolerance = 0.01
	// mostProjections ends the sweeps after more projections.
	mostProjections = 100_000
)

// A bregman is the state of ITML's cyclic Bregman projections. They are exact
// coordinate ascent on the dual problem
//
//	max over λ ≥ 0:  log det(I + Σ_c δ_c λ_c v_c v_cᵀ) + γ Σ_c log(1 − δ_c λ_c b_c/γ)
//
// At all times A⁻¹ = I + Σ δ_c λ_c v_c v_cᵀ and 1/ξ_c = 1/b_c − δ_c λ_c/γ.
type bregman struct {
	pairs
	gamma float64
	share float64 // ρ = γ/(γ+1)

	a            *mat.Dense // D×D metric, symmetric to the last bit
	lambda       []float64  // λ, one per pair
	inverseSlack []float64  // 1/ξ

	av []float64 // scratch: D

	settledDown bool // the multipliers settled within mostProjections
}

// newBregman starts at λ = 0, ξ = b, A = I.
func newBregman(c pairs, d int, gamma float64) *bregman {
	b := &bregman{
		pairs: c, gamma: gamma, share: gamma / (gamma + 1),
		a:            identity(d),
		lambda:       make([]float64, len(c.v)),
		inverseSlack: make([]float64, len(c.v)),
		av:           make([]float64, d),
	}
	if math.IsInf(gamma, 1) {
		b.share = 1
	}
	for i, bound := range c.bound {
		b.inverseSlack[i] = 1 / bound
	}
	return b
}

// run sweeps until the multipliers settle or the projections are used up. The
// metric it leaves is finite with a positive diagonal.
func (b *bregman) run(ctx context.Context) error {
	old := slices.Clone(b.lambda)
	for sweeps := 1; ; sweeps++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.sweep()
		// The published program counts from 0, so its counter is one lower.
		if b.settledDown = b.settled(old); b.settledDown || sweeps*len(b.v)-1 > mostProjections {
			return b.check()
		}
		copy(old, b.lambda)
	}
}

// settled compares the multipliers with those before the sweep.
func (b *bregman) settled(old []float64) bool {
	size := floats.Norm(b.lambda, 2) + floats.Norm(old, 2)
	return size == 0 || floats.Distance(b.lambda, old, 1)/size < multiplierTolerance
}

// sweep projects onto every constraint once, in order.
func (b *bregman) sweep() {
	for c := range b.v {
		b.project(c)
	}
}

// project moves A to the nearest metric that meets constraint c:
//
//	p = vᵀAv,  α = min(λ, δρ(1/p − 1/ξ)),  λ ← λ − α
//	1/ξ ← 1/ξ + δα/γ
//	A ← A + β (Av)(Av)ᵀ,  β = δα/(1 − δαp)
func (b *bregman) project(c int) {
	v, side := b.v[c], b.side[c]
	for i := range b.av {
		b.av[i] = floats.Dot(b.a.RawRowView(i), v)
	}
	p := floats.Dot(v, b.av)
	alpha := min(b.lambda[c], side*b.share*(1/p-b.inverseSlack[c]))
	b.lambda[c] -= alpha
	b.inverseSlack[c] += side * alpha / b.gamma
	b.addOuter(side * alpha / (1 - side*alpha*p))
}

// addOuter adds beta (Av)(Av)ᵀ to A. The factor is shared between both sides of
// the product, so that A stays symmetric.
func (b *bregman) addOuter(beta float64) {
	if beta == 0 {
		return
	}
	floats.Scale(math.Sqrt(math.Abs(beta)), b.av)
	sign := math.Copysign(1, beta)
	for i, v := range b.av {
		floats.AddScaled(b.a.RawRowView(i), sign*v, b.av)
	}
}

// check reports what rounding may have done to a nearly singular A.
func (b *bregman) check() error {
	for _, v := range b.a.RawMatrix().Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("gamma %g: the metric is not finite; take a smaller gamma", b.gamma)
		}
	}
	for i := range b.av {
		if b.a.At(i, i) <= 0 {
			return fmt.Errorf("gamma %g: the metric is singular to rounding; take a smaller gamma", b.gamma)
		}
	}
	return nil
}
