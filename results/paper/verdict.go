package paper

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/results"
)

// The words of all verdicts.
const (
	Agrees     = "agrees"
	Differs    = "differs"
	CannotTell = "cannot tell"
)

// Words lists them in the order of tables.
func Words() []string { return []string{Agrees, Differs, CannotTell} }

// mostSpread is the largest value of 2 sd, in points, with which runs can tell.
const mostSpread = 5

// rounding absorbs that of binary fractions in comparisons of points.
const rounding = 1e-9

// A Run is what one fit got on the test samples.
type Run struct {
	Inputs  results.Inputs // of the cell
	Setting int            // index of the setting in Inputs.Settings
	Correct int
	N       int
	LeftOut int // settings that answer with one class, which were not chosen from
}

// An Evidence is what our cells say about one printed number under one reading.
type Evidence struct {
	Published published.Number
	Column    string // id of the column; the method's id unless that appears twice
	Samples   int    // test samples
	Planned   int    // runs of the column in the spec
	Drawn     bool   // the splits are drawn at random
	Runs      []Run  // by seed; missing and failed ones are not among them

	jobs   []plan.Job // of the column, that the runs are of
	chosen string     // samples that the setting is the best on; empty: those that the jobs name
}

// A Verdict compares one printed number with our runs. Numbers are accuracies in percent,
// and differences are in points. The word follows from the fields before it.
type Verdict struct {
	Letter    string `json:"letter"`
	Dataset   string `json:"dataset"`
	Method    string `json:"method"` // id of the column
	Published string `json:"published"`

	Mean       *float64 `json:"mean"`            // null without runs
	SD         float64  `json:"sd"`              // of the runs; 0 for fewer than two
	Runs       int      `json:"runs"`            // that there are
	Planned    int      `json:"planned"`         // by the spec
	Drawn      bool     `json:"drawn,omitempty"` // splits at random
	Samples    int      `json:"samples"`         // test samples
	Difference *float64 `json:"difference"`      // mean less the printed value; null without runs

	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`

	Evidence Evidence `json:"-"` // that it rests on
}

// New compares a printed number with runs.
func New(e Evidence) Verdict {
	v := Verdict{
		Letter: e.Published.Letter, Dataset: e.Published.Dataset, Method: e.Column, Published: e.Published.Accuracy,
		Runs: len(e.Runs), Planned: e.Planned, Drawn: e.Drawn, Samples: e.Samples, Evidence: e,
	}
	if len(e.Runs) > 0 {
		all := make([]float64, len(e.Runs))
		for i, r := range e.Runs {
			all[i] = 100 * float64(r.Correct) / float64(r.N)
		}
		mean := millionths(stat.Mean(all, nil))
		difference := millionths(mean - v.printed())
		v.Mean, v.Difference = &mean, &difference
		if len(all) > 1 {
			v.SD = millionths(stat.StdDev(all, nil))
		}
	}
	v.Verdict, v.Reason = v.judge(v.printed())
	return v
}

// printed is the printed accuracy as a number.
func (v Verdict) printed() float64 { return v.Evidence.Published.Percent }

// millionths rounds, so that a verdict follows from its fields as they are written.
func millionths(x float64) float64 { return math.Round(1e6*x) / 1e6 }

// judge is the rule: the word that a printed value gets, and its reason.
func (v Verdict) judge(printed float64) (word, reason string) {
	switch {
	case v.Mean == nil:
		return CannotTell, "no runs"
	case v.Runs < v.Planned:
		return CannotTell, "fewer runs than planned"
	case v.Drawn && v.Planned == 1:
		return CannotTell, "one split drawn at random has no sd"
	case 2*v.SD > mostSpread+rounding:
		return CannotTell, "2 sd is more than 5 points"
	}
	switch distance := math.Abs(printed-*v.Mean) - rounding; {
	case distance <= 1:
		return Agrees, "within 1 point"
	case distance <= v.sample():
		return Agrees, "within 1 test sample"
	case distance <= 2*v.SD:
		return Agrees, "within 2 sd"
	}
	if v.Runs == 1 {
		return Differs, "more than 1 point and 1 test sample away, in one run"
	}
	return Differs, "more than 1 point, 1 test sample and 2 sd away"
}

// sample is one test sample in points, 0 if their number is not known.
func (v Verdict) sample() float64 {
	if v.Samples == 0 {
		return 0
	}
	return 100 / float64(v.Samples)
}

// Reached tells whether so many right test samples are within 1 point or 1 test sample of
// the printed value.
func (v Verdict) Reached(correct int) bool {
	return v.Samples > 0 && math.Abs(v.printed()-v.sample()*float64(correct)) <= max(1, v.sample())+rounding
}
