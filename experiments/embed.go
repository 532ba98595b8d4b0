package experiments

import (
	"embed"
	"strings"
)

// Specs are the files, by name.
//
//go:embed *.yaml
var Specs embed.FS

// Names lists the names of the specs that the program carries, sorted.
func Names() []string {
	files, err := Specs.ReadDir(".")
	if err != nil {
		panic(err) // an embedded root always reads
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".yaml")
	}
	return names
}
