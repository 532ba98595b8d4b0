package table

import (
	"fmt"
	"slices"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// Wrong says from the facts of a fit of R2LML what went wrong in it: maps that did not
// move, steps and runs that were taken back, coefficients that collapsed. It is empty for
// a good fit and for other methods. Cells that were stored before maps were compared with
// their start do not tell whether they moved. Settings that diverged and predictions of
// one label are no part of it: a table marks these by itself.
func Wrong(c results.Cell) (all []string) {
	if c.Method != published.Efficient && c.Method != published.Transductive {
		return nil
	}
	say := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	switch moved, ok := results.CountOf(c.Counts, r2lml.MovedFact); {
	case !ok || moved.Count == moved.Of:
	case moved.Count == 0:
		say("the maps did not move")
	default:
		say("%d of %d maps did not move", moved.Of-moved.Count, moved.Of)
	}
	if halvings, _ := results.CountOf(c.Counts, r2lml.HalvingsFact); halvings.Count > 0 {
		say("the step was halved %s after divergence", text.Counted(halvings.Count, "time"))
	}
	if undone, _ := results.CountOf(c.Counts, r2lml.UndoneFact); undone.Count > 0 {
		say("%d of %d runs of block 1 raised the objective, or diverged, and were put back", undone.Count, undone.Of)
	}
	if vertices, ok := results.CountOf(c.Counts, r2lml.VerticesFact); ok && 2*vertices.Count >= vertices.Of {
		say("the coefficients collapsed") // the fact has the counts
	}
	return all
}

// told reports whether Wrong mentions a fact.
func told(f results.Count) bool {
	return slices.Contains([]string{r2lml.MovedFact, r2lml.HalvingsFact, r2lml.UndoneFact}, f.Name)
}
