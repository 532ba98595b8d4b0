package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
)

// Listing writes rows under headers as text, Markdown or CSV, or value as JSON.
func (c *Console) Listing(headers []string, rows [][]string, value any) error {
	return c.Report(headers, rows, nil, value)
}

// Report is Listing with notes below it, where the format has a place for them.
func (c *Console) Report(headers []string, rows [][]string, notes []string, value any) error {
	l := table.Listing{Head: headers, Rows: rows, Notes: notes}
	switch c.Format {
	case "json":
		return c.JSON(value)
	case "csv", "markdown":
		return l.Render(c.Out, c.Format)
	}
	return c.aligned(l)
}

// Tables writes further tables, each with its title and notes, where the format has
// a place for them.
func (c *Console) Tables(all []table.Listing) error {
	for _, l := range all {
		var err error
		switch c.Format {
		case "markdown":
			fmt.Fprintln(c.Out)
			err = l.Render(c.Out, c.Format)
		case "text":
			fmt.Fprintf(c.Out, "\n%s\n", text.OneLine(l.Title))
			err = c.aligned(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leastBeside is the room in columns that the last fields of a listing need beside the others.
const leastBeside = 30

// Columns are the widths of the fields of lines, and of a line with blanks between them.
func Columns(lines [][]string) (widths []int, all int) {
	widths = make([]int, len(lines[0]))
	for i := range widths {
		for _, line := range lines {
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
		all += widths[i] + gap
	}
	return widths, all - gap
}

// gap is the number of blanks between two fields.
const gap = 2

// aligned writes a listing without its title as text in columns as wide as their texts. If
// that is wider than the terminal, the last fields are broken into lines, which stand below
// the others where these leave too little room.
func (c *Console) aligned(l table.Listing) error {
	lines, most := l.Lines(text.OneLine), c.Width()
	widths, all := Columns(lines)
	last := len(widths) - 1
	indent := all - widths[last]
	below := most > 0 && all > most && most-indent < leastBeside
	if below {
		indent = 2 * gap
	}
	next := "\n" + strings.Repeat(" ", indent)
	var b strings.Builder
	for _, line := range lines {
		for i, field := range line[:last] {
			fmt.Fprintf(&b, "%-*s", widths[i]+gap, field)
		}
		field := line[last]
		if below && field != "" {
			b.WriteString(next)
		}
		if most > 0 && all > most {
			field = text.Wrap(field, indent, most, next[1:])
		}
		b.WriteString(field + "\n")
	}
	written := b.String()
	if below {
		written = text.TrimLines(written)
	}
	for i, note := range l.Notes {
		if note = text.OneLine(note); most > 0 {
			note = text.Wrap(note, 0, most, "  ")
		}
		if i == 0 {
			written += "\n"
		}
		written += note + "\n"
	}
	_, err := io.WriteString(c.Out, written)
	return err
}

// JSON writes a value. It escapes <, > and &, so that the output can stand in a web page.
func (c *Console) JSON(value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := c.Out.Write(text.JSONText(b.Bytes()))
	return err
}
