package study

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// scaledColumn starts the ids of the columns of spec steps whose step length is
// divided; those with the paper's start with the method's id.
const scaledColumn = Transductive + "-scaled"

// Steps compares T-R2LML with the paper's step length and with one divided by the
// growth of its problem from validation to test.
type Steps struct {
	Coverage
	Choices   []StepChoice // by data set, then by K
	Validated []Validated  // by data set of the table of accuracies
	Falls     []Fall       // by method of that table
}

// A StepChoice is T-R2LML with K metrics on one data set with both step lengths.
type StepChoice struct {
	Set           Set
	Metrics       int    // K
	Printed       string // published accuracy of the data set; empty without one
	Paper, Scaled StepFit
	P             float64 // McNemar's, NaN where one has no result
	Holm          float64 // P after Holm's correction over the settings with both, else NaN
}

// A StepFit is one fit. Similar counts the pairs with an unlabelled sample that
// ended as similar; nil without a result.
type StepFit struct {
	table.Cell
	Similar *results.Fact
}

// Validated is a setting of T-R2LML that validation chose, with what became of it
// on the test samples.
type Validated struct {
	Set       Set
	Studied   bool // the data set is one of the study
	Score     table.Score
	Published string // accuracy; empty without one
}

// A Fall has, for one method, by how many points the settings that validation
// chose are less accurate on the test samples than on the validation samples.
type Fall struct {
	Column         table.Column
	Other, Studied []float64 // by data set: those that are not of the study, and those of it
}

// ReadSteps reads the tables of spec steps and of spec accuracy.
func ReadSteps(t, accuracies table.Table) (Steps, error) {
	s := Steps{Coverage: coverageOf(t)}
	for _, r := range t.Rows {
		for _, k := range metricCounts(t) {
			s.Choices = append(s.Choices, stepChoice(t, r, k))
		}
	}
	p := make([]float64, len(s.Choices))
	for i, c := range s.Choices {
		if p[i] = math.NaN(); c.Complete() {
			p[i] = c.P
		}
	}
	for i, holm := range stats.HolmKnown(p) {
		s.Choices[i].Holm = holm
	}
	s.validation(t, accuracies)
	return s, nil
}

func stepChoice(t table.Table, r table.Row, k int) StepChoice {
	suffix := ":metrics=" + strconv.Itoa(k)
	printed, _ := published.Lookup(r.Letter, Transductive)
	c := StepChoice{Set: setOf(r), Metrics: k, Printed: printed.Accuracy, P: math.NaN()}
	c.Paper, c.Scaled = stepFit(t, r, Transductive+suffix), stepFit(t, r, scaledColumn+suffix)
	for _, pair := range r.Pairs {
		if pair.A == Transductive+suffix && pair.B == scaledColumn+suffix {
			c.P = pair.P
		}
	}
	return c
}

func stepFit(t table.Table, r table.Row, column string) StepFit {
	cell := columnCell(t, r, column)
	return StepFit{cell, factOf(cell.Score, r2lml.SimilarFact)}
}

// columnCell returns what a row has in the column of that id.
func columnCell(t table.Table, r table.Row, id string) table.Cell {
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.ID == id })
	if i < 0 {
		return table.Cell{Status: table.StatusMissing}
	}
	return cellAt(r, i)
}

// validation reads what validation chose, and how far every method falls behind
// it, from the table of accuracies.
func (s *Steps) validation(t, accuracies table.Table) {
	studied := func(r table.Row) bool {
		return slices.ContainsFunc(t.Rows, func(other table.Row) bool { return other.Dataset == r.Dataset })
	}
	for _, r := range accuracies.Rows {
		score := accuracies.Find(r, Transductive).Score
		if _, ok := fall(score, r.N); ok {
			printed, _ := published.Lookup(r.Letter, Transductive)
			s.Validated = append(s.Validated, Validated{setOf(r), studied(r), *score, printed.Accuracy})
		}
	}
	for _, c := range accuracies.Columns {
		one := Fall{Column: c}
		for _, r := range accuracies.Rows {
			points, ok := fall(columnCell(accuracies, r, c.ID).Score, r.N)
			switch {
			case !ok:
			case studied(r):
				one.Studied = append(one.Studied, points)
			default:
				one.Other = append(one.Other, points)
			}
		}
		if len(one.Other)+len(one.Studied) > 0 {
			s.Falls = append(s.Falls, one)
		}
	}
}

// fall is by how many points a setting that validation chose is less accurate on
// the n test samples than on the validation samples.
func fall(score *table.Score, n int) (points float64, ok bool) {
	if score == nil || score.Validation == nil || score.Validation.Of == 0 || n == 0 {
		return 0, false
	}
	v := score.Validation
	return 100*float64(v.Correct)/float64(v.Of) - 100*float64(score.Correct)/float64(n), true
}

// MeanFall is the mean of some falls, NaN of none.
func MeanFall(points []float64) float64 { return floats.Sum(points) / float64(len(points)) }

// Complete reports whether both steps have a result.
func (c StepChoice) Complete() bool { return c.Paper.Score != nil && c.Scaled.Score != nil }

// ratio is the paper's step over the divided one, NaN if one of them has no
// result.
func (c StepChoice) ratio() float64 {
	if !c.Complete() {
		return math.NaN()
	}
	long, ok := c.Paper.Params["step"].(float64)
	short, also := c.Scaled.Params["step"].(float64)
	if !ok || !also || short <= 0 {
		return math.NaN()
	}
	return long / short
}

// Ratio is by how much the step is divided on a data set, which is the same for
// every K; NaN if it is not known.
func (s Steps) Ratio(dataset string) float64 {
	for _, c := range s.Choices {
		if r := c.ratio(); c.Set.Dataset == dataset && !math.IsNaN(r) {
			return r
		}
	}
	return math.NaN()
}

// AllSimilar lists the choices in which, of the fits that pick returns, every pair
// with an unlabelled sample ended as similar, and counts the fits with that fact.
func (s Steps) AllSimilar(pick func(StepChoice) StepFit) (similar []StepChoice, fits int) {
	for _, c := range s.Choices {
		f := pick(c).Similar
		if f == nil {
			continue
		}
		fits++
		if f.Of > 0 && f.Count == f.Of {
			similar = append(similar, c)
		}
	}
	return similar, fits
}

// StepEffect says whether the divided step is more accurate.
type StepEffect struct {
	Claim
	Settings      int // with both steps
	Better, Worse int // of them, those where the divided step is significantly so
}

// Effect checks that the length of the step is what sets the test behind
// validation: the divided step is significantly better more often than worse, by
// an exact sign test.
func (s Steps) Effect() StepEffect {
	var e StepEffect
	for _, c := range s.Choices {
		if math.IsNaN(c.Holm) {
			continue
		}
		e.Settings++
		switch d := c.Scaled.Correct - c.Paper.Correct; {
		case c.Holm <= Level && d > 0:
			e.Better++
		case c.Holm <= Level && d < 0:
			e.Worse++
		}
	}
	e.Claim = Claim{
		ID: "step-length", Statement: "the length of the step is what sets the test of T-R2LML behind its validation",
		Count: e.Better, Of: e.Settings, P: math.NaN(), Missing: s.Missing,
	}
	if e.Settings == 0 {
		e.Verdict = Undecided
		return e
	}
	e.P = stats.McNemar(stats.Exact, e.Better, e.Worse).P
	e.Verdict = verdict(!(e.Better > e.Worse && e.P <= Level), false)
	return e
}

// Claims are the one on the length of the step.
func (s Steps) Claims() []Claim { return []Claim{s.Effect().Claim} }

// Listings have a line for every setting.
func (s Steps) Listings() []table.Listing {
	l := table.Listing{
		Title: "The step length of T-R2LML",
		Head:  []string{"data", "K", "r", "paper's step", "divided", "p", "published", "similar, paper's step", "similar, divided"},
	}
	for _, c := range s.Choices {
		l.Rows = append(l.Rows, []string{
			c.Set.Name, strconv.Itoa(c.Metrics), decimals(s.Ratio(c.Set.Dataset), 1), accuracy(c.Paper.Cell), accuracy(c.Scaled.Cell),
			stats.ShortP(c.Holm), orDash(c.Printed), share(c.Paper.Similar), share(c.Scaled.Similar),
		})
	}
	return []table.Listing{l}
}
