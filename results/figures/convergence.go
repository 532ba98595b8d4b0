package figures

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
)

// modeLooks tell the two runs of every cell apart.
var modeLooks = map[string]chart.Look{
	study.WithMomentum:    {Color: chart.Blue},
	study.WithoutMomentum: {Color: chart.Vermillion, Dashes: []vg.Length{7, 3}},
}

// Convergence draws the lowest objective so far over the iterations, with and
// without momentum, and the curves a + b/√T fitted to them: a figure for each of
// the paper's two methods that has a result, a row of panels for each data set,
// and a panel for each column of the method.
func Convergence(c study.Convergence) ([]chart.Figure, error) {
	var all []chart.Figure
	for _, method := range study.PaperMethods {
		s := descentSheet{study: c, method: method}
		f, ok, err := s.figure()
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, f)
		}
	}
	return all, nil
}

// A descentSheet collects one figure.
type descentSheet struct {
	study         study.Convergence
	method        string
	lines         [][]string
	panels        []*plot.Plot
	logs          []*plot.Axis // of iterations, where there is a curve on logarithmic axes
	said          []string
	runs, missing int
	fits          []float64 // R² of the fitted curves
}

// A descent is one run with the lowest objective so far over the iterations.
type descent struct {
	study.Descent
	points []chart.Point
}

func (s *descentSheet) figure() (chart.Figure, bool, error) {
	columns := 0
	for _, c := range s.study.Columns {
		if c.Method == s.method {
			columns++
		}
	}
	for j, set := range s.study.Sets {
		for i, c := range s.study.Columns {
			if c.Method == s.method {
				s.add(set.Set, c, set.Descents[i], len(s.panels)%columns == 0, j == len(s.study.Sets)-1)
			}
		}
	}
	if s.missing == s.runs {
		return chart.Figure{}, false, nil
	}
	s.shareIterations()
	csv, err := chart.EncodeCSV([]string{"letter", "dataset", "name", "method", "variant", "momentum", "iteration", "lowest_objective", "fitted"}, s.lines)
	if err != nil {
		return chart.Figure{}, false, err
	}
	var legend []chart.Entry
	for _, mode := range study.Modes {
		legend = append(legend, chart.Entry{Look: modeLooks[mode], Text: mode})
	}
	fit := chart.Look{Color: chart.Ink, Dashes: chart.Dotted}
	legend = append(legend, chart.Entry{Look: fit, Text: "fitted a + b/√T (thin)"})
	name := published.MethodName(s.method)
	alt := words.Join(" ", append(append([]string{
		fmt.Sprintf("%s with the lowest objective of %s so far against the iteration, on logarithmic axes, with momentum and, dashed, without; "+
			"thin dotted lines are fitted curves a + b/√T.", words.Counted(len(s.panels), "panel"), name),
	}, s.said...), gaps(s.missing, s.runs, "run"))...)
	sheet := chart.Sheet{Legend: legend, Columns: columns, Height: 150, Lines: 1, Panels: s.panels}
	f, err := sheet.Figure("convergence-"+s.method, "Convergence of "+name, alt, csv)
	f.See = s.see()
	return f, err == nil, err
}

// add draws the panel of a data set and a column, which may be the first of its
// row of panels and stand in the last row.
func (s *descentSheet) add(set study.Set, c study.DescentColumn, descents []study.Descent, first, last bool) {
	title := chart.Short(set.Name, 40)
	if c.Variant != "" {
		title += ", " + chart.Short(c.Variant, 20)
	}
	p := chart.NewPanel(chart.Fit(title, chart.HeadingStyle(), chart.WideRoom))
	var runs []descent
	isLog, drawn := true, false
	for _, one := range descents {
		d := newDescent(one)
		isLog = isLog && chart.Positive(d.points)
		runs = append(runs, d)
	}
	if isLog {
		chart.Logarithmic(&p.X)
		chart.Logarithmic(&p.Y)
	}
	for i, d := range runs {
		mode := descents[i].Mode
		l := modeLooks[mode]
		s.runs++
		if !chart.AddCurve(p, chart.Curve{Look: l, Points: d.points, Say: title + ", " + mode + d.ends()}) {
			s.missing++
			continue
		}
		drawn = true
		s.describe(title, mode, d)
		p.Add(chart.Guide{Curve: chart.Curve{Look: chart.Look{Color: l.Color, Dashes: chart.Dotted}, Points: d.fitted(isLog)}})
		for _, q := range d.points {
			s.lines = append(s.lines, []string{set.Letter, set.Dataset, set.Name, s.method, c.Variant, mode,
				chart.Number(q.X), chart.Number(q.Y), chart.Number(d.at(q.X))})
		}
	}
	chart.Settle(&p.X)
	chart.Settle(&p.Y)
	switch {
	case !drawn:
		chart.LeaveEmpty(p, "no result")
	case isLog:
		s.logs = append(s.logs, &p.X)
	}
	if first {
		p.Y.Label.Text = "objective"
	}
	if last {
		p.X.Label.Text = "iterations T"
	}
	s.panels = append(s.panels, p)
}

// shareIterations gives all panels with logarithmic axes the same iterations.
func (s *descentSheet) shareIterations() {
	var low, high []float64
	for _, x := range s.logs {
		low, high = append(low, x.Min), append(high, x.Max)
	}
	for _, x := range s.logs {
		x.Min, x.Max = slices.Min(low), slices.Max(high)
	}
}

// see says how well the runs follow their fits.
func (s *descentSheet) see() string {
	say := "Solid: with momentum; dashed: without. A line that keeps to its thin dotted fit falls as the inverse root of T does."
	if len(s.fits) > 0 {
		low, high := span(s.fits)
		say += fmt.Sprintf(" R² of %s is %.2f to %.2f.", words.Counted(len(s.fits), "fit"), low, high)
	}
	return say
}

// ends says where a run starts and ends.
func (d descent) ends() string {
	if len(d.points) == 0 {
		return ""
	}
	first, last := d.points[0], d.points[len(d.points)-1]
	return fmt.Sprintf(": from %s at iteration %s to %s at iteration %s",
		digits(first.Y, 4), chart.Number(first.X), digits(last.Y, 4), chart.Number(last.X))
}

// describe says where a run starts and ends.
func (s *descentSheet) describe(title, mode string, d descent) {
	text := fmt.Sprintf("%s, %s%s", title, mode, d.ends())
	if d.Rate != nil && chart.Finite(d.Rate.R2) {
		text += fmt.Sprintf(", R² of the fitted curve %.2f", d.Rate.R2)
		s.fits = append(s.fits, d.Rate.R2)
	}
	s.said = append(s.said, text+".")
}

func newDescent(one study.Descent) descent {
	d := descent{Descent: one}
	for i, iteration := range one.Iterations {
		if q := (chart.Point{X: iteration, Y: one.Best[i]}); !q.Missing() {
			d.points = append(d.points, q)
		}
	}
	return d
}

// at is the fitted curve a + b/√T, NaN if there is none.
func (d descent) at(t float64) float64 {
	if d.Rate == nil {
		return math.NaN()
	}
	return d.Rate.A + d.Rate.B/math.Sqrt(t)
}

// fitted are the points of the curve between the first and the last iteration,
// those above 0 if the axes are logarithmic.
func (d descent) fitted(isLog bool) []chart.Point {
	const steps = 60
	first, last := d.points[0].X, d.points[len(d.points)-1].X
	var all []chart.Point
	for i := range steps + 1 {
		share := float64(i) / steps
		t := first + share*(last-first)
		if isLog {
			t = first * math.Pow(last/first, share)
		}
		if q := (chart.Point{X: t, Y: d.at(t)}); !q.Missing() && (!isLog || q.Y > 0) {
			all = append(all, q)
		}
	}
	return all
}
