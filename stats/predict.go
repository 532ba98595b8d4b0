package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Prediction is where one more run of ours is to be expected.
type Prediction struct {
	Mean, SD  float64 // of the runs; the divisor of the variance is R-1
	Interval  Interval
	HalfWidth float64 // of the interval
	Inside    bool    // the printed value lies in the interval, within its rounding
}

// noise is what floating point may add to a comparison of percentages.
const noise = 1e-9

// Predict tells whether a printed accuracy is a value that one more run of ours could
// have given, after R of them with fresh draws. runs and printed are percentages,
// printed with the decimals it was published with, whose rounding leaves ±h, half a
// unit of the last place. The interval is that of [NextRun], and printed ± h is inside
// unless it lies wholly outside.
//
// Predict fails if printed is no decimal number, a run is not finite, or there are
// fewer than two. It panics if the confidence is not between 0 and 1.
func Predict(printed string, runs []float64, confidence float64) (Prediction, error) {
	checkLevel("Predict", confidence)
	value, half, err := parsePrinted(printed)
	if err != nil {
		return Prediction{}, fmt.Errorf("stats: Predict: %w", err)
	}
	for i, x := range runs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return Prediction{}, fmt.Errorf("stats: Predict: run %d has accuracy %v, want a finite number", i+1, x)
		}
	}
	if len(runs) < 2 {
		return Prediction{}, fmt.Errorf("stats: Predict: the number of runs is %d, want at least 2", len(runs))
	}
	p := NextRun(runs, confidence)
	v, _ := value.Float64()
	h, _ := half.Float64()
	p.Inside = v+h >= p.Interval.Low-noise && v-h <= p.Interval.High+noise
	return p, nil
}

// NextRun is the prediction interval for one more of R runs with fresh draws,
//
//	mean ± t(R-1) · sd · √(1 + 1/R),
//
// t the Student quantile of the confidence; Inside is not told. It panics with fewer
// than two runs and if the confidence is not between 0 and 1.
func NextRun(runs []float64, confidence float64) Prediction {
	checkLevel("NextRun", confidence)
	if len(runs) < 2 {
		panic("stats: NextRun needs at least two runs")
	}
	p := describe(runs)
	n := float64(len(runs))
	p.HalfWidth = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+confidence)/2) * p.SD * math.Sqrt(1+1/n)
	p.Interval = Interval{p.Mean - p.HalfWidth, p.Mean + p.HalfWidth}
	return p
}

// describe fills in mean and standard deviation.
func describe(runs []float64) (p Prediction) {
	sum, squares := 0.0, 0.0
	for _, x := range runs {
		sum += x
	}
	p.Mean = sum / float64(len(runs))
	for _, x := range runs {
		squares += (x - p.Mean) * (x - p.Mean)
	}
	p.SD = math.Sqrt(squares / float64(len(runs)-1))
	return p
}
