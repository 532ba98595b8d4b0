package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"r2lmlbench/results/table"
)

// modes are the two runs of every cell of spec convergence, as its series name
// them, and their looks.
var modes = []struct {
	name string
	look
}{
	{"with momentum", look{color: blue}},
	{"without momentum", look{color: vermillion, dashes: []vg.Length{7, 3}}},
}

// Convergence draws the lowest objective so far over the iterations, with and
// without momentum, and the curves a + b/√T fitted to them, from the table of
// spec convergence: a figure for each of the paper's two methods that has a
// result, a row of panels for each data set, and a panel for each column of the
// method. The error is that of a series that holds no numbers.
func Convergence(t table.Table) ([]Figure, error) {
	var all []Figure
	for _, method := range ourMethods {
		s := descentSheet{table: t, method: method}
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
	table         table.Table
	method        string
	lines         [][]string
	panels        []*plot.Plot
	said          []string
	runs, missing int
}

// A descent is one run: the lowest objective so far over the iterations, and a
// and b of the fitted curve, NaN if there is none.
type descent struct {
	points   []point
	a, b, r2 float64
}

func (s *descentSheet) figure() (Figure, bool, error) {
	columns := 0
	for _, c := range s.table.Columns {
		if c.Method == s.method {
			columns++
		}
	}
	for j, r := range s.table.Rows {
		for i, c := range s.table.Columns {
			if c.Method != s.method {
				continue
			}
			var score *table.Score
			if i < len(r.Cells) {
				score = r.Cells[i].Score
			}
			if err := s.add(r, c, score, len(s.panels)%columns == 0, j == len(s.table.Rows)-1); err != nil {
				return Figure{}, false, err
			}
		}
	}
	if s.missing == s.runs {
		return Figure{}, false, nil
	}
	csv, err := encodeCSV([]string{"letter", "dataset", "name", "method", "variant", "momentum", "iteration", "lowest_objective", "fitted"}, s.lines)
	if err != nil {
		return Figure{}, false, err
	}
	var legend []entry
	for _, m := range modes {
		legend = append(legend, entry{look: m.look, text: m.name})
	}
	fit := look{color: ink, dashes: dotted}
	legend = append(legend, entry{look: fit, text: "fitted a + b/√T (thin)"})
	name := methodName(s.method)
	alt := paragraph(append(append([]string{
		fmt.Sprintf("%s with the lowest objective of %s so far against the iteration, on logarithmic axes, with momentum and, dashed, without; thin dotted lines are fitted curves a + b/√T.", counted(len(s.panels), "panel"), name),
	}, s.said...), gaps(s.missing, s.runs, "run"))...)
	sheet := sheet{legend: legend, columns: columns, height: 150, lines: 1, panels: s.panels}
	f, err := sheet.figure("convergence-"+s.method, "Convergence of "+name, alt, csv)
	return f, err == nil, err
}

// add draws the panel of a data set and a column, which may be the first of its
// row of panels and stand in the last row.
func (s *descentSheet) add(r table.Row, c table.Column, score *table.Score, first, last bool) error {
	title := short(r.Name, 40)
	if variant := c.Swept["variant"]; variant != "" {
		title += ", " + short(variant, 20)
	}
	p := newPanel(fit(title, headingStyle(), wideRoom))
	var runs []descent
	isLog, drawn := true, false
	for _, m := range modes {
		d, err := newDescent(score, m.name)
		if err != nil {
			return fmt.Errorf("figures: convergence of %s on %s, %s: %w", s.method, r.Dataset, m.name, err)
		}
		isLog = isLog && positive(d.points)
		runs = append(runs, d)
	}
	if isLog {
		logarithmic(&p.X)
		logarithmic(&p.Y)
	}
	for i, d := range runs {
		m := modes[i]
		s.runs++
		if !addCurve(p, curve{look: m.look, points: d.points}) {
			s.missing++
			continue
		}
		drawn = true
		s.describe(title, m.name, d)
		p.Add(guide{curve{look: look{color: m.color, dashes: dotted}, points: d.fitted(isLog)}})
		for _, q := range d.points {
			s.lines = append(s.lines, []string{r.Letter, r.Dataset, r.Name, s.method, c.Swept["variant"], m.name, number(q.x), number(q.y), number(d.at(q.x))})
		}
	}
	settle(&p.X)
	settle(&p.Y)
	if !drawn {
		leaveEmpty(p, "no result")
	}
	if first {
		p.Y.Label.Text = "objective"
	}
	if last {
		p.X.Label.Text = "iterations T"
	}
	s.panels = append(s.panels, p)
	return nil
}

// describe says where a run starts and ends.
func (s *descentSheet) describe(title, mode string, d descent) {
	first, last := d.points[0], d.points[len(d.points)-1]
	text := fmt.Sprintf("%s, %s: from %.4g at iteration %s to %.4g at iteration %s", title, mode, first.y, number(first.x), last.y, number(last.x))
	if finite(d.r2) {
		text += fmt.Sprintf(", R² of the fitted curve %.2f", d.r2)
	}
	s.said = append(s.said, text+".")
}

// newDescent reads what a cell says about one of its two runs.
func newDescent(score *table.Score, mode string) (descent, error) {
	d := descent{a: math.NaN(), b: math.NaN(), r2: math.NaN()}
	iterations, err := score.SeriesOf(mode + ": iteration").Floats()
	if err != nil {
		return d, err
	}
	values, err := score.SeriesOf(mode + ": best objective so far").Floats()
	if err != nil {
		return d, err
	}
	fit, err := score.SeriesOf(mode + ": fitted a + b/sqrt(T): a, b, R2").Floats()
	if err != nil {
		return d, err
	}
	for i := range min(len(iterations), len(values)) {
		if q := (point{x: iterations[i], y: values[i]}); !q.missing() {
			d.points = append(d.points, q)
		}
	}
	if len(fit) == 3 {
		d.a, d.b, d.r2 = fit[0], fit[1], fit[2]
	}
	return d, nil
}

// at is the fitted curve a + b/√T.
func (d descent) at(t float64) float64 { return d.a + d.b/math.Sqrt(t) }

// fitted are the points of the curve between the first and the last iteration,
// those above 0 if the axes are logarithmic.
func (d descent) fitted(isLog bool) []point {
	const steps = 60
	first, last := d.points[0].x, d.points[len(d.points)-1].x
	var all []point
	for i := range steps + 1 {
		share := float64(i) / steps
		t := first + share*(last-first)
		if isLog {
			t = first * math.Pow(last/first, share)
		}
		if q := (point{x: t, y: d.at(t)}); !q.missing() && (!isLog || q.y > 0) {
			all = append(all, q)
		}
	}
	return all
}
