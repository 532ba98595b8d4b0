package stats

import (
	"fmt"
	"math"

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
// than training samples it is an upper bound, and the interval is wider than that of
// [NextRun]. It panics with fewer than two differences, without training or test
// samples, and if the confidence is not between 0 and 1.
func ResampledMean(differences []float64, train, test int, confidence float64) Interval {
	checkLevel("ResampledMean", confidence)
	checkNumbers("ResampledMean", differences)
	if len(differences) < 2 || train < 1 || test < 1 {
		panic(fmt.Sprintf("stats: ResampledMean: %d differences with %d training and %d test samples, want at least 2, 1 and 1", len(differences), train, test))
	}
	p := describe(differences)
	n := float64(len(differences))
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+confidence)/2) * p.SD * math.Sqrt(1/n+float64(test)/float64(train))
	return Interval{p.Mean - half, p.Mean + half}
}
