package report

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
)

// present are the points that are not missing, with their series.
func present(all []Series) iter.Seq2[Series, Point] {
	return func(yield func(Series, Point) bool) {
		for _, s := range all {
			for _, q := range s.Points {
				if !q.missing() && !yield(s, q) {
					return
				}
			}
		}
	}
}

func xOf(q Point) float64 { return q.X }
func yOf(q Point) float64 { return q.Y }

// numbersOf are values of points, with the ends of their intervals where those are on the
// same axis.
func numbersOf(all []Series, value func(Point) float64, intervals bool) []float64 {
	var numbers []float64
	for _, q := range present(all) {
		numbers = append(numbers, value(q))
		if intervals && q.Low < q.High {
			numbers = append(numbers, q.Low, q.High)
		}
	}
	return numbers
}

// row is the name of a point's row.
func (p Panel) row(q Point) string { return p.Names[int(q.Y)] }

// above is what stands above the rows as a panel of its own.
func (p Panel) above() Panel { return Panel{Title: p.Title, X: p.X, Y: p.Y, Series: p.Above} }

// words say what is seen: the range of the values of every series, point with a label or
// row, such as "ITML 70.1 to 82.4 (5); PLML 75", and the rows that bars join.
func (p Panel) words() string {
	if p.Above != nil {
		rows := p
		rows.Above = nil
		return p.above().words() + "; " + rows.words()
	}
	about := p.X.Label
	if p.Names == nil {
		about = p.Y.Label + " against " + p.X.Label
	}
	var groups []string
	values := map[string][]float64{}
	for s, q := range present(p.Series) {
		name, value := s.Name, q.Y
		switch {
		case p.Names != nil:
			name, value = text.Join(" ", Short(p.row(q), 40), s.Name), q.X
		case q.Label:
			name = q.Name + " at " + short(q.X)
		}
		name = Short(name, 60)
		if values[name] == nil {
			groups = append(groups, name)
		}
		values[name] = append(values[name], value)
	}
	for i, name := range groups {
		of := values[name]
		said := short(of[0])
		if len(of) > 1 {
			said = fmt.Sprintf("%s to %s (%d)", short(slices.Min(of)), short(slices.Max(of)), len(of))
		}
		groups[i] = strings.TrimSpace(name + " " + said)
	}
	if len(groups) == 0 {
		groups = []string{"no result"}
	}
	for _, b := range p.Bars {
		groups = append(groups, fmt.Sprintf("a bar joins %s to %s", Short(p.Names[b[0]], 40), Short(p.Names[b[1]], 40)))
	}
	for _, r := range p.Lines {
		groups = append(groups, fmt.Sprintf("%s at %s", Short(r.Name, 60), short(r.X)))
	}
	return about + ": " + strings.Join(groups, "; ")
}

// records are lines of CSV for every point and bar.
func (p Panel) records() [][]string {
	var all [][]string
	if p.Above != nil {
		all = p.above().records()
	}
	for _, s := range p.Series {
		for _, q := range s.Points {
			line := []string{p.Title, s.Name, q.Name, p.X.Label, number(q.X), p.Y.Label, number(q.Y), "", ""}
			if p.Names != nil {
				line[5], line[6] = "row", p.row(q)
			}
			if q.Low < q.High {
				line[7], line[8] = number(q.Low), number(q.High)
			}
			all = append(all, line)
		}
	}
	for _, b := range p.Bars {
		all = append(all, []string{p.Title, "bar", "", "from row", p.Names[b[0]], "to row", p.Names[b[1]], "", ""})
	}
	for _, r := range p.Lines {
		line := []string{p.Title, "line", r.Name, p.X.Label, number(r.X), "", "", "", ""}
		if r.To > r.X {
			line[7], line[8] = number(r.X), number(r.To)
		}
		all = append(all, line)
	}
	return all
}

// point draws the mark of a point with its interval, whose ends are given as x and y, and
// what a reader is told who points at it: names, and values with their axes.
func (d *drawing) point(q Point, l look, x, y float64, ends [4]float64, names []string, values ...string) {
	if q.Low < q.High {
		values = append(values, fmt.Sprintf("interval or range %s to %s", short(q.Low), short(q.High)))
	}
	said := text.Join(": ", text.Join(", ", names...), strings.Join(values, "; "))
	to := ""
	if q.To != "" {
		to = ` data-to="` + Escape(q.To) + `"`
	}
	fmt.Fprintf(&d.b, `<g class="m"%s><title>%s</title>`, to, Escape(said))
	if q.Low < q.High {
		d.line(l.classes("s"), ends[:]...)
	}
	d.mark(l, x, y)
	d.b.WriteString("</g>\n")
}
