package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// changed lists the cells of a comparison that are not the same as before.
func (a Against) changed() []gate.Cell {
	var all []gate.Cell
	for _, c := range a.Gate.Cells {
		if c.Status != gate.Pass || c.Reason != "" {
			all = append(all, c)
		}
	}
	return all
}

// summary counts the cells by what became of them.
func (a Against) summary() string {
	n := map[string]int{}
	for _, c := range a.Gate.Cells {
		n[c.Status]++
	}
	return fmt.Sprintf("%s in both: %d the same, %d changed, %d regressed, %d that cannot be compared; %d new, %d gone",
		text.Counted(len(a.Gate.Cells), "cell"), n[gate.Pass], n[gate.Changed], n[gate.Regressed], n[gate.Error], len(a.New), len(a.Gone))
}

// changesLead says how many cells and verdicts differ. New and gone cells do, and those that
// cannot be compared.
func (in Input) changesLead() string {
	a := in.Against
	cells, verdicts := len(a.changed())+len(a.New)+len(a.Gone), len(a.Verdicts)
	judged := in.Verdicts.Summary.Numbers > 0
	switch {
	case cells == 0 && verdicts == 0 && judged:
		return "No cell and no verdict differs."
	case cells == 0 && verdicts == 0:
		return "No cell differs."
	case cells == 0:
		return fmt.Sprintf("The runs of this spec are the same. By runs of other specs, %s %s changed.",
			text.Counted(verdicts, "verdict"), text.Agree(verdicts, "has", "have"))
	case verdicts > 0:
		return fmt.Sprintf("%s and %s differ.", text.Counted(cells, "cell"), text.Counted(verdicts, "verdict"))
	case judged:
		return fmt.Sprintf("%s %s, no verdict does.", text.Counted(cells, "cell"), text.Agree(cells, "differs", "differ"))
	}
	return fmt.Sprintf("%s %s.", text.Counted(cells, "cell"), text.Agree(cells, "differs", "differ"))
}

// words say what a verdict was and what it is.
func (c VerdictChange) words() string {
	return "was “" + c.Before.Verdict + "”, is “" + c.Now.Verdict + "”"
}

// wordBefore is what a verdict was, empty where it is the same.
func (a *Against) wordBefore(v verdict.Verdict) string {
	if a == nil {
		return ""
	}
	for _, c := range a.Verdicts {
		if c.Now.Dataset == v.Dataset && c.Now.Method == v.Method {
			return c.Before.Verdict
		}
	}
	return ""
}

// numberTitle names a printed number.
func (in Input) numberTitle(v verdict.Verdict) string {
	title := strings.TrimSpace(v.Letter + " " + v.Dataset)
	for _, r := range in.Table.Rows {
		if r.Dataset == v.Dataset {
			title = rowTitle(r)
		}
	}
	return title + " / " + in.name(v.Method)
}

// changeHead names the columns of the comparison. Lost and gained samples are
// those with the right label before only, and now only.
var changeHead = []string{"data set", "split", "method", "seed", "status", "before", "now", "differ", "lost", "gained", "p after Holm", "what"}

// changeLine is a cell of the comparison under changeHead.
func changeLine(c gate.Cell) []string {
	line := []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), c.Status, "", "", "", "", "", "", c.Reason}
	if n := c.Count; n != nil {
		line[5], line[6] = n.AcceptedAccuracy, n.FreshAccuracy
		line[7], line[8], line[9] = strconv.Itoa(n.Differ)+" of "+strconv.Itoa(n.N), strconv.Itoa(n.BCount), strconv.Itoa(n.CCount)
		line[10] = stats.ShortP(n.PHolm)
	}
	return line
}

// verdictLine is a printed number whose verdict is another, under changeHead. Cells of
// several seeds, also of other specs, may have changed it.
func verdictLine(c VerdictChange) []string {
	line := make([]string, len(changeHead))
	line[0], line[2], line[4], line[5], line[6] = c.Now.Dataset, c.Now.Method, "verdict", c.Before.Verdict, c.Now.Verdict
	return line
}

// changes lists the verdicts, then the cells.
func (in Input) changes() table.Listing {
	a := in.Against
	l := table.Listing{Title: "Changes against " + a.Dir, Head: changeHead, Notes: append([]string{a.summary(), "Lost: " +
		"samples labelled right before only; gained: now only."}, a.Gate.Errors...)}
	for _, c := range a.Verdicts {
		l.Rows = append(l.Rows, verdictLine(c))
	}
	l.Rows = append(l.Rows, in.changedCells()...)
	return l
}

// changedCells are lines of cells under changeHead. A cell that is new has the accuracy
// that the table has.
func (in Input) changedCells() (lines [][]string) {
	for _, c := range in.Against.changed() {
		lines = append(lines, changeLine(c))
	}
	for _, c := range in.Against.New {
		line := changeLine(oneSided(c, "new"))
		line[slices.Index(changeHead, "now")] = in.accuracyOf(c)
		lines = append(lines, line)
	}
	for _, c := range in.Against.Gone {
		lines = append(lines, changeLine(oneSided(c, "gone")))
	}
	return lines
}

// accuracyOf is that of a cell of the table, empty for one that the table does not show.
func (in Input) accuracyOf(c store.AcceptedCell) string {
	for _, r := range in.Table.Rows {
		if r.Dataset != c.Dataset || r.Split != c.Split {
			continue
		}
		for _, of := range r.Cells {
			if of.Score != nil && of.Method == c.Method && of.Seed == c.Seed {
				return of.Accuracy
			}
		}
	}
	return ""
}

// oneSided is a cell that only one of the two stores has, as a line of the
// comparison.
func oneSided(c store.AcceptedCell, status string) gate.Cell {
	return gate.Cell{Dataset: c.Dataset, Split: c.Split, Method: c.Method, Seed: c.Seed, Status: status}
}
