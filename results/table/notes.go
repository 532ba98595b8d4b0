package table

import (
	"cmp"
	_ "embed"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// notesText has the sentences of the notes, a template for each.
//
//go:embed notes.txt
var notesText string

var notesTemplate = template.Must(template.New("notes").Funcs(template.FuncMap{
	"p":       func(p Digits) string { return stats.ShortP(float64(p)) },
	"counted": text.Counted, "join": func(all []string, separator string) string { return strings.Join(all, separator) },
}).Parse(notesText))

// mostKeyNotes is how many notes a terminal shows without being asked for all.
const mostKeyNotes = 3

// Notes are the lines under the table in text and in Markdown: how it was made and what
// to beware of. They are plain text of one line each; a renderer escapes them.
func (t Table) Notes() []string { return noted{Table: t}.notes("published", "spread") }

// PageNotes are Notes without those on what only text and Markdown show: the published
// values in parentheses, the mean and range of the runs, and ranks unless ranked. They are for a
// rendering that shows these in its own way and says so, as the web page does.
func (t Table) PageNotes(ranked bool) []string { return noted{t, !ranked}.notes() }

// key returns the most important notes, and a line with the number of the others.
func (n noted) key() []string {
	all, absent := n.notes("published", "spread"), n.write("absent", "seeds")
	key := n.write("train", "against", "test", "splits", "constant", "tuning", "rank", "warnings")
	key = slices.Concat(n.write("overlaps", "doubts"), absent, key[:min(len(key), max(1, mostKeyNotes-len(absent)))])
	if more := len(all) - len(key); more > 0 && len(key) > 0 {
		return append(key, text.Counted(more, "more note")+": --notes")
	}
	return all[:min(len(all), mostKeyNotes)]
}

// notes returns the lines under a table; shown names those about what a rendering shows.
func (n noted) notes(shown ...string) []string {
	if len(n.Rows) == 0 {
		return []string{"No rows."}
	}
	return n.write(slices.Concat([]string{"overlaps", "against", "test", "splits"}, shown, []string{
		"majority", "rank", "constant", "tuning", "absence", "seeds", "facts", "doubts", "warnings", "protocol", "train", "rule", "rows", "gap",
	})...)
}

// write executes templates of notesText and returns their lines.
func (n noted) write(names ...string) []string {
	var b strings.Builder
	for _, name := range names {
		if err := notesTemplate.ExecuteTemplate(&b, name, n); err != nil {
			panic("results: notes of a table: " + err.Error()) // the template and its data are ours
		}
		b.WriteByte('\n')
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' })
}

// A noted is the data of notesText: each method returns what one note says. It names rows "A" or
// "A#2" and columns by their headings. An empty result makes no note.
type noted struct {
	Table
	Unranked bool // no ranks are shown
}

// Single, Pooled, Classes and Compared report whether some row has one split, several, its classes,
// or a test.
func (n noted) Single() bool                   { return n.some(func(r Row) bool { return r.Pool == nil }) }
func (n noted) Pooled() bool                   { return n.some(func(r Row) bool { return r.Pool != nil }) }
func (n noted) Classes() bool                  { return n.some(func(r Row) bool { return r.Classes != nil }) }
func (n noted) Compared() bool                 { return n.some(Row.compared) }
func (n noted) some(holds func(Row) bool) bool { return slices.ContainsFunc(n.Rows, holds) }

// Published reports whether published numbers are shown beside ours, and marked as of the same
// data.
func (n noted) Published() (of struct{ Marked, Shown bool }) {
	for _, c := range n.cells() {
		of.Marked, of.Shown = of.Marked || c.Score != nil && c.Mark != "", of.Shown || c.Published != ""
	}
	return of
}

// Chosen has columns by how their settings are chosen: from Fewer settings than in print,
// Untuned beside tuned ones, by a metric, otherwise than by default, from Partial samples.
func (n noted) Chosen() (of struct{ Fewer, Untuned, Selects, Protocols, Partial groups }) {
	for _, c := range n.Columns {
		of.Fewer.addIf(c.Fewer != "", c.Fewer, c.Name)
		of.Untuned.addIf(c.Untuned, "", c.Name)
		of.Selects.addIf(c.Select != "", c.Select, c.Name)
		of.Protocols.addIf(c.Protocol != "", c.Protocol, c.Name)
		of.Partial.addIf(c.MaxTrain > 0, strconv.Itoa(c.MaxTrain), c.Name)
	}
	return of
}

// Splits has what is said of rows without their cells: the split, the number of pairs, the
// smallest difference that the test can tell, and the notes on the data set.
func (n noted) Splits() (of struct{ Rules, Families, Gaps, Data groups }) {
	for _, r := range n.Rows {
		where := r.label()
		if r.rule() != r.Split {
			where = r.set()
		}
		of.Rules.addIf(!n.Answers, r.rule(), where)
		of.Families.addIf(len(r.Pairs) > 0, text.Counted(len(r.Pairs), "pair"), r.label())
		if r.MinGap != nil {
			of.Gaps.add(text.Counted(r.MinGap.Samples, "sample"), r.set()+" "+r.MinGap.Percent)
		}
		of.Data.addIf(r.Note != "", "", r.set()+": "+r.Note)
	}
	return of
}

// Majority has rows where no method beats the most frequent class, none in print, and where
// tied votes go to another class.
func (n noted) Majority() (of struct{ Unbeaten, Below, Ties groups }) {
	drawn := !slices.ContainsFunc(n.Columns, func(c Column) bool { return !c.Drawn })
	for _, r := range n.Rows {
		if k := r.Classes; k != nil {
			of.Unbeaten.addIf(!r.Useful(), "", r.label())
			of.Below.addIf(r.PrintedBelow, "", r.label())
			of.Ties.addIf(k.TieWinner.Label != k.Majority.Label && !n.Answers && !drawn, "", r.label()+" "+k.TieWinner.Accuracy)
		}
	}
	return of
}

// Ranks has those that an order of accuracies would not give.
func (n noted) Ranks() (of struct{ Inverted, Alike, Tied groups }) {
	for _, r := range n.Rows {
		for _, p := range r.Inversions {
			of.Inverted.add("", r.label()+" "+n.name(p[0])+" behind "+n.name(p[1]))
		}
		for _, p := range r.SameRankButSignificant {
			of.Alike.add("", r.label()+" "+n.name(p[0])+" and "+n.name(p[1]))
		}
		of.Tied.addIf(r.TieSensitive, "", r.label())
	}
	return of
}

// Absent counts the cells that the table should have, and groups those without a result: rows
// by what failed and by their column, and columns with a result on some splits, or of some seeds, only.
func (n noted) Absent() (of struct {
	Cells, Missing, Failed          int
	Failures, Absences, Some, Seeds groups
}) {
	for at, c := range n.cells() {
		of.Cells++
		of.Seeds.addIf(c.Lacking > 0, "", fmt.Sprintf("%s (%s, %d of %d)", at.column, at.label(), c.Seeds-c.Lacking, c.Seeds))
		of.Absences.addIf(c.Score == nil, fmt.Sprintf("%s %s (%s)", at.column, c.Status, c.Reason), at.label())
		switch {
		case c.Partial > 0:
			of.Some.add("", fmt.Sprintf("%s (%s, %d of %d)", at.column, at.label(), c.Partial, at.Pool.Splits))
		case c.Score != nil:
		case c.Status == StatusFailed:
			of.Failed++
			of.Failures.add(c.Reason, at.label())
		case c.Reason == leftOut:
			of.Cells--
		default:
			of.Missing++
		}
	}
	return of
}

// Runs are columns by the number of their runs, where their mean is not the number shown.
func (n noted) Runs() (g groups) {
	for at, c := range n.cells() {
		if c.Spread != nil && at.Repeat == 0 && at.value(c).Spread == "" {
			g.add(text.Counted(c.Spread.Runs, "run"), at.column)
		}
	}
	return g
}

// Constant are rows with one label for all samples, by column.
func (n noted) Constant() (g groups) {
	for at, c := range n.cells() {
		g.addIf(c.Partial == 0 && c.Score != nil && c.Constant, at.column, at.label()+": "+text.Counted(at.N, "time"))
	}
	return g
}

// Warnings has rows by what their cells warn of, and columns and rows by what is doubtful about their fits.
func (n noted) Warnings() (of struct{ Notes, Doubts groups }) {
	for at, c := range n.cells() {
		for _, s := range c.Notes {
			of.Notes.add(at.column+": "+s, at.label())
		}
		for _, d := range c.Doubts {
			on := at.label()
			if at.Pool != nil {
				on += fmt.Sprintf(", %d of %d splits", d.Splits, at.Pool.Splits)
			}
			of.Doubts.add(d.Text, at.column+" ("+on+")")
		}
	}
	return of
}

// Facts are the counts that the notes of cells do not tell, by what is counted.
func (n noted) Facts() (all groups) {
	for i, c := range n.Columns {
		var facts groups
		for _, r := range n.Rows {
			if s := r.Cells[i].Score; s != nil {
				for _, f := range s.Facts {
					facts.addIf(!told(f), f.Name, fmt.Sprintf("%s %d/%d", r.label(), f.Count, f.Of))
				}
			}
		}
		for _, f := range facts.All {
			all.add(f.Key, c.Name+" "+strings.Join(f.Members, ", "))
		}
	}
	return all
}

// Resampled has pooled rows by the number of tested pairs, with the test samples for one
// training sample, those without a test by the reason, pairs that differ by the same on every
// split, and where they are few the pairs of each data set.
func (n noted) Resampled() (of struct{ Tests, Ratios, Untested, Constants, Differences groups }) {
	for _, r := range n.Rows {
		if r.Pool == nil {
			continue
		}
		ratio := r.set() + " " + strconv.FormatFloat(float64(r.N)/float64(r.Pool.Train), 'f', 2, 64)
		switch family := r.family(); {
		case r.Pool.Test != "" && family == 0: // nothing to compare
		case r.Pool.Test != "":
			of.Ratios.add("", ratio)
			of.Tests.add(text.Counted(family, "pair"), r.set())
		case r.Pool.Reason == stats.TooManyTests:
			of.Untested.add(r.Pool.Reason+"; test samples for one training sample", ratio)
		default:
			of.Untested.add(r.Pool.Reason, r.set())
		}
		for _, c := range r.Contrasts {
			of.Constants.addIf(c.Tested() && c.Min == c.Max && c.Difference != 0, "", r.set()+", "+n.less(c)+Points(c.Difference).String())
		}
		if shown := r.shownContrasts(); len(shown) <= 2*mostContrasts && len(n.Rows) <= mostContrasts && r.Pool.Splits >= leastContrasted {
			for _, c := range shown {
				of.Differences.add(r.set(), n.less(c)+c.text())
			}
		}
	}
	return of
}

// Over has the pairs over the data sets, Sets in number. With Few of these no pair can differ;
// pairs that are Brief are all listed.
func (n noted) Over() (of struct {
	Sets           int
	Few, Brief     bool
	All, Differing groups
}) {
	for _, p := range n.Across.Pairs {
		of.Sets = max(of.Sets, p.Units)
		one := n.less(p) + fmt.Sprintf("%s (p after Holm %s)", Points(p.Difference), stats.ShortP(p.PHolm))
		of.All.add("", one)
		of.Differing.addIf(p.Significant, "", one)
	}
	of.Brief, of.Few = len(n.Across.Pairs) <= mostContrasts, math.Ldexp(float64(len(n.Across.Pairs)), 1-of.Sets) > n.Test.Alpha
	return of
}

// Against are the pooled rows with a control.
func (n noted) Against() (all []Ranking) {
	for _, r := range n.Rows {
		if ranking, _ := n.Rank(r); r.Pool != nil && ranking.Versus > 0 {
			all = append(all, ranking)
		}
	}
	return all
}

// Untestable is why rows of one split have no test by another metric than accuracy.
func (n noted) Untestable() string { return McNemarOfAccuracy }

// AcrossTitle names the test over data sets.
func (n noted) AcrossTitle() string { return n.acrossTest().Title() }

// Methods lists columns by name.
func (n noted) Methods(names []string) string {
	if len(names) == len(n.Columns) {
		return "all methods"
	}
	return strings.Join(names, ", ")
}

// less begins a difference: "LMNN less Euclidean ".
func (n noted) less(c Pair) string { return n.name(c.A) + " less " + n.name(c.B) + " " }

// mostContrasts is how many differences a note lists, and leastContrasted of how many
// splits: of fewer, the intervals are so wide that they say nothing.
const (
	mostContrasts   = 6
	leastContrasted = 5
)

// shownContrasts are all, or of many those with the most accurate method.
func (r Row) shownContrasts() []Pair {
	if len(r.Contrasts) <= mostContrasts {
		return r.Contrasts
	}
	mean := func(c Result) float64 {
		if c.Score == nil {
			return -1
		}
		return c.Mean
	}
	best := slices.MaxFunc(r.Cells, func(a, b Result) int { return cmp.Compare(mean(a), mean(b)) }).Method
	return slices.DeleteFunc(slices.Clone(r.Contrasts), func(c Pair) bool { return c.A != best && c.B != best })
}

// text is the difference with its deviation and, where there is a test, the interval
// and p.
func (c Pair) text() string {
	written := text.Join(" ± ", Points(c.Difference).String(), Points(c.SD).String())
	if c.Tested() {
		written += fmt.Sprintf(" (95 %% %s to %s, p after Holm %s)", Points(c.Interval.Low), Points(c.Interval.High), stats.ShortP(c.PHolm))
	}
	return written
}

// name returns the printed name of the column with that id.
func (t Table) name(id string) string {
	for _, c := range t.Columns {
		if c.ID == id {
			return c.Name
		}
	}
	return id
}

// set is a short name of the row's data set for notes: "A", "mat:mine".
func (r Row) set() string {
	if r.Letter != "" {
		return r.Letter
	}
	return r.Dataset
}

// label is a short name of the row: "A", "A#2".
func (r Row) label() string {
	if r.Repeat > 0 {
		return r.set() + "#" + strconv.Itoa(r.Repeat)
	}
	return r.set()
}

// A place is the row and the heading of the column of a cell.
type place struct {
	Row
	column string
}

// cells yields every cell with its place.
func (n noted) cells() iter.Seq2[place, Result] {
	return func(yield func(place, Result) bool) {
		for _, r := range n.Rows {
			for i, c := range r.Cells {
				if !yield(place{r, n.Columns[i].Name}, c) {
					return
				}
			}
		}
	}
}

// groups collects members by key; both keep their first order, without duplicates.
type groups struct {
	All   []group
	at    map[string]int
	known map[[2]string]bool // keys with their members
}

// A group has the members of a key, each a name or number in one line.
type group struct {
	Key     string
	Members []string
}

// addIf adds a member if a condition holds.
func (g *groups) addIf(holds bool, key, member string) {
	if holds {
		g.add(key, member)
	}
}

func (g *groups) add(key, member string) {
	if g.at == nil {
		g.at, g.known = map[string]int{}, map[[2]string]bool{}
	}
	i, there := g.at[key]
	if !there {
		i, g.at[key] = len(g.All), len(g.All)
		g.All = append(g.All, group{Key: text.OneLine(key)})
	}
	if at := [2]string{key, member}; !g.known[at] {
		g.known[at] = true
		g.All[i].Members = append(g.All[i].Members, text.OneLine(member))
	}
}

// Members are those of the first key, for members that have no other.
func (g groups) Members() []string {
	if len(g.All) == 0 {
		return nil
	}
	return g.All[0].Members
}

// String prints "key (member, member); key (member)".
func (g groups) String() string {
	parts := make([]string, len(g.All))
	for i, one := range g.All {
		parts[i] = one.Key + " (" + strings.Join(one.Members, ", ") + ")"
	}
	return strings.Join(parts, "; ")
}

// Brief is String, but a single key stands alone: it has all members there are.
func (g groups) Brief() string {
	if len(g.All) == 1 {
		return g.All[0].Key
	}
	return g.String()
}
