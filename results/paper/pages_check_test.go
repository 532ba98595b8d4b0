// Package pages keeps the numbers on pages that people write in step with the results.
//
// A page is Markdown. A number in it stands between two comments, which a reader does not
// see; so does a table, on lines of its own:
//
//	We come within 1 point of <!-- within.1 -->51<!-- / --> of its 144 accuracies.
//
//	<!-- table closeness -->
//	| method | within 1 |
//	...
//	<!-- / -->
//
// TestPages compares what stands there with the facts of that name. With -update it mends
// numbers and tables, and never changes a word.
package paper_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/text"
)

// facts are the texts of numbers by their names, and those of tables by "table" and their
// names. A table is Markdown without a line feed at its ends.
type facts map[string]string

var (
	opening = regexp.MustCompile(`<!-- ((?:table )?[a-z0-9][a-z0-9.-]*) -->`)
	closing = []byte("<!-- / -->")
)

// mend returns a page with all numbers and tables as the facts have them, how many it has,
// and by the line what is wrong with comments, and what is stale.
func mend(page []byte, all facts) (mended []byte, problems, stale []string, used int) {
	at := 0
	for {
		m := opening.FindSubmatchIndex(page[at:])
		if m == nil {
			return append(mended, page[at:]...), problems, stale, used
		}
		begin, name := at+m[1], string(page[at+m[2]:at+m[3]])
		place := fmt.Sprintf("%d: %s", 1+bytes.Count(page[:at+m[0]], []byte("\n")), name)
		mended = append(mended, page[at:begin]...)
		at = begin
		end := bytes.Index(page[begin:], closing)
		if next := opening.FindIndex(page[begin:]); end < 0 || next != nil && next[0] < end {
			problems = append(problems, place+": nothing ends it; write <!-- / --> behind the number")
			continue
		}
		used++
		at = begin + end
		fact, ok := all[name]
		switch {
		case !ok:
			problems = append(problems, place+": there is no such number; `go test ./results/paper -v` lists all names")
			fact = string(page[begin:at])
		case strings.HasPrefix(name, "table "):
			fact = "\n" + fact + "\n"
		}
		if there := string(page[begin:at]); there != fact {
			stale = append(stale, fmt.Sprintf("%s is %q on the page, %q by the results; -update mends it", place, there, fact))
		}
		mended = append(mended, fact...)
	}
}

// tableText writes a table for a page. The first column is text, the others are numbers.
func tableText(head []string, rows [][]string) string {
	lines := append([][]string{head, slices.Repeat([]string{"---:"}, len(head))}, rows...)
	lines[1][0] = ":---"
	var b strings.Builder
	for i, cells := range lines {
		b.WriteString("|")
		for _, c := range cells {
			if i != 1 {
				c = text.MarkdownText(c)
			}
			b.WriteString(" " + c + " |")
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var someFacts = facts{"within.1": "51", "table close": tableText([]string{"a", "b|c"}, [][]string{{"x", "1"}})}

// TestMend: a stale number or table is mended, words stay, and a comment without a fact or
// an end is named with its line.
func TestMend(t *testing.T) {
	const table = "<!-- table close -->\n| a | b\\|c |\n| :--- | ---: |\n| x | 1 |\n<!-- / -->"
	for _, c := range []struct{ name, page, mended, problem, stale string }{
		{"up to date", "We have <!-- within.1 -->51<!-- / --> of 144.", "We have <!-- within.1 -->51<!-- / --> of 144.", "", ""},
		{"twice on a line", "<!-- within.1 -->1<!-- / --> <!-- within.1 -->51<!-- / --><!-- within.1 --><!-- / -->",
			"<!-- within.1 -->51<!-- / --> <!-- within.1 -->51<!-- / --><!-- within.1 -->51<!-- / -->", "", `1: within.1 is "1" on the page, "51" by the results`},
		{"unknown", "a\n\n<!-- within.2 -->7<!-- / -->", "a\n\n<!-- within.2 -->7<!-- / -->", "3: within.2: there is no such number", ""},
		{"no end", "<!-- within.1 -->50 of <!-- within.1 -->50<!-- / -->", "<!-- within.1 -->50 of <!-- within.1 -->51<!-- / -->",
			"1: within.1: nothing ends it", `1: within.1 is "50" on the page`},
		{"a table", "<!-- table close -->\n| a |\n<!-- / -->\n", table + "\n", "", "1: table close is "},
		{"an empty table", "<!-- table close --><!-- / -->", table, "", `1: table close is ""`},
		{"other comments", "<!-- a note --> text <!-- -->", "<!-- a note --> text <!-- -->", "", ""},
	} {
		mended, problems, stale, _ := mend([]byte(c.page), someFacts)
		fixture.Equal(t, c.name, string(mended), c.mended)
		again, _, left, _ := mend(mended, someFacts)
		fixture.Equal(t, c.name+", mended twice", string(again), c.mended)
		fixture.EqualSlice(t, "what is left to mend", left, nil)
		for _, found := range []struct{ got, want string }{{strings.Join(problems, "\n"), c.problem}, {strings.Join(stale, "\n"), c.stale}} {
			if !strings.HasPrefix(found.got, found.want) || found.want == "" && found.got != "" {
				t.Errorf("%s: found %q, want %q", c.name, found.got, found.want)
			}
		}
	}
}
