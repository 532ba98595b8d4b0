package store

import (
	"slices"

	"r2lmlbench/results"
)

// Alike returns the stored cells of the data set and the method of in that have
// its settings, its k and its measures, by file name. They may differ in split, seed, version
// of the method's code and digests. Failed attempts are no cells.
func (s Store) Alike(in results.Inputs) ([]results.Cell, error) {
	all, err := s.cells(in, cellSuffix)
	return slices.DeleteFunc(all, func(c results.Cell) bool {
		return c.Dataset != in.Dataset || c.Method != in.Method || c.Neighbors != in.Neighbors ||
			!slices.Equal(c.Measure, in.Measure) ||
			!slices.EqualFunc(c.Points, in.Points, results.Point.Equal)
	}), err
}
