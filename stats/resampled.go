package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// A ResampledTest is the outcome of the corrected resampled t-test.
type ResampledTest struct {
	Mean, SD float64 // of the differences; divisor R-1
	Error    float64 // standard error of the mean, with the correction
	T        float64
	DF       int
	P        float64 // two-sided
}

// Interval returns the interval of the mean difference, mean ± t(R-1) · Error. It excludes 0 if and
// only if the test rejects at level 1 - confidence. It panics if confidence is not between 0 and 1.
func (r ResampledTest) Interval(confidence float64) Interval {
	checkLevel("ResampledTest.Interval", confidence)
	half := quantile(r.DF, (1+confidence)/2) * r.Error
	return Interval{r.Mean - half, r.Mean + half}
}

// quantile returns the quantile of Student's t with df degrees of freedom at probability p. It
// caches the value: a family of pairs needs the same one again and again, and the inverse of the
// incomplete beta function takes longer than the test.
func quantile(df int, p float64) float64 {
	key := [2]float64{float64(df), p}
	if t, ok := quantiles.Load(key); ok {
		return t.(float64)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(df)}.Quantile(p)
	quantiles.Store(key, t)
	return t
}

var quantiles sync.Map // float64 by degrees of freedom and probability

// ResampledT is the corrected resampled t-test (Nadeau and Bengio 2003) of the null
// hypothesis that the mean of R differences is 0, one of each of R splits of the same
// data into training and test samples:
//
//	t = mean / (sd · √(1/R + test/train)),   Student's t with R-1 degrees of freedom.
//
// It is for repeated random splits and, with R the number of all folds, for repeated
// cross-validation (Bouckaert and Frank 2004). Splits share samples, so their differences are
// correlated and sd/√R is too small. The term test/train stands for a correlation of
// test/(train+test), which is right if the learned model did not depend on which samples train, see
// resampledTValid. So train counts all training samples of the split, even if a method learns
// from some of them only: fewer training samples would mean a lower correlation. If splits differ
// in size, pass the sums over the splits: only the ratio matters.
//
// Without any difference p = 1. If all differences are equal and not 0, as happens with few test
// samples, sd is 0, t is infinite and p is 0, which R splits cannot show. ResampledT then takes
// step/√R for sd: that of R differences of which one is off by step, the smallest sd other than 0.
// step is the smallest change of a difference, 100/n points for n test samples.
//
// It panics with fewer than two differences, without training or test samples, and if step
// is not positive.
func ResampledT(differences []float64, train, test int, step float64) ResampledTest {
	checkNumbers("ResampledT", differences)
	if len(differences) < 2 || train < 1 || test < 1 || !(step > 0) {
		panic(fmt.Sprintf("stats: ResampledT: %d differences in steps of %v with %d training and %d test samples, want at least 2, above 0, 1 and 1",
			len(differences), step, train, test))
	}
	n := float64(len(differences))
	r := ResampledTest{DF: len(differences) - 1, P: 1}
	r.Mean, r.SD = meanSD(differences)
	sd := r.SD
	if !slices.ContainsFunc(differences, func(x float64) bool { return x != differences[0] }) { // SD may be rounding
		r.Mean, r.SD, sd = differences[0], 0, step/math.Sqrt(n)
		if r.Mean == 0 {
			return r
		}
	}
	r.Error = sd * math.Sqrt(1/n+float64(test)/float64(train))
	r.T = r.Mean / r.Error
	r.P = 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(-math.Abs(r.T))
	return r
}

// Resampled is [ResampledT] as a [Test] of two methods by their scores on the splits of a data set.
type Resampled struct {
	Sizes [][2]int // numbers of training and test samples of every split; 0 training samples: unknown
	Step  float64  // smallest change of a difference on a split
}

func (Resampled) String() string { return "corrected-resampled-t" }

// Title names the test in words.
func (Resampled) Title() string { return "Nadeau and Bengio's corrected resampled t-test" }

// Totals returns the sums of training and of test samples over all splits.
func (t Resampled) Totals() (train, test int) {
	for _, size := range t.Sizes {
		train, test = train+size[0], test+size[1]
	}
	return train, test
}

// TooManyTests is the reason why splits with more test than training samples have no test.
const TooManyTests = "splits share samples, and the corrected resampled t-test, which allows for that, is not valid with more test than training samples"

// Invalid returns the reason why the test is not valid for these splits; empty if it is.
func (t Resampled) Invalid() string {
	train, test := t.Totals()
	switch {
	case slices.ContainsFunc(t.Sizes, func(size [2]int) bool { return size[0] == 0 }):
		return "the number of training samples is not known"
	case !resampledTValid(train, test):
		return TooManyTests
	case slices.ContainsFunc(t.Sizes, func(size [2]int) bool { return !resampledTValid(size[0], size[1]) }):
		return "the splits differ in size, and one has more test than training samples, for which the corrected resampled t-test is not valid"
	}
	return ""
}

// Compare tests the mean difference. If the test is not valid, the outcome has t and interval, but
// no p. With fewer than two splits, without their sizes, or if a method lacks the result of a
// split, it has none of them.
func (t Resampled) Compare(a, b Sample) Outcome {
	o, d := describe(a, b)
	train, test := t.Totals()
	if len(d) < max(2, len(t.Sizes)) || train == 0 || test == 0 {
		return o
	}
	r := ResampledT(d, train, test, t.Step)
	o.T, o.Error, o.DF, o.Interval = r.T, r.Error, r.DF, r.Interval(Confidence)
	if t.Invalid() == "" {
		o.P = r.P
	}
	return o
}

// resampledTValid reports whether we use the corrected resampled t-test for these numbers of
// training and test samples, or sums of them over splits: test/train must be at most 1. The
// correction assumes that the learned model hardly depends on which samples train. The fewer
// samples train, the less that holds; with more test than training samples the assumed correlation
// of the splits is above 1/2.
func resampledTValid(train, test int) bool { return test <= train }

// ResampledLeast returns the smallest mean difference over r ≥ 2 splits that the corrected
// resampled t-test finds significant at a level, for differences of standard deviation sd and ratio
// test samples per training sample.
func ResampledLeast(r int, sd, ratio, level float64) float64 {
	t := distuv.StudentsT{Sigma: 1, Nu: float64(r - 1)}.Quantile(1 - level/2)
	return t * sd * math.Sqrt(1/float64(r)+ratio)
}

// ResampledSplits returns the smallest number of splits with which the corrected resampled t-test
// finds a mean difference significant at a level, for differences of standard deviation sd and
// ratio test samples per training sample. ok is false if most splits are not enough: since the
// splits are correlated, no number of them decides a difference below about sd·√ratio.
func ResampledSplits(difference, sd, ratio, level float64, most int) (splits int, ok bool) {
	more := sort.Search(most-1, func(more int) bool {
		return math.Abs(difference) >= ResampledLeast(2+more, sd, ratio, level)
	})
	if 2+more > most {
		return 0, false
	}
	return 2 + more, true
}
