package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/internal/invoke"
	"r2lmlbench/internal/kernel"
	"r2lmlbench/results/store"
)

// Names of flags that several commands have. A command has the flags that act on it;
// --log acts on all, since all may end with an error. Commands share the variables
// of flags, so that a flag has the same default wherever it is.
const (
	dataFlag    = "data"
	formatFlag  = "format"
	quietFlag   = "quiet"
	workersFlag = "workers"
)

// What --format may be of a ranked table, and of any other listing.
var (
	rankedFormats = []string{"text", "markdown", "latex", "csv", "json"}
	listedFormats = []string{"text", "markdown", "csv", "json"}
	tableFormats  = append(slices.Clone(rankedFormats), longFormat)
)

// longFormat has a line for every test sample and method.
const longFormat = "long"

// A choice is the value of a flag that takes one of some words.
type choice struct {
	value *string
	words []string
}

func (c choice) String() string {
	if c.value == nil {
		return "" // pflag asks the zero value
	}
	return *c.value
}

func (c choice) Type() string { return "string" }

func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("want %s", alternatives(c.words))
	}
	*c.value = s
	return nil
}

// alternatives joins words: "a", "a or b", "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// logFlag adds --log to all commands.
func (a *app) logFlag(root *cobra.Command) {
	words := []string{"text", "json"}
	a.log = words[0]
	root.PersistentFlags().Var(choice{&a.log, words}, "log", "remarks and errors on standard error: "+alternatives(words))
}

// withFormat adds --format to cmd; the first format is the default.
func (a *app) withFormat(cmd *cobra.Command, formats ...string) {
	a.format = formats[0]
	cmd.Flags().Var(choice{&a.format, formats}, formatFlag, "output: "+alternatives(formats))
}

// withPerSplit adds --per-split to cmd, which prints a ranked table.
func (a *app) withPerSplit(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.perSplit, "per-split", false, "a row for each split of a data set instead of one for all")
}

// withQuiet adds --quiet to cmd, which makes remarks.
func (a *app) withQuiet(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.quiet, quietFlag, false, "no remarks on standard error")
}

// withResults adds --results to cmd. Help shows no default that depends on the
// environment.
func (a *app) withResults(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.results, invoke.Results, envOr("R2LMLBENCH_RESULTS", defaultResults),
		"directory of stored cells; $R2LMLBENCH_RESULTS names another default")
	cmd.Flags().Lookup(invoke.Results).DefValue = filepath.ToSlash(defaultResults)
}

// withData adds --data to cmd.
func (a *app) withData(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.data, dataFlag, envOr("R2LMLBENCH_DATA", defaultData()),
		"directory of data files (default $R2LMLBENCH_DATA, or r2lmlbench/data in the user's cache directory)")
	cmd.Flags().Lookup(dataFlag).DefValue = ""
}

// withCells adds what commands on the cells of a spec have in common.
func (a *app) withCells(cmd *cobra.Command) {
	a.withResults(cmd)
	a.withData(cmd)
	a.withQuiet(cmd)
}

// withWorkers adds --workers to cmd.
func (a *app) withWorkers(cmd *cobra.Command) {
	cmd.Flags().IntVar(&a.workers, workersFlag, runtime.NumCPU(), "fits at once")
	cmd.Flags().Lookup(workersFlag).DefValue = "number of processors"
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

// checkFlags checks the values of the flags that cmd has.
func (a *app) checkFlags(cmd *cobra.Command) error {
	if err := requiredFlags(cmd); err != nil {
		return err
	}
	if a.workers < 1 {
		return fmt.Errorf("--workers is %d, want at least 1", a.workers)
	}
	if _, _, err := parseShard(a.shard); err != nil {
		return err
	}
	if a.results == embeddedAccepted && cmd.Flags().Lookup(invoke.Results) != nil && slices.Contains(writers, cmd.Name()) {
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
