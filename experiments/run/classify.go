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
		p.Query, p.Validation = split.Test.X, datasets.Samples{}
		if !split.Validation.X.IsEmpty() {
			var both mat.Dense
			both.Stack(split.Validation.X, split.Test.X)
			p.Query = &both
		}
	}
	return p
}

// foldStream sets the draws of folds apart from all other draws of a seed.
const foldStream = 0x666f_6c64_0000_0000 // "fold"

// A question is a problem of a phase with the labels that its query samples have.
type question struct {
	method.Problem
	truth []int
}

// questions are the problems that score the settings of a job in a phase: one, or under
// cross-validation one for each fold of the training samples.
func questions(j plan.Job, split *datasets.Split, of method.Phase, restart int) []question {
	p := ProblemOf(j, split, of, restart)
	switch {
	case of == method.TestPhase:
		return []question{{p, split.Test.Y}}
	case j.Inputs.Folds == 0:
		return []question{{p, split.Validation.Y}}
	}
	var all []question
	train := split.Train
	foldOf := dealt(train.Y, j.Inputs.Folds, j.Inputs.Seed)
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
			continue // more folds than samples, which specs cannot have
		}
		known := train.At(labelled)
		q.X, q.Y, q.Query = known.X, known.Y, train.At(asked).X
		all = append(all, q)
	}
	return all
}

// dealt deals samples to folds, which differ by one sample at most in every class and in
// all, and returns the fold of each. The order within a class is drawn. All settings of a
// cell and all their restarts have the same folds.
func dealt(y []int, folds int, seed uint64) []int {
	draw := rand.New(rand.NewPCG(seed, foldStream))
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

// partOf are the labels of a phase's samples among those of both parts of a joint problem.
func partOf(labels []int, split *datasets.Split, of method.Phase) []int {
	n := len(split.Validation.Y)
	if of == method.TestPhase {
		return labels[n:]
	}
	return labels[:n]
}

// classifyEach returns the labels of the query samples of p, for each number of
// neighbors: those the method gave or else those of the k-NN rule under its metric,
// which must be finite. It returns early with the error of ctx.
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
