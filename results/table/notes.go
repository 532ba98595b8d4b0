package table

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
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
func (t Table) Notes() []string { return t.noted().notes("published", "spread") }

// PageNotes are Notes without those on what only text and Markdown show: the published
// values in parentheses, and the mean and range of the runs. They are for a rendering
// that shows these in its own way and says so, as the web page does.
func (t Table) PageNotes() []string { return t.noted().notes() }

// key are the notes that decide most about how a table is read, and how many others
// there are.
func (n *noted) key() []string {
	all, key := n.notes("published", "spread"), n.write("absent", "train", "against", "test", "splits", "constant", "tuning", "rank", "warnings")
	key = append(n.write("overlaps", "doubts"), key[:min(len(key), mostKeyNotes)]...)
	if more := len(all) - len(key); more > 0 && len(key) > 0 {
		return append(key, text.Counted(more, "more note")+": --notes")
	}
	return all[:min(len(all), mostKeyNotes)]
}

// notes are the lines under a table, with those about what a rendering shows.
func (n *noted) notes(shown ...string) []string {
	if len(n.Table.Rows) == 0 {
		return []string{"No rows."}
	}
	return n.write(slices.Concat([]string{"overlaps", "against", "test", "splits"}, shown, []string{
		"majority", "rank", "constant", "tuning", "absence", "facts", "doubts", "warnings", "protocol", "train", "rule", "rows", "gap",
	})...)
}

// write are the lines that templates of notesText make of the table.
func (n *noted) write(names ...string) []string {
	var b strings.Builder
	for _, name := range names {
		if err := notesTemplate.ExecuteTemplate(&b, name, n); err != nil {
			panic("results: notes of a table: " + err.Error()) // the template and its data are ours
		}
		b.WriteByte('\n')
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' })
}

// A noted has what the notes of a table are about: rows, "A" or "A#2", and columns by their
// names, under what is said of them. What is empty has no note.
type noted struct {
	Table                    Table
	Cells, Missing, Failed   int
	Single, Pooled, Compared bool      // some row is of one split, of several, has a test
	Marked, Shown            bool      // some number stands beside a published one, compared with it or not
	Classes, Answers         bool      // some row knows its classes; answers alone are known
	Drawn                    bool      // every column draws among tied labels
	Partial, Untuned         groups    // columns by the most samples that they learn from, and those not tuned beside others
	Fewer                    groups    // columns by their settings, fewer than in print
	Selects, Protocols       groups    // columns by the metric that chose their settings, and what they do otherwise than by default
	Families, Gaps, Rules    groups    // rows by the number of their pairs, the smallest difference that the test can tell, the split
	Notes                    groups    // of the data sets
	Unbeaten, Below, Ties    groups    // rows where no method beats the most frequent class, none in print, and where ties go to another
	Inverted, Alike, Tied    groups    // ranks that an order of accuracies would not give
	Failures, Absences       groups    // rows by what failed, and by columns without a result
	Some                     groups    // columns with a result on some splits only
	Constant, Runs           groups    // rows with one label for all samples by column, columns by the number of their runs
	Warnings, Facts          groups    // rows by what cells warn of, measurements by what they are of
	Doubts                   groups    // columns and rows by what is doubtful about their fits
	Tests, Ratios, Untested  groups    // pooled rows by the number of tested pairs, with their sizes, and by why they have no test
	Constants, Differences   groups    // pairs that differ by the same on every split, pairs by data set
	Sets                     int       // over which columns are compared
	Few, Brief               bool      // so few of these that no pair can differ, so few pairs that all are listed
	Over, Differing          groups    // pairs over the data sets
	Against                  []Ranking // of pooled rows with a control
}

// mostContrasts is how many differences a note lists, and leastContrasted of how many
// splits: of fewer, the intervals are so wide that they say nothing.
const (
	mostContrasts   = 6
	leastContrasted = 5
)

// noted finds what there is to note.
func (t Table) noted() *noted {
	n := &noted{Table: t, Answers: t.Answers, Cells: len(t.Rows) * len(t.Columns)}
	n.Drawn = !slices.ContainsFunc(t.Columns, func(c Column) bool { return !c.Drawn })
	for i, c := range t.Columns {
		n.Partial.addIf(c.MaxTrain > 0, strconv.Itoa(c.MaxTrain), c.Name)
		n.Untuned.addIf(c.Untuned, "", c.Name)
		n.Fewer.addIf(c.Fewer != "", c.Fewer, c.Name)
		n.Selects.addIf(c.Select != "", c.Select, c.Name)
		n.Protocols.addIf(c.Protocol != "", c.Protocol, c.Name)
		var facts groups
		for _, r := range t.Rows {
			if s := r.Cells[i].Score; s != nil {
				for _, f := range s.Facts { // those that the notes of the cell do not tell
					facts.addIf(!told(f), f.Name, fmt.Sprintf("%s %d/%d", r.label(), f.Count, f.Of))
				}
			}
		}
		for _, f := range facts.All {
			n.Facts.add(f.Key, c.Name+" "+strings.Join(f.Members, ", "))
		}
	}
	for _, r := range t.Rows {
		n.row(r)
		if r.Pool != nil {
			n.pool(r)
			if ranking, _ := t.Rank(r); ranking.Versus > 0 {
				n.Against = append(n.Against, ranking)
			}
		}
		for i, c := range r.Cells {
			n.cell(r, t.Columns[i].Name, c)
		}
	}
	if t.Across != nil {
		for _, p := range t.Across.Pairs {
			n.Sets = max(n.Sets, p.Units)
			one := fmt.Sprintf("%s less %s %s (p after Holm %s)", t.name(p.A), t.name(p.B), Points(p.Difference), stats.ShortP(p.PHolm))
			n.Over.add("", one)
			n.Differing.addIf(p.Significant, "", one)
		}
		n.Brief, n.Few = len(t.Across.Pairs) <= mostContrasts, math.Ldexp(float64(len(t.Across.Pairs)), 1-n.Sets) > t.Test.Alpha
	}
	return n
}

// row notes what is of a row, whatever its cells.
func (n *noted) row(r Row) {
	set, label, where := r.set(), r.label(), r.label()
	n.Single, n.Pooled = n.Single || r.Pool == nil, n.Pooled || r.Pool != nil
	n.Compared, n.Classes = n.Compared || len(r.Pairs) > 0 || r.family() > 0, n.Classes || r.Classes != nil
	n.Notes.addIf(r.Note != "", "", set+": "+r.Note)
	if r.rule() != r.Split {
		where = set
	}
	n.Rules.addIf(!n.Answers, r.rule(), where)
	n.Families.addIf(len(r.Pairs) > 0, text.Counted(len(r.Pairs), "pair"), label)
	if r.MinGap != nil {
		n.Gaps.add(text.Counted(r.MinGap.Samples, "sample"), set+" "+r.MinGap.Percent)
	}
	if k := r.Classes; k != nil {
		n.Unbeaten.addIf(!r.Useful(), "", label)
		n.Below.addIf(r.PrintedBelow, "", label)
		n.Ties.addIf(k.TieWinner.Label != k.Majority.Label && !n.Answers && !n.Drawn, "", label+" "+k.TieWinner.Accuracy)
	}
	for _, p := range r.Inversions {
		n.Inverted.add("", label+" "+n.Table.name(p[0])+" behind "+n.Table.name(p[1]))
	}
	for _, p := range r.SameRankButSignificant {
		n.Alike.add("", label+" "+n.Table.name(p[0])+" and "+n.Table.name(p[1]))
	}
	n.Tied.addIf(r.TieSensitive, "", label)
}

// cell notes what is of one cell, with the name of its column.
func (n *noted) cell(r Row, name string, c Cell) {
	n.Marked, n.Shown = n.Marked || c.Score != nil && c.Mark != "", n.Shown || c.Published != ""
	if c.Spread != nil && r.Repeat == 0 && r.value(c).Spread == "" {
		n.Runs.add(text.Counted(c.Spread.Runs, "run"), name)
	}
	for _, s := range c.Notes {
		n.Warnings.add(name+": "+s, r.label())
	}
	for _, d := range c.Doubts {
		on := r.label()
		if r.Pool != nil {
			on += fmt.Sprintf(", %d of %d splits", d.Splits, r.Pool.Splits)
		}
		n.Doubts.add(d.Text, name+" ("+on+")")
	}
	switch {
	case c.Partial > 0:
		n.Some.add("", fmt.Sprintf("%s (%s, %d of %d)", name, r.label(), c.Partial, r.Pool.Splits))
	case c.Score != nil && c.Constant:
		n.Constant.add(name, r.label()+": "+text.Counted(r.N, "time"))
	case c.Score != nil:
	case c.Status == StatusFailed:
		n.Failed++
		n.Failures.add(c.Reason, r.label())
	case c.Reason == leftOut:
		n.Cells--
	default:
		n.Missing++
	}
	if c.Score == nil {
		n.Absences.add(fmt.Sprintf("%s %s (%s)", name, c.Status, c.Reason), r.label())
	}
}

// pool notes which test a row over several splits has, or why it has none, and its
// differences where there are few.
func (n *noted) pool(r Row) {
	set, ratio := r.set(), r.set()+" "+strconv.FormatFloat(float64(r.N)/float64(r.Pool.Train), 'f', 2, 64)
	switch family := r.family(); {
	case r.Pool.Test != "" && family == 0: // nothing to compare
	case r.Pool.Test != "":
		n.Ratios.add("", ratio)
		n.Tests.add(text.Counted(family, "pair"), set)
	case r.Pool.Reason == stats.TooManyTests:
		n.Untested.add(r.Pool.Reason+"; test samples for one training sample", ratio)
	default:
		n.Untested.add(r.Pool.Reason, set)
	}
	less := func(c Pair) string { return n.Table.name(c.A) + " less " + n.Table.name(c.B) + " " }
	for _, c := range r.Contrasts {
		n.Constants.addIf(c.Tested() && c.Min == c.Max && c.Difference != 0, "", set+", "+less(c)+Points(c.Difference).String())
	}
	if shown := r.shownContrasts(); len(shown) <= 2*mostContrasts && len(n.Table.Rows) <= mostContrasts && r.Pool.Splits >= leastContrasted {
		for _, c := range shown {
			n.Differences.add(set, less(c)+c.text())
		}
	}
}

// By is the metric that methods are ranked by.
func (n *noted) By() results.Metric { return n.Table.By() }

// Untestable is why rows of one split have no test by another metric than accuracy.
func (n *noted) Untestable() string { return McNemarOfAccuracy }

// AcrossTitle names the test over data sets.
func (n *noted) AcrossTitle() string { return n.Table.acrossTest().Title() }

// Methods lists columns by name.
func (n *noted) Methods(names []string) string {
	if len(names) == len(n.Table.Columns) {
		return "all methods"
	}
	return strings.Join(names, ", ")
}

// shownContrasts are all, or of many those with the most accurate method.
func (r Row) shownContrasts() []Pair {
	if len(r.Contrasts) <= mostContrasts {
		return r.Contrasts
	}
	mean := func(c Cell) float64 {
		if c.Score == nil {
			return -1
		}
		return c.Mean
	}
	best := slices.MaxFunc(r.Cells, func(a, b Cell) int { return cmp.Compare(mean(a), mean(b)) }).Method
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

// groups collects members under keys, both in order of first appearance and without
// duplicates.
type groups struct {
	All   []group
	at    map[string]int
	known map[[2]string]bool // keys with their members
}

// A group has members, names and numbers in one line each, under a key.
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
