package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"r2lmlbench/internal/strictyaml"
)

// exitTexts say what the exit codes mean, in the order of the codes.
var exitTexts = []struct {
	code int
	text string
}{
	{exitOK, "success"},
	{exitGate, "not passed"},
	{exitUsage, "wrong usage"},
	{exitSpec, "spec invalid or not found"},
	{exitData, "data missing or corrupt"},
	{exitCells, "some cells failed, the rest is kept"},
	{exitIO, "input or output failed"},
	{exitInterrupted, "interrupted, what is finished is kept"},
}

// exits are the codes of commands besides those of all: success, wrong usage, and
// output that failed. A command has those of the one that it is below.
var exits = map[string][]int{
	"r2lmlbench": {exitGate, exitSpec, exitData, exitCells, exitInterrupted},
	"run":        {exitSpec, exitData, exitCells, exitInterrupted},
	"plan":       {exitSpec, exitData, exitInterrupted},
	"table":      {exitSpec, exitData, exitInterrupted},
	"verdict":    {exitGate, exitSpec, exitData, exitInterrupted},
	"report":     {exitSpec, exitData, exitInterrupted},
	"gate":       {exitGate, exitSpec, exitData, exitInterrupted},
	"explain":    {exitSpec, exitData, exitInterrupted},
	"validate":   {exitSpec, exitData, exitInterrupted},
	"data":       {exitData, exitInterrupted},
	"audit":      {exitSpec},

	"import": {exitSpec, exitData, exitInterrupted},
	"merge":  {exitCells, exitInterrupted},
	"slurm":  {exitSpec, exitData, exitInterrupted},
	"k8s":    {exitSpec, exitData, exitInterrupted},
}

// exitHelp is the part of a command's help that lists its exit codes.
func exitHelp(cmd *cobra.Command) string {
	name := cmd.Name()
	for above := cmd.Parent(); above != nil && above.HasParent(); above = above.Parent() {
		name = above.Name()
	}
	codes := append([]int{exitOK, exitUsage, exitIO}, exits[name]...)
	var parts []string
	for _, e := range exitTexts {
		if slices.Contains(codes, e.code) {
			parts = append(parts, strconv.Itoa(e.code)+" "+e.text)
		}
	}
	return wrapped("Exit status: " + strings.Join(parts, "; ") + ".")
}

// tellExits adds the exit codes to the help of cmd and of all commands below it.
func tellExits(cmd *cobra.Command) {
	if cmd.Long == "" {
		cmd.Long = cmd.Short + "."
	}
	cmd.Long = strings.TrimRight(cmd.Long, "\n") + "\n\n" + exitHelp(cmd)
	for _, c := range cmd.Commands() {
		tellExits(c)
	}
}

// one checks that a command has exactly one argument, which is called what.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s wants one %s, got %d arguments; see `%s --help`", cmd.Name(), what, len(args), cmd.CommandPath())
		}
		return nil
	}
}

// none checks that a command has no argument.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, got %q; see `%s --help`", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

// makeGroup makes cmd a command that only has others below it: alone it prints its
// help.
func makeGroup(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// unknownCommand is what a group says to the name of a command that it does not have.
func unknownCommand(group *cobra.Command, name string) error {
	var names []string
	for _, c := range group.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s has no commands below it, got %q; see `%s --help`", group.Name(), name, group.CommandPath())
	}
	meant := ""
	if near, ok := strictyaml.Nearest(name, names); ok {
		meant = fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Errorf("unknown command %q, want %s%s", name, alternatives(names), meant)
}

// helpCommand is `help`, which also names the commands when there is none of the name.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND...]",
		Short:   "Print the help of a command",
		Example: "  r2lmlbench help run\n  r2lmlbench help data fetch",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd := root
			for _, name := range args {
				i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
				if i < 0 {
					return unknownCommand(cmd, name)
				}
				cmd = cmd.Commands()[i]
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// flagError is what a command says to flags that it does not take.
func flagError(cmd *cobra.Command, err error) error {
	help := fmt.Errorf("%w%s; see `%s --help`", err, meantFlag(cmd, err), cmd.CommandPath())
	if !cmd.HasParent() {
		return help // whose name stands in front of all errors
	}
	return fmt.Errorf("%s: %w", cmd.Name(), help)
}

// meantFlag asks for the flag of a command whose name is nearest to an unknown one.
func meantFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near, ok := strictyaml.Nearest(unknown.GetSpecifiedName(), names); ok {
		return fmt.Sprintf("; did you mean --%s?", near)
	}
	return ""
}

// requiredFlags checks that a command has the flags that it cannot do without.
func requiredFlags(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			missing = append(missing, "--"+f.Name)
		}
	})
	if len(missing) > 0 {
		return flagError(cmd, errors.New(strings.Join(missing, " and ")+" must be given"))
	}
	return nil
}
