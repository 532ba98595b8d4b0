package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/spf13/cobra"

	"r2lmlbench/internal/plainfile"
	"r2lmlbench/results/audit"
	"r2lmlbench/results/published"
)

func (a *app) auditCommand() *cobra.Command {
	example := false
	cmd := &cobra.Command{
		Use:   "audit [FILE]",
		Short: "Check printed tables by arithmetic alone",
		Long: `Check a printed table by arithmetic alone: that of FILE, or without one the paper's.

Nothing is computed from data. A finding is a number that no count of samples gives, or
the share of a class. Others are a rank that no predictions with the printed accuracies
could produce, a rank out of order, and a statement of the text that the tables
contradict. The class says what a finding on ranks rests on, "instead" what could stand
there. The bound is that of the adjusted p-value for ranks, the chance for shares of
classes.

FILE is YAML and transcribes the table: rows with their test samples, numbers with all
decimals, ranks, class counts; the test, its correction and alpha. --example prints a
small one, "r2lmlbench schema audit" its JSON Schema.`,
		Example: `  r2lmlbench audit
  r2lmlbench audit --example > mine.yaml
  r2lmlbench audit mine.yaml --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || example && len(args) > 0 {
				return fmt.Errorf("%s wants one FILE at most, and none with --example; see `%s --help`", cmd.Name(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case example:
				_, err := a.stdout.Write(audit.Example)
				return err
			case len(args) == 1:
				return a.auditFile(args[0])
			}
			return a.audited(published.Audit(), published.Table().Remarks())
		},
	}
	a.withFormat(cmd, listedFormats...)
	a.withQuiet(cmd)
	cmd.Flags().BoolVar(&example, "example", false, "print a small table, to begin with")
	return cmd
}

// auditFile audits the table of a file.
func (a *app) auditFile(name string) error {
	b, err := plainfile.ReadOrStream(name, audit.MaxBytes+1)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no file %s; `r2lmlbench audit --example` prints one", audit.ErrFile, name)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", audit.ErrFile, err)
	}
	t, err := audit.Parse(name, b)
	if err != nil {
		return err
	}
	return a.audited(t.Findings(), t.Remarks())
}

// audited prints the findings, and remarks on them.
func (a *app) audited(findings []audit.Finding, remarks []string) error {
	rows := [][]string{}
	for _, f := range findings {
		bound := ""
		if f.Bound != 0 {
			bound = strconv.FormatFloat(f.Bound, 'g', -1, 64)
		}
		rows = append(rows, []string{f.Kind, f.Class, f.Table, f.Letter, f.Method, f.Printed, f.Nearest, bound, f.Text})
	}
	for _, line := range remarks {
		a.remark("%s", line)
	}
	if len(findings) == 0 {
		a.remark("No findings. A number that passes need not be right, see docs/audit.md")
	}
	instead := "instead" // of a number or of ranks
	if a.format == "csv" {
		instead = "nearest" // as in JSON
	}
	return a.listing([]string{"kind", "class", "table", "letter", "method", "printed", instead, "bound", "text"}, rows, struct {
		Schema   int             `json:"schema"`
		Findings []audit.Finding `json:"findings"`
	}{1, append([]audit.Finding{}, findings...)})
}
