package document

import (
	"cmp"
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

// noteWidth is the maximum width of notes below a ruled table, in columns.
const noteWidth = 120

// WriteText draws title, rows and notes for a terminal.
func (t Table) WriteText(w io.Writer, style Style) error {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(text.OneLine(t.Title) + "\n")
	}
	notes := t.Notes
	if t.Key != nil && !style.Notes {
		notes = t.Key
	}
	if t.Ruled {
		drawn, err := t.ruled(style)
		if err != nil {
			return err
		}
		b.WriteString(text.TrimLines(drawn) + "\n")
		for _, note := range notes {
			b.WriteString(text.Wrap(text.OneLine(note), 0, min(noteWidth, cmp.Or(style.Width, noteWidth)), "  ") + "\n")
		}
		_, err = io.WriteString(w, b.String())
		return err
	}
	aligned := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, line := range t.lines("text", text.OneLine, func(v Value) string { return text.OneLine(v.Text) }) {
		fmt.Fprintln(aligned, strings.Join(line, "\t"))
	}
	aligned.Flush() // no error: a strings.Builder never fails
	for i, note := range notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text.OneLine(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ruled draws the table with a rule below the heading, or as blocks, see Table.Turn.
func (t Table) ruled(style Style) (string, error) {
	separator := " "
	if t.Stacked {
		separator = "\n"
	}
	drawn, err := ruled(t.lines("text", text.OneLine, func(v Value) string {
		return text.Join("\n", append([]string{text.Join(separator, v.number(style.Color), v.Aside)}, v.Below...)...)
	}), true)
	if err != nil || t.Turn == 0 || style.Width == 0 || len(t.Rows) > 1 && widest(drawn) <= style.Width {
		return drawn, err
	}
	blocks := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		if blocks[i], err = t.block(row, style); err != nil {
			return "", err
		}
	}
	return strings.Join(blocks, "\n"), nil
}

// block draws one row: the first Turn columns as heading, then a line per column.
func (t Table) block(row []Value, style Style) (string, error) {
	head := []string{text.OneLine(row[0].Text)}
	for k := 1; k < t.Turn; k++ {
		head = append(head, text.OneLine(t.Columns[k].Name+" = "+row[k].Text))
	}
	lines, aside := [][]string{append(head, t.Compare)}, ""
	for k := t.Turn; k < len(row); k++ {
		v := row[k]
		aside += v.Aside
		lines = append(lines, []string{text.OneLine(t.Columns[k].Name), text.Join(" ", v.number(style.Color), strings.Join(v.Below, ", ")), v.Aside})
	}
	if aside == "" {
		for i, line := range lines {
			lines[i] = line[:len(line)-1]
		}
	}
	return ruled(lines, false)
}

// widest returns the width of the longest line in columns, without escape sequences.
func widest(lines string) int {
	most := 0
	for line := range strings.SplitSeq(lines, "\n") {
		most = max(most, utf8.RuneCountInString(strings.NewReplacer(bold, "", plain, "").Replace(line)))
	}
	return most
}

// Escape sequences of terminals.
const (
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// number returns the text with rank and spread, such as "81.25³ ±1.20".
func (v Value) number(color bool) string {
	number := text.OneLine(v.Text) + Raised(v.Rank) + v.Signs
	if v.Best && color {
		number = bold + number + plain
	}
	return text.Join(" ", number, v.Spread)
}

var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// Raised returns a rank in superscript digits, "" for 0.
func Raised(rank int) string { return raised.Replace(text.NonZero(rank)) }

// fitted returns the table without the spare columns that do not fit the width.
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

// width returns the width of the table in columns of the terminal.
func (t Table) width() int {
	all := -2 // two spaces separate columns
	lines := t.lines("text", func(s string) string { return s }, Value.String)
	for i := range lines[0] {
		widest := 0
		for _, line := range lines {
			widest = max(widest, utf8.RuneCountInString(line[i]))
		}
		all += widest + 2
	}
	return all
}

// ruled draws lines with a rule below the first, the heading. The columns from the second on are
// aligned right or left. We turn the automatic format of tablewriter off, which would tear E-R2LML
// apart; widths do not depend on the locale.
func ruled(lines [][]string, right bool) (string, error) {
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
