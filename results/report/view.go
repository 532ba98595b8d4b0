package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/explain"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// The footnotes' signs and names in links.
const (
	invertedSign, invertedAnchor = "~", "note-inverted"
	constantSign, constantAnchor = "†", "note-constant"
	gapSign, gapAnchor           = "Δ", "note-gap"
)

// A wordLook is how a verdict is shown: its sign, which is the mark of the figures,
// and its family, which has a color.
type wordLook struct{ sign, family string }

// wordLooks are those of the verdicts' words.
var wordLooks = map[string]wordLook{
	verdict.Agrees:     {"■", "agrees"},
	verdict.Differs:    {"▲", "differs"},
	verdict.CannotTell: {"□", "cannot"},
}

// addTable fills in rows, columns and footnotes.
func (in Input) addTable(v *view) {
	t := in.Table
	v.Majority = slices.ContainsFunc(t.Rows, func(r table.Row) bool { return r.Classes != nil })
	for i, r := range t.Rows {
		row := rowView{Title: rowTitle(r), Anchor: rowAnchor(r), N: r.N, Index: i, Facts: noted(in.rowFacts(i))}
		for j := range t.Columns {
			row.Cells = append(row.Cells, in.cellView(i, j))
			v.Published = v.Published || r.Cells[j].Published != ""
		}
		if v.Majority {
			row.Majority = "–"
		}
		if r.Classes != nil {
			row.Majority = r.Classes.Majority.Accuracy
		}
		row.Gist = gist(r, ranking(r, row.Cells))
		v.Rows = append(v.Rows, row)
	}
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, columnView{c.Name})
	}
	v.Sets, v.Alone = v.Rows, len(t.Columns) < 2
	if in.Pooled != nil {
		in.addPooled(v)
	}
	in.addFootnotes(v)
}

func (in Input) cellView(i, j int) cellView {
	row, column := in.Table.Rows[i], in.Table.Columns[j]
	c, x := row.Cells[j], in.Cells[i][j]
	v := cellView{
		Href: cellHref(row, column.ID), Value: "–", Sort: "-1", Published: c.Published, PubSort: "-1",
		Row: i, Column: j, RowTitle: rowTitle(row), Method: column.Name,
	}
	if c.Status == table.StatusFailed {
		v.Value = "failed"
	}
	if s := c.Score; s != nil {
		v.Value, v.Sort = s.Accuracy, s.Accuracy
		if len(row.Pairs) > 0 { // a lone method is not ranked
			v.Rank, v.Best, v.Letters = strconv.Itoa(s.Rank), s.Best, s.Letters
		}
		v.Difference, v.DiffSort = minus(s.Mark), s.Mark
	}
	if c.Published != "" {
		v.PubRank, v.PubSort = strconv.Itoa(c.PublishedRank), c.Published
	}
	if isInverted(row, column.ID) {
		v.Marks = append(v.Marks, mark{invertedSign, invertedAnchor, "more accurate than a method of a better rank"})
	}
	if x.constant() {
		v.Marks = append(v.Marks, mark{constantSign, constantAnchor, "every test sample is given the same label"})
	}
	if x.gap() != "" {
		v.Marks = append(v.Marks, mark{gapSign, gapAnchor, x.gap()})
	}
	if x.Verdict != nil {
		v.addVerdict(*x.Verdict)
	}
	return v
}

func (v *cellView) addVerdict(of verdict.Verdict) {
	look := wordLooks[of.Verdict]
	v.Verdict, v.Reason, v.Sign, v.Family = of.Verdict, of.Reason, look.sign, look.family
	if of.Mean == nil {
		return
	}
	v.Difference, v.DiffSort = minus(text.Signed(*of.Difference)), text.Signed(*of.Difference)
	if of.Runs > 1 {
		v.Spread = fmt.Sprintf("%.2f ± %.2f", *of.Mean, of.SD)
	}
}

// constant tells whether every test sample, of which there are several classes, is
// given the same label.
func (x Cell) constant() bool {
	if x.Result == nil {
		return false
	}
	var given, there int
	counts := x.Result.Confusion.Counts
	for i, line := range counts {
		of, as := 0, 0
		for j, n := range line {
			of, as = of+n, as+counts[j][i]
		}
		there, given = there+bit(of > 0), given+bit(as > 0)
	}
	return given == 1 && there > 1
}

// gapLimit is the difference of validation and test accuracy, in points, beyond which a
// number is flagged.
const gapLimit = 10

// gap tells the accuracy on validation and on test samples where they are far apart.
func (x Cell) gap() string {
	for _, t := range x.Tried {
		if !t.Chosen || t.Correct == nil || x.Result == nil || x.Validation == 0 || x.Result.N == 0 {
			continue
		}
		validation, test := 100*float64(*t.Correct)/float64(x.Validation), 100*float64(x.Result.Correct)/float64(x.Result.N)
		if math.Abs(validation-test) > gapLimit {
			return fmt.Sprintf("%.2f on validation, %s on test", validation, x.Result.Accuracy)
		}
	}
	return ""
}

// minus gives a number its sign in print.
func minus(number string) string { return strings.ReplaceAll(number, "-", "−") }

func isInverted(r table.Row, column string) bool {
	return slices.ContainsFunc(r.Inversions, func(p [2]string) bool { return p[0] == column })
}

// addFootnotes explains the signs beside the numbers.
func (in Input) addFootnotes(v *view) {
	inverted := footnote{mark: mark{invertedSign, invertedAnchor, "A more accurate method ranks behind a less accurate one, " +
		"which does not differ from the leader of its group"}}
	constant := footnote{mark: mark{constantSign, constantAnchor, "Every test sample is given the same label"}}
	far := footnote{mark: mark{gapSign, gapAnchor, fmt.Sprintf("The accuracies on validation and on test samples are more than %d points apart", gapLimit)}}
	for i, r := range in.Table.Rows {
		for _, p := range r.Inversions {
			inverted.Items = append(inverted.Items, line{cellHref(r, p[0]), short(r) + " " + in.name(p[0]), "behind " + in.name(p[1])})
		}
		for j, x := range in.Cells[i] {
			c := in.Table.Columns[j]
			item := line{cellHref(r, c.ID), short(r) + " " + c.Name, ""}
			if x.constant() {
				constant.Items = append(constant.Items, item)
			}
			if gap := x.gap(); gap != "" {
				far.Items = append(far.Items, line{item.Href, item.Title, gap})
			}
		}
	}
	if len(constant.Items) > 0 {
		v.Constant = &constant
	}
	for _, f := range []footnote{inverted, constant, far} {
		if len(f.Items) > 0 {
			v.Footnotes = append(v.Footnotes, f)
		}
	}
}

// name is the printed name of a column.
func (in Input) name(id string) string {
	for _, c := range in.Table.Columns {
		if c.ID == id {
			return c.Name
		}
	}
	return id
}

// ranking lists the methods of a row that have a result, the most accurate first.
func ranking(row table.Row, cells []cellView) []rankLine {
	correct := func(l rankLine) int { return row.Cells[l.Column].Correct }
	var lines []rankLine
	for j, c := range cells {
		if of := row.Cells[j]; of.Score != nil && of.Partial == 0 {
			lines = append(lines, rankLine{cellView: c})
		}
	}
	slices.SortStableFunc(lines, func(a, b rankLine) int { return correct(b) - correct(a) })
	for k := range lines {
		lines[k].FromBest = minus(text.Signed(100 * float64(correct(lines[k])-correct(lines[0])) / float64(row.N)))
	}
	for j, c := range cells {
		if of := row.Cells[j]; of.Score != nil && of.Partial > 0 {
			lines = append(lines, rankLine{cellView: c, Splits: fmt.Sprintf("%d of %d splits", of.Partial, row.Pool.Splits)})
		}
	}
	return lines
}

// gist names the most accurate methods of a ranking. Accuracies on some splits are
// compared with none.
func gist(row table.Row, ranking []rankLine) string {
	whole := slices.DeleteFunc(slices.Clone(ranking), func(l rankLine) bool { return l.Splits != "" })
	switch {
	case len(ranking) == 0:
		return "no result"
	case len(row.Cells) == 1:
		return ranking[0].Method + " " + ranking[0].Value
	case len(whole) < len(ranking) && len(whole) < 2:
		return fmt.Sprintf("%d of %s %s results on all splits", len(whole), text.Counted(len(ranking), "method"), text.Agree(len(whole), "has", "have"))
	}
	var first []string
	for _, l := range whole {
		if row.Cells[l.Column].Correct == row.Cells[whole[0].Column].Correct {
			first = append(first, l.Method)
		}
	}
	said := fmt.Sprintf("best: %s %s", text.Series(first), whole[0].Value)
	if len(whole) < len(ranking) {
		said += fmt.Sprintf(", of %d methods with all splits", len(whole))
	}
	return said
}

// noted leaves out the note, which the notes below the table have.
func noted(facts [][2]string) [][2]string {
	return slices.DeleteFunc(facts, func(f [2]string) bool { return f[0] == "Note" })
}

// rowFacts tell what a row's data are.
func (in Input) rowFacts(i int) [][2]string {
	row := in.Table.Rows[i]
	facts := [][2]string{{"Split", row.Split}, {"Test samples", strconv.Itoa(row.N)}}
	if len(in.Cells[i]) > 0 {
		d, s := in.Cells[i][0].Data, in.Cells[i][0].Split
		facts = append(dataFacts(d), splitFacts(s)...)
	}
	if row.MinGap != nil {
		facts = append(facts, [2]string{"Smallest difference the test can tell", fmt.Sprintf("%s, "+
			"%s points", text.Counted(row.MinGap.Samples, "sample"), row.MinGap.Percent)})
	}
	return facts
}

func dataFacts(d explain.DataFacts) [][2]string {
	features := strconv.Itoa(d.Features)
	if d.PCA > 0 {
		features += ", reduced to " + text.Counted(d.PCA, "principal component")
	}
	size := ""
	if d.Rows > 0 {
		size = strconv.Itoa(d.Rows)
	}
	return known([][2]string{
		{"Data set", d.ID}, {"Samples n", size}, {"Features D", features},
		{"Classes", classesText(d.Classes)},
		{"Source", strings.Join(d.Sources, " ")}, {"Licence", d.Licence}, {"Note", d.Note},
	})
}

// mostNamed is the number of classes up to which each is named.
const mostNamed = 5

// classesText counts the classes and their rows.
func classesText(all []explain.ClassFact) string {
	said := strconv.Itoa(len(all))
	if len(all) > mostNamed {
		rows := func(a, b explain.ClassFact) int { return a.Rows - b.Rows }
		return fmt.Sprintf("%s; %d to %d rows each", said, slices.MinFunc(all, rows).Rows, slices.MaxFunc(all, rows).Rows)
	}
	var named []string
	for _, c := range all {
		named = append(named, fmt.Sprintf("%s: %d", c.Called(), c.Rows))
	}
	return text.Join("; ", said, strings.Join(named, ", "))
}

func splitFacts(s explain.SplitFacts) [][2]string {
	sizes := ""
	if s.Test > 0 {
		sizes = fmt.Sprintf("%d train, %d validation, %d test", s.Train, s.Validation, s.Test)
	}
	return known([][2]string{{"Split", s.Name}, {"Sizes", sizes}})
}

// methodFacts tell what a column is.
func (in Input) methodFacts(j int) [][2]string {
	c := in.Table.Columns[j]
	facts := [][2]string{{"Column", c.ID}, {"Method", c.Method}}
	if len(in.Cells) == 0 {
		return facts
	}
	m := in.Cells[0][j].Method
	draws := "no random numbers"
	if m.Stochastic {
		draws = "random numbers"
	}
	return known(append(facts, [2]string{"Version", strconv.Itoa(m.Version)}, [2]string{"Draws", draws}, [2]string{"Source", m.Source}))
}

// reproduces tells whether at least half of the methods' numbers are beside published
// ones, so that the page is about these.
func (in Input) reproduces() bool {
	sets := map[string]bool{}
	for _, r := range in.Table.Rows {
		sets[r.Dataset] = true
	}
	return in.Verdicts.Summary.Numbers > 0 && 2*in.Verdicts.Summary.Numbers >= len(sets)*len(in.Table.Columns)
}

// known keeps the facts that have a value.
func known(facts [][2]string) [][2]string {
	return slices.DeleteFunc(facts, func(f [2]string) bool { return f[1] == "" })
}

// addVerdicts fills in what came of the published numbers: the answer, the verdicts'
// counts, what other readings give, and the notes.
func (in Input) addVerdicts(v *view) error {
	s := in.Verdicts.Summary
	if s.Numbers == 0 {
		return nil
	}
	if in.reproduces() {
		v.Heading = "Reduced-Rank Local Distance Metric Learning: Does it reproduce?"
		var err error
		if v.Text, err = sectionHTML(in.Text, Section); err != nil {
			return err
		}
		v.Rule, v.LetsThrough = verdict.Rule, in.Verdicts.LetsThrough()
		links := figures.Links{Names: figures.SetNames(in.Table), Href: numberHref, Before: in.Against.wordBefore}
		v.Strip = figures.Strip(in.Verdicts, links)
		l := in.Verdicts.Readings.Agreements()
		v.Readings = &metricView{l.Title, document.HTML(l.Title, l.Blocks()...)}
	}
	for _, w := range s.Words {
		if w.Count > 0 {
			look := wordLooks[w.Word]
			v.Counts = append(v.Counts, verdictCount{Word: w.Word, Sign: look.sign, Family: look.family, N: w.Count})
		}
	}
	v.VerdictInfo = in.Verdicts.Notes()
	return nil
}

// numberHref is the link that opens the panel of a published number.
func numberHref(v verdict.Verdict) string {
	return cellHref(table.Row{Dataset: v.Dataset}, v.Method)
}

// addWinTieLosses fills in the matrix of wins, ties and losses.
func (in Input) addWinTieLosses(v *view) {
	t := in.Table
	if len(t.Columns) < 2 {
		return
	}
	v.WinTieLossNote = winTieLossNote(t, in.Pooled != nil)
	for i, row := range winTieLosses(t) {
		var line []winTieLossView
		for j, d := range row {
			one := winTieLossView{}
			if d.rows() > 0 {
				one = winTieLossView{Href: comparisonHref(t.Columns[i].ID, t.Columns[j].ID), Counts: d.Counts(), Mean: minus(d.Mean()), Class: "even"}
				if d.Wins > d.Losses {
					one.Class = "ahead"
				} else if d.Wins < d.Losses {
					one.Class = "behind"
				}
			}
			line = append(line, one)
		}
		v.WinTieLosses = append(v.WinTieLosses, line)
	}
}
