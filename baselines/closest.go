package baselines

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// squaredDistances returns the squared Euclidean distances from v to the rows
// of x.
func squaredDistances(x *mat.Dense, v []float64) []float64 { return distancesInto(nil, x, v) }

// distancesInto is squaredDistances in the memory of dst, where it has room.
func distancesInto(dst []float64, x *mat.Dense, v []float64) []float64 {
	n, _ := x.Dims()
	dst = resizedTo(dst, n)
	i := 0
	for ; i+4 <= n; i += 4 {
		dst[i], dst[i+1], dst[i+2], dst[i+3] = fourDistances(v, x.RawRowView(i), x.RawRowView(i+1), x.RawRowView(i+2), x.RawRowView(i+3))
	}
	for ; i < n; i++ {
		dst[i] = linalg.SquaredDistance(x.RawRowView(i), v)
	}
	return dst
}

// fourDistances are those of x to four samples, as [linalg.SquaredDistance] has them.
func fourDistances(x, a, b, c, d []float64) (sa, sb, sc, sd float64) {
	a, b, c, d = a[:len(x)], b[:len(x)], c[:len(x)], d[:len(x)]
	for k, v := range x {
		ea, eb, ec, ed := v-a[k], v-b[k], v-c[k], v-d[k]
		sa += ea * ea
		sb += eb * eb
		sc += ec * ec
		sd += ed * ed
	}
	return sa, sb, sc, sd
}

// A candidate is a row at a distance.
type candidate struct {
	distance float64
	row      int
}

// compareCandidates orders by distance, NaN first, and then by row.
func compareCandidates(a, b candidate) int {
	switch {
	case a.distance < b.distance:
		return -1
	case a.distance > b.distance:
		return 1
	}
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.row, b.row))
}

// closest returns the rows of the k smallest distances among those that keep
// admits, in ascending order, equal ones by row; fewer when there are fewer. It
// keeps up to 2k candidates, and drops the farther half when they are that many.
func closest(distance []float64, k int, keep func(row int) bool) []int {
	k = min(k, len(distance)) // so that 2k is a number
	near := make([]candidate, 0, min(2*k, len(distance)))
	limit := math.NaN() // as long as nothing was dropped; no distance is below or above
	for row, d := range distance {
		if d >= limit || !keep(row) {
			continue
		}
		near = append(near, candidate{d, row})
		if len(near) == 2*k {
			slices.SortFunc(near, compareCandidates)
			near, limit = near[:k], near[k-1].distance
		}
	}
	slices.SortFunc(near, compareCandidates)
	rows := make([]int, min(k, len(near)))
	for i := range rows {
		rows[i] = near[i].row
	}
	return rows
}

// everyRow admits all rows.
func everyRow(int) bool { return true }
