package cli

import (
	"context"
	"encoding/csv"
	"strings"

	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// printLong writes the predictions of a plan as CSV, a line for every test sample and
// method, and remarks on cells that are not there.
func (a *app) printLong(ctx context.Context, p plan.Plan, cells *store.Store) error {
	w := csv.NewWriter(a.stdout)
	if err := w.Write(judge.LongHead); err != nil {
		return err
	}
	gaps, err := judge.Long(ctx, p, a.source(), cells, w.Write)
	if err != nil {
		return err
	}
	w.Flush()
	if gaps.Cells > 0 {
		a.remark("%s: %s missing in %s and not among the lines", p.Spec.Name, text.Counted(gaps.Cells, "cell"), cells.Dir)
	}
	if len(gaps.Placed) > 0 {
		a.remark("%s: data_row is empty for %s: the data are not in %s, or the split has no rows of a file",
			p.Spec.Name, strings.Join(gaps.Placed, ", "), a.data)
	}
	return w.Error()
}
