package document

import (
	"regexp"
	"strings"
	"unicode"

	"r2lmlbench/internal/text"
)

// Markdown writes blocks in GitHub's dialect; the last ends in a newline. An
// empty comment keeps two lists apart.
func Markdown(blocks ...Block) string {
	var parts []string
	for i, b := range blocks {
		if i > 0 && isList(b) && isList(blocks[i-1]) {
			parts = append(parts, "<!-- -->\n")
		}
		parts = append(parts, b.markdown()+"\n")
	}
	return strings.Join(parts, "\n")
}

func isList(b Block) bool {
	_, is := b.(List)
	return is
}

// write puts the spans together, on one line.
func (in Inline) write() string {
	var b strings.Builder
	for _, span := range in.merged() {
		b.WriteString(span.spanMarkdown())
	}
	return strings.TrimSpace(b.String())
}

// line is the text as the beginning of a block, where some texts would begin
// another kind of block.
func (in Inline) line() string {
	s := in.write()
	if at := blockStart.FindStringSubmatchIndex(s); at != nil {
		return s[:at[2]] + `\` + s[at[2]:]
	}
	return s
}

// blockStart finds what begins an item of a list or a line across the page: the
// group is the character that does.
var blockStart = regexp.MustCompile(`^[0-9]{0,9}([-+.)])(?:[-\s]|$)`)

func (p Paragraph) markdown() string { return p.Text.line() }

func (l List) markdown() string {
	lines := make([]string, len(l))
	for i, item := range l {
		lines[i] = "- " + item.line()
	}
	return strings.Join(lines, "\n")
}

func (t Table) markdown() string {
	var b strings.Builder
	head, rule := "|", "|"
	for _, c := range t.Columns {
		head += " " + text.MarkdownText(c.Head) + " |"
		if c.Right {
			rule += "---:|"
		} else {
			rule += ":---|"
		}
	}
	b.WriteString(head + "\n" + rule)
	for _, row := range t.Rows {
		b.WriteString("\n|")
		for _, cell := range row {
			b.WriteString(" " + cell.write() + " |")
		}
	}
	return b.String()
}

func (t Text) spanMarkdown() string { return text.MarkdownText(string(t)) }

// spanMarkdown puts two stars on either side. They mean nothing beside a blank
// or a sign, where the element of HTML takes their place.
func (s Strong) spanMarkdown() string {
	escaped := text.MarkdownText(string(s))
	runes := []rune(string(s))
	if word(runes[0]) && word(runes[len(runes)-1]) {
		return "**" + escaped + "**"
	}
	return "<strong>" + escaped + "</strong>"
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (Break) spanMarkdown() string { return "<br>" }
