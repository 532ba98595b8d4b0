package table

import (
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/diagnosis"
	"r2lmlbench/results/store"
	"r2lmlbench/stats"
)

// Of makes the ranked table of a plan, with one row for each split, from the cells in
// stores, of which the first that has a cell gives it. Cells that are not there or failed
// are shown as such.
func Of(p plan.Plan, stores ...*store.Store) (Table, error) {
	return From(SpecOf(p), Rows(p, stores...))
}

// PooledOf is Of with one row for each data set, see Pooled.
func PooledOf(p plan.Plan, stores ...*store.Store) (Table, error) {
	return Pooled(SpecOf(p), Rows(p, stores...))
}

// SpecOf is what a table needs to know of a plan.
func SpecOf(p plan.Plan) Spec {
	s := Spec{Name: p.Spec.Name, Test: p.Spec.Test.Variant, Alpha: p.Spec.Test.Alpha, Metrics: p.Spec.Metrics}
	if p.Spec.Published != nil {
		s.Published = p.Spec.Published.Numbers
	}
	untuned := p.Spec.Untuned()
	for i, c := range p.Spec.Columns {
		column := Column{
			ID: c.ID, Method: c.Method.ID, Name: c.Heading(), Swept: c.SweptValues(), Scaled: c.Scaled(), Select: c.Select, Protocol: c.Protocol(), MaxTrain: c.MaxTrain,
			Untuned: slices.Contains(untuned, &p.Spec.Columns[i]),
		}
		if printed := p.Spec.Published; printed != nil {
			of := printed.Column(&c)
			column.OtherK = printed.OtherK(&c) && !p.Spec.OtherNeighbors()
			column.Printed = of != nil && of.ID == c.ID && of.Scaled() == c.Scaled() && maps.Equal(of.SweptValues(), c.SweptValues())
		}
		s.Columns = append(s.Columns, column)
	}
	return s
}

// Rows gathers the cells of every seed behind the table of a plan row by row, and ends
// with the first error.
func Rows(p plan.Plan, stores ...*store.Store) iter.Seq2[RowInput, error] {
	snapshots := make([]*store.Store, len(stores))
	for i, st := range stores {
		snapshots[i] = st.Snapshot()
	}
	return func(yield func(RowInput, error) bool) {
		for _, row := range p.Rows {
			rule := row.Rule
			rule.MaxTrain = 0                     // the test over the splits asks how much their rows overlap
			sizes, _ := rule.PartSizes(row.Entry) // a rule that the classes have too few rows for has no cells
			in := RowInput{
				Dataset: row.Entry.ID, Letter: row.Entry.Letter, Name: row.Entry.Name, Split: spec.SplitName(row.Entry, row.Rule), Repeat: row.Repeat,
				N: sizes[2], Train: sizes[0], Note: row.Entry.Note, Permuted: row.Rule.Kind == "shuffled",
				Unlike: !p.Spec.Published.Divided(row.Entry, row.Rule) || p.Spec.OtherNeighbors(),
			}
			if p.Spec.Split.SplitsOf(row.Entry) == 1 {
				in.Repeat = 0
			}
			var err error
			for _, jobs := range row.Jobs {
				var cell CellInput
				if cell, err = stored(jobs, snapshots); err != nil {
					break
				}
				in.Cells = append(in.Cells, cell)
			}
			if !yield(in, err) || err != nil {
				return
			}
		}
	}
}

// stored collects the cells of one column of a row, seed by seed. The first seed decides
// whether there is one.
func stored(jobs []plan.Job, stores []*store.Store) (in CellInput, err error) {
	if jobs[0].LeftOut() {
		in.Status, in.Reason = StatusMissing, "the spec leaves this data set out"
		return in, nil
	}
	for i, j := range jobs {
		cell, found, err := first(stores, j.Inputs, (*store.Store).Find)
		switch {
		case err != nil:
			return in, err
		case found:
			in.Cells = append(in.Cells, cell)
		case i == 0:
			in.Status, in.Reason = StatusMissing, "not computed yet; run the spec"
			if j.Column.Method.Imported {
				in.Reason = plan.WhyNotImported
			}
			cell, failed, err := first(stores, j.Inputs, (*store.Store).Failed)
			if failed {
				in.Status, in.Reason = StatusFailed, cell.Failure+"; --retry-failed tries it again"
			}
			return in, err
		}
	}
	return in, nil
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

// New ranks the methods of every row by seed 1 of its own split, and adds
// the spread over seeds and repeats. Every test has the methods that have a
// result on that row as its family. Input that is not there is missing.
func New(spec Spec, rows []RowInput) Table {
	t, _ := From(spec, func(yield func(RowInput, error) bool) { // there is no error to return
		for _, in := range rows {
			if !yield(in, nil) {
				return
			}
		}
	})
	return t
}

// From is New for rows that are read one after another: of their cells it keeps only what
// the table shows. It returns the first error that comes in place of a row.
func From(spec Spec, rows iter.Seq2[RowInput, error]) (Table, error) {
	made, err := makeRows(spec, rows, func(RowInput) bool { return true })
	if err != nil {
		return Table{}, err
	}
	t := newTable(spec)
	for _, m := range made {
		t.Rows = append(t.Rows, m.row)
	}
	addSpreads(t.Rows, made)
	t.addMajorityMetrics()
	return t, nil
}

// newTable is a table without rows.
func newTable(spec Spec) Table {
	t := Table{
		Schema:  tableSchema,
		Spec:    spec.Name,
		Test:    results.TestInfo{Pair: spec.Test.String(), Correction: holm, Alpha: spec.Alpha},
		Columns: slices.Clone(spec.Columns),
		Rows:    []Row{},
	}
	if t.Columns == nil {
		t.Columns = []Column{}
	}
	for _, id := range spec.Metrics {
		if id != results.Accuracy { // which every table shows
			t.Metrics = append(t.Metrics, id)
		}
	}
	return t
}

// holm names the correction of all tests.
const holm = "holm"

// A madeRow is a row with what pooling needs besides: the outcomes of all seeds and
// what became of the classes, by column.
type madeRow struct {
	row      Row
	trials   [][]Trial
	classes  []results.ClassResults // of seed 1
	train    int
	permuted bool
}

// makeRows makes rows on all processors, and returns them in the order of their inputs.
// Methods are ranked on the rows that ranked holds for, which is asked in that order.
func makeRows(spec Spec, rows iter.Seq2[RowInput, error], ranked func(RowInput) bool) ([]*madeRow, error) {
	type work struct {
		in     RowInput
		ranked bool
		out    *madeRow
	}
	todo := make(chan work, 16)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			m := newMaker(spec)
			for w := range todo {
				*w.out = m.row(w.in, w.ranked)
			}
		})
	}
	var made []*madeRow
	var fault error
	for in, err := range rows {
		if fault = err; err != nil {
			break
		}
		made = append(made, &madeRow{})
		todo <- work{in, ranked(in), made[len(made)-1]}
	}
	close(todo)
	wait.Wait()
	return made, fault
}

// A maker makes rows, one after another. What it has printed and tested before it does
// not work out again: rows of one size have many equal counts.
type maker struct {
	spec     Spec
	percents map[[2]int]string
	tests    map[[2]int]stats.Result
	effects  map[stats.Paired]Effect
	gaps     map[[2]int]*Gap
}

func newMaker(spec Spec) *maker {
	return &maker{spec, map[[2]int]string{}, map[[2]int]stats.Result{}, map[stats.Paired]Effect{}, map[[2]int]*Gap{}}
}

// remember returns what is known under a key, which work tells the first time.
func remember[K comparable, V any](known map[K]V, key K, work func() V) V {
	v, ok := known[key]
	if !ok {
		v = work()
		known[key] = v
	}
	return v
}

func (m *maker) percent(correct, n int) string {
	return remember(m.percents, [2]int{correct, n}, func() string { return stats.Percent(correct, n, 2) })
}

// row fills the cells of a row and, where it is ranked, compares those that have a result.
func (m *maker) row(in RowInput, ranked bool) madeRow {
	row := Row{
		Dataset: in.Dataset,
		Letter:  in.Letter,
		Name:    in.Name,
		Split:   in.Split,
		Repeat:  in.Repeat,
		N:       in.N,
		Note:    in.Note,
		Cells:   make([]Cell, len(m.spec.Columns)),
	}
	made := madeRow{
		trials: make([][]Trial, len(m.spec.Columns)), classes: make([]results.ClassResults, len(m.spec.Columns)),
		train: in.Train, permuted: in.Permuted,
	}
	var present []contender
	for i, column := range m.spec.Columns {
		cell, status, reason := usable(in, i)
		if status == "" && len(present) > 0 && !slices.Equal(cell.Truth, present[0].cell.Truth) {
			status = StatusFailed
			reason = fmt.Sprintf("its test labels are not those of %s: one of the two was made from other data", present[0].id)
		}
		row.Cells[i] = m.newCell(column, in, status, reason)
		if status != "" {
			row.MissingMethods = append(row.MissingMethods, column.ID)
			continue
		}
		made.classes[i] = cell.Classes()
		m.fill(&row.Cells[i], cell, made.classes[i])
		made.trials[i] = TrialsOf(in.Cells[i])
		if in.Unlike {
			row.Cells[i].Mark = ""
		}
		present = append(present, contender{id: column.ID, cell: cell, out: &row.Cells[i]})
	}
	if len(present) > 0 {
		row.N = len(present[0].cell.Truth)
		row.Classes = newClasses(present[0].cell.Truth)
	}
	if ranked {
		m.rank(&row, present)
	}
	made.row = row
	return made
}

// newClasses counts the classes of a test set.
func newClasses(truth []int) *Classes { return classesOf(results.CountClasses(truth)) }

// classesOf are the classes of one test set or more, in ascending order of the labels.
func classesOf(counts []results.ClassCount) *Classes {
	n := 0
	for _, c := range counts {
		n += c.Count
	}
	most := slices.MaxFunc(counts, func(a, b results.ClassCount) int { return a.Count - b.Count })
	constant := func(c results.ClassCount) Constant {
		return Constant{Label: c.Label, Count: c.Count, Accuracy: stats.Percent(c.Count, n, 2)}
	}
	return &Classes{Counts: counts, Majority: constant(most), TieWinner: constant(counts[0])}
}

// usable returns the cell of seed 1 for column i, or why there is none.
func usable(in RowInput, i int) (cell results.Cell, status, reason string) {
	switch {
	case i >= len(in.Cells):
		return results.Cell{}, StatusMissing, "not run yet"
	}
	c := in.Cells[i]
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

func (m *maker) newCell(column Column, in RowInput, status, reason string) Cell {
	c := Cell{Method: column.ID, Status: status, Reason: reason, Notes: []string{}}
	p, ok := m.spec.Published.Find(in.Dataset, in.Letter, column.ID, column.Method)
	if ok && !column.OtherK && (column.Printed || !column.Scaled && !column.fixes()) {
		c.Published, c.PublishedRank = p.Accuracy, p.Rank
	}
	return c
}

// fixes tells whether the column has fixed a parameter of its method while its neighbors
// have other values. The paper chose among values on the validation samples, so that no
// published number is of such a column. The k of the rule was never chosen.
func (c Column) fixes() bool {
	for name := range c.Swept {
		if name != ruleKey {
			return true
		}
	}
	return false
}

// ruleKey names the k of the k-NN rule among swept parameters.
const ruleKey = "k"

// fill adds what the cell says by itself; ranks need the others.
func (m *maker) fill(t *Cell, c results.Cell, classes results.ClassResults) {
	correct := c.Correct()
	accuracy := m.percent(correct, len(c.Truth))
	t.Score = &Score{
		Correct:  correct,
		Accuracy: accuracy,
		Balanced: text.TwoDecimals(100 * classes.BalancedAccuracy()),
		MacroF1:  text.TwoDecimals(100 * classes.MacroF1()),
		Constant: c.Constant(),
		Mark:     Mark(accuracy, t.Published),
		Params:   c.Point().Params,
		Restart:  c.Point().Restart,
		Seed:     c.Seed,
		Facts:    c.Facts,
		Series:   c.Series,
	}
	if slices.Contains(m.spec.Metrics, results.Kappa) {
		t.Score.Kappa = kappaText(classes)
	}
	if p := c.Validation; p != nil && c.Chosen < len(p.Correct) {
		t.Score.Validation = &Tally{Correct: p.Correct[c.Chosen], Of: p.N}
	}
	t.Notes = append(t.Notes, c.Warnings...)
	t.Notes = append(t.Notes, diagnosis.Of(c).Wrong...)
	if note := gridNote(c.Validation); note != "" {
		t.Notes = append(t.Notes, note)
	}
}

// gridNote tells how many points of a grid failed, and why the first did.
func gridNote(p *results.Profile) string {
	if p == nil {
		return ""
	}
	failed := 0
	for _, correct := range p.Correct {
		if correct < 0 {
			failed++
		}
	}
	first := slices.Index(p.Correct, -1)
	switch {
	case failed == 0:
		return ""
	case p.Failures[first] == "":
		return fmt.Sprintf("%d of %s failed", failed, text.Counted(len(p.Correct), "grid point"))
	}
	return fmt.Sprintf("%d of %s failed, the first: %s", failed, text.Counted(len(p.Correct), "grid point"), p.Failures[first])
}

// Mark compares our printed accuracy with the published one: "=" when they are
// the same number, else the difference in points, such as "+0.45"; "" when
// there is nothing to compare.
func Mark(ours, published string) string {
	a, err1 := text.Hundredths(ours)
	b, err2 := text.Hundredths(published)
	switch {
	case err1 != nil || err2 != nil:
		return ""
	case a == b:
		return "="
	case a < b:
		return "-" + ofHundredths(b-a)
	}
	return "+" + ofHundredths(a-b)
}

func ofHundredths(hundredths int) string {
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}
