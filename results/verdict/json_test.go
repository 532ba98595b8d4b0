package verdict_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results/verdict"
)

// The JSON has the keys that readers of it rely on, and the words.
func TestJSON(t *testing.T) {
	all := []Evidence{
		evidence("A", "euclidean", "70.00", 100, 60), evidence("A", "itml", "60.00", 100, 60, 62),
		evidence("B", "euclidean", "70.00", 100, 80), evidence("B", "itml", "70.00", 100),
		evidence("C", "euclidean", "70.00", 100, 80), evidence("C", "itml", "70.00", 100, 71),
	}
	data := fixture.Must(json.Marshal(judge(all, Reading{Text: "another", Evidence: all[:1]})))(t)
	var got map[string]any
	fixture.Check(t, json.Unmarshal(data, &got))
	first := func(list any) any { return list.([]any)[0] }
	summary, readings, ranks := got["summary"].(map[string]any), got["readings"].(map[string]any), got["ranks"].(map[string]any)
	for _, c := range []struct {
		of   any
		want string
	}{
		{got, "moved ranks readings schema source spec summary title verdicts"},
		{first(got["verdicts"]), "dataset difference letter mean method planned published reason runs samples sd verdict"},
		{summary, "close methods numbers words"},
		{summary["close"], "mean numbers within"},
		{first(summary["methods"]), "close method spearman words"},
		{first(got["moved"]), "agree of points"},
		{ranks, "critical_difference friedman_p methods of printed_friedman_p sets"},
		{first(ranks["methods"]), "method ours printed"},
		{readings, "methods rows tried"},
		{first(readings["rows"]), "columns reading"},
		{first(first(readings["rows"]).(map[string]any)["columns"]), "agree mean numbers within"},
	} {
		keys := slices.Sorted(maps.Keys(c.of.(map[string]any)))
		fixture.Equal(t, "keys", strings.Join(keys, " "), c.want)
	}
	verdicts := got["verdicts"].([]any)
	if none := verdicts[3].(map[string]any); got["schema"] != 3.0 || none["mean"] != nil || none["difference"] != nil || none["verdict"] != CannotTell {
		t.Errorf("schema %v, without runs %v", got["schema"], none)
	}
}
