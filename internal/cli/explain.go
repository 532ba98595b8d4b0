package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/judge"
)

func (a *app) explainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain LETTER/METHOD",
		Short: "Show everything behind one number of a table",
		Long: `Show everything behind one number of a table: data, split, settings, counts and tests.
The verdict comes with the runs that it rests on, and with what each reading of the
paper's protocol gives. Accuracies at every setting are shown where the cell has them.
Commands compute the cell again. The data set is named by letter or id, the method by
id or column.
The cell is looked up in --results, then among the accepted cells; the output names
the file that it comes from, or the places where it is not.`,
		Example: `  r2lmlbench explain I/itml
  r2lmlbench explain sonar/e-r2lml --format json
  r2lmlbench explain G/plml --spec quick`,
		Args: one("LETTER/METHOD"),
	}
	experiment := cmd.Flags().String("spec", experiments.Paper, "spec whose number it is")
	a.withCells(cmd)
	a.withFormat(cmd, "text", "json")
	accepted := a.accepted(cmd)
	cmd.PreRunE = a.namedResults
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dataset, method, ok := strings.Cut(args[0], "/")
		if !ok || dataset == "" || method == "" {
			return fmt.Errorf("explain wants LETTER/METHOD such as I/itml, got %q", args[0])
		}
		p, err := a.session().Plan(cmd.Context(), *experiment, []string{dataset}, nil)
		if err != nil {
			return err
		}
		x, err := judge.Explain(cmd.Context(), a.session(), p, *experiment, dataset, method, a.store(), accepted())
		if err != nil {
			return err
		}
		if a.format == "json" {
			return writeJSON(a.stdout, x)
		}
		return x.RenderText(a.stdout)
	}
	return cmd
}
