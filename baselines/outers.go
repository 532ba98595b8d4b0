package baselines

import (
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// A packed is the upper triangle of a symmetric matrix, row after row without gaps.
type packed []float64

func packedLen(d int) int { return d * (d + 1) / 2 }

// pack appends the upper triangle of a to dst.
func pack(dst packed, a *mat.SymDense) packed {
	raw := a.RawSymmetric()
	for i := range raw.N {
		dst = append(dst, raw.Data[i*raw.Stride+i:i*raw.Stride+raw.N]...)
	}
	return dst
}

// unpacked returns the matrix of size d.
func (a packed) unpacked(d int) *mat.SymDense {
	s := mat.NewSymDense(d, nil)
	raw := s.RawSymmetric()
	for i := range d {
		copy(raw.Data[i*raw.Stride+i:i*raw.Stride+d], a)
		a = a[d-i:]
	}
	return s
}

// addOuters adds Σ_n c_n v_n v_nᵀ to a. v concatenates the v_n, of d entries each. Every
// entry sums its terms (c_n v_ni) v_nj in the order of n. factors is scratch of at least
// len(c) entries.
func (a packed) addOuters(d int, c, v, factors []float64) {
	factors = factors[:len(c)]
	for i := range d {
		for n, cn := range c {
			factors[n] = cn * v[n*d+i]
		}
		kernel.AddRows(a[:d-i], factors, v[i:], d)
		a = a[d-i:]
	}
}

// quadratics writes v_nᵀ A v_n to dst for the vectors v_n in v. For every row of the upper
// triangle the sum takes the product from the diagonal on, then that right of the diagonal.
func (a packed) quadratics(dst []float64, d int, v, products []float64) {
	clear(dst)
	for i := range d {
		for from := i; from < min(i+2, d); from++ {
			kernel.Dots(products, v[from:], d, a[from-i:d-i])
			for n, product := range products {
				dst[n] += v[n*d+i] * product
			}
		}
		a = a[d-i:]
	}
}

// appendDifference appends a − b to dst.
func appendDifference(dst, a, b []float64) []float64 {
	for i, v := range a {
		dst = append(dst, v-b[i])
	}
	return dst
}
