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
func (r Run) String() string { return r.line("run", "") }

// Gate is the command line that compares the same cells with the accepted ones in a
// directory; empty: the default.
func (r Run) Gate(accepted string) string { return r.line("gate", accepted) }

func (r Run) line(verb, accepted string) string {
	all := "r2lmlbench " + verb + " " + text.ShellWord(r.Spec)
	for _, flag := range [][2]string{{Datasets, r.Datasets}, {Methods, r.Methods}, {Results, r.Results}, {Accepted, accepted}} {
		if flag[1] != "" {
			all += " --" + flag[0] + " " + text.ShellWord(flag[1])
		}
	}
	return all
}

// Fetch is the command line that gets a data set.
func Fetch(dataset string) string { return "r2lmlbench data fetch " + text.ShellWord(dataset) }
