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

	// Messages of the parser whose line only has to be made to count from 1.
	fromZero = []string{
		"did not find expected ',' or ']'",
		"did not find expected ',' or '}'",
		"did not find expected node content",
		"did not find expected <document start>",
		"found undefined tag handle",
		"found incompatible YAML document",
		"found duplicate %",
	}

	// Messages whose line is far off or missing. No valid text yields them when
	// it is cut short, so the guilty line is found by cutting.
	farOff = []string{
		"did not find expected key",
		"did not find expected '-' indicator",
		"unknown anchor",
	}
)

// syntaxError records err, which yaml.v3 returned for b.
func (d *Decoder) syntaxError(b []byte, err error) {
	line, msg := splitError(err)
	begins := func(prefix string) bool { return strings.HasPrefix(msg, prefix) }
	switch {
	case slices.ContainsFunc(fromZero, begins):
		line++
	case slices.ContainsFunc(farOff, begins):
		line = firstBadLine(b, msg)
	}
	line = min(max(line, 1), len(lineEnds(b)))
	if begins("found character that cannot start any token") {
		msg += "; indent by blanks and no tabs, quote @ and %"
	}
	d.add(line, firstColumn(b, line), "not valid YAML: %s", msg)
}

// firstColumn is where the text of a line begins, counted from 1: yaml.v3 names
// no column.
func firstColumn(b []byte, line int) int {
	for range line - 1 {
		_, b, _ = bytes.Cut(b, []byte("\n"))
	}
	text, _, _ := bytes.Cut(b, []byte("\n"))
	return 1 + len(text) - len(bytes.TrimLeft(text, " "))
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

// firstBadLine returns the first line of b such that the text up to its end
// fails with msg.
func firstBadLine(b []byte, msg string) int {
	ends := lineEnds(b)
	return 1 + sort.Search(len(ends), func(i int) bool {
		_, err := documents(b[:ends[i]])
		if err == nil {
			return false
		}
		_, m := splitError(err)
		return m == msg
	})
}

// lineEnds returns the offset behind each line of b.
func lineEnds(b []byte) []int {
	var ends []int
	end := 0
	for line := range bytes.Lines(b) {
		end += len(line)
		ends = append(ends, end)
	}
	return ends
}
