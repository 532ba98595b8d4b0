package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
	. "r2lmlbench/results/table"
	"r2lmlbench/results/table/tabletest"
)

// metricTable has a method on eight samples of class 1 and two of class 2, and a
// column without a result.
//
// scikit-learn 1.2.1: balanced_accuracy_score 0.6875, f1_score(average="macro") 0.6875,
// cohen_kappa_score 0.375; of the label 1 every time 0.5, 0.4444 and 0.
func metricTable(metrics ...string) Table {
	spec := tabletest.AccuracySpec(tabletest.ColumnA, tabletest.ColumnB)
	spec.Metrics = metrics
	cell := resultstest.BitCell("a", "1111111111")
	cell.Truth = []int{1, 1, 1, 1, 1, 1, 1, 1, 2, 2}
	cell.Predicted = []int{1, 1, 1, 1, 1, 1, 1, 2, 1, 2}
	return New(spec, []RowInput{{Dataset: "toy", Name: "Toy", Cells: []CellInput{tabletest.InputOf(cell)}}})
}

func TestMetricListings(t *testing.T) {
	listings := metricTable(results.Kappa, results.Accuracy, results.BalancedAccuracy, results.MacroF1).MetricListings()
	want := []struct {
		title string
		row   []string
	}{
		{"Cohen's kappa", []string{"Toy", "10", "0.3750", "-", "0.0000"}},
		{"Balanced accuracy in percent", []string{"Toy", "10", "68.75", "-", "50.00"}},
		{"Macro-F1 in percent", []string{"Toy", "10", "68.75", "-", "44.44"}},
	}
	if len(listings) != len(want) {
		t.Fatalf("%d tables, want %d: accuracy is that of the ranks", len(listings), len(want))
	}
	for i, l := range listings {
		if l.Title != want[i].title || len(l.Rows) != 1 || !slices.Equal(l.Rows[0], want[i].row) {
			t.Errorf("%q has %v, want %v", l.Title, l.Rows, want[i])
		}
		if note := strings.Join(l.Notes, " "); !strings.Contains(note, "accuracy alone") {
			t.Errorf("%q does not say what the ranks are of: %s", l.Title, note)
		}
	}
	if more := metricTable(results.Accuracy).MetricListings(); len(more) > 0 {
		t.Errorf("accuracy alone has %d more tables", len(more))
	}
}

// Every format has the numbers of all metrics, and without `metrics` it is as before.
func TestMetricFormats(t *testing.T) {
	table, plain := metricTable(results.BalancedAccuracy, results.Kappa), metricTable()
	for _, format := range formats {
		got, before := string(render(t, table, format, Options{})), string(render(t, plain, format, Options{}))
		for _, number := range []string{"68.75", "0.3750", "50.00", "0.0000"} {
			if !strings.Contains(got, number) {
				t.Errorf("%s lacks %s:\n%s", format, number, got)
			}
		}
		if strings.Contains(strings.ToLower(before), "kappa") {
			t.Errorf("%s has kappa without being asked:\n%s", format, before)
		}
	}
	var document bytes.Buffer
	if err := table.Render(&document, "latex", Options{Notes: true}); err != nil || !strings.Contains(document.String(), "0.3750") {
		t.Errorf("the document lacks kappa (%v)", err)
	}
	lines, err := csv.NewReader(bytes.NewReader(render(t, table, "csv", Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"balanced_accuracy": "68.75", "kappa": "0.3750", "majority_kappa": "0.0000", "majority_balanced_accuracy": "50.00"} {
		if got := lines[1][slices.Index(lines[0], name)]; got != want {
			t.Errorf("%s is %q in CSV, want %s", name, got, want)
		}
	}
	var back Table
	if err := json.Unmarshal(render(t, table, "json", Options{}), &back); err != nil {
		t.Fatal(err)
	}
	if c := back.Rows[0].Cells[0]; c.Kappa != "0.3750" || back.Rows[0].Classes.MajorityMetrics[results.Kappa] != "0.0000" || len(back.Metrics) != 2 {
		t.Errorf("JSON has %+v of %v", c.Score, back.Metrics)
	}
}
