package kernel

import (
	"errors"
	"fmt"
	"math"
)

// A Prox computes proximal maps of the nuclear norm for Lanes matrices of one
// shape at a time,
//
//	prox_τ(A) = argmin_B ½|A − B|² + τ‖B‖_* = U max(0, Σ − τ) Vᵀ,  A = U Σ Vᵀ
//
// in the form A − W Ψ Vᵀ with W = A V and Ψ = min(1, τ (WᵀW)^(−1/2)). Sweeps of
// one-sided Jacobi rotations make the columns of W orthogonal, and so Ψ diagonal,
// but only until first-order perturbation theory is exact enough for the rest;
// singular values below τ are not separated. V is kept from one call to the next,
// because the A of a solver changes little.
//
// The bits of a lane depend only on the calls for that lane since its last Reset, not on other
// lanes. A call makes as many sweeps as its hardest lane needs, so lanes should be alike. A Prox is
// not safe for concurrent use.
type Prox struct {
	basis
	sweeps [Lanes]int // since V was the identity

	g, psi, t, root []float64 // WᵀW, Ψ, W Ψ; norms of columns
	scaled          []float64 // A with a power of 2 taken out, where needed

	// By lane: the power of 2, τ divided by it, the trace of WᵀW, the squared norm up to
	// which a column counts as 0, the allowed error, and 1 for lanes to rotate.
	unit, tau, trace, floor, bound, active vector
	residual                               residual
}

// NewProx returns a Prox for matrices of d×d.
func NewProx(d int) *Prox {
	size := LanesLen(d)
	return &Prox{
		basis: newBasis(d), g: make([]float64, size), psi: make([]float64, size), t: make([]float64, size),
		root: make([]float64, 2*d*Lanes), scaled: make([]float64, size),
	}
}

// Reset clears the state of lane p. Call it when another problem uses the lane.
func (x *Prox) Reset(p int) {
	x.reset(p)
	x.sweeps[p] = 0
}

const (
	// maxSweeps bounds the sweeps of one call. Five or six are usual for a new
	// matrix; the largest number observed is 14.
	maxSweeps = 60
	// renewAfter: V starts from the identity again after this number of sweeps, so
	// that rounding keeps it orthogonal.
	renewAfter = 400
	// Squared norms are kept between 2^-200 and 2^200.
	tooSmall, tooLarge = 0x1p-200, 0x1p200
	// negligible: a column counts as 0 if its squared norm is at most this times that
	// of A.
	negligible = 0x1p-106
	// The allowed error is precision times the Frobenius norm of A, and that of the
	// nuclear norm nuclearPrecision times it.
	precision        = 1e-14
	nuclearPrecision = 1e-13
)

// Apply writes prox_τ(A) of every lane to dst, which may not overlap a, with
// τ = tau[p] ≥ 0 in lane p. τ = 0 gives A itself. If norms is not nil it
// becomes the nuclear norms of the results, which may cost a sweep more and
// change the last bits of dst.
//
// Entries are within 1e-13·σ₁ and norms within 1e-12·σ₁ of the exact values, where
// σ₁ is the largest singular value of A. The largest errors measured were 9.4e-14
// and 5.7e-13, for D ≤ 24, badly scaled matrices, some of low rank, and τ within
// clusters of singular values. Apply fails if an entry is not finite or a τ is
// negative or not finite; dst is then invalid.
func (x *Prox) Apply(dst, a []float64, tau, norms *[Lanes]float64) error {
	size := LanesLen(x.d)
	dst, a = dst[:size], a[:size]
	for p, t := range tau {
		if !(t >= 0) || math.IsInf(t, 1) {
			return fmt.Errorf("kernel: proximal map: lane %d has τ = %v, want a finite number ≥ 0", p, t)
		}
		if x.sweeps[p] > renewAfter {
			x.Reset(p)
		}
	}
	from, err := x.prepare(a, tau)
	if err != nil {
		return err
	}
	if err := x.orthogonalize(norms != nil); err != nil {
		return err
	}
	x.finish(dst, from)
	for p := range Lanes {
		restore(dst, a, p, x.unit[p], tau[p])
		if norms != nil {
			norms[p] = x.residual[nuclear][p] * x.unit[p]
		}
	}
	return nil
}

// prepare scales A and τ, sets W, and returns the scaled A.
func (x *Prox) prepare(a []float64, tau *vector) ([]float64, error) {
	x.unit = vector{1, 1, 1, 1, 1, 1, 1, 1}
	x.turn(a)
	if outside(&x.trace) {
		changed, err := x.rescale(a)
		if err != nil {
			return nil, err
		}
		if changed {
			a = x.scaled
			x.turn(a)
		}
	}
	for p, v := range x.trace {
		x.tau[p] = min(tau[p]/x.unit[p], tooLarge)
		x.floor[p] = v * negligible
		x.bound[p] = math.Sqrt(v) * precision
	}
	return a, nil
}

// turn sets W = A V, G = WᵀW and its trace.
func (x *Prox) turn(a []float64) {
	square := stride{x.d, 1}
	multiply(x.w(), nil, a, x.v(), x.d, x.d, strides{c: x.plain(), a: square, b: x.plain()})
	x.gram()
	x.trace = vector{}
	for i := range x.d {
		for p, v := range at(x.g, i*x.d+i) {
			x.trace[p] += v
		}
	}
}

// gram sets the upper triangle of G = WᵀW.
func (x *Prox) gram() {
	w := x.w()
	square := stride{x.d, 1}
	s := strides{c: square, a: x.transposed(), b: x.plain()}
	if x.d < productRows {
		productAny(x.g, nil, w, w, x.d, x.d, x.d, s)
		return
	}
	for i := 0; i < x.d; i += productRows {
		i := min(i, x.d-productRows)
		column := w[i*x.ld*Lanes:]
		active.product(x.g[(i*x.d+i)*Lanes:], nil, column, column, x.d-i, x.d, s)
	}
}

// outside reports whether a squared norm is outside [tooSmall, tooLarge].
func outside(trace *vector) bool {
	for _, v := range trace {
		if !(v >= tooSmall && v <= tooLarge) {
			return true
		}
	}
	return false
}

// rescale divides each lane whose trace is out of bounds by a power of 2 near
// its largest entry. It sets x.scaled and x.unit and reports whether a lane that
// is not 0 was divided.
func (x *Prox) rescale(a []float64) (changed bool, err error) {
	copy(x.scaled, a)
	for p, v := range x.trace {
		if v >= tooSmall && v <= tooLarge {
			continue
		}
		largest, ok := largestOf(a, p)
		if !ok {
			return false, fmt.Errorf("kernel: proximal map: lane %d has an entry that is not finite; take a smaller step", p)
		}
		if largest == 0 {
			continue
		}
		changed = true
		_, exponent := math.Frexp(largest)
		x.unit[p] = math.Ldexp(1, exponent-1)
		for i := p; i < len(a); i += Lanes {
			x.scaled[i] = a[i] / x.unit[p]
		}
	}
	return changed, nil
}

// largestOf returns the largest size of an entry of lane p, and whether all
// are finite.
func largestOf(a []float64, p int) (largest float64, finite bool) {
	for i := p; i < len(a); i += Lanes {
		v := math.Abs(a[i])
		if !(v <= math.MaxFloat64) {
			return v, false
		}
		largest = math.Max(largest, v)
	}
	return largest, true
}

// errRotations has never been observed.
var errRotations = errors.New("kernel: proximal map: Jacobi's rotations did not converge")

// orthogonalize rotates the columns of W until Ψ is exact enough, each lane
// by itself.
func (x *Prox) orthogonalize(strict bool) error {
	for range maxSweeps {
		active.shrink(x.psi, x.g, x.root, x.d, &x.tau, &x.floor, &x.bound, &x.residual)
		done := true
		for p := range Lanes {
			x.active[p] = 0
			if !x.serves(p, strict) {
				x.active[p], done = 1, false
				x.sweeps[p]++
			}
		}
		if done {
			return nil
		}
		active.sweep(x.columns, x.pairs, x.quads, x.d, &x.active, &x.floor)
		x.gram()
	}
	return errRotations
}

// serves reports whether Ψ is exact enough in lane p, which it is if τ is negligible. If strict,
// the nuclear norm must be exact too; its relative error is about Σ η².
func (x *Prox) serves(p int, strict bool) bool {
	r, bound, tau := &x.residual, x.bound[p], x.tau[p]
	if strict && !(r[off][p] <= nuclearPrecision) {
		return false
	}
	if tau*float64(x.d) <= bound {
		return true
	}
	return r[clash][p] == 0 && r[off][p]*tau <= bound && r[lever][p]*r[spill][p] <= bound*bound
}

// finish sets dst = A − W Ψ Vᵀ.
func (x *Prox) finish(dst, a []float64) {
	square := stride{x.d, 1}
	multiply(x.t, nil, x.w(), x.psi, x.d, x.d, strides{c: square, a: x.plain(), b: square})
	multiply(dst, a, x.t, x.v(), x.d, x.d, strides{c: square, a: square, b: x.transposed()})
}

// restore multiplies lane p of dst by the power of 2 again.
func restore(dst, a []float64, p int, unit, tau float64) {
	switch {
	case tau == 0:
		for i := p; i < len(dst); i += Lanes {
			dst[i] = a[i]
		}
	case unit != 1:
		for i := p; i < len(dst); i += Lanes {
			dst[i] *= unit
		}
	}
}
