package tabular

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/text"
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
	head, err := headOf(records)
	if len(head) == 0 {
		t.unreadable(err)
		return
	}
	names, header := t.options.headerOf(head)
	if len(names) <= len(head[0].fields) && t.preamble(head) {
		return
	}
	t.layout.Header, t.rowNames = &header, len(names) > len(head[0].fields)
	place := head[0].place
	if t.rowNames {
		place = func(i int) (int, int) { return head[0].place(max(i-1, 0)) }
	}
	if !t.begin(max(len(names), len(head[0].fields)), names, place) {
		return
	}
	if n := fullLines(text); n*len(t.columns) > MaxValues+len(t.columns) && !strings.Contains(text, `"`) {
		t.at(0, 0, "%d lines of %d columns are more than %d values", n, len(t.columns), MaxValues)
		return
	}
	t.layout.Label = t.ref(t.find(t.options.Label))
	rows := head
	if header {
		rows = head[1:]
	}
	for _, r := range rows {
		if !t.record(r) {
			return
		}
	}
	for err == nil {
		var r record
		if r, err = records.next(); err == nil && !t.record(r) {
			return
		}
	}
	if err != io.EOF {
		t.unreadable(err)
	}
}

// fullLines counts the lines that are not empty.
func fullLines(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// headOf reads up to three records. The error is that of the next, if it has one.
func headOf(all records) (head []record, err error) {
	for len(head) < 3 {
		r, err := all.next()
		if err != nil {
			return head, err
		}
		head = append(head, r)
	}
	return head, nil
}

// rowNames is what the column of row names is called, which R writes without a name in
// the header.
const rowNames = "rownames"

// headerOf tells whether the first line has the names of the columns: none of its fields
// is a number, but some field of the second is. Where it has one field less than the two
// lines after it, the first column has the names of the rows.
func (o Options) headerOf(head []record) (names []string, header bool) {
	first, second := head[0].fields, []string(nil)
	if len(head) > 1 {
		second = head[1].fields
	}
	header = !slices.ContainsFunc(first, numeric) && slices.ContainsFunc(second, numeric)
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
func (t *builder) preamble(head []record) bool {
	if len(head) < 2 {
		return false
	}
	first, n := head[0], len(head[1].fields)
	if n == len(first.fields) || len(head) == 3 && len(head[2].fields) != n {
		return false
	}
	line, column := first.place(0)
	t.at(line, column, "%s, while the lines after it have %d; if it is neither a row nor the names of the columns, leave it out with `skip: %d`",
		text.Counted(len(first.fields), "field"), n, first.line)
	return true
}

// record adds a record unless its fields are too few or too many. It tells whether
// there is room for more.
func (t *builder) record(r record) bool {
	if n, want := len(r.fields), len(t.columns); n != want {
		line, column := r.place(min(n-1, want)) // the last one, or the first that is too many
		t.at(line, column, "%s, want %d as on the first line%s", text.Counted(n, "field"), want, t.otherDelimiter(n, r))
		return true
	}
	if (len(t.labels)+1)*len(t.columns) > MaxValues {
		t.at(r.line, 1, "more than %d values (rows times columns)", MaxValues)
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

// numeric tells whether a field is a number, or meant as one: with a comma, too large.
func numeric(s string) bool {
	return strings.Trim(s, "0123456789+-.,eE") == "" && strings.ContainsAny(s, "0123456789")
}

// unreadable reports what stops the reading of a file.
func (t *builder) unreadable(err error) {
	var at *csv.ParseError
	var wide tooWide
	switch {
	case err == io.EOF:
		t.at(0, 0, "the file has no rows")
	case errors.As(err, &wide):
		t.at(wide.line, wide.column, "%v", wide)
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

// A tooWide is a line of more columns than a table may have. It is refused before it is
// divided, which takes many times the memory of its text.
type tooWide struct{ line, column, columns int }

func (e tooWide) Error() string {
	return fmt.Sprintf("%d columns, at most %d are possible", e.columns, MaxColumns)
}

// records reads records one by one.
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
	line int // before the next record
}

// width refuses a record of too many fields. text begins with it.
func (c *csvRecords) width(text string) error {
	n, in, at := 1, false, 0
	lines := len(text) - len(strings.TrimLeft(text, "\r\n"))
	for i := lines; i < len(text) && (in || text[i] != '\n'); i++ {
		switch {
		case text[i] == '"':
			in = !in
		case text[i] == byte(c.r.Comma) && !in:
			if n++; n == MaxColumns+1 {
				at = i + 1
			}
		}
	}
	if n <= MaxColumns {
		return nil
	}
	line, column := place([]byte(text[:at]), at)
	return tooWide{c.line + line, column, n}
}

func (c *csvRecords) next() (record, error) {
	for {
		before := c.r.InputOffset()
		if err := c.width(c.text[before:]); err != nil {
			return record{}, err
		}
		fields, err := c.r.Read()
		if err != nil {
			return record{}, c.unclosed(err, c.text[before:])
		}
		c.line += strings.Count(c.text[before:c.r.InputOffset()], "\n")
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
// text begins with the record.
func (c *csvRecords) unclosed(err error, text string) error {
	var at *csv.ParseError
	if errors.As(err, &at) && at.Err == csv.ErrQuote && at.StartLine < at.Line {
		quote := opening(text)
		line, column := place([]byte(text[:quote]), quote)
		return &csv.ParseError{StartLine: at.StartLine, Line: c.line + line, Column: column,
			Err: errors.New("a quote is opened here and not closed where its field ends")}
	}
	return err
}

// opening returns where the first quote begins that is not closed on its line.
func opening(text string) int {
	at, in := 0, false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			if in = !in; in {
				at = i
			}
		case text[i] == '\n' && in:
			return at
		}
	}
	return at
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

// blankRecords are lines of fields that blanks divide, quoted ones as R writes them.
type blankRecords struct {
	rest string
	line int
}

func (b *blankRecords) next() (record, error) {
	for b.rest != "" {
		var text string
		text, b.rest, _ = strings.Cut(b.rest, "\n")
		b.line++
		fields, places, err := blankFields(text)
		if err != nil {
			err.StartLine, err.Line = b.line, b.line
			return record{}, err
		}
		if n := len(fields); n > MaxColumns {
			column := utf8.RuneCountInString(text[:places[MaxColumns]]) + 1
			return record{}, tooWide{b.line, column, n - 1 + words(text[places[n-1]:])}
		}
		if len(fields) > 0 {
			line := b.line
			return record{line, fields, func(i int) (int, int) { return line, utf8.RuneCountInString(text[:places[i]]) + 1 }}, nil
		}
	}
	return record{}, io.EOF
}

// blanks are the characters that divide fields of a line.
const blanks = " \t\r\v\f"

// blankFields divides a line at its blanks, and tells at which byte each field begins.
// In a field that begins with a quote, blanks are part of it, and \" or "" is a quote.
// Of too many fields, the first that is too many is the last one.
func blankFields(text string) (fields []string, places []int, _ *csv.ParseError) {
	for at := 0; ; {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], blanks))
		if at == len(text) || len(fields) > MaxColumns {
			return fields, places, nil
		}
		field, end, err := blankField(text, at)
		if err != nil {
			return nil, nil, err
		}
		fields, places = append(fields, field), append(places, at)
		at = end
	}
}

// blankField reads the field that begins at a byte, and tells where it ends.
func blankField(text string, at int) (field string, end int, _ *csv.ParseError) {
	fault := func(at int, err error) *csv.ParseError {
		return &csv.ParseError{Column: utf8.RuneCountInString(text[:at]) + 1, Err: err}
	}
	if text[at] != '"' {
		end = len(text)
		if n := strings.IndexAny(text[at:], blanks); n >= 0 {
			end = at + n
		}
		if quote := strings.IndexByte(text[at:end], '"'); quote >= 0 {
			return "", 0, fault(at+quote, csv.ErrBareQuote)
		}
		return text[at:end], end, nil
	}
	var b strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch next := text[i+1:]; {
		case text[i] == '\\' && strings.HasPrefix(next, `"`), text[i] == '"' && strings.HasPrefix(next, `"`):
			b.WriteByte('"')
			i++
		case text[i] != '"':
			b.WriteByte(text[i])
		case next != "" && !strings.ContainsRune(blanks, rune(next[0])):
			return "", 0, fault(i+1, csv.ErrQuote)
		default:
			return strings.TrimSpace(b.String()), i + 1, nil
		}
	}
	return "", 0, fault(at, errors.New("a quote is opened here and not closed on its line"))
}

// lineOf returns where field i of a line begins.
func lineOf(line int, text string, i int) (int, int) {
	column, rest := 0, text
	for k := 0; ; k++ {
		trimmed := strings.TrimLeft(rest, blanks)
		column += utf8.RuneCountInString(rest[:len(rest)-len(trimmed)])
		if k == i {
			return line, column + 1
		}
		end := strings.IndexAny(trimmed, blanks)
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
	const most, mostSample = 10, 4 << 20
	var lines []string
	for text != "" && len(lines) < most {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if line = strings.TrimSpace(line[:min(len(line), mostSample)]); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// fieldCount counts the fields of a line, quoted ones as one.
func fieldCount(line, delimiter string) int {
	if delimiter == "blanks" {
		if fields, _, err := blankFields(line); err == nil {
			return len(fields)
		}
		return words(line)
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

// words counts what blanks divide.
func words(line string) int {
	n := 0
	for range strings.FieldsSeq(line) {
		n++
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
