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
// in the form A − A V min(1, τ/Σ) Vᵀ, whose errors are proportional to τ. It
// keeps V from one call to the next: when A has moved little, the columns of
// A V are nearly orthogonal, and either first-order perturbation theory or a
// single sweep of rotations does the rest. A lane's result depends on the
// calls for that lane since its last Reset only, bit for bit, whatever is in
// other lanes. A Prox is for one goroutine at a time.
type Prox struct {
	basis
	level  *level
	sweeps [Lanes]int // since V was the identity

	g, psi, t, root []float64 // WᵀW, Ψ, W Ψ; norms of columns
	scaled          []float64 // A with a power of 2 taken out, where needed

	// By lane: that power, τ in its unit, the trace of WᵀW, which columns
	// count as 0, which lanes are to be rotated, and how far they are.
	unit, tau, trace, floor, bound, active vector
	residual                               residual
}

// NewProx returns a Prox for matrices of d×d.
func NewProx(d int) *Prox { return newProx(d, active) }

func newProx(d int, v *level) *Prox {
	size := LanesLen(d)
	return &Prox{
		basis: newBasis(d), level: v,
		g: make([]float64, size), psi: make([]float64, size), t: make([]float64, size),
		root: make([]float64, 2*d*Lanes), scaled: make([]float64, size),
	}
}

// Reset makes lane p forget the calls before: do it when another problem takes
// over the lane.
func (x *Prox) Reset(p int) {
	x.reset(p)
	x.sweeps[p] = 0
}

const (
	// maxSweeps bounds the sweeps of one call; seven to ten are usual for a
	// matrix that was never seen.
	maxSweeps = 60
	// renewAfter sweeps V starts from the identity again, so that rounding
	// never makes it much less than orthogonal.
	renewAfter = 400
	// Squared norms are kept between 2^-200 and 2^200.
	tooSmall, tooLarge = 0x1p-200, 0x1p200
	// negligible times the squared norm of A is what a column's must exceed.
	negligible = 0x1p-106
	// precision times the norm of A is the error allowed.
	precision        = 1e-14
	nuclearPrecision = 1e-13
)

// Apply writes prox_τ(A) of every lane to dst, which may not overlap a, with
// τ = tau[p] ≥ 0 in lane p. τ = 0 gives A itself. If norms is not nil it
// becomes the nuclear norms of the results. The error of an entry is within
// 1e-11·τ plus D roundings of the largest entry of A. An error is returned if
// an entry is not finite or a τ is negative or not finite; dst then holds
// nothing useful.
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

// prepare sets W and all that depends on units, and returns A in them.
func (x *Prox) prepare(a []float64, tau *vector) ([]float64, error) {
	x.turn(a)
	x.unit, x.tau = vector{1, 1, 1, 1, 1, 1, 1, 1}, *tau
	if outside(&x.trace) {
		if err := x.rescale(a); err != nil {
			return nil, err
		}
		a = x.scaled
		x.turn(a)
		for p, u := range x.unit {
			x.tau[p] /= u
		}
	}
	for p, v := range x.trace {
		x.floor[p] = v * negligible
		x.bound[p] = math.Sqrt(v) * precision
	}
	return a, nil
}

// turn sets W = A V, G = WᵀW and its trace.
func (x *Prox) turn(a []float64) {
	square := stride{x.d, 1}
	x.level.multiply(x.w(), nil, a, x.v(), x.d, x.d, strides{c: x.plain(), a: square, b: x.plain()})
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
		x.level.product(x.g[(i*x.d+i)*Lanes:], nil, column, column, x.d-i, x.d, s)
	}
}

// outside reports whether a squared norm asks for another unit.
func outside(trace *vector) bool {
	for _, v := range trace {
		if !(v >= tooSmall && v <= tooLarge) {
			return true
		}
	}
	return false
}

// rescale divides each lane whose trace is out of bounds by a power of 2 near
// its largest entry, into x.scaled and x.unit.
func (x *Prox) rescale(a []float64) error {
	copy(x.scaled, a)
	for p, v := range x.trace {
		if v >= tooSmall && v <= tooLarge {
			continue
		}
		largest := 0.0
		for i := p; i < len(a); i += Lanes {
			if math.IsNaN(a[i]) || math.IsInf(a[i], 0) {
				return fmt.Errorf("kernel: proximal map: lane %d has the entry %v; take a smaller step", p, a[i])
			}
			largest = math.Max(largest, math.Abs(a[i]))
		}
		if largest == 0 {
			continue
		}
		_, exponent := math.Frexp(largest)
		x.unit[p] = math.Ldexp(1, exponent-1)
		for i := p; i < len(a); i += Lanes {
			x.scaled[i] = a[i] / x.unit[p]
		}
	}
	return nil
}

// errRotations is not known to occur.
var errRotations = errors.New("kernel: proximal map: Jacobi's rotations did not converge")

// orthogonalize rotates the columns of W until Ψ is exact enough, each lane
// by itself.
func (x *Prox) orthogonalize(strict bool) error {
	for range maxSweeps {
		x.level.shrink(x.psi, x.g, x.root, x.d, &x.tau, &x.floor, &x.bound, &x.residual)
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
		x.level.sweep(x.columns, x.order, x.d, &x.active, &x.floor)
		x.gram()
	}
	return errRotations
}

// serves reports whether Ψ is exact enough in lane p, and, if strict, whether
// the nuclear norm is, whose error is about Σ η² in proportion.
func (x *Prox) serves(p int, strict bool) bool {
	r, bound := &x.residual, x.bound[p]
	if strict && !(r[off][p] <= nuclearPrecision) {
		return false
	}
	return r[clash][p] == 0 && r[off][p]*x.tau[p] <= bound && r[lever][p]*r[spill][p] <= bound*bound
}

// finish sets dst = A − W Ψ Vᵀ.
func (x *Prox) finish(dst, a []float64) {
	square := stride{x.d, 1}
	x.level.multiply(x.t, nil, x.w(), x.psi, x.d, x.d, strides{c: square, a: x.plain(), b: square})
	x.level.multiply(dst, a, x.t, x.v(), x.d, x.d, strides{c: square, a: square, b: x.transposed()})
}

// restore takes lane p of dst back to the unit of a.
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
