package spec

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/bounds"
	"r2lmlbench/internal/strictyaml"
)

// checkTags reports the values of a mapping that the jsonschema tags of a struct, to which
// they were decoded, rule out: the same tags that make the JSON Schema. A number beyond its
// bounds becomes 0. Values of the wrong type are left to the decoder.
func checkTags(d *strictyaml.Decoder, n *yaml.Node, v reflect.Value) {
	for _, f := range reflect.VisibleFields(v.Type()) {
		value := strictyaml.Child(n, method.KeyOf(f))
		if value == nil || !f.IsExported() || method.KeyOf(f) == "" {
			continue
		}
		switch field := v.FieldByIndex(f.Index); {
		case field.Kind() == reflect.Struct:
			checkTags(d, value, field)
		case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			for i, item := range strictyaml.Items(value) {
				if i < field.Len() {
					checkTags(d, item, field.Index(i))
				}
			}
		case value.Kind == yaml.ScalarNode && value.ShortTag() == "!!str":
			if words := bounds.Tagged(f, "enum"); len(words) > 0 && !slices.Contains(words, value.Value) {
				d.Errorf(value, "unknown %s %q, want %s%s", method.KeyOf(f), value.Value, strings.Join(words, " or "), suggest(value.Value, words))
			}
		case value.Kind == yaml.ScalarNode:
			number, err := strconv.ParseFloat(value.Value, 64)
			if want := bounds.Beyond(f, number); err == nil && want != "" {
				d.Errorf(value, "%s is %s, want %s", method.KeyOf(f), value.Value, want)
				field.SetZero()
			}
		}
	}
}

// What a spec may ask for at most; more is a slip, or an attempt to fill the
// memory of whoever runs it. Parameters of methods have their bounds in the tags
// of their structs.
const (
	MaxRuns      = 10_000  // seeds, repeats of a split, restarts; the tags have it, too
	maxNeighbors = 100_000 // more than any data set has training samples
	maxPoints    = 10_000  // settings of a grid times restarts
	maxColumns   = 100     // of a spec: a row of the table has a test for every pair
	maxDatasets  = 500     // each is kept in memory
	maxCells     = 200_000 // 2 KiB each while they are planned and shown
	maxTotal     = 1e6     // points of all cells together
	maxOutside   = 100     // variables that a program is given by name, and files that it depends on
)
