package gate

import (
	"fmt"

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

// next says what to do about a gate that does not pass: one step, the first that
// others may depend on.
func (g Gate) next(spec Spec) string {
	causes, statuses := map[Cause]int{}, map[string]int{}
	for _, c := range g.Cells {
		causes[c.Cause]++
		statuses[c.Status]++
	}
	run, gate := spec.Run, spec.Gate
	if run == "" {
		run = "r2lmlbench run " + text.ShellWord(g.Spec)
	}
	if gate == "" {
		gate = "r2lmlbench gate " + text.ShellWord(g.Spec)
	}
	accept := "accept it with `" + gate + " --accept`"
	for _, step := range []struct {
		cells    int
		what, do string
	}{
		{causes[NotComputed], "are not computed", "run `" + run + "`"},
		{causes[FailedBefore], "failed", "look at the reasons, then run `" + run + " --fresh --retry-failed`"},
		{causes[OtherBuild], "were made, wholly or in part, by another or an unknown build",
			"compute them again with `" + gate + " --fresh`, or take them as they are with --allow-other-builds"},
		{causes[Lost], "are lost on the accepted side", "restore the accepted cells from version control; where the fresh ones are right, " + accept},
		{statuses[Regressed], "regressed", "fix the regression; where the loss is meant, " + accept},
		{causes[NotAccepted] + causes[Dropped] + causes[OtherInputs], "are not those that were accepted",
			"review the reasons; where the change is meant, " + accept},
		{statuses[Changed], "changed", "look at the differences; where the change is meant, " + accept + "; --allow-changed lets it pass without"},
	} {
		if step.cells > 0 && (step.what != "changed" || !g.allowed) {
			return fmt.Sprintf("%d of %s %s: %s", step.cells, text.Counted(len(g.Cells), "cell"), step.what, step.do)
		}
	}
	return "what is compared is not what was accepted: review the errors; where the change is meant, " + accept
}
