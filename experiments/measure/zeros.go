package measure

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// ZeroThresholds are the shares of the largest column's norm below which a
// column of a map counts as zero.
var ZeroThresholds = []float64{1e-6, 1e-3}

// zeroColumnsKeys names the counts of zero columns of a metric, from 1: among the
// features that are constant in the training data, from which nothing can be
// learned, and among the others.
func zeroColumnsKeys(metric int, threshold float64) (constant, other string) {
	key := fmt.Sprintf("zero columns of metric %d at %g", metric, threshold)
	return key + ", constant features", key + ", other features"
}

// takeZeroColumns counts, for every map and threshold, the zero columns among the
// features that are constant in the training data and among the others.
func takeZeroColumns(_ context.Context, fit Fit, f *r2lml.LocalMetric) (Measured, error) {
	idle := constantFeatures(fit.Problem.X)
	_, d := fit.Problem.X.Dims()
	var m Measured
	for k, l := range f.L {
		if l == nil {
			continue // the identity has no zero columns
		}
		for _, threshold := range ZeroThresholds {
			zero := r2lml.ZeroColumns(l, threshold)
			constant := 0
			for _, j := range zero {
				if slices.Contains(idle, j) {
					constant++
				}
			}
			constantKey, otherKey := zeroColumnsKeys(k+1, threshold)
			m.Facts = append(m.Facts,
				results.Count{Name: constantKey, Count: constant, Of: len(idle)},
				results.Count{Name: otherKey, Count: len(zero) - constant, Of: d - len(idle)})
		}
	}
	return m, nil
}

// constantFeatures lists the columns of x that hold one value only.
func constantFeatures(x *mat.Dense) []int {
	n, d := x.Dims()
	var list []int
	for j := range d {
		constant := true
		for i := range n {
			constant = constant && x.At(i, j) == x.At(0, j)
		}
		if constant {
			list = append(list, j)
		}
	}
	return list
}

// ZeroColumns counts the zero columns of a map.
type ZeroColumns struct{ Constant, Other results.Count }

// Count is the number of zero columns.
func (z ZeroColumns) Count() int { return z.Constant.Count + z.Other.Count }

// ReadZeros reads the zero columns of the metrics of a cell, by threshold and metric; nil
// where they were not measured. metrics is the number of metrics.
func ReadZeros(facts []results.Count, metrics int) [][]*ZeroColumns {
	all := make([][]*ZeroColumns, len(ZeroThresholds))
	for i, threshold := range ZeroThresholds {
		all[i] = make([]*ZeroColumns, metrics)
		for metric := range metrics {
			key, otherKey := zeroColumnsKeys(metric+1, threshold)
			constant, other := factOf(facts, key), factOf(facts, otherKey)
			if constant != nil && other != nil {
				all[i][metric] = &ZeroColumns{*constant, *other}
			}
		}
	}
	return all
}
