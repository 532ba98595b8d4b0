package chart

import (
	"fmt"
	"iter"
	"slices"
	"strings"
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

// contentOf is that of series: the range of the values by groups in words, such as
// "ITML 70.1 to 82.4 (5); PLML 75", and a line of CSV for every point. y is its second place.
func contentOf(title string, all []Series, xAxis, yAxis string, y func(Point) string, group func(Series, Point) string, value func(Point) float64) content {
	c := content{title: title, empty: true, legend: all, head: []string{"series", "point", "x_axis", "x", "y_axis", "y", "low", "high"}}
	for _, s := range all {
		for _, q := range s.Points {
			line := []string{s.Name, q.Name, xAxis, number(q.X), yAxis, y(q), "", ""}
			if q.Low < q.High {
				line[6], line[7] = number(q.Low), number(q.High)
			}
			c.records = append(c.records, line)
		}
	}
	var groups []string
	values := map[string][]float64{}
	for s, q := range present(all) {
		name := Short(group(s, q), 60)
		if values[name] == nil {
			groups = append(groups, name)
		}
		values[name], c.empty = append(values[name], value(q)), false
	}
	for i, name := range groups {
		of := values[name]
		said := short(of[0])
		if len(of) > 1 {
			said = fmt.Sprintf("%s to %s (%d)", short(slices.Min(of)), short(slices.Max(of)), len(of))
		}
		groups[i] = strings.TrimSpace(name + " " + said)
	}
	if c.words = strings.Join(groups, "; "); c.empty {
		c.words = "no result"
	}
	return c
}

// point draws the mark of a point with its interval, whose ends are given as x and y, and
// what a reader is told who points at it: names, and values with their axes.
func (d *drawing) point(q Point, l look, x, y float64, ends [4]float64, names []string, values ...string) {
	if q.Low < q.High {
		values = append(values, fmt.Sprintf("interval or range %s to %s", short(q.Low), short(q.High)))
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	d.titled(strings.TrimPrefix(strings.Join(names, ", ")+": "+strings.Join(values, "; "), ": "), func() {
		if q.Low < q.High {
			d.line(l.classes("s"), ends[:]...)
		}
		d.mark(l, x, y)
	})
}
