package tabular

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A sparseRow is a line of a LIBSVM file.
type sparseRow struct {
	label   string
	indices []int
	values  []cell
}

// libsvm opens lines of a label and index:value pairs. What is not there is 0, and nan is missing. The lines
// are read once for the columns.
func (t *builder) libsvm() *sheet {
	least, most := t.indices()
	if others := t.options.Indices; others != nil {
		least, most = min(least, others[0]), max(most, others[1])
	}
	empty := most == 0 && least == 1
	if empty {
		most = 1 // the lines say what is wrong with them
	}
	s := &sheet{width: most - least + 1, labelled: true}
	if s.width > MaxColumns {
		t.at(0, 0, "the greatest index is %d, at most %d features are possible", most, MaxColumns)
		return nil
	}
	for j := range s.width {
		s.names, s.declared = append(s.names, fmt.Sprintf("x%d", j+least)), append(s.declared, numbers)
	}
	s.each = func(faults *reporter, use func(row) bool) {
		var sparse sparseRow
		cells := make([]cell, s.width)
		l := t.lines(t.file)
		for text, ok := l.next(); ok; text, ok = l.next() {
			if !t.sparseLine(faults, l.line, text, &sparse) {
				continue
			}
			for j := range cells {
				cells[j] = cell{is: number}
			}
			places := map[int]int{} // of the values that a message may name
			for k, index := range sparse.indices {
				if cells[index-least] = sparse.values[k]; sparse.values[k].is == absent {
					places[index-least] = k + 1
				}
			}
			place := func(j int) (int, int) { return l.line, wordAt(text, places[j]) }
			if !use(row{line: l.line, cells: cells, place: place, label: cell{text: sparse.label, is: word}}) {
				return
			}
		}
		if faults.ended(l.err); empty {
			faults.at(0, 0, "no line has a feature; want lines such as: 1 1:0.5 3:2")
		}
	}
	return s
}

// indices returns the least and the greatest index of the file, 1 and 0 if it has none.
func (t *builder) indices() (least, most int) {
	least = 1
	l, quiet := t.lines(t.file), &reporter{}
	var r sparseRow
	rows := 0
	for text, ok := l.next(); ok && rows <= rowLimit; text, ok = l.next() {
		if !t.sparseLine(quiet, 0, text, &r) {
			continue
		}
		if rows++; len(r.indices) > 0 {
			least, most = min(least, r.indices[0]), max(most, r.indices[len(r.indices)-1])
		}
	}
	return least, most
}

// Indices returns the least and the greatest index of a LIBSVM file, 1 and 0 if it has none, and whether the file is
// one. It ignores faults; Read reports them.
func Indices(ctx context.Context, name string, b []byte, o Layout) (least, most int, ok bool) {
	t := newBuilder(ctx, name, b, o)
	if f, err := t.sniff(); err != nil || f.name != LIBSVM {
		return 0, 0, false
	}
	least, most = t.indices()
	return least, most, true
}

// sparseLine reads a line into r; ok reports whether it has a row.
func (t *builder) sparseLine(faults *reporter, line int, text string, r *sparseRow) (ok bool) {
	r.indices, r.values = r.indices[:0], r.values[:0]
	content, _, _ := strings.Cut(text, "#")
	i := -1
	at := func(format string, args ...any) bool {
		faults.at(line, wordAt(text, i), format, args...)
		return false
	}
	for field := range strings.FieldsSeq(content) {
		i++
		name, value, pair := strings.Cut(field, ":")
		if i == 0 {
			switch v, err := (Layout{}).number(field); {
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
		c := cell{is: number}
		if c.number, err = (Layout{}).number(value); err != nil {
			if !strings.EqualFold(value, "nan") && !t.options.lists(value) {
				return at("feature %d has %v", index, err)
			}
			c.is = absent
		}
		r.indices, r.values = append(r.indices, index), append(r.values, c)
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
