package table

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"r2lmlbench/internal/text"
)

// renderMarkdown writes a table of GitHub's dialect with the best group in bold, the
// notes as a list, and a table of each metric beside accuracy.
func (t Table) renderMarkdown(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	var b strings.Builder
	for i, line := range t.grid(sized, Row.sized, text.MarkdownText, Row.markdown, Row.majority) {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|:---|---:|" + strings.Repeat(":---|", len(t.Columns)))
			if t.hasClasses() {
				b.WriteString("---:|")
			}
			b.WriteByte('\n')
		}
	}
	notes := func(all []string) {
		b.WriteString("\n")
		for _, note := range all {
			b.WriteString("- " + text.MarkdownText(note) + "\n")
		}
	}
	notes(t.Notes())
	for _, l := range t.MetricListings() {
		b.WriteString("\n" + boldMarkdown(l.Title) + "\n\n")
		writeMarkdownRow(&b, l.Head)
		b.WriteString("|:---|" + strings.Repeat("---:|", len(l.Head)-1) + "\n")
		for _, row := range l.Rows {
			writeMarkdownRow(&b, row)
		}
		notes(l.Notes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown has accuracy and rank, the published ones, and the spread of the runs.
func (r Row) markdown(c Cell) string {
	value, beside := c.value(), ""
	if c.Score != nil {
		beside = Superscript(r.rank(c)) + r.signs(c)
	}
	deviation, below := r.spread(c)
	if deviation != "" {
		beside += " " + deviation
	}
	theirs := ""
	if c.Published != "" {
		theirs = "(" + c.Published + Superscript(c.PublishedRank) + ")"
	}
	if more := text.Join(" ", theirs, markText(c)); more != "" {
		beside += " " + more
	}
	if value = text.MarkdownText(value); r.best(c) {
		value = boldMarkdown(c.value())
	}
	value += text.MarkdownText(beside)
	for line := range strings.SplitSeq(below, "\n") {
		if line != "" {
			value += "<br>" + text.MarkdownText(line)
		}
	}
	return value
}

// boldMarkdown puts two stars on either side of a text. They mean nothing beside a blank or a
// sign, where the element of HTML takes their place.
func boldMarkdown(s string) string {
	word := func(r rune, _ int) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if word(utf8.DecodeRuneInString(s)) && word(utf8.DecodeLastRuneInString(s)) {
		return "**" + text.MarkdownText(s) + "**"
	}
	return "<strong>" + text.MarkdownText(s) + "</strong>"
}
