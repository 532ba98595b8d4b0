package strictyaml

import (
	"reflect"

	"github.com/invopop/jsonschema"
)

// Schema returns the JSON Schema of what [Decoder.Decode] takes for a struct: keys are
// those of the tags yaml, bounds and descriptions those of the tags jsonschema. Types of
// which own returns a schema have that one; own may be nil.
func Schema(t reflect.Type, own func(reflect.Type) *jsonschema.Schema) *jsonschema.Schema {
	r := &jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, DoNotReference: true, Anonymous: true, Mapper: own}
	return r.ReflectFromType(t)
}
