package cluster

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// kinds are the published schemas of the objects in a manifest.
var kinds = map[string]string{
	"batch/v1 Job":             "io.k8s.api.batch.v1.Job",
	"v1 PersistentVolumeClaim": "io.k8s.api.core.v1.PersistentVolumeClaim",
	"v1 ConfigMap":             "io.k8s.api.core.v1.ConfigMap",
}

// published compiles the schemas that Kubernetes publishes; the file says which.
func published(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	schemas := map[string]*jsonschema.Schema{}
	for kind, name := range kinds {
		schemas[kind] = fixture.Must(compiler.Compile("testdata/kubernetes.schema.json#/$defs/" + name))(t)
	}
	return schemas
}

// documents decodes a manifest as kubectl would, without our types.
func documents(text string) (list []map[string]any, err error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	for {
		var document map[string]any
		if err := d.Decode(&document); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, document)
	}
}

func kindOf(document map[string]any) string {
	version, _ := document["apiVersion"].(string)
	kind, _ := document["kind"].(string)
	return version + " " + kind
}

func kubernetes(t testing.TB, j Job, p Pod) []map[string]any {
	t.Helper()
	return fixture.Must(documents(fixture.Must(Kubernetes(j, p))(t)))(t)
}

// at walks into a document: keys of mappings and indices of lists.
func at(document any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := document.(map[string]any)
			document = m[step]
		case int:
			document = document.([]any)[step]
		}
	}
	return document
}

// TestKubernetesSchema: every object of a manifest is valid by the schema that
// Kubernetes publishes, which tells unknown fields and wrong types.
func TestKubernetesSchema(t *testing.T) {
	schemas := published(t)
	rapid.Check(t, func(r *rapid.T) {
		j := Job{Name: awkward.Draw(r, "name"), Spec: awkward.Draw(r, "spec"), Datasets: awkward.Draw(r, "datasets"), Methods: awkward.Draw(r, "methods"),
			Tasks: rapid.IntRange(1, 1000).Draw(r, "tasks"), Workers: rapid.IntRange(1, 64).Draw(r, "workers"), Format: "json"}
		p := Pod{Image: rapid.StringMatching(`[!-~]{1,12}`).Draw(r, "image"), Claim: rapid.SampledFrom([]string{"", "mine", "my.claim-2"}).Draw(r, "claim")}
		want := 2
		if p.Claim == "" {
			want++
		}
		if rapid.Bool().Draw(r, "own") {
			p.Spec = []byte(awkward.Draw(r, "content"))
			want++
		}
		list := kubernetes(t, j, p)
		if len(list) != want {
			r.Fatalf("%d objects, want %d", len(list), want)
		}
		if p.Spec != nil && at(list[want-3], "data", "spec.yaml") != string(p.Spec) {
			r.Fatalf("content %q, want %q", at(list[want-3], "data", "spec.yaml"), p.Spec)
		}
		for _, document := range list {
			schema := schemas[kindOf(document)]
			if schema == nil {
				r.Fatalf("object of kind %q", kindOf(document))
			}
			fixture.Check(r, schema.Validate(document))
		}
	})
}

// expand does to a command what Kubernetes does: $(NAME) becomes the value of a
// variable if there is one, and $$ becomes $.
func expand(text string, variables map[string]string) string {
	var b strings.Builder
	for len(text) > 0 {
		name, rest, closed := strings.Cut(strings.TrimPrefix(text, "$("), ")")
		value, known := variables[name]
		switch {
		case strings.HasPrefix(text, "$$"):
			b.WriteByte('$')
			text = text[2:]
		case strings.HasPrefix(text, "$(") && closed && known:
			b.WriteString(value)
			text = rest
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String()
}

// TestKubernetesContract runs the commands of a manifest as a pod would: the
// tasks are the shares, counted from 1, and the last one merges.
func TestKubernetesContract(t *testing.T) {
	fixture.Long(t)
	s := newShell(t)
	work := t.TempDir()
	for seed := range tried {
		os.RemoveAll(filepath.Join(work, "results"))
		j := Job{Name: "quick", Spec: "$(HOME)$$(HOME)" + awkward.Example(2*seed), Methods: awkward.Example(2*seed + 1), Tasks: 4, Workers: 3, Format: "csv"}
		list := kubernetes(t, j, Pod{Image: "x", Claim: "mine"})
		common := []string{j.Spec, "--data", "/r2lmlbench/data", "--methods", j.Methods}
		run := func(document map[string]any, env ...string) [][]string {
			container := at(document, "spec", "template", "spec", "containers", 0).(map[string]any)
			var command []string
			for _, word := range append(slices.Clone(container["command"].([]any)), container["args"].([]any)...) {
				command = append(command, expand(word.(string), map[string]string{"HOME": "/wrong"}))
			}
			command[2] = strings.ReplaceAll(command[2], "results=/r2lmlbench/", "results="+work+"/")
			return fixture.Must(s.run(env, command...))(t)
		}
		shard := work + "/results/shards/3-of-4"
		want := [][]string{slices.Concat([]string{"run"}, common, []string{"--results", shard, "--shard", "3/4", "--workers", "3"})}
		fixture.Same(t, "index 2", run(list[0], "JOB_COMPLETION_INDEX=2"), want)
		want = [][]string{{"merge", shard, "--results", work + "/results"}, slices.Concat([]string{"table"}, common, []string{"--results",
			work + "/results", "--format", "csv"})}
		fixture.Same(t, "last task", run(list[1]), want)
	}
}

// TestPodNames: what cannot be the name of an image or a claim is refused, with
// the flag to give another one by.
func TestPodNames(t *testing.T) {
	label := strings.Repeat("a", 63)
	for _, c := range []struct{ image, claim, says string }{
		{"r2lmlbench", "", ""},
		{"example.org:5000/a_b/r2lmlbench@sha256:00ff", "a", ""},
		{"x", "a-b.2", ""},
		{"x", label + "." + label, ""},
		{"", "", "--image"},
		{"a b", "", "--image"},
		{"a\x00", "", "--image"},
		{"a\xff", "", "--image"},
		{"x", "A", "--claim"},
		{"x", "a_b", "--claim"},
		{"x", "a-", "--claim"},
		{"x", "a\n", "--claim"},
		{"x", label + "a", "--claim"},
		{"x", strings.Repeat("a.", 126) + "aa", "--claim"},
	} {
		_, err := Kubernetes(quick(), Pod{Image: c.image, Claim: c.claim})
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("image %q, claim %q: error %v, want one with %q", c.image, c.claim, err, c.says)
		}
	}
}
