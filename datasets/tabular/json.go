package tabular

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// json opens records: JSON lines, or an array of objects. The columns are the keys in the order of their
// appearance; a key that a record lacks is a missing value there, as is null. The records are read once for the keys.
func (t *builder) json() *sheet {
	s := &sheet{place: func(int) (int, int) { return 0, 0 }}
	index := map[string]int{}
	rows, within := 0, ""
	t.objects(&t.reporter, func(line int, key string, value jsontext.Value) bool {
		j, known := index[key]
		if !known {
			if j = len(s.names); j == MaxColumns {
				t.at(line, 0, "more than %d keys, which is the limit", MaxColumns)
				return false
			}
			index[key] = j
			s.names, s.declared = append(s.names, key), append(s.declared, undeclared)
		}
		if kind := value.Kind(); kind == '{' || kind == '[' {
			s.declared[j] = aside
		}
		if list, ok := bytes.CutPrefix(value, []byte("[")); ok && bytes.HasPrefix(bytes.TrimLeft(list, " \t\r\n"), []byte("{")) {
			within = key
		}
		return true
	}, func(int) bool {
		rows++
		return rows <= rowLimit
	})
	s.width = len(s.names)
	if len(t.faults) > 0 || t.stopped != nil {
		return nil
	}
	if fault := recordsFault(s, rows, within); fault != "" {
		t.at(0, 0, "%s", fault)
		return nil
	}
	s.each = func(faults *reporter, use func(row) bool) {
		cells := slices.Repeat([]cell{{is: absent}}, s.width)
		t.objects(faults, func(line int, key string, value jsontext.Value) bool {
			j, known := index[key]
			if !known {
				faults.at(line, 0, "the key %s is in none of the first %d records; give all records the same keys", quoted(key), rowLimit)
				return false
			}
			cells[j] = jsonCell(value)
			return true
		}, func(line int) bool {
			more := use(row{line: line, cells: cells, place: func(int) (int, int) { return line, 0 }})
			for j := range cells {
				cells[j] = cell{is: absent}
			}
			return more
		})
	}
	return s
}

// recordsFault says why records are no table, or nothing. within is a key whose value is a list of objects.
func recordsFault(s *sheet, rows int, within string) string {
	switch {
	case rows == 0:
		return "the file has no records"
	case rows == 1 && within != "":
		return fmt.Sprintf("the file is one object with the rows in its key %[1]s; write them alone: jq -c '.[%[1]s][]' FILE > table.jsonl", quoted(within))
	case rows == 1 && !slices.ContainsFunc(s.declared, func(k kind) bool { return k != aside }):
		return "the file is JSON of columns and not of records; write it as: frame.to_json(FILE, orient='records', lines=True)"
	case s.width == 0:
		return "the records have no keys"
	}
	return ""
}

// jsonCell is a value of a record.
func jsonCell(v jsontext.Value) cell {
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

// label is the text of a cell as a label.
func (c cell) label() string {
	if c.is == number && c.text == "" {
		return strconv.FormatFloat(c.number, 'f', -1, 64)
	}
	return c.text
}

// objects gives the members of each record in order, and the end of each, until one of the two returns false. A value
// is valid only during the call. Lines are those on which records begin.
func (t *builder) objects(faults *reporter, member func(line int, key string, value jsontext.Value) bool, end func(line int) bool) {
	content, _, err := t.open()
	if err != nil {
		faults.ended(err)
		return
	}
	in := &metered{r: content, allowed: maxLine, line: 1}
	d := jsontext.NewDecoder(in, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	seen := map[string]bool{}
	inArray := d.PeekKind() == '['
	if inArray {
		d.ReadToken()
	}
	for {
		switch kind := d.PeekKind(); {
		case kind == ']' && inArray:
			d.ReadToken()
			if err := atEnd(d); err != nil {
				in.failed(faults, d.InputOffset(), err)
			}
			return
		case kind == 0: // the end, or a fault
			if _, err := d.ReadToken(); err != io.EOF {
				in.failed(faults, d.InputOffset(), err)
			}
			return
		case kind != '{':
			value, err := d.ReadValue()
			in.failed(faults, d.InputOffset()-int64(len(value)), cmp.Or(err, fmt.Errorf("%.40s where a record should begin", value)))
			return
		}
		d.ReadToken()
		line := in.lineAt(d.InputOffset() - 1)
		more, err := members(d, seen, func(key string, value jsontext.Value) bool { return member(line, key, value) })
		if err != nil {
			in.failed(faults, d.InputOffset(), err)
		}
		if !more || !end(line) {
			return
		}
		in.allowed = d.InputOffset() + maxLine
	}
}

// members gives the members of the record that d is in, until use returns false. A nested object may have a key twice,
// the record not: seen is a set to use.
func members(d *jsontext.Decoder, seen map[string]bool, use func(key string, value jsontext.Value) bool) (more bool, err error) {
	clear(seen)
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return false, err
		}
		key := token.String()
		if seen[key] {
			return false, fmt.Errorf("the key %s is there twice", key)
		}
		seen[key] = true
		if value, err := d.ReadValue(); err != nil || !use(key, value) {
			return false, err
		}
	}
	_, err = d.ReadToken()
	return err == nil, err
}

// atEnd returns an error, with its place, unless the text ends where d is.
func atEnd(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	if err == io.EOF {
		return nil
	}
	fault := &jsontext.SyntacticError{ByteOffset: d.InputOffset()}
	errors.As(err, &fault) // where the text is no JSON
	fault.Err = errors.New("more text behind the array")
	return fault
}

// failed records what is wrong at an offset, or where the error says.
func (m *metered) failed(faults *reporter, offset int64, err error) {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case m.err != nil: // of the file
		err = m.err
	case ok:
		offset, err = syntax.ByteOffset, syntax.Err
	}
	switch what := err.Error(); {
	case ofContext(err):
		faults.stopped = err
		return
	case strings.HasPrefix(what, "invalid character 'N'"), strings.HasPrefix(what, "invalid character 'I'"):
		err = errors.New("NaN and Infinity are no JSON; write null for a missing number")
	case strings.HasPrefix(what, "invalid character ',' at start of value"):
		err = errors.New("a comma where a record or value should begin; remove it")
	}
	faults.at(m.lineAt(offset), 0, "%v; want an object for each row, one a line or in an array", err)
}

// A metered reader counts lines, and ends where a record is too long.
type metered struct {
	r       io.Reader
	err     error // that ended the reading, but io.EOF
	read    int64 // bytes
	allowed int64
	line    int     // at the last offset that was asked for
	feeds   []int64 // offsets of line feeds behind that
}

func (m *metered) Read(b []byte) (n int, err error) {
	if m.read > m.allowed {
		err = fmt.Errorf("a record has more than %d MiB", maxLine>>20)
	} else {
		n, err = m.r.Read(b[:min(len(b), 1<<16)])
	}
	for i, c := range b[:n] {
		if c == '\n' {
			m.feeds = append(m.feeds, m.read+int64(i))
		}
	}
	if m.read += int64(n); err != io.EOF {
		m.err = err
	}
	return n, err
}

// lineAt is the line of an offset, which does not fall.
func (m *metered) lineAt(offset int64) int {
	n := 0
	for n < len(m.feeds) && m.feeds[n] < offset {
		n++
	}
	m.line, m.feeds = m.line+n, m.feeds[n:]
	return m.line
}
