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

// Of returns the diagnosis of a cell.
func Of(c results.Cell) Diagnosis {
	if !learned(c) {
		return Diagnosis{}
	}
	var d Diagnosis
	d.maps(c)
	d.divergence(c)
	d.coefficients(c)
	d.add(wordsOf(c.Constant(), "all predictions are one label", "the predictions are not constant"), false)
	return d
}

// learned tells whether R2LML made a cell.
func learned(c results.Cell) bool {
	return c.Method == published.Efficient || c.Method == published.Transductive
}

// Told tells whether a fact is one that a diagnosis puts in words where it matters.
func Told(f results.Fact) bool {
	return slices.Contains([]string{r2lml.MovedFact, r2lml.HalvingsFact, r2lml.UndoneFact}, f.Name)
}

// Diverged counts the points of the grid whose fit diverged, and all points. A cell
// without a grid has none.
func Diverged(c results.Cell) (diverged, points int) {
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

// add adds a part of the line.
func (d *Diagnosis) add(part string, wrong bool) {
	d.Line = text.Join("; ", d.Line, part)
	if wrong {
		d.Wrong = append(d.Wrong, part)
	}
}

// maps says how many maps moved.
func (d *Diagnosis) maps(c results.Cell) {
	moved, ok := results.FactOf(c.Facts, r2lml.MovedFact)
	switch {
	case !ok:
		d.add("whether the maps moved is not known", false)
	case moved.Count == moved.Of:
		d.add("the maps moved", false)
	case moved.Count == 0:
		d.add("the maps did not move", true)
	default:
		d.add(fmt.Sprintf("%d of %d maps did not move", moved.Of-moved.Count, moved.Of), true)
	}
}

// divergence says how many fits diverged. Tables tell of grid points that failed.
func (d *Diagnosis) divergence(c results.Cell) {
	diverged, points := Diverged(c)
	halvings, auto := results.FactOf(c.Facts, r2lml.HalvingsFact)
	undone, _ := results.FactOf(c.Facts, r2lml.UndoneFact)
	switch {
	case diverged > 0:
		d.add(fmt.Sprintf("%d of %d grid points diverged", diverged, points), false)
	case auto && halvings.Count == 0 && undone.Count == 0:
		d.add("the fit with the chosen setting did not diverge", false)
	case halvings.Count == 0 && undone.Count == 0:
		d.add("no fit diverged", false)
	}
	if halvings.Count > 0 {
		d.add("the step was halved "+text.Counted(halvings.Count, "time")+" after divergence", true)
	}
	if undone.Count > 0 {
		d.add(fmt.Sprintf("%d of %d runs of block 1 raised the objective, or diverged, and were put back", undone.Count, undone.Of), true)
	}
}

// coefficients says whether most samples have the coefficients of a single metric.
func (d *Diagnosis) coefficients(c results.Cell) {
	vertices, ok := results.FactOf(c.Facts, r2lml.VerticesFact)
	if !ok {
		return
	}
	if 2*vertices.Count >= vertices.Of {
		const collapsed = "the coefficients collapsed"
		d.add(fmt.Sprintf("%s: %d of %d samples have those of one metric alone", collapsed, vertices.Count, vertices.Of), false)
		d.Wrong = append(d.Wrong, collapsed) // tables have the counts as a fact
		return
	}
	d.add("the coefficients did not collapse", false)
}

// wordsOf picks one of two texts.
func wordsOf(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}
