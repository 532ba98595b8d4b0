package report

import (
	"strconv"

	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// Count is the number of cells in both directories with a status of the gate.
func (a Against) Count(status string) int {
	n := 0
	for _, c := range a.Gate.Cells {
		if c.Status == status {
			n++
		}
	}
	return n
}

// was is the verdict on a number by the other directory, empty where it is the same.
func (a *Against) was(now *verdict.Verdict) string {
	if a == nil || now == nil {
		return ""
	}
	for _, c := range a.Verdicts {
		if c.Now.Dataset == now.Dataset && c.Now.Method == now.Method {
			return c.Before.Verdict
		}
	}
	return ""
}

// changes lists the verdicts that differ, then the cells. Lost and gained samples are
// those with the right label before only, and now only.
func (in Input) changes() table.Listing {
	l := table.Listing{
		Title: "Changes against " + in.Against.Dir, Notes: append([]string{"Lost: samples labelled right before only; gained: now only."}, in.Against.Gate.Errors...),
		Head: []string{"data set", "split", "method", "seed", "status", "before", "now", "differ", "lost", "gained", "p after Holm", "what"},
	}
	for _, c := range in.Against.Verdicts { // cells of several seeds, also of other specs, may have changed it
		l.Rows = append(l.Rows, []string{c.Now.Dataset, "", c.Now.Method, "", "verdict", c.Before.Verdict, c.Now.Verdict, "", "", "", "", ""})
	}
	for _, c := range in.Against.Gate.Cells {
		if c.Status == gate.Pass && c.Reason == "" {
			continue
		}
		line := []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), c.Status, "", "", "", "", "", "", c.Reason}
		if n := c.Count; n != nil {
			copy(line[5:], []string{
				n.AcceptedAccuracy, n.FreshAccuracy, strconv.Itoa(n.Differ) + " of " + strconv.Itoa(n.N), strconv.Itoa(n.BCount), strconv.Itoa(n.CCount),
				stats.ShortP(n.PHolm),
			})
		}
		l.Rows = append(l.Rows, line)
	}
	for _, c := range in.Against.New {
		l.Rows = append(l.Rows, oneSided(c, "new", in.accuracyOf(c)))
	}
	for _, c := range in.Against.Gone {
		l.Rows = append(l.Rows, oneSided(c, "gone", ""))
	}
	return l
}

// oneSided is the line of a cell that only one of the two directories has.
func oneSided(c store.Place, status, now string) []string {
	return []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), status, "", now, "", "", "", "", ""}
}

// accuracyOf is that of a cell of the table, empty for one that the table does not show.
func (in Input) accuracyOf(c store.Place) string {
	for _, r := range in.Table.Rows {
		for _, of := range r.Cells {
			if of.Score != nil && r.Dataset == c.Dataset && r.Split == c.Split && of.Method == c.Method && of.Seed == c.Seed {
				return of.Accuracy
			}
		}
	}
	return ""
}
