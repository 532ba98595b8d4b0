package tabular

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// json opens records: JSON lines, or an array of objects. The columns are the keys in the order of their
// appearance; a key that a record lacks is a missing value there, as is null. The records are read once for the keys.
func (t *builder) json() *sheet {
	s := &sheet{place: func(int) (int, int) { return 0, 0 }}
	index := map[string]int{}
	rows := 0
	t.objects(&t.reporter, func(line int, keys []string, values []json.RawMessage) bool {
		for i, key := range keys {
			j, known := index[key]
			if !known {
				if j = len(s.names); j == MaxColumns {
					t.at(line, 0, "more than %d keys, which is the limit", MaxColumns)
					return false
				}
				index[key] = j
				s.names, s.declared = append(s.names, key), append(s.declared, undeclared)
			}
			if nested(values[i]) {
				s.declared[j] = aside
			}
		}
		rows++
		return rows <= rowLimit
	})
	switch s.width = len(s.names); {
	case len(t.faults) > 0 || t.stopped != nil:
		return nil
	case rows == 0:
		t.at(0, 0, "the file has no records")
		return nil
	case rows == 1 && !slices.ContainsFunc(s.declared, func(k kind) bool { return k != aside }):
		t.at(0, 0, "the file is JSON of columns and not of records; write it as: frame.to_json(FILE, orient='records', lines=True)")
		return nil
	}
	s.each = func(faults *reporter, use func(row) bool) {
		cells := make([]cell, s.width)
		t.objects(faults, func(line int, keys []string, values []json.RawMessage) bool {
			for j := range cells {
				cells[j] = cell{is: absent}
			}
			for i, key := range keys {
				cells[index[key]] = jsonCell(values[i])
			}
			return use(row{line: line, cells: cells, place: func(int) (int, int) { return line, 0 }})
		})
	}
	return s
}

// jsonCell is a value of a record.
func jsonCell(v json.RawMessage) cell {
	switch v[0] {
	case 'n':
		return cell{is: absent}
	case 't':
		return cell{text: "true", number: 1, is: number}
	case 'f':
		return cell{text: "false", is: number}
	case '"':
		var s string
		if json.Unmarshal(v, &s) != nil {
			return cell{is: absent}
		}
		return cell{text: s, is: word}
	case '{', '[':
		return cell{text: string(v), is: word}
	}
	return cell{text: string(v)} // a number as it is written
}

// cellOf is a number as a cell.
func cellOf(v float64) cell {
	if math.IsNaN(v) {
		return cell{is: absent}
	}
	return cell{number: v, is: number}
}

// nested tells whether a value is an object or a list.
func nested(v json.RawMessage) bool { return v[0] == '{' || v[0] == '[' }

// label is the text of a cell as a label.
func (c cell) label() string {
	if c.is == number && c.text == "" {
		return strconv.FormatFloat(c.number, 'f', -1, 64)
	}
	return c.text
}

// objects gives the records in order until use returns false.
func (t *builder) objects(faults *reporter, use func(line int, keys []string, values []json.RawMessage) bool) {
	content, _, err := t.open()
	if err != nil {
		faults.ended(err)
		return
	}
	if mark, _ := content.Peek(3); string(mark) == "\xef\xbb\xbf" {
		content.Discard(3)
	}
	in := &metered{r: content, allowed: maxLine, line: 1}
	d := json.NewDecoder(in)
	fail := func(err error) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if ofContext(err) {
			faults.stopped = err
			return
		}
		faults.at(in.lineAt(d.InputOffset()), 0, "%v; want an object for each row, one a line or in an array", err)
	}
	inArray, seen := false, map[string]bool{}
	for {
		token, err := d.Token()
		switch {
		case err == io.EOF && !inArray:
			return
		case err != nil:
			fail(err)
			return
		case token == json.Delim('[') && !inArray:
			inArray = true
			continue
		case token == json.Delim(']') && inArray:
			inArray = false
			continue
		case token != json.Delim('{'):
			fail(fmt.Errorf("%v where a record should begin", token))
			return
		}
		line := in.lineAt(d.InputOffset())
		var keys []string
		var values []json.RawMessage
		clear(seen)
		for d.More() {
			key, err := d.Token()
			var v json.RawMessage
			if err == nil {
				err = d.Decode(&v)
			}
			if err != nil {
				fail(err)
				return
			}
			name, ok := key.(string)
			if !ok || seen[name] {
				fail(fmt.Errorf("the key %v is there twice", key))
				return
			}
			seen[name] = true
			if keys, values = append(keys, name), append(values, v); len(keys) > MaxColumns {
				fail(fmt.Errorf("more than %d keys in a record", MaxColumns))
				return
			}
			in.allow(d.InputOffset())
		}
		if _, err := d.Token(); err != nil {
			fail(err)
			return
		}
		if in.allow(d.InputOffset()); !use(line, keys, values) {
			return
		}
	}
}

// A metered reader counts lines, and ends where a value is too long.
type metered struct {
	r       io.Reader
	read    int64 // bytes
	allowed int64
	line    int     // at the last offset that was asked for
	feeds   []int64 // offsets of line feeds behind that
}

func (m *metered) Read(b []byte) (int, error) {
	if m.read > m.allowed {
		return 0, fmt.Errorf("a value has more than %d MiB", maxLine>>20)
	}
	n, err := m.r.Read(b[:min(len(b), 1<<16)])
	for i, c := range b[:n] {
		if c == '\n' {
			m.feeds = append(m.feeds, m.read+int64(i))
		}
	}
	m.read += int64(n)
	return n, err
}

// allow lets a value follow at an offset.
func (m *metered) allow(offset int64) { m.allowed = offset + maxLine }

// lineAt is the line of an offset, which does not fall.
func (m *metered) lineAt(offset int64) int {
	n := 0
	for n < len(m.feeds) && m.feeds[n] < offset {
		n++
	}
	m.line, m.feeds = m.line+n, m.feeds[n:]
	return m.line
}
