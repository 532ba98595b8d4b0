package document

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"r2lmlbench/internal/text"
)

// noteWidth is the number of columns of notes under a ruled table.
const noteWidth = 120

// WriteText draws the table for a terminal, below its title if it has one.
func (t Table) WriteText(w io.Writer) error {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(text.OneLine(t.Title) + "\n")
	}
	lines := t.Lines("text", text.OneLine)
	if t.Ruled {
		drawn, err := Ruled(lines, true)
		if err != nil {
			return err
		}
		b.WriteString(text.TrimLines(drawn) + "\n")
		for _, note := range t.Notes {
			b.WriteString(text.Wrap(text.OneLine(note), 0, noteWidth, "  ") + "\n")
		}
		_, err = io.WriteString(w, b.String())
		return err
	}
	aligned := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(aligned, strings.Join(line, "\t"))
	}
	aligned.Flush() // a strings.Builder takes everything
	for i, note := range t.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text.OneLine(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fitted is the table without the columns to spare that are too much for a width.
func (t Table) fitted(width int) Table {
	t.Columns = slices.Clone(t.Columns)
	for width > 0 && t.width() > width {
		least := -1
		for i, c := range t.Columns {
			if c.Spare > 0 && (least < 0 || c.Spare < t.Columns[least].Spare) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		t.Columns[least].Spare, t.Columns[least].Only = 0, "csv"
	}
	return t
}

// width is how many columns of a terminal the table takes.
func (t Table) width() int {
	all := -2 // between two columns stand two blanks
	lines := t.Lines("text", func(s string) string { return s })
	for i := range lines[0] {
		widest := 0
		for _, line := range lines {
			widest = max(widest, utf8.RuneCountInString(line[i]))
		}
		all += widest + 2
	}
	return all
}

// Ruled draws lines with a rule below the first of them, the heading, and the second column
// at the left or the right. Names stay as they are, as the automatic format of tablewriter
// would tear E-R2LML apart, and widths do not depend on the locale.
func Ruled(lines [][]string, right bool) (string, error) {
	left := tw.CellAlignment{Global: tw.AlignLeft}
	second := left
	if right {
		second.PerColumn = []tw.Align{tw.AlignLeft, tw.AlignRight}
	}
	whole := tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off}
	var b strings.Builder
	table := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithConfig(tablewriter.Config{
			Header: tw.CellConfig{Formatting: whole, Alignment: left},
			Row:    tw.CellConfig{Formatting: whole, Alignment: second},
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
