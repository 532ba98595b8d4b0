package tabular

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
)

// delimited reads a file of one row per line.
func (t *builder) delimited() {
	sample := t.sampled(t.file, t.options.Skip)
	t.layout.Delimiter, t.layout.Skip = t.options.Delimiter, t.options.Skip
	if t.layout.Delimiter == "" {
		t.layout.Delimiter = delimiterOf(sample)
	}
	l := t.lines(t.file)
	for range t.options.Skip {
		l.next()
	}
	all := newRecords(l, t.layout.Delimiter)
	// The first three records decide whether there is a header.
	var head []record
	for len(head) < 3 {
		r, err := all.next()
		if err != nil {
			break
		}
		head = append(head, r)
	}
	if len(head) == 0 {
		switch {
		case l.err == io.EOF && l.line <= t.options.Skip:
			t.at(0, 0, "the file is empty")
		case l.err == io.EOF:
			t.at(0, 0, "the file has no rows")
		default:
			t.ended(l.err)
		}
		return
	}
	names, header := t.options.headerOf(head)
	if len(names) <= len(head[0].fields) && t.titled(head) {
		return
	}
	t.layout.Header, t.rowNames = &header, len(names) > len(head[0].fields)
	place := head[0].place
	if t.rowNames {
		place = func(i int) (int, int) { return head[0].place(max(i-1, 0)) }
	}
	if n := max(len(names), len(head[0].fields)); n == 1 && t.wanted == nil {
		t.oneColumn(sample)
		return
	} else if !t.begin(n, names, place) {
		return
	}
	t.layout.Label, t.firstLine = t.ref(t.find(t.options.Label)), head[0].line
	if header {
		head = head[1:]
	}
	for {
		var r record
		if len(head) > 0 {
			r, head = head[0], head[1:]
		} else {
			var err error
			if r, err = all.next(); err != nil {
				t.ended(err)
				return
			}
		}
		if n, want := len(r.fields), len(t.columns); n != want {
			line, column := r.place(min(n-1, want)) // the last field, or the first superfluous one
			hint := ""
			if n == 1 && strings.ContainsAny(r.fields[0], ";,\t") {
				hint = "; the fields are divided by " + t.layout.Delimiter + ", or else name the `delimiter`"
			}
			t.at(line, column, "%s, want %d as on the first line%s", text.Counted(n, "field"), want, hint)
			continue
		}
		if !t.row(r.line, r.fields, r.place) {
			return
		}
	}
}

// oneColumn reports a file whose lines the delimiter does not divide, and suggests one that does.
func (t *builder) oneColumn(sample []string) {
	others := ""
	for _, d := range delimiters {
		if n := fieldCount(sample[0], d); n > 1 && d != t.layout.Delimiter {
			others = fmt.Sprintf("; `delimiter: %s` would give %d columns", d, n)
			break
		}
	}
	t.at(t.layout.Skip+1, 0, "no column is left for a feature: divided by %s, the file has 1 column, and the label and a feature are needed%s",
		t.layout.Delimiter, others)
}

// rowNames is our name for the column of row names; R leaves its name out of the header.
const rowNames = "rownames"

// headerOf reports whether the first line has the names of the columns: it contains the name
// of the label, or no field of it is a number and some field of the second line is. If it has
// one field less than the two lines after it, the first column has the names of the rows.
func (o Options) headerOf(head []record) (names []string, header bool) {
	first, second := head[0].fields, []string(nil)
	if len(head) > 1 {
		second = head[1].fields
	}
	name := o.Label.Name
	header = !slices.ContainsFunc(first, numeric) && slices.ContainsFunc(second, numeric) ||
		name != "" && name != First && name != Last && slices.Contains(first, name)
	if o.Header != nil {
		header = *o.Header
	}
	one := len(first) + 1
	switch {
	case !header:
		return nil, false
	case len(first) > 1 && len(head) == 3 && len(second) == one && len(head[2].fields) == one && !slices.Contains(first, rowNames):
		return append([]string{rowNames}, first...), true
	}
	return first, true
}

// titled reports whether the two lines after the first have equally many fields, and the first
// another number.
func (t *builder) titled(head []record) bool {
	if len(head) < 2 {
		return false
	}
	first, n := head[0], len(head[1].fields)
	if n == len(first.fields) || len(head) == 3 && len(head[2].fields) != n {
		return false
	}
	t.title = first.line
	line, column := first.place(0)
	t.at(line, column, "%s, while the lines after it have %d; if it is neither a row nor the names of the columns, leave it out with `skip: %d`",
		text.Counted(len(first.fields), "field"), n, first.line)
	return true
}

// numeric reports whether a field is a number or looks like one: with a decimal comma, or too
// large.
func numeric(s string) bool {
	return strings.Trim(s, "0123456789+-.,eE") == "" && strings.ContainsAny(s, "0123456789")
}

// commaNumber is a number with a decimal comma.
var commaNumber = regexp.MustCompile(`^[+-]?\d+,\d+([eE][+-]?\d+)?$`)
