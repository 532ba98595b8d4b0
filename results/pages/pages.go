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
// Check compares what stands there with the facts of that name, and mends numbers and
// tables. It never changes a word.
package pages

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"r2lmlbench/internal/text"
)

// Facts are the texts of numbers by their names, and those of tables by "table" and their
// names. A table is Markdown without a line feed at its ends.
type Facts map[string]string

// A Fault is a place where a page differs from the facts.
type Fault struct {
	File     string
	Line     int    // of the comment, from 1
	Name     string // as the comment has it
	Old, New string // what stands there, and the fact
	Problem  string // why there is no fact; empty where the two differ
}

// String names the place and what is wrong with it.
func (f Fault) String() string {
	at := fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Name)
	switch {
	case f.Problem != "":
		return at + ": " + f.Problem
	case strings.Contains(f.Old+f.New, "\n"):
		old, fresh := strings.Split(f.Old, "\n"), strings.Split(f.New, "\n")
		for i := range min(len(old), len(fresh)) {
			if old[i] != fresh[i] {
				return fmt.Sprintf("%s: line %d is %q on the page, %q by the results", at, i+1, old[i], fresh[i])
			}
		}
		return fmt.Sprintf("%s has %d lines on the page, %d by the results", at, len(old), len(fresh))
	}
	return fmt.Sprintf("%s is %q on the page, %q by the results", at, f.Old, f.New)
}

var (
	opening = regexp.MustCompile(`<!-- ((?:table )?[a-z0-9][a-z0-9.-]*) -->`)
	closing = []byte("<!-- / -->")
)

// Check compares a page with the facts. mended is the page with all numbers and tables
// as they should be; used lists the names that the page has, in its order.
func Check(file string, page []byte, facts Facts) (mended []byte, faults []Fault, used []string) {
	at := 0
	for {
		m := opening.FindSubmatchIndex(page[at:])
		if m == nil {
			return append(mended, page[at:]...), faults, used
		}
		begin, name := at+m[1], string(page[at+m[2]:at+m[3]])
		fault := Fault{File: file, Line: 1 + bytes.Count(page[:at+m[0]], []byte("\n")), Name: name}
		mended = append(mended, page[at:begin]...)
		at = begin
		end := bytes.Index(page[begin:], closing)
		if next := opening.FindIndex(page[begin:]); end < 0 || next != nil && next[0] < end {
			fault.Problem = "nothing ends it; write <!-- / --> behind the number"
			faults = append(faults, fault)
			continue
		}
		used = append(used, name)
		old, table := string(page[begin:begin+end]), strings.HasPrefix(name, "table ")
		fact, ok := facts[name]
		switch {
		case !ok:
			fault.Problem = "there is no such number; `go test ./results/pages -v` lists all names"
			fact = old
		case table:
			fact = "\n" + fact + "\n"
		}
		if fact != old || fault.Problem != "" {
			fault.Old, fault.New = strings.Trim(old, "\n"), strings.Trim(fact, "\n")
			faults = append(faults, fault)
		}
		mended = append(mended, fact...)
		at = begin + end
	}
}

// Table writes a table for a page. The first column is text, the others are numbers.
func Table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string, escape func(string) string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + escape(c) + " |")
		}
		b.WriteString("\n")
	}
	line(head, text.MarkdownText)
	rule := make([]string, len(head))
	for i := range rule {
		rule[i] = "---:"
	}
	rule[0] = ":---"
	line(rule, func(s string) string { return s })
	for _, row := range rows {
		line(row, text.MarkdownText)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
