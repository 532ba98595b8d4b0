package kernel

import "math"

// narrowGo rounds numbers to float32.
func narrowGo(dst []float32, src []float64) {
	for i, v := range src[:len(dst)] {
		dst[i] = float32(v)
	}
}

// sidesGo writes what a prefilter has of every sample with half its squared norm: h − 1/4,
// and a bound unit (2 h + 1/4), +Inf where h is no number below prefilterLimit.
func sidesGo(h, b []float32, half []float64, unit float64) {
	for i, v := range half[:len(h)] {
		h[i], b[i] = float32(v-0.25), float32(unit*float64(float64(v+v)+0.25))
		if !(v < prefilterLimit) {
			b[i] = float32(math.Inf(1))
		}
	}
}

// halfSquaresGo writes half the sum of squares of each place of a panel of any number of
// features, added in their order.
func halfSquaresGo(sum, z []float64) {
	clear(sum)
	for at := 0; at < len(z); at += Panel {
		for j, v := range z[at:][:Panel] {
			sum[j] += float64(float64(v*v) / 2)
		}
	}
}
