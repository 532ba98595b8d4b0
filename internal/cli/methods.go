package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

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
	cmd := a.verb("methods [NAME]", cobra.FixedCompletions(registry.IDs(), cobra.ShellCompDirectiveNoFileComp))
	cmd.Args = countArgs(0, 1, "one NAME at most")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		grids, err := spec.Grids()
		if err != nil {
			return err
		}
		if len(args) == 0 {
			return a.Write(methodsDocument(byScope(registry.Methods), grids))
		}
		m, ok := registry.Find(strings.ToLower(args[0]))
		if !ok {
			return fmt.Errorf("methods: %s", strictyaml.Unknown("method", args[0], registry.IDs()))
		}
		d := methodsDocument([]method.Method{m}, grids)
		d.Text = methodText(m, grids[m.ID])
		return a.Write(d)
	}
	a.withFormat(cmd, formats...)
	return cmd
}

// methodsDocument lists methods. Text and Markdown have the columns that fit a terminal.
func methodsDocument(all []method.Method, grids map[string]spec.Axes) document.Document {
	var described []describedMethod
	t := document.Table{Columns: []document.Heading{
		{Name: "id"}, {Name: "name"}, {Name: "metric", CSV: "scope"}, {Name: "stochastic", Only: "csv"}, {Name: "parameters", Only: "csv"},
		{Name: "grid", Only: "csv"}, {Name: "source"}, {Name: "cost", Only: "csv"},
	}}
	for _, m := range all {
		grid, parameters := grids[m.ID], []string(nil)
		described = append(described, describedMethod{m.ID, m.Name, m.Scope.String(), m.Parameters(), grid,
			m.Stochastic, m.Source, m.Complexity, true, m.Transductive})
		for _, p := range m.Parameters() {
			parameters = append(parameters, withDefault(p))
		}
		t.Add(m.ID, m.Name, m.Scope, yes(m.Stochastic), strings.Join(parameters, " "), grid, m.Source, m.Complexity)
	}
	return document.Document{Tables: []document.Table{t}, Value: struct {
		Schema  int               `json:"schema"`
		Methods []describedMethod `json:"methods"`
	}{1, described}}
}

// methodText explains one method in lines of at most 100 columns.
func methodText(m method.Method, grid spec.Axes) string {
	var b strings.Builder
	line := func(what, value string) {
		const width = 16
		fmt.Fprintf(&b, "%-*s%s\n", width, what, text.Wrap(cmp.Or(value, "-"), width, 100, strings.Repeat(" ", width)))
	}
	line(m.ID, m.Name)
	line("minimizes", m.Minimizes)
	line("metric", m.Scope.String())
	line("random numbers", yes(m.Stochastic))
	line("test samples", map[bool]string{true: "learned from, without their labels", false: "not looked at"}[m.Transductive])
	line("cost", m.Complexity)
	line("source", m.Source)
	line("default grid", grid.String())
	b.WriteString("parameters\n")
	for _, p := range m.Parameters() {
		const width = 30
		fmt.Fprintf(&b, "  %-*s%s\n", width-2, withDefault(p), text.Wrap(p.Doc, width, 100, strings.Repeat(" ", width)))
	}
	return b.String()
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

// withDefault is a parameter as a stanza has it.
func withDefault(p method.Parameter) string {
	if p.Default == nil {
		return p.Name + " (no default)"
	}
	return fmt.Sprintf("%s=%v", p.Name, p.Default)
}

// Version is the version of the program, by semver.org.
const Version = "0.2.0"

// Released is the day of Version, YYYY-MM-DD.
const Released = "2026-11-22"

// thisVersion is Version, with the commit where the build knows it.
func thisVersion() string {
	if revision, modified := results.Revision(); revision != "" {
		return Version + " (revision " + revision + map[bool]string{true: ", modified"}[modified] + ")"
	}
	return Version
}

// thisBuild is the line that tells what the running program was built from.
func thisBuild() string {
	return fmt.Sprintf("r2lmlbench %s %s %s/%s", thisVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (a *app) versionCommand() *cobra.Command {
	cmd := a.verb("version", nil)
	cmd.RunE = func(*cobra.Command, []string) error {
		lines := thisBuild() + "\n"
		if sources := results.ThisBuild().Sources; sources != "" {
			lines += "sources " + sources + "\n"
		}
		_, err := io.WriteString(a.Out, lines)
		return err
	}
	return cmd
}
