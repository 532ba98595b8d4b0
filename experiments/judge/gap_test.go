package judge_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// On the four samples of toy the nearest other sample is of the other class, and
// of the three others two are: no training sample is right with k = 1 or 3. They
// are the test samples, too, each of which is its own nearest neighbor: with
// k = 1 all of them are right. With k = 3 a test sample has itself and the two of
// the other class: none is.
func TestGapOfToy(t *testing.T) {
	for k, test := range map[int]int{1: 4, 3: 0} {
		p, cells := runSpec(t, spectest.Parse(t, fmt.Sprintf(`
name: gap
datasets: [toy]
neighbors: %d
measure: training-accuracy
methods: [{method: euclidean}]
`, k)))
		made, err := Table(p, cells)
		if err != nil {
			t.Fatal(err)
		}
		gap, err := study.ReadGap(made)
		if err != nil {
			t.Fatal(err)
		}
		fit := gap.Sets[0].Fits[0]
		if *fit.Training != (table.Tally{Correct: 0, Of: 4}) || *fit.Test != (table.Tally{Correct: test, Of: 4}) || fit.Validation != nil {
			t.Errorf("k = %d: %+v, %+v, %+v", k, fit.Training, fit.Test, fit.Validation)
		}
	}
}

// The table of the spec has what the study reads.
func TestGapInReport(t *testing.T) {
	gap, err := spec.Load("gap")
	if err != nil {
		t.Fatal(err)
	}
	if err := gap.Narrow([]string{"overlap30", "overlap60"}, []string{"euclidean", "rca"}); err != nil {
		t.Fatal(err)
	}
	p, cells := runSpec(t, gap)
	in := reportOf(t, p, cells)
	read, err := study.ReadGap(in.Table)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range p.Rows {
		split, err := plan.NewSource(t.TempDir()).Split(row.Entry, row.Rule)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := *read.Sets[i].Fits[0].Training, (table.Tally{Correct: leaveOneOut(split.Train, 5), Of: 80}); got != want {
			t.Errorf("%s: %+v, want %+v", row.Entry.ID, got, want)
		}
	}
}

// leaveOneOut counts the samples whose label has most of the k nearest others, of
// two classes.
func leaveOneOut(s datasets.Samples, k int) int {
	right := 0
	for m, label := range s.Y {
		var others []int
		for n := range s.Y {
			if n != m {
				others = append(others, n)
			}
		}
		slices.SortStableFunc(others, func(a, b int) int {
			return cmp.Compare(floats.Distance(s.X.RawRowView(m), s.X.RawRowView(a), 2), floats.Distance(s.X.RawRowView(m), s.X.RawRowView(b), 2))
		})
		votes := 0
		for _, n := range others[:k] {
			if s.Y[n] == label {
				votes++
			}
		}
		if 2*votes > k {
			right++
		}
	}
	return right
}
