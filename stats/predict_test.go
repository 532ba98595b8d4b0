package stats

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type verdictCase struct {
	ID           string      `json:"id"`
	Published    float64     `json:"published"`
	Decimals     int         `json:"decimals"`
	MaxHalfWidth float64     `json:"max_half_width"`
	Confidence   float64     `json:"confidence"`
	MinRuns      int         `json:"min_splits"`
	Runs         []float64   `json:"split_accuracies"`
	Mean         float64     `json:"mean"`
	SD           float64     `json:"sd"`
	Median       *float64    `json:"median"`
	HalfWidth    *float64    `json:"half_width"`
	Interval     *[2]float64 `json:"pi"`
	RankP        *float64    `json:"rank_p"`
	Verdict      string      `json:"verdict"`
	Reason       string      `json:"reason"`
}

func TestPredictGolden(t *testing.T) {
	type file struct {
		Cases []verdictCase `json:"cases"`
	}
	eachGolden(t, "reproduction_verdict*.json", func(t *testing.T, f file) {
		if len(f.Cases) == 0 {
			t.Fatal("no cases")
		}
		for _, c := range f.Cases {
			t.Run(c.ID, func(t *testing.T) { checkPrediction(t, c) })
		}
	})
}

func checkPrediction(t *testing.T, c verdictCase) {
	got, err := Predict(strconv.FormatFloat(c.Published, 'f', c.Decimals, 64), c.Runs,
		PredictionSettings{Confidence: c.Confidence, MinRuns: c.MinRuns, MaxHalfWidth: c.MaxHalfWidth})
	if err != nil {
		t.Fatal(err)
	}
	close := func(name string, got float64, want *float64) {
		if want == nil && !math.IsNaN(got) || want != nil && !(math.Abs(got-*want) <= 1e-9) {
			t.Errorf("%s: %v, want %v", name, got, show(want))
		}
	}
	close("mean", got.Mean, &c.Mean)
	close("sd", got.SD, &c.SD)
	if c.Median != nil {
		close("median", got.Median, c.Median)
	}
	close("half width", got.HalfWidth, c.HalfWidth)
	close("rank p", got.RankP, c.RankP)
	if c.Interval == nil {
		c.Interval = new([2]float64)
		c.Interval[0], c.Interval[1] = math.NaN(), math.NaN()
	}
	for i, limit := range []float64{got.Interval.Low, got.Interval.High} {
		if want := c.Interval[i]; !(math.Abs(limit-want) <= 1e-9) && !(math.IsNaN(limit) && math.IsNaN(want)) {
			t.Errorf("interval %v, want %v", got.Interval, *c.Interval)
		}
	}
	if want := expectedVerdict(t, c); got.Verdict != want {
		t.Errorf("%s (%s), want %s", got.Verdict, got.Reason, want)
	}
	for theirs, ours := range map[string]string{"fewer": "are needed", "half-width": "wide", "inside": "inside", "outside": "the prediction interval"} {
		if strings.Contains(c.Reason, theirs) && !strings.Contains(got.Reason, ours) {
			t.Errorf("reason %q, want %q", got.Reason, c.Reason)
		}
	}
}

// expectedVerdict adds the direction, which the reference file does not name.
func expectedVerdict(t *testing.T, c verdictCase) Verdict {
	switch {
	case c.Verdict == "not reproduced" && c.Published < c.Mean:
		return Better
	case c.Verdict == "not reproduced":
		return Worse
	case c.Verdict != "reproduced" && c.Verdict != "inconclusive":
		t.Fatalf("verdict %q", c.Verdict)
	}
	return Verdict(c.Verdict)
}

func TestPredictDirectionsAndDefaults(t *testing.T) {
	runs := []float64{70, 71, 70, 71, 70, 71, 70, 71, 70, 71}
	for _, c := range []struct {
		printed string
		runs    []float64
		want    Verdict
	}{
		{"70.5", runs, Reproduced},
		{"90", runs, Worse},
		{"50.00", runs, Better},
		{"70.5", runs[:9], Inconclusive}, // ten are the default
		{"70.5", runs[:1], Inconclusive},
		{"70.5", nil, Inconclusive},
		// mean 70.5, sd 0.527, t(9) = 2.262, half width 1.2504
		{"71.751", runs, Worse},
		{"71.75", runs, Reproduced}, // 71.745 after rounding
		{"72", runs, Reproduced},    // 71.5 after rounding
	} {
		got, err := Predict(c.printed, c.runs, PredictionSettings{})
		if err != nil || got.Verdict != c.want {
			t.Errorf("%s: %s (%s), %v, want %s", c.printed, got.Verdict, got.Reason, err, c.want)
		}
	}
	wide, err := Predict("70", []float64{60, 80, 60, 80, 60, 80, 60, 80, 60, 80}, PredictionSettings{})
	if err != nil || wide.Verdict != Inconclusive || !strings.Contains(wide.Reason, "limit of 5") {
		t.Errorf("wide: %+v, %v", wide, err)
	}
	two, err := Predict("70.5", runs[:1], PredictionSettings{MinRuns: 1})
	if err != nil || two.Verdict != Inconclusive || !math.IsNaN(two.SD) || two.Mean != 70 {
		t.Errorf("one run has no spread: %+v, %v", two, err)
	}
}

func TestPredictRefuses(t *testing.T) {
	for _, printed := range []string{"", "abc", "1e2", "75.", ".5", "1/2", "+3", "--3", "75,57", "NaN", "0x1p4", "1_000"} {
		if _, err := Predict(printed, nil, PredictionSettings{}); err == nil || !strings.Contains(err.Error(), strconv.Quote(printed)) {
			t.Errorf("%q: error %v", printed, err)
		}
	}
	if _, err := Predict("1", []float64{1, math.Inf(1)}, PredictionSettings{}); err == nil || !strings.Contains(err.Error(), "run 2") {
		t.Errorf("infinite run: error %v", err)
	}
	for name, s := range map[string]PredictionSettings{
		"confidence": {Confidence: 1}, "runs": {MinRuns: -1}, "width": {MaxHalfWidth: -1},
	} {
		if !panics(func() { Predict("1", nil, s) }) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestPredictProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.Float64Range(0, 100), 2, 30).Draw(t, "runs")
		hundredths := rapid.IntRange(0, 10000).Draw(t, "published")
		printed := new(big.Rat).SetFrac64(int64(hundredths), 100).FloatString(2)
		p, err := Predict(printed, runs, PredictionSettings{MinRuns: 2, MaxHalfWidth: 1e6})
		if err != nil {
			t.Fatal(err)
		}
		v := float64(hundredths) / 100
		inside := v+0.005 >= p.Interval.Low-1e-9 && v-0.005 <= p.Interval.High+1e-9
		if inside != (p.Verdict == Reproduced) || !inside && (p.Verdict == Better) != (p.Mean > v) {
			t.Errorf("%s of %+v", printed, p)
		}
		if steps := p.RankP * float64(len(runs)+1); math.Abs(steps-math.Round(steps)) > 1e-9 || p.RankP <= 0 || p.RankP > 1 {
			t.Errorf("rank p %v of %d runs", p.RankP, len(runs))
		}
	})
}

func TestExpectedMisses(t *testing.T) {
	for _, c := range []struct {
		total, outside int
		expected, p    float64
	}{
		{0, 0, 0, 1},
		{1, 1, 0.05, 0.05},
		{2, 1, 0.1, 0.0975},
		{144, 0, 7.2, 1},
		{144, 144, 7.2, math.Pow(0.05, 144)},
		{144, 13, 7.2, 0.02901710305188312}, // Python: fractions and math.comb, 1 - Σ over 0 to 12
	} {
		expected, p := ExpectedMisses(c.total, c.outside, 0.95)
		if math.Abs(expected-c.expected) > 1e-12 || !near(p, &c.p, 1e-9) {
			t.Errorf("%d of %d: %v and %v, want %v and %v", c.outside, c.total, expected, p, c.expected, c.p)
		}
	}
	for name, f := range map[string]func(){
		"negative": func() { ExpectedMisses(3, -1, 0.95) },
		"too many": func() { ExpectedMisses(3, 4, 0.95) },
		"level":    func() { ExpectedMisses(3, 1, 0) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}
