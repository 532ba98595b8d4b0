package table

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// A Pool is what a row over several splits of a data set is of. The row's N and the
// right answers of its cells are those of all splits together.
type Pool struct {
	Splits int `json:"splits"`
	Train  int `json:"train"` // training samples of all splits together; 0: not known
	// Test names the test behind the ranks, CorrectedT; empty without ranks, for which
	// Reason says why.
	Test   string `json:"test,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// CorrectedT names the corrected resampled t-test of Nadeau and Bengio (2003).
const CorrectedT = "corrected-resampled-t"

// Pooled is From with one row for each data set: rows of several splits by one rule,
// which differ in the repeat or the fold, become one. A row of a single split stays as
// it is, with McNemar's test.
func Pooled(spec Spec, rows iter.Seq2[RowInput, error]) (Table, error) {
	seen := map[[2]string]bool{} // groups: only a row that is alone in one keeps its ranks
	made, err := makeRows(spec, rows, func(in RowInput) bool {
		key := poolKey(in.Dataset, in.Split)
		first := !seen[key]
		seen[key] = true
		return first
	})
	if err != nil {
		return Table{}, err
	}
	t := newTable(spec)
	for _, group := range poolGroups(made) {
		if len(group) > 1 {
			t.Rows = append(t.Rows, newPool(spec, group).row())
			continue
		}
		row := []Row{group[0].row}
		addSpreads(row, group)
		t.Rows = append(t.Rows, row...)
	}
	t.addMajorityMetrics()
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Pool != nil }) {
		t.Across = NewAcross(t)
	}
	return t, nil
}

// poolGroups divides rows into those of one data set and rule, in the order of the
// first of each.
func poolGroups(made []*madeRow) [][]*madeRow {
	var groups [][]*madeRow
	at := map[[2]string]int{}
	for _, m := range made {
		key := poolKey(m.row.Dataset, m.row.Split)
		i, there := at[key]
		if !there {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], m)
	}
	return groups
}

// poolKey names the group of a row.
func poolKey(dataset, split string) [2]string { return [2]string{dataset, ruleOf(split)} }

// ruleOf is the name of a split without the repeat and the fold.
func ruleOf(split string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(split), func(word string) bool {
		return strings.HasPrefix(word, "repeat=") || strings.HasPrefix(word, "fold=")
	}), " ")
}

// A pool is the making of a pooled row.
type pool struct {
	spec   Spec
	splits []*madeRow
	out    Row
}

func newPool(spec Spec, splits []*madeRow) *pool { return &pool{spec: spec, splits: splits} }

func (p *pool) row() Row {
	first := p.splits[0].row
	p.out = Row{
		Dataset: first.Dataset, Letter: first.Letter, Name: first.Name, Split: ruleOf(first.Split), Note: first.Note,
		Cells: make([]Cell, len(p.spec.Columns)), Pairs: []Pair{}, Inversions: [][2]string{}, SameRankButSignificant: [][2]string{},
		Pool: &Pool{Splits: len(p.splits)},
	}
	train, permuted, valid := p.sizes()
	p.out.Classes = p.classes()
	for j := range p.out.Cells {
		p.out.Cells[j] = p.cell(j)
		if !p.complete(j) {
			p.out.MissingMethods = append(p.out.MissingMethods, p.spec.Columns[j].ID)
		}
	}
	p.out.Pool.Train = train
	p.out.Pool.Reason = untestable(train, p.out.N, permuted, valid)
	if p.out.Pool.Reason == "" {
		p.out.Pool.Test = CorrectedT
	}
	p.compare()
	return p.out
}

// sizes adds up the test samples, and returns the training samples, 0 if those of a
// split are not known, and whether the test is valid for every split by itself.
func (p *pool) sizes() (train int, permuted, valid bool) {
	known := true
	valid = true
	for _, m := range p.splits {
		p.out.N += m.row.N
		train += m.train
		known = known && m.train > 0
		permuted = permuted || m.permuted
		valid = valid && stats.ResampledTValid(m.train, m.row.N)
	}
	if !known {
		train = 0
	}
	return train, permuted, valid
}

// Why the splits of a pooled row have no test.
const (
	reasonPermuted = "the labels to learn from are shuffled, so that there is nothing to compare"
	reasonUnknown  = "the number of training samples is not known"
	reasonUneven   = "the splits differ in size, and one has more test than training samples, for which the corrected resampled t-test is not valid"
	reasonRatio    = "splits share samples, and the corrected resampled t-test, which allows for that, is not valid with more test than training samples"
)

// untestable says why the differences over splits with so many training and test
// samples in all have no test; empty if they have one.
func untestable(train, test int, permuted, valid bool) string {
	switch {
	case permuted:
		return reasonPermuted
	case train == 0:
		return reasonUnknown
	case !stats.ResampledTValid(train, test):
		return reasonRatio
	case !valid:
		return reasonUneven
	}
	return ""
}

// classes counts the classes of all test samples.
func (p *pool) classes() *Classes {
	counts := map[int]int{}
	for _, m := range p.splits {
		if m.row.Classes == nil {
			continue
		}
		for _, c := range m.row.Classes.Counts {
			counts[c.Label] += c.Count
		}
	}
	var all []results.ClassCount
	for label, count := range counts {
		all = append(all, results.ClassCount{Label: label, Count: count})
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b results.ClassCount) int { return a.Label - b.Label })
	return classesOf(all)
}

// cells are those of column j that have a result, with their rows.
func (p *pool) cells(j int) (with []*madeRow) {
	for _, m := range p.splits {
		if m.row.Cells[j].Score != nil {
			with = append(with, m)
		}
	}
	return with
}

// complete tells whether column j has a result on every split.
func (p *pool) complete(j int) bool { return len(p.cells(j)) == len(p.splits) }

// cell pools the cells of column j.
func (p *pool) cell(j int) Cell {
	first := p.splits[0].row.Cells[j]
	c := Cell{Method: first.Method, Published: first.Published, PublishedRank: first.PublishedRank, Notes: p.notes(j)}
	with := p.cells(j)
	if len(with) == 0 {
		c.Status, c.Reason = first.Status, first.Reason
		return c
	}
	c.Score = p.score(j, with)
	var trials []Trial
	for _, m := range with {
		trials = append(trials, m.trials[j]...)
		c.Mean += 100 * float64(m.row.Cells[j].Correct) / float64(m.row.N) / float64(len(with))
	}
	c.Mean = math.Round(1e9*c.Mean) / 1e9 // the same accuracies in another order have the same mean
	c.Spread = newSpread(trials)
	if absent := slices.IndexFunc(p.splits, func(m *madeRow) bool { return m.row.Cells[j].Score == nil }); absent >= 0 {
		why := p.splits[absent].row.Cells[j]
		c.Partial = len(with)
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d splits have a result, so that it has no rank; another is %s: %s",
			len(with), len(p.splits), why.Status, why.Reason))
	}
	return c
}

// score is what a method got on the splits that it has a result on.
func (p *pool) score(j int, with []*madeRow) *Score {
	s := &Score{Seed: with[0].row.Cells[j].Seed, Constant: true, Params: results.Params{}}
	n, balanced, macroF1 := 0, 0.0, 0.0
	for _, m := range with {
		one := m.row.Cells[j].Score
		s.Correct += one.Correct
		s.Constant = s.Constant && one.Constant
		n += m.row.N
		balanced += m.classes[j].BalancedAccuracy() / float64(len(with))
		macroF1 += m.classes[j].MacroF1() / float64(len(with))
	}
	s.Accuracy = stats.Percent(s.Correct, n, 2)
	if slices.Contains(p.spec.Metrics, results.Kappa) {
		var splits []results.ClassResults
		for _, m := range with {
			splits = append(splits, m.classes[j])
		}
		s.Kappa = kappaText(splits...)
	}
	s.Balanced, s.MacroF1 = text.TwoDecimals(100*balanced), text.TwoDecimals(100*macroF1)
	s.Facts = pooledFacts(j, with)
	s.Validation = pooledTally(j, with)
	first := with[0].row.Cells[j].Score
	if !slices.ContainsFunc(with, func(m *madeRow) bool { return !sameSetting(m.row.Cells[j].Score, first) }) {
		s.Params, s.Restart = first.Params, first.Restart
	}
	return s
}

func sameSetting(a, b *Score) bool {
	return reflect.DeepEqual(a.Params, b.Params) && a.Restart == b.Restart
}

// pooledFacts adds the counts of the splits up, by name.
func pooledFacts(j int, with []*madeRow) []results.Fact {
	var all []results.Fact
	for _, m := range with {
		for _, f := range m.row.Cells[j].Facts {
			i := slices.IndexFunc(all, func(known results.Fact) bool { return known.Name == f.Name })
			if i < 0 {
				all = append(all, f)
				continue
			}
			all[i].Count += f.Count
			all[i].Of += f.Of
		}
	}
	return all
}

// pooledTally adds the validation samples up; nil if a split has none.
func pooledTally(j int, with []*madeRow) *Tally {
	var sum Tally
	for _, m := range with {
		v := m.row.Cells[j].Validation
		if v == nil {
			return nil
		}
		sum.Correct += v.Correct
		sum.Of += v.Of
	}
	return &sum
}

// notes are those of the splits of column j. Notes that differ in their numbers only
// stand there once, with the number of splits that have one unless all have the same.
func (p *pool) notes(j int) []string {
	notes, kinds := []string{}, []string{}
	splits, varies := map[string]int{}, map[string]bool{}
	for _, m := range p.splits {
		seen := map[string]bool{}
		for _, note := range m.row.Cells[j].Notes {
			kind := numbers.ReplaceAllString(note, "#")
			if i := slices.Index(kinds, kind); i < 0 {
				kinds, notes = append(kinds, kind), append(notes, note)
			} else {
				varies[kind] = varies[kind] || notes[i] != note
			}
			if !seen[kind] {
				splits[kind]++
			}
			seen[kind] = true
		}
	}
	for i, kind := range kinds {
		switch n := splits[kind]; {
		case varies[kind]:
			notes[i] += fmt.Sprintf(" [alike on %d of %d splits]", n, len(p.splits))
		case n < len(p.splits):
			notes[i] += fmt.Sprintf(" [%d of %d splits]", n, len(p.splits))
		}
	}
	return notes
}

// numbers are those in notes.
var numbers = regexp.MustCompile(`[0-9]+`)
