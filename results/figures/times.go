package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/table"
)

// frontLook is that of the line through the methods on the front.
var frontLook = chart.Look{Color: chart.Ink, Dashes: chart.Dotted}

// Times draws the accuracy of every method against its time, a panel for each data set,
// with the front: the methods than which none is as accurate and faster, or as fast and
// more accurate. Data sets with fewer than two such points are left out.
func Times(costs []Cost, t table.Table) ([]chart.Figure, error) {
	var methods []string
	for _, c := range costs {
		place(&methods, c.Method)
	}
	var sets []timedSet
	for _, r := range t.Rows {
		if s := timed(costs, t, r); len(s.points) > 1 {
			sets = append(sets, s)
		}
	}
	var all []chart.Figure
	pages := slices.Collect(slices.Chunk(sets, perPage))
	for i, page := range pages {
		f, err := timesPage(methods, page, i+1, len(pages))
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// A timedSet is a data set with the methods whose accuracy and time are known, the
// fastest first.
type timedSet struct {
	letter, id, name string
	several          bool // splits, of which this is the first
	points           []timedMethod
}

type timedMethod struct {
	method, title     string
	seconds, accuracy float64
	front             bool
}

// title is how a method is called, empty if the set has no mark for it.
func (s timedSet) title(method string) string {
	at := slices.IndexFunc(s.points, func(p timedMethod) bool { return p.method == method })
	if at < 0 {
		return ""
	}
	return s.points[at].title
}

func timed(costs []Cost, t table.Table, r table.Row) timedSet {
	s := timedSet{letter: r.Letter, id: r.Dataset, name: strings.TrimSpace(r.Letter + " " + r.Name), several: r.Repeat > 0}
	if r.Repeat > 1 || r.N <= 0 {
		return s
	}
	for _, c := range costs {
		at := slices.IndexFunc(t.Columns, func(column table.Column) bool { return column.ID == c.Method })
		if c.Dataset != r.Dataset || at < 0 || at >= len(r.Cells) || r.Cells[at].Score == nil || !chart.Finite(c.Seconds) || c.Seconds <= 0 {
			continue
		}
		s.points = append(s.points, timedMethod{method: c.Method, title: c.title(), seconds: c.Seconds, accuracy: 100 * float64(r.Cells[at].Correct) / float64(r.N)})
	}
	slices.SortStableFunc(s.points, func(a, b timedMethod) int {
		return cmp.Or(cmp.Compare(a.seconds, b.seconds), cmp.Compare(b.accuracy, a.accuracy))
	})
	best := -1.0
	for i, p := range s.points {
		if s.points[i].front = p.accuracy > best; s.points[i].front {
			best = p.accuracy
		}
	}
	return s
}

// wholeSeconds says if two times or more are of whole seconds, to which older lists round.
func wholeSeconds(sets []timedSet) string {
	whole := 0
	for _, s := range sets {
		for _, p := range s.points {
			whole += one(p.seconds == math.Trunc(p.seconds))
		}
	}
	if whole < 2 {
		return ""
	}
	return ", in part rounded up to whole seconds"
}

func timesPage(methods []string, sets []timedSet, page, pages int) (chart.Figure, error) {
	var legend []chart.Entry
	for i, method := range methods {
		if at := slices.IndexFunc(sets, func(s timedSet) bool { return s.title(method) != "" }); at >= 0 {
			legend = append(legend, chart.Named(costLooks[i%len(costLooks)], sets[at].title(method)))
		}
	}
	legend = append(legend, chart.Entry{Look: frontLook, Text: "front"})
	var panels []*plot.Plot
	var lines [][]string
	var said []string
	for i, s := range sets {
		panels = append(panels, s.panel(methods, i%3 == 0, i >= len(sets)-3))
		var front []string
		for _, p := range s.points {
			lines = append(lines, []string{s.letter, s.id, p.method, chart.Number(p.seconds), chart.Number(p.accuracy), strconv.FormatBool(p.front)})
			if p.front {
				front = append(front, fmt.Sprintf("%s (%.2f in %s)", chart.Short(p.title, 30), p.accuracy, duration(p.seconds)))
			}
		}
		said = append(said, fmt.Sprintf("%s: %s.", chart.Short(s.name, 40), words.Series(front)))
	}
	csv, err := chart.EncodeCSV([]string{"letter", "dataset", "method", "seconds", "accuracy", "front"}, lines)
	if err != nil {
		return chart.Figure{}, err
	}
	title := "Accuracy against time"
	if pages > 1 {
		title += fmt.Sprintf(", page %d of %d", page, pages)
	}
	alt := words.Join(" ", append([]string{fmt.Sprintf(
		"%s with the accuracy of each method in percent against its wall time in seconds, which is logarithmic. A dotted line joins the methods on the front.",
		words.Counted(len(panels), "panel"))}, said...)...)
	f, err := chart.Sheet{Legend: legend, Columns: 3, Height: 158, Lines: 1, Panels: panels}.Figure("accuracy-by-time-"+strconv.Itoa(page), title, alt, csv)
	f.See = "Up is better, left is faster. " + mostOnFront(sets) + " Wall times of single runs" + wholeSeconds(sets) +
		", perhaps with other work beside: small differences say nothing of the methods."
	if slices.ContainsFunc(sets, func(s timedSet) bool { return s.several }) {
		f.See += " Of each data set the first split is shown."
	}
	return f, err
}

// mostOnFront says which methods are on the most fronts.
func mostOnFront(sets []timedSet) string {
	times := map[string]int{}
	var methods []string
	for _, s := range sets {
		for _, p := range s.points {
			if p.front {
				place(&methods, p.title)
				times[p.title]++
			}
		}
	}
	slices.SortStableFunc(methods, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	var said []string
	for _, m := range methods[:min(3, len(methods))] {
		said = append(said, fmt.Sprintf("%s (%d)", chart.Short(m, 30), times[m]))
	}
	return fmt.Sprintf("Most often on the dotted front of %s: %s.", words.Counted(len(sets), "data set"), words.Series(said))
}

// panel has a mark for each method; the first of a row and those of the last name axes.
func (s timedSet) panel(methods []string, first, last bool) *plot.Plot {
	p := chart.NewPanel(chart.Fit(s.name, chart.HeadingStyle(), chart.NarrowRoom))
	chart.Logarithmic(&p.X)
	var steps []chart.Point
	for _, one := range s.points {
		if one.front {
			if n := len(steps); n > 0 {
				steps = append(steps, chart.Point{X: one.seconds, Y: steps[n-1].Y})
			}
			steps = append(steps, chart.Point{X: one.seconds, Y: one.accuracy})
		}
	}
	steps = append(steps, chart.Point{X: s.points[len(s.points)-1].seconds, Y: steps[len(steps)-1].Y})
	chart.AddCurve(p, chart.Curve{Look: frontLook, Points: steps})
	names := chart.Labels{Line: steps}
	inFront := slices.Clone(s.points) // drawn last, so that their marks cover others
	slices.SortStableFunc(inFront, func(a, b timedMethod) int { return cmp.Compare(one(a.front), one(b.front)) })
	for _, one := range inFront {
		name := ""
		if one.front {
			name = chart.Fit(one.title, chart.LegendStyle(), chart.NarrowRoom/2)
		}
		names.Points = append(names.Points, chart.Point{X: one.seconds, Y: one.accuracy, Say: name})
		say := fmt.Sprintf("%s, %s: %.2f %% in %s", s.name, one.title, one.accuracy, duration(one.seconds))
		l := costLooks[max(0, slices.Index(methods, one.method))%len(costLooks)]
		chart.AddCurve(p, chart.Curve{Look: l, Points: []chart.Point{{X: one.seconds, Y: one.accuracy, Say: say}}})
	}
	p.Add(names)
	chart.Settle(&p.X)
	chart.Settle(&p.Y)
	if first {
		p.Y.Label.Text = "accuracy, %"
	}
	if last {
		p.X.Label.Text = "time, s"
	}
	return p
}
