package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
)

func (a *app) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate SPEC",
		Short: "Check a spec",
		Long: `Check a spec: every fault is told with its line and column, and what may have been
meant. Nothing is computed and no data file is read.`,
		Example: `  r2lmlbench validate accuracy
  r2lmlbench validate my.yaml`,
		Args: one("SPEC"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := spec.Load(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s is valid: %s, %s\n", text.OneLine(s.Name), text.Counted(len(s.Entries), "data set"), text.Counted(len(s.Columns), "column"))
			return nil
		},
	}
}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of specs",
		Long: `Print the JSON Schema of specs, with which editors check and complete them. It is
made from the types of the program.`,
		Example: "  r2lmlbench schema > spec.schema.json",
		Args:    none,
		RunE: func(*cobra.Command, []string) error {
			return writeJSON(a.stdout, spec.Schema())
		},
	}
}

// describedMethod is an entry of `methods --format json`.
type describedMethod struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	Parameters []method.Parameter `json:"parameters"`
	Grid       spec.Axes          `json:"grid"`
	Stochastic bool               `json:"stochastic"`
	Source     string             `json:"source"`
	Complexity string             `json:"complexity"`
	Built      bool               `json:"built"` // true: every registered method is part of the program

	Transductive bool                 `json:"transductive,omitempty"`
	Open         []method.OpenSetting `json:"open,omitempty"` // what the paper leaves open about it
}

func (a *app) methodsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "methods",
		Short: "List the methods with their parameters, defaults and grids",
		Long: `List the methods with their parameters, defaults and grids, whether they draw random
numbers, where they come from and what they cost.`,
		Example: `  r2lmlbench methods
  r2lmlbench methods --format json`,
		Args: none,
		RunE: func(*cobra.Command, []string) error { return a.methods() },
	}
	a.withFormat(cmd, listedFormats...)
	return cmd
}

func (a *app) methods() error {
	var methods []describedMethod
	var rows [][]string
	grids, err := spec.Grids()
	if err != nil {
		return err
	}
	for _, m := range registry.Methods {
		grid := grids[m.ID]
		methods = append(methods, describedMethod{m.ID, m.Name, m.Parameters(), grid, m.Stochastic, m.Source, m.Complexity, true, m.Transductive, m.Open})
		rows = append(rows, []string{m.ID, m.Name, yes(m.Stochastic), parameterList(m.Parameters()), grid.String(), m.Source, m.Complexity})
	}
	return a.listing([]string{"id", "name", "stochastic", "parameters", "grid", "source", "cost"}, rows, struct {
		Schema  int               `json:"schema"`
		Methods []describedMethod `json:"methods"`
	}{1, methods})
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func parameterList(parameters []method.Parameter) string {
	var list []string
	for _, p := range parameters {
		if p.Default == nil {
			list = append(list, p.Name+" (no default)")
		} else {
			list = append(list, fmt.Sprintf("%s=%v", p.Name, p.Default))
		}
	}
	return strings.Join(list, " ")
}
