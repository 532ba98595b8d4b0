package tabular

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// separators are the bytes of the delimiters; blanks have none.
var separators = map[string]byte{"comma": ',', "semicolon": ';', "tab": '\t'}

// blanks are the characters that separate fields if the delimiter is blanks.
const blanks = " \t\r\v\f"

// A record is a line of fields, or several lines if a quoted field has line feeds.
type record struct {
	line   int
	text   string // its lines
	fields []string
	at     []int // byte offset in text of each field
}

// place returns the position of field i, in characters.
func (r record) place(i int) (line, column int) { return r.placeAt(r.at[i]) }

func (r record) placeAt(byte int) (line, column int) {
	before := r.text[:byte]
	start := strings.LastIndexByte(before, '\n') + 1
	return r.line + strings.Count(before, "\n"), utf8.RuneCountInString(before[start:]) + 1
}

// records divides lines into fields, quoted as in RFC 4180. If the delimiter is blanks, \" is
// also a quote in a quoted field, as R writes it, and quoted fields end on their line.
type records struct {
	*lines
	separator byte   // 0: blanks
	around    string // characters to trim around fields
}

func newRecords(l *lines, delimiter string) *records {
	r := &records{l, separators[delimiter], blanks}
	if delimiter == "tab" {
		r.around = " \r\v\f"
	}
	return r
}

// next returns the next record that is not blank. The error is io.EOF at the end, a fault,
// or that of the context.
func (s *records) next() (record, error) {
	for {
		text, ok := s.lines.next()
		if !ok {
			return record{}, s.err
		}
		if strings.Trim(text, s.around) != "" {
			r := record{line: s.line, text: text}
			return r, s.split(&r)
		}
	}
}

// fault ends the reading at a byte of the record.
func (s *records) fault(r *record, at int, msg string) error {
	line, column := r.placeAt(at)
	s.fail(line, column, errors.New(msg))
	return s.err
}

// split sets the fields of a record.
func (s *records) split(r *record) error {
	for at := 0; ; at++ {
		for at < len(r.text) && strings.IndexByte(s.around, r.text[at]) >= 0 {
			at++
		}
		if s.separator == 0 && at == len(r.text) {
			return nil
		}
		if len(r.fields) == MaxColumns {
			return s.fault(r, at, fmt.Sprintf("more than %d columns, which is the limit; leave columns out", MaxColumns))
		}
		r.at = append(r.at, at)
		field, end, err := s.field(r, at)
		if err != nil {
			return err
		}
		r.fields = append(r.fields, field)
		if at = end; at == len(r.text) {
			return nil
		}
	}
}

// field reads the field that begins at byte at; end is the byte offset of the delimiter after
// it.
func (s *records) field(r *record, at int) (field string, end int, err error) {
	stop := func(from int) int {
		n := strings.IndexByte(r.text[from:], s.separator)
		if s.separator == 0 {
			n = strings.IndexAny(r.text[from:], blanks)
		}
		if n < 0 {
			return len(r.text)
		}
		return from + n
	}
	if at == len(r.text) || r.text[at] != '"' {
		end = stop(at)
		if quote := strings.IndexByte(r.text[at:end], '"'); quote >= 0 {
			return "", 0, s.fault(r, at+quote, "a quote in a field that does not begin with one; quote the whole field and write \"\" for a quote in it")
		}
		return strings.TrimSpace(r.text[at:end]), end, nil
	}
	var b strings.Builder
	more := 0 // lines of the field after its first
	for i := at + 1; ; i++ {
		if i == len(r.text) {
			if more++; s.separator == 0 || more > maxFieldLines || !s.continued(r) {
				return "", 0, s.unclosed(r, at)
			}
		}
		switch next := r.text[i+1:]; {
		case strings.HasPrefix(next, `"`) && (r.text[i] == '"' || r.text[i] == '\\' && s.separator == 0):
			b.WriteByte('"')
			i++
		case r.text[i] != '"':
			b.WriteByte(r.text[i])
		default:
			end = stop(i + 1)
			if between := strings.TrimLeft(r.text[i+1:end], s.around); between != "" {
				return "", 0, s.fault(r, end-len(between), "text after a closing quote; quote the whole field and write \"\" for a quote in it")
			}
			return strings.TrimSpace(b.String()), end, nil
		}
	}
}

// continued adds the next line to a record.
func (s *records) continued(r *record) bool {
	text, ok := s.lines.next()
	if ok {
		r.text += "\n" + text
	}
	return ok && len(r.text) <= maxLine
}

func (s *records) unclosed(r *record, at int) error {
	if s.err != nil && s.err != io.EOF {
		return s.err
	}
	if s.separator == 0 {
		return s.fault(r, at, "a quote is opened here and not closed on its line")
	}
	return s.fault(r, at, "a quote is opened here and not closed where its field ends; at most 1000 lines may stand between quotes")
}

// delimiterOf returns the delimiter of lines: the first of tab, semicolon, comma and blanks
// that divides them into equally many fields, at least two. If none does, it is the most
// frequent one.
func delimiterOf(sample []string) string {
	most, name := 0, "comma"
	for _, d := range []string{"tab", "semicolon", "comma", "blanks"} {
		first, total, equal := 0, 0, true
		for i, line := range sample {
			n := fieldCount(line, d)
			if i == 0 {
				first = n
			}
			total, equal = total+n-1, equal && n == first
		}
		if first > 1 && equal {
			return d
		}
		if total > most {
			most, name = total, d
		}
	}
	return name
}

// sampled returns the first lines of a file that are not empty, after those to skip.
func (s source) sampled(file string, skip int) []string {
	const most, far = 10, 1_000 // lines: not empty, and with the empty ones
	l := s.lines(file)
	var sample []string
	for len(sample) < most && l.line < skip+far {
		text, ok := l.next()
		if !ok {
			break
		}
		if l.line > skip && strings.TrimSpace(text) != "" {
			sample = append(sample, text)
		}
	}
	return sample
}

// fieldCount counts the fields of a line, quoted ones as one.
func fieldCount(line, delimiter string) int {
	r := record{text: line}
	s := newRecords(&lines{err: io.EOF}, delimiter)
	if s.split(&r) != nil {
		if delimiter == "blanks" {
			return len(strings.Fields(line))
		}
		return 1 + strings.Count(line, string(separators[delimiter]))
	}
	return len(r.fields)
}
