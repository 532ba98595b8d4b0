package run_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
)

// skewed has a class of which one in ten validation samples is: with 9 neighbors none
// is given it, with 1 that one is and two others by mistake.
func skewed(t *testing.T) *plan.Source {
	t.Helper()
	source, split := tinySource(t)
	column := func(values ...float64) *mat.Dense { return mat.NewDense(len(values), 1, values) }
	own := *split
	own.Train = datasets.Samples{X: column(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 101), Y: []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2}}
	own.Validation = datasets.Samples{X: column(0, 1, 2, 3, 4, 5, 6, 100.4, 100.4, 100), Y: []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}}
	own.Test = own.Validation
	source.Splits["mat:tiny authors"] = func() (*datasets.Split, error) { return &own, nil }
	return source
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
