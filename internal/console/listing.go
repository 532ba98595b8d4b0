package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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

// aligned writes a listing without its title as text in columns as wide as their texts.
func (c *Console) aligned(l table.Listing) error {
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	for _, line := range l.Lines(text.OneLine) {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	if err := w.Flush(); err != nil || len(l.Notes) == 0 {
		return err
	}
	lines := "\n"
	for _, note := range l.Notes {
		lines += text.OneLine(note) + "\n"
	}
	_, err := io.WriteString(c.Out, lines)
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
