package report

import (
	"fmt"
	"math"
	"net/url"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// A Drawing is charts that a spec can ask for by name. Its function returns the charts that
// the input suffices for.
type Drawing struct {
	Name    string
	Spec    string // whose table it draws on the page of the paper's table; empty: of the page's own
	Measure string // whose facts or series it draws; empty: none
	charts  func(Input) ([]Chart, error)
}

// Draw makes its figures, none if the input does not suffice. A series of a wrong
// length is an error.
func (d Drawing) Draw(in Input) ([]Figure, error) {
	charts, err := d.charts(in)
	var all []Figure
	for _, c := range charts {
		if f, ok := c.Figure(); ok {
			all = append(all, f)
		}
	}
	return all, err
}

// Names of drawings that reports choose themselves.
const (
	RanksName     = "critical-difference" // of a spec that says nothing about figures
	CostsName     = "costs"               // of every spec
	ContrastsName = "contrasts"           // of every spec with contrasts
)

// Drawings has all of them, in the order of a report.
var Drawings = []Drawing{
	{RanksName, "", "", standing},
	{"readings", "", "", readings},
	{"collapse", "variants", "", collapse},
	{"metrics", "metrics", "", metrics},
	{"lambda", "lambda", "zero-columns", lambda},
	{"toy", "toy", "coordinates", toy},
	{"convergence", "convergence", "convergence", convergence},
	{ContrastsName, "", "", contrasts},
	{CostsName, "", "", accuracyByTime},
}

// For are the drawings of a plan: those that its spec names, or else those of the measures
// that it takes, or else the ranks over the data sets; and the contrasts and the costs.
func For(p plan.Plan) []Drawing {
	measured := func(d Drawing) bool {
		return d.Measure != "" && slices.ContainsFunc(p.Spec.Columns, func(c spec.Column) bool { return slices.Contains(c.Measure, d.Measure) })
	}
	wanted := func(d Drawing) bool { return slices.Contains(p.Spec.Figures, d.Name) }
	if len(p.Spec.Figures) == 0 {
		wanted = measured
		if !slices.ContainsFunc(Drawings, wanted) {
			wanted = func(d Drawing) bool { return d.Name == RanksName }
		}
	}
	return slices.DeleteFunc(slices.Clone(Drawings), func(d Drawing) bool {
		always := d.Name == CostsName || len(p.Spec.Contrast) > 0 && d.Name == ContrastsName
		return !always && !wanted(d)
	})
}

// standing has the methods of several data sets by their average ranks, of one by their means.
func standing(in Input) ([]Chart, error) {
	if c, ok := Best(in.sets(), in.standingScores()); ok {
		return []Chart{c}, nil
	}
	return nil, nil
}

// Best shows which methods may be the best by a table with a row for each data set: of one data set
// with several splits by their means, see [Means], of several by average ranks, see
// [CriticalDifference]. It is not ok where there is nothing to compare.
func Best(t table.Table, scores table.Scores) (c Chart, ok bool) {
	if len(t.Rows) == 1 {
		return Means(t)
	}
	s, ok := stats.NewStanding(scores.Rows, t.Test.Alpha)
	if !ok {
		return c, false
	}
	return CriticalDifference(t.Names(), s, t.Test.Alpha), true
}

// Means has the means of the methods over the splits of the only row of a table, the best first. The
// interval of a method is that of its difference to the highest mean, with the correction of the
// test, so that it reaches the line of that mean where the method is not significantly worse. The
// other lines are the control and always answering the largest class.
func Means(t table.Table) (c Chart, ok bool) {
	row := t.Rows[0]
	ranking, ok := t.Rank(row)
	if !ok || row.Pool == nil || len(ranking.Ranked) < 2 {
		return c, false
	}
	measure := results.MetricOf(ranking.Measure)
	p := Panel{Title: fmt.Sprintf("%s: mean over %d splits", row.Title(), ranking.Splits)}
	p.X = Axis{Label: measure.Name + ", %; bars: " + t.Level() + " % intervals"}
	best, notWorse := Series{Name: "highest mean", Look: Diamond}, Series{Name: "not significantly worse", Look: Disc}
	worse, untested := Series{Name: "significantly worse", Look: OpenSquare}, Series{Name: "not tested", Look: OpenTriangle}
	for i, m := range ranking.Ranked {
		cell := row.Cells[slices.IndexFunc(row.Cells, func(c table.Result) bool { return c.Method == m.Method })]
		q := Point{X: cell.Mean, Y: float64(i), To: link(row.Dataset, m.Method)}
		to := &untested
		switch {
		case m.Method == ranking.Best:
			to = &best
			p.Lines = append(p.Lines, Reference{X: q.X, Name: "highest mean " + text.TwoDecimals(q.X)})
		case m.Interval == nil:
		case m.NotWorse:
			to = &notWorse
		default:
			to = &worse
		}
		if m.Interval != nil {
			high := p.Lines[0].X
			q.Low, q.High = max(float64(measure.Least), high-float64(m.Interval[1])), min(100, high-float64(m.Interval[0]))
		}
		if m.Method == ranking.Control && m.Method != ranking.Best {
			p.Lines = append(p.Lines, Reference{X: q.X, Name: m.Name + " " + text.TwoDecimals(q.X)})
		}
		to.Points, p.Names = append(to.Points, q), append(p.Names, m.Name)
	}
	if scores := row.Largest.Scores; len(scores) > 0 {
		mean := stat.Mean(scores, nil)
		p.Lines = append(p.Lines, Reference{X: mean, Name: row.Largest.Name() + " " + text.TwoDecimals(mean)})
	}
	for _, s := range []Series{best, notWorse, worse, untested} {
		if len(s.Points) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return Chart{Name: "means", Title: "Means and what may be the best", Panels: []Panel{p}}, true
}

// link is the fragment of a page that opens a number.
func link(dataset, column string) string {
	return url.PathEscape(dataset) + "/" + url.PathEscape(column)
}

// CriticalDifference is the diagram of a standing at a level: the average ranks of methods, with
// bars beside those that Nemenyi's test does not tell apart, and a bar of the critical difference.
func CriticalDifference(names []string, s stats.Standing, level float64) Chart {
	p := Panel{
		Title: fmt.Sprintf("Bars: no difference shown, level %g", level),
		X:     Axis{Label: fmt.Sprintf("average rank over %s", text.Counted(s.Rows, "data set")), Ticks: rankTicks(len(names))},
		Lines: []Reference{{X: 1, To: 1 + s.CD, Name: "critical difference " + text.TwoDecimals(s.CD)}},
	}
	ranks := Series{Look: Disc}
	for i, column := range s.Order {
		rank := s.Friedman.AverageRanks[column]
		p.Names = append(p.Names, names[column]+" "+text.TwoDecimals(rank))
		ranks.Points = append(ranks.Points, Point{X: rank, Y: float64(i), To: "standing"})
	}
	for _, group := range s.Groups {
		p.Bars = append(p.Bars, [2]int{slices.Index(s.Order, group[0]), slices.Index(s.Order, group[len(group)-1])})
	}
	p.Series = []Series{ranks}
	return Chart{Name: RanksName, Title: "Average ranks and critical difference", Panels: []Panel{p}}
}

// rankTicks are the ranks of k methods, or of many every so many.
func rankTicks(k int) (all []float64) {
	step := 1 + (k-1)/9
	for rank := 1; rank <= k; rank += step {
		all = append(all, float64(rank))
	}
	return all
}

// readings have a specification curve for each method with several: the mean difference to
// print of each reading, the smallest first, above a matrix of the choices that differ.
func readings(in Input) ([]Chart, error) {
	c := Chart{Name: "readings", Title: "Readings of the protocol by their distance from the published values, with their choices"}
	for _, m := range in.Curve.Methods {
		if len(m.Readings) < 2 {
			continue
		}
		p := Panel{
			Title: m.Name, X: Axis{Label: "readings, the nearest first", Ticks: []float64{1, float64(len(m.Readings))}},
			Y: Axis{Label: "mean difference from published, points"},
		}
		p.Above = []Series{
			{Name: "reading", Look: Disc}, {Name: "main reading", Look: Diamond}, {Name: "reading of fewer data sets", Look: Ring},
		}
		for _, s := range p.Above {
			p.Series = append(p.Series, Series{Look: s.Look})
		}
		for row, choice := range m.Matrix() {
			p.Names = append(p.Names, choice.Text)
			for _, at := range choice.Readings {
				look := readingLook(m.Readings[at], in.Curve.Sets)
				p.Series[look].Points = append(p.Series[look].Points, Point{X: float64(at + 1), Y: float64(row), To: "readings"})
			}
		}
		for at, r := range m.Readings {
			look := readingLook(r, in.Curve.Sets)
			p.Above[look].Points = append(p.Above[look].Points, Point{X: float64(at + 1), Y: *r.Mean, Name: r.Reading, To: "readings"})
		}
		c.Panels = append(c.Panels, p)
	}
	if len(c.Panels) == 0 {
		return nil, nil
	}
	return []Chart{c}, nil
}

// readingLook is the index of the series of readings that one belongs to.
func readingLook(r paper.CurveReading, sets int) int {
	switch {
	case r.Reading == paper.MainReading:
		return 1
	case r.Numbers < sets:
		return 2
	}
	return 0
}

var accuracyAxis = Axis{Label: "accuracy, %"}

// accuracy is the share of right answers in percent, NaN without any.
func accuracy(s *table.Score, n int) float64 {
	if s == nil || n <= 0 {
		return math.NaN()
	}
	return 100 * float64(s.Correct) / float64(n)
}

// setName is a data set's printed name with its letter, "B Letter".
func setName(letter, name string) string { return text.Join(" ", letter, name) }

// accuracyByTime has a dot for every method with known times, at its mean accuracy and time
// over small data sets, and over larger ones. A line joins the methods of the front.
func accuracyByTime(in Input) ([]Chart, error) {
	c := Chart{Name: "accuracy-by-time", Title: "Accuracy against time"}
	all, sets := paper.Speeds(in.Table, in.Costs)
	for i, speeds := range all {
		if len(speeds) < 2 {
			continue
		}
		methods := Series{Look: Disc}
		front := Series{Name: "front", Look: OpenDiamond, Line: true, NoMarks: true}
		for _, s := range speeds {
			at := slices.IndexFunc(in.Table.Columns, func(c table.Column) bool { return c.ID == s.Method })
			q := Point{X: s.Seconds, Y: s.Accuracy, Name: in.Table.Columns[at].Name, Label: true, To: "*/" + url.PathEscape(s.Method)}
			methods.Points = append(methods.Points, q)
			if !s.Front {
				continue
			}
			if n := len(front.Points); n > 0 {
				front.Points = append(front.Points, Point{X: s.Seconds, Y: front.Points[n-1].Y})
			}
			front.Points = append(front.Points, Point{X: s.Seconds, Y: s.Accuracy, Name: in.Table.Columns[at].Name})
		}
		size := [2]string{"up to", "more than"}[i]
		c.Panels = append(c.Panels, Panel{
			Title: fmt.Sprintf("%s of %s %d samples", text.Counted(sets[i], "data set"), size, paper.SmallSet),
			X:     Axis{Label: "mean wall time, s", Log: true}, Y: Axis{Label: "mean accuracy, %"},
			Series: []Series{front, methods}, Wide: true,
		})
	}
	if len(c.Panels) == 0 {
		return nil, nil
	}
	return []Chart{c}, nil
}

// contrasts have a row for each contrast of the spec, a dot for each data set and a diamond
// for the mean.
func contrasts(in Input) ([]Chart, error) {
	if len(in.Table.Contrasts) == 0 {
		return nil, nil
	}
	p := Panel{X: Axis{Label: "difference in " + in.Table.By().Name + ", points"}}
	sets := Series{Name: "one data set", Look: Ring}
	means := Series{Name: "mean, with its 95 % interval", Look: Diamond}
	for row, c := range in.Table.Contrasts {
		p.Names = append(p.Names, c.Name)
		for _, d := range c.Sets {
			sets.Points = append(sets.Points, Point{X: d.Points, Y: float64(row), Name: setName(d.Letter, d.Name), To: link(d.Dataset, c.A[0])})
		}
		means.Points = append(means.Points, Point{X: c.Mean, Y: float64(row), Low: c.MeanRange.Low, High: c.MeanRange.High, To: "compared"})
	}
	p.Series = []Series{sets, means}
	return []Chart{{Name: "contrasts", Title: "Differences by data set", Panels: []Panel{p}}}, nil
}
