package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
)

// A Listing is a table of plain texts with a title, for what is not a ranked
// table: verdicts, comparisons, changes. All rows have as many fields as Head.
type Listing struct {
	Title string
	Head  []string
	Rows  [][]string
	Notes []string // below the table; CSV has no place for them
}

// Render writes the listing as csv, markdown or latex, the last as a document
// of its own. Texts mean themselves in each.
func (l Listing) Render(w io.Writer, format string) error {
	switch format {
	case "csv":
		return l.renderCSV(w)
	case "markdown":
		return l.renderMarkdown(w)
	case "latex":
		return l.renderLaTeX(w)
	}
	return fmt.Errorf("results: unknown format %q of a listing, use csv, markdown or latex", format)
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
