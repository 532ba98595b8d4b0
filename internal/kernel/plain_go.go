package kernel

func dotsGo(dst, rows []float64, ld int, v []float64) {
	whole := len(v) &^ 3
	for r := range dst {
		row := rows[r*ld:][:len(v)]
		var s0, s1, s2, s3 float64
		for k := 0; k < whole; k += 4 {
			s0 += float64(row[k] * v[k])
			s1 += float64(row[k+1] * v[k+1])
			s2 += float64(row[k+2] * v[k+2])
			s3 += float64(row[k+3] * v[k+3])
		}
		for k := whole; k < len(v); k++ {
			s0 += float64(row[k] * v[k])
		}
		dst[r] = (s1 + s3) + (s0 + s2)
	}
}

// addRowsGo takes four rows at a time.
func addRowsGo(dst, c, rows []float64, ld int) {
	r := 0
	for ; r+4 <= len(c); r += 4 {
		c0, c1, c2, c3 := c[r], c[r+1], c[r+2], c[r+3]
		r0, r1, r2, r3 := rows[r*ld:][:len(dst)], rows[(r+1)*ld:][:len(dst)], rows[(r+2)*ld:][:len(dst)], rows[(r+3)*ld:][:len(dst)]
		for j, sum := range dst {
			dst[j] = sum + float64(c0*r0[j]) + float64(c1*r1[j]) + float64(c2*r2[j]) + float64(c3*r3[j])
		}
	}
	for ; r < len(c); r++ {
		for j, v := range rows[r*ld:][:len(dst)] {
			dst[j] += float64(c[r] * v)
		}
	}
}

func pullsGo(dst, i, j, k []float64) {
	for b, at := range i {
		near, far := at-j[b], at-k[b]
		dst[b] = float64(near*near) - float64(far*far)
	}
}

// averageGo has s−1, s, scale and beta in f.
func averageGo(mean, w, delta []float64, f *[4]float64) {
	for b, v := range delta {
		m := (float64(f[0]*mean[b]) + v) / f[1]
		mean[b] = m
		w[b] = max(0, f[2]*(-m-f[3]))
	}
}

func rotateDownGo(z []float64, ld, columns int, c, s []float64) {
	for r := range c {
		rotateGo(z[r*ld:][:columns], z[(r+1)*ld:][:columns], c[r], s[r])
	}
}

func rotateUpGo(z []float64, ld, columns int, c, s []float64) {
	for r := len(c) - 1; r >= 0; r-- {
		rotateGo(z[r*ld:][:columns], z[(r+1)*ld:][:columns], c[r], s[r])
	}
}

func rotateGo(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for j, upper := range x {
		lower := y[j]
		y[j] = float64(c*lower) - float64(s*upper)
		x[j] = float64(s*lower) + float64(c*upper)
	}
}

// expGo does nothing: Exp then calls math.Exp, which on amd64 has the bits of expAVX2 if there is
// FMA.
func expGo(_, _ []float64) (done int) { return 0 }
