package text

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// join joins the parts that are not empty.
func Join(separator string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, separator)
}

func List(parts []string) string { return Join("; ", parts...) }

func TwoDecimals(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func AppendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

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

var PlainNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// formulaStart are the characters that make a spreadsheet take a field for a
// formula: the last four are those of East Asian keyboards.
const formulaStart = "=+-@\t\r\n＝＋－＠"

// CSVText puts an apostrophe before a text that a spreadsheet would take for a
// formula; numbers stay as they are.
func CSVText(field string) string {
	first, _ := utf8.DecodeRuneInString(field)
	if field != "" && strings.ContainsRune(formulaStart, first) && !PlainNumber.MatchString(field) {
		return "'" + field
	}
	return field
}

var markdownEscape = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "]", `\]`, "#", `\#`, "!", `\!`, "$", `\$`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
)

// MarkdownText makes text mean itself in GitHub's Markdown, in a cell or a list:
// no markup, no HTML, one line.
func MarkdownText(text string) string {
	return markdownEscape.Replace(OneLine(text))
}

// sixDigits rounds x to six significant digits, so that machines whose floats
// differ in the last bit print the same text.
func SixDigits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64) // what it wrote it reads
	return rounded
}

// hundredths reads a printed percentage as an integer, so that differences are
// exact.
func Hundredths(percent string) (int, error) {
	x, err := strconv.ParseFloat(percent, 64)
	return int(math.Round(100 * x)), err
}

// number prints n, and nothing for 0, which stands for none.
func NonZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// trimLines removes the blanks at the ends of lines.
func TrimLines(text string) string { return trailing.ReplaceAllString(text, "") }

var trailing = regexp.MustCompile(`(?m) +$`)
