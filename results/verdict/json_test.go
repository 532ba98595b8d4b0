package verdict_test

import (
	"encoding/json"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/golden"
	. "r2lmlbench/results/verdict"
)

// The JSON has the keys that readers of it rely on, and the words; a number without runs has
// no mean and no difference.
func TestJSON(t *testing.T) {
	all := []Evidence{
		evidence("A", "euclidean", "70.00", 100, 60), evidence("A", "itml", "60.00", 100, 60, 62),
		evidence("B", "euclidean", "70.00", 100, 80), evidence("B", "itml", "70.00", 100),
		evidence("C", "euclidean", "70.00", 100, 80), evidence("C", "itml", "70.00", 100, 71),
	}
	data := fixture.Must(json.MarshalIndent(judge(all, Reading{Text: "another", Evidence: all[:1]}), "", " "))(t)
	golden.Equal(t, "testdata/verdict.json", append(data, '\n'))
}
