package table

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

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
	for _, l := range t.MetricListings() {
		more, err := l.text()
		if err != nil {
			return "", err
		}
		written += "\n" + more
	}
	return written, nil
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
	return drawText(lines, tw.AlignRight)
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
		block, err := drawText(lines, tw.AlignLeft)
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

// drawText draws lines, the first of them as the heading, with the second column aligned as
// given. Names stay as they are, as the automatic format of tablewriter would tear E-R2LML
// apart, and widths do not depend on the locale.
func drawText(lines [][]string, second tw.Align) (string, error) {
	left := tw.CellAlignment{Global: tw.AlignLeft}
	whole := tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off}
	var b strings.Builder
	table := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithConfig(tablewriter.Config{
			Header: tw.CellConfig{Formatting: whole, Alignment: left},
			Row: tw.CellConfig{Formatting: whole, Alignment: tw.CellAlignment{
				Global:    tw.AlignLeft,
				PerColumn: []tw.Align{tw.AlignLeft, second},
			}},
		}),
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off}},
		}),
	)
	table.Header(lines[0])
	if err := table.Bulk(lines[1:]); err != nil {
		return "", err
	}
	err := table.Render()
	return b.String(), err
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
