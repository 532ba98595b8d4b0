package paper

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats/audit"
)

func claimsOf(t *testing.T, dir string) map[string]audit.Judged {
	t.Helper()
	fixture.Long(t)
	st := &store.Store{Dir: dir}
	byID := map[string]audit.Judged{}
	for _, j := range fixture.Must(Claims(t.Context(), published.Table(), func(string) *store.Store { return st }))(t) {
		byID[j.ID] = j
	}
	return byID
}

// Without cells no claim has a verdict by runs, whatever the printed tables say.
func TestClaimsWithoutCells(t *testing.T) {
	for id, j := range claimsOf(t, t.TempDir()) {
		fixture.Equal(t, id, j.Runs.Word, audit.Untested)
	}
}

// The verdicts by runs are those of accepted cells: gains of more than one metric, as counted
// in the ranked table of the spec metrics, and accuracies as in the verdicts on accuracy.
func TestClaimsByAcceptedCells(t *testing.T) {
	all := claimsOf(t, "../accepted")
	accepted := (&store.Store{Dir: "../accepted"}).Snapshot()
	metrics := fixture.Must(table.Of(fixture.Must(plan.Named(t.Context(), "metrics"))(t), accepted))(t)
	for id, method := range map[string]string{"local-t": published.Transductive, "local-e": published.Efficient} {
		above, of := 0, 0
		for _, r := range metrics.Rows {
			one := metrics.Find(r, method, "metrics", "1")
			for k := 2; k <= 7; k++ {
				if many := metrics.Find(r, method, "metrics", strconv.Itoa(k)); one.Score != nil && many.Score != nil {
					of++
					if many.Correct > one.Correct {
						above++
					}
				}
			}
		}
		cases := all[id].Runs.Cases
		fixture.Equal(t, id, fmt.Sprint(cases.So, cases.Of-cases.Unknown, cases.Of), fmt.Sprint(above, of, 6*len(metrics.Rows)))
	}
	verdicts := fixture.Must(Of(t.Context(), fixture.Must(plan.Named(t.Context(), published.Table().Spec))(t), accepted))(t)
	for _, m := range verdicts.Ranks.Methods {
		fixture.Has(t, "average ranks", all["advantages"].Runs.Why, m.Method+" "+strconv.FormatFloat(m.Ours, 'f', 2, 64))
	}
	var above []string
	for _, letter := range strings.Split("ABCDEFGHIJKLMNOPQR", "") {
		number := func(method string) float64 {
			for _, v := range verdicts.Verdicts {
				if v.Letter == letter && v.Method == method {
					return *v.Mean
				}
			}
			return 0
		}
		if number("euclidean") > number("plml") {
			above = append(above, letter)
		}
	}
	fixture.Equal(t, "sets on which PLML is below k-NN, said of K and P", all["plml-below-knn"].Runs.Why, "as claimed in 1 of 2, not on K; also so on A O")
	fixture.Same(t, "they", above, []string{"A", "O", "P"})
}

func TestShare(t *testing.T) {
	facts := []results.Count{{Name: "a: block 1", Count: 1, Of: 4}, {Name: "a: block 2", Count: 2, Of: 6}, {Name: "b: block 1", Of: 5}}
	for pattern, want := range map[string]float64{"a: block *": 0.3, "a: block 1": 0.25, "b*": 0} {
		got, known := share(facts, pattern)
		fixture.Equal(t, pattern, known, true)
		fixture.Near(t, pattern, got, want, 1e-15)
	}
	_, known := share(facts, "c")
	fixture.Equal(t, "known", known, false)
}
