package stats

import (
	"math"
	"testing"

	"r2lmlbench/internal/fixture"
)

// sleep are the differences of R's data set sleep, group 2 less group 1 (Student 1908).
var sleep = []float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}

func TestMeanInterval(t *testing.T) {
	// R: t.test(sleep$extra[11:20] - sleep$extra[1:10])$conf.int
	i := MeanInterval(sleep, 0.95)
	fixture.Near(t, "low", i.Low, 0.7001142, 1e-7)
	fixture.Near(t, "high", i.High, 2.4598858, 1e-7)
	if i := MeanInterval(sleep[:1], 0.95); !math.IsNaN(i.Low) || !math.IsNaN(i.High) {
		t.Errorf("of one number %+v", i)
	}
}

// The ranks are those of tables of the sign test: k is 2 of 10 numbers (coverage 0.9785),
// 1 of 6 (0.9688), and there is none of 5 (0.9375); 5 of 18 (0.9691).
func TestMedianInterval(t *testing.T) {
	fixture.Equal(t, "of the sleepers", MedianInterval(sleep, 0.95), Interval{0.8, 2.4})
	for n, k := range map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 18: 5} {
		x := make([]float64, n)
		for j := range x {
			x[j] = float64(n - j) // n to 1
		}
		i := MedianInterval(x, 0.95)
		if k == 0 && (!math.IsNaN(i.Low) || !math.IsNaN(i.High)) || k > 0 && i != (Interval{float64(k), float64(n + 1 - k)}) {
			t.Errorf("of %d numbers %+v, want the rank %d", n, i, k)
		}
	}
}
