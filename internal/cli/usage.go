// The answers to arguments and flags that are unknown, too many or missing, with the likely
// intention.

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
)

// oneArg checks that a command has exactly one argument, which is called what.
func oneArg(what string) cobra.PositionalArgs { return countArgs(1, 1, "one "+what) }

// countArgs checks that a command has so many arguments, which are called what.
func countArgs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			got := "none"
			if len(args) > 0 {
				got = fmt.Sprintf("%d: %q; a list after a flag has commas and no blanks", len(args), args)
			}
			return fmt.Errorf("%s wants %s, got %s; see `%s --help`", cmd.Name(), what, got, cmd.CommandPath())
		}
		return nil
	}
}

// argsOf checks that a command has the arguments of its usage line: none, or one. What several
// words, brackets and dots say is for the command.
func argsOf(words []string) cobra.PositionalArgs {
	switch {
	case len(words) == 0:
		return countArgs(0, 0, "no arguments")
	case len(words) == 1 && !strings.ContainsAny(words[0], "[."):
		return oneArg(strings.ReplaceAll(words[0], "|", " or "))
	}
	return cobra.ArbitraryArgs
}

// group makes cmd a command that only has others below it: alone it prints its
// help.
func group(cmd *cobra.Command) {
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
		for _, below := range c.Commands() {
			if below.Name() == name {
				return fmt.Errorf("unknown command %q; did you mean \"%s %s\"?", name, c.Name(), name)
			}
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s has no commands below it, got %q; see `%s --help`", group.Name(), name, group.CommandPath())
	}
	return errors.New(strictyaml.Unknown("command", name, names))
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

// flagLines lists flags with what they are for, in lines of at most 100 columns.
func flagLines(flags *pflag.FlagSet) string {
	var names, usages []string
	widest := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		if !slices.Contains([]string{"", "0", "0s", "false", "[]"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		name = strings.TrimRight(name+" "+value, " ")
		names, usages, widest = append(names, name), append(usages, usage), max(widest, len(name))
	})
	var b strings.Builder
	for i, name := range names {
		line := fmt.Sprintf("  %-*s   ", widest, name)
		b.WriteString(line + text.Wrap(usages[i], len(line), 100, strings.Repeat(" ", len(line))) + "\n")
	}
	return b.String()
}

// alternatives joins words: "a", "a or b", "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
