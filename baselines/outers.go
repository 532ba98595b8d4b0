package baselines

import "gonum.org/v1/gonum/mat"

// addOuters adds Σ_n c_n v_n v_nᵀ to a, where the v_n stand in v one after the other. Every
// entry takes its terms (c_n v_ni) v_nj in the order of n, four of them in one pass.
func addOuters(a *mat.SymDense, c, v []float64) {
	raw := a.RawSymmetric()
	d := raw.N
	n := 0
	for ; n+4 <= len(c); n += 4 {
		v0, v1, v2, v3 := v[n*d:(n+1)*d], v[(n+1)*d:(n+2)*d], v[(n+2)*d:(n+3)*d], v[(n+3)*d:(n+4)*d]
		for i := range d {
			t0, t1, t2, t3 := c[n]*v0[i], c[n+1]*v1[i], c[n+2]*v2[i], c[n+3]*v3[i]
			row := raw.Data[i*raw.Stride+i : i*raw.Stride+d]
			w0, w1, w2, w3 := v0[i:][:len(row)], v1[i:][:len(row)], v2[i:][:len(row)], v3[i:][:len(row)]
			for j, sum := range row {
				row[j] = sum + t0*w0[j] + t1*w1[j] + t2*w2[j] + t3*w3[j]
			}
		}
	}
	for ; n < len(c); n++ {
		vn := v[n*d : (n+1)*d]
		for i, vi := range vn {
			t := c[n] * vi
			row := raw.Data[i*raw.Stride+i : i*raw.Stride+d]
			for j, w := range vn[i:] {
				row[j] += t * w
			}
		}
	}
}

// appendDifference appends a − b to dst.
func appendDifference(dst, a, b []float64) []float64 {
	for i, v := range a {
		dst = append(dst, v-b[i])
	}
	return dst
}
