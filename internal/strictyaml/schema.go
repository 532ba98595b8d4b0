package strictyaml

import (
	"reflect"

	"github.com/invopop/jsonschema"
)

// Schema returns the JSON Schema of the YAML that [Decoder.Decode] accepts for a struct: its
// keys come from the yaml tags, bounds and descriptions from the jsonschema tags. If own
// returns a schema for a type, that one is used; own may be nil.
func Schema(t reflect.Type, own func(reflect.Type) *jsonschema.Schema) *jsonschema.Schema {
	r := &jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, DoNotReference: true, Anonymous: true, Mapper: own}
	return r.ReflectFromType(t)
}
