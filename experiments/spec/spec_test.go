package spec_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/experiments"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/golden"
	"r2lmlbench/internal/spectest"
)

func TestEmbeddedSpecs(t *testing.T) {
	schema := spectest.CompiledSchema(t)
	for _, name := range experiments.Names() {
		t.Run(name, func(t *testing.T) {
			spec := fixture.Must(Load(name))(t)
			if spec.Name != name {
				t.Errorf("the spec in %s.yaml is called %q", name, spec.Name)
			}
			b := fixture.Must(experiments.Specs.ReadFile(name + ".yaml"))(t)
			if err := schema.Validate(spectest.JSONValue(t, b)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBadSpecs runs every spec of testdata/bad; its errors stand in the golden
// file beside it. The schema refuses those whose faults it can express.
func TestBadSpecs(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bad specs (%v)", err)
	}
	schema := spectest.CompiledSchema(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b := fixture.Must(os.ReadFile(file))(t)
			_, err = Parse(filepath.Base(file), b)
			if err == nil {
				t.Fatal("no error")
			}
			golden.Equal(t, strings.TrimSuffix(file, ".yaml")+".golden", []byte(err.Error()+"\n"))
			if strings.HasPrefix(filepath.Base(file), "schema-") && schema.Validate(spectest.JSONValue(t, b)) == nil {
				t.Error("the JSON Schema accepts it")
			}
		})
	}
}

func TestGridOrder(t *testing.T) {
	spec := spectest.Parse(t, `
name: s
datasets: I
methods:
  - method: e-r2lml
    restarts: 2
    params: {step: 1e-5}
    grid: {lambda: [1, 0.1], metrics: [2, 1]}
`)
	var got []string
	for _, p := range spec.Columns[0].Points("ionosphere") {
		b := fixture.Must(json.Marshal([]any{p.Params["lambda"], p.Params["metrics"], p.Restart}))(t)
		got = append(got, string(b))
	}
	// The first key varies slowest, values in file order, restarts innermost.
	want := "[1,2,0] [1,2,1] [1,1,0] [1,1,1] [0.1,2,0] [0.1,2,1] [0.1,1,0] [0.1,1,1]"
	if strings.Join(got, " ") != want {
		t.Errorf("points %s, want %s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range experiments.Names() {
		b := fixture.Must(experiments.Specs.ReadFile(name + ".yaml"))(f)
		f.Add(b)
	}
	bad, _ := filepath.Glob("testdata/bad/*.yaml")
	for _, file := range bad {
		if b, err := os.ReadFile(file); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		spec, err := Parse("fuzz.yaml", b)
		if (spec == nil) != (err != nil) {
			t.Fatalf("spec %v with error %v", spec, err)
		}
		if err == nil && (len(spec.Entries) == 0 || len(spec.Columns) == 0) {
			t.Fatal("a valid spec without data sets or methods")
		}
	})
}
