package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/audit"
)

func (a *app) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate SPEC",
		Short: "Check a spec",
		Long: `Check a spec: every fault is told with its line and column, and what may have been
meant. Nothing is computed.

Files of one's own are read: what is wrong with them, or cannot be divided as the spec
says, is a fault. A file that is not there is a warning.

A valid spec may have settings that cannot work as they look, such as more neighbors
than a class has training samples. Those are warnings on standard error. Sizes are
those of the catalogue and of the files.`,
		Example: `  r2lmlbench validate accuracy
  r2lmlbench validate my.yaml`,
		Args: one("SPEC"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := spec.Load(args[0])
			if err != nil {
				return err
			}
			sizes, err := a.ownSizes(cmd.Context(), s)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s is valid: %s, %s\n", text.OneLine(s.Name), text.Counted(len(s.Entries), "data set"), text.Counted(len(s.Columns), "column"))
			known := func(e datasets.Entry) datasets.Entry {
				if full, ok := sizes[e.ID]; ok {
					return full
				}
				return e
			}
			for _, warning := range s.Warnings(nameInFaults(args[0]), known) {
				a.remark("warning: %s", warning.Error())
			}
			if p, err := plan.New(cmd.Context(), s, a.source()); err == nil { // files that are missing have a warning
				a.tellShortages(p)
			}
			return cmd.Context().Err()
		},
	}
	a.withData(cmd)
	a.withQuiet(cmd)
	return cmd
}

// ownSizes returns the entries of own data by id, with what their files say, and the
// faults of files and of how the spec divides them. A file that is missing is a remark.
func (a *app) ownSizes(ctx context.Context, s *spec.Spec) (map[string]datasets.Entry, error) {
	full := map[string]datasets.Entry{}
	var faults []error
	for _, e := range s.Entries {
		if !e.Own() {
			continue
		}
		known, err := a.source().Known(e, s.Split.RuleOf(e, 1))
		if err == nil {
			full[e.ID], err = known, s.Divides(ctx, known)
		}
		if errors.Is(err, datasets.ErrMissing) {
			a.remark("warning: %v", err)
		} else if err != nil {
			faults = append(faults, err)
		}
	}
	return full, errors.Join(faults...)
}

// nameInFaults is what faults call the file of a spec.
func nameInFaults(name string) string {
	if slices.Contains(experiments.Names(), name) {
		return name + ".yaml"
	}
	return name
}

// schemas are those of the files that people write.
var schemas = map[string]func() *jsonschema.Schema{"spec": spec.Schema, "audit": audit.Schema}

func (a *app) schemaCommand() *cobra.Command {
	kinds := []string{"spec", "audit"}
	return &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of specs",
		Long: `Print the JSON Schema of specs, or with KIND audit that of the tables that
r2lmlbench audit reads. With them editors check and complete such files. They are made
from the types of the program.`,
		Example:   "  r2lmlbench schema > spec.schema.json\n  r2lmlbench schema audit > audit.schema.json",
		ValidArgs: kinds,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && schemas[args[0]] == nil {
				return fmt.Errorf("%s takes %s, got %q; see `%s --help`", cmd.Name(), alternatives(kinds), args, cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return writeJSON(a.stdout, schemas[append(args, kinds[0])[0]]())
		},
	}
}

// describedMethod is an entry of `methods --format json`.
type describedMethod struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	Scope      string             `json:"scope"` // of its metrics: none, global, class-wise, local or any
	Parameters []method.Parameter `json:"parameters"`
	Grid       spec.Axes          `json:"grid"`
	Stochastic bool               `json:"stochastic"`
	Source     string             `json:"source"`
	Complexity string             `json:"complexity"`
	Built      bool               `json:"built"` // true: every registered method is part of the program

	Transductive bool `json:"transductive,omitempty"`
}

func (a *app) methodsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "methods",
		Short: "List the methods with their parameters, defaults and grids",
		Long: `List the methods with their parameters, defaults and grids, whether they draw random
numbers, where they come from and what they cost. They are grouped by scope. There is one
metric for all samples (global), one for every class (class-wise), one for every region
or sample (local), or none. Programs and predictions of one's own may have any.`,
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
	for _, m := range byScope(registry.Methods) {
		grid := grids[m.ID]
		methods = append(methods, describedMethod{m.ID, m.Name, m.Scope.String(), m.Parameters(), grid,
			m.Stochastic, m.Source, m.Complexity, true, m.Transductive})
		rows = append(rows, []string{m.ID, m.Name, m.Scope.String(), yes(m.Stochastic), parameterList(m.Parameters()), grid.String(), m.Source, m.Complexity})
	}
	return a.listing([]string{"id", "name", "scope", "stochastic", "parameters", "grid", "source", "cost"}, rows, struct {
		Schema  int               `json:"schema"`
		Methods []describedMethod `json:"methods"`
	}{1, methods})
}

// byScope groups methods by the scope of their metrics, those of any scope last.
func byScope(methods []method.Method) []method.Method {
	grouped := slices.Clone(methods)
	slices.SortStableFunc(grouped, func(a, b method.Method) int {
		if a.Scope == method.AnyScope || b.Scope == method.AnyScope {
			return cmp.Compare(b.Scope, a.Scope)
		}
		return cmp.Compare(a.Scope, b.Scope)
	})
	return grouped
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
