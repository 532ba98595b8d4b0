package baselines

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A target is a pair of samples of one class: to is a target neighbor of from, and
// the learned metric should keep it near.
type target struct{ from, to int }

// targetNeighbors returns the targets of every sample in turn: its k Euclidean
// nearest other samples of the same class, nearest first, equal ones by index.
// A class of k samples or fewer has fewer. The list is incomplete when ctx ends.
func targetNeighbors(ctx context.Context, x *mat.Dense, y []int, k int) []target {
	var targets []target
	var distance []float64
	for i := range linalg.Rows(ctx, len(y)) {
		distance = distancesInto(distance, x, x.RawRowView(i))
		for _, j := range closest(distance, k, func(j int) bool { return y[j] == y[i] && j != i }) {
			targets = append(targets, target{i, j})
		}
	}
	return targets
}

// fewTargets warns of classes too small for k targets per sample.
func fewTargets(y []int, k int) []string {
	var warnings []string
	for label := 1; label <= slices.Max(y); label++ {
		if n := len(rowsOf(y, label)); n > 0 && n <= k {
			warnings = append(warnings, fmt.Sprintf("class %d has no more training samples (%d) than target neighbors for each (%d)", label, n, k))
		}
	}
	return warnings
}

// squaredDistances returns the squared Euclidean distances from v to the rows
// of x.
func squaredDistances(x *mat.Dense, v []float64) []float64 { return distancesInto(nil, x, v) }

// distancesInto is squaredDistances into dst, which it grows if needed.
func distancesInto(dst []float64, x *mat.Dense, v []float64) []float64 {
	n, _ := x.Dims()
	dst = slices.Grow(dst[:0], n)[:n]
	i := 0
	for ; i+4 <= n; i += 4 {
		dst[i], dst[i+1], dst[i+2], dst[i+3] = fourDistances(v, x.RawRowView(i), x.RawRowView(i+1), x.RawRowView(i+2), x.RawRowView(i+3))
	}
	for ; i < n; i++ {
		dst[i] = linalg.SquaredDistance(x.RawRowView(i), v)
	}
	return dst
}

// fourDistances returns the squared distances of x to four samples, with the bits of
// [linalg.SquaredDistance].
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

// A candidate is a row and its distance.
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
// admits, in ascending order, ties by row; all of them if there are fewer than k.
// It collects up to 2k candidates and then drops the farther half.
func closest(distance []float64, k int, keep func(row int) bool) []int {
	k = min(k, len(distance)) // so that 2k is a number
	near := make([]candidate, 0, min(2*k, len(distance)))
	limit := math.NaN() // until candidates are dropped: no distance compares as above
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

// A surrounding lists the samples near a training sample i: the triplets of i are
// all (i, j, k) with j in same and k in other; i should be nearer to j than to k.
type surrounding struct {
	same  []int // nearest samples of the class of i, without i
	other []int // nearest samples of other classes
}

// count returns the number of triplets.
func (s surrounding) count() int { return len(s.same) * len(s.other) }

const (
	// sameNeighbors and otherNeighbors are the sizes of the surroundings of PLML
	// and SCML.
	sameNeighbors  = 3
	otherNeighbors = 10
)

// surroundings returns, for every row of x, its nearest rows under the
// Euclidean metric, by distance and then by row; fewer if the classes have fewer.
// The lists are incomplete when ctx ends.
func surroundings(ctx context.Context, x *mat.Dense, y []int, same, other int) []surrounding {
	all := make([]surrounding, len(y))
	var distance []float64
	for i := range linalg.Rows(ctx, len(all)) {
		distance = distancesInto(distance, x, x.RawRowView(i))
		all[i] = surrounding{
			same:  closest(distance, same, func(j int) bool { return y[j] == y[i] && j != i }),
			other: closest(distance, other, func(k int) bool { return y[k] != y[i] }),
		}
	}
	return all
}

// A comparison is a triplet: it asks that sample i be nearer to j, of its class, than to k.
type comparison struct{ i, j, k int }

// comparisonsOf lists the triplets of all samples, by i, then j, then k as near.
func comparisonsOf(all []surrounding) []comparison {
	var list []comparison
	for i, s := range all {
		for _, j := range s.same {
			for _, k := range s.other {
				list = append(list, comparison{i, j, k})
			}
		}
	}
	return list
}
