package table

import (
	"slices"

	"r2lmlbench/internal/document"
	"r2lmlbench/results"
)

// MetricListings are the tables of the metrics beside accuracy, one for each, with the
// rows and columns of the ranked table. They have no ranks.
func (t Table) MetricListings() []document.Table {
	runs := "" // what a number stands for where there are several splits or seeds
	for _, r := range t.Rows {
		switch {
		case runs != "":
		case r.Pool != nil:
			runs = "Mean over the splits, of seed 1. "
		case slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Spread != nil }):
			runs = "Of seed 1. "
		}
	}
	var all []document.Table
	for _, id := range t.Metrics {
		m, _ := results.FindMetric(id) // specs are checked
		majority := func(r Row) string {
			if r.Classes == nil {
				return "-"
			}
			return r.Classes.MajorityMetrics.Text(id)
		}
		plain := func(text string) string { return text }
		lines := t.grid(plain, func(_ Row, c Cell) string {
			if c.Score == nil {
				return c.value()
			}
			return c.Metrics.Text(id)
		}, majority)
		l := document.New(m.Title, lines[0]...)
		l.Ruled, l.Notes = true, []string{m.Definition + ". " + runs + "Ranks and tests are of accuracy alone."}
		for _, line := range lines[1:] {
			l.AddTexts(line)
		}
		all = append(all, l)
	}
	return all
}
