package gate

import (
	"fmt"
	"slices"

	"r2lmlbench/internal/text"
)

// A Cause is the sort of reason for which a cell cannot be compared.
type Cause string

// The causes of an error.
const (
	NotComputed  Cause = "not-computed"  // there is no fresh cell
	FailedBefore Cause = "failed"        // there is none of this build, since computing it failed
	OtherBuild   Cause = "other-build"   // another or an unknown build had a part in the fresh cell
	Lost         Cause = "accepted-lost" // the accepted cell is missing or damaged
	NotAccepted  Cause = "not-accepted"  // there is no accepted cell
	Dropped      Cause = "dropped"       // the spec does not ask for the accepted cell any more
	OtherInputs  Cause = "other-inputs"  // other data, settings or test labels
)

// A step is what to do about the cells of one sort in a gate that does not pass.
type step struct {
	of       func(Cell) bool
	one      string // what one of several cells is
	many     string // what several are
	together string // in place of both, where their number says nothing
	do       string
}

// newSteps are the steps that a gate may ask for, those first that others may depend on.
func newSteps(spec Spec) []step {
	run, gate := spec.Run, spec.Gate
	if run == "" {
		run = "r2lmlbench run " + text.ShellWord(spec.Name)
	}
	if gate == "" {
		gate = "r2lmlbench gate " + text.ShellWord(spec.Name)
	}
	cause := func(causes ...Cause) func(Cell) bool {
		return func(c Cell) bool { return slices.Contains(causes, c.Cause) }
	}
	status := func(status string) func(Cell) bool { return func(c Cell) bool { return c.Status == status } }
	accept := "accept it with `" + gate + " --accept`"
	others := "made, wholly or in part, by another or an unknown build"
	missing := step{of: cause(NotComputed), one: "is not computed", many: "are not computed", do: "run `" + run + "`"}
	unknown := step{of: cause(NotAccepted, Dropped, OtherInputs), one: "is not the one that was accepted", many: "are not those that were accepted",
		do: "review the reasons; where the change is meant, " + accept}
	if spec.Unaccepted {
		missing.do += ", then accept the results with `" + gate + " --accept`"
		unknown = step{of: cause(NotAccepted), together: "nothing is accepted yet", do: "look at the results, then accept them with `" + gate + " --accept`"}
	}
	steps := []step{
		missing,
		{of: cause(FailedBefore), one: "failed", many: "failed", do: "look at the reasons, then run `" + run + " --fresh --retry-failed`"},
		{of: cause(OtherBuild), one: "was " + others, many: "were " + others,
			do: "compute them again with `" + gate + " --fresh`, or take them as they are with --allow-other-builds"},
		{of: cause(Lost), one: "is lost on the accepted side", many: "are lost on the accepted side",
			do: "restore the accepted cells from version control; where the fresh ones are right, " + accept},
		{of: status(Regressed), one: "regressed", many: "regressed", do: "fix the regression; where the loss is meant, " + accept},
		unknown,
	}
	if !spec.AllowChanged {
		steps = append(steps, step{of: status(Changed), one: "changed", many: "changed",
			do: "look at the differences; where the change is meant, " + accept + "; --allow-changed lets it pass without"})
	}
	steps = append(steps, step{of: func(Cell) bool { return false }, together: "all cells are the accepted ones, but not the table they make",
		do: "compare `r2lmlbench table` of this build and of the accepted one; where the change is meant, " + accept})
	return append(steps, step{of: func(Cell) bool { return true }, together: "what is compared is not what was accepted",
		do: "review the errors; where the change is meant, " + accept})
}

// next says what to do about a gate that does not pass: the first step that its cells
// ask for.
func (g Gate) next() string {
	last := len(g.steps) - 1
	for _, s := range g.steps[:last] {
		n := 0
		for _, c := range g.Cells {
			if s.of(c) {
				n++
			}
		}
		if n > 0 {
			return s.about(n, len(g.Cells))
		}
	}
	if len(g.Tables) > 0 {
		return g.steps[last-1].about(0, 0)
	}
	return g.steps[last].about(0, 0)
}

// about is the step for so many cells of all.
func (s step) about(n, all int) string {
	if s.together != "" {
		return s.together + ": " + s.do
	}
	return fmt.Sprintf("%d of %s %s: %s", n, text.Counted(all, "cell"), text.Agree(n, s.one, s.many), s.do)
}

// remedy says what to do about one cell that does not pass.
func (g Gate) remedy(c Cell) string {
	i := slices.IndexFunc(g.steps, func(s step) bool { return s.of(c) })
	return g.steps[i].do // the last one is for all
}
