package table

import (
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"r2lmlbench/internal/text"
)

const (
	sideBySide = 4   // methods for which published values fit beside ours
	noteWidth  = 120 // columns of the notes under a table
)

// renderText draws the table for a terminal, with notes and the tables of other metrics
// below it.
func (t Table) renderText(w io.Writer, o Options) error {
	written := t.fit(o) + "\n"
	notes, width := t.Notes(), noteWidth
	if !o.Notes {
		notes = t.keyNotes()
	}
	if o.Width > 0 {
		width = min(width, o.Width)
	}
	for _, note := range notes {
		written += text.Wrap(text.OneLine(note), 0, width, "  ") + "\n"
	}
	for _, l := range t.MetricListings() {
		written += "\n" + l.text()
	}
	_, err := io.WriteString(w, written)
	return err
}

// fit is the table as text: data sets in rows, as the paper prints it, or methods in rows
// below each data set, where there is one or the columns do not fit the width; 0: any.
func (t Table) fit(o Options) string {
	wide := t.wideText(o)
	fits := !slices.ContainsFunc(strings.Split(wide, "\n"), func(line string) bool { return columns(line) > o.Width })
	if o.Width == 0 || len(t.Rows) > 1 && fits {
		return wide
	}
	return t.narrowText(o)
}

// wideText has data sets in rows. With many methods the published value stands below
// ours, so that eight of them fit 160 columns.
func (t Table) wideText(o Options) string {
	separator := "\n"
	if len(t.Columns) <= sideBySide {
		separator = " "
	}
	lines := t.grid(sized, Row.sized, text.OneLine, func(r Row, c Cell) string {
		ours, theirs, below := r.textParts(c, o)
		return text.Join("\n", text.Join(separator, ours, theirs), below)
	}, Row.majority)
	all := lines[:1:1]
	for i, line := range lines[1:] {
		all = append(all, line)
		if spread := t.repeatsLine(i); spread != nil {
			all = append(all, spread)
		}
	}
	return drawn(all, true)
}

// narrowText has a block for every row of the table, with a line for every method.
func (t Table) narrowText(o Options) string {
	var blocks []string
	for _, r := range t.Rows {
		lines := [][]string{{text.OneLine(r.Title()), "n = " + r.size(), "printed"}}
		for k, c := range r.Cells {
			ours, theirs, below := r.textParts(c, o)
			lines = append(lines, []string{text.OneLine(t.Columns[k].Name), text.Join(" ", ours, strings.ReplaceAll(below, "\n", ", ")), theirs})
		}
		if t.hasClasses() {
			lines = append(lines, []string{majorityHead, r.majority(), ""})
		}
		if !r.hasPublished() {
			for i := range lines {
				lines[i] = lines[i][:2]
			}
		}
		blocks = append(blocks, drawn(lines, false))
	}
	return strings.Join(blocks, "\n")
}

// drawn sets lines of texts, the first of them the heading, in columns as wide as their
// widest text, the second of which stands at the right if that is wanted. A text may have
// several lines; all lines have as many texts as the first at most.
func drawn(lines [][]string, right bool) string {
	widths := make([]int, len(lines[0]))
	parts := make([][][]string, len(lines)) // by line and column
	for i, line := range lines {
		for j, text := range line {
			parts[i] = append(parts[i], strings.Split(text, "\n"))
			for _, part := range parts[i][j] {
				widths[j] = max(widths[j], columns(part))
			}
		}
	}
	var b strings.Builder
	for i, line := range parts {
		height := 1
		for _, text := range line {
			height = max(height, len(text))
		}
		for k := range height {
			written := ""
			for j, text := range line {
				part := ""
				if k < len(text) {
					part = text[k]
				}
				blank := strings.Repeat(" ", widths[j]-columns(part))
				if right && j == 1 && i > 0 {
					written += " " + blank + part + " "
				} else {
					written += " " + part + blank + " "
				}
			}
			b.WriteString(strings.TrimRight(written, " ") + "\n")
		}
		if i == 0 && len(lines) > 1 {
			rule := 0
			for _, n := range widths {
				rule += n + 2
			}
			b.WriteString(strings.Repeat("─", rule) + "\n")
		}
	}
	return b.String()
}

// columns is how many columns of a terminal a text takes, without escapes of color: two for
// the wide characters of East Asia, none for marks on others.
func columns(text string) int {
	n := 0
	for _, r := range uncolored.Replace(text) {
		switch kind := width.LookupRune(r).Kind(); {
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		case !unicode.In(r, unicode.Mn, unicode.Me):
			n++
		}
	}
	return n
}

// hasPublished tells whether any cell of the row has a published value.
func (r Row) hasPublished() bool {
	return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Published != "" })
}

// Escapes of terminals.
const (
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

var uncolored = strings.NewReplacer(bold, "", plain, "")

// textParts are "81.25³", of a pooled row with its deviation, the published "(81.25³) =",
// and the range of the runs.
func (r Row) textParts(c Cell, o Options) (ours, theirs, below string) {
	ours = c.value()
	if c.Score != nil {
		ours += superscript(r.rank(c)) + r.signs(c)
		if r.best(c) && o.Color {
			ours = bold + ours + plain
		}
	}
	beside, below := r.spread(c)
	if r.Repeat > 0 {
		below = "" // see repeatsLine
	}
	return text.Join(" ", ours, beside), r.printed(c), below
}

// repeatsLine is the line behind the last split of a data set that has the spread over
// all its splits, which the first of them keeps; nil behind other rows.
func (t Table) repeatsLine(i int) []string {
	r := t.Rows[i]
	same := func(o Row) bool { return o.Repeat > 0 && o.Dataset == r.Dataset && o.rule() == r.rule() }
	if r.Repeat == 0 || i+1 < len(t.Rows) && same(t.Rows[i+1]) {
		return nil
	}
	first := t.Rows[slices.IndexFunc(t.Rows, same)]
	line, some := []string{text.OneLine(first.set()) + " all", ""}, false
	for _, c := range first.Cells {
		_, below := first.spread(c)
		line, some = append(line, below), some || below != ""
	}
	if !some {
		return nil
	}
	return line
}
