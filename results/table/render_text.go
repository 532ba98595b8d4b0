package table

import (
	"slices"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
)

const (
	sideBySide = 4   // methods for which published values fit beside ours
	noteWidth  = 120 // columns of the notes under a table
)

// text draws the table for a terminal, with notes and the tables of other metrics below it:
// data sets in rows, as the paper prints it, or methods in rows below each data set, where
// there is one or the columns do not fit the width.
func (t Table) text(o Options) (string, error) {
	drawn, err := t.wideText(o)
	if err == nil && o.Width > 0 && (len(t.Rows) < 2 || widest(drawn) > o.Width) {
		drawn, err = t.narrowText(o)
	}
	if err != nil {
		return "", err
	}
	written := text.TrimLines(drawn) + "\n"
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
	var more strings.Builder
	for _, l := range t.MetricListings() {
		more.WriteByte('\n')
		if err := l.WriteText(&more); err != nil {
			return "", err
		}
	}
	return written + more.String(), nil
}

// wideText has data sets in rows. With many methods the published value stands below
// ours, so that eight of them fit 160 columns.
func (t Table) wideText(o Options) (string, error) {
	separator := "\n"
	if len(t.Columns) <= sideBySide {
		separator = " "
	}
	lines := t.grid(text.OneLine, func(r Row, c Cell) string {
		ours, theirs, below := r.textParts(c, o)
		return text.Join("\n", text.Join(separator, ours, theirs), below)
	}, Row.majority)
	return document.Ruled(lines, true)
}

// widest is the number of columns of the longest line, without escapes of color.
func widest(lines string) int {
	most := 0
	for line := range strings.SplitSeq(lines, "\n") {
		line = strings.NewReplacer(bold, "", plain, "").Replace(line)
		most = max(most, utf8.RuneCountInString(line))
	}
	return most
}

// narrowText has a block for every row of the table, with a line for every method.
func (t Table) narrowText(o Options) (string, error) {
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
		block, err := document.Ruled(lines, false)
		if err != nil {
			return "", err
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n"), nil
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
	return text.Join(" ", ours, beside), r.printed(c), below
}
