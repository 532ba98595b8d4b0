package paper_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
)

// The files of a certificate have the fields that their specifications require: CODECHECK
// configuration 2.0 (codecheck.org.uk/spec/config/2.0, rules CC-CFG-001 to 031 of its register)
// but for those of who checks, and RO-Crate 1.1 (w3id.org/ro/crate/1.1, "Root Data Entity").
func TestCertificate(t *testing.T) {
	narrow := *testkit.Accuracy(t).Spec
	fixture.Check(t, narrow.Narrow([]string{"heart"}, []string{"euclidean"}))
	planned := testkit.PlanFor(t, &narrow)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	jobs := testkit.JobsOf(planned, "M", "euclidean")
	for _, j := range jobs {
		testkit.Fill(t, cells, j.Inputs, 190, 120)
	}
	c := paper.Certificate{
		Verdicts: verdicts(t, planned, cells), Commands: []string{"r2lmlbench run accuracy"}, Version: "1.2.3", Day: "2026-01-02", JSON: []byte("{}\n"),
	}
	dir := filepath.Join(t.TempDir(), "new", "certificate")
	write := func() error { return c.Write(dir, planned, cells) }
	fixture.Check(t, write())
	read := func(name string) string { return fixture.Text(t, filepath.Join(dir, name)) }

	yml := read("codecheck.yml")
	var check struct {
		Version, Summary string
		Paper            struct {
			Title, Reference string
			Authors          []struct{ Name string }
		}
		Manifest []struct{ File, Comment, SHA256 string }
		Own      struct {
			Commands []string
			Data     []struct{ Dataset, SHA256 string }
		} `yaml:"r2lmlbench"`
	}
	fixture.Check(t, yaml.Unmarshal([]byte(yml), &check))
	const reference = "https://arxiv.org/abs/1902.08313"
	if !strings.HasPrefix(yml, "---\n") || check.Version != "https://codecheck.org.uk/spec/config/2.0/" || check.Summary == "" || len(check.Manifest) == 0 ||
		check.Paper.Title != planned.Spec.Published.Publication || check.Paper.Reference != reference ||
		len(check.Paper.Authors) != 4 || check.Paper.Authors[0].Name == "" {
		t.Errorf("%+v", check)
	}
	digests := map[string]string{}
	for _, f := range check.Manifest {
		fixture.Equal(t, f.File, f.SHA256, results.Digest([]byte(read(f.File))))
		digests[f.File] = f.SHA256
	}
	digests["codecheck.yml"] = results.Digest([]byte(yml))
	fixture.Equal(t, "data", check.Own.Data[0].SHA256, jobs[0].Inputs.DatasetDigest)
	fixture.Equal(t, "lines of cells", strings.Count(read("cells.csv"), "\n"), 1+len(jobs))
	fixture.Has(t, "cells", read("cells.csv"), jobs[0].Inputs.Key()+",heart,authors,euclidean,1,190,120,")

	var crate struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	fixture.Check(t, json.Unmarshal([]byte(read("ro-crate-metadata.json")), &crate))
	fixture.Equal(t, "context", crate.Context, "https://w3id.org/ro/crate/1.1/context")
	byID := map[string]map[string]any{}
	for _, e := range crate.Graph { // flattened: each entity has an id of its own and a type
		id, _ := e["@id"].(string)
		if id == "" || byID[id] != nil || e["@type"] == nil {
			t.Fatalf("entity %v", e)
		}
		byID[id] = e
	}
	// Objects are references alone, and to entities of the crate or of the specification.
	var refer func(x any)
	refer = func(x any) {
		switch x := x.(type) {
		case []any:
			for _, one := range x {
				refer(one)
			}
		case map[string]any:
			if id, _ := x["@id"].(string); len(x) != 1 || byID[id] == nil && !strings.HasPrefix(id, "https://w3id.org/ro/crate/") {
				t.Errorf("the reference %v leads nowhere", x)
			}
		}
	}
	for _, e := range crate.Graph {
		for _, x := range e {
			refer(x)
		}
	}
	self, root := byID["ro-crate-metadata.json"], byID["./"]
	fixture.Equal(t, "metadata descriptor", fmt.Sprintf("%v %v %v", self["@type"], self["about"], self["conformsTo"]),
		"CreativeWork map[@id:./] map[@id:https://w3id.org/ro/crate/1.1]")
	fixture.Equal(t, "paper", fmt.Sprint(byID[reference]["name"]), planned.Spec.Published.Publication)
	fixture.Equal(t, "root", fmt.Sprintf("%v %v", root["@type"], root["datePublished"]), "Dataset 2026-01-02")
	fixture.Has(t, "name", fmt.Sprint(root["name"]), c.Verdicts.Title)
	fixture.Equal(t, "the printed tables have a title of their own", c.Verdicts.Title != "" && c.Verdicts.Title != planned.Spec.Published.Publication, true)
	for _, required := range []string{"name", "description", "license"} {
		if root[required] == nil || root[required] == "" {
			t.Errorf("the root has no %s", required)
		}
	}
	parts, _ := root["hasPart"].([]any)
	fixture.Equal(t, "parts", len(parts), len(digests))
	for name, digest := range digests {
		fixture.Equal(t, name, fmt.Sprintf("%v %v %v", byID[name]["@type"], byID[name]["sha256"], byID[name]["contentSize"]),
			fmt.Sprintf("File %s %d", digest, len(read(name))))
	}

	// Equal inputs give equal bytes, foreign files stay, and a broken write does not prevent a repeat.
	before := read("ro-crate-metadata.json")
	fixture.Write(t, filepath.Join(dir, "notes.txt"), "mine")
	fixture.Write(t, filepath.Join(dir, ".codecheck.yml.new-7"), "half")
	fixture.Check(t, os.Remove(filepath.Join(dir, "ro-crate-metadata.json")))
	fixture.Check(t, write())
	fixture.Equal(t, "repeat", read("ro-crate-metadata.json")+read("codecheck.yml")+read("notes.txt"), before+yml+"mine")
	for name, foreign := range map[string]string{"codecheck.yml": "---\nmanifest: []\n", "ro-crate-metadata.json": "{}"} {
		old := read(name)
		fixture.Write(t, filepath.Join(dir, name), foreign)
		if err := write(); err == nil || !strings.Contains(err.Error(), name) || read(name) != foreign {
			t.Errorf("%s of somebody else: %v, %q", name, err, read(name))
		}
		fixture.Write(t, filepath.Join(dir, name), old)
	}
	fixture.Check(t, os.Remove(filepath.Join(dir, "codecheck.yml")))
	if err := write(); err == nil {
		t.Error("verdicts.json beside no certificate was replaced")
	}
}

// A table whose main reading has no ranks says so of each conclusion, and does not show those of
// another reading in its place.
func TestConclusionsWithoutTheMainReading(t *testing.T) {
	c := paper.Curve{Conclusions: []paper.Conclusion{{Conclusion: "a"}, {Conclusion: "b"}}}
	for range 2 {
		for _, row := range c.ConclusionTable().Texts()[1:] {
			fixture.Equal(t, "main reading", row[2], "cannot tell")
		}
		fixture.Has(t, "note", c.Document().Tables[2].Notes[0], "1 to 2 are")
		c.Procedures = []paper.Procedure{{Reading: "another", Holds: []bool{true, true}}}
	}
}
