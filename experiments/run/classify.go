package run

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
)

// problemOf returns the problem of a job in a phase.
func problemOf(j plan.Job, split *datasets.Split, of method.Phase, restart int) method.Problem {
	return ProblemOf(split, of, j.Joint(), j.Inputs.Neighbors, j.Inputs.Seed, restart)
}

// ProblemOf returns the problem of a split in a phase, with k neighbors and the draws of a restart
// under a seed: the training samples and the query samples. A joint method gets the validation
// samples and then the test samples as queries.
func ProblemOf(split *datasets.Split, of method.Phase, joint bool, k int, seed uint64, restart int) method.Problem {
	p := method.Problem{
		Problem: r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: split.Validation.X, Seed: seed<<16 | uint64(restart)},
		Phase:   of, Neighbors: k,
	}
	if of == method.TestPhase {
		p.Query, p.Validation = split.Test.X, split.Validation
	}
	if joint {
		p.Query, p.Validation = split.Test.X, datasets.Samples{}
		if !split.Validation.X.IsEmpty() {
			var both mat.Dense
			both.Stack(split.Validation.X, split.Test.X)
			p.Query = &both
		}
	}
	return p
}

// foldStream separates the draws of folds from all other draws of a seed.
const foldStream = 0x666f_6c64_0000_0000 // "fold"

// A question is a problem of a phase and the true labels of its query samples.
type question struct {
	method.Problem
	truth []int
}

// questions returns the problems for scoring the settings of a job in a phase: one, or under
// cross-validation one for each fold of the training samples.
func questions(j plan.Job, split *datasets.Split, of method.Phase, restart int) []question {
	p := problemOf(j, split, of, restart)
	switch {
	case of == method.TestPhase:
		return []question{{p, split.Test.Y}}
	case j.Inputs.Folds == 0:
		return []question{{p, split.Validation.Y}}
	}
	var all []question
	train := split.Train
	foldOf := dealt(train.Y, split.Groups, j.Inputs.Folds, j.Inputs.Seed)
	for fold := range j.Inputs.Folds {
		q := question{Problem: p}
		var labelled, asked []int
		for row, y := range train.Y {
			if foldOf[row] == fold {
				asked, q.truth = append(asked, row), append(q.truth, y)
			} else {
				labelled = append(labelled, row)
			}
		}
		if len(asked) == 0 || len(labelled) == 0 {
			continue // an empty fold; specs have no more folds than samples
		}
		known := train.At(labelled)
		q.X, q.Y, q.Query = known.X, known.Y, train.At(asked).X
		all = append(all, q)
	}
	return all
}

// dealt deals samples to folds and returns the fold of each. The sizes of folds differ by
// at most one sample, per class and in total. The order within a class is random. All
// settings of a cell and their restarts have the same folds. Samples of one group have one fold;
// nil: there are no groups.
func dealt(y []int, groups []string, folds int, seed uint64) []int {
	draw := rand.New(rand.NewPCG(seed, foldStream))
	if groups != nil {
		return datasets.DealGroups(groups, y, folds, draw)
	}
	foldOf := make([]int, len(y))
	next := 0
	for class := 1; class <= slices.Max(y); class++ {
		var rows []int
		for row, label := range y {
			if label == class {
				rows = append(rows, row)
			}
		}
		draw.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		for _, row := range rows {
			foldOf[row] = next
			next = (next + 1) % folds
		}
	}
	return foldOf
}

// partOf returns the labels of the samples of a phase from the labels of a joint problem.
func partOf(labels []int, split *datasets.Split, of method.Phase) []int {
	n := len(split.Validation.Y)
	if of == method.TestPhase {
		return labels[n:]
	}
	return labels[:n]
}

// classifyEach returns the labels of the query samples of p for each number of
// neighbors: those of the method, or those of the k-NN rule under its metric. It fails
// if the metric is not finite, and returns early with the error of ctx.
func classifyEach(ctx context.Context, p method.Problem, f r2lml.Fitted, ks []int, v r2lml.Voting) ([][]int, error) {
	if f.Labels != nil {
		return slices.Repeat([][]int{f.Labels}, len(ks)), nil
	}
	return r2lml.ClassifyContext(ctx, p.Problem, f.Metric, ks, v)
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
