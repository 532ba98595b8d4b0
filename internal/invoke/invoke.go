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
	Accepted = "accepted"
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
	return "r2lmlbench run " + text.ShellWord(r.Spec) + flags(r.narrow())
}

// narrow lists the flags of a run with their values.
func (r Run) narrow() [][2]string {
	return [][2]string{{Datasets, r.Datasets}, {Methods, r.Methods}, {Results, r.Results}}
}

// flags spells the flags that have a value.
func flags(all [][2]string) string {
	var b strings.Builder
	for _, flag := range all {
		if name, value := flag[0], flag[1]; value != "" {
			b.WriteString(" --" + name + " " + text.ShellWord(value))
		}
	}
	return b.String()
}

// A Gate compares the cells of a run with the accepted ones in a directory.
type Gate struct {
	Run
	Accepted string // empty: the default
}

// String is the command line.
func (g Gate) String() string {
	return "r2lmlbench gate " + text.ShellWord(g.Spec) + flags(append(g.narrow(), [2]string{Accepted, g.Accepted}))
}

// Fetch is the command line that gets a data set.
func Fetch(dataset string) string { return "r2lmlbench data fetch " + text.ShellWord(dataset) }
