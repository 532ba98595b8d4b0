package verdict

import (
	"testing"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/resultstest"
	"r2lmlbench/results/store"
)

// TestRunsBehindVerdicts: they are as many as the verdict counts, and have its
// mean. The standard deviation of 47, 46 and 48 of 60 is 100/60.
func TestRunsBehindVerdicts(t *testing.T) {
	for _, e := range evidenceOfAll() {
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		cells := e.Supporting(v)
		if len(cells) != v.Runs {
			t.Errorf("%s/%s: %d cells behind %d runs", v.Letter, v.Method, len(cells), v.Runs)
		}
		mean := 0.0
		for _, c := range cells {
			mean += 100 * float64(c.Correct()) / float64(len(c.Truth)) / float64(len(cells))
		}
		if v.Mean != "" && v.Mean != text.TwoDecimals(mean) {
			t.Errorf("%s/%s: mean %v of the cells behind a mean of %s", v.Letter, v.Method, mean, v.Mean)
		}
	}
	b := NewSupportingRuns(resultstest.RunsOf(60, 47, 46, 48), &store.Store{Dir: "d"})
	if b.SD != "1.67" || len(b.Runs) != 3 || b.Runs[1].Accuracy != "76.67" || b.Runs[2].Seed != 3 || b.Runs[0].File == b.Runs[1].File {
		t.Errorf("%+v", b)
	}
	if NewSupportingRuns(nil, &store.Store{}) != nil || NewSupportingRuns(resultstest.RunsOf(60, 47), &store.Store{}).SD != "" {
		t.Error("a spread of one run, or of none")
	}
}
