package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/judge"
	"r2lmlbench/results/reproduction"
)

func (a *app) reproductionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reproduction",
		Short: "Print what the accepted cells say about the paper, as Markdown",
		Args:  cobra.NoArgs,
	}
	accepted := a.accepted(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if a.format != "text" && a.format != "markdown" {
			return fmt.Errorf("--format is %q, but the reproduction report is written as Markdown only", a.format)
		}
		store := accepted()
		if err := hasCells(store, "name the accepted cells with --accepted"); err != nil {
			return err
		}
		in, err := judge.Reproduction(cmd.Context(), a.session(), store)
		if err != nil {
			return err
		}
		document, err := reproduction.New(in)
		if err != nil {
			return err
		}
		_, err = io.WriteString(a.stdout, document.Markdown())
		return err
	}
	return cmd
}
