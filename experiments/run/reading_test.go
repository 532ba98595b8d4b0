package run_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// gridded is a source whose mat:tiny has samples on a small grid, with many equal
// distances and tied votes among five classes.
func gridded(t *testing.T) (*plan.Source, *datasets.Split) {
	t.Helper()
	source, split := tinySource(t)
	r := rand.New(rand.NewPCG(1, 2))
	samples := func(perClass int) (s datasets.Samples) {
		s.X = mat.NewDense(5*perClass, 2, nil)
		for i := range 5 * perClass {
			s.X.SetRow(i, []float64{float64(r.IntN(4)), float64(r.IntN(4))})
			s.Y = append(s.Y, 1+i/perClass)
		}
		return s
	}
	own := *split
	own.Train, own.Validation, own.Test = samples(7), samples(8), samples(20)
	source.Splits["mat:tiny authors"] = func() (*datasets.Split, error) { return &own, nil }
	return source, &own
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

// TestJointFitsOnce: a joint cell with a surface makes one fit for each point of its grid,
// and no other.
func TestJointFitsOnce(t *testing.T) {
	source, _ := tinySource(t)
	s := spectest.Parse(t, "name: tiny\ndatasets: [\"mat:tiny\"]\nmethods:\n  - method: t-r2lml\n    unlabeled: joint\n    measure: surface\n"+
		"    params: {step: 1e-3, epochs: 2, iterations: 5}\n    grid: {metrics: [1, 2], lambda: [0.1, 100]}\n")
	fits := 0
	s.Columns[0].Method.Family = method.Typed[r2lml.Transductive]{Fit: func(p r2lml.Problem, settings []r2lml.Transductive) []r2lml.Task {
		fits += len(settings)
		return r2lml.FitTransductive(p, settings)
	}}
	points := 0
	jobs, _, err := compute(t, s, &Runner{Source: source, Workers: 1, Observe: func(e Event) {
		if e.Kind == PointDone || e.Kind == PointKnown {
			points++
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if fits != 4 || points != jobs[0].Fits() {
		t.Errorf("%d fits and %d points told, want 4 and %d", fits, points, jobs[0].Fits())
	}
}
