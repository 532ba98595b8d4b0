package document

import (
	"regexp"
	"strings"
	"unicode"

	"r2lmlbench/internal/text"
)

// Markdown writes the document in GitHub's dialect.
func (d Document) Markdown() string {
	parts := []string{"# " + text.MarkdownText(d.Title) + "\n"}
	if len(d.Opening) > 0 {
		parts = append(parts, Markdown(d.Opening...))
	}
	for _, s := range d.Sections {
		parts = append(parts, s.Markdown())
	}
	return strings.Join(parts, "\n")
}

// Markdown writes the section with its heading in GitHub's dialect.
func (s Section) Markdown() string {
	return "## " + text.MarkdownText(s.Title) + "\n\n" + Markdown(s.Blocks...)
}

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
	switch b.(type) {
	case List, Claims:
		return true
	}
	return false
}

// Markdown writes the text in GitHub's dialect, on one line.
func (in Inline) Markdown() string { return in.write(false) }

// write puts the spans together.
func (in Inline) write(table bool) string {
	var b strings.Builder
	for _, span := range in.merged() {
		b.WriteString(span.spanMarkdown(table))
	}
	return strings.TrimSpace(b.String())
}

// line is the text as the beginning of a block, where some texts would begin
// another kind of block.
func (in Inline) line() string {
	s := in.write(false)
	if at := blockStart.FindStringSubmatchIndex(s); at != nil {
		return s[:at[2]] + `\` + s[at[2]:]
	}
	return s
}

// blockStart finds what begins an item of a list or a line across the page: the
// group is the character that does.
var blockStart = regexp.MustCompile(`^[0-9]{0,9}([-+.)])(?:[-\s]|$)`)

func (p Paragraph) markdown() string { return p.Text.line() }

func (h Heading) markdown() string { return "### " + text.MarkdownText(h.Text) }

func (l List) markdown() string {
	lines := make([]string, len(l))
	for i, item := range l {
		lines[i] = "- " + item.line()
	}
	return strings.Join(lines, "\n")
}

func (all Claims) markdown() string { return all.list().markdown() }

// list has every claim as a sentence.
func (all Claims) list() List {
	items := make(List, len(all))
	for i, c := range all {
		item := c.Text
		if c.Verdict != "" {
			item = Textf("%s %s", item, Strong(c.Verdict))
		}
		if c.Note != "" {
			item = Textf("%s (%s)", item, c.Note)
		}
		items[i] = Textf("%s.", item)
	}
	return items
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
			b.WriteString(" " + cell.write(true) + " |")
		}
	}
	return b.String()
}

func (f Figure) markdown() string {
	image := text.MarkdownText(f.Alt)
	if source, ok := imageSource(f.Source); ok {
		image = "!" + linked(image, source)
	}
	return image + "\n\n" + f.Caption.line()
}

func (l Listing) markdown() string {
	fence := strings.Repeat("`", max(3, longestRun(l.Text)+1))
	return fence + "\n" + strings.Join(lines(l.Text), "\n") + "\n" + fence
}

// lines are those of a listing, each harmless.
func lines(listing string) []string {
	all := strings.Split(strings.TrimSuffix(listing, "\n"), "\n")
	for i, line := range all {
		all[i] = text.OneLine(line)
	}
	return all
}

// longestRun is the length of the longest row of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

func (t Text) spanMarkdown(bool) string { return text.MarkdownText(string(t)) }

// spanMarkdown puts code between backticks, more of them than the code has in a
// row. In a table a bar would end the cell even there, so that the element of
// HTML takes their place.
func (c Code) spanMarkdown(table bool) string {
	s := text.OneLine(string(c))
	if table && strings.Contains(s, "|") {
		return "<code>" + text.MarkdownText(s) + "</code>"
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// spanMarkdown puts two stars on either side. They mean nothing beside a blank
// or a sign, where the element of HTML takes their place.
func (s Strong) spanMarkdown(bool) string {
	escaped := text.MarkdownText(string(s))
	runes := []rune(string(s))
	if word(runes[0]) && word(runes[len(runes)-1]) {
		return "**" + escaped + "**"
	}
	return "<strong>" + escaped + "</strong>"
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (l Link) spanMarkdown(bool) string {
	link, ok := target(l.Target)
	if !ok {
		return text.MarkdownText(l.Text)
	}
	return linked(text.MarkdownText(l.Text), link)
}

// linked is a link with a label in Markdown.
func linked(label, link string) string {
	return "[" + label + "](" + strings.ReplaceAll(link, "&", "&amp;") + ")"
}

func (Break) spanMarkdown(bool) string { return "<br>" }
