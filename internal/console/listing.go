package console

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
)

// Listing writes rows under headers as text, Markdown or CSV, or value as JSON.
func (c *Console) Listing(headers []string, rows [][]string, value any) error {
	switch c.Format {
	case "json":
		return c.JSON(value)
	case "csv":
		return csv.NewWriter(c.Out).WriteAll(append([][]string{headers}, mapped(rows, text.CSVText)...))
	case "markdown":
		var b strings.Builder
		lines := append([][]string{headers, slices.Repeat([]string{"---"}, len(headers))}, mapped(rows, text.MarkdownText)...)
		for _, line := range lines {
			b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		}
		_, err := io.WriteString(c.Out, b.String())
		return err
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{headers}, mapped(rows, text.OneLine)...) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// Report is Listing with notes below it, where the format has a place for them.
func (c *Console) Report(headers []string, rows [][]string, notes []string, value any) error {
	if err := c.Listing(headers, rows, value); err != nil {
		return err
	}
	if c.Format != "text" && c.Format != "markdown" || len(notes) == 0 {
		return nil
	}
	lines := "\n"
	for _, note := range notes {
		if c.Format == "markdown" {
			note = "- " + text.MarkdownText(note)
		}
		lines += text.OneLine(note) + "\n"
	}
	_, err := io.WriteString(c.Out, lines)
	return err
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
			err = c.Report(l.Head, l.Rows, l.Notes, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mapped applies a function to every cell.
func mapped(rows [][]string, f func(string) string) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		for _, cell := range row {
			out[i] = append(out[i], f(cell))
		}
	}
	return out
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
