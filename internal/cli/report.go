package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/machine"
	"r2lmlbench/results/report"
	"r2lmlbench/results/store"
)

// reportMemory is the heap that a report on the accepted cells needs, with room to spare.
const reportMemory = 166 << 20

// Reproduction is the text on the reproduction, whose answer the page of the paper's table
// shows. The main package of this module sets it to REPRODUCTION.md, which it embeds: the
// text stands once, and files of the root can be embedded there only. A program of one's
// own has none, and its page no answer.
var Reproduction string

func (a *app) reportCommand() *cobra.Command {
	var output string
	cmd := a.specCommand("report",
		func(cmd *cobra.Command, p plan.Plan) error {
			if err := report.Replaceable(output); err != nil {
				return fmt.Errorf("report %s: %w; name another directory with --output", p.Spec.Name, err)
			}
			s, err := a.chosen(cmd, p.Spec.Name)
			if err != nil {
				return err
			}
			defer machine.Aim(reportMemory)()
			in, err := report.Of(cmd.Context(), p, cmd.Flags().Arg(0), s)
			if err != nil {
				return err
			}
			if err := a.addPredictions(cmd.Context(), &in, p, s); err != nil {
				return err
			}
			asked := p.Spec.Printed == "" && s != a.store && !p.Spec.Narrowed
			if asked || in.Original && p.Spec.Printed == experiments.Paper { // the text is about all of these numbers
				in.Text = Reproduction
			}
			if err := report.Write(output, in); err != nil {
				return fmt.Errorf("%w; name another directory with --output", err)
			}
			a.Remark("%s: the report on the cells in %s is in %s; open its index.html", p.Spec.Name, s.Dir, output)
			return nil
		})
	cmd.Flags().StringVarP(&output, "output", "o", "report", "directory to write to; it is made")
	cmd.RegisterFlagCompletionFunc("output", directories)
	a.withAccepted(cmd)
	return cmd
}

// mostPredictions is how many predictions a report has as a file; table --format long prints more.
const mostPredictions = 100_000

// addPredictions adds to a report what the methods predicted, unless that is much, and the version.
func (a *app) addPredictions(ctx context.Context, in *report.Input, p plan.Plan, cells *store.Store) error {
	in.Version = Version
	n := 0
	for i, r := range in.Table.Rows {
		n += r.N * len(slices.Concat(p.Splits[i].Jobs...))
	}
	if n > mostPredictions {
		a.Remark("no predictions.csv in the report of %s, for there are %d predictions; table %s --format long prints them", p.Spec.Name, n, p.Spec.Name)
		return nil
	}
	var b bytes.Buffer
	err := a.printLong(ctx, &b, "predictions.csv of "+p.Spec.Name, p, cells)
	in.Predictions = b.Bytes()
	return err
}
