package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"r2lmlbench/internal/plainfile"
	"r2lmlbench/internal/text"
	"r2lmlbench/internal/usage"
	"r2lmlbench/results/rank"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

func (a *app) rankCommand() *cobra.Command {
	var common bool
	var alpha float64
	var pair string
	cmd := a.verb("rank FILE", files)
	cmd.Args = usage.One("FILE")
	a.withFormat(cmd, rankedFormats...)
	a.withQuiet(cmd)
	f := cmd.Flags()
	choiceFlag(f, &pair, "test", "for a pair of systems:", stats.TestNames()...)
	cmd.RegisterFlagCompletionFunc("test", cobra.FixedCompletions(stats.TestNames(), cobra.ShellCompDirectiveNoFileComp))
	f.Float64Var(&alpha, "alpha", 0.05, "level of the tests, after Holm's correction")
	f.BoolVar(&common, "common", false, "compare on the items that all systems have answered")
	f.BoolVar(&a.notes, "notes", false, "all notes below the table; text shows the most important ones without, LaTeX none")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if !(alpha > 0 && alpha < 1) {
			return fmt.Errorf("--alpha is %g, want a number between 0 and 1, such as 0.05", alpha)
		}
		test, err := stats.ParseTest(pair)
		if err != nil {
			return err
		}
		answers, err := a.answers(args[0])
		if err != nil {
			return err
		}
		ranked, left, err := answers.Table(test, alpha, common)
		if err != nil {
			return fmt.Errorf("%w: %w", errAnswers, err)
		}
		if left > 0 {
			a.Remark("%s left out, which not every system has answered", text.Counted(left, "item"))
		}
		over := rank.NewOver(ranked)
		if a.Format == "json" {
			return a.JSON(struct {
				table.Table
				Over *rank.Over `json:"over_data_sets,omitempty"`
			}{ranked, over})
		}
		err = ranked.Render(a.Out, a.Format, table.Options{Color: a.Color(), Notes: a.notes, Width: a.Width()})
		if err != nil || over == nil {
			return err
		}
		return a.Tables(over.Listings(alpha))
	}
	return cmd
}

// answers reads a file of answers, or standard input for "-".
func (a *app) answers(name string) (rank.File, error) {
	path := name
	if name == "-" {
		name, path = "stdin", "/dev/stdin"
	}
	b, err := plainfile.ReadOrStream(path, rank.MaxBytes+1)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no file %s", path)
	}
	var f rank.File
	if err == nil {
		f, err = rank.Read(name, b)
	}
	if err != nil {
		return f, fmt.Errorf("%w: %w", errAnswers, err)
	}
	return f, nil
}
