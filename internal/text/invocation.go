package text

// Flags of commands that read or compute cells: package cli defines them by these names, and
// messages quote them.
const (
	ResultsFlag  = "results"
	AcceptedFlag = "accepted"
	DatasetsFlag = "datasets"
	MethodsFlag  = "methods"
)

// An Invocation is a command line that computes the cells of a spec. Empty fields stay at their
// defaults.
type Invocation struct {
	Spec     string // name or path
	Datasets string // only these data sets
	Methods  string // only these methods
	Results  string // directory of the cells
}

// String is the command line.
func (r Invocation) String() string { return r.line("run", "") }

// Gate returns the command line that compares the cells with those in the directory accepted;
// empty means the default.
func (r Invocation) Gate(accepted string) string { return r.line("gate", accepted) }

// Verdict is the command line that judges the same cells.
func (r Invocation) Verdict() string { return r.line("verdict", "") }

func (r Invocation) line(verb, accepted string) string {
	all := "r2lmlbench " + verb + " " + ShellWord(r.Spec)
	for _, flag := range [][2]string{{DatasetsFlag, r.Datasets}, {MethodsFlag, r.Methods}, {ResultsFlag, r.Results}, {AcceptedFlag, accepted}} {
		if flag[1] != "" {
			all += " --" + flag[0] + " " + ShellWord(flag[1])
		}
	}
	return all
}

// FetchCommand is the command line that gets a data set.
func FetchCommand(dataset string) string { return "r2lmlbench data fetch " + ShellWord(dataset) }
