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

// noteWidth is the most columns of notes under a ruled table.
const noteWidth = 120

// WriteText draws the table for a terminal, below its title if it has one.
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
	aligned.Flush() // a strings.Builder takes everything
	for i, note := range notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text.OneLine(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ruled draws the table with a line below the heading, or turned where it has one row or is
// wider than the style.
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

// block draws a row with a line for every column that is not in the heading.
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

// widest is the number of columns of the longest line, without escapes of color.
func widest(lines string) int {
	most := 0
	for line := range strings.SplitSeq(lines, "\n") {
		most = max(most, utf8.RuneCountInString(strings.NewReplacer(bold, "", plain, "").Replace(line)))
	}
	return most
}

// Escapes of terminals.
const (
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// number is "81.25³", with its spread: "81.25³ ±1.20".
func (v Value) number(color bool) string {
	number := text.OneLine(v.Text) + Raised(v.Rank) + v.Signs
	if v.Best && color {
		number = bold + number + plain
	}
	return text.Join(" ", number, v.Spread)
}

var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// Raised prints a rank in raised digits, no rank as nothing.
func Raised(rank int) string { return raised.Replace(text.NonZero(rank)) }

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

// ruled draws lines with a rule below the first of them, the heading, and the second column
// at the left or the right. Names stay as they are, as the automatic format of tablewriter
// would tear E-R2LML apart, and widths do not depend on the locale.
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
