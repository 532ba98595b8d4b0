package tabular

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// separators are the runes of the delimiters; blanks have none.
var separators = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t'}

// delimited reads a file of one row per line.
func (t *builder) delimited(text string) {
	text = blanked(text, t.options.Skip)
	t.layout.Delimiter, t.layout.Skip = t.options.Delimiter, t.options.Skip
	if t.layout.Delimiter == "" {
		t.layout.Delimiter = delimiterOf(text)
	}
	records := newRecords(text, t.layout.Delimiter)
	first, err := records.next()
	if err != nil {
		t.unreadable(err)
		return
	}
	second, err := records.next()
	if err != nil && err != io.EOF {
		t.unreadable(err)
		return
	}
	if t.preamble(first, second, records) {
		return
	}
	header := t.hasHeader(first.fields, second.fields)
	t.layout.Header = &header
	var names []string
	if header {
		names = first.fields
	}
	if !t.begin(first.line, len(first.fields), names) {
		return
	}
	t.layout.Label = t.ref(t.find(t.options.Label))
	if !header {
		t.record(first)
	}
	for ; err == nil; second, err = records.next() {
		if !t.record(second) {
			return
		}
	}
	if err != io.EOF {
		t.unreadable(err)
	}
}

// blanked empties the first n lines of a text, so that the others keep their numbers.
func blanked(text string, n int) string {
	rest := text
	for range n {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return strings.Repeat("\n", n) + rest
}

// preamble reports a first line that has other fields than the two after it, which
// have as many as each other.
func (t *builder) preamble(first, second record, rest records) bool {
	n := len(second.fields)
	if n == 0 || n == len(first.fields) {
		return false
	}
	third, err := rest.next()
	if err == nil && len(third.fields) != n {
		return false
	}
	t.at(first.line, 0, "%s, while the lines after it have %d; if it is neither a row nor the names of the columns, leave it out with `skip: %d`",
		plural(len(first.fields), "field", "fields"), n, first.line)
	return true
}

// record adds a record unless its fields are too few or too many. It tells whether
// there is room for more.
func (t *builder) record(r record) bool {
	if n, want := len(r.fields), len(t.columns); n != want {
		t.at(r.line, 0, "%s, want %d as on the first line%s", plural(n, "field", "fields"), want, t.otherDelimiter(n, r))
		return true
	}
	if len(t.x)+len(t.columns) > MaxValues {
		t.at(r.line, 0, "more than %d values (rows times columns)", MaxValues)
		return false
	}
	t.row(r.line, r.fields, r.place)
	return true
}

// otherDelimiter is a hint for a line that has a single field.
func (t *builder) otherDelimiter(n int, r record) string {
	if n == 1 && strings.ContainsAny(r.fields[0], ";,\t") {
		return "; the fields are divided by " + t.layout.Delimiter + ", or else name the `delimiter`"
	}
	return ""
}

// hasHeader tells whether the first line has names: none of its fields is a number,
// but some field of the second is.
func (t *builder) hasHeader(first, second []string) bool {
	if t.options.Header != nil {
		return *t.options.Header
	}
	return !slices.ContainsFunc(first, numeric) && slices.ContainsFunc(second, numeric)
}

// numeric tells whether a field is a number, or meant as one: with a comma, too large.
func numeric(s string) bool {
	return strings.Trim(s, "0123456789+-.,eE") == "" && strings.ContainsAny(s, "0123456789")
}

// unreadable reports what stops the reading of a file.
func (t *builder) unreadable(err error) {
	var at *csv.ParseError
	switch {
	case err == io.EOF:
		t.at(0, 0, "the file has no rows")
	case !errors.As(err, &at):
		t.at(0, 0, "%v", err)
	case at.Err == csv.ErrQuote:
		t.at(at.Line, at.Column, "a quote in the middle of a field, or text after a closing quote; quote the whole field and write \"\" for a quote in it")
	case at.Err == csv.ErrBareQuote:
		t.at(at.Line, at.Column, "a quote in a field that does not begin with one; quote the whole field and write \"\" for a quote in it")
	default:
		t.at(at.Line, at.Column, "%v", at.Err)
	}
}

// A record is a line of fields, or several lines where a quoted field has them.
type record struct {
	line   int
	fields []string
	place  func(i int) (line, column int)
}

// records reads records one by one. A record is good until the one after the next.
type records interface{ next() (record, error) }

func newRecords(text, delimiter string) records {
	if delimiter == "blanks" {
		return &blankRecords{rest: text}
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = separators[delimiter], -1, delimiter != "tab"
	return &csvRecords{r: r, text: text}
}

// csvRecords are those of encoding/csv.
type csvRecords struct {
	r    *csv.Reader
	text string
}

func (c *csvRecords) next() (record, error) {
	for {
		before := c.r.InputOffset()
		fields, err := c.r.Read()
		if err != nil {
			return record{}, c.unclosed(err)
		}
		blank := true
		for i, f := range fields {
			fields[i] = strings.TrimSpace(f)
			blank = blank && fields[i] == ""
		}
		if blank && len(fields) == 1 {
			continue // a line of blanks
		}
		line, _ := c.r.FieldPos(0)
		raw := c.text[before:c.r.InputOffset()]
		places := make([][2]int32, len(fields))
		for i := range fields {
			l, b := c.r.FieldPos(i)
			places[i] = [2]int32{int32(l), int32(b)}
		}
		return record{line, fields, func(i int) (int, int) { return characters(raw, line, places[i]) }}, nil
	}
}

// unclosed says where a quote begins that is not closed before the file ends.
func (c *csvRecords) unclosed(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) && at.Err == csv.ErrQuote && at.StartLine < at.Line {
		return &csv.ParseError{StartLine: at.StartLine, Line: at.StartLine, Err: errors.New("a quote is opened on this line and not closed where its field ends")}
	}
	return err
}

// characters turns a place in bytes into one in characters. raw is the text of the
// record, which may begin with empty lines, and line that of its first field.
func characters(raw string, line int, place [2]int32) (int, int) {
	lines := strings.Split(strings.TrimLeft(raw, "\r\n"), "\n")
	at, column := int(place[0]), int(place[1])-1
	if k := at - line; k >= 0 && k < len(lines) && column <= len(lines[k]) {
		column = utf8.RuneCountInString(lines[k][:column])
	}
	return at, column + 1
}

// blankRecords are lines of fields that blanks divide.
type blankRecords struct {
	rest string
	line int
}

func (b *blankRecords) next() (record, error) {
	for b.rest != "" {
		var text string
		text, b.rest, _ = strings.Cut(b.rest, "\n")
		b.line++
		if fields := strings.Fields(text); len(fields) > 0 {
			line := b.line
			return record{line, fields, func(i int) (int, int) { return lineOf(line, text, i) }}, nil
		}
	}
	return record{}, io.EOF
}

// lineOf returns where field i of a line begins.
func lineOf(line int, text string, i int) (int, int) {
	column, rest := 0, text
	for k := 0; ; k++ {
		trimmed := strings.TrimLeft(rest, " \t\r\v\f")
		column += utf8.RuneCountInString(rest[:len(rest)-len(trimmed)])
		if k == i {
			return line, column + 1
		}
		end := strings.IndexAny(trimmed, " \t\r\v\f")
		if end < 0 {
			return line, column + 1
		}
		column += utf8.RuneCountInString(trimmed[:end])
		rest = trimmed[end:]
	}
}

// delimiterOf finds the delimiter of a text: the first of tab, semicolon, comma and
// blanks that divides its first lines into equally many fields, two at least. If none
// does, it is the one that occurs most.
func delimiterOf(text string) string {
	lines := sample(text)
	if len(lines) == 0 {
		return "comma"
	}
	most, name := 0, "comma"
	for _, d := range []string{"tab", "semicolon", "comma", "blanks"} {
		counts, total := make([]int, len(lines)), 0
		for i, line := range lines {
			counts[i] = fieldCount(line, d)
			total += counts[i] - 1
		}
		if counts[0] > 1 && allEqual(counts) {
			return d
		}
		if total > most {
			most, name = total, d
		}
	}
	return name
}

// sample returns the first lines that are not empty.
func sample(text string) []string {
	const most = 10
	var lines []string
	for text != "" && len(lines) < most {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// fieldCount counts the fields of a line, quoted ones as one.
func fieldCount(line, delimiter string) int {
	if delimiter == "blanks" {
		return len(strings.Fields(line))
	}
	n, in := 1, false
	for _, r := range line {
		switch {
		case r == '"':
			in = !in
		case r == separators[delimiter] && !in:
			n++
		}
	}
	return n
}

func allEqual(counts []int) bool {
	for _, n := range counts {
		if n != counts[0] {
			return false
		}
	}
	return true
}
