package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Verdict says how a published accuracy fits accuracies of our own.
type Verdict string

// The verdicts of [Predict]. Better and Worse are the two ways of not being
// reproduced.
const (
	Reproduced   Verdict = "reproduced"   // within the prediction interval
	Better       Verdict = "better"       // the whole interval is above the published value
	Worse        Verdict = "worse"        // the whole interval is below it
	Inconclusive Verdict = "inconclusive" // too few runs, or too wide an interval, to tell
)

// PredictionSettings are choices of [Predict].
type PredictionSettings struct {
	Confidence   float64 // of the interval; 0: 0.95
	MinRuns      int     // runs needed for a verdict; 0: 10
	MaxHalfWidth float64 // points beyond which agreement means nothing; 0: 5
}

// A Prediction is the outcome of [Predict].
type Prediction struct {
	Verdict Verdict
	Reason  string // for the verdict, in words

	Mean, Median float64 // NaN without runs
	SD           float64 // divisor R-1; NaN for less than two runs

	// The prediction interval and the distribution-free p-value; NaN if the
	// runs are too few.
	Interval  Interval
	HalfWidth float64
	RankP     float64
}

// noise is what floating point may add to a comparison of percentages.
const noise = 1e-9

// Predict judges a published accuracy by R runs of our own on fresh splits, or
// with fresh seeds: is it a value that one more run could have given? runs and
// printed are percentages, printed with the decimals it was published with, whose
// rounding leaves ±h, half a unit of the last place. The interval is
//
//	mean ± t(R-1) · sd · √(1 + 1/R),
//
// t the Student quantile of the confidence. The value is not reproduced if
// printed ± h lies wholly outside; otherwise the verdict is Inconclusive if the
// half-width is above its limit, else Reproduced. Beside it stands the
// distribution-free
//
//	RankP = (1 + #{|x - median| ≥ |printed - median| - h}) / (R+1),
//
// which needs R ≥ 19 to get down to 0.05. sd describes how much splits differ;
// as they overlap, it says nothing about the error of the mean.
//
// Predict fails if printed is no decimal number or a run is not finite. It panics
// if the confidence is not between 0 and 1 or another setting is negative.
func Predict(printed string, runs []float64, s PredictionSettings) (Prediction, error) {
	s = s.resolve()
	value, half, err := parsePrinted(printed)
	if err != nil {
		return Prediction{}, fmt.Errorf("stats: Predict: %w", err)
	}
	for i, x := range runs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return Prediction{}, fmt.Errorf("stats: Predict: run %d has accuracy %v, want a finite number", i+1, x)
		}
	}
	p := describe(runs)
	if least := max(2, s.MinRuns); len(runs) < least {
		p.Verdict, p.Reason = Inconclusive, fmt.Sprintf("%d runs, at least %d are needed", len(runs), least)
		return p, nil
	}
	v, _ := value.Float64()
	h, _ := half.Float64()
	p.predict(len(runs), s.Confidence)
	p.RankP = rankP(runs, p.Median, math.Abs(v-p.Median)-h)
	p.judge(v-h, v+h, s.MaxHalfWidth)
	return p, nil
}

func (s PredictionSettings) resolve() PredictionSettings {
	if s.Confidence == 0 {
		s.Confidence = 0.95
	}
	if s.MinRuns == 0 {
		s.MinRuns = 10
	}
	if s.MaxHalfWidth == 0 {
		s.MaxHalfWidth = 5
	}
	checkLevel("Predict", s.Confidence)
	if !(s.MinRuns > 0 && s.MaxHalfWidth > 0) {
		panic(fmt.Sprintf("stats: Predict: settings %+v, want none negative", s))
	}
	return s
}

// describe fills in what needs no minimum of runs.
func describe(runs []float64) Prediction {
	nan := math.NaN()
	p := Prediction{Mean: nan, Median: nan, SD: nan, Interval: Interval{nan, nan}, HalfWidth: nan, RankP: nan}
	if len(runs) == 0 {
		return p
	}
	n := len(runs)
	sorted := slices.Sorted(slices.Values(runs))
	p.Median = (sorted[(n-1)/2] + sorted[n/2]) / 2
	sum, squares := 0.0, 0.0
	for _, x := range runs {
		sum += x
	}
	p.Mean = sum / float64(n)
	for _, x := range runs {
		squares += (x - p.Mean) * (x - p.Mean)
	}
	p.SD = math.Sqrt(squares / float64(n-1)) // 0/0 for one run
	return p
}

// predict fills in the interval for one more run.
func (p *Prediction) predict(n int, confidence float64) {
	t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + confidence) / 2)
	p.HalfWidth = t * p.SD * math.Sqrt(1+1/float64(n))
	p.Interval = Interval{p.Mean - p.HalfWidth, p.Mean + p.HalfWidth}
}

// rankP is the share of runs, and of the published value as one more, that are
// at least so far from the median.
func rankP(runs []float64, median, distance float64) float64 {
	far := 1
	for _, x := range runs {
		if math.Abs(x-median) >= distance-noise {
			far++
		}
	}
	return float64(far) / float64(len(runs)+1)
}

// judge compares the interval with the published value, between low and high.
func (p *Prediction) judge(low, high, limit float64) {
	switch {
	case high < p.Interval.Low-noise:
		p.Verdict, p.Reason = Better, "the published value is below the prediction interval"
	case low > p.Interval.High+noise:
		p.Verdict, p.Reason = Worse, "the published value is above the prediction interval"
	case p.HalfWidth > limit:
		p.Verdict = Inconclusive
		p.Reason = fmt.Sprintf("the prediction interval is ±%.2f wide, above the limit of %g", p.HalfWidth, limit)
	default:
		p.Verdict, p.Reason = Reproduced, "the published value is inside the prediction interval"
	}
}

// ExpectedMisses tells how surprising it is that so many of a total of values lie
// outside their prediction intervals, if every one of them is sound: the number
// to expect, total·(1-confidence), and the probability of at least as many,
//
//	P(X ≥ outside),  X ~ Bin(total, 1-confidence).
//
// Values that share a split are dependent, which the probability leaves out. It
// panics unless 0 ≤ outside ≤ total and 0 < confidence < 1.
func ExpectedMisses(total, outside int, confidence float64) (expected, p float64) {
	if outside < 0 || outside > total {
		panic(fmt.Sprintf("stats: ExpectedMisses: %d outside of %d in total", outside, total))
	}
	checkLevel("ExpectedMisses", confidence)
	miss := 1 - confidence
	expected = float64(total) * miss
	if outside == 0 {
		return expected, 1
	}
	return expected, mathext.RegIncBeta(float64(outside), float64(total-outside+1), miss)
}
