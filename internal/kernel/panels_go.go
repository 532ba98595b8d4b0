package kernel

import "math"

// mapPanelGo maps one panel.
func mapPanelGo(z, h, x, l []float64, d int) {
	var norm [Panel]float64
	for r := range d {
		var sum [Panel]float64
		row := l[r*d : (r+1)*d]
		addChains((*[half]float64)(sum[:]), row, 1, x, d, 1)
		addChains((*[half]float64)(sum[half:]), row, 1, x[half:], d, 1)
		copy(z[r*Panel:], sum[:])
		for i, v := range sum {
			norm[i] = math.FMA(v, v, norm[i])
		}
	}
	for i, v := range norm {
		h[i] = v * 0.5
	}
}
