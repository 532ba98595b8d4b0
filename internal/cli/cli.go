// Package cli is the command tree of r2lmlbench. Files hold verbs by
// subject, such as table, verdict and explain in read.go: a function makes each command, listed
// in verbs below, and its help is in help/VERB.txt.
package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/console"
	"r2lmlbench/internal/files"
	"r2lmlbench/results/store"
	"r2lmlbench/stats/audit"
)

// groups are the headings of the help, with the verbs below each in its order.
var groups = []struct {
	title string
	verbs []func(*app) *cobra.Command
}{
	{"Start:", []func(*app) *cobra.Command{(*app).initCommand, (*app).compareCommand, (*app).runCommand}},
	{"Read results:", []func(*app) *cobra.Command{(*app).tableCommand, (*app).reportCommand, (*app).explainCommand, (*app).verdictCommand}},
	{"Check:", []func(*app) *cobra.Command{(*app).gateCommand, (*app).auditCommand, (*app).rankCommand, (*app).checkCommand, (*app).validateCommand}},
	{"Data and methods:", []func(*app) *cobra.Command{(*app).dataCommand, (*app).methodsCommand, (*app).fitCommand, (*app).importCommand}},
	{"More machines:", []func(*app) *cobra.Command{(*app).planCommand, (*app).clusterCommand, (*app).mergeCommand}},
	{"", []func(*app) *cobra.Command{(*app).versionCommand}},
}

// Exit codes; help/r2lmlbench.txt says what they mean.
const (
	exitOK          = 0
	exitGate        = 1
	exitUsage       = 2
	exitSpec        = 3
	exitData        = 4
	exitCells       = 5
	exitIO          = 6
	exitInterrupted = 130
)

var (
	errGate        = errors.New("not passed")              // a comparison did not come out as it should
	errInterrupted = errors.New("interrupted")             // a signal has ended the command
	errAnswers     = errors.New("invalid answers")         // a file of answers cannot be used
	errVoid        = errors.New("nothing to compare here") // no outcome could tell methods apart
	errData        = errors.New("data missing or corrupt") // of the paper or of the user
)

// Main runs the command line args and returns the exit code. An interrupt
// ends a run with what is finished kept.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := files.Interruptible(context.Background())
	defer stop()
	a := newApp(stdout, stderr)
	unwatch := context.AfterFunc(ctx, func() {
		files.RestoreSignals(stop)
		a.Remark("stopping: what is finished is kept; a second Ctrl-C ends at once")
	})
	defer unwatch() // first, since the end of the command is no signal
	root := a.command()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == context.Canceled { // what else went wrong is told
		err = errInterrupted
	}
	if fault := a.Out.Fault; fault != nil {
		lost := fmt.Errorf("%w: standard output: %w", files.ErrIO, fault)
		if errors.Is(err, fault) {
			err = lost // told once
		} else {
			err = errors.Join(err, lost)
		}
	}
	if err != nil {
		a.Fail(err)
	}
	return exitCode(err)
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled), errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE): // whatever was read: no fault of its content
		return exitIO
	case errors.Is(err, files.ErrIO) && !errors.Is(err, syscall.ENOTDIR): // a path that leads through a file is a slip
		return exitIO
	case errors.Is(err, errGate):
		return exitGate
	case errors.Is(err, errVoid), errors.Is(err, spec.ErrSpec), errors.Is(err, audit.ErrFile), errors.Is(err, errAnswers):
		return exitSpec
	case errors.Is(err, errData), errors.Is(err, run.ErrData), errors.Is(err, datasets.ErrMissing), errors.Is(err, datasets.ErrCorrupt),
		errors.Is(err, store.ErrDamaged):
		return exitData
	case errors.Is(err, run.ErrCells):
		return exitCells
	default:
		return exitUsage
	}
}

// app is one invocation of the program: its streams, and the flags that several
// commands have.
type app struct {
	console.Console

	source *plan.Source // the data sets, of --data
	store  *store.Store // the cells, of --results

	results, data string
	runner        run.Runner // as flags ask for it
	shard         share
	perSplit      bool
	verbose       bool
	timed         bool // a run tells how long it takes, however short
	ranked        bool // a run shows the ranking so far above its bar
}

func newApp(stdout, stderr io.Writer) *app {
	return &app{Console: console.Console{Out: &console.Output{Writer: stdout}, Err: stderr}, runner: run.Runner{Workers: 1}, shard: share{1, 1}}
}

func (a *app) command() *cobra.Command {
	cobra.EnableCommandSorting = false // commands stand in the order of groups
	root := a.verb("r2lmlbench", nil)
	root.Version = Version
	root.SilenceErrors, root.SilenceUsage = true, true
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		a.source, a.store = plan.NewSource(a.data), a.storeIn(a.results)
		return a.checkFlags(cmd)
	}
	root.SetFlagErrorFunc(flagError)
	cobra.AddTemplateFunc("build", thisBuild)
	root.SetVersionTemplate("{{build}}\n")
	cobra.AddTemplateFunc("flags", flagLines)
	root.SetUsageTemplate(strings.NewReplacer(".LocalFlags.FlagUsages", "flags .LocalFlags", ".InheritedFlags.FlagUsages", "flags .InheritedFlags").
		Replace(root.UsageTemplate()))
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetOut(a.Out) // which the scripts for completion keep
	root.SetErr(a.Err)
	choiceFlag(root, root.PersistentFlags(), &a.Log, "log", "remarks and errors on standard error:", "text", "json")
	a.withQuiet(root) // so that it may stand before the name of a command, too
	root.Flags().Lookup(quietFlag).Hidden = true
	for _, g := range groups {
		if g.title != "" {
			root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		}
		for _, verb := range g.verbs {
			cmd := verb(a)
			cmd.GroupID = g.title
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommand(a.helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	group(root)
	i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == "completion" })
	group(root.Commands()[i]) // of the scripts that cobra makes
	return root
}

//go:embed help/*.txt
var helps embed.FS

// verb makes the command of a usage line, below others if its words say so, such as
// "data fetch [SET...]", which takes the arguments that the line has. Its help is
// help/data-fetch.txt: a first sentence, which lists of commands show, more text, and
// examples. complete proposes its argument, or its arguments where the usage has "..."; nil:
// none.
func (a *app) verb(use string, complete cobra.CompletionFunc) *cobra.Command {
	words := strings.Fields(use)
	n := 1
	for n < len(words) && strings.ToLower(words[n]) == words[n] && words[n][0] != '[' {
		n++
	}
	file := "help/" + strings.Join(words[:n], "-") + ".txt"
	b, err := helps.ReadFile(file)
	if err != nil {
		panic(err) // the text of every verb is part of the program
	}
	long, examples, _ := strings.Cut(string(b), "\n\nExamples:\n")
	short, _, _ := strings.Cut(strings.ReplaceAll(long, "\n", " ")+" ", ". ")
	if propose := complete; complete != nil && !strings.Contains(use, "...") {
		complete = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nothing()
			}
			return propose(cmd, args, begun)
		}
	}
	return &cobra.Command{
		Use: strings.Join(words[n-1:], " "), Short: short, Long: long, Example: strings.TrimRight(examples, "\n"),
		Args: argsOf(words[n:]), ValidArgsFunction: complete,
	}
}

// specCommand is a command that plans the spec it is given, narrowed by flags, and hands
// the plan to do.
func (a *app) specCommand(verb string, do func(*cobra.Command, plan.Plan) error) *cobra.Command {
	cmd := a.verb(verb+" SPEC", completeSpecs)
	a.withCells(cmd)
	sets, methods := withNarrowing(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := a.planned(cmd.Context(), args[0], *sets, *methods)
		if err != nil {
			return err
		}
		return do(cmd, p)
	}
	return cmd
}

// helpCommand is `help`, which also names the commands when there is none of the name.
func (a *app) helpCommand() *cobra.Command {
	cmd := a.verb("help [COMMAND...]", completeCommand)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		about := cmd.Root()
		for _, name := range args {
			i := slices.IndexFunc(about.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
			if i < 0 {
				return unknownCommand(about, name)
			}
			about = about.Commands()[i]
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	}
	return cmd
}
