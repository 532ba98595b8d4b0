package experiments

import (
	"embed"
	"strings"
)

// Specs holds the spec files by name, and the data file of iris.
//
//go:embed *.yaml iris.csv mixed.csv
var Specs embed.FS

// Paper is the spec of the paper's table.
const Paper = "accuracy"

// Names returns the names of the embedded specs, sorted.
func Names() []string {
	files, err := Specs.ReadDir(".")
	if err != nil {
		panic(err) // cannot happen: the files are embedded
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	return names
}
