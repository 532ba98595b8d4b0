package chart

import (
	"fmt"
	"slices"
	"strings"
)

// pointColumns are those of the CSV of [XY] and [Rows].
var pointColumns = []string{"series", "point", "x_axis", "x", "y_axis", "y", "low", "high"}

// recordsOf has a line for every point; y gives its second place as text.
func recordsOf(all []Series, xAxis, yAxis string, y func(Point) string) [][]string {
	var records [][]string
	for _, s := range all {
		for _, q := range s.Points {
			line := []string{s.Name, q.Name, xAxis, number(q.X), yAxis, y(q), "", ""}
			if q.Low < q.High {
				line[6], line[7] = number(q.Low), number(q.High)
			}
			records = append(records, line)
		}
	}
	return records
}

// numbersOf are the values of the points that are there, with the ends of their intervals
// where those are on the same axis.
func numbersOf(all []Series, value func(Point) float64, intervals bool) []float64 {
	var numbers []float64
	for _, s := range all {
		for _, q := range s.Points {
			if !q.missing() {
				numbers = append(numbers, value(q))
			}
			if !q.missing() && intervals && q.Low < q.High {
				numbers = append(numbers, q.Low, q.High)
			}
		}
	}
	return numbers
}

// wordsOf tells the range of the values by groups, "ITML 70.1 to 82.4 (5); PLML 75".
func wordsOf(all []Series, group func(Series, Point) string, value func(Point) float64) string {
	var groups []string
	values := map[string][]float64{}
	for _, s := range all {
		for _, q := range s.Points {
			if q.missing() {
				continue
			}
			name := group(s, q)
			if values[name] == nil {
				groups = append(groups, name)
			}
			values[name] = append(values[name], value(q))
		}
	}
	for i, name := range groups {
		of := values[name]
		said := short(of[0])
		if len(of) > 1 {
			said = fmt.Sprintf("%s to %s (%d)", short(slices.Min(of)), short(slices.Max(of)), len(of))
		}
		groups[i] = strings.TrimSpace(Short(name, 60) + " " + said)
	}
	if len(groups) == 0 {
		return "no result"
	}
	return strings.Join(groups, "; ")
}

// sayOf is what a reader is told who points at a mark: names, and values with their axes.
func sayOf(q Point, names []string, values ...string) string {
	if q.Low < q.High {
		values = append(values, fmt.Sprintf("interval or range %s to %s", short(q.Low), short(q.High)))
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	return strings.TrimPrefix(strings.Join(names, ", ")+": "+strings.Join(values, "; "), ": ")
}
