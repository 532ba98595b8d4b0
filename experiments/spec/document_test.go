package spec_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
)

// TestDocument holds docs/spec.md against the schema: the tables have exactly the keys
// that specs have.
func TestDocument(t *testing.T) {
	documented := map[string][]string{} // first column, by heading
	heading := ""
	for line := range strings.Lines(fixture.Text(t, "../../docs/spec.md")) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			heading = strings.Trim(strings.TrimSpace(title), "`")
		}
		if m := regexp.MustCompile("^\\| `([^`]+)` \\|").FindStringSubmatch(line); m != nil {
			documented[heading] = append(documented[heading], m[1])
		}
	}
	schema := Schema()
	in := func(key string) *jsonschema.Schema {
		s, ok := schema.Properties.Get(key)
		if !ok {
			t.Fatalf("the schema has no %s", key)
		}
		return s
	}
	stanza := map[string]bool{}
	for _, one := range in("methods").OneOf[1].Items.OneOf {
		for _, key := range keys(one, "") {
			stanza[key] = true
		}
	}
	for heading, want := range map[string][]string{
		"Top level":     keys(schema, ""),
		"split":         keys(in("split"), ""),
		"select":        keys(in("select").OneOf[1], ""),
		"methods":       slices.Collect(maps.Keys(stanza)),
		"Own data":      keys(in("datasets").OneOf[1], ""),
		"Test and gate": slices.Concat(keys(in("test"), "test."), keys(in("gate"), "gate.")),
		"Measures":      measure.Names(),
	} {
		slices.Sort(documented[heading])
		slices.Sort(want)
		fixture.Same(t, "docs/spec.md, "+heading, documented[heading], want)
	}
}

// keys are those of a schema.
func keys(s *jsonschema.Schema, before string) []string {
	var all []string
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		all = append(all, before+p.Key)
	}
	return all
}

// TestStanzaSchema: the schema of a stanza has the keys that its method takes and no others.
func TestStanzaSchema(t *testing.T) {
	words, _ := Schema().Properties.Get("methods")
	stanzas := words.OneOf[1].Items.OneOf // the first is the word all
	fixture.Equal(t, "kinds of stanzas", len(stanzas), len(registry.Methods))
	for i, m := range registry.Methods {
		fits := !m.Imported
		for key, want := range map[string]bool{
			"method": true, "name": true, "only": true, "params": true, "sweep": true, "datasets": true,
			"restarts": fits, "seeds": fits, "grid": fits, "select": fits, "reading": fits, "measure": fits, "pca": fits,
			"ties": fits && m.Votes(), "distances": fits && m.Votes(), "unlabeled": m.Transductive, "env": m.OutOfProcess, "depends": m.OutOfProcess,
		} {
			fixture.Equal(t, m.ID+" has the key "+key, slices.Contains(keys(stanzas[i], ""), key), want)
		}
		params, _ := stanzas[i].Properties.Get("params")
		scale, ok := params.Properties.Get("feature-scale")
		if ok != fits || ok && (scale.ExclusiveMinimum != "0" || scale.Maximum != "1e30") {
			t.Errorf("%s: feature-scale %v, %+v", m.ID, ok, scale)
		}
	}
}

// TestReading: a stanza has the reading of its spec unless it has its own; defaults are
// empty in a column, and a program counts no votes.
func TestReading(t *testing.T) {
	const text = "name: x\ndatasets: [glass, isolet]\n%s\nmethods: [{method: euclidean}, " +
		"{method: euclidean, name: own, ties: smallest, distances: each, pca: centered}, " +
		"{method: external, params: {command: [sh]}}]\n"
	for keys, want := range map[string]string{ // voting, standardized components and seeds of each column
		"": "[{  } false 1 {  } false 1 {  } false 1]",
		"seeds: 7\nties: random\ndistances: repeat-first\npca: standardized": "[{random repeat-first } true 7 {  } false 1 {  } true 7]",
	} {
		s := fixture.Must(Parse("x.yaml", fmt.Appendf(nil, text, keys)))(t)
		var got []any
		for _, c := range s.Columns {
			rules := map[bool]bool{} // by whether a set is reduced
			for _, e := range s.Sets {
				rules[e.PCA > 0] = c.RuleOf(e, s.Split.RuleOf(e, 1)).Standardized
			}
			got = append(got, c.Voting, rules[true], c.SeedsOf("glass"))
			fixture.Equal(t, "glass, which keeps its features, has standardized components", rules[false], false)
		}
		fixture.Equal(t, keys, fmt.Sprint(got), want)
	}
}
