package kernel

import "math"

// Dots writes the products of v and the rows at rows[r*ld:] to dst. A sum has four chains:
// chain c takes the entries k with k%4 = c of all whole fours, and chain 0 also the entries
// after them. The result is (s₁ + s₃) + (s₀ + s₂).
func Dots(dst, rows []float64, ld int, v []float64) {
	if len(dst) == 0 {
		return
	}
	_ = rows[:(len(dst)-1)*ld+len(v)]
	active.dots(dst, rows, ld, v)
}

// AddRows adds rows times numbers to dst: dst_j + c_0 r_0j + c_1 r_1j + ..., from left to
// right, where row i starts at rows[i*ld:].
func AddRows(dst, c, rows []float64, ld int) {
	if len(dst) == 0 || len(c) == 0 {
		return
	}
	_ = rows[:(len(c)-1)*ld+len(dst)]
	active.addRows(dst, c, rows, ld)
}

// RotateDown rotates the rows x_r and x_r+1 of z, which start at z[r*ld:], by c_r and s_r,
// for r = 0, 1, ...:
//
//	x_r ← s_r x_r+1 + c_r x_r,   x_r+1 ← c_r x_r+1 − s_r x_r
func RotateDown(z []float64, ld, columns int, c, s []float64) {
	if len(c) == 0 || columns == 0 {
		return
	}
	_, s = z[:len(c)*ld+columns], s[:len(c)]
	active.rotateDown(z, ld, columns, c, s)
}

// RotateUp is RotateDown from the last rows to the first.
func RotateUp(z []float64, ld, columns int, c, s []float64) {
	if len(c) == 0 || columns == 0 {
		return
	}
	_, s = z[:len(c)*ld+columns], s[:len(c)]
	active.rotateUp(z, ld, columns, c, s)
}

// Exp writes the exponentials of x to dst, which may be x. They have the bits of math.Exp.
func Exp(dst, x []float64) {
	dst = dst[:len(x)]
	for len(x) > 0 {
		done := active.exp(dst, x)
		rest := min(4, len(x)-done) // extreme numbers, infinities, NaN, or the last ones
		for i := done; i < done+rest; i++ {
			dst[i] = math.Exp(x[i])
		}
		dst, x = dst[done+rest:], x[done+rest:]
	}
}

// Padded rounds n up to whole vectors, the lengths of Pulls and Average.
func Padded(n int) int { return (n + Lanes - 1) / Lanes * Lanes }

// Pulls writes dst = (i − j)² − (i − k)² entry by entry. The length of dst is Padded.
func Pulls(dst, i, j, k []float64) {
	i, j, k = i[:len(dst)], j[:len(dst)], k[:len(dst)]
	if len(dst) > 0 {
		active.pulls(dst[:Padded(len(dst))], i, j, k)
	}
}

// Average adds delta to a mean of s gradients and computes the weights, entry by entry:
//
//	mean ← ((s−1) mean + delta)/s,   w = max(0, scale (−mean − beta))
//
// The factors are s−1, s, scale and beta. The length of delta is Padded.
func Average(mean, w, delta []float64, factors *[4]float64) {
	mean, w = mean[:len(delta)], w[:len(delta)]
	if len(delta) > 0 {
		active.average(mean, w, delta[:Padded(len(delta))], factors)
	}
}
