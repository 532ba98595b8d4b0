package strictyaml

import (
	"bytes"
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
	d.add(line, 1+len(text)-len(bytes.TrimLeft(text, " ")), "not valid YAML: %s", msg)
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
