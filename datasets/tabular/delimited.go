package tabular

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/text"
)

// delimited opens a file of one row per line.
func (t *builder) delimited() *sheet {
	sample := t.sampled(t.file, t.options.Skip, t.options.Comment)
	t.layout.Delimiter, t.layout.Skip, t.layout.Comment = t.options.Delimiter, t.options.Skip, t.options.Comment
	if t.layout.Delimiter == "" {
		t.layout.Delimiter = delimiterOf(sample)
	}
	head, l := t.head()
	if len(head) == 0 {
		switch {
		case l.err == io.EOF && l.line <= t.options.Skip:
			t.at(0, 0, "the file is empty")
		case l.err == io.EOF:
			t.at(0, 0, "the file has no rows")
		default:
			t.ended(l.err)
		}
		return nil
	}
	names := t.header(head)
	header := names != nil
	declared := t.wanted != nil || t.cells || t.options.Missing != nil || t.options.Nominal != nil
	if len(names) <= len(head[0].fields) && t.titled(head) || header && !declared && t.between(head) {
		return nil
	}
	t.layout.Header, t.firstLine, t.rowNames = &header, head[0].line, len(names) > len(head[0].fields)
	s := &sheet{width: max(len(names), len(head[0].fields)), names: names, place: head[0].place, marks: true}
	if t.rowNames {
		s.place = func(i int) (int, int) { return head[0].place(max(i-1, 0)) }
	}
	if s.width == 1 && t.wanted == nil && !t.cells {
		t.oneColumn(sample)
		return nil
	}
	s.each = func(faults *reporter, use func(row) bool) {
		all := t.records()
		if header {
			all.next()
		}
		t.rows(all, s.width, faults, use)
	}
	return s
}

// rows gives the records as rows of a width.
func (t *builder) rows(all *records, width int, faults *reporter, use func(row) bool) {
	var cells []cell
	for {
		r, err := all.next()
		if err != nil {
			faults.ended(err)
			return
		}
		if n := len(r.fields); n != width {
			line, column := r.place(min(n-1, width)) // the last one, or the first that is too many
			if hasMark(r.text) {
				t.commented = strings.TrimLeft(r.text, blanks)[:1]
			}
			faults.at(line, column, "%s, want %d as on the first line%s", text.Counted(n, "field"), width, t.hint(r))
			continue
		}
		cells = cells[:0]
		for _, field := range r.fields {
			cells = append(cells, cell{text: field})
		}
		if !use(row{line: r.line, cells: cells, place: r.place}) {
			return
		}
	}
}

// records begins to read the file behind the lines that are skipped.
func (t *builder) records() *records {
	l := t.lines(t.file)
	for range t.options.Skip {
		l.next()
	}
	return newRecords(l, t.layout.Delimiter, t.options.Comment)
}

// head returns the first records, which tell whether there is a header.
func (t *builder) head() (head []record, l *lines) {
	const most, mostFields = 1_000, 100_000
	all := t.records()
	for fields := 0; len(head) < 3 || len(head) < most && fields < mostFields; {
		r, err := all.next()
		if err != nil {
			break
		}
		head, fields = append(head, r), fields+len(r.fields)
	}
	return head, all.lines
}

// hint says what a record of another length may be.
func (t *builder) hint(r record) string {
	switch {
	case t.cells:
	case t.commented != "" && commented(r.text, t.commented):
		return fmt.Sprintf("; if it is a comment, add `comment: %q`", t.commented)
	case len(r.fields) == 1 && strings.ContainsAny(r.fields[0], ";,\t"):
		return "; the fields are divided by " + t.layout.Delimiter + ", or else name the `delimiter`"
	}
	return ""
}

// oneColumn reports a file whose lines the delimiter does not divide, and suggests one that does.
func (t *builder) oneColumn(sample []string) {
	others := ""
	for _, d := range delimiters {
		if n := len(fieldsOf(sample[0], d)); n > 1 && d != t.layout.Delimiter {
			others = fmt.Sprintf("; `delimiter: %s` would give %d columns", d, n)
			break
		}
	}
	t.at(t.layout.Skip+1, 0, "no column is left for a feature: divided by %s, the file has 1 column, and the label and a feature are needed%s",
		t.layout.Delimiter, others)
}

// rowNames is our name for the column of row names; R leaves its name out of the header.
const rowNames = "rownames"

// header returns the names on the first line, nil where it is a row. Where it has one field less than the two
// lines after it, the first column has the names of the rows. What is a guess is noted.
func (t *builder) header(head []record) []string {
	first, name := head[0].fields, t.options.Label.Name
	header, why := false, ""
	switch {
	case separatorLine.MatchString(head[0].text):
	case t.options.Header != nil:
		header = *t.options.Header
	case name != "" && name != First && name != Last && slices.Contains(first, name):
		header = true
	case slices.Contains(first, "?"):
	default:
		header, why = headerOf(head)
	}
	if !header {
		return nil
	}
	t.headerWhy = why
	if sign := first[0]; strings.HasPrefix(sign, "# ") || strings.HasPrefix(sign, "% ") { // as NumPy writes names
		first = slices.Clone(first)
		first[0] = strings.TrimSpace(sign[1:])
	}
	if one := len(first) + 1; len(first) > 1 && len(head) > 2 && len(head[1].fields) == one && len(head[2].fields) == one && !slices.Contains(first, rowNames) {
		return append([]string{rowNames}, first...)
	}
	return first
}

// headerOf tells whether the first of some records has names: none of its fields is a number, but some column
// has numbers below one; or it numbers the columns; or all is text, and its fields occur nowhere else in columns
// some of which repeat their values. The last two are guesses, for which it says why.
func headerOf(head []record) (header bool, why string) {
	first, below := head[0].fields, head[1:]
	if len(below) == 0 {
		return false, ""
	}
	columns, shift := make([]columnBelow, len(first)), 0
	if len(below[0].fields) == len(first)+1 { // row names
		shift = 1
	}
	counts := first[0] == ""
	for i, r := range below {
		for j := range min(len(first), len(r.fields)-shift) {
			columns[j].add(first[j], r.fields[j+shift])
		}
		counts = counts && (r.fields[0] == fmt.Sprint(i) || r.fields[0] == fmt.Sprint(i+1))
	}
	contrast, unseen, repeats := counts, 0, false
	for j, c := range columns {
		contrast = contrast || (c.second || 2*c.numbers > c.rows) && !meansMissing(first[j])
		repeats = repeats || c.repeats()
		if c.equal == 0 {
			unseen++
		}
	}
	named := !slices.ContainsFunc(first, numeric)
	switch {
	case named && contrast:
		return true, ""
	case named && unseen == len(first) && repeats && len(below) > 4 && !slices.ContainsFunc(first, meansMissing):
		return true, "its texts occur nowhere else in their columns"
	case numbered(first, columns, unseen):
		return true, "it numbers the columns"
	}
	return false, ""
}

// A columnBelow is what the records below the first hold in a column.
type columnBelow struct {
	rows, numbers, equal int  // equal: fields that are that of the first record
	missing              int  // fields that mean a missing number
	second, decimals     bool // the second record has a number; some field is no whole one
	values               map[string]bool
}

// repeats reports whether values repeat, as classes do.
func (c *columnBelow) repeats() bool { return 2*len(c.values) <= c.rows }

func (c *columnBelow) add(first, field string) {
	if c.values == nil {
		c.values = map[string]bool{}
	}
	if c.rows++; numeric(field) {
		c.numbers, c.second, c.decimals = c.numbers+1, c.second || c.rows == 1, c.decimals || strings.ContainsAny(field, ".,eE")
	}
	if field == first {
		c.equal++
	}
	if meansMissing(field) || meansMissingNumber(field) {
		c.missing++
	}
	c.values[field] = true
}

// numbered tells whether fields are 0, 1, 2, ... or 1, 2, 3, ..., perhaps behind an empty one, or behind or before a text that is the
// name of a column; with such a text they may also have other equal steps, as years and wavelengths do. unseen is how many of
// them the columns below do not have: rows of whole numbers may look alike, so that less than five columns need decimals below.
func numbered(first []string, columns []columnBelow, unseen int) bool {
	isName := func(j int) bool { return !numeric(first[j]) && columns[j].equal == 0 && !meansMissing(first[j]) }
	from, to := 0, len(first)
	if c := columns[0]; first[0] == "" || isName(0) && (c.numbers > 0 || c.repeats()) {
		from = 1
	}
	if to-from > 1 && isName(to-1) {
		to--
	}
	n := to - from
	v, counted := make([]float64, n), true
	for i, field := range first[from:to] {
		var err error
		counted = counted && (field == strconv.Itoa(i) || field == strconv.Itoa(i+1))
		if v[i], err = strconv.ParseFloat(field, 64); err != nil {
			return false
		}
		if i > 0 && !(v[i] > v[i-1] && math.Abs((v[i]-v[i-1])-(v[1]-v[0])) <= 1e-6*(v[1]-v[0])) {
			return false
		}
	}
	switch named := to < len(first) || from > 0 && first[0] != ""; {
	case n > 2 && named && unseen == len(first):
		return true
	case n < 2 || !counted || v[1] != v[0]+1: // 0.0,1.0 may be measured
		return false
	}
	decimals := slices.ContainsFunc(columns, func(c columnBelow) bool { return c.decimals })
	return n > 4 && unseen > 0 || decimals && (n > 2 && unseen > 0 || n == 2 && unseen == len(first))
}

// titled reports whether the first lines are none of the table: the first has another number of fields than the two after it,
// or the first few have less than all others, or a text alone; or the first is that of counts.
func (t *builder) titled(head []record) bool {
	head = slices.DeleteFunc(slices.Clone(head), func(r record) bool {
		return r.line > head[0].line && hasMark(r.text) && t.options.Comment == ""
	})
	if len(head) < 2 {
		return false
	}
	first, n := head[0], len(head[1].fields)
	if line, column := first.place(0); t.options.Header == nil && countsOf(head) {
		t.title, t.counted = first.line, true
		t.at(line, column, "the line counts the rows and the features and names the classes; leave it out with `skip: %d`", first.line)
		return true
	}
	last, separator := first, 0
	if separatorLine.MatchString(first.text) {
		separator = 1
	}
	if k := t.titles(head[separator:]) + separator; k > separator {
		last, n = head[k-1], len(head[k].fields)
	} else if separator == 0 && (n == len(first.fields) || len(head) > 2 && len(head[2].fields) != n) {
		return false
	}
	t.title = last.line
	line, column := first.place(0)
	remedy := fmt.Sprintf("leave it out with `skip: %d`", last.line)
	if !t.learns() && !t.survey {
		remedy = "remove it"
	}
	what := text.Counted(len(first.fields), "field")
	if n == len(first.fields) {
		what = "one text"
	}
	t.at(line, column, "%s, while the lines after it have %d; if it is neither a row nor the names of the columns, %s", what, n, remedy)
	return true
}

// titles counts the records before the names of a table: up to ten, each with less fields than all after them or with a text in
// the first of three or more that stands nowhere below. Three or more of equally many fields are rows. Names are no numbers.
func (t *builder) titles(head []record) int {
	width := len(head[len(head)-1].fields)
	padded := func(r record) bool {
		return len(r.fields) == width && width > 2 && strings.Join(r.fields[1:], "") == ""
	}
	title := func(r record) bool {
		return len(r.fields) < width || padded(r) && !numeric(r.fields[0]) && (r.fields[0] == "" || !meansMissing(r.fields[0]))
	}
	k := slices.IndexFunc(head, func(r record) bool { return !title(r) })
	if k < 1 || k > 10 || len(head) < k+3 || t.options.Header != nil && !*t.options.Header || slices.Contains(head[k].fields, "") ||
		slices.ContainsFunc(head[k].fields, numeric) || slices.ContainsFunc(head[k:], func(r record) bool { return len(r.fields) != width }) {
		return 0
	}
	alike := 0 // titles of as many fields as the first, two or more
	for _, r := range head[:k] {
		if padded(r) && slices.ContainsFunc(head[k:], func(below record) bool { return below.fields[0] == r.fields[0] }) {
			return 0
		}
		if !padded(r) && len(r.fields) > 1 && len(r.fields) == len(head[0].fields) {
			alike++
		}
	}
	if alike > 2 {
		return 0
	}
	return k
}

// unitField is what lines of units, types and rules have in their fields.
var unitField = regexp.MustCompile(`^(\(.*\)|\[.*\]|:?-+:?|c|d|continuous|discrete)$`)

// between reports records between the names and the rows: they have texts where most others have numbers.
func (t *builder) between(head []record) bool {
	if len(head) < 5 {
		return false
	}
	below := make([]columnBelow, len(head[0].fields))
	for _, r := range head[3:] {
		for j := range min(len(below), len(r.fields)) {
			below[j].add("", r.fields[j])
		}
	}
	texts := func(r record) (texts []string, columns int) { // in columns of numbers; none where one has a number
		for j, field := range r.fields[:min(len(below), len(r.fields))] {
			switch {
			case 10*below[j].numbers < 9*(below[j].rows-below[j].missing) || below[j].numbers == 0:
				continue
			case numeric(field):
				return nil, len(below)
			case !meansMissing(field) && !meansMissingNumber(field):
				texts = append(texts, field)
			}
			columns++
		}
		return texts, columns
	}
	first, columns := texts(head[1])
	if n := len(first); n < 1 || 2*n < columns || n == 1 && !unitField.MatchString(first[0]) {
		return false
	}
	line, column := head[1].place(0)
	which := fmt.Sprintf("line %d", line)
	if second, columns := texts(head[2]); len(second) == 0 && columns < len(below) {
		which += fmt.Sprintf(" and line %d", head[2].line)
	}
	t.at(line, column, "%s between the names and the rows: no numbers, while the columns have numbers below; if it gives units or types, remove %s",
		quoted(strings.Join(head[1].fields, " ")), which)
	return true
}

// countsOf reports whether the first of some records has the number of rows, that of features, and the names of the classes
// 0, 1, ... of the last column, as files of scikit-learn have, in as many fields as a row.
func countsOf(head []record) bool {
	first, below := head[0].fields, head[1:]
	last := len(below[0].fields) - 1
	rows, err := strconv.Atoi(first[0])
	if classes := len(first) - 2; err != nil || classes < 2 || len(first) != last+1 || first[1] != strconv.Itoa(last) || slices.ContainsFunc(first[2:], numeric) ||
		rows < len(below) { // there may be more than these
		return false
	}
	return !slices.ContainsFunc(below, func(r record) bool {
		class, err := strconv.Atoi(r.fields[len(r.fields)-1])
		return err != nil || class < 0 || class >= len(first)-2 || len(r.fields) != last+1
	})
}

// separatorLine is the line by which spreadsheets are told the delimiter.
var separatorLine = regexp.MustCompile(`(?i)^sep=.\s*$`)

// numeric reports whether a field is a number or looks like one: with a decimal comma, or too
// large.
func numeric(s string) bool {
	return numberLike(s) && strings.Trim(s, "0123456789+-.,eE") == "" && strings.ContainsAny(s, "0123456789")
}

// commaNumber is a number with a decimal comma.
var commaNumber = regexp.MustCompile(`^[+-]?\d+,\d+([eE][+-]?\d+)?$`)

// The texts, in lower case, that stand for a missing value of delimited text when Options do not name others: in every
// column, and in columns of numbers alone.
var (
	alwaysMissing = []string{"", "?", "na", "n/a", "nan", "null", "<na>"}
	numberMissing = []string{"#n/a", "none", ".", "-"}
)

func meansMissing(field string) bool {
	return len(field) <= 4 && slices.Contains(alwaysMissing, strings.ToLower(field))
}

func meansMissingNumber(field string) bool {
	return len(field) <= 4 && slices.Contains(numberMissing, strings.ToLower(field))
}

// separators are the bytes of the delimiters; blanks have none.
var separators = map[string]byte{"comma": ',', "semicolon": ';', "tab": '\t', "pipe": '|', "colon": ':'}

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
	comment   string // what lines begin with that are no records; "": there are none
	width     int    // of the last record
}

func newRecords(l *lines, delimiter, comment string) *records {
	r := &records{lines: l, separator: separators[delimiter], around: blanks, comment: comment}
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
		if strings.Trim(text, s.around) != "" && !commented(text, s.comment) {
			r := record{line: s.line, text: text, fields: make([]string, 0, s.width), at: make([]int, 0, s.width)}
			err := s.split(&r)
			s.width = len(r.fields)
			return r, err
		}
	}
}

// commented tells whether a line is a comment.
func commented(line, comment string) bool {
	return comment != "" && strings.HasPrefix(strings.TrimLeft(line, blanks), comment)
}

// hasMark tells whether a line begins as comments often do.
func hasMark(line string) bool { return commented(line, "#") || commented(line, "%") }

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

// likely are the delimiters in the order in which they are tried; of those of one group the one counts
// that makes more fields.
var likely = [][]string{{"tab"}, {"semicolon"}, {"comma", "pipe"}, {"blanks", "colon"}}

// delimiterOf finds the delimiter of some lines: the first that divides them into equally many fields, two at
// least. If none does, it is the one that occurs most.
func delimiterOf(sample []string) string {
	most, name := 0, "comma"
	for _, group := range likely {
		fields, best := 1, ""
		for _, d := range group {
			first, total, equal := 0, 0, true
			for i, line := range sample {
				n := len(fieldsOf(line, d))
				if i == 0 {
					first = n
				}
				total, equal = total+n-1, equal && n == first
			}
			if first > fields && equal {
				fields, best = first, d
			}
			if total > most && d != "colon" { // of times, and of words
				most, name = total, d
			}
		}
		heads := best == "tab" && len(strings.Fields(sample[0])) == fields && !paddedNumbers(sample[0]) // its names stand between tabs alone
		if best != "" && (best != "tab" || heads || !slices.ContainsFunc(sample, paddedNumbers)) {
			return best
		}
	}
	return name
}

// paddedNumbers tells whether the first of the fields between tabs is several numbers between blanks: the tab is one of the blanks.
func paddedNumbers(line string) bool {
	first := strings.Fields(fieldsOf(line, "tab")[0])
	return len(first) > 1 && !slices.ContainsFunc(first, func(s string) bool { return !numeric(s) && !meansMissing(s) })
}

// sampled returns the first lines of a file that are not empty, after those to skip. Lines within a quoted field are one.
func (s source) sampled(file string, skip int, comment string) []string {
	const most, far = 10, 1_000 // lines: not empty, and with the empty ones
	l := s.lines(file)
	var sample []string
	open := func() bool { return len(sample) > 0 && openQuote(sample[len(sample)-1]) }
	for (len(sample) < most || open()) && l.line < skip+far {
		text, ok := l.next()
		if !ok {
			break
		}
		if l.line <= skip || strings.TrimSpace(text) == "" || commented(text, comment) {
			continue
		}
		if open() {
			sample[len(sample)-1] += "\n" + text
		} else {
			sample = append(sample, text)
		}
	}
	return sample
}

// quoteBegins matches a quote that opens a field, whatever the delimiter.
var quoteBegins = regexp.MustCompile(`(^|[,;|:\t ])"`)

// openQuote tells whether a line ends within a quoted field.
func openQuote(line string) bool {
	return strings.Count(line, `"`)%2 == 1 && len(line) < maxLine && quoteBegins.MatchString(line)
}

// fieldsOf divides a line into fields.
func fieldsOf(line, delimiter string) []string {
	r := record{text: line}
	s := newRecords(&lines{err: io.EOF}, delimiter, "")
	switch err := s.split(&r); {
	case err == nil:
		return r.fields
	case delimiter == "blanks":
		return strings.Fields(line)
	}
	return strings.Split(line, string(separators[delimiter]))
}
