package experiments

import (
	"embed"
	"strings"
)

// Specs are the files, by name, with the data that belong to some.
//
//go:embed *.yaml iris.csv
var Specs embed.FS

// Names lists the names of the specs that the program carries, sorted.
func Names() []string {
	files, err := Specs.ReadDir(".")
	if err != nil {
		panic(err) // an embedded root always reads
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	return names
}
