package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/invoke"
)

func (a *app) verdictCommand() *cobra.Command {
	var strict bool
	var cmd *cobra.Command
	var accepted storeFlag
	cmd = a.specCommand("verdict", "Say which published numbers agree with ours",
		func(ctx context.Context, p plan.Plan) error {
			store := accepted()
			if cmd.Flags().Changed(invoke.Results) {
				store = a.store()
			} else if err := hasCells(store, "name the accepted cells with --accepted, or judge your own with --results"); err != nil {
				return err
			}
			verdicts, err := a.session().Verdicts(ctx, p, store)
			if err != nil {
				return err
			}
			if strict && verdicts.Summary.Numbers == 0 {
				return fmt.Errorf("verdict %s: there is nothing for --strict to check: %s Name a spec with published numbers, such as accuracy, or leave out --strict",
					p.Spec.Name, strings.Join(verdicts.Notes(), " "))
			}
			heading, lines := verdicts.Listing()
			if err := a.report(heading, lines, verdicts.Notes(), verdicts); err != nil {
				return err
			}
			if err := a.tables(verdicts.Tables()); err != nil {
				return err
			}
			if strict && !verdicts.Clean() {
				return fmt.Errorf("verdict %s: %w: not every number agrees", p.Spec.Name, errGate)
			}
			return nil
		})
	cmd.Long = cmd.Short + `.

A number's runs are those of its column, with all seeds. It agrees if the printed value
is within 1 point, 1 test sample or 2 standard deviations of their mean, and differs if
it is farther. Nobody can tell where 2 standard deviations are more than 5 points, or
where runs are missing. Tables below the verdicts count them by method, and rank the
methods over the data sets. For the paper's table they also compare readings of its
protocol: choice on the test samples, and the columns of the spec open that have one.

The runs come from the accepted cells, or from those of --results when that is given,
all on the split of the rule. Columns that sweep or fix what the paper chose on the
validation samples are left out: the paper printed no number for them.`
	cmd.Example = `  r2lmlbench verdict accuracy
  r2lmlbench verdict accuracy --datasets I,sonar --format json`
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with status 1 unless every number agrees, and 2 if there is none")
	a.withFormat(cmd, listedFormats...)
	cmd.PreRunE = a.namedResults
	accepted = a.accepted(cmd)
	return cmd
}
