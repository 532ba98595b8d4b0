package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Counted formats a number with its noun: "1 cell", "2 cells".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Agree returns one for n = 1 and many otherwise.
func Agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Series joins names as a sentence does: "a, b and c", or "none".
func Series(names []string) string {
	switch n := len(names); n {
	case 0:
		return "none"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// Join is strings.Join without the parts that are empty.
func Join(separator string, parts ...string) string {
	var some []string
	for _, part := range parts {
		if part != "" {
			some = append(some, part)
		}
	}
	return strings.Join(some, separator)
}

// AppendNew appends an item unless the list has it.
func AppendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// TrimLines removes the blanks at the ends of lines.
func TrimLines(text string) string { return trailing.ReplaceAllString(text, "") }

var trailing = regexp.MustCompile(`(?m) +$`)

// Wrap breaks text at blanks into lines that end before column width, unless a word is longer.
// The first line begins in the given column, the others with indent.
func Wrap(s string, column, width int, indent string) string {
	var b strings.Builder
	for i, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		case i > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
