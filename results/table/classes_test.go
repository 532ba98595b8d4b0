package table_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
	. "r2lmlbench/results/table"
	"r2lmlbench/results/table/tabletest"
)

// labelled is a cell of six test samples, four of class 7 and one each of -1 and 8,
// with these predictions.
func labelled(method string, predicted ...int) CellInput {
	c := resultstest.NewCell("toy", method, 6, 6, 1)
	c.Truth, c.Predicted = []int{7, 7, 8, 7, -1, 7}, predicted
	return tabletest.InputOf(c)
}

// classTable has a row whose second method names one class six times, one without
// a result, and one whose test samples are of one class.
func classTable() Table {
	one := resultstest.NewCell("one", "euclidean", 3, 3, 1)
	one.Truth, one.Predicted = []int{4, 4, 4}, []int{4, 4, 4}
	return New(tabletest.AccuracySpec(tabletest.ColumnA, tabletest.ColumnB), []RowInput{
		{Dataset: "toy", Name: "Toy", Split: "authors", Cells: []CellInput{labelled("euclidean", 7, 7, 8, 8, -1, -1), labelled("itml", 7, 7, 7, 7, 7, 7)}},
		{Dataset: "none", Name: "None", Split: "authors", N: 5},
		{Dataset: "one", Name: "One", Split: "authors", Cells: []CellInput{tabletest.InputOf(one)}},
	})
}

func TestClasses(t *testing.T) {
	rows := classTable().Rows
	want := &Classes{
		Counts:    []results.ClassCount{{Label: -1, Count: 1}, {Label: 7, Count: 4}, {Label: 8, Count: 1}},
		Majority:  Constant{Label: 7, Count: 4, Accuracy: "66.67"},
		TieWinner: Constant{Label: -1, Count: 1, Accuracy: "16.67"},
	}
	if diff := cmp.Diff(want, rows[0].Classes); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
	if rows[1].Classes != nil {
		t.Errorf("classes %+v of a row without a result", rows[1].Classes)
	}
	// A has 2 of 4, 1 of 1 and 1 of 1 right; F1 is 4/6, 2/3 and 2/3.
	if c := rows[0].Cells[0]; c.Accuracy != "66.67" || c.Balanced != "83.33" || c.MacroF1 != "66.67" || c.Constant {
		t.Errorf("%+v", c.Score)
	}
	// B has all of one class and none of two others; F1 is 8/10, 0 and 0.
	if c := rows[0].Cells[1]; c.Accuracy != "66.67" || c.Balanced != "33.33" || c.MacroF1 != "26.67" || !c.Constant {
		t.Errorf("%+v", c.Score)
	}
	if rows[2].Cells[0].Constant {
		t.Error("one label for test samples of one class is flagged")
	}
	equal := New(tabletest.AccuracySpec(tabletest.ColumnA), []RowInput{{Cells: []CellInput{tabletest.InputOf(resultstest.BitCell("a", "111111"))}}})
	if m := equal.Rows[0].Classes.Majority; m.Label != 1 || m.Count != 2 {
		t.Errorf("of three classes of equal size %+v", m)
	}
}

func TestClassNotes(t *testing.T) {
	notes := strings.Join(classTable().Notes(), "\n")
	for _, want := range []string{
		"Majority: the accuracy of always predicting the most frequent class of the test samples. It is not ranked. " +
			"No method is more accurate on: toy, one. Tied votes go to another class, whose share of the test samples is: toy 16.67.\n",
		"† One label for all test samples: Method B (toy: 6 times).",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	above := New(tabletest.AccuracySpec(tabletest.ColumnA), []RowInput{{Cells: []CellInput{tabletest.InputOf(resultstest.BitCell("a", "111110"))}}})
	if notes := strings.Join(above.Notes(), "\n"); strings.Contains(notes, "above") || strings.Contains(notes, "wins ties") ||
		strings.Contains(notes, "One label") {
		t.Errorf("notes without a reason:\n%s", notes)
	}
}
