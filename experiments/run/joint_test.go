package run_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// tinyJoint runs T-R2LML on mat:tiny with both parts unlabelled together and returns
// the job, its cell and the split. rest is added to the stanza.
func tinyJoint(t *testing.T, rest string) (plan.Job, results.Cell, *datasets.Split) {
	t.Helper()
	source, split := tinySource(t)
	text := tiny("  - method: t-r2lml\n    unlabeled: joint\n    params: {step: 1e-3, epochs: 2, iterations: 15}\n" + rest)
	jobs, cells := computed(t, text, &Runner{Source: source})
	return jobs[0], cells[0], split
}

// stacked are the samples of the validation part and below them those of the test
// part, row by row.
func stacked(split *datasets.Split) *mat.Dense {
	var all []float64
	for _, part := range []datasets.Samples{split.Validation, split.Test} {
		for i := range part.Y {
			all = append(all, part.X.RawRowView(i)...)
		}
	}
	_, features := split.Train.X.Dims()
	return mat.NewDense(len(all)/features, features, all)
}

// byHand labels the stacked samples with a setting.
func byHand(t *testing.T, split *datasets.Split, s method.Setting, seed uint64) []int {
	t.Helper()
	p := r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: stacked(split), Seed: seed}
	f := fixture.Must(s.(r2lml.Transductive).Fit(t.Context(), p))(t)
	return r2lml.Classify(p, f.Metric, 5)
}

// A joint cell is made of fits to the validation and the test samples together: the
// former decide, the labels of the latter are kept, and so are those of a surface.
func TestJointCell(t *testing.T) {
	job, cell, split := tinyJoint(t, "    restarts: 2\n    measure: surface\n    grid: {metrics: [1, 2], lambda: [0.1, 100]}\n")
	n := len(split.Validation.Y)
	best := 0
	for i, point := range cell.Points {
		labels := byHand(t, split, job.Column.Settings["mat:tiny"][i/2], 1<<16|uint64(point.Restart))
		if len(labels) != n+len(split.Test.Y) {
			t.Fatalf("%d labels", len(labels))
		}
		right := 0
		for k, want := range split.Validation.Y {
			if labels[k] == want {
				right++
			}
		}
		if cell.Validation.Correct[i] != right || cell.Validation.N != n {
			t.Errorf("point %d: %d of %d right on the validation samples, want %d of %d", i, cell.Validation.Correct[i], cell.Validation.N, right, n)
		}
		if right > cell.Validation.Correct[best] {
			best = i
		}
		count := results.CountTest(split.Test.Y, labels[n:])
		if diff := cmp.Diff(count, results.TestCount{ByClass: cell.Surface.ByClass[i], Largest: cell.Surface.Largest[i]}); diff != "" {
			t.Errorf("point %d on the test samples:\n%s", i, diff)
		}
		if i == cell.Chosen && !slices.Equal(cell.Predicted, labels[n:]) {
			t.Errorf("the predictions are not those of point %d", i)
		}
	}
	if cell.Chosen != best || !slices.Equal(cell.Truth, split.Test.Y) || cell.Unlabeled != results.UnlabeledJoint {
		t.Errorf("point %d of %+v, want the first best %d", cell.Chosen, cell.Validation, best)
	}
}

// The cell of a scaled column is that of a data set whose features were multiplied by
// hand, measures included; Euclidean does not see a power of two.
func TestScaledCells(t *testing.T) {
	cells := func(scale string, times float64) []results.Cell {
		text := `
name: tiny
datasets: ["mat:tiny"]
methods:
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
`
		source, split := tinySource(t)
		multiplied := *split
		for _, part := range []*datasets.Samples{&multiplied.Train, &multiplied.Validation, &multiplied.Test} {
			var x mat.Dense
			x.Apply(func(_, _ int, v float64) float64 { return v * times }, part.X)
			part.X = &x
		}
		source.Splits["mat:tiny authors"] = func() (*datasets.Split, error) { return &multiplied, nil }
		_, all := computed(t, text, &Runner{Source: source})
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
