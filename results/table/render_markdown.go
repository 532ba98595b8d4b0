package table

import (
	"io"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// renderMarkdown writes a table of GitHub's dialect, the best group in bold,
// and the notes as a list.
func (t Table) renderMarkdown(w io.Writer) error {
	var b strings.Builder
	head, rule := "| data | n |", "|:---|---:|"
	for _, c := range t.Columns {
		head += " " + text.MarkdownText(c.Name) + " |"
		rule += ":---|"
	}
	b.WriteString(head + "\n" + rule + "\n")
	for _, r := range t.Rows {
		b.WriteString("| " + text.MarkdownText(r.title()) + " | " + strconv.Itoa(r.N) + " |")
		for _, c := range r.Cells {
			b.WriteString(" " + markdownCell(c, r.inverted(c.Method)) + " |")
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, note := range t.notes() {
		b.WriteString("- " + text.MarkdownText(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownCell(c Cell, inverted bool) string {
	ours := c.value()
	if c.Score != nil {
		if c.Best {
			ours = "**" + ours + "**"
		}
		ours += superscript(c.Rank)
		if inverted {
			ours += `\~`
		}
	}
	theirs := ""
	if c.Published != "" {
		theirs = "(" + c.Published + superscript(c.PublishedRank) + ")"
	}
	written := text.Join(" ", ours, theirs, markText(c))
	return text.Join("<br>", written, strings.ReplaceAll(spreadText(c.Spread), "\n", "<br>"))
}
