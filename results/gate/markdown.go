package gate

import (
	"fmt"
	"io"
	"strings"

	"r2lmlbench/internal/text"
)

// mostRows bounds the table in Markdown: a comment on GitHub has at most 65536
// characters.
const mostRows = 50

// RenderMarkdown writes the gate as the body of a comment or the summary of a job:
// the status, what to do, the cells that do not pass, and the counts. That of a gate
// in which all cells pass is short.
func (g Gate) RenderMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Gate %s: %s\n\n", text.MarkdownText(g.Spec), g.Status)
	if g.Failed {
		fmt.Fprintf(&b, "**What to do:** %s.\n\n", code(g.Next))
	}
	for _, s := range g.Errors {
		fmt.Fprintf(&b, "- Error: %s.\n", text.MarkdownText(s))
	}
	if len(g.Errors) > 0 {
		b.WriteString("\n")
	}
	g.markdownTable(&b)
	for _, s := range append(g.remarks(), g.verdict()) {
		b.WriteString(text.MarkdownText(s) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable writes the cells that do not pass.
func (g Gate) markdownTable(b *strings.Builder) {
	heading, lines := g.Listing()
	rows := 0
	for i, line := range lines {
		if g.Cells[i].Status == Pass {
			continue
		}
		if rows++; rows == 1 {
			fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(heading, " | "), strings.Repeat(" --- |", len(heading)))
		}
		if rows > mostRows {
			continue
		}
		for _, field := range line {
			b.WriteString("| " + text.MarkdownText(shortened(field)) + " ")
		}
		b.WriteString("|\n")
	}
	if rows > mostRows {
		fmt.Fprintf(b, "\n%d more do not pass.\n", rows-mostRows)
	}
	if rows > 0 {
		b.WriteString("\n")
	}
}

// mostText bounds a field of the table.
const mostText = 400

func shortened(field string) string {
	if runes := []rune(field); len(runes) > mostText {
		return string(runes[:mostText]) + " ..."
	}
	return field
}

// code is a sentence in Markdown in which what stands between backquotes is code.
// In a code span nothing else is markup.
func code(sentence string) string {
	parts := strings.Split(text.OneLine(sentence), "`")
	if len(parts)%2 == 0 {
		return text.MarkdownText(sentence)
	}
	for i := range parts {
		if i%2 == 0 {
			parts[i] = text.MarkdownText(parts[i])
		}
	}
	return strings.Join(parts, "`")
}
