// Package invoke spells command lines of the program, for whoever tells a reader
// what to run. The command itself, package cli, names its flags by the same
// constants.
package invoke

import "r2lmlbench/internal/text"

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
	return line("run", r.Spec, Datasets, r.Datasets, Methods, r.Methods, Results, r.Results)
}

// line spells a command with the flags, by name and value, that have a value.
func line(verb, spec string, flags ...string) string {
	all := "r2lmlbench " + verb + " " + text.ShellWord(spec)
	for i := 0; i < len(flags); i += 2 {
		if value := flags[i+1]; value != "" {
			all += " --" + flags[i] + " " + text.ShellWord(value)
		}
	}
	return all
}

// A Gate compares the cells of a run with the accepted ones in a directory.
type Gate struct {
	Run
	Accepted string // empty: the default
}

// String is the command line.
func (g Gate) String() string {
	return line("gate", g.Spec, Datasets, g.Datasets, Methods, g.Methods, Results, g.Results, Accepted, g.Accepted)
}

// Fetch is the command line that gets a data set.
func Fetch(dataset string) string { return "r2lmlbench data fetch " + text.ShellWord(dataset) }
