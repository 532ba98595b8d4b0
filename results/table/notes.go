package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/diagnosis"
)

// Notes are the lines under the table in text and in Markdown: how it was made and what
// to beware of. They are plain text; a renderer escapes them.
func (t Table) Notes() []string { return t.notes(t.publishedNotes, t.spreadNotes) }

// mostKeyNotes is how many notes a terminal shows without being asked for all.
const mostKeyNotes = 3

// keyNotes are the notes that decide most about how a table is read, and how many others
// there are.
func (t Table) keyNotes() []string {
	all := t.Notes()
	key := slices.Concat(t.absentCount(), t.trainNotes(), t.testNotes(), t.splitTestNotes(), t.constantNotes(), t.tuningNotes(), t.rankNotes(), t.warningNotes())
	key = key[:min(len(key), mostKeyNotes)]
	if more := len(all) - len(key); more > 0 && len(key) > 0 {
		return append(key, fmt.Sprintf("%s: --notes", text.Counted(more, "more note")))
	}
	return all[:min(len(all), mostKeyNotes)]
}

// absentCount counts the cells that are missing or failed.
func (t Table) absentCount() []string {
	missing, failed, why := 0, 0, ""
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			switch {
			case c.Score != nil:
			case c.Status == StatusFailed:
				failed++
				why = cmp.Or(why, ", the first: "+c.Reason)
			default:
				missing++
			}
		}
	}
	if missing+failed == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Of %s, %d are missing and %d failed%s.", text.Counted(len(t.Rows)*len(t.Columns), "cell"), missing, failed, why)}
}

// PageNotes are Notes without those on what only text and Markdown show: the published
// values in parentheses, and the mean and range of the runs. They are for a rendering
// that shows these in its own way and says so, as the web page does.
func (t Table) PageNotes() []string { return t.notes() }

// latexNotes are Notes without the one on parentheses, as the published values have a
// table of their own. Of spreads, LaTeX has those of pooled rows only.
func (t Table) latexNotes() []string {
	if len(t.pooled()) > 0 {
		return t.notes(t.spreadNotes)
	}
	return t.notes()
}

// notes are the lines under a table, with those about what a rendering shows.
func (t Table) notes(shown ...func() []string) []string {
	if len(t.Rows) == 0 {
		return []string{"No rows."}
	}
	var all []string
	for _, part := range slices.Concat(
		[]func() []string{t.testNotes, t.splitTestNotes}, shown,
		[]func() []string{
			t.majorityNotes, t.rankNotes, t.constantNotes, t.tuningNotes, t.absenceNotes,
			t.factNotes, t.warningNotes, t.selectNotes, t.trainNotes, t.splitNotes, t.rowNotes, t.gapNotes,
		},
	) {
		all = append(all, part()...)
	}
	return all
}

// tuningNotes name the columns that are not tuned, beside others that are.
func (t Table) tuningNotes() []string {
	var names []string
	for _, c := range t.Columns {
		if c.Untuned {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"Not tuned, although others are, and so at a disadvantage: " + strings.Join(names, ", ") + ". `grid: default` in their stanzas tunes them."}
}

// testNotes name the test and the family of its correction.
func (t Table) testNotes() []string {
	families := newGroups()
	pooled := 0
	for _, r := range t.Rows {
		if r.Pool != nil {
			pooled++
		}
		if len(r.Pairs) > 0 {
			families.add(text.Counted(len(r.Pairs), "pair"), r.label())
		}
	}
	if pooled == len(t.Rows) {
		return nil // see splitTestNotes
	}
	if len(families.keys) == 0 {
		return []string{"Percent of test samples labelled right."}
	}
	alpha := strconv.FormatFloat(t.Test.Alpha, 'g', -1, 64)
	return []string{
		"Percent of test samples labelled right. Raised: rank by " + t.Test.Pair + " between all pairs of a row, " +
			"Holm's correction over " + families.brief() + ", alpha " + alpha +
			"; rank 1 is the best method and those not significantly different from it.",
	}
}

// splitNotes name the rules of the splits.
func (t Table) splitNotes() []string {
	splits := newGroups()
	for _, r := range t.Rows {
		where := r.label()
		if r.rule() != r.Split {
			where = r.set()
		}
		splits.add(r.rule(), where)
	}
	return []string{"Split: " + splits.brief() + "."}
}

func (t Table) publishedNotes() []string {
	published, marked := false, false
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			published = published || c.Published != ""
			marked = marked || c.Score != nil && c.Mark != ""
		}
	}
	switch {
	case marked:
		return []string{"In parentheses: the published accuracy and rank; = ours prints the same accuracy, otherwise ours minus theirs in points."}
	case published:
		return []string{"In parentheses: the published accuracy and rank, of other data or another split."}
	}
	return nil
}

func (t Table) spreadNotes() []string {
	runs := newGroups()
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if beside, _ := r.spread(c); c.Spread != nil && beside == "" {
				runs.add(text.Counted(c.Spread.Runs, "run"), t.Columns[i].Name)
			}
		}
	}
	if len(runs.keys) == 0 {
		return nil
	}
	return []string{"Mean ± standard deviation and range over all seeds and repeats: " + runs.list() + "."}
}

// selectNotes name the columns whose settings another metric than accuracy chose.
func (t Table) selectNotes() []string {
	by := newGroups()
	for _, c := range t.Columns {
		if c.Select != "" {
			by.add(c.Select, c.Name)
		}
	}
	var notes []string
	for _, id := range by.keys {
		notes = append(notes, "Settings chosen by "+id+": "+strings.Join(by.members[id], ", ")+".")
	}
	return append(notes, t.protocolNotes()...)
}

// protocolNotes name the columns that do something otherwise than by default.
func (t Table) protocolNotes() []string {
	by := newGroups()
	for _, c := range t.Columns {
		if c.Protocol != "" {
			by.add(c.Protocol, c.Name)
		}
	}
	var notes []string
	for _, protocol := range by.keys {
		names := strings.Join(by.members[protocol], ", ")
		if len(by.members[protocol]) == len(t.Columns) {
			names = "all methods"
		}
		notes = append(notes, "Not by default: "+protocol+" ("+names+").")
	}
	return notes
}

// trainNotes name the columns that learn from a part of the training samples.
func (t Table) trainNotes() []string {
	most := 0
	var names []string
	for _, c := range t.Columns {
		if c.MaxTrain > 0 {
			most, names = c.MaxTrain, append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	who := strings.Join(names, ", ")
	if len(names) == len(t.Columns) {
		who = "all methods"
	}
	return []string{fmt.Sprintf("Learned from at most %d training samples of a split (max-train): %s.", most, who)}
}

// gapNotes tell what the test cannot see on so few samples.
func (t Table) gapNotes() []string {
	gaps := newGroups()
	for _, r := range t.Rows {
		if r.MinGap != nil {
			gaps.add(text.Counted(r.MinGap.Samples, "sample"), r.set()+" "+r.MinGap.Percent)
		}
	}
	if len(gaps.keys) == 0 {
		return nil
	}
	return []string{"Smallest difference the test can tell, all one way, and its share of the test set in percent: " + gaps.list() + "."}
}

// rankNotes explain ranks that an order of accuracies would not give.
func (t Table) rankNotes() []string {
	var inverted, differing, tied []string
	for _, r := range t.Rows {
		for _, p := range r.Inversions {
			inverted = append(inverted, fmt.Sprintf("%s %s behind %s", r.label(), t.name(p[0]), t.name(p[1])))
		}
		for _, p := range r.SameRankButSignificant {
			differing = append(differing, fmt.Sprintf("%s %s and %s", r.label(), t.name(p[0]), t.name(p[1])))
		}
		if r.TieSensitive {
			tied = append(tied, r.label())
		}
	}
	var notes []string
	add := func(what string, where []string) {
		if len(where) > 0 {
			notes = append(notes, what+": "+strings.Join(where, "; ")+".")
		}
	}
	add("~ A more accurate method ranks behind a less accurate one, which does not differ from the leader", inverted)
	add("The same rank, although they differ from each other", differing)
	add("Equal accuracies were ordered by column, and another order would change a rank", tied)
	return notes
}

// majorityNotes say what the column of the most frequent class is, where it is as good
// as any method, and what the class that wins ties has where that is another.
func (t Table) majorityNotes() []string {
	if !t.hasClasses() {
		return nil
	}
	note := majorityHead + ": the accuracy of always predicting the most frequent class of the test samples. It is not ranked."
	var rows, ties []string
	for _, r := range t.Rows {
		if k := r.Classes; k != nil && k.TieWinner.Label != k.Majority.Label {
			ties = append(ties, r.label()+" "+k.TieWinner.Accuracy)
		}
		above := func(c Cell) bool { return c.Score != nil && c.Correct > r.Classes.Majority.Count }
		if r.Classes != nil && !slices.ContainsFunc(r.Cells, above) {
			rows = append(rows, r.label())
		}
	}
	if len(rows) > 0 {
		note += " No method is more accurate on: " + strings.Join(rows, ", ") + "."
	}
	if len(ties) > 0 {
		note += " Tied votes go to another class, whose share of the test samples is: " + strings.Join(ties, ", ") + "."
	}
	return []string{note}
}

// constantNotes name the cells that give one label to all test samples.
func (t Table) constantNotes() []string {
	where := newGroups()
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if c.Score != nil && c.Constant {
				where.add(t.Columns[i].Name, fmt.Sprintf("%s: %s", r.label(), text.Counted(r.N, "time")))
			}
		}
	}
	if len(where.keys) == 0 {
		return nil
	}
	return []string{"† One label for all test samples: " + where.list() + "."}
}

// absenceNotes tell which cells are missing or failed, and why.
func (t Table) absenceNotes() []string {
	absent := newGroups()
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if c.Score == nil {
				absent.add(fmt.Sprintf("%s %s (%s)", t.Columns[i].Name, c.Status, c.Reason), r.label())
			}
		}
	}
	var notes []string
	for _, key := range absent.keys {
		where := strings.Join(absent.members[key], ", ")
		if len(absent.members[key]) == len(t.Rows) && len(t.Rows) > 1 {
			where = "all rows"
		}
		notes = append(notes, key+": "+where+".")
	}
	if len(notes) > 0 && t.compared() {
		notes = append(notes, "Holm's correction is over the pairs that are left.")
	}
	return notes
}

// compared tells whether some row has a test.
func (t Table) compared() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return len(r.Pairs) > 0 || r.family() > 0 })
}

// factNotes list the measurements of the fits, by name and method, but for those that
// the cells' own notes tell where something is wrong.
func (t Table) factNotes() []string {
	var notes []string
	facts := newGroups()
	for i, column := range t.Columns {
		values := newGroups()
		for _, r := range t.Rows {
			if r.Cells[i].Score == nil {
				continue
			}
			for _, f := range r.Cells[i].Facts {
				if !diagnosis.Told(f) {
					values.add(f.Name, fmt.Sprintf("%s %d/%d", r.label(), f.Count, f.Of))
				}
			}
		}
		for _, name := range values.keys {
			facts.add(name, column.Name+" "+strings.Join(values.members[name], ", "))
		}
	}
	for _, name := range facts.keys {
		notes = append(notes, name+": "+strings.Join(facts.members[name], "; ")+".")
	}
	return notes
}

func (t Table) warningNotes() []string {
	warnings := newGroups()
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			for _, s := range c.Notes {
				warnings.add(t.Columns[i].Name+": "+s, r.label())
			}
		}
	}
	var notes []string
	for _, key := range warnings.keys {
		notes = append(notes, fmt.Sprintf("%s (%s)", key, strings.Join(warnings.members[key], ", ")))
	}
	return notes
}

// rowNotes are about the data sets, which may have several rows.
func (t Table) rowNotes() []string {
	var notes []string
	seen := map[string]bool{}
	for _, r := range t.Rows {
		if r.Note != "" && !seen[r.Dataset] {
			seen[r.Dataset] = true
			notes = append(notes, r.set()+": "+r.Note)
		}
	}
	return notes
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

// rule is the rule of the row's split, without the number of a repeat.
func (r Row) rule() string {
	rule, _, _ := strings.Cut(r.Split, " repeat=")
	return rule
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

// groups collects members under keys, both in order of first appearance and
// without duplicates.
type groups struct {
	keys    []string
	members map[string][]string
	known   map[[2]string]bool // keys with their members
}

func newGroups() *groups {
	return &groups{members: map[string][]string{}, known: map[[2]string]bool{}}
}

func (g *groups) add(key, member string) {
	if _, ok := g.members[key]; !ok {
		g.keys = append(g.keys, key)
	}
	if at := [2]string{key, member}; !g.known[at] {
		g.known[at] = true
		g.members[key] = append(g.members[key], member)
	}
}

// list prints "key (member, member); key (member)".
func (g *groups) list() string {
	parts := make([]string, len(g.keys))
	for i, key := range g.keys {
		parts[i] = key + " (" + strings.Join(g.members[key], ", ") + ")"
	}
	return strings.Join(parts, "; ")
}

// brief is list, but a single key stands alone: it has all members there are.
func (g *groups) brief() string {
	if len(g.keys) == 1 {
		return g.keys[0]
	}
	return g.list()
}
