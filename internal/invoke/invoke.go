// Package invoke spells command lines of the program, for whoever tells a reader
// what to run. The command itself, package cli, names its flags by the same
// constants.
package invoke

import (
	"strings"

	"r2lmlbench/internal/text"
)

// Flags of commands that read or compute cells.
const (
	Results  = "results"
	Datasets = "datasets"
	Methods  = "methods"
)

// A Run computes the cells of a spec. Empty fields are left to their defaults.
type Run struct {
	Spec     string // name or path
	Datasets string // only these data sets
	Methods  string // only these methods
	Results  string // directory of the cells
}

// String is the command line.
func (r Run) String() string {
	var b strings.Builder
	b.WriteString("r2lmlbench run " + text.ShellWord(r.Spec))
	for _, flag := range []struct{ name, value string }{{Datasets, r.Datasets}, {Methods, r.Methods}, {Results, r.Results}} {
		if flag.value != "" {
			b.WriteString(" --" + flag.name + " " + text.ShellWord(flag.value))
		}
	}
	return b.String()
}

// Fetch is the command line that gets a data set.
func Fetch(dataset string) string { return "r2lmlbench data fetch " + text.ShellWord(dataset) }
