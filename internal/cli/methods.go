package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
	"r2lmlbench/internal/usage"
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
	cmd.Args = usage.Args(0, 1, "one NAME at most")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		grids, err := spec.Grids()
		if err != nil {
			return err
		}
		if len(args) == 0 {
			return a.methods(byScope(registry.Methods), grids)
		}
		m, ok := registry.Find(strings.ToLower(args[0]))
		switch {
		case !ok:
			return fmt.Errorf("methods: %s", strictyaml.Unknown("method", args[0], registry.IDs()))
		case a.Format == "text":
			return a.method(m, grids[m.ID])
		}
		return a.methods([]method.Method{m}, grids)
	}
	a.withFormat(cmd, listedFormats...)
	return cmd
}

// methods lists methods. Text and Markdown have the columns that fit a terminal.
func (a *app) methods(all []method.Method, grids map[string]spec.Axes) error {
	var described []describedMethod
	head := []string{"id", "name", "metric", "source"}
	if a.Format == "csv" {
		head = []string{"id", "name", "scope", "stochastic", "parameters", "grid", "source", "cost"}
	}
	var rows [][]string
	for _, m := range all {
		grid := grids[m.ID]
		described = append(described, describedMethod{m.ID, m.Name, m.Scope.String(), m.Parameters(), grid,
			m.Stochastic, m.Source, m.Complexity, true, m.Transductive})
		if a.Format == "csv" {
			var parameters []string
			for _, p := range m.Parameters() {
				parameters = append(parameters, withDefault(p))
			}
			rows = append(rows, []string{m.ID, m.Name, m.Scope.String(), yes(m.Stochastic), strings.Join(parameters, " "), grid.String(), m.Source, m.Complexity})
		} else {
			rows = append(rows, []string{m.ID, m.Name, m.Scope.String(), m.Source})
		}
	}
	return a.Listing(head, rows, struct {
		Schema  int               `json:"schema"`
		Methods []describedMethod `json:"methods"`
	}{1, described})
}

// method explains one method in lines of at most 100 columns.
func (a *app) method(m method.Method, grid spec.Axes) error {
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
	_, err := io.WriteString(a.Out, b.String())
	return err
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

// A build says what the program was built from. Its JSON is the output of
// `version --format json`.
type build struct {
	Schema   int      `json:"schema"`
	Version  string   `json:"version"`
	Revision string   `json:"revision,omitempty"` // of the version control system; empty: not known
	Modified bool     `json:"modified,omitempty"` // files differed from the revision
	Sources  string   `json:"sources,omitempty"`  // as in results.Build: the gate takes cells of builds with the same ones; only in JSON
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Modules  []module `json:"modules"` // that the program is linked with
}

// A module is one of the modules of a build, as it or its replacement is linked.
type module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"`
}

// thisBuild describes the running program but for the digest of its sources.
func thisBuild() build {
	b := build{
		Schema: 1, Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Modules: []module{},
	}
	b.Revision, b.Modified = results.Revision()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			b.Modules = append(b.Modules, module{m.Path, m.Version, m.Sum})
		}
	}
	return b
}

// String is the line that `version` prints.
func (b build) String() string {
	from := ""
	if b.Revision != "" {
		from = " (revision " + b.Revision
		if b.Modified {
			from += ", modified"
		}
		from += ")"
	}
	return fmt.Sprintf("r2lmlbench %s%s %s %s", b.Version, from, b.Go, b.Platform)
}

func (a *app) versionCommand() *cobra.Command {
	cmd := a.verb("version", nil)
	cmd.RunE = func(*cobra.Command, []string) error {
		if a.Format == "json" {
			b := thisBuild()
			b.Sources = results.ThisBuild().Sources // reads the program
			return a.JSON(b)
		}
		_, err := fmt.Fprintln(a.Out, thisBuild())
		return err
	}
	a.withFormat(cmd, "text", "json")
	return cmd
}
