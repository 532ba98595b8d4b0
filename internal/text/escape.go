package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine replaces characters that could break a table or act on a terminal by
// blanks: control characters, line and paragraph separators, and those that
// change the direction of what follows.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "]", `\]`, "#", `\#`, "!", `\!`, "$", `\$`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
)

// MarkdownText makes a text mean itself within a line of GitHub's Markdown, also
// in a cell of a table: no markup, no HTML, one line. At the beginning of a line
// "1." and "-" still begin an item of a list.
func MarkdownText(text string) string {
	return markdownEscapes.Replace(OneLine(text))
}

var plainNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// formulaStart are the characters that make a spreadsheet take a field for a
// formula: the last four are those of East Asian keyboards.
const formulaStart = "=+-@\t\r\n＝＋－＠"

// CSVText puts an apostrophe before a text that a spreadsheet would take for a
// formula; numbers stay as they are.
func CSVText(field string) string {
	first, _ := utf8.DecodeRuneInString(field)
	if field != "" && strings.ContainsRune(formulaStart, first) && !plainNumber.MatchString(field) {
		return "'" + field
	}
	return field
}
