package table

import (
	"bytes"
	"io"
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

// renderText draws the table for a terminal. With many methods the published
// value stands below ours, so that eight of them fit 160 columns.
func (t Table) renderText(w io.Writer, o Options) error {
	separator := "\n"
	if len(t.Columns) <= sideBySide {
		separator = " "
	}
	var b bytes.Buffer
	table := newTextTable(&b)
	header := []string{"data", "n"}
	for _, c := range t.Columns {
		header = append(header, text.OneLine(c.Name))
	}
	majority := t.hasClasses()
	if majority {
		header = append(header, majorityHead)
	}
	table.Header(header)
	for i, r := range t.Rows {
		line := []string{text.OneLine(r.title()), r.size()}
		for _, c := range r.Cells {
			line = append(line, r.textCell(c, separator, o))
		}
		if majority {
			line = append(line, r.majority())
		}
		if err := table.Append(line); err != nil {
			return err
		}
		if spread := t.repeatsLine(i); spread != nil {
			if err := table.Append(spread); err != nil {
				return err
			}
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	written := text.TrimLines(b.String()) + "\n"
	for _, note := range t.Notes() {
		written += wrap(text.OneLine(note), noteWidth) + "\n"
	}
	for _, l := range t.MetricListings() {
		more, err := l.text()
		if err != nil {
			return err
		}
		written += "\n" + more
	}
	_, err := io.WriteString(w, written)
	return err
}

// newTextTable sets tablewriter up: names as they are, as its automatic format
// would tear E-R2LML apart, and widths that do not depend on the locale.
func newTextTable(w io.Writer) *tablewriter.Table {
	left := tw.CellAlignment{Global: tw.AlignLeft}
	whole := tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off}
	return tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithConfig(tablewriter.Config{
			Header: tw.CellConfig{Formatting: whole, Alignment: left},
			Row: tw.CellConfig{Formatting: whole, Alignment: tw.CellAlignment{
				Global:    tw.AlignLeft,
				PerColumn: []tw.Align{tw.AlignLeft, tw.AlignRight},
			}},
		}),
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off}},
		}),
	)
}

// textCell prints "75.57³ (75.57³) =", or with the published value on a line
// of its own; of a pooled row "75.57³ ±1.20" and the range below.
func (r Row) textCell(c Cell, separator string, o Options) string {
	ours := c.value()
	if c.Score != nil {
		ours += Superscript(r.rank(c)) + r.signs(c)
		if r.best(c) && o.Color {
			ours = "\x1b[1m" + ours + "\x1b[0m"
		}
	}
	theirs := ""
	if c.Published != "" {
		theirs = "(" + c.Published + Superscript(c.PublishedRank) + ")"
	}
	beside, below := r.spread(c)
	if r.Repeat > 0 {
		below = "" // see repeatsLine
	}
	written := text.Join(separator, text.Join(" ", ours, beside), text.Join(" ", theirs, markText(c)))
	return text.Join("\n", written, below)
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
	line, some := []string{first.set() + " all", ""}, false
	for _, c := range first.Cells {
		_, below := first.spread(c)
		line, some = append(line, below), some || below != ""
	}
	if !some {
		return nil
	}
	return line
}

func markText(c Cell) string {
	if c.Score == nil {
		return ""
	}
	return c.Mark
}

// wrap breaks text at blanks into lines of at most width characters, where
// words allow; all lines but the first are indented.
func wrap(s string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && column+1+n > width:
			b.WriteString("\n  ")
			column = 2
		case i > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
