package table_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	. "r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	. "r2lmlbench/results/table"
)

// metricTable has a method on eight samples of class 1 and two of class 2, and a
// column without a result.
//
// scikit-learn 1.2.1: balanced_accuracy_score 0.6875, f1_score(average="macro") 0.6875,
// cohen_kappa_score 0.375; of the label 1 every time 0.5, 0.4444 and 0.
func metricTable(metrics ...string) Table {
	spec := AccuracySpec(ColumnA, ColumnB)
	spec.Metrics = metrics
	cell := fixture.BitCell("a", "1111111111")
	cell.Truth = []int{1, 1, 1, 1, 1, 1, 1, 1, 2, 2}
	cell.Predicted = []int{1, 1, 1, 1, 1, 1, 1, 2, 1, 2}
	return New(spec, []RowInput{{Dataset: "toy", Name: "Toy", Cells: []CellInput{InputOf(cell)}}})
}

func TestMetricListings(t *testing.T) {
	listings := metricTable(results.Kappa, results.Accuracy, results.BalancedAccuracy, results.MacroF1).MetricListings()
	var got []string // accuracy is that of the ranks
	for _, l := range listings {
		got = append(got, l.Title+": "+fmt.Sprint(l.Rows))
		fixture.Has(t, l.Title, strings.Join(l.Notes, " "), "accuracy alone")
	}
	fixture.EqualSlice(t, "tables", got, []string{
		"Cohen's kappa: [[Toy 10 0.3750 - 0.0000]]", "Balanced accuracy in percent: [[Toy 10 68.75 - 50.00]]", "Macro-F1 in percent: [[Toy 10 68.75 - 44.44]]",
	})
	spec := AccuracySpec(ColumnA, ColumnB)
	spec.Metrics = []string{results.Kappa}
	row := RowInput{Dataset: "toy", Cells: []CellInput{InputOf(fixture.NewCell("toy", "a", 5, 10, 1)), {Status: StatusFailed, Reason: "it diverged"}}}
	fixture.Has(t, "a cell that failed", fmt.Sprint(New(spec, []RowInput{row}).MetricListings()[0].Rows), "failed")
	fixture.Equal(t, "tables of accuracy alone", len(metricTable(results.Accuracy).MetricListings()), 0)
}

// Every format has the numbers of all metrics, and without `metrics` it is as before.
func TestMetricFormats(t *testing.T) {
	table, plain := metricTable(results.BalancedAccuracy, results.Kappa), metricTable()
	for _, format := range formats {
		got, before := string(render(t, table, format, document.Style{})), string(render(t, plain, format, document.Style{}))
		fixture.Has(t, format, got, "68.75", "0.3750", "50.00", "0.0000")
		fixture.Lacks(t, format+" without metrics", strings.ToLower(before), "kappa")
	}
	lines := fixture.Must(csv.NewReader(bytes.NewReader(render(t, table, "csv", document.Style{}))).ReadAll())(t)
	for name, want := range map[string]string{"balanced_accuracy": "68.75", "kappa": "0.3750", "majority_kappa": "0.0000", "majority_balanced_accuracy": "50.00"} {
		fixture.Equal(t, name, lines[1][slices.Index(lines[0], name)], want)
	}
}

// labelled is a cell of six test samples, four of class 7 and one each of -1 and 8,
// with these predictions.
func labelled(method string, predicted ...int) CellInput {
	c := fixture.NewCell("toy", method, 6, 6, 1)
	c.Truth, c.Predicted = []int{7, 7, 8, 7, -1, 7}, predicted
	return InputOf(c)
}

// classTable has a row whose second method names one class six times, one without
// a result, and one whose test samples are of one class.
func classTable() Table {
	one := fixture.NewCell("one", "euclidean", 3, 3, 1)
	one.Truth, one.Predicted = []int{4, 4, 4}, []int{4, 4, 4}
	return New(AccuracySpec(ColumnA, ColumnB), []RowInput{
		{Dataset: "toy", Name: "Toy", Split: "authors", Cells: []CellInput{labelled("euclidean", 7, 7, 8, 8, -1, -1), labelled("itml", 7, 7, 7, 7, 7, 7)}},
		{Dataset: "none", Name: "None", Split: "authors", N: 5},
		{Dataset: "one", Name: "One", Split: "authors", Cells: []CellInput{InputOf(one)}},
	})
}

func TestClasses(t *testing.T) {
	rows := classTable().Rows
	fixture.Same(t, "classes", rows[0].Classes, &Classes{
		Counts:    []results.ClassCount{{Label: -1, Count: 1}, {Label: 7, Count: 4}, {Label: 8, Count: 1}},
		Majority:  Constant{Label: 7, Count: 4, Accuracy: "66.67", Mean: 400.0 / 6},
		TieWinner: Constant{Label: -1, Count: 1, Accuracy: "16.67", Mean: 100.0 / 6}, MajorityMetrics: results.Values{},
	})
	fixture.Same(t, "classes of a row without a result", rows[1].Classes, nil)
	shown := func(c Result) string {
		return fmt.Sprint(c.Accuracy, " ", c.Metrics.Text(results.BalancedAccuracy), " ", c.Metrics.Text(results.MacroF1), " ", c.Constant)
	}
	// A has 2 of 4, 1 of 1 and 1 of 1 right; F1 is 4/6, 2/3 and 2/3.
	fixture.Equal(t, "A", shown(rows[0].Cells[0]), "66.67 83.33 66.67 false")
	// B has all of one class and none of two others; F1 is 8/10, 0 and 0.
	fixture.Equal(t, "B", shown(rows[0].Cells[1]), "66.67 33.33 26.67 true")
	fixture.Equal(t, "one label for test samples of one class is flagged", rows[2].Cells[0].Constant, false)
	fixture.Equal(t, "majority of three classes of equal size", bitTable("111111").Rows[0].Classes.Majority,
		Constant{Label: 1, Count: 2, Accuracy: "33.33", Mean: 100.0 / 3})
}

func TestClassNotes(t *testing.T) {
	notes := strings.Join(classTable().Notes(), "\n")
	fixture.Has(t, "the notes", notes,
		"Majority: the accuracy of always predicting the most frequent class of the test samples. It is not ranked. "+
			"No method is more accurate on: toy, one. Tied votes go to another class, whose share of the test samples is: toy 16.67.\n",
		"† One label for all test samples: Method B (toy: 6 times).")
	drawn := classTable()
	for i := range drawn.Columns {
		drawn.Columns[i].Drawn = true
	}
	fixture.Lacks(t, "notes where ties are drawn", strings.Join(drawn.Notes(), "\n"), "Tied votes")
	fixture.Lacks(t, "notes without a reason", strings.Join(bitTable("111110").Notes(), "\n"), "above", "wins ties", "One label")
}
