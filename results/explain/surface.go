package explain

import (
	"fmt"
	"maps"
	"slices"

	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// A Surface is the accuracy at every setting of a grid.
type Surface struct {
	Seed       uint64         `json:"seed"`
	File       string         `json:"file"`                   // where the cell is kept
	Unlabeled  string         `json:"unlabeled,omitempty"`    // samples without labels, unless those of each phase
	Fixed      results.Params `json:"fixed"`                  // what all points share
	Validation int            `json:"validation_n,omitempty"` // validation samples
	N          int            `json:"n"`                      // test samples
	Points     []SurfacePoint `json:"points"`                 // in the order of the grid
}

// A SurfacePoint is one setting. Counts are absent where the point failed.
type SurfacePoint struct {
	Params     results.Params `json:"params"` // those that vary
	Validation *int           `json:"validation,omitempty"`
	Test       *int           `json:"test,omitempty"`
	Chosen     bool           `json:"chosen,omitempty"`  // on the validation samples
	Best       bool           `json:"best,omitempty"`    // on the test samples, with those as good
	Reaches    bool           `json:"reaches,omitempty"` // within 1 point or 1 test sample of the published number
}

// newSurface reads the surface of a cell, which is kept in file.
func newSurface(c results.Cell, file string) *Surface {
	s := &Surface{Seed: c.Seed, File: file, Unlabeled: c.Unlabeled, Fixed: results.Params{}, N: len(c.Truth)}
	for name, v := range c.Points[0].Params {
		if !slices.ContainsFunc(c.Points, func(p results.Point) bool { return p.Params[name] != v }) {
			s.Fixed[name] = v
		}
	}
	if c.Validation != nil {
		s.Validation = c.Validation.N
	}
	most := slices.Max(c.Surface.Correct)
	for i, p := range c.Points {
		point := SurfacePoint{Params: maps.Clone(p.Params), Chosen: i == c.Chosen}
		maps.DeleteFunc(point.Params, func(name string, _ any) bool { _, fixed := s.Fixed[name]; return fixed })
		if c.Validation != nil {
			point.Validation = count(c.Validation.Correct[i])
		}
		if point.Test = count(c.Surface.Correct[i]); point.Test != nil {
			point.Best = *point.Test == most
		}
		s.Points = append(s.Points, point)
	}
	return s
}

// count is a number of right ones, nil of a point that failed.
func count(correct int) *int {
	if correct < 0 {
		return nil
	}
	return &correct
}

// across is the parameter that varies fastest, whose values stand in the columns of
// the text; nothing when there is one point.
func (s Surface) across() string {
	if len(s.Points) < 2 {
		return ""
	}
	first, second := s.Points[0].Params, s.Points[1].Params
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if second[name] != first[name] {
			return name
		}
	}
	return ""
}

// Grid are the points in lines: a line for every setting of the other parameters.
func (s Surface) Grid() [][]string {
	across := s.across()
	lines := [][]string{{across}}
	for _, p := range s.Points {
		rest, key := maps.Clone(p.Params), ""
		if delete(rest, across); len(rest) > 0 {
			key = rest.String()
		}
		if last := len(lines) - 1; last == 0 || lines[last][0] != key {
			lines = append(lines, []string{key})
		}
		if len(lines) == 2 && across != "" {
			lines[0] = append(lines[0], fmt.Sprint(p.Params[across]))
		}
		last := &lines[len(lines)-1]
		*last = append(*last, s.field(p))
	}
	return lines
}

// field is a point in the grid: validation and test accuracy, and its marks.
func (s Surface) field(p SurfacePoint) string {
	percent := func(correct *int, n int) string {
		if correct == nil {
			return "-"
		}
		return stats.Percent(*correct, n, 1)
	}
	marks := ""
	for _, m := range []struct {
		is   bool
		mark string
	}{{p.Chosen, "v"}, {p.Best, "t"}, {p.Reaches, "="}} {
		if m.is {
			marks += m.mark
		}
	}
	field := percent(p.Test, s.N)
	if s.Validation > 0 {
		field = percent(p.Validation, s.Validation) + "/" + field
	}
	if marks == "" {
		return field
	}
	return field + " " + marks
}
