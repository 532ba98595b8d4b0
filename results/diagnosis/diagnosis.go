// Package diagnosis says from the cell of a fit of R2LML what became of the fit:
// whether the maps moved, whether fits diverged, whether the coefficients collapsed,
// and whether the predictions are constant.
package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
)

// A Diagnosis is in plain words. That of a cell of another method is empty. Cells that
// were stored before maps were compared with their start do not tell whether they moved.
type Diagnosis struct {
	Line  string   // all that is known
	Wrong []string // the parts of it that a reader of a table should know and does not see there
}

// Told tells whether a fact is one that a diagnosis puts in words where it matters.
func Told(f results.Fact) bool {
	return slices.Contains([]string{r2lml.MovedFact, r2lml.HalvingsFact, r2lml.UndoneFact}, f.Name)
}

// Of returns the diagnosis of a cell.
func Of(c results.Cell) Diagnosis {
	var d Diagnosis
	if c.Method != published.Efficient && c.Method != published.Transductive {
		return d
	}
	say := func(format string, values ...any) string {
		part := fmt.Sprintf(format, values...)
		d.Line = text.Join("; ", d.Line, part)
		return part
	}
	wrong := func(format string, values ...any) { d.Wrong = append(d.Wrong, say(format, values...)) }

	switch moved, ok := results.FactOf(c.Facts, r2lml.MovedFact); {
	case !ok:
		say("whether the maps moved is not known")
	case moved.Count == moved.Of:
		say("the maps moved")
	case moved.Count == 0:
		wrong("the maps did not move")
	default:
		wrong("%d of %d maps did not move", moved.Of-moved.Count, moved.Of)
	}

	diverged, points := diverged(c)
	halvings, auto := results.FactOf(c.Facts, r2lml.HalvingsFact)
	undone, _ := results.FactOf(c.Facts, r2lml.UndoneFact)
	switch {
	case diverged > 0: // tables tell of grid points that failed
		say("%d of %d grid points diverged", diverged, points)
	case halvings.Count > 0 || undone.Count > 0:
	case auto:
		say("the fit with the chosen setting did not diverge")
	default:
		say("no fit diverged")
	}
	if halvings.Count > 0 {
		wrong("the step was halved %s after divergence", text.Counted(halvings.Count, "time"))
	}
	if undone.Count > 0 {
		wrong("%d of %d runs of block 1 raised the objective, or diverged, and were put back", undone.Count, undone.Of)
	}

	switch vertices, ok := results.FactOf(c.Facts, r2lml.VerticesFact); {
	case !ok:
	case 2*vertices.Count >= vertices.Of:
		say("the coefficients collapsed: %d of %d samples have those of one metric alone", vertices.Count, vertices.Of)
		d.Wrong = append(d.Wrong, "the coefficients collapsed") // tables have the counts as a fact
	default:
		say("the coefficients did not collapse")
	}

	if c.Constant() {
		say("all predictions are one label")
	} else {
		say("the predictions are not constant")
	}
	return d
}

// diverged counts the points of the grid whose fit diverged, and all points. A cell
// without a grid has none.
func diverged(c results.Cell) (diverged, points int) {
	if c.Validation == nil {
		return 0, 0
	}
	for _, reason := range c.Validation.Failures {
		if strings.Contains(reason, r2lml.DivergenceText) {
			diverged++
		}
	}
	return diverged, len(c.Validation.Correct)
}
