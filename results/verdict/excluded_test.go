package verdict_test

import (
	"strings"
	"testing"

	"r2lmlbench/internal/golden"
	. "r2lmlbench/results/verdict"
)

// TestNotesOnExcluded: what is left out is told beside verdicts and in place of
// them.
func TestNotesOnExcluded(t *testing.T) {
	left := []Excluded{
		{"a:metrics=1", []string{"A", "B"}, "sweeps metrics"}, {"a:metrics=2", []string{"A", "B"}, "sweeps metrics"},
		{"a:metrics=2", []string{"C"}, "sweeps metrics"}, {"b", []string{"A"}, "fixes gamma"},
	}
	some, err := Judge("some", evidenceOfAll()[:3])
	if err != nil {
		t.Fatal(err)
	}
	some.Excluded = left
	var text string
	for _, v := range []Verdicts{some, {Spec: "none", Excluded: left}, {Spec: "nothing"}} {
		text += v.Spec + "\n" + strings.Join(v.Notes(), "\n") + "\n\n"
	}
	golden.Equal(t, "testdata/excluded.txt", []byte(text))
	if (Verdicts{Excluded: left}).Clean() || (Verdicts{Excluded: left}).Tables() != nil {
		t.Error("nothing was judged, and that is clean or has tables")
	}
}
