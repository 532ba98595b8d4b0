package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// small is a spec of two cells with a grid of four points that takes moments.
const small = `
name: small
datasets: [twonorm-gen]
methods:
  - method: euclidean
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 2}
    grid: {metrics: [1, 2], lambda: [1, 10]}
`

func parse(t *testing.T, text string) *Spec {
	t.Helper()
	spec, err := Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// run runs a spec into dir and returns its table and the error of the run.
func run(t *testing.T, ctx context.Context, spec *Spec, dir string, workers int, observe func(Event)) (table.Table, error) {
	t.Helper()
	source := NewSource(t.TempDir())
	plan, err := NewPlan(context.Background(), spec, source)
	if err != nil {
		t.Fatal(err)
	}
	store := &store.Store{Dir: dir, Log: t.Logf}
	runner := Runner{Store: store, Source: source, Workers: workers, Observe: observe}
	failed := runner.Run(ctx, plan.Jobs())
	table, err := plan.Table(store)
	if err != nil {
		t.Fatal(err)
	}
	return table, failed
}

// cells returns the bytes of every cell file below dir by relative path.
func cells(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".run.json") {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func equalCells(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) == 0 || len(got) != len(want) {
		t.Fatalf("%d cells, want %d and some", len(got), len(want))
	}
	for name, b := range want {
		if got[name] != b {
			t.Errorf("cell %s:\n%s\nwant\n%s", name, got[name], b)
		}
	}
}

func planFor(t *testing.T, spec *Spec) Plan {
	t.Helper()
	plan, err := NewPlan(context.Background(), spec, NewSource(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// compiledSchema is the schema that the program prints, compiled by another
// library than the one that made it.
func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	b, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("spec.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("spec.json")
}

// jsonValue converts YAML to the values that a JSON document would have.
func jsonValue(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(j))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// shippedSettings returns the settings that the spec of all methods searches on
// Two Norm, whose features are of unit scale, by method.
func shippedSettings(t *testing.T) map[string][]setting {
	t.Helper()
	spec, err := Load("beyond")
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string][]setting{}
	for _, c := range spec.Columns {
		settings[c.Method.ID] = c.settings["twonorm"]
	}
	return settings
}
