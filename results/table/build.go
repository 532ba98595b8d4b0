package table

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/stats"
)

// Of makes the ranked table of a plan, with one row for each split, from the cells in
// stores, of which the first that has a cell gives it, and the contrasts of its spec. Cells that
// are not there or failed are shown as such.
func Of(p plan.Plan, stores ...*store.Store) (Table, error) {
	return of(p, func(plan.Split) bool { return true }, stores)
}

// ByDataSet is Of with one row for each data set, see [Table.Pooled]. It makes rows that become one
// without ranks, pairs and metrics, which would be most of a table of many splits.
func ByDataSet(p plan.Plan, stores ...*store.Store) (Table, error) {
	group := func(row plan.Split) [2]string {
		return [2]string{row.Dataset.ID, Row{Split: spec.SplitName(row.Dataset, row.Rule)}.rule()}
	}
	splits := map[[2]string]int{}
	for _, row := range p.Splits {
		splits[group(row)]++
	}
	t, err := of(p, func(row plan.Split) bool { return splits[group(row)] == 1 }, stores)
	return t.Pooled(), err
}

func of(p plan.Plan, ranked func(plan.Split) bool, stores []*store.Store) (Table, error) {
	snapshots := make([]*store.Store, len(stores))
	for i, st := range stores {
		snapshots[i] = st.Snapshot()
	}
	t, err := build(experimentOf(p), len(p.Splits), func(i int) (RowInput, error) {
		in, err := read(p, p.Splits[i], snapshots)
		in.Unranked = !ranked(p.Splits[i])
		return in, err
	})
	if err == nil {
		t.Contrasts = contrasts(p, t)
	}
	return t, err
}

// New makes a table of rows in memory. A cell without input is missing.
func New(spec Experiment, rows []RowInput) Table {
	t, _ := build(spec, len(rows), func(i int) (RowInput, error) { return rows[i], nil }) // there is no error to return
	return t
}

// experimentOf returns the experiment of a plan.
func experimentOf(p plan.Plan) Experiment {
	s := Experiment{Name: p.Spec.Name, Test: p.Spec.Test.Variant, Across: p.Spec.Test.Across, Against: p.Spec.Test.Against, Alpha: p.Spec.Test.Alpha,
		Measure: p.Spec.Test.Metric, Metrics: p.Spec.Metrics, Overlaps: p.Overlaps()}
	if p.Spec.Published != nil && results.MetricOf(s.Measure).ID == results.Accuracy { // printed numbers are accuracies
		s.Published = p.Spec.Published.Numbers
	}
	untuned := p.Spec.Untuned()
	for i, c := range p.Spec.Columns {
		column := Column{
			ID: c.ID, Method: c.Method.ID, Name: c.Heading(), Swept: c.SweptValues(), Scaled: c.Scaled(), Select: c.Select,
			Protocol: c.Protocol(), MaxTrain: p.Spec.MaxTrain,
			Drawn:   c.DrawsTies(),
			Untuned: slices.Contains(untuned, &p.Spec.Columns[i]),
		}
		if printed := p.Spec.Published; printed != nil && len(p.Splits) > 0 {
			of := printed.Column(&c)
			column.OtherK = printed.OtherK(&c) && !p.Spec.OtherNeighbors()
			column.Fewer = printed.Fewer(&c, p.Splits[0].Dataset.ID)
			column.Printed = of != nil && of.ID == c.ID && of.Scaled() == c.Scaled() && maps.Equal(of.SweptValues(), c.SweptValues())
		}
		s.Columns = append(s.Columns, column)
	}
	return s
}

// leftOut is the reason for a missing cell of a data set that its column leaves out.
const leftOut = "the spec leaves this data set out"

// read reads the cells of a row of a plan, of every seed. The first seed of a column decides
// whether it has a result.
func read(p plan.Plan, row plan.Split, stores []*store.Store) (RowInput, error) {
	rule := row.Rule
	rule.MaxTrain = 0                       // the test over the splits counts all, see stats.ResampledT
	sizes, _ := rule.PartSizes(row.Dataset) // a rule that the classes have too few rows for has no cells
	in := RowInput{
		Dataset: row.Dataset.ID, Letter: row.Dataset.Letter, Name: row.Dataset.Name, Split: spec.SplitName(row.Dataset, row.Rule), Repeat: row.Repeat,
		N: sizes[2], Train: sizes[0], Overlap: row.Shared, Note: row.Dataset.Note,
		Unlike: !p.Spec.Published.Divided(row.Dataset, row.Rule) || p.Spec.OtherNeighbors(),
		Cells:  make([]CellInput, len(row.Jobs)),
	}
	if row.Dataset.Own() {
		in.Class, in.Label, in.Tested = largest(row)
	}
	if p.Spec.Split.SplitsOf(row.Dataset) == 1 {
		in.Repeat = 0
	}
	for column, jobs := range row.Jobs {
		to := &in.Cells[column]
		to.Seeds = len(jobs)
		if jobs[0].LeftOut() {
			to.Status, to.Reason = StatusMissing, leftOut
			continue
		}
		for i, j := range jobs {
			cell, found, err := first(stores, j.Inputs, (*store.Store).Shown)
			if err != nil {
				return in, err
			}
			if found {
				to.Cells = append(to.Cells, cell)
				continue
			}
			if i > 0 {
				continue
			}
			to.Status, to.Reason = StatusMissing, "not computed yet; run the spec"
			if j.Column.Method.Imported {
				to.Reason = plan.WhyNotImported
			}
			failure, failed, err := first(stores, j.Inputs, (*store.Store).Failed)
			if err != nil {
				return in, err
			}
			if failed {
				to.Status, to.Reason = StatusFailed, failure.Failure+"; --retry-failed tries it again"
			}
			break
		}
	}
	return in, nil
}

// largest returns the largest class of the training samples of a split, with its label, and the
// classes of the test samples; nothing where the rows of a class are not known.
func largest(row plan.Split) (class string, label int, tested []results.ClassCount) {
	most, _, counts, ok := row.Rule.Majority(row.Dataset)
	if !ok {
		return "", 0, nil
	}
	for i, n := range counts {
		if n > 0 {
			tested = append(tested, results.ClassCount{Label: i + 1, Count: n})
		}
	}
	return row.Dataset.Labels[most], most + 1, tested
}

// first looks for a cell in one store after another.
func first(stores []*store.Store, in results.Inputs, look func(*store.Store, results.Inputs) (results.Cell, bool, error)) (c results.Cell, ok bool, err error) {
	for _, st := range stores {
		if c, ok, err = look(st, in); ok || err != nil {
			break
		}
	}
	return c, ok, err
}

// build reads and ranks rows in parallel, more than there are processors, because a disk serves
// several reads in about the time of one. It keeps of a cell only what the table shows. It ranks
// methods by seed 1 of the split of each row; the family of a test is the methods with a result
// there. Spreads are over seeds and repeats. It returns the first error by row.
func build(spec Experiment, rows int, read func(i int) (RowInput, error)) (Table, error) {
	if spec.Measure == results.Accuracy {
		spec.Measure = ""
	}
	by := results.MetricOf(spec.Measure).ID // which every table shows
	spec.Metrics = slices.DeleteFunc(slices.Clone(spec.Metrics), func(id string) bool { return id == by })
	t := Table{
		Schema: 1, Spec: spec.Name, Measure: spec.Measure, Metrics: spec.Metrics,
		Test:    results.TestInfo{Pair: spec.Test.String(), Correction: "holm", Across: spec.Across, Alpha: spec.Alpha},
		Columns: append([]Column{}, spec.Columns...), Rows: make([]Row, rows), Answers: spec.Answers, Overlaps: spec.Overlaps, Against: spec.Against,
	}
	faults := make([]error, rows)
	var group errgroup.Group
	group.SetLimit(max(16, runtime.GOMAXPROCS(0)))
	for i := range rows {
		group.Go(func() error {
			var in RowInput
			if in, faults[i] = read(i); faults[i] == nil {
				t.Rows[i] = newRow(spec, in)
			}
			return faults[i]
		})
	}
	if group.Wait() != nil {
		return Table{}, cmp.Or(faults...)
	}
	if spec.Answers && !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Classes != nil && len(r.Classes.Counts) > 1 }) {
		t.dropClasses() // whether an answer is right is no class
	}
	t.addSpreads()
	return t, nil
}

// dropClasses removes the classes of rows and the metrics of cells.
func (t Table) dropClasses() {
	for i, r := range t.Rows {
		t.Rows[i].Classes = nil
		for _, c := range r.Cells {
			if c.Score != nil {
				c.Metrics, c.classes = nil, nil
			}
		}
	}
}

// newRow fills the cells of a row, and compares those that have a result.
func newRow(spec Experiment, in RowInput) Row {
	row := Row{
		Dataset: in.Dataset, Letter: in.Letter, Name: in.Name, Split: in.Split, Repeat: in.Repeat, N: in.N, Note: in.Note,
		Cells: make([]Result, len(spec.Columns)), Train: in.Train, Overlap: in.Overlap,
	}
	by := results.MetricOf(spec.Measure)
	if score := by.Exact(results.ConstantResults(in.Tested, in.Label)); score != nil {
		row.Largest = Largest{Class: in.Class, Scores: []float64{percent(score)}}
	}
	var present []int // columns
	var samples []stats.Sample
	var truth []int         // of the first result
	highest := math.Inf(-1) // printed accuracy
	for i, column := range spec.Columns {
		cell, status, reason := usable(in, i)
		if status == "" && len(present) > 0 && !slices.Equal(cell.Truth, truth) {
			status = StatusFailed
			reason = fmt.Sprintf("its test labels are not those of %s: one of the two was made from other data", spec.Columns[present[0]].ID)
		}
		classes := results.CountResults(cell.Truth, cell.Predicted)
		value := by.Exact(classes)
		if status == "" && value == nil {
			status, reason = StatusFailed, by.Name+" is not defined: all test samples are of one class, and so are all answers"
		}
		c := &row.Cells[i]
		*c = Result{Method: column.ID, Status: status, Reason: reason, Notes: []string{}}
		p, ok := spec.Published.Find(in.Dataset, in.Letter, column.ID, column.Method)
		if ok && !column.OtherK && (column.Printed || !column.Scaled && !column.fixes()) {
			c.Published, c.PublishedRank = p.Accuracy, p.Rank
			highest = max(highest, p.Percent)
		}
		if status != "" {
			row.MissingMethods = append(row.MissingMethods, column.ID)
			continue
		}
		c.fill(cell, classes, value)
		if !in.Unranked {
			c.Metrics = results.Measured(c.classes, measured(spec.Measure, spec.Metrics))
		}
		if c.Published != "" && !in.Unlike {
			c.Mark = mark(c.Correct, len(cell.Truth), p.Percent)
		}
		c.addTrials(in.Cells[i], by, value)
		truth, present = cell.Truth, append(present, i)
		if !in.Unranked {
			samples = append(samples, stats.Sample{Answers: stats.NewAnswers(cell.Truth, cell.Predicted)})
		}
	}
	if len(present) > 0 {
		row.N = len(truth)
		row.Classes = newClasses(shown(spec.Measure, spec.Metrics), by, results.CountClasses(truth))
		largest := 100 * float64(row.Classes.Majority.Count) / float64(row.N)
		row.PrintedBelow = !in.Unlike && !math.IsInf(highest, -1) && highest <= largest+0.005 // both with two decimals
	}
	if !in.Unranked && spec.Measure == "" { // McNemar's test is of right and wrong answers
		row.Pairs = row.compare(spec.Test, spec.Alpha, present, samples, true)
		row.MinGap = gapOf(spec, row)
	}
	return row
}

// addTrials adds the scores of the runs by seed, of which some may be lacking.
func (c *Result) addTrials(in CellInput, by results.Metric, value *big.Rat) {
	c.Trials = trialsOf(in.Cells, by, value)
	if seeds := max(in.Seeds, len(in.Cells)); len(c.Trials) < seeds {
		c.Seeds, c.Lacking = seeds, seeds-len(c.Trials)
	}
}

// gapOf returns the MinGap of a row with its pairs.
func gapOf(spec Experiment, row Row) *Gap {
	samples, ok := stats.MinGap(spec.Test, row.N, len(row.Pairs), spec.Alpha)
	if !ok || len(row.Pairs) == 0 {
		return nil
	}
	return &Gap{Samples: samples, Percent: stats.Percent(samples, row.N, 2)}
}

// trialsOf returns the outcome of each seed of a cell; value is that of the first.
func trialsOf(seeds []results.Cell, by results.Metric, value *big.Rat) []Trial {
	trials := []Trial{newTrial(seeds[0], value)}
	for _, other := range seeds[1:] {
		if other.Failure == "" {
			trials = append(trials, newTrial(other, by.Exact(results.CountResults(other.Truth, other.Predicted))))
		}
	}
	return trials
}

// shown returns the ids of the metrics that a table shows: the one that ranks, unless that is
// accuracy, and those of its spec.
func shown(measure string, metrics []string) []string {
	if measure == "" {
		return metrics
	}
	return slices.Concat([]string{measure}, metrics)
}

// measured returns the ids of the metrics that a table computes for every cell: those that it
// shows, and those of every table.
func measured(measure string, metrics []string) []string {
	all := slices.Clone(shown(measure, metrics))
	for _, m := range results.Metrics {
		if m.Always {
			all = append(all, m.ID)
		}
	}
	return all
}

// newClasses are the classes of some test sets, in ascending order of the labels, with what
// these metrics and the measure of the table give the most frequent one, on average over the sets.
func newClasses(metrics []string, by results.Metric, sets ...[]results.ClassCount) *Classes {
	total := map[int]int{}
	for _, c := range slices.Concat(sets...) {
		total[c.Label] += c.Count
	}
	counts := make([]results.ClassCount, 0, len(total))
	for _, label := range slices.Sorted(maps.Keys(total)) {
		counts = append(counts, results.ClassCount{Label: label, Count: total[label]})
	}
	constant := func(c results.ClassCount) Constant {
		shares, scores := make([]*big.Rat, len(sets)), make([]*big.Rat, len(sets))
		for i, set := range sets {
			constant := results.ConstantResults(set, c.Label)
			shares[i], scores[i] = accuracy.Exact(constant), by.Exact(constant)
		}
		mean, score := results.MeanValue(shares), results.MeanValue(scores)
		return Constant{Label: c.Label, Count: c.Count, Accuracy: accuracy.Print(mean), Mean: percent(score)}
	}
	most := slices.MaxFunc(counts, func(a, b results.ClassCount) int { return cmp.Compare(a.Count, b.Count) })
	values := make([]results.Values, len(sets))
	for i, set := range sets {
		values[i] = results.Measured(results.ConstantResults(set, most.Label), metrics)
	}
	return &Classes{Counts: counts, Majority: constant(most), TieWinner: constant(counts[0]), MajorityMetrics: results.MeanValues(values)}
}

// usable returns the cell of seed 1 for column i, or why there is none.
func usable(in RowInput, i int) (cell results.Cell, status, reason string) {
	var c CellInput
	if i < len(in.Cells) {
		c = in.Cells[i]
	}
	switch {
	case c.Status != "":
		return results.Cell{}, c.Status, c.Reason
	case len(c.Cells) == 0:
		return results.Cell{}, StatusMissing, "not run yet"
	case c.Cells[0].Failure != "":
		return results.Cell{}, StatusFailed, c.Cells[0].Failure
	case in.N > 0 && len(c.Cells[0].Truth) != in.N:
		return results.Cell{}, StatusFailed, fmt.Sprintf("it has %d test samples, the split has %d", len(c.Cells[0].Truth), in.N)
	}
	return c.Cells[0], "", ""
}

// fixes tells whether the column has fixed a parameter of its method while its neighbors
// have other values. The paper chose among values on the validation samples, so that no
// published number is of such a column. The k of the rule was never chosen.
func (c Column) fixes() bool {
	_, rule := c.Swept["k"]
	return len(c.Swept) > 1 || len(c.Swept) == 1 && !rule
}

// fill sets the score of a cell but for its rank, which depends on the other cells. value is the
// measure.
func (c *Result) fill(from results.Cell, classes results.ClassResults, value *big.Rat) {
	c.Score = &Score{
		Correct:    from.Correct(),
		Accuracy:   stats.Percent(from.Correct(), len(from.Truth), 2),
		classes:    classes,
		Constant:   from.Constant(),
		Params:     from.Setting().Params,
		Restart:    from.Setting().Restart,
		Seed:       from.Seed,
		Facts:      from.Counts,
		Series:     from.Series,
		Validation: validation(from),
	}
	c.Mean = percent(value)
	for _, d := range from.Doubts {
		c.Doubts = append(c.Doubts, Doubt{d, 1})
	}
	c.Notes = append(append(c.Notes, from.Warnings...), Wrong(from)...)
	if note := gridNote(from.Validation); note != "" {
		c.Notes = append(c.Notes, note)
	}
}

// validation returns the right answers under the chosen setting; nil without a choice.
func validation(c results.Cell) *Tally {
	if p := c.Validation; p != nil && c.Chosen < len(p.Correct) {
		return &Tally{Correct: p.Correct[c.Chosen], Of: p.N}
	}
	return nil
}

// gridNote counts the failed points of a grid, with the reason of the first.
func gridNote(p *results.Profile) string {
	if p == nil {
		return ""
	}
	var failed []int
	for i, correct := range p.Correct {
		if correct < 0 {
			failed = append(failed, i)
		}
	}
	if len(failed) == 0 {
		return ""
	}
	note := fmt.Sprintf("%d of %s failed", len(failed), text.Counted(len(p.Correct), "grid point"))
	return text.Join(", the first: ", note, p.Failures[failed[0]])
}

// mark compares our accuracy with a published percentage, both as printed: "=" when they
// are the same number, else the difference in points, such as "+0.45".
func mark(correct, n int, published float64) string {
	ours, theirs := (20_000*correct+n)/(2*n), int(math.Round(100*published)) // in hundredths of a percent, half up
	if ours == theirs {
		return "="
	}
	return text.Signed(float64(ours-theirs) / 100)
}
