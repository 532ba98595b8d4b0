package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestPowerGolden(t *testing.T) {
	fixture.Each(t, "stats", "mcnemar_power*.json", func(t *testing.T, f struct {
		Critical []map[string]*int
		Power    []struct {
			N         int
			First     float64 `json:"p_b"`
			Second    float64 `json:"p_c"`
			Alpha     float64
			Exact     *float64 `json:"exact_power"`
			MidP      *float64 `json:"midp_power"`
			Corrected *float64 `json:"exact_power_alpha_over_28"`
		}
	}) {
		if len(f.Critical)+len(f.Power) == 0 {
			t.Fatal("no cases")
		}
		for _, row := range f.Critical {
			checkCriticalGap(t, row, "alpha_0.05", 0.05)
			checkCriticalGap(t, row, "alpha_0.05_over_28", 0.05/28)
		}
		for _, c := range f.Power {
			for _, v := range []struct {
				test  Test
				alpha float64
				want  *float64
			}{{Exact, c.Alpha, c.Exact}, {MidP, c.Alpha, c.MidP}, {Exact, c.Alpha / 28, c.Corrected}} {
				if got := Power(v.test, c.N, c.First, c.Second, v.alpha); v.want != nil && math.Abs(got-*v.want) > 1e-9 {
					t.Errorf("n=%d %v at %v: power %v, want %v", c.N, v.test, v.alpha, got, *v.want)
				}
			}
		}
	})
}

// checkCriticalGap reads a row of the reference file, in which null is never.
func checkCriticalGap(t *testing.T, row map[string]*int, key string, alpha float64) {
	want, known := row[key]
	if !known {
		return
	}
	gap, ok := CriticalGap(Exact, *row["discordant"], alpha)
	if ok != (want != nil) || ok && gap != *want {
		t.Errorf("%d discordant, %s: gap %d, %v", *row["discordant"], key, gap, ok)
	}
}

// The gap found rejects and the next smaller one does not.
func TestCriticalGapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		test := Test(rapid.IntRange(0, 3).Draw(t, "test"))
		d := rapid.IntRange(0, 1200).Draw(t, "discordant")
		alpha := rapid.Float64Range(1e-6, 0.2).Draw(t, "alpha")
		rejects := func(gap int) bool { return McNemar(test, (d+gap)/2, (d-gap)/2).P <= alpha }
		gap, ok := CriticalGap(test, d, alpha)
		if ok && (gap > d || (d-gap)%2 != 0 || !rejects(gap)) {
			t.Errorf("%v with %d discordant does not reject at gap %d", test, d, gap)
		}
		if ok && gap >= 2 && rejects(gap-2) {
			t.Errorf("%v with %d discordant rejects below gap %d", test, d, gap)
		}
		if !ok && rejects(d) {
			t.Errorf("%v with %d discordant can reject", test, d)
		}
	})
}

// Power by the definition, over all numbers of the two kinds of samples.
func TestPowerAgainstEnumeration(t *testing.T) {
	const n = 12
	for _, test := range []Test{Exact, MidP, ChiSquaredCC, ChiSquared} {
		for _, p := range [][2]float64{{0.5, 0.1}, {0.3, 0.7}, {1, 0}, {0, 0.4}, {0.25, 0.25}, {0, 0}} {
			want := 0.0
			for b := range n + 1 {
				for c := range n + 1 - b {
					if McNemar(test, b, c).P > 0.05 {
						continue
					}
					lb, _ := math.Lgamma(float64(b + 1))
					lc, _ := math.Lgamma(float64(c + 1))
					ln, _ := math.Lgamma(n + 1)
					lr, _ := math.Lgamma(float64(n - b - c + 1))
					ways := math.Exp(ln - lb - lc - lr)
					want += ways * math.Pow(p[0], float64(b)) * math.Pow(p[1], float64(c)) * math.Pow(1-p[0]-p[1], float64(n-b-c))
				}
			}
			fixture.Near(t, fmt.Sprintf("%v with %v: power", test, p), Power(test, n, p[0], p[1], 0.05), want, 1e-12)
		}
	}
}

func TestPowerRefuses(t *testing.T) {
	mustPanic(t, map[string]func(){
		"negative": func() { Power(Exact, 5, -0.1, 0.2, 0.05) },
		"above 1":  func() { Power(Exact, 5, 0.6, 0.6, 0.05) },
		"NaN":      func() { Power(Exact, 5, math.NaN(), 0.6, 0.05) },
		"n":        func() { Power(Exact, -5, 0.1, 0.1, 0.05) },
		"alpha":    func() { Power(Exact, 5, 0.1, 0.1, 0) },
	})
}

func TestAtLeast(t *testing.T) {
	three := []float64{0.5, 0.25, 0.1}
	for k, want := range []float64{
		0: 1,
		1: 1 - 0.5*0.75*0.9,
		2: 0.5*0.25*0.9 + 0.5*0.75*0.1 + 0.5*0.25*0.1 + 0.5*0.25*0.1,
		3: 0.5 * 0.25 * 0.1,
		4: 0,
	} {
		fixture.Near(t, fmt.Sprintf("at least %d", k), AtLeast(k, three), want, 1e-15)
	}
	// Of equal probabilities it is the binomial distribution.
	same := slices.Repeat([]float64{0.05}, 80)
	for k := range 20 {
		want := 1 - distuv.Binomial{N: 80, P: 0.05}.CDF(float64(k)-1)
		fixture.Near(t, fmt.Sprintf("at least %d of 80", k), AtLeast(k, same), want, 1e-12)
	}
	// The sum loses no small probability.
	fixture.Near(t, "all 80, in their probability", AtLeast(80, same)/math.Pow(0.05, 80), 1, 1e-12)
	if AtLeast(-1, nil) != 1 || AtLeast(0, nil) != 1 || AtLeast(1, nil) != 0 {
		t.Error("without events")
	}
	mustPanic(t, map[string]func(){"a probability of 2": func() { AtLeast(1, []float64{2}) }})
}

// TestPoissonBinomialIsBinomial: with equal probabilities it is the binomial distribution.
func TestPoissonBinomialIsBinomial(t *testing.T) {
	for _, n := range []int{0, 1, 7, 234} {
		for _, p := range []float64{0, 0.2, 0.5, 1} {
			pmf := PoissonBinomial(slices.Repeat([]float64{p}, n))
			fixture.Equal(t, "probabilities", len(pmf), n+1)
			for k, got := range pmf {
				want := math.Exp(distuv.Binomial{N: float64(n), P: p}.LogProb(float64(k)))
				if p == 0 || p == 1 { // whose logarithm is not finite
					want = 0
					if k == n*int(p) {
						want = 1
					}
				}
				fixture.Near(t, fmt.Sprintf("n = %d, p = %g: probability of %d", n, p, k), got, want, 1e-13)
			}
		}
	}
}
