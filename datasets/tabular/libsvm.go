package tabular

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A sparseRow is a line of a LIBSVM file.
type sparseRow struct {
	line    int
	raw     string
	label   string
	indices []int
	values  []float64 // NaN: missing
}

// libsvm reads lines of a label and index:value pairs. What is not there is 0.
func (t *builder) libsvm(text string) {
	var rows []sparseRow
	pairs := 0
	most, least := 0, 1
	for line := 1; text != ""; line++ {
		var raw string
		raw, text, _ = strings.Cut(text, "\n")
		r, ok := t.sparseLine(line, raw)
		if !ok {
			continue
		}
		if n := len(r.indices); n > 0 {
			most, least = max(most, r.indices[n-1]), min(least, r.indices[0])
		}
		if pairs += len(r.indices); pairs > MaxValues {
			t.at(line, 1, "more than %d values", MaxValues)
			return
		}
		rows = append(rows, r)
	}
	if others := t.options.Indices; others != nil {
		least, most = min(least, others[0]), max(most, others[1])
	}
	features := most - least + 1
	switch {
	case len(t.faults) > 0:
		return
	case most == 0 && least == 1:
		t.at(0, 0, "no line has a feature; want lines such as: 1 1:0.5 3:2")
		return
	case features > MaxColumns:
		t.at(0, 0, "the greatest index is %d, at most %d features are possible", most, MaxColumns)
		return
	case len(rows)*features > MaxValues:
		t.at(0, 0, "%d rows of %d features are more than %d values", len(rows), features, MaxValues)
		return
	}
	if !t.numbered(features, least) {
		return
	}
	for _, r := range rows {
		t.dense(r, least, features)
	}
	for j := range t.columns {
		t.columns[j].numbers = len(rows) - t.columns[j].absent
	}
}

// Indices returns the least and the greatest index of a LIBSVM file, 1 and 0 where it has
// none. What is wrong with a line is left to Read.
func Indices(b []byte) (least, most int) {
	least = 1
	content, err := unpack(b)
	if err != nil {
		return least, most
	}
	t := &builder{reporter: &reporter{}}
	for line := range bytes.Lines(content) {
		if r, ok := t.sparseLine(0, string(line)); ok && len(r.indices) > 0 {
			least, most = min(least, r.indices[0]), max(most, r.indices[len(r.indices)-1])
		}
	}
	return least, most
}

// numbered sets up columns that have numbers and no names of their own, and tells
// whether some are left as features.
func (t *builder) numbered(features, first int) bool {
	t.columns = make([]column, features)
	for j := range features {
		t.columns[j].name = fmt.Sprintf("x%d", j+first)
	}
	return t.drops()
}

// keep takes the columns that are dropped out of the row that begins at start.
func (t *builder) keep(start int) {
	kept := t.x[:start]
	for j, v := range t.x[start:] {
		if t.columns[j].role == feature {
			kept = append(kept, v)
		}
	}
	t.x = kept
}

// dense adds a sparse row.
func (t *builder) dense(r sparseRow, least, features int) {
	start, complete := len(t.x), true
	t.x = append(t.x, make([]float64, features)...)
	for k, index := range r.indices {
		j := index - least
		t.x[start+j] = r.values[k]
		if math.IsNaN(r.values[k]) && t.columns[j].role == feature {
			complete = false
			_, column := lineOf(r.line, r.raw, k+1)
			t.columns[j].lack(&Fault{t.file, r.line, column, fmt.Sprintf("feature %d is missing", index)})
		}
	}
	t.keep(start)
	t.end(r.line, start, complete, r.label, "", func() (int, int) { return lineOf(r.line, r.raw, 0) })
}

// lack notes that a field of the column is missing.
func (c *column) lack(f *Fault) {
	if c.absent++; len(c.missing) < maxFaults {
		c.missing = append(c.missing, f)
	}
}

// sparseLine reads a line; ok tells whether it has a row.
func (t *builder) sparseLine(line int, raw string) (sparseRow, bool) {
	content, _, _ := strings.Cut(raw, "#")
	var fields []string
	for field := range strings.FieldsSeq(content) {
		if len(fields) == MaxColumns+1 {
			_, column := lineOf(line, raw, len(fields))
			t.at(line, column, "more than %d features", MaxColumns)
			return sparseRow{}, false
		}
		fields = append(fields, field)
	}
	if len(fields) == 0 {
		return sparseRow{}, false
	}
	r := sparseRow{line: line, raw: raw, label: fields[0]}
	at := func(i int, format string, args ...any) (sparseRow, bool) {
		_, column := lineOf(line, raw, i)
		t.at(line, column, format, args...)
		return r, false
	}
	v, err := number(r.label)
	switch {
	case strings.Contains(r.label, ":"):
		return at(0, "the line begins with %s and has no label", quoted(r.label))
	case strings.Contains(r.label, ","):
		return at(0, "%s is several labels; a row has one class here", quoted(r.label))
	case err == nil:
		r.label = strconv.FormatFloat(v, 'f', -1, 64)
	}
	for i, field := range fields[1:] {
		name, text, ok := strings.Cut(field, ":")
		index, err := strconv.Atoi(name)
		if name == "qid" {
			return at(i+1, "qid marks a file for ranking, not for classes")
		}
		if !ok || err != nil || index < 0 {
			return at(i+1, "want index:value, got %s", quoted(field))
		}
		if index > MaxColumns {
			return at(i+1, "index %d, at most %d features are possible", index, MaxColumns)
		}
		if n := len(r.indices); n > 0 && index <= r.indices[n-1] {
			return at(i+1, "index %d comes after %d; indices rise", index, r.indices[n-1])
		}
		value, err := number(text)
		if err != nil && !t.options.missing(text) {
			return at(i+1, "feature %d has %v", index, err)
		}
		if err != nil {
			value = math.NaN()
		}
		r.indices, r.values = append(r.indices, index), append(r.values, value)
	}
	return r, true
}
