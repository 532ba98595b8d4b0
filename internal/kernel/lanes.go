package kernel

// Lanes is the number of problems of one shape that the small dense algebra
// solves at a time. Entry (i, j) of the D×D matrix of problem p is at
//
//	(i·D + j)·Lanes + p
//
// so one entry of all problems is one vector. The result of a lane does not depend
// on the other lanes; an unused lane should be 0.
const Lanes = 8

// LanesLen returns the length of a slice with Lanes matrices of d×d.
func LanesLen(d int) int { return d * d * Lanes }

// SetLane copies the matrix m, by rows, to lane p of dst.
func SetLane(dst, m []float64, p int) {
	for i, v := range m {
		dst[i*Lanes+p] = v
	}
}

// GetLane copies lane p of src to the matrix m, by rows.
func GetLane(m, src []float64, p int) {
	for i := range m {
		m[i] = src[i*Lanes+p]
	}
}

// Mul writes the products C = A B of d×d matrices in lanes; c may not overlap
// the factors. c_ij = Σ_k a_ik b_kj is summed over k ascending from 0 by fused
// multiply-add.
func Mul(c, a, b []float64, d int) {
	size := LanesLen(d)
	square := stride{d, 1}
	multiply(c[:size], nil, a[:size], b[:size], d, d, strides{c: square, a: square, b: square})
}

// Step writes the descent steps dst = y − factor·g in lanes, by fused
// multiply-add of −factor, and to largest the largest |g| of each lane. dst
// may be y or g.
func Step(dst, y, g []float64, factor, largest *[Lanes]float64) {
	g, y = g[:len(dst)], y[:len(dst)]
	_ = dst[Lanes-1] // assembly needs at least one vector
	active.step(dst, y, g, factor, largest)
}

// Momentum writes the extrapolations y = next + factor·(next − prev) in lanes,
// by fused multiply-add of the rounded difference. y may be prev or next.
func Momentum(y, next, prev []float64, factor *[Lanes]float64) {
	next, prev = next[:len(y)], prev[:len(y)]
	_ = y[Lanes-1]
	active.momentum(y, next, prev, factor)
}

// A stride is the distance of neighboring vectors of a matrix in lanes: down a column
// and along a row.
type stride struct{ row, col int }

// strides are the strides of C (and its base), A and B in a product.
type strides struct{ c, a, b stride }

// productRows is the number of rows, and the least number of columns, that
// level.product computes in one call.
const productRows = 4

// multiply writes the upper left n×n part of C = A B, or of C = base − A B if
// base is given, where the sum has k terms.
func multiply(c, base, a, b []float64, n, k int, s strides) {
	if n < productRows {
		productAny(c, base, a, b, n, n, k, s)
		return
	}
	for i := 0; i < n; i += productRows {
		// If four does not divide n, the last rows are computed twice.
		i := min(i, n-productRows)
		var from []float64
		if base != nil {
			from = base[i*s.c.row*Lanes:]
		}
		active.product(c[i*s.c.row*Lanes:], from, a[i*s.a.row*Lanes:], b, n, k, s)
	}
}
