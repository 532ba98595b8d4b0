package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"r2lmlbench/results/published"
)

func (a *app) auditCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Check the published tables by arithmetic alone",
		Long: `Check the published tables by arithmetic alone.

Nothing is computed from data. A finding is an accuracy that no number of right
answers gives, a rank that no predictions lead to, a rank out of order, or a
statement of the text that the tables contradict. The class says what a finding
on ranks rests on; the bound is that of Holm's adjusted p-value.`,
		Example: `  r2lmlbench audit
  r2lmlbench audit --format json`,
		Args: none,
		RunE: func(*cobra.Command, []string) error { return a.audit() },
	}
	a.withFormat(cmd, listedFormats...)
	a.withQuiet(cmd)
	return cmd
}

func (a *app) audit() error {
	findings := published.Audit()
	var rows [][]string
	for _, f := range findings {
		bound := ""
		if f.Bound != 0 {
			bound = strconv.FormatFloat(f.Bound, 'g', -1, 64)
		}
		rows = append(rows, []string{f.Kind, f.Class, f.Table, f.Letter, f.Method, f.Printed, f.Nearest, bound, f.Text})
	}
	a.remark("%s", published.RankRemark())
	for _, line := range published.ClassRemarks() {
		a.remark("%s", line)
	}
	return a.listing([]string{"kind", "class", "table", "letter", "method", "printed", "nearest", "bound", "text"}, rows, struct {
		Schema   int                 `json:"schema"`
		Findings []published.Finding `json:"findings"`
	}{1, findings})
}
