package kernel

import "math"

// narrowGo rounds numbers to float32.
func narrowGo(dst []float32, src []float64) {
	for i, v := range src[:len(dst)] {
		dst[i] = float32(v)
	}
}

// sidesGo writes h − 1/4 and the bound unit (2 h + 1/4) of every sample with half squared norm
// h for a prefilter. The bound is +Inf if h is not below prefilterLimit.
func sidesGo(h, b []float32, half []float64, unit float64) {
	for i, v := range half[:len(h)] {
		h[i], b[i] = float32(v-0.25), float32(unit*float64(float64(v+v)+0.25))
		if !(v < prefilterLimit) {
			b[i] = float32(math.Inf(1))
		}
	}
}

// halfSquaresGo writes half the sum of squares of each sample of a panel, added in the order
// of the features.
func halfSquaresGo(sum, z []float64) {
	clear(sum)
	for at := 0; at < len(z); at += Panel {
		for j, v := range z[at:][:Panel] {
			sum[j] += float64(float64(v*v) / 2)
		}
	}
}
