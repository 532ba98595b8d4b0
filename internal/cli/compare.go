package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/compare"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/console"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/machine"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/answer"
	"r2lmlbench/results/rank"
	"r2lmlbench/results/report"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

func (a *app) compareCommand() *cobra.Command {
	var c ownComparison
	var page string
	cmd := a.verb("compare FILE...", anyFile)
	cmd.Args = countArgs(1, math.MaxInt, "one FILE or several")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, word := range args {
			if _, err := os.Stat(word); err != nil && slices.Contains(compare.Methods(), word) {
				return fmt.Errorf("compare: there is no file %s; a list of methods has commas and no blanks: --methods a,b", word)
			}
		}
		c.files = args
		return a.compare(cmd.Context(), &c, page)
	}
	a.withResults(cmd)
	a.withQuiet(cmd)
	a.withWorkers(cmd)
	a.withFormat(cmd, formats...)
	c.withData(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&c.Methods, "methods", nil, "only these methods, by id, however long they take")
	cmd.RegisterFlagCompletionFunc("methods", cobra.FixedCompletions(compare.Methods(), cobra.ShellCompDirectiveNoFileComp))
	c.withSplits(cmd)
	f.StringVar(&c.Against, "against", "", "the `METHOD` that the others are tested against (default euclidean-scaled)")
	choiceFlag(cmd, f, &c.Measure, measureName, "that settings are chosen by, and methods ranked and tested:", results.MetricIDs()...)
	f.IntVar(&c.MaxTrain, "max-train", 0, "most training rows of a split, drawn so that the classes keep their shares (default all)")
	f.BoolVar(&c.all, "all", false, "also the methods that take long")
	f.StringVar(&c.spec, "spec", "", "write the spec that does the same to this `FILE`, too")
	cmd.RegisterFlagCompletionFunc("spec", anyFile)
	f.StringVar(&page, "page", "", "write a web page of the result to this `DIR`, which is made, with the spec")
	cmd.RegisterFlagCompletionFunc("page", directories)
	f.StringVar(&c.figure, "figure", "", "draw the means, with the intervals of their differences to the highest, into this `FILE.svg`")
	cmd.RegisterFlagCompletionFunc("figure", anyFile)
	f.BoolVarP(&a.verbose, "verbose", "v", false, "a line for every finished result")
	return cmd
}

// An ownComparison is what the flags of compare and fit ask for, and the plan that does it.
type ownComparison struct {
	compare.Inputs
	files                []string
	label, group, stanza string

	spec   string // file to write the spec to; "": none
	figure string // file to draw the result into; "": none
	all    bool   // methods that take long, too

	tables  []*tabular.Table // of the files
	text    string           // of the spec
	plan    plan.Plan
	leftOut []compare.LeftOut
}

// withData adds the flags that say how the file is read.
func (c *ownComparison) withData(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.label, "label", "", "`COLUMN` of the classes: its name, its number from 1, first or last; for a column named 3 give --stanza \"{label: '3'}\"")
	f.StringVar(&c.group, "group", "", "`COLUMN` whose rows of one value, such as a patient, stay in one part of every split; it is no feature")
	f.StringVar(&c.stanza, "stanza", "{}", "`KEYS` of a data set that say how the file is read, as data show prints them: \"{drop: [id]}\"")
}

// withSplits adds the flags that say how the rows are divided.
func (c *ownComparison) withSplits(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&c.Splits, "splits", 20, "random splits into training, validation and test rows")
	f.Float64Var(&c.Train, "train", 0.5, "share of the rows of each class that trains")
	f.Float64Var(&c.Validation, "validation", 0.2, "share of the rows of each class that settings are chosen on")
	f.IntVar(&c.Neighbors, "neighbors", 5, "k of the k-NN rule")
	f.Uint64Var(&c.Seed, "seed", 1, "seed of the splits")
}

// check reports values of flags that make no sense.
func (c *ownComparison) check() error {
	switch share := func(v float64) bool { return v > 0 && v < 1 }; {
	case c.Splits < 2 || c.Splits > spec.MaxRuns:
		return fmt.Errorf("--splits is %d, want a number from 2 to %d", c.Splits, spec.MaxRuns)
	case !share(c.Train) || !share(c.Validation) || !share(c.Train+c.Validation):
		return fmt.Errorf("--train is %g and --validation %g, want shares of the rows that leave some for testing, such as 0.5 and 0.2", c.Train, c.Validation)
	case c.MaxTrain < 0:
		return fmt.Errorf("--max-train is %d, want a number of rows such as %d", c.MaxTrain, compare.Subsample)
	case c.figure != "" && filepath.Ext(c.figure) != ".svg":
		return fmt.Errorf("--figure is %s, want a file that ends in .svg", c.figure)
	case c.figure != "" && (isFolder(c.figure) || !isFolder(filepath.Dir(c.figure))):
		return fmt.Errorf("--figure is %s, want a file in a folder that is there", c.figure)
	case c.Neighbors < 1:
		return fmt.Errorf("--neighbors is %d, want at least 1", c.Neighbors)
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readCompared reads the files as `data show` does, and tells what it has guessed.
func (a *app) readCompared(ctx context.Context, c *ownComparison) error {
	for _, file := range c.files {
		if err := a.readOne(ctx, c, file); err != nil {
			return err
		}
	}
	for train, file := range c.files {
		if test := c.index(testBeside(file)); test >= 0 && slices.Equal(c.tables[train].Names, c.tables[test].Names) {
			a.Remark("%s and %s seem to be the training and the test rows of one data set, but are compared as two; "+
				"a spec in their folder that trains on one and tests on the other: `%s`", file, c.files[test], pairSpec(file, c.files[test], c.Files[train].Data))
		}
	}
	return nil
}

// index is the place of a file among those that are compared; -1 if it is none of them.
func (c *ownComparison) index(file string) int {
	return slices.IndexFunc(c.files, func(other string) bool { return sameFile(other, file) })
}

func (a *app) readOne(ctx context.Context, c *ownComparison, file string) error {
	given, err := c.given()
	if err != nil {
		return err
	}
	b, err := readData(file)
	if err != nil {
		return err
	}
	if given.Label.IsZero() { // formats without columns of labels have none to guess
		if p := tabular.Guess(ctx, file, b, given); !p.NoTable && !p.Options.Label.IsZero() {
			return fmt.Errorf("--label must be given, the column of the classes; in %s that may be %s", file, p.Options.Label)
		}
	}
	proposal, read, err := readGuessed(ctx, file, b, given)
	if err != nil {
		return err
	}
	for _, why := range proposal.Why {
		a.Remark("%s: %s", file, why)
	}
	if test := testBeside(file); test != "" && c.index(test) < 0 {
		a.Remark("%s: %s", file, unusedBeside(file, test, proposal.Options))
	}
	id := idOf(file)
	if i := slices.IndexFunc(c.Files, func(other compare.File) bool { return other.ID == id }); i >= 0 {
		return fmt.Errorf("%s and %s would both be called %s; name one of them otherwise", c.files[i], file, id)
	}
	c.Files, c.tables = append(c.Files, compare.File{ID: id, Data: proposal.Options}), append(c.tables, read)
	features := text.Counted(read.Encoded(), "feature")
	if read.Categories != nil {
		features += " from " + text.Counted(read.Features(), "column")
	}
	a.Remark("%s: %s, %s, %d classes", file, text.Counted(read.Rows(), "row"), features, len(read.Labels))
	if read.Folds != nil {
		a.Remark("%s: the parts or folds of the file are not used here, the splits are drawn from all rows; a spec without `split` uses them", file)
	}
	for _, remark := range read.Remarks() {
		a.Remark("%s: %s", file, remark)
	}
	return nil
}

// given is how the flags say that the file is read.
func (c *ownComparison) given() (given tabular.Layout, err error) {
	if given, err = spec.ParseData(c.stanza); err != nil {
		return given, fmt.Errorf("--stanza: %w", err)
	}
	if c.label != "" {
		given.Label = columnOf(c.label)
	}
	if c.group != "" {
		given.Group = columnOf(c.group)
	}
	return given, nil
}

// columnOf is the column that a flag names, as a stanza does.
func columnOf(text string) tabular.ColumnRef {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return tabular.ColumnRef{Number: n}
	}
	return tabular.ColumnRef{Name: text}
}

// spell writes the spec of a comparison as one that stands in a file, and plans it.
func (a *app) spell(ctx context.Context, c *ownComparison, file string) (err error) {
	for i, data := range c.files {
		if c.Files[i].Path, err = relativeTo(filepath.Dir(file), data); err != nil {
			return err
		}
	}
	if c.text, err = compare.Spec(c.Inputs); err != nil {
		return err
	}
	s, err := spec.Parse(file, []byte(c.text))
	if err != nil {
		return err
	}
	c.plan, err = plan.New(ctx, s, a.source)
	if errors.Is(err, spec.ErrSpec) { // the spec is ours, so the data have too few rows for it
		err = fmt.Errorf("%w\n%s", datasets.ErrUnusable, strings.TrimPrefix(err.Error(), spec.ErrSpec.Error()+": "))
	}
	return err
}

// relativeTo is the path of a file as one in dir names it.
func relativeTo(dir, file string) (string, error) {
	full, err := filepath.Abs(file)
	if err != nil || filepath.IsAbs(file) {
		return file, err
	}
	path, _, err := localTo(dir, full)
	return filepath.ToSlash(path), err
}

// chooseMethods plans the comparison on a file that was read, with the methods that there is
// memory and time for, and tells which it leaves out.
func (a *app) chooseMethods(ctx context.Context, c *ownComparison) error {
	named := len(c.Methods) > 0
	slices.Sort(c.Methods)
	c.Methods = slices.Compact(c.Methods)
	file := cmp.Or(c.spec, "compare.yaml")
	if err := a.spell(ctx, c, file); err != nil {
		return err
	}
	chosen := compare.Choose(c.plan, a.source, c.Against, c.all || named)
	c.leftOut = chosen.LeftOut
	if chosen.Beyond {
		a.Remark("the methods take about %s of CPU time; --max-train %d makes it about %s",
			text.Roughly(chosen.Took), compare.Subsample, text.Roughly(chosen.Less))
	}
	if len(c.leftOut) == 0 {
		return nil
	}
	if a.Format == "csv" || a.Format == "latex" || a.Format == "json" && len(c.files) > 1 { // which have no room for the reasons
		for _, line := range answer.LeftOutLines(c.leftOut) {
			a.Remark("%s", line)
		}
	} else {
		a.Remark("%s skipped, listed below the answer", text.Counted(len(c.leftOut), "method"))
	}
	if len(chosen.Methods) == 0 && named {
		return fmt.Errorf("%w: none of the methods can be compared on this machine", errData)
	}
	if len(chosen.Methods) == 0 {
		return fmt.Errorf("all methods take too long; give --max-train %d, fewer --splits, some --methods, or --all", compare.Subsample)
	}
	c.Methods = chosen.Methods
	return a.spell(ctx, c, file)
}

// compare computes what is missing, and prints the answer. A page has the spec beside it
// unless that is written elsewhere.
func (a *app) compare(ctx context.Context, c *ownComparison, page string) error {
	if err := c.check(); err != nil {
		return err
	}
	keep := writeSpec
	if page != "" {
		if err := report.Replaceable(page); err != nil {
			return fmt.Errorf("--page: %w; name another directory", err)
		}
		if c.spec == "" {
			c.spec, keep = filepath.Join(page, "compare.yaml"), checkSpec // it is written when the page is there
		}
	}
	if err := a.readCompared(ctx, c); err != nil {
		return err
	}
	if err := a.chooseMethods(ctx, c); err != nil {
		return err
	}
	known := map[string]datasets.DataSet{}
	for i, e := range c.plan.Spec.Sets {
		entry, err := a.source.Known(e, c.plan.Splits[0].Rule)
		if err != nil {
			return err
		}
		if err := compare.Void(c.tables[i], entry, c.plan.Splits[0].Rule, c.Neighbors); err != nil {
			return fmt.Errorf("%w\n%s: %w", errVoid, c.files[i], err)
		}
		known[e.ID] = entry
	}
	for _, warning := range c.plan.Spec.Warnings("", func(e datasets.DataSet) datasets.DataSet { return known[e.ID] }) {
		a.Remark("warning: %s", warning.Msg)
	}
	if c.spec != "" {
		if err := keep(c.spec, c.text); err != nil {
			return err
		}
	}
	defer machine.Aim(cellsMemory)()
	a.timed, a.ranked = true, len(c.files) == 1
	failed, err := a.compute(ctx, c.plan)
	if !errors.Is(err, errInterrupted) {
		if err != nil {
			return err
		}
		return errors.Join(failed, a.answer(ctx, c, c.plan, page))
	}
	if len(c.files) > 1 {
		return err
	}
	finished, fault := a.finished(c.plan)
	if fault == nil && len(finished.Splits) >= answer.LeastSplits {
		fault = a.answer(context.WithoutCancel(ctx), c, finished, page) // a second signal ends the process
	}
	return errors.Join(fault, err)
}

// answer prints the answer over the splits of a plan, which are all or those that are finished, and
// writes figure and page.
func (a *app) answer(ctx context.Context, c *ownComparison, p plan.Plan, page string) error {
	var over []string
	if len(p.Splits) < len(c.plan.Splits) {
		over = []string{fmt.Sprintf("The answer is over %d of %d splits, those that are finished.", len(p.Splits), len(c.plan.Splits))}
		a.Remark("%s", over[0])
	}
	said, err := a.writeAnswer(c, p)
	if err == nil && c.figure != "" {
		err = a.drawBest(p, c.figure)
	}
	if err != nil || page == "" {
		return err
	}
	in, err := report.Of(ctx, p, c.spec, a.store)
	if err == nil {
		err = a.addPredictions(ctx, &in, p, a.store)
	}
	if err == nil {
		in.LeftOut = answer.LeftOutLines(c.leftOut)
		if said != nil {
			in.Answer = append(over, said.Sentences()...)
		}
		if err = report.Write(page, in); err != nil {
			err = fmt.Errorf("%w; name another directory with --page", err)
		}
	}
	if err == nil {
		a.Remark("the page is %s", filepath.Join(page, "index.html"))
		err = writeSpec(c.spec, c.text)
	}
	return err
}

// writeAnswer prints the answer about a file, which it returns, or the table of several files and the
// comparison over them.
func (a *app) writeAnswer(c *ownComparison, p plan.Plan) (*answer.Answer, error) {
	if len(c.files) == 1 {
		said, err := answer.Read(p, a.source, a.store, c.leftOut)
		if err != nil {
			return nil, err
		}
		return &said, a.Write(said.Document())
	}
	t, err := table.ByDataSet(p, a.store)
	if err != nil {
		return nil, err
	}
	if a.Format == "csv" || a.Format == "json" {
		return nil, a.Write(t.Document(a.Format))
	}
	return nil, a.Write(document.Document{Lead: rank.Conclusion(t, "method"), Tables: answer.Several(t, c.leftOut)})
}

// drawBest draws which methods may be the best.
func (a *app) drawBest(p plan.Plan, file string) error {
	t, err := table.ByDataSet(p, a.store)
	if err != nil {
		return err
	}
	chart, ok := report.Best(t, t.Scores())
	if !ok {
		return fmt.Errorf("--figure %s: nothing to draw without two methods that have a result on every split; of several files, on two of them", file)
	}
	drawn, _ := chart.Figure()
	if err := files.Replace(file, drawn.SVG); err != nil {
		return err
	}
	a.Remark("the figure is %s", file)
	return nil
}

// finished returns the plan of the splits that are finished.
func (a *app) finished(p plan.Plan) (plan.Plan, error) {
	var fault error
	st := a.store.Snapshot()
	p = answer.Finished(p, func(j plan.Job) bool {
		state, _, err := plan.Look(st, j)
		fault = errors.Join(fault, err)
		return state.Status == plan.Miss
	})
	return p, fault
}

// standing observes a run of jobs of a comparison and shows the ranking over the splits that
// are finished.
func (a *app) standing(p plan.Plan, st *store.Store, jobs []plan.Job, progress *console.Progress) func(run.Event) {
	open, shown, observe := map[string]bool{}, 0, a.observe(progress)
	for _, j := range jobs {
		open[j.Inputs.Key()] = true
	}
	return func(e run.Event) {
		observe(e)
		if e.Kind != run.CellDone && e.Kind != run.CellKnown {
			return
		}
		delete(open, e.Job.Inputs.Key())
		finished := answer.Finished(p, func(j plan.Job) bool { return open[j.Inputs.Key()] })
		if n := len(finished.Splits); n < answer.LeastSplits || n == shown {
			return
		}
		shown = len(finished.Splits)
		ranking, err := answer.Standing(finished, st, len(p.Splits))
		if err != nil {
			return // the answer reports it
		}
		progress.Rank(func(columns int) []string {
			var b strings.Builder
			ranking.WriteText(&b, document.Style{Width: columns})
			return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
		})
	}
}

// checkSpec refuses to write the spec of a comparison over a file that is neither the
// same nor as compare has written it.
func checkSpec(file, content string) error {
	b, err := os.ReadFile(file)
	old := string(b)
	switch first, body, _ := strings.Cut(old, "\n"); {
	case errors.Is(err, fs.ErrNotExist), old == content, err == nil && first+"\n" == sumLine(body):
		return nil
	case err != nil:
		return files.MarkIO(err)
	}
	return fmt.Errorf("there is a file %s that compare has not written, or that was changed since; name another with --spec", file)
}

// writeSpec writes the spec of a comparison if checkSpec lets it, below its sum.
func writeSpec(file, content string) error {
	if err := checkSpec(file, content); err != nil {
		return err
	}
	return files.Replace(file, []byte(sumLine(content)+content))
}

// sumLine is the first line of a spec as compare writes it.
func sumLine(content string) string {
	return fmt.Sprintf("# sum %.6x of the lines below: compare writes over a file only if it fits\n", sha256.Sum256([]byte(content)))
}
