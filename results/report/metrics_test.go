package report

import (
	"strings"
	"testing"

	"r2lmlbench/results"
)

// The page has a table for each metric that the spec names, and the column of the
// most frequent class in all of them.
func TestMetrics(t *testing.T) {
	in := newInput(t, tiny)
	if _, files := writeReport(t, in); strings.Contains(files["index.html"], "kappa") || !strings.Contains(files["index.html"], "Majority") {
		t.Error("without metrics the page has kappa, or no majority")
	}
	in.Table.Metrics = []string{results.BalancedAccuracy, results.Kappa}
	in.Table.Rows[0].Cells[0].Kappa = "-0.2500"
	_, files := writeReport(t, in)
	for _, want := range []string{
		"<h3>Balanced accuracy in percent</h3>", "<h3>Cohen&#39;s kappa</h3>", in.Table.Rows[0].Cells[0].Balanced, `<td class="num">−0.2500</td>`,
	} {
		if !strings.Contains(files["index.html"], want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
