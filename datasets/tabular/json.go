package tabular

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// json opens records: JSON lines, or an array of objects. The columns are the keys in the order of their
// appearance; a key that a record lacks is a missing value there, as is null. The records are read once for the keys.
func (t *builder) json() *sheet {
	s := &sheet{place: func(int) (int, int) { return 0, 0 }}
	index := map[string]int{}
	rows, within := 0, ""
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
			if list := bytes.TrimPrefix(values[i], []byte("[")); len(list) < len(values[i]) && skipBlanks(list)[0] == '{' {
				within = key
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
	case rows == 1 && within != "":
		t.at(0, 0, "the file is one object with the rows in its key %[1]s; write them alone: jq -c '.[%[1]s][]' FILE > table.jsonl", quoted(within))
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
				j, known := index[key]
				if !known {
					faults.at(line, 0, "the key %s is in none of the first %d records; give all records the same keys", quoted(key), rowLimit)
					return false
				}
				cells[j] = jsonCell(values[i])
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
	case 't', 'f':
		return boolean(v[0] == 't')
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

// boolean is a truth value as a cell.
func boolean(v bool) cell {
	if v {
		return cell{text: "true", number: 1, is: number}
	}
	return cell{text: "false", is: number}
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
	in := &metered{r: content, allowed: maxLine, line: 1}
	inArray := startsArray(content)
	d := json.NewDecoder(in)
	fail := func(offset int64, err error) { in.failed(faults, offset, err) }
	if inArray {
		d.Token() // the bracket
	}
	var record json.RawMessage
	closed := false
	known, seen := map[string]string{}, map[string]bool{}
	for {
		if !d.More() { // the end, or a bracket
			token, err := d.Token()
			if err == nil && !inArray {
				err = fmt.Errorf("%v where a record should begin", token)
			}
			if err != nil && (err != io.EOF || inArray) {
				fail(d.InputOffset(), err)
			}
			if err != nil {
				return
			}
			inArray, closed = false, true
			continue
		}
		if closed {
			fail(d.InputOffset(), errors.New("more text behind the array"))
			return
		}
		if err := d.Decode(&record); err != nil {
			fail(faultOf(d, in), err)
			return
		}
		begin := d.InputOffset() - int64(len(record))
		line := in.lineAt(begin)
		if record[0] != '{' {
			fail(begin, fmt.Errorf("%.40s where a record should begin", record))
			return
		}
		keys, values, err := members(record, known, seen)
		if err != nil {
			fail(begin, err)
			return
		}
		if in.allow(d.InputOffset()); !use(line, keys, values) {
			return
		}
	}
}

// failed records what is wrong at an offset.
func (m *metered) failed(faults *reporter, offset int64, err error) {
	switch what := err.Error(); {
	case ofContext(err):
		faults.stopped = err
		return
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	case strings.HasPrefix(what, "invalid character 'N'"), strings.HasPrefix(what, "invalid character 'I'"):
		err = errors.New("NaN and Infinity are no JSON; write null for a missing number")
	}
	faults.at(m.lineAt(offset), 0, "%v; want an object for each row, one a line or in an array", err)
}

// startsArray reports whether the first byte that is no blank opens an array.
func startsArray(content *bufio.Reader) bool {
	for n := 1; ; n++ {
		b, err := content.Peek(n)
		if err != nil {
			return false
		}
		if c := b[n-1]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c == '['
		}
	}
}

// faultOf is the offset of what made d fail in the middle of a value: that of the last
// token before it.
func faultOf(d *json.Decoder, in io.Reader) int64 {
	again := json.NewDecoder(io.MultiReader(d.Buffered(), in))
	for {
		if _, err := again.Token(); err != nil {
			return d.InputOffset() + again.InputOffset()
		}
	}
}

// members splits an object, which is valid JSON, into its keys and their values in order.
// A decoder of single values would take several times as long. known are keys of earlier
// objects as they are written, and seen is a set to use.
func members(object []byte, known map[string]string, seen map[string]bool) (keys []string, values []json.RawMessage, err error) {
	clear(seen)
	for rest := skipBlanks(object[1:]); rest[0] != '}'; {
		n := lengthOf(rest)
		key, ok := known[string(rest[:n])]
		if !ok {
			if err := json.Unmarshal(rest[:n], &key); err != nil {
				return nil, nil, err
			}
			known[string(rest[:n])] = key
		}
		if seen[key] {
			return nil, nil, fmt.Errorf("the key %s is there twice", key)
		}
		seen[key] = true
		rest = skipBlanks(skipBlanks(rest[n:])[1:]) // the colon
		n = lengthOf(rest)
		if keys, values = append(keys, key), append(values, rest[:n:n]); len(keys) > MaxColumns {
			return nil, nil, fmt.Errorf("more than %d keys in a record", MaxColumns)
		}
		if rest = skipBlanks(rest[n:]); rest[0] == ',' {
			rest = skipBlanks(rest[1:])
		}
	}
	return keys, values, nil
}

// skipBlanks returns what follows the blanks of JSON.
func skipBlanks(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// lengthOf is the length of the first value of valid JSON.
func lengthOf(b []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']') && depth > 0:
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && strings.IndexByte(",:}] \t\r\n", c) >= 0: // behind a number or a word
			return i
		}
	}
	return len(b)
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
