package baselines

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A graph joins samples that are near each other, with weights S_ij = S_ji.
type graph struct {
	edges  [][]edge  // of every sample, by the other end
	degree []float64 // Σ_j S_ij
}

type edge struct {
	to     int
	weight float64
}

// selfTuningGraph joins i and j when one is among the k nearest of the other,
//
//	S_ij = exp(−‖x_i − x_j‖²/(s_i s_j))
//
// where s_i is the distance from i to its tuner-th neighbor (the farthest, when
// there are fewer). An s_i of 0 is replaced by the smallest positive one.
//
// L. Zelnik-Manor, P. Perona, Self-Tuning Spectral Clustering, NIPS 2004.
//
// Edges are missing when ctx ends.
func selfTuningGraph(ctx context.Context, x *mat.Dense, k, tuner int) graph {
	near, scale := tunedNeighbors(ctx, x, k, tuner)
	raiseZeros(scale)
	g := graph{edges: make([][]edge, len(near)), degree: make([]float64, len(near))}
	for i, rows := range near {
		for _, j := range rows {
			if j < i && slices.Contains(near[j], i) {
				continue // joined from the other end
			}
			d := linalg.SquaredDistance(x.RawRowView(i), x.RawRowView(j))
			g.join(i, j, math.Exp(-d/(scale[i]*scale[j])))
		}
	}
	return g
}

// tunedNeighbors returns the k nearest of every sample, and its distance to the tuner-th,
// or to the farthest of fewer.
func tunedNeighbors(ctx context.Context, x *mat.Dense, k, tuner int) (near [][]int, scale []float64) {
	n, _ := x.Dims()
	near, scale = make([][]int, n), make([]float64, n)
	var distance []float64
	for i := range linalg.Rows(ctx, n) {
		distance = distancesInto(distance, x, x.RawRowView(i))
		rows := closest(distance, max(k, tuner), func(j int) bool { return j != i })
		near[i] = rows[:min(k, len(rows))]
		if len(rows) > 0 {
			scale[i] = math.Sqrt(distance[rows[min(tuner, len(rows))-1]])
		}
	}
	return near, scale
}

// raiseZeros replaces zeros by the smallest positive value, 1 when there is
// none.
func raiseZeros(v []float64) {
	smallest := math.Inf(1)
	for _, x := range v {
		if x > 0 {
			smallest = min(smallest, x)
		}
	}
	if math.IsInf(smallest, 1) {
		smallest = 1
	}
	for i, x := range v {
		if x == 0 {
			v[i] = smallest
		}
	}
}

func (g graph) join(i, j int, weight float64) {
	g.edges[i] = append(g.edges[i], edge{j, weight})
	g.edges[j] = append(g.edges[j], edge{i, weight})
	g.degree[i] += weight
	g.degree[j] += weight
}

// addLaplacian adds c L w to dst, with the Laplacian L = diag(degree) − S and
// one row of w for every sample.
func (g graph) addLaplacian(dst *mat.Dense, c float64, w *mat.Dense) {
	for i, edges := range g.edges {
		row := dst.RawRowView(i)
		floats.AddScaled(row, c*g.degree[i], w.RawRowView(i))
		for _, e := range edges {
			floats.AddScaled(row, -c*e.weight, w.RawRowView(e.to))
		}
	}
}

// largestEigenvalue bounds that of L from above: by Anderson and Morley it is at
// most the largest sum of two joined degrees.
func (g graph) largestEigenvalue() float64 {
	var bound float64
	for i, edges := range g.edges {
		for _, e := range edges {
			bound = max(bound, g.degree[i]+g.degree[e.to])
		}
	}
	return bound
}
