package text

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Hidden reports whether a character is invisible or controls the display: control
// characters, including those of escape sequences of terminals, characters that change the
// direction of text or have no width, and line and paragraph separators. These are all of
// Unicode's category Cf, so a zero-width joiner inside a word or an emoji is spelled out.
func Hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// OneLine makes a text one line that is safe in a table and on a terminal: ends of
// lines and tabs become blanks, other hidden characters are escaped as in Go, such
// as \x1b and \u202e. Bytes that are not UTF-8 become U+FFFD.
func OneLine(text string) string {
	return spelled(text, func(r rune) string {
		if unicode.IsSpace(r) {
			return " "
		}
		return inGo(r)
	})
}

// spelled replaces the hidden characters of a text.
func spelled(text string, spell func(r rune) string) string {
	var b strings.Builder
	for _, r := range text {
		if Hidden(r) {
			b.WriteString(spell(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inGo escapes a hidden character as in a Go string.
func inGo(r rune) string { return strings.Trim(strconv.QuoteToASCII(string(r)), `"`) }

// JSONText escapes the hidden characters in JSON as \u and their number, which
// changes no value. It keeps the line feeds between values.
func JSONText(json []byte) []byte {
	if utf8.Valid(json) && bytes.IndexFunc(json, func(r rune) bool { return Hidden(r) && r != '\n' }) < 0 {
		return json
	}
	return []byte(spelled(string(json), func(r rune) string {
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n':
			return "\n"
		case r > 0xffff:
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}))
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "]", `\]`, "#", `\#`, "!", `\!`, "$", `\$`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
)

// MarkdownText escapes a text for use within a line of GitHub's Markdown, also in a
// cell of a table: no markup, no HTML, one line. At the beginning of a line "1." and
// "-" still begin an item of a list.
func MarkdownText(text string) string {
	return markdownEscapes.Replace(OneLine(text))
}

var plainNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// formulaStart are the first characters of formulas in a spreadsheet; the last four
// are those of East Asian keyboards.
const formulaStart = "=+-@＝＋－＠"

// CSVText makes a text a field of one line: hidden characters are escaped as in Go,
// such as \n and \x1b. It puts an apostrophe before a text that a spreadsheet would
// read as a formula, but not before numbers and the "-" of a missing number.
func CSVText(field string) string {
	field = spelled(field, inGo)
	first, _ := utf8.DecodeRuneInString(field)
	if field != "" && field != "-" && strings.ContainsRune(formulaStart, first) && !plainNumber.MatchString(field) {
		return "'" + field
	}
	return field
}
