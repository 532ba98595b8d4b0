package r2lml

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A plain solver follows the formulas, pair by pair.
type plain struct{}

func (plain) setSimilarities(*blockDescent) {}

func (plain) release(*blockDescent) {}

func (plain) transforms(ctx context.Context, fits []*blockDescent) {
	for _, f := range fits {
		d := newDescent(f)
		for k := range f.l {
			if err := d.improve(ctx, f, k); err != nil {
				f.err = fmt.Errorf("metric %d: %w", k+1, err)
				break
			}
		}
	}
}

// products computes every entry of S̄^k anew.
func (plain) products(f *blockDescent) func(dst, v []float64, k int) {
	z := linalg.MapByEach(f.l, f.x)
	return func(dst, v []float64, k int) {
		clear(dst)
		for i := range dst {
			zi := z[k].RawRowView(i)
			for j := range i {
				if f.s.at(i, j) {
					e := linalg.SquaredDistance(zi, z[k].RawRowView(j))
					dst[i] += e * v[j]
					dst[j] += e * v[i]
				}
			}
		}
	}
}

func (plain) psi(f *blockDescent) func(m int) []float64 {
	z := linalg.MapByEach(f.l, f.x)
	row := make([]float64, f.s.n)
	return func(m int) []float64 {
		gm := f.g.RawRowView(m)
		for n := range row {
			gn := f.g.RawRowView(n)
			row[n] = 0
			for k, zk := range z {
				e := linalg.SquaredDistance(zk.RawRowView(m), zk.RawRowView(n))
				row[n] += gm[k]*gn[k]*e - f.setting.C*max(0, 1-e)
			}
		}
		return row
	}
}

func (plain) shares(f *blockDescent) []float64 {
	shares := make([]float64, len(f.l))
	for k, l := range f.l {
		g := f.g.Slice(0, f.s.n, k, k+1).(*mat.Dense)
		shares[k] = objective(f.x, f.s, []*mat.Dense{l}, g, f.setting.C, f.setting.Lambda)
	}
	return shares
}

func (plain) objective(f *blockDescent) float64 {
	return objective(f.x, f.s, f.l, f.g, f.setting.C, f.setting.Lambda)
}

// objective returns F of Eq. 4 over ordered pairs: every unordered pair counts
// twice. L holds K maps, g is N×K.
//
//	F = Σ_k Σ_mn [ s_mn g^k_m g^k_n E^k_mn + C (1 − s_mn) [1 − E^k_mn]₊ ] + λ Σ_k ‖L^k‖_*
func objective(x *mat.Dense, s similarity, l []*mat.Dense, g *mat.Dense, c, lambda float64) float64 {
	n, _ := x.Dims()
	var pairs, norms float64
	for k, lk := range l {
		z := linalg.MapRows(lk, x)
		norms += linalg.NuclearNorm(lk)
		for i := range n {
			for j := range i {
				e := linalg.SquaredDistance(z.RawRowView(i), z.RawRowView(j))
				if s.at(i, j) {
					pairs += g.At(i, k) * g.At(j, k) * e
				} else {
					pairs += c * max(0, 1-e)
				}
			}
		}
	}
	return 2*pairs + lambda*norms
}

// gradientTolerance ends block 1 when no entry of the gradient is larger.
const gradientTolerance = 1e-5

// divergence: block 1 fails when a map entry is larger, before squared distances
// overflow.
const divergence = 1e100

var errDivergence = fmt.Errorf("a matrix entry is no longer finite (beyond %g); take a smaller step", divergence)

// A descent is block 1 for one metric in the plain solver: proximal subgradient
// descent on L with the coefficients g and the similarities s held fixed,
//
//	min over L:  Σ_mn [ s_mn g_m g_n E_mn + C (1 − s_mn) [1 − E_mn]₊ ] + λ ‖L‖_*
type descent struct {
	x *mat.Dense // N×D samples
	s similarity
	g []float64 // N coefficients g^k

	c, lambda, step float64
	iterations      int
	momentum        bool

	k      int // the metric
	tracer *tracer

	z, cx *mat.Dense // scratch: mapped samples, weighted differences
}

func newDescent(f *blockDescent) *descent {
	n, d := f.x.Dims()
	return &descent{
		x: f.x, s: f.s,
		c: f.setting.C, lambda: f.setting.Lambda, step: float64(f.setting.Step),
		iterations: f.setting.Iterations, momentum: f.momentum, tracer: f.tracer,
		z: mat.NewDense(n, d, nil), cx: mat.NewDense(n, d, nil),
	}
}

// improve runs the descent on map k of a fit.
func (b *descent) improve(ctx context.Context, f *blockDescent, k int) error {
	b.k, b.g = k, mat.Col(nil, k, f.g)
	next, err := b.run(ctx, f.l[k])
	if err != nil {
		return err
	}
	f.l[k] = next
	if f.setting.Variant == Regularized { // guard.decide ends the block
		return nil
	}
	return f.tracer.blockEnded(1, k+1)
}

// run returns the last map of the descent from l. With momentum it is the
// extrapolated point, as in the authors' program.
func (b *descent) run(ctx context.Context, l *mat.Dense) (*mat.Dense, error) {
	y, p := mat.DenseCopyOf(l), mat.DenseCopyOf(l)
	for t := 1; t <= b.iterations; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		grad := b.gradient(y)
		if largest(grad) <= gradientTolerance {
			break
		}
		// P⁺ = prox_{ηλ‖·‖_*}(Y − η ∇f(Y))
		grad.Scale(-b.step, grad)
		grad.Add(grad, y)
		next, err := shrinkSingularValues(grad, b.step*b.lambda)
		if err != nil {
			return nil, fmt.Errorf("iteration %d: %w", t, err)
		}
		y.CloneFrom(next)
		if b.momentum {
			// Y = P⁺ + (t−1)/(t+2) (P⁺ − P)
			var move mat.Dense
			move.Sub(next, p)
			move.Scale(float64(t-1)/float64(t+2), &move)
			y.Add(y, &move)
		}
		p = next
		b.tracer.iterated(b.k, y)
	}
	return y, nil
}

// gradient returns the D×D gradient of the smooth part at y:
//
//	c_mn = s_mn g_m g_n − C (1 − s_mn) [E_mn < 1]
//	∇f(Y) = 2 Y Σ_mn c_mn (x_m − x_n)(x_m − x_n)ᵀ = 4 Y Σ_m x_m (Σ_n c_mn (x_m − x_n))ᵀ
func (b *descent) gradient(y *mat.Dense) *mat.Dense {
	b.z.Mul(b.x, y.T())
	b.cx.Zero()
	n, _ := b.x.Dims()
	for i := range n {
		for j := range i {
			if c := b.weight(i, j); c != 0 {
				b.addDifference(c, i, j)
			}
		}
	}
	var h, grad mat.Dense
	h.Mul(b.x.T(), b.cx)
	grad.Mul(y, &h)
	grad.Scale(4, &grad)
	return &grad
}

// weight returns c_ij for the mapped samples b.z.
func (b *descent) weight(i, j int) float64 {
	switch {
	case b.s.at(i, j):
		return b.g[i] * b.g[j]
	case linalg.SquaredDistance(b.z.RawRowView(i), b.z.RawRowView(j)) < 1:
		return -b.c
	}
	return 0
}

// addDifference adds c (x_i − x_j) to row i of b.cx and subtracts it from row j.
func (b *descent) addDifference(c float64, i, j int) {
	xi, xj := b.x.RawRowView(i), b.x.RawRowView(j)
	ri, rj := b.cx.RawRowView(i), b.cx.RawRowView(j)
	for d, v := range xi {
		diff := c * (v - xj[d])
		ri[d] += diff
		rj[d] -= diff
	}
}

// largest returns the largest absolute entry of a, NaN if one is NaN.
func largest(a *mat.Dense) float64 {
	var m float64
	for _, v := range a.RawMatrix().Data {
		m = max(m, math.Abs(v))
	}
	return m
}

// shrinkSingularValues returns the proximal map of tau‖·‖_* at a: each singular
// value s becomes max(s − tau, 0).
func shrinkSingularValues(a *mat.Dense, tau float64) (*mat.Dense, error) {
	if !(largest(a) <= divergence) {
		return nil, errDivergence
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil, errors.New("the singular value decomposition did not converge")
	}
	var u, v, result mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	sigma := svd.Values(nil)
	for k, s := range sigma {
		sigma[k] = math.Max(0, s-tau)
	}
	u.Mul(&u, mat.NewDiagDense(len(sigma), sigma))
	result.Mul(&u, v.T())
	return &result, nil
}
