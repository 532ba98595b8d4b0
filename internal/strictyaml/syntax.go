package strictyaml

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The errors of yaml.v3 v3.0.1 are bare strings, and the line in them depends
// on the stage that failed (its decode.go, parser.fail). The scanner's counts
// from 1. The parser's counts from 0 and is the line where the construct
// begins; in a block that can be far above the mistake. Both omit a line that
// is 0 inside.
var (
	yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

	// Messages of the parser whose line counts from 0.
	fromZero = []string{
		"did not find expected ',' or ']'",
		"did not find expected ',' or '}'",
		"did not find expected node content",
		"did not find expected <document start>",
		"found undefined tag handle",
		"found incompatible YAML document",
		"found duplicate %",
	}

	// Messages whose line is wrong or missing. A valid text never gives them when it is
	// cut short, so cutting the text finds the line of the mistake.
	farOff = []string{
		"did not find expected key",
		"did not find expected '-' indicator",
		"unknown anchor",
	}
)

// syntaxError records err, which yaml.v3 returned for b.
func (d *Decoder) syntaxError(b []byte, err error) {
	lines := slices.Collect(bytes.Lines(b))
	line, msg := splitError(err)
	begins := func(prefix string) bool { return strings.HasPrefix(msg, prefix) }
	switch {
	case slices.ContainsFunc(fromZero, begins):
		line++
	case slices.ContainsFunc(farOff, begins): // the first line such that the text up to its end fails so
		line = 1 + sort.Search(len(lines), func(i int) bool {
			_, err := documents(bytes.Join(lines[:i+1], nil))
			if err == nil {
				return false
			}
			_, m := splitError(err)
			return m == msg
		})
	}
	line = min(max(line, 1), len(lines))
	if begins("found character that cannot start any token") {
		msg += "; indent by blanks and no tabs, quote @ and %"
	}
	text := lines[line-1] // yaml.v3 names no column: where the text of the line begins
	indent := indentOf(text)
	misplaced := begins("did not find expected key") || begins("mapping values are not allowed")
	if end, column := listAbove(lines, line); misplaced && end > 0 {
		msg = fmt.Sprintf("an item of a list stands after the keys that follow its list; move it below line %d, and begin it in column %d", end, column)
	}
	d.add(line, 1+indent, "not valid YAML: %s", msg)
}

// indentOf counts the blanks that a line begins with.
func indentOf(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " ")) }

// listAbove finds the list that the item in a line was meant for: of those above whose items do
// not begin left of it, the outermost and last. It returns the line in which that list ends and the
// column of its items; zeros if there is none, or if no key stands between list and item.
func listAbove(lines [][]byte, line int) (end, column int) {
	item := func(text []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("- ")) }
	if !item(lines[line-1]) {
		return 0, 0
	}
	for i, text := range lines[:line-1] {
		indent := indentOf(text)
		if item(text) && indent >= indentOf(lines[line-1]) && (column == 0 || indent < column) {
			end, column = i+1, indent+1
		}
	}
	for end > 0 && indentOf(lines[end]) >= column { // the rest of the item
		end++
	}
	isText := func(text []byte) bool {
		return len(bytes.TrimSpace(text)) > 0 && !bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("#"))
	}
	if !slices.ContainsFunc(lines[end:line-1], isText) {
		return 0, 0
	}
	return end, column
}

// splitError separates the line, 0 if there is none, from the message.
func splitError(err error) (line int, msg string) {
	m := yamlError.FindStringSubmatch(err.Error())
	if m == nil {
		return 0, err.Error()
	}
	line, _ = strconv.Atoi(m[1]) // no digits: no line
	return line, m[2]
}
