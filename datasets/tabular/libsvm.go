package tabular

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/strictyaml"
)

// A sparseRow is a line of a LIBSVM file.
type sparseRow struct {
	label   string
	indices []int
	values  []float64 // NaN: missing
}

// libsvm reads lines of a label and index:value pairs. Values that are not given are 0. It
// reads the lines twice; the first time it finds the columns.
func (t *builder) libsvm() {
	least, most := t.indices()
	if others := t.options.Indices; others != nil {
		least, most = min(least, others[0]), max(most, others[1])
	}
	switch features := most - least + 1; {
	case most == 0 && least == 1:
		t.columns = make([]column, 1) // the second pass reports the faults
	case features > MaxColumns:
		t.at(0, 0, "the greatest index is %d, at most %d features are possible", most, MaxColumns)
		return
	case !t.numbered(features, least):
		return
	}
	l := t.lines(t.file)
	var r sparseRow
	for text, ok := l.next(); ok; text, ok = l.next() {
		if !t.sparseLine(l.line, text, &r) {
			continue
		}
		if !t.room(l.line) {
			return
		}
		start, complete := len(t.x), true
		t.x = append(t.x, make([]float64, t.features)...)
		for k, index := range r.indices {
			c := &t.columns[index-least]
			if c.role != feature {
				continue
			}
			t.x[start+c.place] = r.values[k]
			if math.IsNaN(r.values[k]) {
				complete = false
				c.missing.note(func() strictyaml.Error {
					return t.fault(l.line, wordAt(text, k+1), fmt.Sprintf("feature %d is missing", index))
				})
			}
		}
		if !t.end(l.line, complete, false, r.label, "", func() (int, int) { return l.line, wordAt(text, 0) }) {
			return
		}
	}
	t.ended(l.err)
	if most == 0 && least == 1 {
		t.at(0, 0, "no line has a feature; want lines such as: 1 1:0.5 3:2")
	}
	for j := range t.columns {
		t.columns[j].numbers = len(t.y) + t.dropped - t.columns[j].missing.all
	}
}

// indices returns the least and the greatest index of the file, 1 and 0 if it has none.
func (t *builder) indices() (least, most int) {
	least = 1
	l, quiet := t.lines(t.file), &builder{options: t.options}
	var r sparseRow
	rows := 0
	for text, ok := l.next(); ok && rows <= rowLimit; text, ok = l.next() {
		if !quiet.sparseLine(0, text, &r) {
			continue
		}
		if rows++; len(r.indices) > 0 {
			least, most = min(least, r.indices[0]), max(most, r.indices[len(r.indices)-1])
		}
	}
	return least, most
}

// Indices returns the least and the greatest index of a LIBSVM file, 1 and 0 if it has none.
// It ignores faults; Read reports them.
func Indices(ctx context.Context, b []byte) (least, most int) {
	return newBuilder(ctx, "", b, Options{}).indices()
}

// sparseLine reads a line into r; ok reports whether it has a row.
func (t *builder) sparseLine(line int, text string, r *sparseRow) (ok bool) {
	r.indices, r.values = r.indices[:0], r.values[:0]
	content, _, _ := strings.Cut(text, "#")
	i := -1
	at := func(format string, args ...any) bool {
		t.at(line, wordAt(text, i), format, args...)
		return false
	}
	for field := range strings.FieldsSeq(content) {
		i++
		name, value, pair := strings.Cut(field, ":")
		if i == 0 {
			switch v, err := t.options.number(field); {
			case pair:
				return at("the line begins with %s and has no label", quoted(field))
			case strings.Contains(field, ","):
				return at("%s is several labels; a row has one class here", quoted(field))
			case err == nil:
				field = strconv.FormatFloat(v, 'f', -1, 64)
			}
			r.label = field
			continue
		}
		index, err := strconv.Atoi(name)
		switch n := len(r.indices); {
		case name == "qid":
			return at("qid marks a file for ranking, not for classes")
		case !pair || err != nil || index < 0:
			return at("want index:value, got %s", quoted(field))
		case index > MaxColumns:
			return at("index %d, at most %d features are possible", index, MaxColumns)
		case n > 0 && index <= r.indices[n-1]:
			return at("index %d comes after %d; indices rise", index, r.indices[n-1])
		}
		v, err := t.options.number(value)
		switch {
		case err != nil && !t.options.missing(value):
			return at("feature %d has %v", index, err)
		case err != nil:
			v = math.NaN()
		}
		r.indices, r.values = append(r.indices, index), append(r.values, v)
	}
	return i >= 0
}

// wordAt returns the character position of word i in a line.
func wordAt(line string, i int) int {
	rest := strings.TrimLeft(line, blanks)
	for range i {
		end := max(strings.IndexAny(rest, blanks), 0)
		rest = strings.TrimLeft(rest[end:], blanks)
	}
	return utf8.RuneCountInString(line[:len(line)-len(rest)]) + 1
}
