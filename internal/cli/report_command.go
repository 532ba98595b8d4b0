package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/internal/memlimit"
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
	var cmd *cobra.Command
	var accepted storeFlag
	var output, against string
	cmd = a.specCommand("report", "Write a web page about a spec, with its tables and figures as files",
		func(ctx context.Context, p plan.Plan) error {
			s, err := a.reported(cmd, p.Spec.Name, accepted())
			if err != nil {
				return err
			}
			defer memlimit.Aim(reportMemory)()
			in, err := judge.Report(ctx, a.session(), p, cmd.Flags().Arg(0), s)
			if err != nil {
				return err
			}
			in.Text = Reproduction
			if against != "" {
				if in.Against, err = a.against(ctx, p, in, s, against); err != nil {
					return err
				}
			}
			if err := report.Write(output, in); err != nil {
				return err
			}
			a.remark("%s: the report on the cells in %s is in %s; open its index.html", p.Spec.Name, s.Dir, output)
			return nil
		})
	cmd.Long = cmd.Short + `.

The page, index.html, needs no network. It is written into the folder "report" of
the current directory, or into that of --output, which may hold an older report
but no other files of the same names. The cells are those of --results when that
is given, else the accepted ones, and where nothing of the spec is accepted those
of the default of --results. With --against the report also tells, cell by cell,
what is different from the results in another directory, such as results/accepted
for what was accepted last. It tells which verdicts on printed numbers are others.`
	cmd.Example = `  r2lmlbench report accuracy
  r2lmlbench report quick --results results/runs -o page
  r2lmlbench report smoke --results results/runs --against results/accepted`
	cmd.Flags().StringVarP(&output, "output", "o", "report", "directory to write to; it is made")
	cmd.Flags().StringVar(&against, "against", "", "directory of results to compare with")
	cmd.PreRunE = a.namedResults
	accepted = a.accepted(cmd)
	return cmd
}

// against compares the cells of a plan in store, which the report is about, with those
// in dir, which must have some.
func (a *app) against(ctx context.Context, p plan.Plan, in report.Input, cells *store.Store, dir string) (*report.Against, error) {
	other := a.storeIn(dir)
	if err := hasCells(other, "name a directory of results with --against"); err != nil {
		return nil, err
	}
	compared, err := judge.Against(p, cells, other)
	if err != nil {
		return nil, err
	}
	if len(compared.Gate.Cells)+len(compared.Gone) == 0 {
		return nil, fmt.Errorf("%s holds no cell of %s; name a directory of its results with --against", dir, p.Spec.Name)
	}
	compared.Verdicts, err = judge.ChangedVerdicts(ctx, a.session(), p, in, other)
	return compared, err
}

// reported is the store that a report is about.
func (a *app) reported(cmd *cobra.Command, spec string, accepted *store.Store) (*store.Store, error) {
	if cmd.Flags().Changed(invoke.Results) {
		return a.store(), nil
	}
	_, there, err := accepted.Accepted(spec)
	if err != nil || there {
		return accepted, err
	}
	return a.store(), nil
}
