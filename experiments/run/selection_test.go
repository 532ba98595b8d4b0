package run_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// right is how many labels are true.
func right(labels, truth []int) int { return results.Cell{Truth: truth, Predicted: labels}.Correct() }

// skewed has a class of which one in ten validation samples is: with 9 neighbors none
// is given it, with 1 that one is and two others by mistake.
func skewed(t *testing.T) *plan.Source {
	column := func(values ...float64) *mat.Dense { return mat.NewDense(len(values), 1, values) }
	train := datasets.Samples{X: column(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 101), Y: []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2}}
	asked := datasets.Samples{X: column(0, 1, 2, 3, 4, 5, 6, 100.4, 100.4, 100), Y: []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}}
	return sourceOf(t, &datasets.Split{Train: train, Validation: asked, Test: asked, Digest: "skewed"})
}

// TestSelect: the metric of a spec or of a stanza chooses the setting, and is part of
// the key where there is a choice.
//
// Right are 8 of 10 with 1 neighbor and 9 with 9. scikit-learn 1.2.1 gives
// balanced_accuracy_score 0.888888888888889 and 0.5, f1_score(average="macro") 0.6875 and
// 0.473684210526316, cohen_kappa_score 0.411764705882353 and 0.
func TestSelect(t *testing.T) {
	for _, c := range []struct {
		spec, stanza string
		want         int
		scores       []string
	}{
		{"", "", 9, nil},
		{"select: accuracy\n", "", 9, nil},
		{"select: balanced-accuracy\n", "", 1, []string{"8/9", "1/2"}},
		{"select: balanced-accuracy\n", ", select: accuracy", 9, nil},
		{"", ", select: macro-f1", 1, []string{"11/16", "9/19"}},
		{"", ", select: kappa", 1, []string{"7/17", "0/1"}},
	} {
		text := "name: x\ndatasets: [\"mat:tiny\"]\n" + c.spec + "methods: [{method: euclidean, grid: {k: [1, 9]}" + c.stanza + "}, {method: euclidean, name: one}]\n"
		jobs, cells := computed(t, text, &Runner{Source: skewed(t), Workers: 1})
		got := cells[0]
		fixture.Equal[any](t, c.spec+c.stanza+": chosen k", got.Setting().Params["k"], c.want)
		fixture.EqualSlice(t, c.spec+c.stanza+": scores", got.Validation.Scores, c.scores)
		fixture.EqualSlice(t, c.spec+c.stanza+": right", got.Validation.Correct, []int{8, 9})
		fixture.Equal(t, c.spec+c.stanza+": in the key", jobs[0].Inputs.Select != "", c.scores != nil)
		fixture.Equal(t, c.spec+": in the key of one point", jobs[1].Inputs.Select, "")
	}
}

// gridded is a source whose mat:tiny has samples on a small grid, with many equal
// distances and tied votes among five classes.
func gridded(t *testing.T) (*plan.Source, *datasets.Split) {
	r := rand.New(rand.NewPCG(1, 2))
	samples := func(perClass int) (s datasets.Samples) {
		s.X = mat.NewDense(5*perClass, 2, nil)
		for i := range 5 * perClass {
			s.X.SetRow(i, []float64{float64(r.IntN(4)), float64(r.IntN(4))})
			s.Y = append(s.Y, 1+i/perClass)
		}
		return s
	}
	split := &datasets.Split{Train: samples(7), Validation: samples(8), Test: samples(20), Digest: "gridded"}
	return sourceOf(t, split), split
}

// TestDrawnTiesInCells: Euclidean has seeds under ties: random, whose cells differ; ties
// and distances apply to the validation samples, too; cells do not depend on workers.
func TestDrawnTiesInCells(t *testing.T) {
	source, split := gridded(t)
	const text = "name: x\ndatasets: [\"mat:tiny\"]\nties: random\ndistances: repeat-first\nseeds: 3\n" +
		"methods: [{method: euclidean, grid: {k: [2, 4]}, measure: votes}, {method: euclidean, name: plain, ties: smallest, distances: each}]\n"
	jobs, cells := computed(t, text, &Runner{Source: source, Workers: 1})
	_, again := computed(t, text, &Runner{Source: source, Workers: 4})
	fixture.Same(t, "on four workers", again, cells)
	fixture.Equal(t, "cells", len(cells), 3+1)
	voting := r2lml.Voting{Ties: r2lml.RandomTie, Distances: r2lml.RepeatFirst}
	for i, c := range cells[:3] {
		if c.Ties != voting.Ties || c.Distances != voting.Distances || jobs[i].Inputs.Seed != uint64(i+1) {
			t.Errorf("inputs %+v", c.Inputs)
		}
		for point, k := range []int{2, 4} {
			p := r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: split.Validation.X, Seed: uint64(i+1) << 16}
			labels := r2lml.ClassifyEach(p, r2lml.NewGlobal(p, nil), []int{k}, voting)[0]
			fixture.Equal(t, fmt.Sprintf("seed %d, k = %d: right", i+1, k), c.Validation.Correct[point], right(labels, split.Validation.Y))
		}
		// A measure of the votes counts them by the same rule.
		p := r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: split.Test.X}
		won := func(v r2lml.Voting) (n int) {
			for j, labels := range r2lml.Tied(p, r2lml.NewGlobal(p, nil), jobs[i].Neighbors(c.Chosen), v) {
				if slices.Equal(labels, c.Truth[j:j+1]) {
					n++
				}
			}
			return n
		}
		votes := fixture.Must(measure.ReadVotes(c.Counts, jobs[i].Neighbors(c.Chosen)))(t)
		if votes.Won != won(voting) || votes.Won == won(r2lml.Voting{}) {
			t.Errorf("seed %d: %d votes won, want %d, and not the %d of another rule", i+1, votes.Won, won(voting), won(r2lml.Voting{}))
		}
		if i > 0 && slices.Equal(c.Predicted, cells[0].Predicted) {
			t.Errorf("seeds 1 and %d draw the same labels", i+1)
		}
	}
	fixture.Equal(t, "defaults in the key", cells[3].Ties+cells[3].Distances, "")
}

// A watched family keeps the problems that its settings are scored on.
type watched struct {
	method.Family
	asked *[]method.Problem
}

func (w watched) Tasks(p method.Problem, settings []any) []r2lml.Task {
	if p.Phase != method.TestPhase {
		*w.asked = append(*w.asked, p)
	}
	return w.Family.Tasks(p, settings)
}

// TestCrossValidation: every training sample is in one fold, whose samples are labelled by
// all others; folds differ by one sample at most in each class and in all. A point has the
// right answers of all folds, and the validation samples have no say.
func TestCrossValidation(t *testing.T) {
	text := "  - {method: itml, grid: {gamma: [0.01, 1], k: [1, 3]}, select: {on: cross-validation, metric: balanced-accuracy}}\n"
	for folds := 2; folds <= 7; folds++ {
		text += fmt.Sprintf("  - {method: euclidean, name: of-%d, grid: {k: [1, 3]}, select: {on: cross-validation, folds: %[1]d}}\n", folds)
	}
	draw := rand.New(rand.NewPCG(8, 9))
	for range 5 {
		s := testkit.Parse(t, tiny(text))
		asked := make([][]method.Problem, len(s.Columns))
		for i := range s.Columns {
			s.Columns[i].Method.Family = watched{s.Columns[i].Method.Family, &asked[i]}
		}
		all, y := make([]float64, 10+draw.IntN(50)), []int{}
		for i := range all { // the feature of a sample is its place
			all[i], y = float64(i), append(y, 1+draw.IntN(4))
		}
		other := datasets.Samples{X: mat.NewDense(1, 1, nil), Y: y[:1]}
		split := &datasets.Split{Train: datasets.Samples{X: mat.NewDense(len(y), 1, all), Y: y}, Validation: other, Test: other, Digest: "drawn"}
		_, cells, err := compute(t, t.Context(), s, &Runner{Source: sourceOf(t, split)})
		fixture.Check(t, err)
		fixture.EqualSlice(t, "folds, scores and samples", []int{cells[0].Folds, len(cells[0].Validation.Scores), cells[0].Validation.N}, []int{5, 4, len(y)})
		for i, c := range cells[1:] {
			fixture.EqualSlice(t, "folds, samples", []int{c.Folds, c.Validation.N}, []int{2 + i, len(y)})
			if len(asked[1+i]) != 2+i {
				t.Fatalf("%d problems of %d folds", len(asked[1+i]), 2+i)
			}
			checkFolds(t, c, asked[1+i], all, y)
		}
	}
}

// checkFolds holds the problems that k = 1 and 3 are chosen on, and the choice, against the
// samples, which have their places as their feature.
func checkFolds(t *testing.T, c results.Cell, folds []method.Problem, all []float64, y []int) {
	t.Helper()
	labelsOf := func(places []float64) (labels []int) {
		for _, at := range places {
			labels = append(labels, y[int(at)])
		}
		return labels
	}
	var tested []float64
	var sizes [5][7]int // of the folds, by class; 0 is all
	want := make([]int, 2)
	for fold, p := range folds {
		known, asked := mat.Col(nil, 0, p.X), mat.Col(nil, 0, p.Query)
		fixture.EqualSlice(t, "samples of a fold and others", slices.Sorted(slices.Values(slices.Concat(known, asked))), all)
		fixture.EqualSlice(t, "labels of others", p.Y, labelsOf(known))
		tested = append(tested, asked...)
		truth := labelsOf(asked)
		for _, label := range truth {
			sizes[0][fold]++
			sizes[label][fold]++
		}
		for i, k := range []int{1, 3} {
			want[i] += right(r2lml.Classify(p.Problem, r2lml.NewGlobal(p.Problem, nil), k), truth)
		}
	}
	slices.Sort(tested)
	fixture.EqualSlice(t, "samples of all folds", tested, all)
	for class, of := range sizes {
		if of := of[:len(folds)]; slices.Max(of)-slices.Min(of) > 1 {
			t.Errorf("class %d: folds of %v samples", class, of)
		}
	}
	fixture.EqualSlice(t, "right", c.Validation.Correct, want)
	fixture.Equal(t, "chosen point", c.Chosen, slices.Index(want, slices.Max(want)))
}

// A cell with a surface has at every point what a fit of that point alone to the validation
// and the test samples together gives: how many of the former are right, which decides, and
// what becomes of the latter. It is made of one fit for each point if a method has the
// unlabelled samples of both together, and else of fits of its own for the test samples.
func TestSurfaceIsThatOfSinglePoints(t *testing.T) {
	source, split := tinySource(t)
	n := len(split.Validation.Y)
	var both mat.Dense
	both.Stack(split.Validation.X, split.Test.X)
	for _, c := range []struct {
		stanza       string
		fits, points int // made, and told to the observer, who hears of the chosen one with the cell
	}{
		{"  - {method: t-r2lml, unlabeled: joint, params: {step: 1e-3, epochs: 2, iterations: 15}", 8, 8},
		{"  - {method: e-r2lml, params: {step: 1e-3, epochs: 2, iterations: 15}", 8 + 1 + 7, 8 + 7},
	} {
		c.stanza += ", restarts: 2, grid: {metrics: [1, 2], lambda: [0.1, 100]}"
		s := testkit.Parse(t, tiny(c.stanza+", measure: surface}\n"))
		fits, points := countFits(s), 0
		jobs, cells, err := compute(t, t.Context(), s, &Runner{Source: source, Observe: func(e Event) {
			if e.Kind == SettingDone {
				points++
			}
		}})
		fixture.Check(t, err)
		job, cell := jobs[0], cells[0]
		if fits.Load() != int64(c.fits) || points != c.points || job.Fits() != c.points {
			t.Errorf("%s: %d fits, %d points told, %d by plan; want %d and %d", job.Column.ID, fits.Load(), points, job.Fits(), c.fits, c.points)
		}
		best := 0
		for i, point := range cell.Settings {
			p := r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: &both, Seed: 1<<16 | uint64(point.Restart)}
			f := fixture.Must(job.Column.Settings["mat:tiny"][i/2].Of.(r2lml.Method).Fit(t.Context(), p))(t)
			labels := r2lml.Classify(p, f.Metric, 5)
			valid := right(labels[:n], split.Validation.Y)
			fixture.Equal(t, fmt.Sprint("right validation samples at ", point), cell.Validation.Correct[i], valid)
			if valid > cell.Validation.Correct[best] {
				best = i
			}
			got := results.TestCount{ByClass: cell.GridScores.ByClass[i], Largest: cell.GridScores.Largest[i]}
			fixture.Same(t, fmt.Sprint("test samples at ", point), got, results.CountTest(split.Test.Y, labels[n:]))
			fixture.Equal(t, fmt.Sprint("right test samples at ", point), cell.GridScores.Correct[i], right(labels[n:], split.Test.Y))
			if i == cell.Chosen {
				fixture.EqualSlice(t, "predictions", cell.Predicted, labels[n:])
			}
		}
		fixture.EqualSlice(t, "validation samples, points, the first best", []int{cell.Validation.N, len(cell.GridScores.Correct), cell.Chosen}, []int{n, 8, best})
		fixture.EqualSlice(t, "truth", cell.Truth, split.Test.Y)
		_, plain := computed(t, tiny(c.stanza+"}\n"), &Runner{Source: source})
		if !slices.Equal(plain[0].Predicted, cell.Predicted) || plain[0].GridScores != nil || plain[0].Unlabeled != cell.Unlabeled {
			t.Errorf("%s: the measure changes the predictions", job.Column.ID)
		}
	}
}

// The cell of a scaled column is that of a data set whose features were multiplied by
// hand, measures included; Euclidean does not see a power of two.
func TestScaledCells(t *testing.T) {
	cells := func(scale string, times float64) []results.Cell {
		text := tiny(`
  - {method: euclidean, params: {` + scale + `}}
  - {method: itml, params: {` + scale + `}, grid: {gamma: [0.1, 10]}}
  - method: e-r2lml
    measure: [surface, convergence, triangle]
    params: {step: 1e-6, epochs: 2, iterations: 10, ` + scale + `}
    grid: {metrics: [1, 2]}
  - method: e-r2lml
    name: coordinates
    measure: [coordinates, zero-columns]
    params: {step: 1e-6, epochs: 2, iterations: 10, metrics: 2, ` + scale + `}
`)
		_, split := tinySource(t)
		multiplied := *split
		for _, part := range []*datasets.Samples{&multiplied.Train, &multiplied.Validation, &multiplied.Test} {
			var x mat.Dense
			x.Apply(func(_, _ int, v float64) float64 { return v * times }, part.X)
			part.X = &x
		}
		_, all := computed(t, text, &Runner{Source: sourceOf(t, &multiplied)})
		for _, c := range all {
			for i := range c.Settings {
				delete(c.Settings[i].Params, "feature-scale")
			}
		}
		return all
	}
	scaled, byHand, plain := cells("feature-scale: 64", 1), cells("", 64), cells("", 1)
	fixture.Same(t, "scaled cells beside those of features multiplied by hand", scaled, byHand)
	fixture.EqualSlice(t, "scaled predictions of Euclidean", scaled[0].Predicted, plain[0].Predicted)
	if cmp.Equal(scaled[2].Series, plain[2].Series) || len(plain[2].Series) == 0 {
		t.Error("the objective does not see the scale")
	}
}
