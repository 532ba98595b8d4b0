package datasets

import (
	"math"
	"r2lmlbench/internal/fixture"
	"testing"
)

// The errors of the Bayes rules: Φ(-2) = 2.275 % for two norm, 1.24 % from four
// million draws for ring norm. Five standard errors are allowed.
func TestNormBayesErrors(t *testing.T) {
	const n = 200000
	a := 2 / math.Sqrt(20)
	for _, c := range []struct {
		name  string
		data  *Data
		first func(x []float64) bool // is x more likely under class code 1
		want  float64
	}{
		{"two norm", TwoNorm{PerClass: n / 2, Seed: 3}.Generate(), func(x []float64) bool {
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			return sum > 0
		}, 0.02275},
		{"ring norm", RingNorm{PerClass: n / 2, Seed: 3}.Generate(), func(x []float64) bool {
			wide, ring := -20*math.Log(2), 0.0
			for _, v := range x {
				wide -= v * v / 8
				ring -= (v - a) * (v - a) / 2
			}
			return wide > ring
		}, 0.0124},
	} {
		wrong := 0
		for i, code := range c.data.Y {
			if c.first(c.data.X.RawRowView(i)) != (code == 1) {
				wrong++
			}
		}
		got := float64(wrong) / n
		fixture.Near(t, c.name+": error of the Bayes rule", got, c.want, 5*math.Sqrt(c.want*(1-c.want)/n))
	}
}
