package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/spec"
)

// What shells propose for arguments and flags. Commands name one of these functions where
// they are made; without one nothing is proposed. Shells leave out what does not begin as
// the word does that is completed.

var (
	directories = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	anyFile     = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	// completeSpecs proposes the specs in the program. Where none fits, shells propose files.
	completeSpecs = cobra.FixedCompletions(experiments.Names(), cobra.ShellCompDirectiveDefault)
)

// nothing is proposed, and no files either.
func nothing() ([]string, cobra.ShellCompDirective) { return nil, cobra.ShellCompDirectiveNoFileComp }

// completeSets proposes the sets of the catalogue that are not named yet.
func completeSets(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return without(append(setNames(datasets.All()), "all\tall sets of the paper"), args), cobra.ShellCompDirectiveNoFileComp
}

// completeSet proposes the sets of the catalogue and those of one's own.
func (a *app) completeSet(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := setNames(datasets.All())
	for _, e := range libraryEntries(datasets.Library{Dir: a.data}) {
		names = append(names, e.ID+"\timported")
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completeDataset proposes the data sets of the spec that --spec names, or those of the
// catalogue.
func completeDataset(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	of := cmd.Flag("spec").Value.String()
	if of == "" {
		return setNames(datasets.All()), cobra.ShellCompDirectiveNoFileComp
	}
	s, err := spec.Load(of)
	if err != nil {
		return nothing()
	}
	return setNames(s.Sets), cobra.ShellCompDirectiveNoFileComp
}

// completeNumber proposes LETTER/METHOD of the spec that --spec names.
func completeNumber(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	s, err := spec.Load(cmd.Flag("spec").Value.String())
	if err != nil {
		return nothing()
	}
	set, _, chosen := strings.Cut(begun, "/")
	var all []string
	if chosen {
		for _, name := range columnNames(s) {
			all = append(all, set+"/"+name)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
	for _, name := range setNames(s.Sets) {
		all = append(all, strings.Replace(name, "\t", "/\t", 1))
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeList proposes the last item of a list with commas: a name out of the
// spec that the command is given, or out of all.
func completeList(of func(*spec.Spec) []string, all []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		names := all
		if len(args) > 0 {
			if s, err := spec.Load(args[0]); err == nil {
				names = of(s)
			}
		}
		end := strings.LastIndex(begun, ",") + 1
		names = without(names, strings.Split(begun[:end], ","))
		for i := range names {
			names[i] = begun[:end] + names[i]
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeCommand proposes the commands below those that are named.
func completeCommand(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	above, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nothing()
	}
	var names []string
	for _, c := range above.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name()+"\t"+c.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// setNames are the letters and ids of data sets, each with the name of the set
// behind a tab, as shells show it.
func setNames(entries []datasets.DataSet) []string {
	var letters, ids []string
	for _, e := range entries {
		if e.Letter != "" && !slices.ContainsFunc(letters, func(l string) bool { return word(l) == e.Letter }) {
			letters = append(letters, e.Letter+"\t"+e.Name)
		}
		ids = append(ids, e.ID+"\t"+e.Name)
	}
	return append(letters, ids...)
}

// columnNames are the columns of a spec and their methods.
func columnNames(s *spec.Spec) []string {
	var names []string
	for _, c := range s.Columns {
		for _, name := range []string{c.Method.ID, c.ID} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// word is a proposal without its description.
func word(proposal string) string {
	w, _, _ := strings.Cut(proposal, "\t")
	return w
}

// without leaves out the proposals that are among words.
func without(proposals, words []string) []string {
	return slices.DeleteFunc(proposals, func(p string) bool { return slices.Contains(words, word(p)) })
}
