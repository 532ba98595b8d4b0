package run_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

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
		if k := got.Point().Params["k"]; k != c.want || !slices.Equal(got.Validation.Scores, c.scores) || !slices.Equal(got.Validation.Correct, []int{8, 9}) {
			t.Errorf("%q%q chose %v by %v and %v, want %d by %v", c.spec, c.stanza, k, got.Validation.Correct, got.Validation.Scores, c.want, c.scores)
		}
		if alone := jobs[1].Inputs; alone.Select != "" || (jobs[0].Inputs.Select != "") != (c.scores != nil) {
			t.Errorf("%q%q has the keys of %q and %q", c.spec, c.stanza, jobs[0].Inputs.Select, alone.Select)
		}
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
		"methods: [{method: euclidean, grid: {k: [2, 4]}}, {method: euclidean, name: plain, ties: smallest, distances: each}]\n"
	jobs, cells := computed(t, text, &Runner{Source: source, Workers: 1})
	if _, again := computed(t, text, &Runner{Source: source, Workers: 4}); len(cells) != 4 || !slices.EqualFunc(cells, again, sameAnswer) {
		t.Fatalf("%d cells, want 3 seeds and one without draws, the same on four workers", len(cells))
	}
	voting := r2lml.Voting{Ties: r2lml.RandomTie, Distances: r2lml.RepeatFirst}
	for i, c := range cells[:3] {
		if c.Ties != voting.Ties || c.Distances != voting.Distances || jobs[i].Inputs.Seed != uint64(i+1) {
			t.Errorf("inputs %+v", c.Inputs)
		}
		for point, k := range []int{2, 4} {
			p := r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: split.Validation.X, Seed: uint64(i+1) << 16}
			labels := r2lml.ClassifyEach(p, r2lml.NewGlobal(p, nil), []int{k}, voting)[0]
			if want := Correct(labels, split.Validation.Y); c.Validation.Correct[point] != want {
				t.Errorf("seed %d, k = %d: %d right on the validation samples, want %d", i+1, k, c.Validation.Correct[point], want)
			}
		}
		if i > 0 && slices.Equal(c.Predicted, cells[0].Predicted) {
			t.Errorf("seeds 1 and %d draw the same labels", i+1)
		}
	}
	if c := cells[3]; c.Ties != "" || c.Distances != "" {
		t.Errorf("defaults are in the key: %+v", c.Inputs)
	}
}

func sameAnswer(a, b results.Cell) bool {
	return slices.Equal(a.Predicted, b.Predicted) && reflect.DeepEqual(a.Validation, b.Validation) && a.Chosen == b.Chosen
}

// TestCrossValidation: under `on: cross-validation` a point has the right answers of all
// folds of the training samples, each labelled by the others; the validation samples have
// no say.
func TestCrossValidation(t *testing.T) {
	source, split := gridded(t)
	const text = "name: x\ndatasets: [\"mat:tiny\"]\n" +
		"methods: [{method: euclidean, grid: {k: [1, 3, 5]}, select: {on: cross-validation, folds: 4}}, " +
		"{method: itml, grid: {gamma: [0.01, 1], k: [1, 3]}, select: {on: cross-validation, metric: balanced-accuracy}}]\n"
	_, cells := computed(t, text, &Runner{Source: source})
	foldOf := Dealt(split.Train.Y, 4, 1)
	want := make([]int, 3)
	for fold := range 4 {
		var x, q []float64
		var y, truth []int
		for row, label := range split.Train.Y {
			if foldOf[row] == fold {
				q, truth = append(q, split.Train.X.RawRowView(row)...), append(truth, label)
			} else {
				x, y = append(x, split.Train.X.RawRowView(row)...), append(y, label)
			}
		}
		p := r2lml.Problem{X: mat.NewDense(len(y), 2, x), Y: y, Query: mat.NewDense(len(truth), 2, q)}
		for i, k := range []int{1, 3, 5} {
			want[i] += Correct(r2lml.Classify(p, r2lml.NewGlobal(p, nil), k), truth)
		}
	}
	v := cells[0].Validation
	if !slices.Equal(v.Correct, want) || v.N != len(split.Train.Y) || cells[0].Folds != 4 || cells[0].Chosen != slices.Index(want, slices.Max(want)) {
		t.Errorf("%v of %d, point %d, folds %d; want %v of %d", v.Correct, v.N, cells[0].Chosen, cells[0].Folds, want, len(split.Train.Y))
	}
	if c := cells[1]; c.Folds != 5 || len(c.Validation.Scores) != 4 || c.Validation.N != len(split.Train.Y) {
		t.Errorf("itml: %d folds, scores %v of %d", c.Folds, c.Validation.Scores, c.Validation.N)
	}
}

// TestFolds: every sample is in one fold; folds differ by one sample at most in each class
// and in all.
func TestFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, folds := rapid.IntRange(2, 60).Draw(t, "n"), rapid.IntRange(2, 7).Draw(t, "folds")
		y := rapid.SliceOfN(rapid.IntRange(1, 4), n, n).Draw(t, "y")
		foldOf := Dealt(y, folds, rapid.Uint64().Draw(t, "seed"))
		for class := range 5 { // 0 is all
			sizes := make([]int, folds)
			for row, label := range y {
				if class == 0 || label == class {
					sizes[foldOf[row]]++
				}
			}
			if slices.Max(sizes)-slices.Min(sizes) > 1 {
				t.Fatalf("class %d: folds of %v samples", class, sizes)
			}
		}
	})
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
		s := spectest.Parse(t, tiny(c.stanza+", measure: surface}\n"))
		fits, points := countFits(s), 0
		jobs, cells, err := compute(t, t.Context(), s, &Runner{Source: source, Observe: func(e Event) {
			if e.Kind == PointDone {
				points++
			}
		}})
		fixture.Check(t, err)
		job, cell := jobs[0], cells[0]
		if fits.Load() != int64(c.fits) || points != c.points || job.Fits() != c.points {
			t.Errorf("%s: %d fits, %d points told, %d by plan; want %d and %d", job.Column.ID, fits.Load(), points, job.Fits(), c.fits, c.points)
		}
		best := 0
		for i, point := range cell.Points {
			p := r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: &both, Seed: 1<<16 | uint64(point.Restart)}
			f := fixture.Must(job.Column.Settings["mat:tiny"][i/2].(r2lml.Method).Fit(t.Context(), p))(t)
			labels := r2lml.Classify(p, f.Metric, 5)
			right := Correct(labels[:n], split.Validation.Y)
			if cell.Validation.Correct[i] != right || cell.Validation.N != n {
				t.Errorf("point %d: %d of %d right on the validation samples, want %d of %d", i, cell.Validation.Correct[i], cell.Validation.N, right, n)
			}
			if right > cell.Validation.Correct[best] {
				best = i
			}
			count := results.CountTest(split.Test.Y, labels[n:])
			got := results.TestCount{ByClass: cell.Surface.ByClass[i], Largest: cell.Surface.Largest[i]}
			if diff := cmp.Diff(count, got); diff != "" || cell.Surface.Correct[i] != Correct(labels[n:], split.Test.Y) {
				t.Errorf("point %d on the test samples, %d right:\n%s", i, cell.Surface.Correct[i], diff)
			}
			if i == cell.Chosen && !slices.Equal(cell.Predicted, labels[n:]) {
				t.Errorf("the predictions are not those of point %d", i)
			}
		}
		if cell.Chosen != best || !slices.Equal(cell.Truth, split.Test.Y) || len(cell.Surface.Correct) != 8 {
			t.Errorf("point %d of %+v, want the first best %d", cell.Chosen, cell.Validation, best)
		}
		_, plain := computed(t, tiny(c.stanza+"}\n"), &Runner{Source: source})
		if !slices.Equal(plain[0].Predicted, cell.Predicted) || plain[0].Surface != nil || plain[0].Unlabeled != cell.Unlabeled {
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
			for i := range c.Points {
				delete(c.Points[i].Params, "feature-scale")
			}
		}
		return all
	}
	scaled, byHand, plain := cells("feature-scale: 64", 1), cells("", 64), cells("", 1)
	if diff := cmp.Diff(byHand, scaled); diff != "" {
		t.Errorf("scaled cells differ from those of features multiplied by hand:\n%s", diff)
	}
	if !slices.Equal(scaled[0].Predicted, plain[0].Predicted) {
		t.Error("Euclidean sees the scale")
	}
	if cmp.Equal(scaled[2].Series, plain[2].Series) || len(plain[2].Series) == 0 {
		t.Error("the objective does not see the scale")
	}
}
