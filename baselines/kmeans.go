package baselines

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

const (
	clusterRestarts   = 5
	clusterIterations = 300
)

// kMeans returns the centers of k clusters of the rows of x, one per row; fewer
// when x has fewer distinct rows. Of several runs of Lloyd's algorithm, each
// from centers drawn among the distinct rows, it keeps the first with the
// smallest sum of squared distances from the rows to their centers. A cluster
// that loses all its rows starts anew at the row farthest from its center.
func kMeans(ctx context.Context, draw *rand.Rand, x *mat.Dense, k int) (*mat.Dense, error) {
	distinct := distinctRows(x)
	k = min(k, len(distinct))
	var best *mat.Dense
	least := math.Inf(1)
	for range clusterRestarts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draw.Shuffle(len(distinct), func(i, j int) { distinct[i], distinct[j] = distinct[j], distinct[i] })
		centers := pickRows(x, distinct[:k])
		if inertia := lloyd(ctx, x, centers); best == nil || inertia < least {
			best, least = centers, inertia
		}
	}
	return best, ctx.Err()
}

// distinctRows returns the rows of x that equal no earlier one.
func distinctRows(x *mat.Dense) []int {
	n, _ := x.Dims()
	var rows []int
	seen := map[string]bool{}
	var key []byte
	for i := range n {
		key = key[:0]
		for _, v := range x.RawRowView(i) {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0)) // -0 + 0 is 0
		}
		if !seen[string(key)] {
			rows, seen[string(key)] = append(rows, i), true
		}
	}
	return rows
}

// lloyd moves centers to the means of the rows nearest to them until no row
// changes its center, and returns the sum of squared distances.
func lloyd(ctx context.Context, x, centers *mat.Dense) float64 {
	n, _ := x.Dims()
	of, distance := make([]int, n), make([]float64, n)
	for i := range of {
		of[i] = -1
	}
	for range clusterIterations {
		if !assign(ctx, x, centers, of, distance) {
			break
		}
		moveCenters(x, centers, of, distance)
	}
	assign(ctx, x, centers, of, distance)
	return floats.Sum(distance)
}

// assign gives every row its nearest center, the first of several, and reports whether one changed.
func assign(ctx context.Context, x, centers *mat.Dense, of []int, distance []float64) (changed bool) {
	var to []float64
	for i := range linalg.Rows(ctx, len(of)) {
		to = distancesInto(to, centers, x.RawRowView(i))
		nearest := floats.MinIdx(to)
		changed = changed || nearest != of[i]
		of[i], distance[i] = nearest, to[nearest]
	}
	return changed
}

func moveCenters(x, centers *mat.Dense, of []int, distance []float64) {
	k, _ := centers.Dims()
	count := make([]int, k)
	centers.Zero()
	for i, c := range of {
		count[c]++
		floats.Add(centers.RawRowView(c), x.RawRowView(i))
	}
	for c, members := range count {
		if members > 0 {
			floats.Scale(1/float64(members), centers.RawRowView(c))
			continue
		}
		farthest := floats.MaxIdx(distance)
		copy(centers.RawRowView(c), x.RawRowView(farthest))
		distance[farthest] = 0 // another empty cluster takes another row
	}
}
