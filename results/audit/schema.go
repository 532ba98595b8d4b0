package audit

import (
	"reflect"

	"github.com/invopop/jsonschema"

	"r2lmlbench/internal/strictyaml"
)

// Schema returns the JSON Schema of tables, generated from the Go types.
func Schema() *jsonschema.Schema {
	s := strictyaml.Schema(reflect.TypeFor[Table](), func(t reflect.Type) *jsonschema.Schema {
		switch t {
		case reflect.TypeFor[Printed]():
			return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "string", Pattern: printedNumber.String()}, {Type: "null"}}}
		case reflect.TypeFor[Rank]():
			return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "integer", Minimum: "1"}, {Type: "null"}}}
		}
		return nil
	})
	s.Title = "A printed table, for r2lmlbench audit"
	return s
}
