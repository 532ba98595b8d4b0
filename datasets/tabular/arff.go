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
	kind   string          // "numeric", "nominal", "string", "date"
	values map[string]bool // of a nominal one
	first  string          // of them
}

// arff reads an ARFF file: a header of attributes, then rows of all values or, in
// braces, of the values other than 0.
func (t *builder) arff() {
	var attributes []attribute
	data := false
	l := t.lines(t.file)
	for raw, ok := l.next(); ok; raw, ok = l.next() {
		s := strings.TrimSpace(raw)
		switch {
		case s == "" || s[0] == '%':
		case data:
			if !t.arffRow(l.line, raw, attributes) {
				return
			}
		case keyword(s, "@relation"):
		case keyword(s, "@attribute"):
			a, err := parseAttribute(strings.TrimSpace(s[len("@attribute"):]))
			if err != nil {
				t.at(l.line, 1, "%v", err)
				return
			}
			if len(attributes) == MaxColumns {
				t.at(l.line, 1, "more than %d attributes", MaxColumns)
				return
			}
			a.line = l.line
			attributes = append(attributes, a)
		case keyword(s, "@data"):
			if data = true; !t.attributes(l.line, attributes) {
				return
			}
		default:
			t.at(l.line, 1, "want @relation, @attribute or @data, got %s", quoted(s))
			return
		}
	}
	if t.ended(l.err); l.err == io.EOF && !data {
		t.at(0, 0, "the file has no line @data; is it ARFF?")
	}
}

// keyword reports whether a line begins with this word of the format, in any case.
func keyword(line, word string) bool {
	if len(line) < len(word) || !strings.EqualFold(line[:len(word)], word) {
		return false
	}
	return len(line) == len(word) || strings.ContainsRune(" \t", rune(line[len(word)]))
}

// parseAttribute reads the name and the type after @attribute.
func parseAttribute(s string) (attribute, error) {
	name, rest, err := token(s, " \t{")
	if err != nil || name == "" {
		return attribute{}, fmt.Errorf("want `@attribute name type`, got %s", quoted(s))
	}
	rest = strings.TrimSpace(rest)
	a := attribute{name: name}
	if inner, ok := strings.CutPrefix(rest, "{"); ok {
		inner, ok = strings.CutSuffix(inner, "}")
		if !ok {
			return a, fmt.Errorf("the values of attribute %s are not closed by }", quoted(name))
		}
		a.kind = "nominal"
		values, _, err := tokens(inner, maxNominal)
		if err != nil {
			return a, fmt.Errorf("attribute %s: %w", quoted(name), err)
		}
		a.first, a.values = values[0], make(map[string]bool, len(values))
		for _, v := range values {
			a.values[v] = true
		}
		return a, nil
	}
	kind, _, _ := strings.Cut(strings.ToLower(rest), " ")
	switch kind {
	case "numeric", "real", "integer":
		a.kind = "numeric"
	case "string", "date":
		a.kind = kind
	default:
		return a, fmt.Errorf("attribute %s has the type %s, want numeric, real, integer, string, date or {values}", quoted(name), quoted(kind))
	}
	return a, nil
}

// attributes sets up the columns. The label is that of the options, or the attribute
// called class, or the last nominal one.
func (t *builder) attributes(line int, all []attribute) bool {
	if len(all) == 0 {
		t.at(line, 1, "no @attribute stands before @data")
		return false
	}
	var names []string
	for _, a := range all {
		names = append(names, a.name)
	}
	if t.options.Label.IsZero() {
		i := slices.IndexFunc(all, func(a attribute) bool { return strings.EqualFold(a.name, "class") })
		for k := len(all) - 1; k >= 0 && i < 0; k-- {
			if all[k].kind == "nominal" && !slices.ContainsFunc(t.options.Drop, func(c Column) bool { return c.Name == all[k].name || c.Number == k+1 }) {
				i = k
			}
		}
		if i < 0 {
			t.at(line, 1, "no attribute is nominal or called class; name the label: `label: last`")
			return false
		}
		t.options.Label = Column{Number: i + 1}
	}
	if !t.begin(len(all), names, func(i int) (int, int) { return all[i].line, 1 }) {
		return false
	}
	t.layout.Label = t.ref(t.find(t.options.Label))
	for i, a := range all {
		if t.columns[i].role == feature && (a.kind == "string" || a.kind == "date") && t.options.Encode == "" && !t.survey {
			t.at(a.line, 1, "attribute %s is a %s; leave it out with %s", quoted(a.name), a.kind, t.drop(i))
		}
	}
	return len(t.faults) == 0
}

// arffRow reads a row of data and reports whether there is room for more.
func (t *builder) arffRow(line int, raw string, attributes []attribute) bool {
	s := strings.TrimSpace(raw)
	inner, sparse := strings.CutPrefix(s, "{")
	if sparse {
		end := strings.LastIndexByte(inner, '}')
		if end < 0 {
			t.at(line, utf8.RuneCountInString(raw), "the row is not closed by }")
			return true
		}
		s = inner[:end]
	}
	shift := strings.Index(raw, s)
	var fields []string
	var places []int // in bytes of s
	var err error
	if sparse {
		fields, places, err = sparseFields(s, attributes)
	} else {
		fields, places, err = tokens(s, MaxColumns)
	}
	at := func(i int) (int, int) { return line, utf8.RuneCountInString(raw[:shift+places[i]]) + 1 }
	if err != nil {
		column := 1
		if len(places) > 0 {
			_, column = at(len(places) - 1)
		}
		t.at(line, column, "%v", err)
		return true
	}
	if n := len(fields); n != len(attributes) {
		l, c := at(min(n-1, len(attributes)))
		t.at(l, c, "%s, want %d as there are attributes", text.Counted(n, "value"), len(attributes))
		return true
	}
	for i, a := range attributes {
		if a.kind == "nominal" && t.columns[i].role == label && fields[i] != "?" && !a.values[fields[i]] {
			l, c := at(i)
			t.at(l, c, "%s is none of the values of attribute %s", quoted(fields[i]), quoted(a.name))
		}
	}
	return t.row(line, fields, at)
}

// sparseFields expands a row of "index value" pairs between commas. A value that is not
// given is 0, or the first value of a nominal attribute, and its place is 0. With an error,
// the last place is that of the error.
func sparseFields(s string, attributes []attribute) (fields []string, places []int, err error) {
	fields, places = make([]string, len(attributes)), make([]int, len(attributes))
	for i, a := range attributes {
		if fields[i] = "0"; a.kind == "nominal" {
			fields[i] = a.first
		}
	}
	known := make(map[int]bool)
	for rest := strings.TrimLeft(s, blanks); rest != ""; {
		begin, whole := len(s)-len(rest), rest
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		i, number := strconv.Atoi(rest[:digits])
		value := strings.TrimLeft(rest[digits:], blanks)
		blank := len(value) < len(rest)-digits
		if value, rest, err = token(value, ","); err == nil {
			rest = strings.TrimLeft(rest, blanks)
			if number != nil || i >= len(attributes) || known[i] || !blank || value == "" || rest != "" && rest[0] != ',' {
				err = fmt.Errorf("want an index from 0 to %d, each once, and a value; got %s", len(attributes)-1, quoted(whole))
			}
		}
		if err != nil {
			return nil, append(places, begin), err
		}
		fields[i], places[i], known[i] = value, begin, true
		rest = strings.TrimLeft(strings.TrimPrefix(rest, ","), blanks)
	}
	return fields, places, nil
}

// tokens divides a text at commas, or at tabs if it has no comma, but not in quotes.
// places are the byte offsets of the tokens.
func tokens(s string, most int) (list []string, places []int, err error) {
	stop, around := ",", " \t"
	if !strings.Contains(s, ",") && strings.Contains(s, "\t") {
		stop, around = "\t", " "
	}
	for rest := s; ; {
		rest = strings.TrimLeft(rest, around)
		if len(list) == most {
			return nil, nil, fmt.Errorf("more than %d values", most)
		}
		places = append(places, len(s)-len(rest))
		var text string
		if text, rest, err = token(rest, stop); err != nil {
			return nil, nil, err
		}
		list = append(list, text)
		rest = strings.TrimLeft(rest, around+"\r")
		switch {
		case rest == "":
			return list, places, nil
		case !strings.HasPrefix(rest, stop):
			return nil, nil, fmt.Errorf("%s follows a closing quote; want a comma", quoted(rest))
		}
		rest = rest[1:]
	}
}

// token reads a word up to one of the stops, or a quoted word with \ before a quote
// inside.
func token(s, stops string) (text, rest string, err error) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		end := strings.IndexAny(s, stops)
		if end < 0 {
			end = len(s)
		}
		return strings.TrimSpace(s[:end]), s[end:], nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == s[0]:
			return b.String(), s[i+1:], nil
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", fmt.Errorf("a quote is opened and not closed: %s", quoted(s))
}
