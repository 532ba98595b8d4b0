package baselines

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A target is a pair of samples of one class: to is a target neighbor of from,
// which the learned metric is to keep near.
type target struct{ from, to int }

// targetNeighbors returns the targets of every sample in turn: its k Euclidean
// nearest other samples of the same class, nearest first, equal ones by index.
// A class of k samples or fewer has fewer. Some are missing when ctx ends.
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
