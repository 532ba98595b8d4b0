package report

import (
	"maps"
	"slices"

	"r2lmlbench/results"
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
	for name, v := range c.Settings[0].Params {
		if !slices.ContainsFunc(c.Settings, func(p results.Setting) bool { return p.Params[name] != v }) {
			s.Fixed[name] = v
		}
	}
	if c.Validation != nil {
		s.Validation = c.Validation.N
	}
	most := slices.Max(c.GridScores.Correct)
	for i, p := range c.Settings {
		point := SurfacePoint{Params: maps.Clone(p.Params), Chosen: i == c.Chosen}
		maps.DeleteFunc(point.Params, func(name string, _ any) bool { _, fixed := s.Fixed[name]; return fixed })
		if c.Validation != nil {
			point.Validation = count(c.Validation.Correct[i])
		}
		if point.Test = count(c.GridScores.Correct[i]); point.Test != nil {
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
