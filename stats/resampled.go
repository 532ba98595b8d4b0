package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// ResampledMean is the interval of the corrected resampled t-test (Nadeau and Bengio
// 2003) for the mean of R differences, one of each random split of the same data into
// so many training and test samples:
//
//	mean ± t(R-1) · sd · √(1/R + test/train)
//
// Splits share samples, so that their differences are correlated and sd/√R is too
// small. The second term stands for a correlation of test/(train+test), which would
// be right if what is learned did not depend on the training samples. With more test
// than training samples it is an upper bound, and the interval is wider than one for the
// mean difference of a single further split. It panics with fewer than two differences,
// without training or test samples, and if the confidence is not between 0 and 1.
func ResampledMean(differences []float64, train, test int, confidence float64) Interval {
	checkLevel("ResampledMean", confidence)
	checkResampled("ResampledMean", differences, train, test)
	mean, sd := meanSD(differences)
	n := float64(len(differences))
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+confidence)/2) * sd * math.Sqrt(1/n+float64(test)/float64(train))
	return Interval{mean - half, mean + half}
}

func checkResampled(name string, differences []float64, train, test int) {
	checkNumbers(name, differences)
	if len(differences) < 2 || train < 1 || test < 1 {
		panic(fmt.Sprintf("stats: %s: %d differences with %d training and %d test samples, want at least 2, 1 and 1", name, len(differences), train, test))
	}
}

// A ResampledTest is the outcome of the corrected resampled t-test.
type ResampledTest struct {
	Mean, SD float64 // of the differences; the divisor of the variance is R-1
	T        float64 // NaN when the differences are all the same and not 0
	DF       int
	P        float64 // two-sided; NaN where T is
}

// ResampledT is the corrected resampled t-test (Nadeau and Bengio 2003) of the null
// hypothesis that the mean of R differences is 0, one of each of R splits of the same
// data into training and test samples:
//
//	t = mean / (sd · √(1/R + test/train)),   Student's t with R-1 degrees of freedom.
//
// It is for repeated random splits and, with R the number of all folds, for repeated
// cross-validation (Bouckaert and Frank 2004). Where splits differ in size, train and
// test are sums over the splits: only their ratio matters. Without any difference
// p = 1. Where all differences are the same and not 0, as with few test samples, they
// say nothing of their spread: t and p are not defined, and NaN. It panics as
// [ResampledMean] does.
//
// The term test/train stands for a correlation of test/(train+test) between splits. It
// is an approximation for fits that hardly depend on which samples train, see
// [ResampledTValid].
func ResampledT(differences []float64, train, test int) ResampledTest {
	checkResampled("ResampledT", differences, train, test)
	mean, sd := meanSD(differences)
	n := float64(len(differences))
	r := ResampledTest{Mean: mean, SD: sd, DF: len(differences) - 1, P: 1}
	switch {
	case !slices.ContainsFunc(differences, func(x float64) bool { return x != differences[0] }): // SD may be rounding
		r.Mean, r.SD = differences[0], 0
		if r.Mean != 0 {
			r.T, r.P = math.NaN(), math.NaN()
		}
	default:
		r.T = mean / (sd * math.Sqrt(1/n+float64(test)/float64(train)))
		r.P = 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(-math.Abs(r.T))
	}
	return r
}

// ResampledTValid tells whether the corrected resampled t-test is used with so many
// training and test samples, or sums of them over splits: whether test/train is at most
// 1. The correction takes what is learned to hardly depend on which samples train. The
// fewer of the data train, the less that holds, and with more test than training
// samples the assumed correlation of the splits is above 1/2.
func ResampledTValid(train, test int) bool { return test <= train }

// ResampledSplits is the smallest number of splits with which the corrected resampled
// t-test finds a mean difference significant at a level, when differences have the
// standard deviation sd and there are ratio test samples for one training sample. It is
// not ok when no number of splits up to most is enough: the correlation of the splits
// leaves a difference of sd·√ratio or so undecided however many there are.
func ResampledSplits(difference, sd, ratio, level float64, most int) (splits int, ok bool) {
	for r := 2; r <= most; r++ {
		t := distuv.StudentsT{Sigma: 1, Nu: float64(r - 1)}.Quantile(1 - level/2)
		if math.Abs(difference) >= t*sd*math.Sqrt(1/float64(r)+ratio) {
			return r, true
		}
	}
	return 0, false
}
