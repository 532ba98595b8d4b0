package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// A Listing is a table of plain texts with a title, for what is not a ranked
// table: verdicts, comparisons, changes. All rows have as many fields as Head.
type Listing struct {
	Title string // empty: none
	Head  []string
	Rows  [][]string
	Notes []string // below the table; CSV has no place for them and the title
}

// Lines are the heading and the rows with a function applied to every field.
func (l Listing) Lines(write func(string) string) [][]string {
	var lines [][]string
	for _, row := range slices.Concat([][]string{l.Head}, l.Rows) {
		line := make([]string, len(row))
		for i, field := range row {
			line[i] = write(field)
		}
		lines = append(lines, line)
	}
	return lines
}

// Render writes the listing as text, csv or markdown. Texts mean themselves in each.
func (l Listing) Render(w io.Writer, format string) error {
	switch format {
	case "text":
		written, err := l.text()
		if err == nil {
			_, err = io.WriteString(w, written)
		}
		return err
	case "csv":
		return csv.NewWriter(w).WriteAll(l.Lines(text.CSVText))
	case "markdown":
		var b strings.Builder
		if l.Title != "" {
			b.WriteString("## " + text.MarkdownText(l.Title) + "\n\n")
		}
		writeMarkdown(&b, "|"+strings.Repeat("---|", len(l.Head)), l.Lines(text.MarkdownText), l.Notes)
		_, err := io.WriteString(w, b.String())
		return err
	}
	return fmt.Errorf("results: unknown format %q of a listing, use text, csv or markdown", format)
}

// text draws the listing for a terminal.
func (l Listing) text() (string, error) {
	drawn, err := drawText(l.Lines(text.OneLine), tw.AlignRight)
	written := text.OneLine(l.Title) + "\n" + text.TrimLines(drawn) + "\n"
	for _, note := range l.Notes {
		written += text.Wrap(text.OneLine(note), 0, noteWidth, "  ") + "\n"
	}
	return written, err
}

// MetricListings are the tables of the metrics beside accuracy, one for each, with the
// rows and columns of the ranked table. They have no ranks.
func (t Table) MetricListings() []Listing {
	runs := "" // what a number stands for where there are several splits or seeds
	for _, r := range t.Rows {
		switch {
		case runs != "":
		case r.Pool != nil:
			runs = "Mean over the splits, of seed 1. "
		case slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Spread != nil }):
			runs = "Of seed 1. "
		}
	}
	var all []Listing
	for _, id := range t.Metrics {
		m, _ := results.FindMetric(id) // specs are checked
		majority := func(r Row) string {
			if r.Classes == nil {
				return "-"
			}
			return r.Classes.MajorityMetrics.Text(id)
		}
		plain := func(text string) string { return text }
		lines := t.grid(plain, func(_ Row, c Cell) string {
			if c.Score == nil {
				return c.value()
			}
			return c.Metrics.Text(id)
		}, majority)
		all = append(all, Listing{
			Title: m.Title, Head: lines[0], Rows: lines[1:], Notes: []string{m.Definition + ". " + runs + "Ranks and tests are of accuracy alone."},
		})
	}
	return all
}
