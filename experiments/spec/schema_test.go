package spec_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
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
		want := []string{"method", "name", "only", "params", "sweep", "restarts", "seeds", "grid", "select", "reading", "unlabeled", "measure", "datasets"}
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

// The schema accepts a scale wherever a parameter may stand, and both values of
// unlabeled; so does the program.
func TestSchemaAcceptsPreparedFeatures(t *testing.T) {
	schema := spectest.CompiledSchema(t)
	for _, stanza := range []string{
		"{method: euclidean, params: {feature-scale: 2}}",
		"{method: euclidean, sweep: {feature-scale: [0.5, 2]}}",
		"{method: itml, grid: {gamma: [1], feature-scale: [1e-3, 1e30]}}",
		"{method: itml, datasets: {robot: {feature-scale: 16}}}",
		"{method: external, params: {command: [sh], feature-scale: 3, alpha: 2}}",
		"{method: external, env: [OMP_NUM_THREADS, _x9], params: {command: [sh]}}",
		"{method: external, env: OMP_NUM_THREADS, params: {command: [sh]}}",
		"{method: t-r2lml, params: {step: 1e-9}, unlabeled: joint}",
		"{method: t-r2lml, params: {step: 1e-9}, unlabeled: queries, measure: surface, grid: {lambda: [1, 10]}}",
	} {
		text := []byte("name: x\ndatasets: [robot]\nsplit: {rule: shuffled, repeats: 2, seed: 3}\nmethods:\n  - " + stanza + "\n")
		if _, err := Parse("x.yaml", text); err != nil {
			t.Error(err)
		}
		if err := schema.Validate(spectest.JSONValue(t, text)); err != nil {
			t.Errorf("%s: %v", stanza, err)
		}
	}
}
