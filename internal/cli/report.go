package cli

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

// listing writes rows under headers as text, Markdown or CSV, or value as JSON.
func (a *app) listing(headers []string, rows [][]string, value any) error {
	switch a.format {
	case "json":
		return writeJSON(a.stdout, value)
	case "csv":
		w := csv.NewWriter(a.stdout)
		return w.WriteAll(append([][]string{headers}, mapped(rows, text.CSVText)...))
	case "markdown":
		return a.markdown(headers, rows)
	default:
		return a.columns(headers, rows)
	}
}

// report is listing with notes below it, where the format has a place for them.
func (a *app) report(headers []string, rows [][]string, notes []string, value any) error {
	if err := a.listing(headers, rows, value); err != nil {
		return err
	}
	if a.format != "text" && a.format != "markdown" || len(notes) == 0 {
		return nil
	}
	lines := "\n"
	for _, note := range notes {
		if a.format == "markdown" {
			note = "- " + text.MarkdownText(note)
		}
		lines += text.OneLine(note) + "\n"
	}
	_, err := io.WriteString(a.stdout, lines)
	return err
}

// tables writes further tables, each with its title and notes, where the format has
// a place for them.
func (a *app) tables(all []table.Listing) error {
	for _, l := range all {
		var err error
		switch a.format {
		case "markdown":
			if _, err = fmt.Fprintln(a.stdout); err == nil {
				err = l.Render(a.stdout, a.format)
			}
		case "text":
			if _, err = fmt.Fprintf(a.stdout, "\n%s\n", text.OneLine(l.Title)); err == nil {
				err = a.report(l.Head, l.Rows, l.Notes, nil)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *app) columns(headers []string, rows [][]string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(headers, "\t"))
	for _, row := range mapped(rows, text.OneLine) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
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

func (a *app) markdown(headers []string, rows [][]string) error {
	line := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	var b strings.Builder
	b.WriteString(line(headers))
	b.WriteString(line(slices.Repeat([]string{"---"}, len(headers))))
	for _, row := range mapped(rows, text.MarkdownText) {
		b.WriteString(line(row))
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

// writeJSON escapes <, > and &, so that the output can stand in a web page.
func writeJSON(w io.Writer, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(text.JSONText(b.Bytes()))
	return err
}
