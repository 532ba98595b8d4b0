package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/study"
)

// A listedName is an entry of `list --format json`.
type listedName struct {
	Kind  string `json:"kind"` // "spec", "dataset", "method" or "measure"
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"` // as tables print it
	About string `json:"about"`
}

// kinds are what list names, in its order.
var kinds = []struct {
	name string
	list func(*app) ([]listedName, error)
}{
	{"specs", func(*app) ([]listedName, error) { return listedSpecs() }},
	{"datasets", func(a *app) ([]listedName, error) { return a.listedSets(), nil }},
	{"methods", func(*app) ([]listedName, error) { return listedMethods(), nil }},
	{"measures", func(*app) ([]listedName, error) { return listedMeasures(), nil }},
}

func (a *app) listCommand() *cobra.Command {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	cmd := &cobra.Command{
		Use:   "list [KIND]",
		Short: "List the names that specs and commands know",
		Long: `List the names that specs and commands know: the specs in the program, the data sets of
the catalogue and one's own, the methods, and what ` + "`measure`" + ` may name. KIND is one of
` + alternatives(names) + `.

"r2lmlbench data list" says more of data sets, "r2lmlbench methods" of methods.`,
		Example: `  r2lmlbench list
  r2lmlbench list methods --format json`,
		ValidArgs: names,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && !slices.Contains(names, args[0]) {
				return fmt.Errorf("%s takes %s, got %q; see `%s --help`", cmd.Name(), alternatives(names), args, cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.list(args) },
	}
	a.withData(cmd)
	a.withFormat(cmd, listedFormats...)
	return cmd
}

// list prints the names of some kinds, without any of all.
func (a *app) list(wanted []string) error {
	all := []listedName{}
	for _, k := range kinds {
		if len(wanted) > 0 && !slices.Contains(wanted, k.name) {
			continue
		}
		list, err := k.list(a)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	var rows [][]string
	for _, n := range all {
		rows = append(rows, []string{n.Kind, n.ID, n.Name, n.About})
	}
	return a.listing([]string{"kind", "id", "name", "about"}, rows, struct {
		Schema int          `json:"schema"`
		Names  []listedName `json:"names"`
	}{1, all})
}

func listedSpecs() ([]listedName, error) {
	var all []listedName
	for _, name := range experiments.Names() {
		s, err := spec.Load(name)
		if err != nil {
			return nil, err
		}
		about, _, _ := strings.Cut(strings.Join(strings.Fields(s.Description), " "), ". ")
		all = append(all, listedName{Kind: "spec", ID: name, About: fmt.Sprintf("%s, %s: %s",
			text.Counted(len(s.Entries), "data set"), text.Counted(len(s.Columns), "column"), strings.TrimSuffix(about, "."))})
	}
	return all, nil
}

func (a *app) listedSets() []listedName {
	var all []listedName
	for _, e := range datasets.All() {
		all = append(all, listedName{"dataset", e.ID, e.Name, fmt.Sprintf("%s, %s, %s",
			text.Counted(e.Rows(), "row"), text.Counted(e.Features, "feature"), strconv.Itoa(len(e.Labels))+" "+text.Agree(len(e.Labels), "class", "classes"))})
	}
	library := datasets.Library{Dir: a.data}
	for _, name := range library.ImportedNames() {
		all = append(all, listedName{"dataset", spec.ImportedPrefix + name, name, "imported split"})
	}
	for _, name := range library.OwnNames() {
		all = append(all, listedName{"dataset", spec.OwnPrefix + name, name, "imported data"})
	}
	return all
}

func listedMethods() []listedName {
	var all []listedName
	for _, m := range byScope(registry.Methods) {
		all = append(all, listedName{"method", m.ID, m.Name, "metric: " + m.Scope.String() + "; " + text.OrDash(m.Source)})
	}
	return all
}

func listedMeasures() []listedName {
	var all []listedName
	for _, m := range study.Measures {
		all = append(all, listedName{Kind: "measure", ID: m.Name, About: m.About + "; needs " + m.Needs.String()})
	}
	return all
}
