package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// Names of flags that several commands have, beside those of package text. A command has
// the flags that act on it; --log acts on all, since all may end with an error. Commands
// share the variables of flags, so that a flag has the same default wherever it is.
const (
	dataFlag    = "data"
	formatFlag  = "format"
	quietFlag   = "quiet"
	workersFlag = "workers"
)

// formats are what --format may be of tables.
var formats = []string{"text", "markdown", "latex", "csv", "json"}

// choiceFlag adds a flag to flags of cmd that takes one of some words, the first by default.
func choiceFlag(cmd *cobra.Command, flags *pflag.FlagSet, value *string, name, about string, words ...string) {
	*value = words[0]
	flags.Func(name, about+" "+alternatives(words), func(word string) error {
		if !slices.Contains(words, word) {
			return fmt.Errorf("want %s", alternatives(words))
		}
		*value = word
		return nil
	})
	flags.Lookup(name).DefValue = words[0]
	cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

const measureName = "measure"

// measureFlag adds --measure to cmd, empty by default.
func measureFlag(cmd *cobra.Command, value *string, about string) {
	choiceFlag(cmd, cmd.Flags(), value, measureName, about, results.MetricIDs()...)
	*value, cmd.Flags().Lookup(measureName).DefValue = "", ""
}

// withFormat adds --format to cmd; the first format is the default.
func (a *app) withFormat(cmd *cobra.Command, formats ...string) {
	choiceFlag(cmd, cmd.Flags(), &a.Format, formatFlag, "output:", formats...)
	if slices.Contains(formats, "latex") {
		cmd.Flags().BoolVar(&a.Document, "document", false, "LaTeX as a document of its own, and not a table for a paper")
		cmd.PreRunE = func(*cobra.Command, []string) error {
			if a.Document && a.Format != "latex" {
				return fmt.Errorf("--document is for --format latex, and the format is %s", a.Format)
			}
			return nil
		}
	}
}

// withTable adds to cmd, which prints a ranked table, the flags that say how.
func (a *app) withTable(cmd *cobra.Command, formats ...string) {
	a.withFormat(cmd, formats...)
	cmd.Flags().BoolVar(&a.perSplit, "per-split", false, "a row for each split of a data set instead of one for all")
	cmd.Flags().BoolVar(&a.Notes, "notes", false, "all notes below the table; text shows the most important ones without, LaTeX none")
}

// withQuiet adds --quiet to cmd, which makes remarks.
func (a *app) withQuiet(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.Quiet, quietFlag, false, "no remarks on standard error")
}

// withResults adds --results to cmd. Help shows no default that depends on the
// environment.
func (a *app) withResults(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.results, text.ResultsFlag, cmp.Or(os.Getenv("R2LMLBENCH_RESULTS"), defaultResults),
		"directory of stored results; $R2LMLBENCH_RESULTS names another default")
	cmd.Flags().Lookup(text.ResultsFlag).DefValue = filepath.ToSlash(defaultResults)
	cmd.RegisterFlagCompletionFunc(text.ResultsFlag, directories)
}

// withData adds --data to cmd.
func (a *app) withData(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.data, dataFlag, cmp.Or(os.Getenv("R2LMLBENCH_DATA"), defaultData()),
		"directory of data files (default $R2LMLBENCH_DATA, or r2lmlbench/data in the user's cache directory)")
	cmd.Flags().Lookup(dataFlag).DefValue = ""
	cmd.RegisterFlagCompletionFunc(dataFlag, directories)
}

// withCells adds what commands on the cells of a spec have in common.
func (a *app) withCells(cmd *cobra.Command) {
	a.withResults(cmd)
	a.withData(cmd)
	a.withQuiet(cmd)
}

// withWorkers adds --workers to cmd.
func (a *app) withWorkers(cmd *cobra.Command) {
	cmd.Flags().IntVar(&a.runner.Workers, workersFlag, runtime.NumCPU(), "fits at once")
	cmd.Flags().Lookup(workersFlag).DefValue = "number of processors"
}

// withNarrowing adds the flags that narrow a spec to cmd, and returns what is named.
func withNarrowing(cmd *cobra.Command) (sets, methods *[]string) {
	sets = cmd.Flags().StringSlice(text.DatasetsFlag, nil, "only these data sets, by id or letter")
	methods = cmd.Flags().StringSlice(text.MethodsFlag, nil, "only these methods, by id or column")
	cmd.RegisterFlagCompletionFunc(text.DatasetsFlag, completeList(func(s *spec.Spec) []string { return setNames(s.Sets) }, setNames(datasets.All())))
	cmd.RegisterFlagCompletionFunc(text.MethodsFlag, completeList(columnNames, registry.IDs()))
	return sets, methods
}

// planned spells out the spec of a name or path, narrowed to data sets and methods where some
// are named.
func (a *app) planned(ctx context.Context, name string, sets, methods []string) (plan.Plan, error) {
	s, err := spec.Load(name)
	if err == nil && len(sets)+len(methods) > 0 {
		err = s.Narrow(sets, methods)
	}
	if err != nil {
		return plan.Plan{}, err
	}
	return plan.New(ctx, s, a.source)
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
	s := &store.Store{Dir: dir, Log: a.Remark}
	if dir == embeddedAccepted {
		s.FS = results.Accepted()
	}
	return s
}

// acceptedStore is the store with the accepted cells of a spec: that of this folder, or the
// one in the program where the folder has nothing of the spec.
func (a *app) acceptedStore(spec string) *store.Store {
	here, inProgram := a.storeIn(defaultAccepted), a.storeIn(embeddedAccepted)
	if _, listed, err := here.Accepted(spec); listed || err != nil {
		return here
	}
	if _, listed, err := inProgram.Accepted(spec); listed && err == nil {
		return inProgram
	}
	entries, err := os.ReadDir(defaultAccepted)
	if err == nil && !(len(entries) == 1 && entries[0].Name() == answersFolder) { // copies of files of answers alone are no cells
		return here
	}
	return inProgram
}

// withAccepted adds --accepted to cmd.
func (a *app) withAccepted(cmd *cobra.Command) {
	cmd.Flags().String(text.AcceptedFlag, defaultAccepted, "directory of accepted cells; without any of the spec there, those in the program")
	cmd.RegisterFlagCompletionFunc(text.AcceptedFlag, directories)
}

// accepted returns the store of a spec's accepted cells: the one that --accepted names, without
// the flag that of acceptedStore.
func (a *app) accepted(cmd *cobra.Command, spec string) *store.Store {
	if f := cmd.Flag(text.AcceptedFlag); f.Changed {
		return a.storeIn(f.Value.String())
	}
	return a.acceptedStore(spec)
}

// tellAccepted remarks on accepted cells in a folder without any, where they are from.
func (a *app) tellAccepted(s *store.Store, spec string) {
	if _, listed, err := s.Accepted(spec); s.FS != nil && listed && err == nil {
		a.Remark("accepted results of %s: those that come with the program (%s)", spec, s.Dir)
	}
}

// chosen is the store that a command reads the cells of a spec from: that of --results if
// the flag was given or nothing of the spec is accepted, else the accepted cells.
func (a *app) chosen(cmd *cobra.Command, spec string) (*store.Store, error) {
	if cmd.Flags().Changed(text.ResultsFlag) {
		return a.store, nil
	}
	accepted := a.accepted(cmd, spec)
	if _, listed, err := accepted.Accepted(spec); !listed && err == nil {
		return a.store, nil
	} else if err != nil {
		return nil, err
	}
	a.tellAccepted(accepted, spec)
	return accepted, nil
}

// namedResults checks, for commands that only read cells, that the directory that
// --results names is there: after a slip every cell would look missing. It notes a
// directory that has no cells.
func (a *app) namedResults(cmd *cobra.Command) error {
	info, err := os.Stat(a.results)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return fmt.Errorf("%s: --results %s is not a directory; name one with stored cells, or fill it first with `r2lmlbench run`", cmd.Name(), a.results)
	case err != nil:
		return files.MarkIO(fmt.Errorf("%s: --results: %w", cmd.Name(), err))
	}
	if hasCells(a.store, "") != nil {
		a.Remark("%s holds no cells", a.results)
	}
	return nil
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

// changedFlag is the value of a flag that was given, as one takes it on the command line;
// empty if it was not.
func changedFlag(cmd *cobra.Command, name string) string {
	f := cmd.Flags().Lookup(name)
	switch {
	case !f.Changed:
		return ""
	case f.Value.Type() == "stringSlice": // "[a,b]"
		return strings.TrimSuffix(strings.TrimPrefix(f.Value.String(), "["), "]")
	}
	return f.Value.String()
}

// defaultData is the data directory below the user's cache.
func defaultData() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "r2lmlbench-data"
	}
	return filepath.Join(cache, "r2lmlbench", "data")
}

// checkFlags checks the values of the flags that cmd has.
func (a *app) checkFlags(cmd *cobra.Command) error {
	if a.runner.Workers < 1 {
		return fmt.Errorf("--workers is %d, want at least 1", a.runner.Workers)
	}
	switch inProgram := a.results == embeddedAccepted; cmd.Name() {
	case "compare", "fit", "run", "import", "merge", "slurm":
		if inProgram && cmd.Flags().Lookup(text.ResultsFlag) != nil { // data import has none
			return fmt.Errorf("--results is %s, which is %w", a.results, store.ErrReadOnly)
		}
	case "table", "report", "verdict", "explain":
		if cmd.Flags().Changed(text.ResultsFlag) && !inProgram {
			if err := a.namedResults(cmd); err != nil {
				return err
			}
		}
	}
	_, err := kernel.Level()
	return err
}

// maxTasks is the most shares into which the cells of a spec are divided; more
// is a slip, or an attempt to fill the memory.
const maxTasks = 10_000

// A share of the cells, 1 ≤ number ≤ of ≤ maxTasks.
type share struct{ number, of int }

// read reads I/N.
func (s *share) read(text string) error {
	if _, err := fmt.Sscanf(text, "%d/%d", &s.number, &s.of); err != nil || s.number < 1 || s.number > s.of || text != fmt.Sprintf("%d/%d", s.number, s.of) {
		return fmt.Errorf("want I/N with I from 1 to N, such as 2/4")
	}
	if s.of > maxTasks {
		return fmt.Errorf("want at most %d shares", maxTasks)
	}
	return nil
}

// parseSize reads a whole number of bytes, or of KiB, MiB, GiB or TiB.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMGTiB")
	shift, ok := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40, "K": 10, "M": 20, "G": 30, "T": 40}[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n < 1 || n > math.MaxInt64>>shift {
		return 0, errors.New("want a size such as 512MiB or 2GiB")
	}
	return n << shift, nil
}
