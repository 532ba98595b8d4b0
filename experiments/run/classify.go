package run

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
)

// ProblemOf is the classification task of a job in a phase: the training
// samples, and the query samples to label. A method that has the unlabelled samples
// of both phases together gets those of the validation part first.
func ProblemOf(j plan.Job, split *datasets.Split, of method.Phase, restart int) method.Problem {
	p := method.Problem{
		Problem: r2lml.Problem{
			X: split.Train.X, Y: split.Train.Y, Query: split.Validation.X,
			Seed: j.Inputs.Seed<<16 | uint64(restart),
		},
		Phase: of, Neighbors: j.Inputs.Neighbors,
	}
	if of == method.TestPhase {
		p.Query, p.Validation = split.Test.X, split.Validation
	}
	if j.Joint() {
		p.Query, p.Validation = bothParts(split), datasets.Samples{}
	}
	return p
}

// bothParts stacks the samples of the validation and the test part.
func bothParts(split *datasets.Split) *mat.Dense {
	if split.Validation.X.IsEmpty() {
		return split.Test.X
	}
	var both mat.Dense
	both.Stack(split.Validation.X, split.Test.X)
	return &both
}

// labelsOf returns the labels that a fit gives the samples of a phase, of all that
// it labelled, for each number of neighbors.
func labelsOf(j plan.Job, split *datasets.Split, p method.Problem, f r2lml.Fitted, ks []int) ([][]int, error) {
	labels, err := classifyEach(p, f, ks)
	if err != nil || !j.Joint() {
		return labels, err
	}
	n := len(split.Validation.Y)
	for i, all := range labels {
		if p.Phase == method.TestPhase {
			labels[i] = all[n:]
		} else {
			labels[i] = all[:n]
		}
	}
	return labels, nil
}

// classify is classifyEach with the number of neighbors of the problem.
func classify(p method.Problem, f r2lml.Fitted) ([]int, error) {
	labels, err := classifyEach(p, f, []int{p.Neighbors})
	return labels[0], err
}

// classifyEach returns the labels of the query samples of p, for each number of
// neighbors: those the method gave or else those of the k-NN rule under its metric,
// which must be finite.
func classifyEach(p method.Problem, f r2lml.Fitted, ks []int) ([][]int, error) {
	if f.Labels != nil {
		return slices.Repeat([][]int{f.Labels}, len(ks)), nil
	}
	metric := &checkedMetric{Metric: f.Metric}
	labels := r2lml.ClassifyEach(p.Problem, metric, ks)
	return labels, metric.fault
}

// A checkedMetric keeps an eye on the distances of a metric: NaN would make
// neighbors of samples at random. It serves one goroutine.
type checkedMetric struct {
	r2lml.Metric
	fault error // the first distance that is not finite
}

// SquaredDistances implements r2lml.Metric.
func (c *checkedMetric) SquaredDistances(dst []float64, m int) {
	c.Metric.SquaredDistances(dst, m)
	for n, d := range dst {
		if c.fault == nil && (math.IsNaN(d) || math.IsInf(d, 0)) {
			c.fault = fmt.Errorf("the metric is not finite: the squared distance of query sample %d to training sample %d is %g", m, n, d)
		}
	}
}

// correct counts the labels that agree.
func correct(got, want []int) int {
	count := 0
	for i, label := range got {
		if label == want[i] {
			count++
		}
	}
	return count
}
