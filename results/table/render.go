package table

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
)

// Options are choices of presentation.
type Options struct {
	Color bool // the best group in bold by terminal escapes, text only
	Notes bool // all notes below the table: text has the most important ones without, LaTeX none, Markdown always all
	Width int  // columns that text has; 0: any number
}

// Document is the table as a document, in which others may stand below it.
func (t Table) Document(o Options) document.Document {
	return document.Document{Tables: []document.Table{{Draw: func(w io.Writer, format string) error { return t.Render(w, format, o) }}}}
}

// Render writes the table in a format: text, markdown, latex, csv or json.
func (t Table) Render(w io.Writer, format string, o Options) error {
	var written string
	var err error
	switch format {
	case "text":
		written, err = t.text(o)
	case "markdown":
		written = t.markdown()
	case "latex":
		written = t.latex(o.Notes)
	case "csv":
		written, err = t.csv()
	case "json":
		var b strings.Builder
		err = document.WriteJSON(&b, t, " ")
		written = b.String()
	default:
		return fmt.Errorf("results: unknown format %q, use text, markdown, latex, csv or json", format)
	}
	if err == nil {
		_, err = io.WriteString(w, written)
	}
	if err != nil {
		return fmt.Errorf("results: table %s as %s: %w", t.Spec, format, err)
	}
	return nil
}

// value is the text of a cell that replaces its accuracy.
func (c Cell) value() string {
	switch {
	case c.Score != nil:
		return c.Accuracy
	case c.Status == StatusFailed:
		return "failed"
	}
	return "-"
}

// printed is the published value of a cell with its rank, and how ours compares: "(81.25³) =".
func (r Row) printed(c Cell) string {
	printed, mark := "", ""
	if c.Published != "" {
		printed = "(" + c.Published + superscript(c.PublishedRank) + ")"
	}
	if c.Score != nil {
		mark = c.Mark
	}
	return text.Join(" ", printed, mark)
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

// spread is the spread of a cell's runs: the deviation beside the accuracy and the range
// below it. Where the accuracy is not the mean of the runs, all stands below. A row of one
// of several splits has none, as the pooled row has it. A cell that lacks some splits of a
// pooled row says so.
func (r Row) spread(c Cell) (beside, below string) {
	partial := ""
	if c.Partial > 0 {
		partial = fmt.Sprintf("%d of %d splits", c.Partial, r.Pool.Splits)
	}
	s := c.Spread
	switch {
	case s == nil || r.Repeat > 0:
		return "", partial
	case r.Pool != nil && c.Score != nil && c.Accuracy == s.Mean:
		return "±" + s.SD, text.Join("\n", s.Min+"–"+s.Max, partial)
	}
	return "", text.Join("\n", s.Mean+"±"+s.SD, s.Min+"–"+s.Max, partial)
}

// rank is what a cell shows: none where no method of the row was compared with another.
func (r Row) rank(c Cell) int {
	if len(r.Pairs) == 0 && r.family() == 0 {
		return 0
	}
	return c.Rank
}

// best tells whether a cell is shown in bold: where methods were compared, the best of them.
func (r Row) best(c Cell) bool { return c.Score != nil && c.Best && r.rank(c) > 0 }

// signs follow the rank of a cell: ~ behind a less accurate method, † one label for
// all test samples.
func (r Row) signs(c Cell) string {
	signs := ""
	if c.Score != nil && slices.ContainsFunc(r.Inversions, func(p [2]string) bool { return p[0] == c.Method }) {
		signs += "~"
	}
	if c.Score != nil && c.Constant {
		signs += "†"
	}
	return signs
}

// majorityHead heads the column of the most frequent class, which is no method.
const majorityHead = "Majority"

// hasClasses tells whether any row knows its classes, for that column.
func (t Table) hasClasses() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Classes != nil })
}

// majority is what the column has.
func (r Row) majority() string {
	if r.Classes == nil {
		return "-"
	}
	return r.Classes.Majority.Accuracy
}

// grid is the table as lines of texts, the first of them the heading: data set and size, a
// text for each cell, and the majority where it is known. written makes texts of the table
// mean themselves.
func (t Table) grid(written func(string) string, cell func(Row, Cell) string, majority func(Row) string) [][]string {
	lines := [][]string{{"data", "n"}}
	for _, c := range t.Columns {
		lines[0] = append(lines[0], written(c.Name))
	}
	if t.hasClasses() {
		lines[0] = append(lines[0], majorityHead)
	}
	for _, r := range t.Rows {
		line := []string{written(r.Title()), written(r.size())}
		for _, c := range r.Cells {
			line = append(line, cell(r, c))
		}
		if t.hasClasses() {
			line = append(line, majority(r))
		}
		lines = append(lines, line)
	}
	return lines
}

// Title is the row's heading: "A Robot", "A Robot #2".
func (r Row) Title() string {
	title := strings.TrimSpace(r.Letter + " " + r.Name)
	if r.Repeat > 0 {
		title += " #" + strconv.Itoa(r.Repeat)
	}
	return title
}

var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// superscript prints a rank in raised digits, no rank as nothing.
func superscript(rank int) string {
	if rank == 0 {
		return ""
	}
	return raised.Replace(strconv.Itoa(rank))
}
