package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// sideBySide is the number of methods for which published values fit beside ours: with more,
// they stand below, so that eight methods fit 160 columns.
const sideBySide = 4

// Render writes the table in a format: text, markdown, latex, csv or json.
func (t Table) Render(w io.Writer, format string, style document.Style) error {
	if err := t.Document(format).Write(w, format, style); err != nil {
		return fmt.Errorf("results: table %s as %s: %w", t.Spec, format, err)
	}
	return nil
}

// Document is the table as a document for a format, in which others may stand below it: data
// sets in rows, as the paper prints it, and behind it the tables of other metrics. CSV has one
// line per cell, JSON the table itself. LaTeX has the published values in a table of their own,
// and of spreads those of pooled rows.
func (t Table) Document(format string) document.Document {
	switch format {
	case "csv":
		return document.Document{Tables: []document.Table{t.long()}}
	case "json":
		return document.Document{Value: t, Indent: " "}
	}
	latex, notes := format == "latex", noted{Table: t}
	ours := t.grid(":---", func(r Row, c Result) document.Value {
		v := r.value(c)
		if latex {
			v.Aside = ""
		}
		if latex && r.Pool == nil {
			v.Spread, v.Below = "", nil
		}
		return v
	}, Row.majority)
	ours.Title = t.By().Heading() + " and rank, experiment " + t.Spec
	ours.Stacked, ours.Turn, ours.Compare = len(t.Columns) > sideBySide, 2, "printed"
	ours.Key = notes.key()
	switch {
	case !latex:
		ours.Notes = notes.notes("published", "spread")
	case notes.Pooled():
		ours.Notes = notes.notes("spread")
	default:
		ours.Notes = notes.notes()
	}
	tables := []document.Table{ours}
	if latex && slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(r.Cells, func(c Result) bool { return c.Published != "" })
	}) {
		theirs := t.grid("", func(_ Row, c Result) document.Value {
			if c.Published == "" {
				return document.Value{Text: "-"}
			}
			return document.Value{Text: c.Published, Number: true, Rank: c.PublishedRank, Best: c.PublishedRank == 1}
		}, Row.majority)
		theirs.Title = "The same as published"
		tables = append(tables, theirs)
	}
	for _, m := range t.MetricListings() {
		if latex {
			m.Title += ", experiment " + t.Spec
		}
		tables = append(tables, m)
	}
	return document.Document{Tables: tables}
}

// grid makes a table of data set, size, a field for each cell with this alignment, and the majority
// if some row has it.
func (t Table) grid(align string, cell func(Row, Result) document.Value, majority func(Row) string) document.Table {
	known := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Classes != nil })
	g := document.Table{Ruled: true, Columns: []document.Heading{{Name: "data", Align: ":---"}, {Name: "n", Align: "---:"}}}
	for _, c := range t.Columns {
		g.Columns = append(g.Columns, document.Heading{Name: c.Name, Align: align})
	}
	if known {
		g.Columns = append(g.Columns, document.Heading{Name: "Majority", Align: "---:"}) // no method
	}
	for _, r := range t.Rows {
		row := []document.Value{{Text: r.Title()}, {Text: r.size()}}
		for _, c := range r.Cells {
			row = append(row, cell(r, c))
		}
		if known {
			row = append(row, document.Value{Text: majority(r)})
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// ByMethod makes a table with the methods in rows, the best average rank first where there are average ranks, and the
// majority last.
func (t Table) ByMethod() document.Table {
	l := document.Table{Ruled: true, Turn: 2, Columns: []document.Heading{{Name: "method", Align: ":---"}, {Name: "average rank", Align: "---:"}}}
	turned := t.grid("", func(r Row, c Result) document.Value {
		v := r.value(c)
		v.Below = v.Below[min(1, len(v.Below)):] // without the range
		return v
	}, Row.majority)
	for _, r := range turned.Rows {
		l.Columns = append(l.Columns, document.Heading{Name: r[0].Text + ", " + r[1].Text, Align: ":---"})
	}
	for k, c := range turned.Columns[2:] {
		l.Add(c.Name, "-")
		for _, r := range turned.Rows {
			l.Rows[k] = append(l.Rows[k], r[2+k])
		}
	}
	if t.Across != nil && t.Across.AverageRanks != nil {
		columns := slices.Clone(l.Rows)
		for place, r := range t.Across.Ranks {
			l.Rows[place] = columns[slices.IndexFunc(t.Columns, func(c Column) bool { return c.ID == r.Column })]
			l.Rows[place][1].Text = r.Rank
		}
	}
	return l
}

// MetricListings are the tables of the metrics beside accuracy, one for each, with the
// rows and columns of the ranked table. They have no ranks.
func (t Table) MetricListings() []document.Table {
	runs := "" // what a number stands for where there are several splits or seeds
	for _, r := range t.Rows {
		switch {
		case runs != "":
		case r.Pool != nil:
			runs = "Mean over the splits, of seed 1. "
		case slices.ContainsFunc(r.Cells, func(c Result) bool { return c.Spread != nil }):
			runs = "Of seed 1. "
		}
	}
	var all []document.Table
	for _, id := range t.Metrics {
		m := results.MetricOf(id)
		l := t.grid("---:", func(_ Row, c Result) document.Value {
			if c.Score == nil {
				return document.Value{Text: c.absence()}
			}
			return document.Value{Text: c.Metrics.Text(id)}
		}, func(r Row) string {
			if r.Classes == nil {
				return "-"
			}
			return r.Classes.MajorityMetrics.Text(id)
		})
		l.Title, l.Part, l.Notes = m.Title, true, []string{m.Definition + ". " + runs + "Ranks and tests are of " + t.By().Name + " alone."}
		all = append(all, l)
	}
	return all
}

// value is the accuracy of a cell with its rank and spread, and the published accuracy with
// its own and how ours compares: "(81.25³) =". Where the accuracy is not the mean of the
// runs, the spread stands below. A row of one of several splits has none, as the pooled row
// has it. Ranks are of rows that compare methods. The signs are ~ behind a less accurate
// method, and † one label for all test samples.
func (r Row) value(c Result) document.Value {
	v := document.Value{Text: c.absence()}
	if s := c.Score; s != nil {
		v.Text, v.Number, v.Aside = c.Value(), true, s.Mark
		if r.compared() {
			v.Rank, v.Best = s.Rank, s.Best && s.Rank > 0
		}
		if slices.ContainsFunc(r.Inversions, func(p [2]string) bool { return p[0] == c.Method }) {
			v.Signs = "~"
		}
		if s.Constant {
			v.Signs += "†"
		}
	}
	if c.Published != "" {
		v.Aside = text.Join(" ", "("+c.Published+document.Raised(c.PublishedRank)+")", v.Aside)
	}
	if s := c.Spread; s != nil && r.Repeat == 0 {
		v.Below = []string{s.Mean + "±" + s.SD, s.Min + "–" + s.Max}
		if r.Pool != nil && v.Number && v.Text == s.Mean {
			v.Spread, v.Below = "±"+s.SD, v.Below[1:]
		}
	}
	if c.Partial > 0 {
		v.Below = append(v.Below, fmt.Sprintf("%d of %d splits", c.Partial, r.Pool.Splits))
	}
	return v
}

// compared reports whether the methods of the row are tested against each other.
func (r Row) compared() bool { return len(r.Pairs) > 0 || r.family() > 0 }

// absence returns the text for a cell without an accuracy.
func (c Result) absence() string {
	if c.Status == StatusFailed {
		return "failed"
	}
	return "-"
}

// majority is the accuracy of the most frequent class.
func (r Row) majority() string {
	if r.Classes == nil {
		return "-"
	}
	return r.Classes.Majority.Value()
}

// Title is the row's heading: "A Robot", "A Robot #2".
func (r Row) Title() string {
	title := strings.TrimSpace(r.Letter + " " + r.Name)
	if r.Repeat > 0 {
		title += " #" + strconv.Itoa(r.Repeat)
	}
	return title
}

// size is the number of test samples, of a pooled row that of splits and those of one: "5×30",
// "40×(4 to 5)".
func (r Row) size() string {
	if r.Pool == nil {
		return strconv.Itoa(r.N)
	}
	one := strconv.Itoa(r.sizes()[0])
	if r.Pool.Sizes != nil {
		one = fmt.Sprintf("(%d to %d)", r.Pool.Sizes[0], r.Pool.Sizes[1])
	}
	return fmt.Sprintf("%d×%s", r.Pool.Splits, one)
}

// sizes are the fewest and the most test samples of a split of a pooled row.
func (r Row) sizes() [2]int {
	if r.Pool.Sizes != nil {
		return *r.Pool.Sizes
	}
	return [2]int{r.N / r.Pool.Splits, r.N / r.Pool.Splits}
}

// long makes the table of CSV, a line per cell: the fields of every table, those of its metrics,
// and in a table with pooled rows, whose counts are those of all splits, the number of splits.
func (t Table) long() (l document.Table) {
	pooled := len(t.pooled()) > 0
	for _, f := range t.record(Row{}, Result{}, pooled) {
		l.Columns = append(l.Columns, document.Heading{Name: f.name})
	}
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			var row []document.Value
			for _, f := range t.record(r, c, pooled) {
				row = append(row, document.Value{Text: fmt.Sprint(f.value)})
			}
			l.Rows = append(l.Rows, row)
		}
	}
	return l
}

// A field is a field of CSV with the name of its column.
type field struct {
	name  string
	value any
}

// record returns the fields of a cell.
func (t Table) record(r Row, c Result, pooled bool) []field {
	var s Score
	var correct, best, constant, seed, params, majority, tieWinner any = "", "", "", "", "", "", "" // unless they are known
	if c.Score != nil {
		s = *c.Score
		written, _ := results.CanonicalJSON(s.Params) // as in the key that the cell has
		correct, best, constant, seed, params = s.Correct, s.Best, s.Constant, s.Seed, string(written)
	}
	spread, k := cmp.Or(c.Spread, &Spread{}), cmp.Or(r.Classes, &Classes{})
	if r.Classes != nil {
		majority, tieWinner = k.Majority.Label, k.TieWinner.Label
	}
	var facts, notes []string
	for _, f := range s.Facts {
		facts = append(facts, fmt.Sprintf("%s %d/%d", f.Name, f.Count, f.Of))
	}
	for _, d := range c.Doubts {
		if d.Splits > 1 {
			d.Text += fmt.Sprintf(" (%d splits)", d.Splits)
		}
		notes = append(notes, d.Text)
	}
	difference := strings.TrimPrefix(s.Mark, "+")
	if s.Mark == "=" {
		difference = "0.00"
	}
	all := []field{
		{"spec", t.Spec}, {"dataset", r.Dataset}, {"letter", r.Letter}, {"name", r.Name}, {"split", r.Split}, {"repeat", text.NonZero(r.Repeat)},
		{"n", r.N}, {"method", c.Method}, {"status", c.Status}, {"reason", c.Reason},
		{"correct", correct}, {"accuracy", s.Accuracy}, {"rank", text.NonZero(s.Rank)}, {"best", best}, {"letters", s.Letters},
		{"published", c.Published}, {"published_rank", text.NonZero(c.PublishedRank)}, {"difference", difference},
		{"params", params}, {"restart", text.NonZero(s.Restart)}, {"seed", seed}, {"facts", strings.Join(facts, "; ")},
		{"runs", text.NonZero(spread.Runs)}, {"mean", spread.Mean}, {"sd", spread.SD}, {"min", spread.Min}, {"max", spread.Max},
		{"notes", strings.Join(append(notes, c.Notes...), "; ")},
	}
	for _, m := range results.Metrics {
		if m.Always {
			all = append(all, field{m.Field(), s.Metrics.Text(m.ID)})
		}
	}
	all = append(all, field{"constant", constant}, field{"majority", majority}, field{"majority_accuracy", k.Majority.Accuracy},
		field{"tie_winner", tieWinner}, field{"tie_winner_accuracy", k.TieWinner.Accuracy})
	if t.Measure != "" {
		all = append(all, field{"measure", t.Measure}) // of rank, mean, sd, min and max
	}
	for _, id := range shown(t.Measure, t.Metrics) {
		m := results.MetricOf(id)
		if !m.Always {
			all = append(all, field{m.Field(), s.Metrics.Text(id)})
		}
		all = append(all, field{"majority_" + m.Field(), k.MajorityMetrics.Text(id)})
	}
	if pooled {
		pool := cmp.Or(r.Pool, &Pool{Splits: 1})
		all = append(all, field{"splits", pool.Splits}, field{"train", text.NonZero(pool.Train)}, field{"test", pool.Test})
	}
	return all
}
