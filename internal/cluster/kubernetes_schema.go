//go:build ignore

// This program writes testdata/kubernetes.schema.json: the schemas of the
// objects in our manifests, out of the OpenAPI documents that Kubernetes
// publishes with a release, as a JSON Schema. Descriptions, defaults and
// extensions are dropped; objects admit no fields but their own.
package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module holds the documents below api/openapi-spec/v3 (Apache-2.0).
const module = "k8s.io/kubernetes@v1.34.2"

// roots are the schemas wanted, by document.
var roots = map[string][]string{
	"apis__batch__v1_openapi.json": {"io.k8s.api.batch.v1.Job"},
	"api__v1_openapi.json":         {"io.k8s.api.core.v1.PersistentVolumeClaim", "io.k8s.api.core.v1.ConfigMap"},
}

func main() {
	log.SetFlags(0)
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	check(err)
	var downloaded struct{ Dir string }
	check(json.Unmarshal(out, &downloaded))
	defs := map[string]any{}
	for document, names := range roots {
		b, err := os.ReadFile(filepath.Join(downloaded.Dir, "api", "openapi-spec", "v3", document))
		check(err)
		var content struct {
			Components struct{ Schemas map[string]any }
		}
		check(json.Unmarshal(b, &content))
		for _, name := range names {
			collect(defs, content.Components.Schemas, name)
		}
	}
	b, err := json.MarshalIndent(map[string]any{
		"$schema":  "https://json-schema.org/draft/2020-12/schema",
		"$comment": "Made by kubernetes_schema.go from " + module + ", api/openapi-spec/v3. Copyright The Kubernetes Authors, Apache License 2.0.",
		"$defs":    defs,
	}, "", " ")
	check(err)
	check(os.WriteFile(filepath.Join("testdata", "kubernetes.schema.json"), append(b, '\n'), 0o666))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// collect adds a schema, and those it refers to, to defs.
func collect(defs, schemas map[string]any, name string) {
	if _, known := defs[name]; known {
		return
	}
	defs[name] = nil // for schemas that refer to themselves
	defs[name] = plain(schemas[name], func(ref string) { collect(defs, schemas, ref) })
}

const components = "#/components/schemas/"

// plain copies a schema and tells refer which others it refers to.
func plain(schema any, refer func(name string)) any {
	object, ok := schema.(map[string]any)
	if !ok {
		if list, ok := schema.([]any); ok {
			var copied []any
			for _, item := range list {
				copied = append(copied, plain(item, refer))
			}
			return copied
		}
		return schema
	}
	copied := map[string]any{}
	for key, value := range object {
		switch {
		case key == "description" || key == "default" || key == "format" || strings.HasPrefix(key, "x-kubernetes-"):
		case key == "properties":
			properties := map[string]any{} // whose names are no keywords
			for name, property := range value.(map[string]any) {
				properties[name] = plain(property, refer)
			}
			copied[key] = properties
		case key == "$ref":
			name := strings.TrimPrefix(value.(string), components)
			refer(name)
			copied[key] = "#/$defs/" + name
		default:
			copied[key] = plain(value, refer)
		}
	}
	if _, free := copied["additionalProperties"]; copied["properties"] != nil && !free {
		copied["additionalProperties"] = false
	}
	return copied
}
