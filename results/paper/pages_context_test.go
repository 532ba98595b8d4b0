package paper_test

import (
	"encoding/csv"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// readContext has a row for every data set and a column for every classifier of the spec
// experiments/external/context.yaml, Euclidean k-NN first. Numbers of test samples and of
// right ones are sums over the splits. The cells themselves need scikit-learn and are not
// kept.
func readContext(t *testing.T) (made table.Table) {
	t.Helper()
	text := fixture.Text(t, "testdata/context.csv")
	for _, r := range fixture.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)[1:] {
		var numbers [4]int // settings, splits, test samples, right ones
		for k := range numbers {
			numbers[k] = fixture.Must(strconv.Atoi(r[2+k]))(t)
		}
		if n := len(made.Rows); n == 0 || made.Rows[n-1].Dataset != r[0] {
			made.Rows = append(made.Rows, table.Row{Dataset: r[0], N: numbers[2], Pool: &table.Pool{Splits: numbers[1]}})
		}
		if len(made.Rows) == 1 {
			made.Columns = append(made.Columns, table.Column{ID: r[1]})
		}
		row := &made.Rows[len(made.Rows)-1]
		row.Cells = append(row.Cells, table.Result{
			Method: r[1], Score: &table.Score{Correct: numbers[3]}, Mean: 100 * float64(numbers[3]) / float64(numbers[2]),
			Trials: []table.Trial{{Seed: 1, Value: big.NewRat(int64(numbers[3]), int64(numbers[2])), Settings: numbers[0]}},
		})
	}
	return made
}

// addContext compares the classifiers with Euclidean k-NN: context.CLASSIFIER is the mean
// accuracy over the data sets.
func (f facts) addContext(t *testing.T) {
	t.Helper()
	kept := readContext(t)
	l := document.New("", "classifier", "settings", "accuracy", "less Euclidean k-NN", "95 %", "by point")
	for i, c := range kept.Columns {
		sum := 0.0
		for _, r := range kept.Rows {
			sum += r.Cells[i].Mean
		}
		against := table.NewComparisons([]spec.Pairing{{A: []string{c.ID}, B: []string{kept.Columns[0].ID}}}, kept)[0].Numbers()
		accuracy := text.TwoDecimals(sum / float64(len(kept.Rows)))
		line := []any{c.ID, against["settings.a"], accuracy, "-", "-", "-"}
		if i > 0 {
			line = append(line[:3], against["mean"], against["low"]+" to "+against["high"], against["above"]+"/"+against["within"]+"/"+against["below"])
		}
		f["context."+c.ID] = accuracy
		l.Add(line...)
	}
	f.list("context", l)
}

// TestContext: the kept counts are those of the spec, on the splits of pays: Euclidean k-NN,
// which both specs have, labels as many test samples right in the accepted cells.
func TestContext(t *testing.T) {
	fixture.Long(t) // it plans ten splits of 18 sets
	kept := readContext(t)
	asked := fixture.Must(plan.Named(t.Context(), "../../experiments/external/context.yaml"))(t)
	pays := fixture.Must(spec.Load("pays"))(t)
	fixture.Check(t, pays.Narrow(nil, []string{kept.Columns[0].ID}))
	accepted := fixture.Must(table.Of(testkit.PlanFor(t, pays), &store.Store{Dir: "../accepted"}))(t).Pooled()
	if len(kept.Columns) != len(asked.Spec.Columns) || len(kept.Rows) != len(accepted.Rows) {
		t.Fatalf("%d classifiers on %d sets, want %d on %d", len(kept.Columns), len(kept.Rows), len(asked.Spec.Columns), len(accepted.Rows))
	}
	for _, r := range kept.Rows {
		at := slices.IndexFunc(accepted.Rows, func(of table.Row) bool { return of.Dataset == r.Dataset })
		if at < 0 || len(r.Cells) != len(kept.Columns) {
			t.Fatalf("%s: %d classifiers, place %d among the sets of pays", r.Dataset, len(r.Cells), at)
		}
		want := accepted.Rows[at]
		if r.Pool.Splits != want.Pool.Splits || r.N != want.N || r.Cells[0].Correct != want.Cells[0].Correct {
			t.Errorf("%+v, the accepted cells of Euclidean k-NN have %+v", r, want)
		}
		for i, c := range r.Cells {
			job, trial := asked.Splits[0].Jobs[i][0], c.Trials[0]
			if c.Method != job.Column.ID || trial.Settings != len(job.Inputs.Settings) || trial.Value.Denom().Int64() > int64(r.N) || c.Mean > 100 {
				t.Errorf("%s on %s: %+v, the spec has %s with %d settings", c.Method, r.Dataset, trial, job.Column.ID, len(job.Inputs.Settings))
			}
		}
	}
	// Means over the sets, by hand from the file: 100/18 times the sum of the shares.
	all := acceptedFacts(t)
	for classifier, mean := range map[string]string{"euclidean": "77.06", "logistic-regression": "81.03", "rbf-svm": "84.48", "random-forest": "83.90"} {
		fixture.Equal(t, classifier+": mean", all["context."+classifier], mean)
	}
}
