package results

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// diffPoints compares two grids parameter by parameter, by the values each
// parameter takes, and falls back on naming the first point that differs.
func diffPoints(a, b []Point) []string {
	if slices.EqualFunc(a, b, Point.Equal) {
		return nil
	}
	before, after := gridValues(a), gridValues(b)
	names := maps.Clone(before)
	maps.Copy(names, after)
	var d []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Equal(before[name], after[name]) {
			d = append(d, fmt.Sprintf("points: %s %s -> %s", name, listValues(before[name]), listValues(after[name])))
		}
	}
	if d == nil {
		d = []string{fmt.Sprintf("points: %d -> %d, with the same values in another arrangement", len(a), len(b))}
	}
	return d
}

// Equal compares points as their keys do, by canonical spelling.
func (p Point) Equal(q Point) bool {
	same := func(v, w any) bool { return valueText(v) == valueText(w) }
	return p.Restart == q.Restart && maps.EqualFunc(p.Params, q.Params, same)
}

// gridValues lists the distinct values of every parameter in order of first
// appearance; the random start counts as a parameter.
func gridValues(points []Point) map[string][]string {
	values := map[string][]string{}
	add := func(name, value string) {
		if !slices.Contains(values[name], value) {
			values[name] = append(values[name], value)
		}
	}
	for _, p := range points {
		for name, v := range p.Params {
			add(name, valueText(v))
		}
		add("random start", strconv.Itoa(p.Restart))
	}
	return values
}

func listValues(values []string) string {
	if len(values) == 0 {
		return "(none)"
	}
	return strings.Join(values, ", ")
}
