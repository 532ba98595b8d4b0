package stats

import (
	"math"
	"testing"
)

func TestLaplaceLeftOut(t *testing.T) {
	for _, c := range []struct {
		name      string
		residuals []float64
		least     float64
		want      []float64
	}{
		// Scales of 1, -2, 4: (2+4)/2 = 3, (1+4)/2 = 2.5, (1+2)/2 = 1.5.
		{"three", []float64{1, -2, 4}, 0.01, []float64{
			-math.Log(6) - 1.0/3, -math.Log(5) - 2/2.5, -math.Log(3) - 4/1.5,
		}},
		{"two have each other's", []float64{1, 3}, 0.01, []float64{-math.Log(6) - 1.0/3, -math.Log(2) - 3}},
		// Without the 2 the scale would be 0.
		{"least scale", []float64{0, 0, 2}, 0.5, []float64{-math.Log(2), -math.Log(2), -math.Log(1) - 4}},
		{"all are nothing", []float64{0, 0}, 0.25, []float64{-math.Log(0.5), -math.Log(0.5)}},
	} {
		got := LaplaceLeftOut(c.residuals, c.least)
		if len(got) != len(c.want) {
			t.Fatalf("%s: %v, want %v", c.name, got, c.want)
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s, residual %d: %v, want %v", c.name, i, got[i], c.want[i])
			}
		}
	}
	for name, f := range map[string]func(){
		"one":      func() { LaplaceLeftOut([]float64{1}, 0.01) },
		"none":     func() { LaplaceLeftOut(nil, 0.01) },
		"NaN":      func() { LaplaceLeftOut([]float64{1, math.NaN()}, 0.01) },
		"no scale": func() { LaplaceLeftOut([]float64{0, 0}, 0) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

// A unit of twice the size takes log 2 off every logarithm, and signs do not matter.
func TestLaplaceLeftOutScale(t *testing.T) {
	small := LaplaceLeftOut([]float64{0.5, 3, -1.25, 0}, 0.1)
	large := LaplaceLeftOut([]float64{-1, 6, 2.5, 0}, 0.2)
	for i := range small {
		if math.Abs(small[i]-large[i]-math.Ln2) > 1e-12 {
			t.Errorf("residual %d: %v and %v, want log 2 between them", i, small[i], large[i])
		}
	}
}
