package baselines

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers beyond what is sorted at once come in the order of slices.Sort, many equal ones too.
func TestSortUntil(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, draw := range map[string]func(i int) float64{
		"different": func(int) float64 { return r.Float64() },
		"few":       func(int) float64 { return float64(r.IntN(3)) },
		"equal":     func(int) float64 { return 1 },
		"ascending": func(i int) float64 { return float64(i) },
		"falling":   func(i int) float64 { return -float64(i) },
	} {
		v := make([]float64, 3*sortAtOnce+7)
		for i := range v {
			v[i] = draw(i)
		}
		want := slices.Clone(v)
		slices.Sort(want)
		if sortUntil(context.Background(), v); !slices.Equal(v, want) {
			t.Errorf("%s: not in order", name)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	v := []float64{2, 1}
	if sortUntil(ended, v); !slices.Equal(v, []float64{2, 1}) {
		t.Error("sorted after the context ended")
	}
}
