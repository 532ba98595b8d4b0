package baselines

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// squaredDistances returns the squared Euclidean distances from v to the rows
// of x.
func squaredDistances(x *mat.Dense, v []float64) []float64 {
	n, _ := x.Dims()
	distance := make([]float64, n)
	for i := range distance {
		distance[i] = linalg.SquaredDistance(x.RawRowView(i), v)
	}
	return distance
}

// closest returns the rows of the k smallest distances among those that keep
// admits, in ascending order, equal ones by row; fewer when there are fewer.
func closest(distance []float64, k int, keep func(row int) bool) []int {
	var rows []int
	for row := range distance {
		if keep(row) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(distance[a], distance[b]), cmp.Compare(a, b))
	})
	return rows[:min(k, len(rows))]
}

// everyRow admits all rows.
func everyRow(int) bool { return true }
