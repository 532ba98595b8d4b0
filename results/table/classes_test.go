package table_test

import (
	"bytes"
	"encoding/csv"
	"slices"
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

// The column of the most frequent class stands behind the methods in every format,
// has no cell and no rank, and is in no test.
func TestMajorityColumn(t *testing.T) {
	made := classTable()
	if len(made.Columns) != 2 || len(made.Rows[0].Cells) != 2 || len(made.Rows[0].Pairs) != 1 || made.Rows[0].Pairs[0].Family != 1 {
		t.Errorf("%d columns, %d cells, pairs %+v", len(made.Columns), len(made.Rows[0].Cells), made.Rows[0].Pairs)
	}
	var document bytes.Buffer
	if err := made.Render(&document, "latex", Options{Notes: true}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"text": {string(render(t, made, "text", Options{Notes: true})), []string{
			"Method B  Majority\n", "66.67¹    66.67¹†   66.67\n", "-         -         -\n", "100.00    -         100.00\n",
		}},
		"markdown": {string(render(t, made, "markdown", Options{})), []string{
			"Method B | Majority |\n", "**66.67**¹† | 66.67 |\n", "| - | - | - |\n", "| 100.00 | - | 100.00 |\n",
		}},
		"latex": {string(render(t, made, "latex", Options{})), []string{"l*{3}{c}", "Method B & Majority \\\\",
			"^{\\mathrm{1st}}$$\\dagger$ & 66.67 \\\\", "$100.00$ & - & 100.00 \\\\"}},
		"document": {document.String(), []string{"l*{3}{c}", "Method B & Majority \\\\", "^{\\mathrm{1st}}$$\\dagger$ & 66.67 \\\\"}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.text, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, c.text)
			}
		}
	}
	lines, err := csv.NewReader(bytes.NewReader(render(t, made, "csv", Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(lines[0], "balanced_accuracy")
	for i, want := range [][]string{
		1: {"83.33", "66.67", "false", "7", "66.67", "-1", "16.67"}, 2: {"33.33", "26.67", "true", "7", "66.67", "-1", "16.67"}, 3: make([]string, 7),
	} {
		if i > 0 && !slices.Equal(lines[i][at:], want) {
			t.Errorf("line %d: %q, want %q", i, lines[i][at:], want)
		}
	}
	none := New(tabletest.AccuracySpec(tabletest.ColumnA), []RowInput{{Dataset: "none"}})
	for _, format := range formats {
		if text := string(render(t, none, format, Options{})); strings.Contains(text, "Majority") {
			t.Errorf("%s has a column of nothing:\n%s", format, text)
		}
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
