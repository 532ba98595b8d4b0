package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestWilcoxonGolden(t *testing.T) {
	eachCase(t, "wilcoxon*.json", func(t *testing.T, c struct {
		Differences []float64
		N           int      `json:"n_nonzero"`
		WPlus       float64  `json:"w_plus"`
		WMinus      float64  `json:"w_minus"`
		ExactP      *float64 `json:"exact_p"`
		Z           float64  `json:"normal_cc_z"`
		NormalP     float64  `json:"normal_cc_p"`
	}) {
		got := Wilcoxon(c.Differences)
		if got.N != c.N || got.WPlus != c.WPlus || got.WMinus != c.WMinus {
			t.Errorf("%+v, want %d, %v and %v", got, c.N, c.WPlus, c.WMinus)
		}
		want := &c.NormalP
		if got.Exact {
			want = c.ExactP
		}
		if want != nil {
			near(t, "p", got.P, want, 1e-9)
		}
		near(t, "z", got.Z, &c.Z, 1e-9)
		near(t, "p of z", math.Erfc(math.Abs(got.Z)/math.Sqrt2), &c.NormalP, 1e-9)
	})
}

// Beyond 30 differences the normal approximation takes over; at the border the
// two agree.
func TestWilcoxonApproximation(t *testing.T) {
	var differences []float64
	for i := range 31 {
		d := float64(i + 1)
		if i%3 == 0 {
			d = -d
		}
		differences = append(differences, d)
	}
	exact, normal := Wilcoxon(differences[:30]), Wilcoxon(differences)
	if !exact.Exact || normal.Exact {
		t.Errorf("exact for 30: %v, for 31: %v", exact.Exact, normal.Exact)
	}
	fixture.Near(t, "normal p where there is an exact one", math.Erfc(math.Abs(exact.Z)/math.Sqrt2), exact.P, 0.003)
	fixture.Equal(t, "normal p", normal.P, math.Erfc(math.Abs(normal.Z)/math.Sqrt2))
	fixture.Equal(t, "no differences", Wilcoxon(nil), SignedRank{P: 1, Exact: true})
	mustPanic(t, map[string]func(){"NaN": func() { Wilcoxon([]float64{1, math.NaN()}) }})
}

// The p-value against all arrangements of signs, one by one.
func TestWilcoxonAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(-4, 4), 0, 9).Draw(t, "differences")
		differences, mirrored := make([]float64, len(values)), make([]float64, len(values))
		for i, v := range values {
			differences[i], mirrored[i] = float64(v), -float64(v)
		}
		got := Wilcoxon(differences)
		var sizes []float64
		for _, d := range differences {
			if d != 0 {
				sizes = append(sizes, math.Abs(d))
			}
		}
		ranks, _ := doubledRanks(sizes)
		low := 0
		for signs := range 1 << len(ranks) {
			sum := 0
			for i, rank := range ranks {
				if signs>>i&1 == 1 {
					sum += rank
				}
			}
			if float64(sum) <= 2*min(got.WPlus, got.WMinus) {
				low++
			}
		}
		want := min(1, 2*float64(low)/float64(int(1)<<len(ranks)))
		fixture.Equal(t, fmt.Sprintf("%v: p", differences), got.P, want)
		if m := Wilcoxon(mirrored); m.P != got.P || m.WPlus != got.WMinus || m.Z != -got.Z {
			t.Errorf("%+v, mirrored %+v", got, m)
		}
	})
}
