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
	Mean, SD float64 // of the differences; the divisor of the variance is R-1
	Error    float64 // standard error of the mean, with the correction
	T        float64
	DF       int
	P        float64 // two-sided
}

// Interval is that of the mean difference, mean ± t(R-1) · Error, which leaves 0 out where
// the test rejects at 1 - confidence. It panics if the confidence is not between 0 and 1.
func (r ResampledTest) Interval(confidence float64) Interval {
	checkLevel("ResampledTest.Interval", confidence)
	half := quantile(r.DF, (1+confidence)/2) * r.Error
	return Interval{r.Mean - half, r.Mean + half}
}

// quantile is the quantile of Student's t with df degrees of freedom at probability p. A family
// of pairs asks for the same one again and again, and its inverse of the incomplete beta function
// takes longer than the test itself, so it is computed once.
func quantile(df int, p float64) float64 {
	key := [2]float64{float64(df), p}
	if t, ok := quantiles.Load(key); ok {
		return t.(float64)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(df)}.Quantile(p)
	quantiles.Store(key, t)
	return t
}

var quantiles sync.Map // of float64 by degrees of freedom and probability

// ResampledT is the corrected resampled t-test (Nadeau and Bengio 2003) of the null
// hypothesis that the mean of R differences is 0, one of each of R splits of the same
// data into training and test samples:
//
//	t = mean / (sd · √(1/R + test/train)),   Student's t with R-1 degrees of freedom.
//
// It is for repeated random splits and, with R the number of all folds, for repeated
// cross-validation (Bouckaert and Frank 2004). Splits share samples, so that their
// differences are correlated and sd/√R is too small. The term test/train stands for a
// correlation of test/(train+test), which would be right if what is learned did not depend
// on the training samples, see [ResampledTValid]. So train counts the training samples of
// the split, also where a method learns from a part of them: with fewer the correlation is
// less and not more. Where splits differ in size, train and test are sums over the splits:
// only their ratio matters.
//
// Without any difference p = 1. Where all differences are the same and not 0, as with few
// test samples, sd is 0, t infinite and p = 0, which R splits cannot show. Then sd is that
// of R differences of which one is off by step, step/√R: the smallest that could have been
// seen. step is the least by which a difference changes, 100/n points for n test samples.
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

// Resampled is [ResampledT] as a test of two methods by their scores on the splits of a data
// set.
type Resampled struct {
	Sizes [][2]int // training and test samples of every split; 0 training samples: not known
	Step  float64  // least by which a difference on a split changes
}

func (Resampled) String() string { return "corrected-resampled-t" }

// Title names the test in words.
func (Resampled) Title() string { return "Nadeau and Bengio's corrected resampled t-test" }

// Totals are the training and test samples of all splits together.
func (t Resampled) Totals() (train, test int) {
	for _, size := range t.Sizes {
		train, test = train+size[0], test+size[1]
	}
	return train, test
}

// TooManyTests is why splits with more test than training samples have no test.
const TooManyTests = "splits share samples, and the corrected resampled t-test, which allows for that, is not valid with more test than training samples"

// Invalid says why the test is not valid with these splits; empty where it is.
func (t Resampled) Invalid() string {
	train, test := t.Totals()
	switch {
	case slices.ContainsFunc(t.Sizes, func(size [2]int) bool { return size[0] == 0 }):
		return "the number of training samples is not known"
	case !ResampledTValid(train, test):
		return TooManyTests
	case slices.ContainsFunc(t.Sizes, func(size [2]int) bool { return !ResampledTValid(size[0], size[1]) }):
		return "the splits differ in size, and one has more test than training samples, for which the corrected resampled t-test is not valid"
	}
	return ""
}

// Compare tests the mean difference. There is no p where the test is not valid, or where a
// method lacks a result on some split; t and the interval are there with two splits.
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

// ResampledTValid tells whether the corrected resampled t-test is used with so many
// training and test samples, or sums of them over splits: whether test/train is at most
// 1. The correction takes what is learned to hardly depend on which samples train. The
// fewer of the data train, the less that holds, and with more test than training
// samples the assumed correlation of the splits is above 1/2.
func ResampledTValid(train, test int) bool { return test <= train }

// ResampledLeast is the smallest mean difference over r splits, at least 2, that the corrected
// resampled t-test finds significant at a level, when differences have the standard deviation sd and
// there are ratio test samples for one training sample.
func ResampledLeast(r int, sd, ratio, level float64) float64 {
	t := distuv.StudentsT{Sigma: 1, Nu: float64(r - 1)}.Quantile(1 - level/2)
	return t * sd * math.Sqrt(1/float64(r)+ratio)
}

// ResampledSplits is the smallest number of splits with which the corrected resampled
// t-test finds a mean difference significant at a level, when differences have the
// standard deviation sd and there are ratio test samples for one training sample. It is
// not ok when no number of splits up to most is enough: the correlation of the splits
// leaves a difference of sd·√ratio or so undecided however many there are.
func ResampledSplits(difference, sd, ratio, level float64, most int) (splits int, ok bool) {
	more := sort.Search(most-1, func(more int) bool {
		return math.Abs(difference) >= ResampledLeast(2+more, sd, ratio, level)
	})
	if 2+more > most {
		return 0, false
	}
	return 2 + more, true
}
