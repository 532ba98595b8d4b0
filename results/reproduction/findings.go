package reproduction

import (
	"regexp"
	"slices"
	"strings"
)

// A Finding is a section of the account as plain data, for renderers other than
// Markdown.
type Finding struct {
	Title  string
	Anchor string  // its name in links
	Line   []Span  // what came of it, in one line
	Blocks []Block // the whole of it
}

// A Block is a paragraph, a list or a table: the one field that is not empty.
type Block struct {
	Heading   string
	Paragraph []Span
	Items     [][]Span
	Table     [][]string // the first row is its heading
}

// A Span is a piece of text in one manner.
type Span struct {
	Text   string
	Code   bool // as typed
	Strong bool
}

// Findings lists the studies of the account: all sections but the ranked table
// and the verdicts. Equal input gives equal findings.
func Findings(in Input) []Finding {
	var all []Finding
	for _, s := range findings(in) {
		f := Finding{Title: s.title, Anchor: anchor(s.title)}
		for _, text := range s.body {
			f.Blocks = append(f.Blocks, blockOf(text))
		}
		gist := s.gist
		if gist == "" && len(s.body) > 0 {
			gist = s.body[0]
		}
		f.Line = spans(firstSentences(gist))
		all = append(all, f)
	}
	return all
}

// blockOf reads a part of a section's body, of which the section wrote the
// Markdown itself: nothing else is understood.
func blockOf(markdown string) Block {
	switch {
	case strings.HasPrefix(markdown, "### "):
		return Block{Heading: plain(markdown[4:])}
	case strings.HasPrefix(markdown, "- "):
		var items [][]Span
		for _, item := range strings.Split(markdown[2:], "\n- ") {
			items = append(items, spans(item))
		}
		return Block{Items: items}
	case strings.HasPrefix(markdown, "|"):
		return Block{Table: tableOf(markdown)}
	}
	return Block{Paragraph: spans(markdown)}
}

// tableOf reads the rows of a table without the line that aligns its columns.
func tableOf(markdown string) [][]string {
	var rows [][]string
	for i, line := range strings.Split(markdown, "\n") {
		if i == 1 {
			continue
		}
		fields := bars.Split(line, -1)
		var row []string
		for _, field := range fields[1:max(len(fields)-1, 1)] {
			row = append(row, plain(field))
		}
		rows = append(rows, row)
	}
	return rows
}

// bars separates fields. An escaped bar has a backslash before it and no blank.
var bars = regexp.MustCompile(`(?:^| )\|(?: |$)`)

// plain is the text of one line of Markdown.
func plain(markdown string) string {
	var b strings.Builder
	for _, s := range spans(strings.TrimSpace(markdown)) {
		b.WriteString(s.Text)
	}
	return b.String()
}

var tokens = regexp.MustCompile("`[^`]*`|\\*\\*[^*]+\\*\\*|\\\\.|&(?:amp|lt|gt);")

// spans reads a line of the Markdown that sections write: code, strong texts and
// what escape has spelled.
func spans(markdown string) []Span {
	var all []Span
	add := func(s Span) {
		if n := len(all); n > 0 && all[n-1].Code == s.Code && all[n-1].Strong == s.Strong {
			all[n-1].Text += s.Text
		} else if s.Text != "" {
			all = append(all, s)
		}
	}
	at := 0
	for _, token := range tokens.FindAllStringIndex(markdown, -1) {
		add(Span{Text: markdown[at:token[0]]})
		text := markdown[token[0]:token[1]]
		at = token[1]
		switch text[0] {
		case '`':
			add(Span{Text: strings.Trim(text, "`"), Code: true})
		case '*':
			add(Span{Text: strings.Trim(text, "*"), Strong: true})
		case '\\':
			add(Span{Text: text[1:]})
		default:
			add(Span{Text: entities[text]})
		}
	}
	add(Span{Text: markdown[at:]})
	return slices.Clip(all)
}

var entities = map[string]string{"&amp;": "&", "&lt;": "<", "&gt;": ">"}

// lineLength is about how long the line of a finding may be.
const lineLength = 240

// firstSentences cuts a paragraph after the last sentence that ends within
// lineLength, or after the first.
func firstSentences(paragraph string) string {
	cut := len(paragraph)
	for _, end := range sentenceEnd.FindAllStringIndex(paragraph, -1) {
		if end[0] < lineLength || cut == len(paragraph) {
			cut = end[0] + 1
		}
		if end[0] >= lineLength {
			break
		}
	}
	if len(paragraph) <= lineLength {
		cut = len(paragraph)
	}
	return strings.TrimSuffix(paragraph[:cut], ":")
}

var sentenceEnd = regexp.MustCompile(`[.:] `)
