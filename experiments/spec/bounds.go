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

// checkTags reports the values of a mapping that violate the jsonschema tags of their struct,
// which also make the JSON Schema. A number out of bounds becomes 0. The decoder reports values
// of the wrong type.
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
			if words := strictyaml.Tagged(f, "enum"); len(words) > 0 && !slices.Contains(words, value.Value) {
				d.Errorf(value, "unknown %s %q, want %s%s", method.KeyOf(f), value.Value, strings.Join(words, " or "), suggest(value.Value, words))
			}
		case value.Kind == yaml.ScalarNode:
			number, err := strconv.ParseFloat(value.Value, 64)
			if want := strictyaml.Beyond(f, number); err == nil && want != "" {
				d.Errorf(value, "%s is %s, want %s", method.KeyOf(f), value.Value, want)
				field.SetZero()
			}
		}
	}
}

// Limits of a spec; more is a mistake, or an attempt to fill the memory of the
// machine. The bounds of parameters of methods are in the tags of their structs.
const (
	MaxRuns      = 10_000  // seeds, repeats of a split, restarts; the tags have it, too
	maxNeighbors = 100_000 // more than any data set has training samples
	maxPoints    = 10_000  // settings of a grid times restarts
	maxColumns   = 100     // of a spec: a row of the table has a test for every pair
	maxDatasets  = 500     // each is kept in memory
	maxCells     = 200_000 // 2 KiB each while they are planned and shown
	maxTotal     = 1e6     // settings of all cells together
	maxOutside   = 100     // variables passed to a program, and files that it depends on
)
