package spec_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/spec"
)

// The schema of a stanza has the keys that its method takes, in the order in which
// CONTRIBUTING.md would have them written.
func TestStanzaSchema(t *testing.T) {
	words, _ := Schema().Properties.Get("methods")
	methods := words.OneOf[1] // the first is the word all
	if len(methods.Items.OneOf) != len(registry.Methods) {
		t.Fatalf("%d kinds of stanzas for %d methods", len(methods.Items.OneOf), len(registry.Methods))
	}
	for i, m := range registry.Methods {
		stanza := methods.Items.OneOf[i]
		want := []string{"method", "name", "only", "params", "sweep", "restarts", "seeds", "max-train", "grid", "select", "reading", "unlabeled", "measure",
			"datasets"}
		switch {
		case m.Imported:
			want = []string{"method", "name", "only", "params", "sweep", "datasets"}
		case !m.Transductive:
			want = slices.DeleteFunc(want, func(key string) bool { return key == "unlabeled" })
		}
		switch {
		case m.Imported:
		case m.Votes():
			want = slices.Insert(want, slices.Index(want, "select")+1, "ties", "distances", "pca")
		default:
			want = slices.Insert(want, slices.Index(want, "select")+1, "pca")
		}
		if m.OutOfProcess {
			want = slices.Insert(want, len(want)-1, "env")
		}
		var keys []string
		for p := stanza.Properties.Oldest(); p != nil; p = p.Next() {
			keys = append(keys, p.Key)
		}
		if diff := cmp.Diff(want, keys); diff != "" {
			t.Errorf("%s (-want +got):\n%s", m.ID, diff)
		}
		params, _ := stanza.Properties.Get("params")
		scale, ok := params.Properties.Get("feature-scale")
		if ok == m.Imported || ok && (scale.ExclusiveMinimum != "0" || scale.Maximum != "1e30") {
			t.Errorf("%s: feature-scale %v, %+v", m.ID, ok, scale)
		}
	}
}
