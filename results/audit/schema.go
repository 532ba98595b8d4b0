package audit

import (
	"reflect"

	"github.com/invopop/jsonschema"
)

// Schema returns the JSON Schema of tables, generated from the Go types.
func Schema() *jsonschema.Schema {
	r := &jsonschema.Reflector{
		FieldNameTag:               "yaml",
		RequiredFromJSONSchemaTags: true,
		DoNotReference:             true,
		Anonymous:                  true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			switch t {
			case reflect.TypeFor[Printed]():
				return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "string", Pattern: printedNumber.String()}, {Type: "null"}}}
			case reflect.TypeFor[Rank]():
				return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "integer", Minimum: "1"}, {Type: "null"}}}
			}
			return nil
		},
	}
	s := r.ReflectFromType(reflect.TypeFor[Table]())
	s.Title = "A printed table, for r2lmlbench audit"
	return s
}
