package kernel

import "math"

// mapPanelGo maps one panel.
func mapPanelGo(z, h, x, l []float64, d int) {
	var norm [Panel]float64
	for r := range d {
		var sum [Panel]float64
		for k, w := range l[r*d : (r+1)*d] {
			xk := (*[Panel]float64)(x[k*Panel:])
			for i := range sum {
				sum[i] = math.FMA(w, xk[i], sum[i])
			}
		}
		copy(z[r*Panel:], sum[:])
		for i, v := range sum {
			norm[i] = math.FMA(v, v, norm[i])
		}
	}
	for i, v := range norm {
		h[i] = v * 0.5
	}
}
