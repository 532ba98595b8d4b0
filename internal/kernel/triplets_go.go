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
