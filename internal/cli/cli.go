// Package cli is the command tree of r2lmlbench: one short file per verb, each
// of them load, do, render.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/interrupt"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/results/accepted"
	"r2lmlbench/results/audit"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// Exit codes.
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

// writers are the commands that store cells.
var writers = []string{"run", "import", "merge", "slurm"}

// errGate marks a comparison that did not come out as it should.
var errGate = errors.New("not passed")

// errInterrupted marks a command that a signal has ended.
var errInterrupted = errors.New("interrupted")

// errData marks data that is missing or corrupt.
var errData = errors.New("data missing or corrupt")

// Main runs the command line args and returns the exit code. An interrupt
// ends a run with what is finished kept.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := interrupt.Notify(context.Background())
	defer stop()
	out := &output{Writer: stdout}
	a := &app{stdout: out, stderr: stderr}
	unwatch := context.AfterFunc(ctx, func() {
		interrupt.Insist(stop)
		a.tell("stopping: what is finished is kept; a second Ctrl-C ends at once")
	})
	defer unwatch() // first, since the end of the command is no signal
	root := a.command()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if out.fault != nil {
		lost := fmt.Errorf("%w: standard output: %w", atomicfile.ErrIO, out.fault)
		if errors.Is(err, out.fault) {
			err = lost // told once
		} else {
			err = errors.Join(err, lost)
		}
	}
	if err != nil {
		a.fail(err)
	}
	return exitCode(err)
}

// An output is standard output. It remembers the first error, also where a
// command does not look at it.
type output struct {
	io.Writer
	fault error
}

// Write writes to the stream, unless that has failed before.
func (o *output) Write(b []byte) (int, error) {
	if o.fault != nil {
		return 0, o.fault
	}
	n, err := o.Writer.Write(b)
	o.fault = err
	return n, err
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled), errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.Is(err, atomicfile.ErrIO) && !errors.Is(err, syscall.ENOTDIR): // a path that leads through a file is a slip
		return exitIO
	case errors.Is(err, errGate):
		return exitGate
	case errors.Is(err, spec.ErrSpec), errors.Is(err, audit.ErrFile):
		return exitSpec
	case errors.Is(err, errData), errors.Is(err, run.ErrData), errors.Is(err, datasets.ErrMissing), errors.Is(err, datasets.ErrCorrupt):
		return exitData
	case errors.Is(err, run.ErrCells):
		return exitCells
	default:
		return exitUsage
	}
}

// app holds the flags that several commands have, and the streams.
type app struct {
	stdout, stderr io.Writer
	live           liveLine // of stderr

	known *judge.Session // nil until it is asked for
	cells *store.Store   // of --results; nil until it is asked for

	results, data string
	workers       int
	shard         string
	format        string
	perSplit      bool
	notes         bool
	quiet         bool
	log           string
}

// Command is the command tree, for those who document it.
func Command() *cobra.Command {
	return (&app{stdout: io.Discard, stderr: io.Discard}).command()
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "r2lmlbench",
		Short:         "Regenerate and check the experiments of the R2LML paper",
		Long:          rootHelp(),
		Example:       "  r2lmlbench run quick\n  r2lmlbench explain I/e-r2lml",
		Version:       Version,
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.checkFlags(cmd) },
	}
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate(thisBuild().String() + "\n")
	a.logFlag(root)
	a.withQuiet(root) // so that it may stand before the name of a command, too
	root.Flags().Lookup(quietFlag).Hidden = true
	root.AddCommand(a.runCommand(), a.planCommand(), a.tableCommand(), a.verdictCommand(), a.reportCommand(), a.gateCommand(), a.explainCommand(),
		a.reproductionCommand(), a.listCommand(), a.validateCommand(), a.schemaCommand(),
		a.methodsCommand(), a.dataCommand(), a.auditCommand(), a.importCommand(), a.mergeCommand(), a.slurmCommand(),
		a.kubernetesCommand(), a.versionCommand())
	root.SetOut(a.stdout) // which the scripts for completion keep
	root.SetErr(a.stderr)
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	documentCompletion(root)
	makeGroup(root)
	tellExits(root)
	a.complete(root)
	return root
}

// rootHelp is the help of the program itself.
func rootHelp() string {
	return `Regenerate, check and extend the experiments of the paper "Reduced-Rank Local Distance
Metric Learning for k-NN Classification". Results go to standard output, remarks to
standard error.

A SPEC is a YAML file or one of those in the program:
` + wrapped(strings.Join(experiments.Names(), ", ")+".") + `

A data set is named by its id or the paper's letter; see r2lmlbench data list. A method
is named by its id; see r2lmlbench methods.`
}

// wrapped breaks a text into lines of at most 85 characters.
func wrapped(text string) string {
	const longest = 85
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > longest {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n")
}

// session is that of the command.
func (a *app) session() *judge.Session {
	if a.known == nil {
		a.known = judge.NewSession(a.data)
	}
	return a.known
}

// source gives the data sets of the command.
func (a *app) source() *plan.Source { return a.session().Source }

// store holds the cells of --results.
func (a *app) store() *store.Store {
	if a.cells == nil {
		a.cells = a.storeIn(a.results)
	}
	return a.cells
}

// Where cells are by default. The accepted ones are a part of the program, too,
// under a name that tells them from those of a directory.
var (
	defaultResults   = filepath.Join("results", "runs")
	defaultAccepted  = filepath.Join("results", "accepted")
	embeddedAccepted = "embedded:results/accepted"
)

// storeIn is the store in a directory, or the one in the program.
func (a *app) storeIn(dir string) *store.Store {
	s := &store.Store{Dir: dir, Log: a.remark}
	if dir == embeddedAccepted {
		s.FS = accepted.Files
	}
	return s
}

// acceptedStore is the store of accepted cells of a checkout, or where there is
// none, the one in the program.
func (a *app) acceptedStore() *store.Store {
	if isDir(defaultAccepted) {
		return a.storeIn(defaultAccepted)
	}
	return a.storeIn(embeddedAccepted)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// namedResults checks, for commands that only read cells, that the directory of
// --results is there when the flag was given: after a slip every cell would look
// missing. It notes a directory that has no cells.
func (a *app) namedResults(cmd *cobra.Command, _ []string) error {
	if !cmd.Flags().Changed(invoke.Results) || a.results == embeddedAccepted {
		return nil
	}
	info, err := os.Stat(a.results)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return fmt.Errorf("%s: --results %s is not a directory; name one with stored cells, or fill it first with `r2lmlbench run`", cmd.Name(), a.results)
	case err != nil:
		return atomicfile.MarkIO(fmt.Errorf("%s: --results: %w", cmd.Name(), err))
	}
	if hasCells(a.store(), "") != nil {
		a.remark("%s holds no cells", a.results)
	}
	return nil
}

// A storeFlag opens the store that a flag names.
type storeFlag func() *store.Store

// accepted adds the flag that names the store of accepted cells to cmd.
func (a *app) accepted(cmd *cobra.Command) storeFlag {
	dir := cmd.Flags().String(invoke.Accepted, defaultAccepted, "directory of accepted cells; if the default does not exist, those in the program are used")
	var opened *store.Store
	return func() *store.Store {
		switch {
		case opened != nil:
		case cmd.Flags().Changed(invoke.Accepted):
			opened = a.storeIn(*dir)
		default:
			opened = a.acceptedStore()
			if opened.FS != nil {
				a.remark("there is no %s here; the accepted cells are those in the program, %s", defaultAccepted, opened.Dir)
			}
		}
		return opened
	}
}

// hasCells checks that store is a directory of cells; instead says what to do
// when it is not.
func hasCells(cells *store.Store, instead string) error {
	ok, err := cells.HasCells()
	if err == nil && !ok {
		err = fmt.Errorf("%s is not a directory of cells; %s", cells.Dir, instead)
	}
	return err
}

// options says how tables are rendered: in color on a terminal, unless
// NO_COLOR is set.
func (a *app) options() table.Options {
	return table.Options{Color: terminal(a.stdout) && os.Getenv("NO_COLOR") == "", Notes: a.notes}
}

func terminal(w io.Writer) bool {
	if out, ok := w.(*output); ok {
		w = out.Writer
	}
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// A planner plans the spec of a name or path, narrowed by the flags.
type planner func(ctx context.Context, name string) (plan.Plan, error)

// narrowed adds the flags that narrow a spec to cmd.
func (a *app) narrowed(cmd *cobra.Command) planner {
	var sets, methods []string
	cmd.Flags().StringSliceVar(&sets, invoke.Datasets, nil, "only these data sets, by id or letter")
	cmd.Flags().StringSliceVar(&methods, invoke.Methods, nil, "only these methods, by id or column")
	return func(ctx context.Context, name string) (plan.Plan, error) {
		return a.session().Plan(ctx, name, sets, methods)
	}
}

// specCommand is a command that plans the spec it is given and hands the plan to
// do.
func (a *app) specCommand(use, short string, do func(context.Context, plan.Plan) error) *cobra.Command {
	cmd := &cobra.Command{Use: use + " SPEC", Short: short, Args: one("SPEC")}
	a.withCells(cmd)
	prepare := a.narrowed(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := prepare(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return do(cmd.Context(), p)
	}
	return cmd
}
