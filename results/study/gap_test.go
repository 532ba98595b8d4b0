package study

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

func init() { keys["gap"] = []string{trainingFact} }

// Five samples on a line, at 0, 1 and 5.4 of class 1, at 10 and 11 of class 2.
// Their nearest other samples are 1, 0, 1, 11 and 10: all right. Of the three
// nearest ones of 10 and of 11 two are of class 1: three are right. More than four
// others there are not: of all four, 10 and 11 have three of class 1, and the
// others two of each, a tie that goes to class 1.
func TestTrainingAccuracy(t *testing.T) {
	p := r2lml.Problem{X: mat.NewDense(5, 1, []float64{0, 1, 10, 11, 5.4}), Y: []int{1, 1, 2, 2, 1}, Query: mat.NewDense(1, 1, nil)}
	fit := Fit{Problem: p, Fitted: r2lml.Fitted{Metric: r2lml.NewGlobal(p, nil)}}
	for k, want := range map[int]int{1: 5, 3: 3, 4: 3, 50: 3} {
		fit.Neighbors = k
		m, err := Take(t.Context(), []string{"training-accuracy"}, fit)
		if err != nil || !slices.Equal(m.Facts, []results.Fact{{Name: trainingFact, Count: want, Of: 5}}) {
			t.Errorf("k = %d: %+v, %v, want %d", k, m.Facts, err, want)
		}
	}
	// Under a map that is 0 all are equally near, and the first other one votes: a
	// sample of class 1.
	fit.Neighbors = 1
	fit.Fitted.Metric = r2lml.NewGlobal(p, mat.NewDense(1, 1, nil))
	if m, err := Take(t.Context(), []string{"training-accuracy"}, fit); err != nil || m.Facts[0].Count != 3 {
		t.Errorf("no distance: %+v, %v", m.Facts, err)
	}
	p.X, p.Y = mat.NewDense(1, 1, nil), []int{1}
	fit.Problem, fit.Fitted.Metric = p, r2lml.NewGlobal(p, nil)
	if m, err := Take(t.Context(), []string{"training-accuracy"}, fit); err == nil {
		t.Errorf("a single sample: %+v", m)
	}
}

// gapTable has two columns on seven data sets: the first is better on the training
// samples of all, the second of four.
func gapTable() table.Table {
	t := table.Table{Spec: "gap", Columns: []table.Column{studytest.Swept("over"), studytest.Swept("even")}}
	for i := range 7 {
		cell := func(correct, training int) table.Cell {
			c := got(correct, 200, results.Fact{Name: trainingFact, Count: training, Of: 80})
			c.Validation = &table.Tally{Correct: 30, Of: 40}
			return c
		}
		r := table.Row{Dataset: strconv.Itoa(i), Name: "Set " + strconv.Itoa(i), N: 200}
		r.Cells = []table.Cell{cell(100, 41+i), cell(100, []int{39, 41}[i%2])}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// Seven of seven have p = 2/128 by the sign test, 4/128 after Holm's correction.
func TestGapClaims(t *testing.T) {
	made := gapTable()
	g, err := ReadGap(made)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, "gap", g)
	expect(t, g.Claims(), "training-above-test-over: holds, 7 of 7, p 0.0312", "training-above-test-even: cannot be told, 3 of 7, p 1")
	l := g.Listings()[0]
	if want := []string{"Set 1", "over", "52.50", "75.00", "50.00", "+2.50"}; !slices.Equal(l.Rows[2], want) {
		t.Errorf("%q, want %q", l.Rows[2], want)
	}
	for i := range made.Rows {
		made.Rows[i].Cells[0] = got(199, 200, results.Fact{Name: trainingFact, Count: 41, Of: 80})
	}
	made.Rows[6].Cells[1] = missing()
	if g, err = ReadGap(made); err != nil {
		t.Fatal(err)
	}
	expect(t, g.Claims(), "training-above-test-over: does not hold, 0 of 7, p 0.0312", "training-above-test-even: cannot be told, 3 of 6, p 1, 1 missing")
}

// What a cell lacks leaves a gap in the line.
func TestGapMissing(t *testing.T) {
	made := gapTable()
	made.Rows[0].Cells = []table.Cell{missing(), got(100, 200)}
	made.Rows[1].Cells = nil
	g, err := ReadGap(made)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, "gap", g)
	for i, want := range [][]string{
		{"Set 0", "over", "-", "-", "-", "-"}, {"Set 0", "even", "-", "-", "50.00", "-"}, {"Set 1", "over", "-", "-", "-", "-"},
	} {
		if got := g.Listings()[0].Rows[i]; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if a := g.Above()[0]; a.Missing != 2 || a.Of != 5 || math.IsNaN(a.P) {
		t.Errorf("%+v", a)
	}
	empty, err := ReadGap(table.Table{Columns: made.Columns})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, empty.Claims(), "training-above-test-over: cannot be told, 0 of 0")
}
