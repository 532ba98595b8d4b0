package spec

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/invopop/jsonschema"

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
	s := strictyaml.Schema(reflect.TypeFor[Spec](), func(t reflect.Type) *jsonschema.Schema {
		if t == reflect.TypeFor[Stanza]() {
			return stanzaSchema()
		}
		return nil
	})
	s.Title = "An experiment of r2lmlbench"
	for key, own := range map[string]func(description string) *jsonschema.Schema{
		"measure":   func(about string) *jsonschema.Schema { return namesSchema(about, measure.Names()) },
		"metrics":   func(about string) *jsonschema.Schema { return namesSchema(about, results.MetricIDs()) },
		"figures":   func(about string) *jsonschema.Schema { return namesSchema(about, Figures) },
		"neighbors": neighborsSchema, "select": selectSchema, "contrast": contrastSchema,
	} {
		property, _ := s.Properties.Get(key)
		s.Properties.Set(key, own(property.Description))
	}
	names, _ := s.Properties.Get("datasets")
	one := &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, dataSchema()}}
	s.Properties.Set("datasets", &jsonschema.Schema{
		Description: names.Description,
		OneOf:       []*jsonschema.Schema{{Type: "string"}, dataSchema(), {Type: "array", Items: one, MinItems: ptr(uint64(1))}},
	})
	methods, _ := s.Properties.Get("methods")
	list := *methods
	list.Description = ""
	s.Properties.Set("methods", &jsonschema.Schema{Description: methods.Description, OneOf: []*jsonschema.Schema{{Const: allMethods}, &list}})
	split, _ := s.Properties.Get("split")
	for _, key := range partKeys {
		path := &jsonschema.Schema{Type: "string", Description: "rule files: the file of the part, from the folder of the spec"}
		size, ok := split.Properties.Get(key)
		if ok {
			number := *size
			number.Description = ""
			path = &jsonschema.Schema{Description: size.Description + "; rule files: the file of the part", OneOf: []*jsonschema.Schema{&number, {Type: "string"}}}
		}
		split.Properties.Set(key, path)
	}
	return s
}

// dataSchema describes a stanza of own data.
func dataSchema() *jsonschema.Schema {
	column := &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "integer", Minimum: "1"}}}
	value := &jsonschema.Schema{Type: "string"}
	value = &jsonschema.Schema{OneOf: []*jsonschema.Schema{value, {Type: "number"}, {Type: "boolean"}, {Type: "null"}}}
	types := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[tabular.Column]():  column,
		reflect.TypeFor[tabular.Columns](): {OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "integer", Minimum: "1"}, listOf(column)}},
		reflect.TypeFor[tabular.Texts]():   {OneOf: append(slices.Clone(value.OneOf), listOf(value))},
		reflect.TypeFor[*tabular.Texts]():  {OneOf: append(slices.Clone(value.OneOf), listOf(value))},
	}
	s := strictyaml.Schema(reflect.TypeFor[Data](), func(t reflect.Type) *jsonschema.Schema {
		s, ok := types[t]
		if !ok {
			return nil
		}
		fresh := *s
		return &fresh
	})
	s.Version = ""
	return s
}

func ptr[T any](v T) *T { return &v }

// stanzaSchema allows, for every method, its own parameters and no others.
func stanzaSchema() *jsonschema.Schema {
	s := new(jsonschema.Schema)
	for _, m := range registry.Methods {
		s.OneOf = append(s.OneOf, schema(m))
	}
	return s
}

func schema(m method.Method) *jsonschema.Schema {
	params := paramsSchema(m)
	sweep := lists(params)
	sweep.Description = "parameters of which every value makes a column"
	s := object()
	s.Title = m.Name
	s.Required = []string{"method"}
	s.Properties.Set("method", &jsonschema.Schema{Const: m.ID})
	s.Properties.Set("name", &jsonschema.Schema{Type: "string", Description: "name of the column; the method's id when not given"})
	s.Properties.Set("only", &jsonschema.Schema{
		Description: "data sets of the spec that the method is fitted to, by id or letter; all when not given",
		OneOf:       []*jsonschema.Schema{{Type: "string"}, listOf(&jsonschema.Schema{Type: "string"})},
	})
	s.Properties.Set("params", params)
	s.Properties.Set("sweep", sweep)
	if !m.Imported {
		s.Properties.Set("restarts", &jsonschema.Schema{
			Type: "integer", Minimum: "0", Maximum: mostRuns, Description: "random starts per grid point, each a grid point of its own",
		})
		s.Properties.Set("seeds", seedsSchema())
		s.Properties.Set("max-train", &jsonschema.Schema{
			Type: "integer", Minimum: "0", Maximum: json.Number(strconv.Itoa(mostTrain)),
			Description: "most training samples of a split, the same number in all stanzas that have it; 0 means that of the spec",
		})
		s.Properties.Set("grid", &jsonschema.Schema{
			Description: "parameters searched on the validation samples, with their values; default is the grid that the command methods shows",
			OneOf:       []*jsonschema.Schema{{Const: defaultGrid}, lists(params)},
		})
		s.Properties.Set("select", selectSchema("how a setting of the grid is chosen; default: that of the spec"))
		reading := strictyaml.Schema(reflect.TypeFor[Reading](), nil).Properties
		for p := reading.Oldest(); p != nil; p = p.Next() {
			if p.Key == "pca" || m.Votes() {
				s.Properties.Set(p.Key, p.Value)
			}
		}
		s.Properties.Set("reading", &jsonschema.Schema{
			Type: "string", MaxLength: ptr(uint64(maxReading)),
			Description: "what the columns of this stanza read otherwise than the paper's table: their row in the readings that verdict prints",
		})
		if m.Transductive {
			s.Properties.Set("unlabeled", &jsonschema.Schema{
				Type: "string", Enum: []any{unlabeledQueries, results.UnlabeledJoint},
				Description: "samples that the method has without their labels: queries (the default), those of the phase, or joint, " +
					"validation and test samples together in both",
			})
		}
		s.Properties.Set("measure", namesSchema("what is measured on the fits of this method, beside what the spec measures on all", measure.Names()))
	}
	if _, ok := m.Family.(method.Outside); ok {
		s.Properties.Set("env", variablesSchema())
	}
	s.Properties.Set("datasets", &jsonschema.Schema{Type: "object", AdditionalProperties: params, Description: "parameters of single data sets"})
	return s
}

// mostRuns is MaxRuns as the schema has it.
var mostRuns = json.Number(strconv.Itoa(MaxRuns))

// seedsSchema allows a number, or numbers by data set.
func seedsSchema() *jsonschema.Schema {
	count := &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: mostRuns}
	return &jsonschema.Schema{
		Description: "fits of the method, selection included; 0 means those of the spec; {all: 1, sonar: 3} gives single data sets their own number",
		OneOf:       []*jsonschema.Schema{count, {Type: "object", AdditionalProperties: count}},
	}
}

// variablesSchema allows names of variables of the environment, one or a list.
func variablesSchema() *jsonschema.Schema {
	one := &jsonschema.Schema{Type: "string", Pattern: method.VariablePattern}
	return &jsonschema.Schema{
		Description: "variables of the environment that the program is given by name, beside the few that every program is given, such as PATH",
		OneOf:       []*jsonschema.Schema{one, {Type: "array", Items: one, MaxItems: ptr(uint64(maxVariables)), UniqueItems: true}},
	}
}

// metricSchema allows the name of a metric.
func metricSchema(description string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string", Description: description}
	for _, id := range results.MetricIDs() {
		s.Enum = append(s.Enum, id)
	}
	return s
}

// namesSchema allows known names, one or a list.
func namesSchema(description string, known []string) *jsonschema.Schema {
	one := &jsonschema.Schema{Type: "string"}
	for _, name := range known {
		one.Enum = append(one.Enum, name)
	}
	return &jsonschema.Schema{
		Description: description,
		OneOf:       []*jsonschema.Schema{one, listOf(one)},
	}
}

// paramsSchema describes the hyper-parameters. None is required here: they may
// come from params, grid or datasets.
func paramsSchema(m method.Method) *jsonschema.Schema {
	s := strictyaml.Schema(m.Family.Prototype(), nil)
	s.Version, s.Required = "", nil
	if s.Properties == nil {
		s = object()
	}
	allowWords(s, m.Family.Prototype())
	if m.Ruled() {
		k, _ := strictyaml.Schema(reflect.TypeFor[method.Rule](), nil).Properties.Get(method.RuleKey)
		s.Properties.Set(method.RuleKey, k)
	}
	if !m.Imported {
		features := strictyaml.Schema(reflect.TypeFor[method.Features](), nil)
		for p := features.Properties.Oldest(); p != nil; p = p.Next() {
			s.Properties.Set(p.Key, p.Value)
		}
	}
	return s
}

// allowWords gives the numbers that may be written as a word, such as auto, that
// choice.
func allowWords(s *jsonschema.Schema, t reflect.Type) {
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		worded, ok := reflect.Zero(t.Field(i).Type).Interface().(strictyaml.Worded)
		p, there := s.Properties.Get(method.KeyOf(t.Field(i)))
		if !ok || !there {
			continue
		}
		number, words := *p, &jsonschema.Schema{Type: "string"}
		number.Description = ""
		for _, word := range slices.Sorted(maps.Keys(worded.Words())) {
			words.Enum = append(words.Enum, word)
		}
		*p = jsonschema.Schema{Description: p.Description, OneOf: []*jsonschema.Schema{&number, words}}
	}
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

// listOf describes the values of a searched parameter.
func listOf(value *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: value, MinItems: ptr(uint64(1))}
}

func object() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
}
