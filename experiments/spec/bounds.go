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
	name, bounds := method.KeyOf(field), boundsOf(field)
	if len(bounds.enum) > 0 {
		if n.ShortTag() == "!!str" && !slices.Contains(bounds.enum, n.Value) {
			d.Errorf(n, "%s is %q, want %s%s", name, n.Value, strings.Join(bounds.enum, " or "), suggest(n.Value, bounds.enum))
		}
		return
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || n.Kind != yaml.ScalarNode {
		return
	}
	for _, b := range bounds.limits {
		if !b.allows(v) {
			d.Errorf(n, "%s is %s, want %s %s", name, n.Value, b.words, b.text)
		}
	}
}

// A valueBounds is what jsonschema tags say of a parameter.
type valueBounds struct {
	enum   []string
	limits []limit
}

type limit struct {
	text, words string
	allows      func(v float64) bool
}

func boundsOf(field reflect.StructField) (b valueBounds) {
	for _, part := range strings.Split(field.Tag.Get("jsonschema"), ",") {
		key, text, _ := strings.Cut(part, "=")
		if key == "enum" {
			b.enum = append(b.enum, text)
			continue
		}
		bound, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue
		}
		switch key {
		case "minimum":
			b.limits = append(b.limits, limit{text, "at least", func(v float64) bool { return v >= bound }})
		case "exclusiveMinimum":
			b.limits = append(b.limits, limit{text, "more than", func(v float64) bool { return v > bound }})
		case "maximum":
			b.limits = append(b.limits, limit{text, "at most", func(v float64) bool { return v <= bound }})
		case "exclusiveMaximum":
			b.limits = append(b.limits, limit{text, "less than", func(v float64) bool { return v < bound }})
		}
	}
	return b
}

// What a spec may ask for at most; more is a slip, or an attempt to fill the
// memory of whoever runs it. Parameters of methods have their bounds in the tags
// of their structs.
const (
	MaxRuns      = 10_000  // seeds, repeats of a split, restarts
	maxNeighbors = 100_000 // more than any data set has training samples
	maxPoints    = 10_000  // settings of a grid times restarts
	maxColumns   = 100     // of a spec: a row of the table has a test for every pair
	maxDatasets  = 500     // each is kept in memory
	maxCells     = 200_000 // 2 KiB each while they are planned and shown
	maxTotal     = 1e6     // points of all cells together
	maxVariables = 100     // of the environment that a program is given by name
)
