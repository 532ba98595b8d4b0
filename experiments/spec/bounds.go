package spec

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/strictyaml"
)

// checkBounds reports the values of a mapping that the jsonschema tags of the
// hyper-parameter struct t rule out: the same tags that make the JSON Schema.
// Values of the wrong type are left to the decoder.
func checkBounds(d *strictyaml.Decoder, n *yaml.Node, t reflect.Type) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		for f := range t.NumField() {
			if field := t.Field(f); method.KeyOf(field) == n.Content[i].Value {
				checkValue(d, n.Content[i+1], field)
			}
		}
	}
}

func checkValue(d *strictyaml.Decoder, n *yaml.Node, field reflect.StructField) {
	name := method.KeyOf(field)
	v, notNumber := strconv.ParseFloat(n.Value, 64)
	var words []string // of an enumeration
	for _, part := range strings.Split(field.Tag.Get("jsonschema"), ",") {
		key, text, _ := strings.Cut(part, "=")
		if key == "enum" {
			words = append(words, text)
		}
		bound, err := strconv.ParseFloat(text, 64)
		if err != nil || notNumber != nil || n.Kind != yaml.ScalarNode {
			continue
		}
		want := ""
		switch {
		case key == "minimum" && !(v >= bound):
			want = "at least"
		case key == "exclusiveMinimum" && !(v > bound):
			want = "more than"
		case key == "maximum" && !(v <= bound):
			want = "at most"
		case key == "exclusiveMaximum" && !(v < bound):
			want = "less than"
		default:
			continue
		}
		d.Errorf(n, "%s is %s, want %s %s", name, n.Value, want, text)
	}
	if len(words) > 0 && n.ShortTag() == "!!str" && !slices.Contains(words, n.Value) {
		d.Errorf(n, "%s is %q, want %s%s", name, n.Value, strings.Join(words, " or "), suggest(n.Value, words))
	}
}

// What a spec may ask for at most; more is a slip, or an attempt to fill the
// memory of whoever runs it. Parameters of methods have their bounds in the tags
// of their structs.
const (
	MaxRuns      = 10_000 // seeds, repeats of a split, restarts
	mostTrain    = 1_000_000_000
	maxNeighbors = 100_000 // more than any data set has training samples
	maxPoints    = 10_000  // settings of a grid times restarts
	maxColumns   = 100     // of a spec: a row of the table has a test for every pair
	maxDatasets  = 500     // each is kept in memory
	maxCells     = 200_000 // 2 KiB each while they are planned and shown
	maxTotal     = 1e6     // points of all cells together
	maxVariables = 100     // of the environment that a program is given by name
)
