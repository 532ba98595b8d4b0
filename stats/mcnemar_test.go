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

// mcnemarFile is a reference file of one of two kinds, told apart by which of the keys it
// has: counts with p-values, or label vectors.
type mcnemarFile struct {
	Cases []mcnemarCase `json:"cases"`

	Truth     []int    `json:"truth"`
	First     []int    `json:"pred_a"`
	Second    []int    `json:"pred_b"`
	AccuracyA float64  `json:"accuracy_a"`
	AccuracyB float64  `json:"accuracy_b"`
	ExactP    *float64 `json:"exact_p"`
	MidP      *float64 `json:"midp_p"`
	Table     struct {
		BothRight  int `json:"both_right"`
		OnlyFirst  int `json:"a_right_b_wrong"`
		OnlySecond int `json:"a_wrong_b_right"`
		BothWrong  int `json:"both_wrong"`
	} `json:"table"`
}

type mcnemarCase struct {
	ID         string `json:"id"`
	B, C       int
	ExactP     *float64 `json:"exact_p"`
	ExactLog10 *float64 `json:"exact_log10_p"`
	MidP       *float64 `json:"midp_p"`
	CCStat     *float64 `json:"cc_stat"`
	CCP        *float64 `json:"cc_p"`
	Chi2Stat   *float64 `json:"chi2_stat"`
	Chi2P      *float64 `json:"chi2_p"`
	OddsRatio  *float64 `json:"odds_ratio"`
	CohensG    *float64 `json:"cohens_g"`
}

func TestMcNemarGolden(t *testing.T) {
	fixture.Each(t, "stats", "mcnemar*.json", func(t *testing.T, f mcnemarFile) {
		if f.Cases == nil && f.Truth == nil {
			t.Skip("neither counts nor label vectors in this file")
		}
		for _, c := range f.Cases {
			t.Run(c.ID, func(t *testing.T) { checkCounts(t, c) })
		}
		if f.Truth != nil {
			checkLabels(t, f)
		}
	})
}

// checkCounts holds the tolerances the reference file states: p relative 1e-9
// above 1e-300 and absolute 1e-12 below, log10 p absolute 1e-6.
func checkCounts(t *testing.T, c mcnemarCase) {
	for _, v := range []struct {
		test            Variant
		p, stat, log10p *float64
	}{
		{Exact, c.ExactP, nil, c.ExactLog10},
		{MidP, c.MidP, nil, nil},
		{ChiSquaredCC, c.CCP, c.CCStat, nil},
		{ChiSquared, c.Chi2P, c.Chi2Stat, nil},
	} {
		r := McNemar(v.test, c.B, c.C)
		fixture.Equal(t, v.test.String()+": counts", [2]int{r.B, r.C}, [2]int{c.B, c.C})
		if v.p != nil && (*v.p > 1e-300 || r.P > 1e-12) {
			near(t, v.test.String()+": p", r.P, v.p, 1e-9)
		}
		if v.stat == nil {
			v.stat = new(float64) // none is 0
		}
		near(t, v.test.String()+": statistic", r.Statistic, v.stat, 1e-12)
		if v.log10p != nil && math.Abs(r.Log10P-*v.log10p) > 1e-6 {
			t.Errorf("%v: log10 p = %v, want %v", v.test, r.Log10P, *v.log10p)
		}
	}
	pair := Paired{OnlyFirst: c.B, OnlySecond: c.C}
	near(t, "odds ratio", pair.OddsRatio(), c.OddsRatio, 1e-12)
	near(t, "Cohen's g", pair.CohensG(), c.CohensG, 1e-12)
}

func checkLabels(t *testing.T, f mcnemarFile) {
	got := NewAnswers(f.Truth, f.First).Paired(NewAnswers(f.Truth, f.Second))
	fixture.Equal(t, "table", got, Paired(f.Table))
	n := float64(len(f.Truth))
	fixture.Equal(t, "first accuracy", float64(got.BothRight+got.OnlyFirst)/n, f.AccuracyA)
	fixture.Equal(t, "second accuracy", float64(got.BothRight+got.OnlySecond)/n, f.AccuracyB)
	near(t, "exact p", McNemar(Exact, got.OnlyFirst, got.OnlySecond).P, f.ExactP, 1e-9)
	near(t, "mid-p", McNemar(MidP, got.OnlyFirst, got.OnlySecond).P, f.MidP, 1e-9)
}

// Small tails are sums of a few powers of two and come out exactly.
func TestMcNemarSmallExactly(t *testing.T) {
	for _, c := range []struct {
		test Variant
		b, c int
		want float64
	}{
		{Exact, 1, 7, 0.0703125},           // 2(1+8)/2⁸
		{MidP, 1, 7, 0.0390625},            // (2(1+8)-8)/2⁸
		{Exact, 0, 1000, 0x1p-999},         // the smallest summed tail
		{MidP, 1000, 0, 0x1p-1000},         // half of it
		{Exact, 400000, 400000, 1},         // equal counts: not summed at all
		{ChiSquaredCC, 12, 12, 1},          // R: mcnemar.test(matrix(c(0,12,12,0),2))$p.value is 1
		{ChiSquaredCC, 0, 0, 1},            // R gives NaN, we define 1
		{ChiSquaredCC, 13, 12, 1},          // |b-c|-1 = 0
		{ChiSquared, 0, 0, 1},              // likewise defined
		{MidP, 7, 7, 1},                    // R exact2x2: 1
		{Exact, 500, 501, 1},               // both tails together are everything,
		{Exact, 499, 500, 1},               // whether summed or logarithmic
		{Exact, 0, 1001, 0x1p-1000},        // logarithmic, m = 0
		{MidP, 0, 1001, 0x1p-1001},         // and half of it
		{Exact, 1, 1001, 1003 * 0x1p-1001}, // 2(1+1002)/2¹⁰⁰²
	} {
		got := McNemar(c.test, c.b, c.c).P
		tolerance := 0.0
		if c.b+c.c > 1000 {
			tolerance = 1e-11
		}
		near(t, fmt.Sprintf("%v(%d, %d)", c.test, c.b, c.c), got, &c.want, tolerance)
	}
}

// The logarithmic tails agree with the summed integers where both can be had.
func TestLogTailAgainstIntegers(t *testing.T) {
	for _, d := range []int{20, 33, 500, 1001, 4000, 20001} {
		for _, gap := range []int{1, 2, 3, 10, 60, 200, 700, d} {
			m := (d - gap) / 2
			if m < 0 || 2*m == d {
				continue
			}
			for w := range 2 {
				want := summedTail(d, m, w)
				got := math.Exp(logTail(float64(d), float64(m), float64(w)))
				if want > 1e-300 && math.Abs(got-want) > 1e-11*want {
					t.Errorf("d=%d m=%d w=%d: %v, want %v", d, m, w, got, want)
				}
			}
		}
	}
}

// Where p underflows its logarithm still has digits.
func TestMcNemarUnderflow(t *testing.T) {
	log2 := math.Log10(2)
	for _, c := range []struct {
		test Variant
		b, c int
		want float64
	}{
		{Exact, 0, 5000, -4999 * log2},
		{MidP, 0, 5000, -5000 * log2},
		{Exact, 5000, 1, math.Log10(5002) - 5000*log2}, // 2(1+5001)/2⁵⁰⁰¹
		{ChiSquared, 0, 5000, -1087.6838365145243},     // log10 erfc(50)
	} {
		r := McNemar(c.test, c.b, c.c)
		if r.P != 0 || math.Abs(r.Log10P-c.want) > 1e-9 {
			t.Errorf("%v(%d, %d): p %v, log10 p %v, want 0 and %v", c.test, c.b, c.c, r.P, r.Log10P, c.want)
		}
	}
}

// The two ways to the logarithm of a chi-squared tail meet at their border.
func TestChiSquaredTailIsContinuous(t *testing.T) {
	const x = 1000
	_, below := chiSquaredTail(math.Nextafter(x, 0))
	_, above := chiSquaredTail(x)
	fixture.Near(t, "log10 p below and above the border", below, above, 2e-12)
}

func TestMcNemarProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Small counts, and the border between the two kinds of tails.
		count := rapid.OneOf(rapid.IntRange(0, 30), rapid.IntRange(450, 600), rapid.IntRange(2000, 3000))
		b, c := count.Draw(t, "b"), count.Draw(t, "c")
		for _, test := range []Variant{Exact, MidP, ChiSquaredCC, ChiSquared} {
			r, s := McNemar(test, b, c), McNemar(test, c, b)
			if r.P != s.P || r.Log10P != s.Log10P || r.Statistic != s.Statistic {
				t.Errorf("%v: %+v for (b,c), %+v for (c,b)", test, r, s)
			}
			if !(r.P >= 0 && r.P <= 1 && r.Log10P <= 0) {
				t.Errorf("%v: p = %v, log10 p = %v", test, r.P, r.Log10P)
			}
			if r.P > 1e-300 && math.Abs(math.Log10(r.P)-r.Log10P) > 1e-9 {
				t.Errorf("%v: p = %v and log10 p = %v disagree", test, r.P, r.Log10P)
			}
		}
		if exact, mid := McNemar(Exact, b, c), McNemar(MidP, b, c); exact.P < mid.P || exact.Log10P < mid.Log10P {
			t.Errorf("exact %v below mid-p %v", exact.P, mid.P)
		}
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
