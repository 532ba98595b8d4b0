package stats

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// A predictionCase of the reference also has a verdict with limits of its own, of
// which only "not reproduced" says where the printed value lies.
type predictionCase struct {
	ID         string      `json:"id"`
	Published  float64     `json:"published"`
	Decimals   int         `json:"decimals"`
	Confidence float64     `json:"confidence"`
	Runs       []float64   `json:"split_accuracies"`
	Mean       float64     `json:"mean"`
	SD         float64     `json:"sd"`
	HalfWidth  *float64    `json:"half_width"`
	Interval   *[2]float64 `json:"pi"`
	Verdict    string      `json:"verdict"`
}

func TestPredictGolden(t *testing.T) { eachCase(t, "reproduction_verdict*.json", checkPrediction) }

func checkPrediction(t *testing.T, c predictionCase) {
	got := fixture.Must(Predict(strconv.FormatFloat(c.Published, 'f', c.Decimals, 64), c.Runs, c.Confidence))(t)
	close := func(name string, got, want float64) { fixture.Near(t, name, got, want, 1e-9) }
	close("mean", got.Mean, c.Mean)
	close("sd", got.SD, c.SD)
	if c.Interval == nil {
		return // too few runs for the reference
	}
	close("half width", got.HalfWidth, *c.HalfWidth)
	close("low", got.Interval.Low, c.Interval[0])
	close("high", got.Interval.High, c.Interval[1])
	if outside := c.Verdict == "not reproduced"; got.Inside == outside {
		t.Errorf("inside %v, the reference says %q", got.Inside, c.Verdict)
	}
}

func TestPredictProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.Float64Range(0, 100), 2, 30).Draw(t, "runs")
		hundredths := rapid.IntRange(0, 10000).Draw(t, "published")
		printed := new(big.Rat).SetFrac64(int64(hundredths), 100).FloatString(2)
		p := fixture.Must(Predict(printed, runs, 0.95))(t)
		v := float64(hundredths) / 100
		fixture.Equal(t, printed+" is inside", p.Inside, math.Abs(v-p.Mean) <= p.HalfWidth+0.005+1e-9)
		wider, err := Predict(printed, runs, 0.99)
		if err != nil || wider.HalfWidth < p.HalfWidth || p.Inside && !wider.Inside {
			t.Errorf("%+v at 0.99, %+v at 0.95, %v", wider, p, err)
		}
	})
}
