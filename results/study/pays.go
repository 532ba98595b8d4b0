package study

import (
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// The specs that the study reads. The first has most methods on random splits; the
// others of its splits have methods that take longer, on fewer of the same splits.
const (
	paysSpec      = "pays"
	paysEqualSpec = "pays-equal"
	paysRuleSpec  = "pays-rule"
)

var paysSplits = []string{paysSpec, "pays-r2lml", "pays-joint"}

// rawSpecs have cells on the splits of other specs, with features as they are.
var rawSpecs = map[string]string{"splits": paysSpec, "beyond": paysRuleSpec}

// rawEuclidean is the column of Euclidean distances on features as they are: a
// reference that is in no rank, since it chooses nothing.
const rawEuclidean = "euclidean-raw"

// The families of methods are the scopes of their metrics, as the registry has them.
const (
	LocalFamily     = "local"      // a metric for every region or sample
	ClassWiseFamily = "class-wise" // one for every class
	GlobalFamily    = "global"     // one for all samples
	NoFamily        = "none"       // nothing is learned: the Euclidean metric
)

// Families has them in the order in which they are compared.
var Families = []string{LocalFamily, ClassWiseFamily, GlobalFamily, NoFamily}

// SpecCells are the cells of a spec, with what its table does not tell.
type SpecCells struct {
	Table    table.Table
	Families []string     // of the columns: the scope of their methods
	Training []int        // training samples by row; 0: unknown
	Plans    [][]PlanCell // by row and column, of seed 1
}

// A PlanCell is what is planned for a cell of a table, and what it took.
type PlanCell struct {
	Points  []results.Point
	Seconds float64 // wall time of all its fits; 0: unknown
}

// Pays has the methods on random splits, with a scaling of the features that each of
// them chooses, for the question whether local metrics are worth their cost.
type Pays struct {
	Coverage
	Random PaysField   // specs pays, pays-r2lml and pays-joint side by side
	Equal  PaysField   // spec pays-equal: as many settings for every method
	Rule   SpecCells   // spec pays-rule: McNemar's test on the split of the rule
	Raw    []RawPair   // beside features as they are
	Main   PaysCompare // of Random
	Alike  PaysCompare // of Equal
	Small  PaysCompare // of Random, on the data sets with results of T-R2LML
}

// A PaysField is methods on splits of data sets, with gaps.
type PaysField struct {
	Methods []PaysMethod
	Sets    []PaysSet
}

// A PaysMethod is a column.
type PaysMethod struct {
	table.Column
	Family string
}

// A PaysSet is a data set.
type PaysSet struct {
	Set
	Training int // samples
	Splits   []PaysSplit
}

// A PaysSplit is one random split.
type PaysSplit struct {
	Name string
	N    int        // test samples
	Runs []*PaysRun // by method; nil: no result
}

// A PaysRun is what one method got on one split.
type PaysRun struct {
	Right      int
	Validation *table.Tally // nil: one setting only
	Scaling    string       // of the features, as chosen
	Settings   int          // of the grid
	Seconds    float64      // 0: unknown
}

// ReadPays reads the cells of the specs named above.
func ReadPays(in Input) (Pays, error) {
	p := Pays{Coverage: choosing(in.Table), Rule: in.Specs[paysRuleSpec]}
	p.Random = fieldOf(in.Table, in.Specs, paysSplits...)
	p.Equal = fieldOf(in.Table, in.Specs, paysEqualSpec)
	p.Main, p.Alike, p.Small = p.Random.compare(true), p.Equal.compare(false), p.Random.having(Transductive).compare(false)
	p.Raw = rawPairs(in.Specs)
	return p, nil
}

// choosing is the coverage of the columns that choose something: the cells of the
// reference are those of other specs, too.
func choosing(t table.Table) Coverage {
	at := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.ID == rawEuclidean })
	if at < 0 {
		return coverageOf(t)
	}
	without := t
	without.Columns, without.Rows = slices.Delete(slices.Clone(t.Columns), at, at+1), nil
	for _, r := range t.Rows {
		if at < len(r.Cells) {
			r.Cells = slices.Delete(slices.Clone(r.Cells), at, at+1)
		}
		without.Rows = append(without.Rows, r)
	}
	return coverageOf(without)
}

// fieldOf puts the columns of specs side by side, on the data sets of a table. A
// column that several specs have is taken from the first.
func fieldOf(own table.Table, specs map[string]SpecCells, names ...string) PaysField {
	var f PaysField
	for _, r := range own.Rows {
		if len(f.Sets) == 0 || f.Sets[len(f.Sets)-1].Dataset != r.Dataset {
			f.Sets = append(f.Sets, PaysSet{Set: setOf(r)})
		}
	}
	for _, name := range names {
		cells := specs[name]
		for j, c := range cells.Table.Columns {
			if !slices.ContainsFunc(f.Methods, func(m PaysMethod) bool { return m.ID == c.ID }) {
				f.Methods = append(f.Methods, PaysMethod{c, cells.Families[j]})
				f.add(cells, j)
			}
		}
	}
	return f
}

// add adds a column as the last method.
func (f *PaysField) add(cells SpecCells, column int) {
	for i, r := range cells.Table.Rows {
		at := slices.IndexFunc(f.Sets, func(s PaysSet) bool { return s.Dataset == r.Dataset })
		score := cellAt(r, column).Score
		if at < 0 || score == nil {
			continue
		}
		set, plan := &f.Sets[at], cells.Plans[i][column]
		set.Training = cells.Training[i]
		set.split(r).put(len(f.Methods)-1, PaysRun{
			Right: score.Correct, Validation: score.Validation, Scaling: scalingOf(score.Params), Settings: len(plan.Points), Seconds: plan.Seconds,
		})
	}
}

// split is that of a row, a new one if there is none yet.
func (s *PaysSet) split(r table.Row) *PaysSplit {
	at := slices.IndexFunc(s.Splits, func(one PaysSplit) bool { return one.Name == r.Split })
	if at < 0 {
		at = len(s.Splits)
		s.Splits = append(s.Splits, PaysSplit{Name: r.Split, N: r.N})
	}
	return &s.Splits[at]
}

func (s *PaysSplit) put(method int, run PaysRun) {
	s.Runs = append(s.Runs, make([]*PaysRun, max(0, method+1-len(s.Runs)))...)
	s.Runs[method] = &run
}

// Run is that of a method, nil without a result.
func (s PaysSplit) Run(method int) *PaysRun {
	if method >= len(s.Runs) {
		return nil
	}
	return s.Runs[method]
}

// has tells whether a split has a result of all these methods.
func (s PaysSplit) has(methods ...int) bool {
	return !slices.ContainsFunc(methods, func(m int) bool { return s.Run(m) == nil })
}

// scalingKey is the parameter that scales the features, absent where they are raw.
const scalingKey = "features"

func scalingOf(p results.Params) string {
	if s, ok := p[scalingKey].(string); ok {
		return s
	}
	return "raw"
}

// common are the splits of a set with all these methods.
func (s PaysSet) common(methods ...int) []PaysSplit {
	var all []PaysSplit
	for _, split := range s.Splits {
		if split.has(methods...) {
			all = append(all, split)
		}
	}
	return all
}

// scores are right answers of methods on the data sets that have a common split,
// added up over these splits. The test parts of a set are of one size, so that equal
// means are equal numbers.
func (f PaysField) scores(methods ...int) table.Scores {
	var s table.Scores
	for _, m := range methods {
		s.Methods = append(s.Methods, f.Methods[m].ID)
	}
	for _, set := range f.Sets {
		row := table.ScoreRow{Name: strings.TrimSpace(set.Letter + " " + set.Name), Right: make([]int, len(methods))}
		for _, split := range set.common(methods...) {
			row.N += split.N
			for i, m := range methods {
				row.Right[i] += split.Run(m).Right
			}
		}
		if row.N > 0 {
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

// having is the field on the data sets with results of a method.
func (f PaysField) having(id string) PaysField {
	of := PaysField{Methods: f.Methods}
	for _, set := range f.Sets {
		if m := f.index(id); m >= 0 && len(set.common(m)) > 0 {
			of.Sets = append(of.Sets, set)
		}
	}
	return of
}

// Having counts the data sets with results of a method.
func (f PaysField) Having(id string) int { return len(f.having(id).Sets) }

// A PaysContrast has the differences of two methods on one data set, by the splits
// that have both.
type PaysContrast struct {
	Set           PaysSet
	First, Second PaysMethod
	Differences   []float64 // accuracy of the first less the second, in points
}

// contrasts lists those of two methods on the sets that have both.
func (f PaysField) contrasts(first, second int) []PaysContrast {
	var all []PaysContrast
	for _, set := range f.Sets {
		c := PaysContrast{Set: set, First: f.Methods[first], Second: f.Methods[second]}
		for _, split := range set.common(first, second) {
			c.Differences = append(c.Differences, pointsOf(split.Run(first).Right-split.Run(second).Right, split.N))
		}
		if len(c.Differences) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// Mean is the mean difference in points.
func (c PaysContrast) Mean() float64 { return text.SixDigits(stat.Mean(c.Differences, nil)) }

// leastSplits is the number of splits from which on intervals are given. With two,
// the quantile of Student's t is 12.7, and intervals leave what accuracies can be.
const leastSplits = 5

// Next is the prediction interval for the difference on one more split; false with
// fewer than leastSplits.
func (c PaysContrast) Next() (stats.Interval, bool) {
	if len(c.Differences) < leastSplits {
		return stats.Interval{}, false
	}
	return stats.NextRun(c.Differences, table.Confidence).Interval, true
}

// Corrected is the interval of the mean by the corrected resampled t-test; false with
// fewer than leastSplits.
func (c PaysContrast) Corrected() (stats.Interval, bool) {
	if len(c.Differences) < leastSplits || c.Set.Training < 1 || c.Set.N < 1 {
		return stats.Interval{}, false
	}
	return stats.ResampledMean(c.Differences, c.Set.Training, c.Set.N, table.Confidence), true
}

// A RawPair is a method that chooses the scaling of its features beside the same
// method on features as they are, on the splits that have both.
type RawPair struct {
	Method      table.Column
	Raw, Chosen string    // specs
	Alike       bool      // but for the scaling, their grids are the same everywhere
	Splits      int       // of all data sets
	Differences []float64 // mean of a data set, chosen less raw, in points
}

func rawPairs(specs map[string]SpecCells) []RawPair {
	var all []RawPair
	for _, raw := range []string{"splits", "beyond"} {
		chosen := []string{rawSpecs[raw]}
		if chosen[0] == paysSpec {
			chosen = paysSplits
		}
		for _, name := range chosen {
			for j, c := range specs[name].Table.Columns {
				at := slices.IndexFunc(specs[raw].Table.Columns, func(o table.Column) bool { return o.ID == c.ID })
				if at < 0 || slices.ContainsFunc(all, func(p RawPair) bool { return p.Raw == raw && p.Method.ID == c.ID }) {
					continue
				}
				pair := RawPair{Method: c, Raw: raw, Chosen: name, Alike: true}
				pair.read(specs[name], j, specs[raw], at)
				if pair.Splits > 0 {
					all = append(all, pair)
				}
			}
		}
	}
	return all
}

// read takes the differences of two columns.
func (p *RawPair) read(chosen SpecCells, j int, raw SpecCells, at int) {
	type place struct{ dataset, split string }
	before := map[place]int{}
	for i, r := range raw.Table.Rows {
		before[place{r.Dataset, r.Split}] = i
	}
	sums, splits := map[string]float64{}, map[string]int{}
	var sets []string
	for i, r := range chosen.Table.Rows {
		k, ok := before[place{r.Dataset, r.Split}]
		if !ok {
			continue
		}
		a, b := cellAt(r, j).Score, cellAt(raw.Table.Rows[k], at).Score
		if a == nil || b == nil {
			continue
		}
		sets = text.AppendNew(sets, r.Dataset)
		sums[r.Dataset] += pointsOf(a.Correct-b.Correct, r.N)
		splits[r.Dataset]++
		p.Splits++
		p.Alike = p.Alike && samePoints(unscaled(chosen.Plans[i][j].Points), raw.Plans[k][at].Points)
	}
	for _, s := range sets {
		p.Differences = append(p.Differences, text.SixDigits(sums[s]/float64(splits[s])))
	}
}

// unscaled are the points of a grid that leave the features as they are.
func unscaled(points []results.Point) []results.Point {
	return slices.DeleteFunc(slices.Clone(points), func(p results.Point) bool { return scalingOf(p.Params) != "raw" })
}

func samePoints(a, b []results.Point) bool { return slices.EqualFunc(a, b, results.Point.Equal) }

// spanOf is the span of a number over the results of a method, which may say that it
// has none.
func (f PaysField) spanOf(method int, number func(*PaysRun) (n int, ok bool)) Span {
	var s Span
	for _, set := range f.Sets {
		for _, split := range set.Splits {
			if run := split.Run(method); run != nil {
				if n, ok := number(run); ok {
					s = s.with(n)
				}
			}
		}
	}
	return s
}

// Settings are those of the grid of a method.
func (f PaysField) Settings(method int) Span {
	return f.spanOf(method, func(r *PaysRun) (int, bool) { return r.Settings, r.Settings > 0 })
}

// ValidationSamples choose among the settings of a method.
func (f PaysField) ValidationSamples(method int) Span {
	return f.spanOf(method, func(r *PaysRun) (int, bool) {
		if r.Validation == nil {
			return 0, false
		}
		return r.Validation.Of, true
	})
}

// Scaled counts the results of a method that chose z-scores, of those with a choice.
func (f PaysField) Scaled(method int) Total {
	var t Total
	f.spanOf(method, func(r *PaysRun) (int, bool) {
		if r.Validation != nil {
			t.Count, t.Of = t.Count+one(r.Scaling == "zscore"), t.Of+1
		}
		return 0, false
	})
	return t
}

// splits counts the data sets of a method, and its splits of each.
func (f PaysField) splits(method int) (sets int, splits Span) {
	for _, set := range f.Sets {
		if n := len(set.common(method)); n > 0 {
			sets, splits = sets+1, splits.with(n)
		}
	}
	return sets, splits
}

// seconds is the time of a method for one split of a set: the median over its splits,
// NaN if none is known.
func (s PaysSet) seconds(method int) float64 {
	var all []float64
	for _, split := range s.common(method) {
		if t := split.Run(method).Seconds; t > 0 {
			all = append(all, t)
		}
	}
	return stats.Median(all)
}
