package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// A Listing is a table of plain texts with a title, for what is not a ranked
// table: verdicts, comparisons, changes. All rows have as many fields as Head.
type Listing struct {
	Title string
	Head  []string
	Rows  [][]string
	Notes []string // below the table; CSV has no place for them
}

// MetricListings are the tables of the metrics beside accuracy, one for each, with the
// rows and columns of the ranked table. They have no ranks.
func (t Table) MetricListings() []Listing {
	var all []Listing
	for _, id := range t.Metrics {
		m, ok := results.FindMetric(id)
		if !ok {
			continue // New takes what specs have, which are checked
		}
		plain := func(text string) string { return text }
		lines := t.grid(sized, Row.sized, plain, func(_ Row, c Cell) string { return c.metric(id) }, func(r Row) string { return r.majorityMetric(id) })
		l := Listing{Title: m.Title, Head: lines[0], Rows: lines[1:], Notes: []string{m.Definition + ". " + t.metricRuns() + unranked}}
		all = append(all, l)
	}
	return all
}

// metricRuns says what a number stands for where there are several splits or seeds.
func (t Table) metricRuns() string {
	for _, r := range t.Rows {
		switch {
		case r.Pool != nil:
			return "Mean over the splits, of seed 1. "
		case slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Spread != nil }):
			return "Of seed 1. "
		}
	}
	return ""
}

// unranked says what ranks and tests speak of.
const unranked = "Ranks and tests are of accuracy alone."

// metric is the text of a cell in the place of its metric, of seed 1.
func (c Cell) metric(id string) string {
	if c.Score == nil {
		return c.value()
	}
	switch id {
	case results.BalancedAccuracy:
		return c.Balanced
	case results.MacroF1:
		return c.MacroF1
	case results.Kappa:
		return c.Kappa
	}
	return c.Accuracy
}

// majorityMetric is what naming the most frequent class gets.
func (r Row) majorityMetric(id string) string {
	if r.Classes == nil {
		return "-"
	}
	return r.Classes.MajorityMetrics[id]
}

// kappaText prints Cohen's kappa of predictions, or its mean over several splits.
func kappaText(splits ...results.ClassResults) string {
	m, _ := results.FindMetric(results.Kappa)
	var values []*big.Rat
	for _, s := range splits {
		values = append(values, m.Exact(s))
	}
	return m.Print(results.MeanValue(values))
}

// Render writes the listing as text, csv, markdown or latex, the last as a document
// of its own. Texts mean themselves in each.
func (l Listing) Render(w io.Writer, format string) error {
	switch format {
	case "text":
		written, err := l.text()
		if err == nil {
			_, err = io.WriteString(w, written)
		}
		return err
	case "csv":
		return l.renderCSV(w)
	case "markdown":
		return l.renderMarkdown(w)
	case "latex":
		return l.renderLaTeX(w)
	}
	return fmt.Errorf("results: unknown format %q of a listing, use text, csv, markdown or latex", format)
}

func (l Listing) renderCSV(w io.Writer) error {
	var lines [][]string
	for _, row := range slices.Concat([][]string{l.Head}, l.Rows) {
		line := make([]string, len(row))
		for i, field := range row {
			line[i] = text.CSVText(field)
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}

func (l Listing) renderMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("## " + text.MarkdownText(l.Title) + "\n\n")
	writeMarkdownRow(&b, l.Head)
	b.WriteString("|" + strings.Repeat("---|", len(l.Head)) + "\n")
	for _, row := range l.Rows {
		writeMarkdownRow(&b, row)
	}
	for i, note := range l.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + text.MarkdownText(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeMarkdownRow(b *strings.Builder, row []string) {
	for _, field := range row {
		b.WriteString("| " + text.MarkdownText(field) + " ")
	}
	b.WriteString("|\n")
}

// listingLines is how many rows of a listing go on one page of LaTeX.
const listingLines = 40

func (l Listing) renderLaTeX(w io.Writer) error {
	var b strings.Builder
	b.WriteString(latexPreamble)
	for i, rows := range slices.Collect(slices.Chunk(l.Rows, listingLines)) {
		title := l.Title
		if i > 0 {
			title += ", continued"
		}
		writeLaTeXTable(&b, latexText(title), latexTexts(l.Head), latexRows(rows))
	}
	writeLaTeXNotes(&b, l.Notes)
	b.WriteString(latexEnd)
	_, err := io.WriteString(w, b.String())
	return err
}

// text draws the listing for a terminal.
func (l Listing) text() (string, error) {
	var b bytes.Buffer
	table := newTextTable(&b, tw.AlignRight)
	table.Header(oneLines(l.Head))
	for _, row := range l.Rows {
		if err := table.Append(oneLines(row)); err != nil {
			return "", err
		}
	}
	if err := table.Render(); err != nil {
		return "", err
	}
	written := text.OneLine(l.Title) + "\n" + text.TrimLines(b.String()) + "\n"
	for _, note := range l.Notes {
		written += text.Wrap(text.OneLine(note), 0, noteWidth, "  ") + "\n"
	}
	return written, nil
}

// oneLines makes texts mean themselves on a terminal.
func oneLines(texts []string) []string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = text.OneLine(s)
	}
	return all
}

func latexRows(rows [][]string) [][]string {
	var all [][]string
	for _, row := range rows {
		all = append(all, latexTexts(row))
	}
	return all
}

func latexTexts(texts []string) []string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = latexText(s)
	}
	return all
}
