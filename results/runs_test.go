package results_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// withTruth is the file of a failed cell with this text of its test labels.
func withTruth(t testing.TB, text string) []byte {
	t.Helper()
	c := resultstest.NewCell("robot", "itml", 1, 1, 1)
	c.Predicted, c.Failure = nil, "crashed"
	written := fixture.Must(json.Marshal(text))(t)
	return resign([]byte(strings.Replace(string(resultstest.MustEncode(t, c)), `"truth":"1"`, `"truth":`+string(written), 1)))
}

func TestRuns(t *testing.T) {
	for want, labels := range map[string][]int{
		"": nil, "4": {4}, "2x2": {2, 2}, "1x40 2 1x3": append(append(slices.Repeat([]int{1}, 40), 2), 1, 1, 1), "0 -1x2 12": {0, -1, -1, 12},
	} {
		data := withTruth(t, want)
		c := fixture.Must(DecodeCell(data))(t)
		fixture.EqualSlice(t, want, c.Truth, labels)
		fixture.Equal(t, fmt.Sprint(labels), string(resultstest.MustEncode(t, c)), string(data))
	}
}

// FuzzRuns: what is accepted is what would be written, and no more labels than there may be.
func FuzzRuns(f *testing.F) {
	for _, text := range []string{
		"", "1", "1x40 2 1x3", "-1x2", "1x4194304",
		" ", "1 ", " 1", "1  2", "1\n", "01", "+1", "-0", "1.5", "x", "1x", "x3", "1x1", "1x0", "1x-2", "1x02",
		"1 1", "1x2 1", "1x2x3", "a", "1,2", "1x4194305", "1x4194304 2", "9999999999999999999", "1x9999999999999999999",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		data := withTruth(t, text)
		c, err := DecodeCell(data)
		if err != nil {
			return
		}
		if len(c.Truth) > 1<<22 {
			t.Errorf("%d labels", len(c.Truth))
		}
		fixture.Equal(t, "what is accepted, written again", string(resultstest.MustEncode(t, c)), string(data))
	})
}
