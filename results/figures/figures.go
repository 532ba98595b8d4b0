// Package figures makes the charts of reports from tables, times and studies. Each
// constructor returns the charts that its input suffices for; package chart draws them.
// [Drawings] has the names by which a spec asks for them.
//
// References:
//
//	J. Demšar, Statistical comparisons of classifiers over multiple data sets,
//	  Journal of Machine Learning Research 7, 2006.
//	A. Ismail-Fawaz et al., An approach to multiple comparison benchmark evaluations
//	  that is stable under manipulation of the comparate set, 2023.
package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// A Drawing is charts that a spec can ask for by name.
type Drawing struct {
	Name   string
	Study  string // id of the study that it draws; empty: none
	charts func(in Input) []chart.Chart
}

// Draw makes its figures, none if the input does not suffice.
func (d Drawing) Draw(in Input) []chart.Figure {
	var all []chart.Figure
	for _, c := range d.charts(in) {
		if f, ok := c.Figure(); ok {
			all = append(all, f)
		}
	}
	return all
}

// An Input is what drawings are made from.
type Input struct {
	Table     table.Table
	Pooled    *table.Table     // Table with one row for each data set; nil where it is the same
	Ranks     *verdict.Ranks   // of means over the seeds of Table; nil: seed 1 is ranked
	Costs     []study.Cost     // of the cells of Table
	Study     study.Result     // of the drawing's study
	Contrasts []study.Contrast // of the spec
}

// Names of drawings that reports choose themselves.
const (
	Ranks         = "critical-difference" // of a spec that says nothing about figures
	CostsName     = "costs"               // of every spec
	SplitsName    = "splits"              // of every spec with several splits
	ContrastsName = "contrasts"           // of every spec with contrasts
)

// Drawings has all of them, in the order of a report.
var Drawings = []Drawing{
	{Ranks, "", func(in Input) []chart.Chart { return slices.Concat(averageRanks(in), comparisons(in.sets())) }},
	{SplitsName, "", func(in Input) []chart.Chart { return splits(in.Table) }},
	{"collapse", "collapse", of(collapse)},
	{"metrics", "metrics", of(metrics)},
	{"lambda", "lambda", of(lambda)},
	{"toy", "toy", of(toy)},
	{"convergence", "convergence", of(convergence)},
	{ContrastsName, "", contrasts},
	{CostsName, "", func(in Input) []chart.Chart { return slices.Concat(accuracyByTime(in), costs(in)) }},
}

// For are the drawings of a plan: those that its spec names, or else those of the studies
// whose measures it takes, or else the ranks over the data sets; and the splits where there
// are several, the contrasts, and the costs.
func For(p plan.Plan) []Drawing {
	measured := func(d Drawing) bool {
		i := slices.IndexFunc(study.Studies, func(s study.Study) bool { return s.ID == d.Study && s.Measure != "" })
		return i >= 0 && slices.ContainsFunc(p.Spec.Columns, func(c spec.Column) bool { return slices.Contains(c.Measure, study.Studies[i].Measure) })
	}
	wanted := func(d Drawing) bool { return slices.Contains(p.Spec.Figures, d.Name) }
	if len(p.Spec.Figures) == 0 {
		wanted = measured
		if !slices.ContainsFunc(Drawings, wanted) {
			wanted = func(d Drawing) bool { return d.Name == Ranks }
		}
	}
	several := slices.ContainsFunc(p.Rows, func(r plan.Row) bool { return r.Repeat > 1 })
	return slices.DeleteFunc(slices.Clone(Drawings), func(d Drawing) bool {
		always := d.Name == CostsName || several && d.Name == SplitsName || len(p.Spec.Contrast) > 0 && d.Name == ContrastsName
		return !always && !wanted(d)
	})
}

// of makes the charts of a drawing of a study.
func of[R study.Result](draw func(R) []chart.Chart) func(Input) []chart.Chart {
	return func(in Input) []chart.Chart { return draw(in.Study.(R)) }
}

// sets is the table in which every data set counts once.
func (in Input) sets() table.Table {
	if in.Pooled != nil {
		return *in.Pooled
	}
	return in.Table
}

// averageRanks has the average ranks of the methods over the data sets on which all have a
// result, with bars over those that Nemenyi's test does not tell apart. Means over the
// seeds are ranked where all methods have them.
func averageRanks(in Input) []chart.Chart {
	t := in.sets()
	scores, ranked := t.Scores(), "The results of seed 1 are ranked."
	if in.Ranks != nil && slices.Equal(in.Ranks.Scores.Methods, scores.Methods) {
		scores, ranked = in.Ranks.Scores, "Mean accuracies over the seeds are ranked."
	}
	s, ok := scores.Standing(t.Test.Alpha)
	if !ok {
		return nil
	}
	p := chart.Rows{
		Title: fmt.Sprintf("Critical difference %.2f (level %g)", s.CD, t.Test.Alpha),
		X:     chart.Axis{Label: fmt.Sprintf("average rank over %s", text.Counted(s.Rows, "data set"))},
	}
	ranks := chart.Series{Look: chart.Disc}
	for i, column := range s.Order {
		rank := s.Friedman.AverageRanks[column]
		p.Names = append(p.Names, fmt.Sprintf("%s %.2f", t.Columns[column].Name, rank))
		ranks.Points = append(ranks.Points, chart.Point{X: rank, Y: float64(i)})
	}
	for _, group := range s.Groups {
		p.Bars = append(p.Bars, [2]int{slices.Index(s.Order, group[0]), slices.Index(s.Order, group[len(group)-1])})
	}
	p.Series = []chart.Series{ranks}
	return []chart.Chart{{
		Name: Ranks, Title: "Average ranks and critical difference", Panels: []chart.Panel{p},
		See: "Rank 1 is the best. Methods on one upright bar are not significantly different: their ranks are less than the critical difference apart. " + ranked,
	}}
}

// comparisons has every method against every other over the data sets on which all have a
// result: mean difference of the accuracies, and p of Wilcoxon's signed-rank test after
// Holm's correction.
func comparisons(t table.Table) []chart.Chart {
	scores := t.Scores()
	scores.Rows = slices.DeleteFunc(scores.Rows, func(r table.ScoreRow) bool { return r.N <= 0 || slices.Min(append(r.Right, 0)) < 0 })
	n, sets := len(t.Columns), len(scores.Rows)
	if n < 2 || sets < 2 {
		return nil
	}
	means, order := make([]float64, n), make([]int, n)
	for j := range n {
		order[j] = j
		for _, r := range scores.Rows {
			means[j] += 100 * float64(r.Right[j]) / float64(r.N) / float64(sets)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[b], means[a]) })
	p := chart.Matrix{Unit: "points", Data: []string{"datasets", "p", "p_holm"}}
	var raw []float64
	for i, a := range order {
		p.Names, p.Diagonal, p.Fields = append(p.Names, t.Columns[a].Name), append(p.Diagonal, means[a]), append(p.Fields, make([]chart.Field, n))
		for _, b := range order[:i] {
			raw = append(raw, stats.Wilcoxon(scores.Differences(t.Columns[a].ID, t.Columns[b].ID)).P)
		}
	}
	for k, holm := range stats.Holm(raw) {
		i := 1
		for k >= i {
			k, i = k-i, i+1
		}
		for _, at := range [][2]int{{i, k}, {k, i}} {
			difference, once, after := p.Diagonal[at[0]]-p.Diagonal[at[1]], stats.ShortP(raw[i*(i-1)/2+k]), stats.ShortP(holm)
			p.Fields[at[0]][at[1]] = chart.Field{
				Value: difference, Strong: holm <= t.Test.Alpha, Data: []string{strconv.Itoa(sets), once, after},
				Say: fmt.Sprintf("%s less %s: %s points; p %s, after Holm %s", p.Names[at[0]], p.Names[at[1]], chart.Signed(difference, 2), once, after),
			}
		}
	}
	return []chart.Chart{{
		Name: "comparisons", Title: "Every method against every other", Panels: []chart.Panel{p},
		See: fmt.Sprintf("Row less column: mean difference of the accuracies over %s, blue where the row is better. "+
			"Bold numbers, or signs where there is no room for numbers, are significant (Wilcoxon's test with Holm's correction, level %g).",
			text.Counted(sets, "data set"), t.Test.Alpha),
	}}
}

// mostSplitSets is the number of data sets up to which single splits are drawn.
const mostSplitSets = 8

// splits has the accuracy of every method on every split, a panel for each data set.
func splits(t table.Table) []chart.Chart {
	c := chart.Chart{
		Name: "accuracy-by-split", Title: "Accuracy on every split",
		See: "A method whose rings are all to the right of another's is better on every split. Where rings mix, the means decide little.",
	}
	var names []string
	for _, column := range t.Columns {
		names = append(names, column.Name)
	}
	for i, first := range t.Rows {
		if first.Repeat != 1 {
			continue
		}
		singles, means := chart.Series{Name: "one split", Look: chart.Ring}, chart.Series{Name: "mean of the splits", Look: chart.Diamond}
		for j := range names {
			var all []float64
			for _, r := range t.Rows[i:] {
				if x := accuracy(r.Cells[j].Score, r.N); r.Dataset == first.Dataset && !math.IsNaN(x) {
					all = append(all, x)
					singles.Points = append(singles.Points, chart.Point{X: x, Y: float64(j), Name: fmt.Sprintf("split %d", r.Repeat)})
				}
			}
			if len(all) > 0 {
				means.Points = append(means.Points, chart.Point{X: stat.Mean(all, nil), Y: float64(j)})
			}
		}
		if len(singles.Points) > len(means.Points) {
			c.Panels = append(c.Panels, chart.Rows{Title: setName(first.Letter, first.Name), X: accuracyAxis, Names: names, Series: []chart.Series{singles, means}})
		}
	}
	if len(c.Panels) > mostSplitSets {
		return nil
	}
	return []chart.Chart{c}
}

var accuracyAxis = chart.Axis{Label: "accuracy, %"}

// accuracy is the share of right answers in percent, NaN without any.
func accuracy(s *table.Score, n int) float64 {
	if s == nil || n <= 0 {
		return math.NaN()
	}
	return 100 * float64(s.Correct) / float64(n)
}

// setName is a data set's printed name with its letter, "B Letter".
func setName(letter, name string) string { return text.Join(" ", letter, name) }

// costs has a dot for the wall time and the heap of every method on every data set.
func costs(in Input) []chart.Chart {
	var methods, names []string
	for _, c := range in.Costs {
		methods = text.AppendNew(methods, c.Method)
	}
	for _, method := range methods {
		name := published.MethodName(method)
		if at := slices.IndexFunc(in.Table.Columns, func(c table.Column) bool { return c.ID == method }); at >= 0 {
			name = in.Table.Columns[at].Name
		}
		names = append(names, name)
	}
	c := chart.Chart{
		Name: "costs", Title: "Time and memory",
		See: "A dot for every data set, on logarithmic axes. Times are wall times of single runs, perhaps with other work beside: small differences mean nothing.",
	}
	marks := 0
	panel := func(label string, of func(study.Cost) float64) {
		p := chart.Rows{X: chart.Axis{Label: label, Log: true}, Names: names, Series: []chart.Series{{Look: chart.Ring}}}
		for _, c := range in.Costs {
			if x := of(c); x > 0 {
				q := chart.Point{X: x, Y: float64(slices.Index(methods, c.Method)), Name: setName(c.Letter, cmp.Or(c.Name, c.Dataset))}
				p.Series[0].Points = append(p.Series[0].Points, q)
			}
		}
		if n := len(p.Series[0].Points); n > 0 {
			marks, c.Panels = marks+n, append(c.Panels, p)
		}
	}
	panel("wall time, s", func(c study.Cost) float64 { return c.Seconds })
	panel("heap beyond the data, MiB", func(c study.Cost) float64 { return float64(c.Bytes) / (1 << 20) })
	if marks < 2 {
		return nil
	}
	return []chart.Chart{c}
}

// accuracyByTime has a dot for every method with known times, at its mean accuracy and time
// over small data sets, and over larger ones. A line joins the methods of the front.
func accuracyByTime(in Input) []chart.Chart {
	c := chart.Chart{
		Name: "accuracy-by-time", Title: "Accuracy against time",
		See: "Up is more accurate, left is faster. No other method is both as accurate and faster than those on the dashed line. " +
			"Accuracy and time are means over the data sets and their splits; time is that to choose settings, fit and test.",
	}
	small, large, sets := study.Speeds(in.Table, in.Costs)
	for i, speeds := range [][]study.Speed{small, large} {
		if len(speeds) < 2 {
			continue
		}
		methods := chart.Series{Look: chart.Disc}
		front := chart.Series{Name: "front", Look: chart.OpenDiamond, Line: true, NoMarks: true}
		for _, s := range speeds {
			at := slices.IndexFunc(in.Table.Columns, func(c table.Column) bool { return c.ID == s.Method })
			methods.Points = append(methods.Points, chart.Point{X: s.Seconds, Y: s.Accuracy, Name: in.Table.Columns[at].Name, Label: true})
			if !s.Front {
				continue
			}
			if n := len(front.Points); n > 0 {
				front.Points = append(front.Points, chart.Point{X: s.Seconds, Y: front.Points[n-1].Y})
			}
			front.Points = append(front.Points, chart.Point{X: s.Seconds, Y: s.Accuracy, Name: in.Table.Columns[at].Name})
		}
		size := [2]string{"up to", "more than"}[i]
		c.Panels = append(c.Panels, chart.XY{
			Title: fmt.Sprintf("%s of %s %d samples", text.Counted(sets[i], "data set"), size, study.SmallSet),
			X:     chart.Axis{Label: "mean wall time, s", Log: true}, Y: chart.Axis{Label: "mean accuracy, %"},
			Series: []chart.Series{front, methods}, Wide: true,
		})
	}
	if len(c.Panels) == 0 {
		return nil
	}
	return []chart.Chart{c}
}

// contrasts have a row for each contrast of the spec, a dot for each data set and a diamond
// for the mean.
func contrasts(in Input) []chart.Chart {
	if len(in.Contrasts) == 0 {
		return nil
	}
	p := chart.Rows{X: chart.Axis{Label: "difference in accuracy, points"}}
	sets := chart.Series{Name: "one data set", Look: chart.Ring}
	means := chart.Series{Name: "mean, with its 95 % interval", Look: chart.Diamond}
	for row, c := range in.Contrasts {
		p.Names = append(p.Names, c.Name)
		for _, d := range c.Sets {
			sets.Points = append(sets.Points, chart.Point{X: d.Points, Y: float64(row), Name: setName(d.Letter, d.Name)})
		}
		means.Points = append(means.Points, chart.Point{X: c.Mean, Y: float64(row), Low: c.MeanRange.Low, High: c.MeanRange.High})
	}
	p.Series = []chart.Series{sets, means}
	return []chart.Chart{{
		Name: "contrasts", Title: "Differences by data set", See: "Right of 0 the first side of a contrast is more accurate.", Panels: []chart.Panel{p},
	}}
}
