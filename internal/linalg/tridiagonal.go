package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	lapackgo "gonum.org/v1/gonum/lapack/gonum"

	"r2lmlbench/internal/kernel"
)

// The decomposition is that of LAPACK's Dsyev, bit for bit: Householder reflections to
// tridiagonal form, then implicit QL or QR steps. We do the steps ourselves for two reasons.
// LAPACK rotates columns of eigenvectors, whose entries are far apart in memory; here they
// are rows. And Dsteqr of gonum 0.17 (lapack/gonum/dsteqr.go) sets iscale to 0 once, before
// the loop over blocks, where the reference sets it for each block: after a block that it
// scales, the next ones are scaled back though they never were, and eigenvalues of 1 come
// out as 1e122.

var routines lapackgo.Implementation

// epsilon is the relative rounding error; smallest the least number with a finite inverse.
const (
	epsilon  = 0x1p-53
	smallest = 0x1p-1022
)

// decompose replaces a by its eigenvectors, as columns, and writes the ascending
// eigenvalues to values. unit is that of the entries of a, see scaleOf; work has the length of
// the workspace of Dsyev. It returns false when the iteration does not converge.
func decompose(a blas64.Symmetric, unit float64, values, work []float64) bool {
	n := a.N
	scale(a.Data, 1/unit)
	off, tau, rest := work[:n], work[n:2*n], work[2*n:]
	routines.Dsytrd(blas.Upper, n, a.Data, a.Stride, values, off[:n-1], tau[:n-1], rest, len(rest))
	routines.Dorgtr(blas.Upper, n, a.Data, a.Stride, tau[:n-1], rest, len(rest))
	t := newTridiagonal(values, off[:n-1], a.Data)
	if !t.solve() {
		return false
	}
	t.sort()
	copy(values, t.d)
	scale(values, unit)
	transpose(a.Data, t.z, n)
	return true
}

// scaleOf returns 1 or, if squares of entries might overflow or underflow, the power of two that
// divides the largest entry into [0.5, 1), without rounding.
func scaleOf(largest float64) float64 {
	if largest == 0 || largest >= 0x1p-400 && largest <= 0x1p400 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, min(max(exponent, -1022), 1023)) // finite, and so is its inverse
}

func scale(values []float64, by float64) {
	if by != 1 {
		floats.Scale(by, values)
	}
}

func transpose(dst, src []float64, n int) {
	for i := range n {
		for j, v := range src[i*n : (i+1)*n] {
			dst[j*n+i] = v
		}
	}
}

// A tridiagonal is a symmetric tridiagonal matrix on its way to a diagonal one.
type tridiagonal struct {
	n     int
	d, e  []float64 // diagonal and subdiagonal
	z     []float64 // row i becomes the eigenvector of d_i
	c, s  []float64 // rotations of rows i and i+1 by the last step
	steps int       // left
}

func newTridiagonal(d, e, q []float64) *tridiagonal {
	n := len(d)
	own := make([]float64, n*n+4*n)
	t := &tridiagonal{n: n, z: own[:n*n], steps: 30 * n}
	own = own[n*n:]
	t.d, t.e, t.c, t.s = own[:n], own[n:2*n], own[2*n:3*n], own[3*n:]
	copy(t.d, d)
	copy(t.e, e)
	transpose(t.z, q, n)
	return t
}

// solve makes the matrix diagonal, block by block, each in a unit of its own. It returns
// false if the steps run out.
func (t *tridiagonal) solve() bool {
	for first := 0; first < t.n; {
		last := t.endOfBlock(first)
		if size := t.size(first, last); last > first && size != 0 {
			unit := scaleOf(size)
			scale(t.d[first:last+1], 1/unit)
			scale(t.e[first:last], 1/unit)
			if !t.reduce(first, last) {
				return false
			}
			scale(t.d[first:last+1], unit)
		}
		if first = last + 1; first < t.n {
			t.e[last] = 0
		}
	}
	return true
}

// endOfBlock returns the last row of the block that begins at first.
func (t *tridiagonal) endOfBlock(first int) int {
	for m := first; m < t.n-1; m++ {
		size := math.Abs(t.e[m])
		if size == 0 {
			return m
		}
		if size <= (math.Sqrt(math.Abs(t.d[m]))*math.Sqrt(math.Abs(t.d[m+1])))*epsilon {
			t.e[m] = 0
			return m
		}
	}
	return t.n - 1
}

// size returns the largest absolute value of a block.
func (t *tridiagonal) size(first, last int) float64 {
	largest := math.Abs(t.d[last])
	for i := first; i < last; i++ {
		largest = max(largest, math.Abs(t.d[i]), math.Abs(t.e[i]))
	}
	return largest
}

// reduce makes a block diagonal, from its smaller end l on: by QL steps if l is the first
// row, by QR steps, their mirror image, if it is the last.
func (t *tridiagonal) reduce(first, last int) bool {
	l, end, up := first, last, 1
	if math.Abs(t.d[last]) < math.Abs(t.d[first]) {
		l, end, up = last, first, -1
	}
	for (end-l)*up >= 0 {
		m := t.decoupled(l, end, up)
		if m != end {
			t.e[min(m, m+up)] = 0
		}
		switch m {
		case l:
			l += up
		case l + up:
			t.solvePair(min(l, m), up)
			l += 2 * up
		default:
			if t.steps == 0 {
				return false
			}
			t.steps--
			t.step(l, m, up)
		}
	}
	return true
}

// decoupled returns the first row from l on with a negligible off-diagonal entry.
func (t *tridiagonal) decoupled(l, end, up int) int {
	for m := l; m != end; m += up {
		v := math.Abs(t.e[min(m, m+up)])
		if v*v <= (epsilon*epsilon*math.Abs(t.d[m]))*math.Abs(t.d[m+up])+smallest {
			return m
		}
	}
	return end
}

// solvePair solves the block of the rows i and i+1.
func (t *tridiagonal) solvePair(i, up int) {
	t.d[i], t.d[i+1], t.c[i], t.s[i] = routines.Dlaev2(t.d[i], t.e[i], t.d[i+1])
	t.e[i] = 0
	t.rotate(i, i+1, up)
}

// step is an implicit step from row m to row l with the shift of Wilkinson.
func (t *tridiagonal) step(l, m, up int) {
	d, e := t.d, t.e
	beside := min(l, l+up)
	p := d[l]
	g := (d[l+up] - p) / (2 * e[beside])
	g = d[m] - p + e[beside]/(g+math.Copysign(routines.Dlapy2(g, 1), g))
	s, c := 1.0, 1.0
	p = 0
	for far := m; far != l; far -= up {
		near := far - up
		edge := min(far, near)
		f, b := s*e[edge], c*e[edge]
		var r float64
		c, s, r = planeRotation(g, f)
		if far != m {
			e[edge+up] = r
		}
		g = d[far] - p
		r = (d[near]-g)*s + 2*c*b
		p = s * r
		d[far] = g + p
		g = c*r - b
		t.c[edge], t.s[edge] = c, s
		if up > 0 {
			t.s[edge] = -s
		}
	}
	t.rotate(min(l, m), max(l, m), up)
	d[l] -= p
	e[beside] = g
}

// planeRotation is LAPACK's Dlartg: c f + s g = r and c g = s f.
func planeRotation(f, g float64) (c, s, r float64) {
	const least, most = 0x1p-511, 0x1p510
	f1, g1 := math.Abs(f), math.Abs(g)
	if !(least < f1 && f1 < most && least < g1 && g1 < most) {
		return routines.Dlartg(f, g)
	}
	d := math.Sqrt(f*f + g*g)
	r = math.Copysign(d, f)
	return f1 / d, g / r, r
}

// rotate rotates the rows first to last of z, beginning with the last ones if up > 0. It
// skips identity rotations, because they could change the sign of a 0.
func (t *tridiagonal) rotate(first, last, up int) {
	rotate := kernel.RotateDown
	if up > 0 {
		rotate = kernel.RotateUp
	}
	for first < last {
		from, to := first, last
		nothing := t.nothing(first, last, up)
		if nothing >= 0 && up > 0 {
			from = nothing + 1
		} else if nothing >= 0 {
			to = nothing
		}
		rotate(t.z[from*t.n:], t.n, t.n, t.c[from:to], t.s[from:to])
		switch {
		case nothing < 0:
			return
		case up > 0:
			last = nothing
		default:
			first = nothing + 1
		}
	}
}

// nothing returns the index of the first identity rotation in the order of rotate, −1 if there is
// none.
func (t *tridiagonal) nothing(first, last, up int) int {
	found := -1
	for i := first; i < last; i++ {
		if t.c[i] == 1 && t.s[i] == 0 {
			if found = i; up < 0 {
				return i
			}
		}
	}
	return found
}

// sort puts the eigenvalues in ascending order.
func (t *tridiagonal) sort() {
	for i := range t.n - 1 {
		least := i
		for j := i + 1; j < t.n; j++ {
			if t.d[j] < t.d[least] {
				least = j
			}
		}
		if least != i {
			t.d[i], t.d[least] = t.d[least], t.d[i]
			blas64.Swap(t.row(i), t.row(least))
		}
	}
}

func (t *tridiagonal) row(i int) blas64.Vector {
	return blas64.Vector{N: t.n, Data: t.z[i*t.n : (i+1)*t.n], Inc: 1}
}
