package spec

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/results"
)

// Schema returns the JSON Schema of specs, generated from the Go types: Spec,
// and the hyper-parameter struct of every method in the registry.
func Schema() *jsonschema.Schema {
	s := strictyaml.Schema(reflect.TypeFor[Spec](), own)
	s.Title = "An experiment of r2lmlbench"
	for key, known := range map[string][]string{"measure": measure.Names(), "metrics": results.MetricIDs(), "figures": Figures} {
		allowOnly(property(s, key), known)
	}
	allowOnly(property(property(s, "test"), "metric"), results.MetricIDs())
	methods := property(s, "methods")
	methods.OneOf, methods.Items, methods.Type = []*jsonschema.Schema{{Const: allMethods}, listOf(methods.Items)}, nil, ""
	for _, key := range partKeys {
		size := property(property(s, "split"), key)
		if key == "test" {
			size = &jsonschema.Schema{Type: "string", Description: "rule files: the file of the part, from the folder of the spec"}
		} else {
			about := size.Description
			*size = *either(&jsonschema.Schema{Type: "number", Minimum: "0"}, &jsonschema.Schema{Type: "string"})
			size.Description = about + "; rule files: the file of the part"
		}
		property(s, "split").Properties.Set(key, size)
	}
	return s
}

// own returns the schema of a type that is not written as a mapping of its fields; nil for others.
func own(t reflect.Type) *jsonschema.Schema {
	name, column := &jsonschema.Schema{Type: "string"}, either(&jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "integer", Minimum: "1"})
	switch t {
	case reflect.TypeFor[yaml.Node](): // its content depends on the method
		return object()
	case reflect.TypeFor[[]string]():
		return either(name, listOf(name))
	case reflect.TypeFor[KList]():
		most := json.Number(strconv.Itoa(maxNeighbors))
		list := listOf(&jsonschema.Schema{Type: "integer", Minimum: "1", Maximum: most})
		list.UniqueItems = true
		return either(&jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: most}, list)
	case reflect.TypeFor[Seeds]():
		count := &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: json.Number(strconv.Itoa(MaxRuns))}
		return either(count, &jsonschema.Schema{Type: "object", AdditionalProperties: count})
	case reflect.TypeFor[Select]():
		type fields Select
		s := schemaOf[fields]()
		allowOnly(property(s, "metric"), results.MetricIDs())
		metric := *property(s, "metric")
		metric.Description = ""
		return either(&metric, s)
	case reflect.TypeFor[Contrasts]():
		return oneOrMore(schemaOf[Pairing]())
	case reflect.TypeFor[Sets]():
		return oneOrMore(name, schemaOf[Data]())
	case reflect.TypeFor[tabular.ColumnRef]():
		return column
	case reflect.TypeFor[tabular.Columns]():
		return oneOrMore(column.OneOf...)
	case reflect.TypeFor[tabular.Texts]():
		return oneOrMore(name, &jsonschema.Schema{Type: "number"}, &jsonschema.Schema{Type: "boolean"}, &jsonschema.Schema{Type: "null"})
	case reflect.TypeFor[MethodBlock]():
		s := new(jsonschema.Schema)
		for _, m := range registry.Methods {
			s.OneOf = append(s.OneOf, stanzaOf(m))
		}
		return s
	}
	return nil
}

// stanzaOf restricts the block of a method to its own parameters and the keys that apply to
// it.
func stanzaOf(m method.Method) *jsonschema.Schema {
	type fields MethodBlock
	s, params := schemaOf[fields](), paramsOf(m)
	s.Title = m.Name
	s.Properties.Set("method", &jsonschema.Schema{Const: m.ID})
	describe := func(key string, of *jsonschema.Schema) {
		of.Description = property(s, key).Description
		s.Properties.Set(key, of)
	}
	describe("params", params)
	describe("sweep", lists(params))
	describe("grid", either(&jsonschema.Schema{Const: defaultGrid}, lists(params)))
	describe("datasets", &jsonschema.Schema{Type: "object", AdditionalProperties: params})
	allowOnly(property(s, "measure"), measure.Names())
	most := uint64(maxOutside)
	for key, pattern := range map[string]string{"env": method.VariablePattern, "depends": "."} {
		one, list := property(s, key).OneOf[0], property(s, key).OneOf[1]
		one.Pattern, list.Items.Pattern, list.MaxItems, list.UniqueItems = pattern, pattern, &most, true
	}
	_, outside := m.Family.(method.Outside)
	for _, some := range []struct {
		have bool
		keys []string
	}{
		{!m.Imported, []string{"restarts", "seeds", "grid", "select", "pca", "reading", "measure"}},
		{m.Votes(), []string{"ties", "distances"}},
		{m.Transductive, []string{"unlabeled"}},
		{outside, []string{"env", "depends"}},
	} {
		for _, key := range some.keys {
			if !some.have {
				s.Properties.Delete(key)
			}
		}
	}
	return s
}

// paramsOf describes the hyper-parameters of a method. None is required here: they may
// come from params, grid or datasets.
func paramsOf(m method.Method) *jsonschema.Schema {
	t := m.Family.Prototype()
	s := strictyaml.Schema(t, nil)
	s.Version, s.Required = "", nil
	if s.Properties == nil {
		s = object()
	}
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		worded, ok := reflect.Zero(t.Field(i).Type).Interface().(strictyaml.Worded)
		if p := property(s, method.KeyOf(t.Field(i))); ok && p != nil { // a number or a word, such as auto
			number, words := *p, &jsonschema.Schema{Type: "string"}
			number.Description = ""
			allowOnly(words, slices.Sorted(maps.Keys(worded.Words())))
			*p = *either(&number, words)
			p.Description = t.Field(i).Tag.Get("jsonschema_description")
		}
	}
	var common []reflect.Type
	if !m.Imported {
		common = append(common, reflect.TypeFor[method.Features]())
	}
	if m.Ruled() {
		common = append(common, reflect.TypeFor[method.Rule]())
	}
	for _, t := range common {
		for p := strictyaml.Schema(t, nil).Properties.Oldest(); p != nil; p = p.Next() {
			s.Properties.Set(p.Key, p.Value)
		}
	}
	return s
}

// lists describes lists of values by parameter.
func lists(params *jsonschema.Schema) *jsonschema.Schema {
	s := object()
	for p := params.Properties.Oldest(); p != nil; p = p.Next() {
		s.Properties.Set(p.Key, listOf(p.Value))
	}
	if params.AdditionalProperties != jsonschema.FalseSchema {
		s.AdditionalProperties = listOf(params.AdditionalProperties)
	}
	return s
}

// schemaOf is the schema of a struct within another schema.
func schemaOf[T any]() *jsonschema.Schema {
	s := strictyaml.Schema(reflect.TypeFor[T](), own)
	s.Version = ""
	return s
}

// property is the schema of a key, nil without it.
func property(s *jsonschema.Schema, key string) *jsonschema.Schema {
	p, _ := s.Properties.Get(key)
	return p
}

// allowOnly restricts a text, or one and a list of them, to known words.
func allowOnly(s *jsonschema.Schema, known []string) {
	if len(s.OneOf) > 0 {
		s = s.OneOf[0] // the schema of the items
	}
	for _, word := range known {
		s.Enum = append(s.Enum, word)
	}
}

func either(schemas ...*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: schemas}
}

// oneOrMore allows one item of these kinds, or a list of them.
func oneOrMore(kinds ...*jsonschema.Schema) *jsonschema.Schema {
	item := either(kinds...)
	if len(kinds) == 1 {
		item = kinds[0]
	}
	return either(append(slices.Clone(kinds), listOf(item))...)
}

func listOf(value *jsonschema.Schema) *jsonschema.Schema {
	least := uint64(1)
	return &jsonschema.Schema{Type: "array", Items: value, MinItems: &least}
}

func object() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
}
