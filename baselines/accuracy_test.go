package baselines

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"r2lmlbench/r2lml"
)

// A spread is the test accuracy in percent, mean and standard deviation over
// 50 seeds or more of a reference on the authors' split. No deviation: the
// method draws nothing.
type spread struct{ mean, deviation float64 }

// TestAccuracies compares three seeds of each method with references: ITML with
// the grid on shared pairs and the exact rule of LMNN (recorded in other
// languages), and the published toolbox of LMNN-MM.
func TestAccuracies(t *testing.T) {
	tests := []struct {
		split                 string
		itml, lmnn, many, rca spread
	}{
		{"ionosphere", spread{86.8, 3.3}, spread{78.2, 2.0}, spread{78.1, 1.9}, spread{89.1, 0}},
		{"robot", spread{67.0, 4.2}, spread{62.9, 0.8}, spread{62.8, 0.6}, spread{67.2, 0}},
		{"winequality", spread{89.3, 2.2}, spread{90.2, 0.6}, spread{90.1, 0.4}, spread{98.5, 0}},
	}
	gammas := []ITML{{1e-4}, {1e-3}, {1e-2}, {0.1}, {1}, {10}, {100}, {1e3}, {1e4}}
	for _, tt := range tests {
		t.Run(tt.split, func(t *testing.T) {
			s := readAuthorSplit(t, tt.split).paperSize()
			checkSpread(t, "ITML", tt.itml, s, FitITML, gammas)
			checkSpread(t, "LMNN", tt.lmnn, s, r2lml.Singly, []LMNN{{}})
			checkSpread(t, "LMNN-MM", tt.many, s, FitLMNNMM, []LMNNMM{{}})
			checkSpread(t, "RCA", tt.rca, s, r2lml.Singly, []RCA{{}})
		})
	}
}

// paperSize drops the test samples beyond those of the paper's table, which the
// file of wine quality has.
func (s authorSplit) paperSize() authorSplit {
	const winequality = 2898
	if m, d := s.test.Query.Dims(); m > winequality && d == 12 {
		s.test.Query = mat.DenseCopyOf(s.test.Query.Slice(0, winequality, 0, d))
		s.testY = s.testY[:winequality]
	}
	return s
}

// checkSpread requires the mean of three seeds within three standard errors.
func checkSpread[M r2lml.Method](t *testing.T, method string, want spread, s authorSplit, fit r2lml.GridFit[M], settings []M) {
	t.Helper()
	var accuracies []float64
	for seed := range uint64(3) {
		accuracies = append(accuracies, s.accuracy(t, seed+1, func(p r2lml.Problem, y []int) r2lml.Method {
			return bestOn(t, p, y, fit, settings)
		}))
	}
	mean := stat.Mean(accuracies, nil)
	t.Logf("%s: %.2f %% (%s)", method, mean, fmt.Sprintf("%.2f", accuracies))
	if limit := 0.05 + 3*want.deviation/math.Sqrt(3); math.Abs(mean-want.mean) > limit {
		t.Errorf("%s labels %.2f %% right, want %.1f ± %.1f", method, mean, want.mean, limit)
	}
}

// accuracy returns the percentage of test samples that the setting chosen on
// the validation samples labels right.
func (s authorSplit) accuracy(t *testing.T, seed uint64, choose func(r2lml.Problem, []int) r2lml.Method) float64 {
	t.Helper()
	s.validation.Seed, s.test.Seed = seed, seed
	f := fit(t, choose(s.validation, s.validationY), s.test)
	return 100 * float64(correct(s.test, f.Metric, s.testY)) / float64(len(s.testY))
}

// bestOn returns the first of the settings that label most queries of p right.
func bestOn[M r2lml.Method](t *testing.T, p r2lml.Problem, y []int, fit r2lml.GridFit[M], settings []M) M {
	t.Helper()
	right := make([]int, len(settings))
	for _, task := range fit(p, settings) {
		task.Run(t.Context(), func(i int, f r2lml.Fitted, err error) {
			if err != nil {
				right[i] = -1
				return
			}
			right[i] = correct(p, f.Metric, y)
		})
	}
	best := 0
	for i, n := range right {
		if n > right[best] {
			best = i
		}
	}
	return settings[best]
}
