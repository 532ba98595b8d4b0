package tabular

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/text"
)

// maxNominal is the largest number of values of an attribute.
const maxNominal = 1 << 20

// An attribute is a column of an ARFF file.
type attribute struct {
	name   string
	line   int
	kind   kind
	is     string          // as the file says: "string", "date"
	values map[string]bool // of a nominal one
	first  string          // of them
}

// A header is what an ARFF file says before its rows.
type arffHeader struct {
	attributes []attribute
	output     string // the name of the label, as files of KEEL say it
	keel       bool   // it names inputs or outputs, as files of KEEL do
	line       int    // of @data
}

// arff opens an ARFF file: a header of attributes, then rows, of all values or in
// braces of those that are not 0. Only an unquoted ? is missing, NaN in an attribute of numbers, and <null> in files of KEEL.
func (t *builder) arff() *sheet {
	l := t.lines(t.file)
	h, err := readHeader(l)
	if err != nil {
		t.ended(err)
		return nil
	}
	if len(h.attributes) == 0 {
		t.at(h.line, 1, "no @attribute stands before @data")
		return nil
	}
	all := h.attributes
	if names := []string{"type", "rowid", "repeat", "fold"}; !t.cells && t.wanted == nil && len(all) >= len(names) &&
		slices.EqualFunc(all[:len(names)], names, func(a attribute, name string) bool { return a.name == name }) {
		t.at(0, 0, "the file has the splits of an OpenML task and no samples; write `split: {rule: openml, file: %s}` in a spec of the data", t.file)
		return nil
	}
	s := &sheet{width: len(all), place: func(i int) (int, int) { return all[i].line, 1 }}
	for _, a := range all {
		s.names, s.declared = append(s.names, a.name), append(s.declared, a.kind)
	}
	if s.label = h.label(t.options.Drop) + 1; s.label == 0 && t.options.Label.IsZero() && t.wanted == nil {
		t.at(h.line, 1, "no attribute is nominal or called class; name the label: `label: last`")
		return nil
	}
	s.each = func(faults *reporter, use func(row) bool) {
		l := t.lines(t.file)
		if _, err := readHeader(l); err != nil {
			faults.ended(err)
			return
		}
		a, i := arffRows{attributes: all, keel: h.keel, reporter: faults}, t.find(t.options.Label)
		aliens := make([]string, len(all)) // the first value of each attribute that it does not declare
		defer func() { t.notes = a.notes(aliens) }()
		for raw, ok := l.next(); ok; raw, ok = l.next() {
			if s := strings.TrimSpace(raw); s == "" || s[0] == '%' {
				continue
			}
			r, ok := a.read(l.line, raw)
			if !ok {
				continue
			}
			for k, c := range r.cells {
				switch {
				case all[k].kind != categories || c.is == absent || all[k].values[c.text]:
				case k == i:
					line, column := r.place(k)
					faults.at(line, column, "%s is none of the values of attribute %s", quoted(c.text), quoted(all[k].name))
				case aliens[k] == "":
					aliens[k] = quoted(c.text)
				}
			}
			if !use(r) {
				return
			}
		}
		faults.ended(l.err)
	}
	return s
}

// readHeader reads a file up to its rows.
func readHeader(l *lines) (h arffHeader, err error) {
	fail := func(format string, args ...any) (arffHeader, error) {
		l.fail(l.line, 1, fmt.Errorf(format, args...))
		return h, l.err
	}
	for raw, ok := l.next(); ok; raw, ok = l.next() {
		s := strings.TrimSpace(raw)
		word, rest := s, ""
		if end := strings.IndexAny(s, " \t"); end > 0 {
			word, rest = s[:end], strings.TrimSpace(s[end:])
		}
		switch strings.ToLower(word) {
		case "@relation":
		case "@inputs", "@input":
			h.keel = true
		case "@outputs", "@output":
			h.keel, h.output = true, strings.Trim(rest, `'"`)
		case "@attribute":
			a, err := parseAttribute(rest)
			if err != nil {
				return fail("%v", err)
			}
			if len(h.attributes) == MaxColumns {
				return fail("more than %d attributes", MaxColumns)
			}
			a.line = l.line
			h.attributes = append(h.attributes, a)
		case "@data":
			h.line = l.line
			return h, nil
		default:
			if s != "" && s[0] != '%' {
				return fail("want @relation, @attribute or @data, got %s", quoted(s))
			}
		}
	}
	if l.err == io.EOF {
		l.fail(0, 0, fmt.Errorf("the file has no line @data; is it ARFF?"))
	}
	return h, l.err
}

// label returns the place of the attribute that is the label where the options name none: the output,
// the one called class, or else the last nominal one; -1 if there is none.
func (h arffHeader) label(drop Columns) int {
	named := func(name string) int {
		return slices.IndexFunc(h.attributes, func(a attribute) bool { return strings.EqualFold(a.name, name) })
	}
	if i := named(h.output); i >= 0 && h.output != "" {
		return i
	}
	i := named("class")
	for k := len(h.attributes) - 1; k >= 0 && i < 0; k-- {
		a := h.attributes[k]
		if a.kind == categories && !slices.ContainsFunc(drop, func(c ColumnRef) bool { return c.Name == a.name || c.Number == k+1 }) {
			i = k
		}
	}
	return i
}

// parseAttribute reads what follows @attribute: a name and a type, perhaps with a range or a comment behind it.
func parseAttribute(s string) (attribute, error) {
	name, _, rest, err := token(s, " \t{")
	if err != nil || name == "" {
		return attribute{}, fmt.Errorf("want `@attribute name type`, got %s", quoted(s))
	}
	rest = strings.TrimSpace(rest)
	a := attribute{name: name}
	if inner, ok := strings.CutPrefix(rest, "{"); ok {
		end := closing(inner)
		if end < 0 {
			return a, fmt.Errorf("the values of attribute %s are not closed by }", quoted(name))
		}
		values, _, err := tokens(inner[:end], maxNominal, 0)
		if err != nil {
			return a, fmt.Errorf("attribute %s: %w", quoted(name), err)
		}
		a.kind, a.first, a.values = categories, values[0].text, make(map[string]bool, len(values))
		for _, v := range values {
			a.values[v.text] = true
		}
		return a, nil
	}
	end := strings.IndexAny(rest+" ", " \t[%")
	switch a.is = strings.ToLower(rest[:end]); a.is {
	case "numeric", "real", "integer":
		a.kind = numbers
	case "string":
		a.kind = words
	case "date":
		a.kind = aside
	default:
		return a, fmt.Errorf("attribute %s has the type %s, want numeric, real, integer, string, date or {values}", quoted(name), quoted(a.is))
	}
	return a, nil
}

// closing returns where the } that is in no quotes stands, -1 if none is there.
func closing(s string) int {
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"') && (i == 0 || strings.IndexByte(", \t", s[i-1]) >= 0):
			quote = c
		case quote == 0 && c == '}':
			return i
		}
	}
	return -1
}

// arffRows reads the rows of a file.
type arffRows struct {
	*reporter
	attributes []attribute
	cells      []cell
	keel       bool // <null> is missing
	weights    bool // rows have them
}

// read reads a row; ok is false with a fault.
func (a *arffRows) read(line int, raw string) (r row, ok bool) {
	s := strings.TrimSpace(raw)
	inner, sparse := strings.CutPrefix(s, "{")
	if sparse {
		end := closing(inner)
		if end < 0 {
			a.at(line, utf8.RuneCountInString(raw), "the row is not closed by }")
			return r, false
		}
		s, a.weights = inner[:end], a.weights || isWeight(inner[end+1:])
	} else if at := strings.LastIndexByte(s, ','); at > 0 && isWeight(s[at:]) {
		s, a.weights = s[:at], true
	}
	shift := strings.Index(raw, s)
	var fields []value
	var places []int // in bytes of s
	var err error
	if sparse {
		fields, places, err = sparseFields(s, a.attributes)
	} else {
		fields, places, err = tokens(s, MaxColumns, len(a.attributes))
	}
	at := func(i int) (int, int) { return line, utf8.RuneCountInString(raw[:shift+places[i]]) + 1 }
	if err != nil {
		column := 1
		if len(places) > 0 {
			_, column = at(len(places) - 1)
		}
		a.at(line, column, "%v", err)
		return r, false
	}
	if n := len(fields); n != len(a.attributes) {
		l, c := at(min(n-1, len(a.attributes)))
		a.at(l, c, "%s, want %d as there are attributes", text.Counted(n, "value"), len(a.attributes))
		return r, false
	}
	a.cells = a.cells[:0]
	for i, f := range fields {
		c, of := cell{text: f.text}, a.attributes[i]
		switch {
		case f.text == "?" && !f.quoted, a.keel && f.text == "<null>", of.kind == numbers && strings.EqualFold(f.text, "nan"):
			c.is = absent
		case of.kind != numbers:
			c.is = word
		}
		a.cells = append(a.cells, c)
	}
	return row{line: line, cells: a.cells, place: at}, true
}

// notes tells of weights, and of values that attributes do not declare.
func (a *arffRows) notes(aliens []string) (notes []string) {
	if a.weights {
		notes = append(notes, "the rows have instance weights, which are not used")
	}
	for i, of := range a.attributes {
		if aliens[i] != "" {
			notes = append(notes, fmt.Sprintf("attribute %s has values that it does not declare, such as %s; they are categories, too", quoted(of.name), aliens[i]))
		}
	}
	return notes
}

// isWeight tells whether what follows a row is the weight of an instance: a comma and a number in braces.
func isWeight(s string) bool {
	s = strings.TrimSpace(s)
	inner, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(s, ",")), "{")
	inner, closed := strings.CutSuffix(inner, "}")
	_, err := strconv.ParseFloat(strings.TrimSpace(inner), 64)
	return ok && closed && err == nil && s[0] == ','
}

// A value is one of a row.
type value struct {
	text   string
	quoted bool
}

// sparseFields expands a row of "index value" pairs between commas. A value that is not
// given is 0, or the first value of a nominal attribute, and its place is 0. With an error,
// the last place is that of the error.
func sparseFields(s string, attributes []attribute) (fields []value, places []int, err error) {
	fields, places = make([]value, len(attributes)), make([]int, len(attributes))
	for i, a := range attributes {
		if fields[i].text = "0"; a.kind == categories {
			fields[i] = value{a.first, true}
		}
	}
	known := make(map[int]bool)
	for rest := strings.TrimLeft(s, blanks); rest != ""; {
		begin, whole := len(s)-len(rest), rest
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		i, number := strconv.Atoi(rest[:digits])
		after := strings.TrimLeft(rest[digits:], blanks)
		blank := len(after) < len(rest)-digits
		var v value
		if v.text, v.quoted, rest, err = token(after, ","); err == nil {
			rest = strings.TrimLeft(rest, blanks)
			if number != nil || i >= len(attributes) || known[i] || !blank || v.text == "" && !v.quoted || rest != "" && rest[0] != ',' {
				err = fmt.Errorf("want an index from 0 to %d, each once, and a value; got %s", len(attributes)-1, quoted(whole))
			}
		}
		if err != nil {
			return nil, append(places, begin), err
		}
		fields[i], places[i], known[i] = v, begin, true
		rest = strings.TrimLeft(strings.TrimPrefix(rest, ","), blanks)
	}
	return fields, places, nil
}

// tokens divides a text at commas, or at tabs or else blanks if it has no comma. Quoted parts may hold them. Where
// that does not make as many as wanted, and blanks and commas together do, these divide it. The places are those of the tokens, in bytes.
func tokens(s string, most, wanted int) (list []value, places []int, err error) {
	switch {
	case strings.Contains(s, ","):
		list, places, err = divide(s, ",", blanks, most)
		if err != nil || len(list) == wanted || wanted == 0 {
			return list, places, err
		}
		if all, at, err := divide(s, ", \t", blanks, most); err == nil && len(all) == wanted {
			return all, at, nil
		}
		return list, places, err
	case strings.Contains(s, "\t"):
		return divide(s, "\t", " \r\v\f", most)
	}
	return divide(s, " ", blanks, most)
}

// divide divides a text at the stops; other characters may stand around its parts.
func divide(s, stops, around string, most int) (list []value, places []int, err error) {
	for rest := s; ; {
		rest = strings.TrimLeft(rest, around)
		if len(list) == most {
			return nil, nil, fmt.Errorf("more than %d values", most)
		}
		places = append(places, len(s)-len(rest))
		var v value
		if v.text, v.quoted, rest, err = token(rest, stops); err != nil {
			return nil, nil, err
		}
		list = append(list, v)
		before := rest
		rest = strings.TrimLeft(rest, around)
		switch {
		case rest == "":
			return list, places, nil
		case strings.IndexByte(stops, rest[0]) >= 0:
			rest = rest[1:]
		case before == rest || !strings.Contains(stops, " "):
			return nil, nil, fmt.Errorf("%s follows a closing quote; want a comma", quoted(rest))
		}
	}
}

// token reads a word up to one of the stops, or a quoted word with \ before a quote
// inside.
func token(s, stops string) (text string, isQuoted bool, rest string, err error) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		end := strings.IndexAny(s, stops)
		if end < 0 {
			end = len(s)
		}
		return strings.TrimSpace(s[:end]), false, s[end:], nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == s[0]:
			return b.String(), true, s[i+1:], nil
		default:
			b.WriteByte(s[i])
		}
	}
	return "", false, "", fmt.Errorf("a quote is opened and not closed: %s", quoted(s))
}
