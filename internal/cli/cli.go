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
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/interrupt"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/internal/kernel"
	"r2lmlbench/results/accepted"
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

// formats are the values of --format, moreFormats those of single commands.
var (
	formats     = []string{"text", "markdown", "latex", "csv", "json"}
	moreFormats = map[string][]string{"gate": {"junit", "github"}}
)

// writers are the commands that store cells.
var writers = []string{"run", "import", "merge", "slurm", "k8s"}

// errGate marks a comparison that did not come out as it should.
var errGate = errors.New("not passed")

// errData marks data that is missing or corrupt.
var errData = errors.New("data missing or corrupt")

// Main runs the command line args and returns the exit code. An interrupt
// ends a run with what is finished kept.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := interrupt.Notify(context.Background())
	defer stop()
	unwatch := context.AfterFunc(ctx, func() { interrupt.Insist(stop) })
	defer unwatch() // first, since the end of the command is no signal
	out := &output{Writer: stdout}
	a := &app{stdout: out, stderr: stderr}
	root := a.command()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if out.fault != nil {
		err = errors.Join(err, fmt.Errorf("%w: standard output: %w", atomicfile.ErrIO, out.fault))
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
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, atomicfile.ErrIO) && !errors.Is(err, syscall.ENOTDIR): // a path that leads through a file is a slip
		return exitIO
	case errors.Is(err, errGate):
		return exitGate
	case errors.Is(err, spec.ErrSpec):
		return exitSpec
	case errors.Is(err, errData), errors.Is(err, run.ErrData):
		return exitData
	case errors.Is(err, run.ErrCells):
		return exitCells
	default:
		return exitUsage
	}
}

// app holds the global flags and the streams.
type app struct {
	stdout, stderr io.Writer
	live           liveLine // of stderr

	known *judge.Session // nil until it is asked for
	cells *store.Store   // of --results; nil until it is asked for

	results, data string
	workers       int
	shard         string
	format        string
	quiet         bool
	log           string
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "r2lmlbench",
		Short:         "Regenerate and check the experiments of the R2LML paper",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.checkFlags(cmd.Name()) },
	}
	f := root.PersistentFlags()
	f.StringVar(&a.results, invoke.Results, envOr("R2LMLBENCH_RESULTS", defaultResults), "directory of stored cells")
	f.StringVar(&a.data, "data", envOr("R2LMLBENCH_DATA", defaultData()), "directory of data files")
	f.IntVar(&a.workers, "workers", runtime.NumCPU(), "fits at once")
	f.StringVar(&a.shard, "shard", "", "compute only share `I/N` of the cells")
	f.StringVar(&a.format, "format", "text", "output: text, markdown, latex, csv or json")
	f.BoolVar(&a.quiet, "quiet", false, "no remarks on standard error")
	f.StringVar(&a.log, "log", "text", "remarks on standard error: text or json")
	root.AddCommand(a.runCommand(), a.planCommand(), a.tableCommand(), a.verdictCommand(), a.reportCommand(), a.gateCommand(), a.explainCommand(),
		a.validateCommand(), a.schemaCommand(),
		a.methodsCommand(), a.dataCommand(), a.auditCommand(), a.reproductionCommand(), a.importCommand(), a.mergeCommand(), a.slurmCommand(),
		a.kubernetesCommand(), a.versionCommand())
	return root
}

func envOr(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// defaultData is the data directory below the user's cache.
func defaultData() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "r2lmlbench-data"
	}
	return filepath.Join(cache, "r2lmlbench", "data")
}

func (a *app) checkFlags(command string) error {
	known := slices.Concat(formats, moreFormats[command])
	if !slices.Contains(known, a.format) {
		return fmt.Errorf("--format is %q, want one of %s", a.format, strings.Join(known, ", "))
	}
	if a.log != "text" && a.log != "json" {
		return fmt.Errorf("--log is %q, want text or json", a.log)
	}
	if a.workers < 1 {
		return fmt.Errorf("--workers is %d, want at least 1", a.workers)
	}
	if _, _, err := parseShard(a.shard); err != nil {
		return err
	}
	if a.results == embeddedAccepted && slices.Contains(writers, command) {
		return fmt.Errorf("--results is %s, which is %w", a.results, store.ErrReadOnly)
	}
	_, err := kernel.Level()
	return err
}

// maxTasks is the most shares into which the cells of a spec are divided; more
// is a slip, or an attempt to fill the memory.
const maxTasks = 10_000

// parseShard reads I/N with 1 ≤ I ≤ N ≤ maxTasks; empty means everything.
func parseShard(s string) (i, n int, err error) {
	if s == "" {
		return 1, 1, nil
	}
	if _, err := fmt.Sscanf(s, "%d/%d", &i, &n); err != nil || i < 1 || i > n || s != fmt.Sprintf("%d/%d", i, n) {
		return 0, 0, fmt.Errorf("--shard is %q, want I/N with I from 1 to N, such as 2/4", s)
	}
	if n > maxTasks {
		return 0, 0, fmt.Errorf("--shard is %q, want at most %d shares", s, maxTasks)
	}
	return i, n, nil
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
	dir := cmd.Flags().String("accepted", defaultAccepted, "directory of accepted cells; if the default does not exist, those in the program are used")
	var opened *store.Store
	return func() *store.Store {
		switch {
		case opened != nil:
		case cmd.Flags().Changed("accepted"):
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
	return table.Options{Color: terminal(a.stdout) && os.Getenv("NO_COLOR") == ""}
}

func terminal(w io.Writer) bool {
	if out, ok := w.(*output); ok {
		w = out.Writer
	}
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
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
