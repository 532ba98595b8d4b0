package spec

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/internal/fixture"
)

// TestDocument holds docs/spec.md against the schema: the tables have exactly the keys
// that specs have.
func TestDocument(t *testing.T) {
	text := fixture.Must(os.ReadFile("../../docs/spec.md"))(t)
	documented := map[string][]string{} // first column, by heading
	heading := ""
	for line := range strings.Lines(string(text)) {
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
		"Own data":      keys(schemaOf[Data](), ""),
		"Test and gate": slices.Concat(keys(in("test"), "test."), keys(in("gate"), "gate.")),
		"Measures":      measure.Names(),
	} {
		have := documented[heading]
		slices.Sort(have)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Errorf("docs/spec.md, %s:\n%q\nspecs have\n%q", heading, have, want)
		}
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
