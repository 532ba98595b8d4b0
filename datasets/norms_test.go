package datasets

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func TestNormMoments(t *testing.T) {
	a := 2 / math.Sqrt(20)
	for _, c := range []struct {
		name     string
		data     *Data
		mean, sd [2]float64 // per class
	}{
		{"two norm", TwoNorm{PerClass: 20000, Seed: 7}.Generate(), [2]float64{a, -a}, [2]float64{1, 1}},
		{"ring norm", RingNorm{PerClass: 20000, Seed: 7}.Generate(), [2]float64{0, a}, [2]float64{2, 1}},
	} {
		for class := range 2 {
			part := c.data.X.Slice(class*20000, (class+1)*20000, 0, 20).(*mat.Dense)
			for j := range 20 {
				mean, sd := stat.MeanStdDev(mat.Col(nil, j, part), nil)
				// Five standard errors.
				if math.Abs(mean-c.mean[class]) > 5*c.sd[class]/math.Sqrt(20000) {
					t.Errorf("%s: class %d, feature %d: mean %v, want %v", c.name, class, j, mean, c.mean[class])
				}
				if math.Abs(sd/c.sd[class]-1) > 5/math.Sqrt(2*20000) {
					t.Errorf("%s: class %d, feature %d: sd %v, want %v", c.name, class, j, sd, c.sd[class])
				}
			}
			if r := stat.Correlation(mat.Col(nil, 0, part), mat.Col(nil, 1, part), nil); math.Abs(r) > 5/math.Sqrt(20000) {
				t.Errorf("%s: class %d: correlation %v of the first features", c.name, class, r)
			}
		}
	}
}

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
		if math.Abs(got-c.want) > 5*math.Sqrt(c.want*(1-c.want)/n) {
			t.Errorf("%s: error of the Bayes rule %v, want %v", c.name, got, c.want)
		}
	}
}
