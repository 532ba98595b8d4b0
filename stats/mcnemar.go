package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Variant is a variant of McNemar's test. The zero value is the exact test.
type Variant int

// The variants. The two chi-squared ones approximate the exact test and are poor
// when fewer than about 25 samples are discordant; the other two need no such
// minimum.
const (
	// Exact doubles the smaller binomial tail. Its error rate never exceeds
	// the level, at a price: with D ≤ 5 discordant samples it cannot reject at
	// 0.05, whatever the predictions.
	Exact Variant = iota
	// MidP counts the observed outcome half. Less conservative than Exact and
	// close to the level, which it may exceed slightly (Fagerland et al. 2013).
	MidP
	// ChiSquaredCC is the chi-squared approximation with Edwards' continuity
	// correction. As in R's mcnemar.test, there is no correction when b = c.
	ChiSquaredCC
	// ChiSquared is the uncorrected statistic of McNemar (1947).
	ChiSquared
)

var testNames = [...]string{
	Exact:        "mcnemar-exact",
	MidP:         "mcnemar-midp",
	ChiSquaredCC: "mcnemar-cc",
	ChiSquared:   "mcnemar-chi2",
}

// TestNames returns the names of all variants, the default first.
func TestNames() []string { return slices.Clone(testNames[:]) }

// String returns the name of t as [ParseTest] reads it.
func (t Variant) String() string {
	if !t.valid() {
		return fmt.Sprintf("Variant(%d)", int(t))
	}
	return testNames[t]
}

var testTitles = [...]string{
	Exact:        "McNemar's exact test",
	MidP:         "McNemar's mid-p test",
	ChiSquaredCC: "McNemar's chi-squared test with continuity correction",
	ChiSquared:   "McNemar's chi-squared test",
}

// Title names the variant in words; t is one of the constants.
func (t Variant) Title() string { return testTitles[t] }

// Compare tests Answers. The interval of the difference is Newcombe's.
func (t Variant) Compare(a, b Sample) Outcome {
	o := Outcome{Paired: a.Answers.Paired(b.Answers), SD: math.NaN(), Min: math.NaN(), Max: math.NaN(), T: math.NaN()}
	o.Units = o.Paired.N()
	o.Difference, o.Interval = float64(o.Paired.OnlyFirst-o.Paired.OnlySecond)/float64(max(1, o.Units)), Newcombe(o.Paired, Confidence)
	r := McNemar(t, o.Paired.OnlyFirst, o.Paired.OnlySecond)
	o.P, o.Log10P = r.P, r.Log10P
	return o
}

func (t Variant) valid() bool { return t >= 0 && int(t) < len(testNames) }

// ParseTest returns the variant of the given name; see [TestNames].
func ParseTest(name string) (Variant, error) {
	if i := slices.Index(testNames[:], name); i >= 0 {
		return Variant(i), nil
	}
	return 0, fmt.Errorf("stats: unknown test %q: use one of %s", name, strings.Join(testNames[:], ", "))
}

// A Result is the outcome of McNemar's test for one pair of classifiers.
type Result struct {
	B, C      int     // samples only the first, only the second labels correctly
	Statistic float64 // of the chi-squared variants, 0 for the others
	P         float64 // two-sided p-value; 0 if too small for a float64
	Log10P    float64 // decimal logarithm of P, exact even if P underflows
}

// McNemar tests whether two classifiers err equally often, given the numbers b
// and c of test samples that only the first and only the second of them labels
// correctly.
//
// The null hypothesis is that a sample is as likely to be one of the b as one of
// the c; the alternative is two-sided. Samples both label correctly, or both
// wrongly, carry no information. The samples must be independent: adding up
// counts over overlapping random splits breaks the test. It speaks about the two
// fitted classifiers, not about how they vary with the training set.
//
// Equal counts give p = 1 and statistic 0 in every variant. Up to b+c = 1000 the
// binomial tails are sums of integers, rounded once; larger ones are computed in
// logarithms, in time of order √(b+c), with a relative error far below 1e-9.
//
// It panics if a count is negative, if b+c overflows or if t is not a variant.
func McNemar(t Variant, b, c int) Result {
	if b < 0 || c < 0 || b+c < 0 {
		panic(fmt.Sprintf("stats: McNemar: impossible counts %d and %d", b, c))
	}
	if !t.valid() {
		panic(fmt.Sprintf("stats: McNemar: no variant %v", t))
	}
	r := Result{B: b, C: c, P: 1}
	if b == c {
		return r
	}
	switch t {
	case Exact:
		r.P, r.Log10P = doubledTail(b+c, min(b, c), 0)
	case MidP:
		r.P, r.Log10P = doubledTail(b+c, min(b, c), 1)
	case ChiSquaredCC:
		r.Statistic = chiSquared(b, c, 1)
		r.P, r.Log10P = chiSquaredTail(r.Statistic)
	case ChiSquared:
		r.Statistic = chiSquared(b, c, 0)
		r.P, r.Log10P = chiSquaredTail(r.Statistic)
	}
	return r
}

// chiSquared returns (|b-c| - correction)²/(b+c) for b ≠ c.
func chiSquared(b, c, correction int) float64 {
	gap := float64(max(b, c) - min(b, c) - correction)
	return gap * gap / float64(b+c)
}

// chiSquaredTail returns P(χ²₁ > x) = erfc(√(x/2)) and its decimal logarithm.
// Beyond x = 1000 the logarithm comes from the asymptotic series
//
//	erfc(√(x/2)) = exp(-x/2) √(2/(πx)) (1 - 1/x + 3/x² - 15/x³ + ...),
//
// whose first omitted term is then below 1e-12.
func chiSquaredTail(x float64) (p, log10p float64) {
	p = math.Erfc(math.Sqrt(x / 2))
	if x < 1000 {
		return p, math.Log10(p)
	}
	series := 1 - (1-(3-(15-105/x)/x)/x)/x
	return p, (-x/2 - math.Log(math.Pi*x/2)/2 + math.Log(series)) / math.Ln10
}
