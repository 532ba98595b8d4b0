package tabular

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/npy"
	"r2lmlbench/internal/strictyaml"
)

// A builder makes a table from rows of fields. It keeps no more different labels and folds
// than a table may have.
type builder struct {
	reporter
	source
	options  Options
	layout   Options
	columns  []column
	features int
	survey   bool     // inspect values without keeping them, see Guess
	wanted   []Wanted // columns to read, others are ignored, see ReadFeatures; nil: by the options

	place     func(i int) (line, column int) // position of the name of column i
	rowNames  bool                           // the first column has the names of the rows
	title     int                            // first line, if it has another number of fields than the next ones; 0: none
	firstLine int                            // first line of delimited text; it may have the names

	x       []float64
	y       []int
	folds   []string
	lineOf  []int // of rows
	dropped int   // rows
	absent  int   // missing values
	kept    int   // values kept of columns that are not features

	classes []class
	codes   map[string]int
	parts   map[string]string // the values of the column of folds
	unnamed tally             // rows without a label
	aliens  []*class          // the first labels without a code
}

// A class is a label with its number of rows and the position of the first.
type class struct {
	label              string
	rows, line, column int
}

func newBuilder(ctx context.Context, name string, b []byte, o Options) *builder {
	t := &builder{
		reporter: reporter{file: name}, source: source{ctx, b}, options: o, codes: map[string]int{}, parts: map[string]string{},
		place: func(int) (int, int) { return 0, 0 }, // files without lines have no positions
	}
	for _, name := range o.Classes {
		t.classes = append(t.classes, class{label: name})
		t.codes[name] = len(t.classes)
	}
	return t
}

// read reads the file by its format.
func (t *builder) read() {
	switch t.layout.Format = t.options.FormatOf(t.file); t.layout.Format {
	case NPZ:
		t.npz()
	case ARFF:
		t.arff()
	case LIBSVM:
		t.libsvm()
	default:
		t.delimited()
	}
}

// ended records the error that ended the reading of a file, unless it is io.EOF.
func (t *builder) ended(err error) {
	f, ok := errors.AsType[strictyaml.Error](err)
	switch {
	case err == io.EOF:
	case ok:
		t.at(f.Line, f.Column, "%s", f.Msg)
	case ofContext(err):
		t.stopped = err
	default:
		t.at(0, 0, "%v", err)
	}
}

// row adds a row; place returns the position of field i in the file. It reports whether
// there is room for more rows.
func (t *builder) row(line int, fields []string, place func(i int) (line, column int)) bool {
	if !t.room(line) {
		return false
	}
	complete, named := true, -1
	class, part := "", ""
	for i, text := range fields {
		switch c := &t.columns[i]; {
		case t.survey:
			c.seen.field(text, t.options, len(t.columns))
		case c.role == label:
			class, named = text, i
		case c.role == fold:
			part = text
		case c.role == feature:
			v, ok := t.value(i, text, place)
			complete = complete && ok
			t.x = append(t.x, v)
			t.encode(c, text, ok)
		}
	}
	if t.survey {
		t.y = append(t.y, 0)
		return true
	}
	lacks, before := t.wanted == nil && (named < 0 || t.options.missingLabel(class)), len(t.y)
	ok := t.end(line, complete, lacks, class, part, func() (int, int) { return place(max(named, 0)) })
	if len(t.y) > before {
		t.countAside(fields, t.y[before])
	}
	return ok
}

// rowLimit is MaxRows; tests lower it.
var rowLimit = MaxRows

// room reports whether another row may be added.
func (t *builder) room(line int) bool {
	switch n := len(t.y) + t.dropped; {
	case n == rowLimit:
		t.at(line, 0, "more than %d rows, which is the limit; leave rows out, for example by: shuf -n 100000", rowLimit)
	case (n+1)*len(t.columns) > MaxValues:
		t.at(line, 0, "more than %d values (rows times columns), which is the limit; leave rows or columns out", MaxValues)
	default:
		return true
	}
	return false
}

// end closes a row; its features are the last ones in x. lacks means that the row has no
// label; place returns the position of the label. end reports whether there is room for more
// classes and folds.
func (t *builder) end(line int, complete, lacks bool, label, part string, place func() (line, column int)) bool {
	if t.options.DropRows && (!complete || lacks) {
		t.x = t.x[:len(t.x)-t.features]
		for i := range t.columns {
			if c := &t.columns[i]; len(c.codes) > len(t.y) {
				c.codes = c.codes[:len(t.y)]
			}
		}
		t.dropped++
		return true
	}
	code, ok := 0, true
	if lacks {
		t.unnamed.note(func() strictyaml.Error {
			l, c := place()
			return t.fault(l, c, "the row has no label; give it one, remove the row, or add `drop-rows: true`")
		})
	} else {
		code, ok = t.code(label, line, place)
	}
	t.y, t.lineOf = append(t.y, code), append(t.lineOf, line)
	if t.options.Fold.IsZero() {
		return ok
	}
	name, known := t.parts[part]
	if !known {
		name = strings.Clone(part)
		if t.parts[name] = name; len(t.parts) > MaxFolds {
			t.at(line, 0, "the column of folds %s has more than %d different values up to this row; a fold has the same value "+
				"in all its rows, so name another column in `fold`, or leave it out", t.options.Fold, MaxFolds)
			return false
		}
	}
	t.folds = append(t.folds, name)
	return ok
}

// code returns the code of a label, 0 if it can have none. ok is false if there are too
// many labels.
func (t *builder) code(label string, line int, place func() (line, column int)) (code int, ok bool) {
	code, known := t.codes[label]
	switch {
	case known && code > 0:
		c := &t.classes[code-1]
		if c.rows++; c.rows == 1 { // of Options.Classes
			c.line, c.column = place()
		}
	case known:
		i := slices.IndexFunc(t.aliens, func(a *class) bool { return a.label == label })
		t.aliens[i].rows++
	default:
		c := class{label: strings.Clone(label), rows: 1}
		c.line, c.column = place()
		if t.options.Classes == nil && len(label) <= maxName {
			t.classes = append(t.classes, c)
			code = len(t.classes)
		} else if len(t.aliens) == maxFaults {
			t.more++
			return 0, true
		} else {
			t.aliens = append(t.aliens, &c)
		}
		t.codes[c.label] = code
	}
	if len(t.classes) > MaxClasses {
		t.at(line, 0, "the label has more than %d different values up to this row, at most %d classes are possible; if it is a measurement "+
			"or the name of a row, name another column as label, or divide its range into classes", MaxClasses, MaxClasses)
		return code, false
	}
	return code, true
}

// value reads a feature. A missing value, or one that is not a number, is NaN; ok reports
// whether the value is given.
func (t *builder) value(i int, text string, place func(i int) (line, column int)) (v float64, ok bool) {
	c := &t.columns[i]
	fault := func(what string) strictyaml.Error {
		line, column := place(i)
		return t.fault(line, column, t.called(i)+what)
	}
	if t.options.missing(text) {
		c.missing.note(func() strictyaml.Error { return fault(" is missing (" + quoted(text) + ")") })
		return math.NaN(), false
	}
	if c.known != nil {
		return float64(slices.Index(c.known, text)), true
	}
	v, err := t.options.number(text)
	if err == nil {
		c.numbers++
		return v, true
	}
	c.bad.note(func() strictyaml.Error {
		if bad, ok := errors.AsType[noNumberError](err); ok && t.wanted != nil { // the advice is about a stanza
			return fault(" has " + bad.reason)
		}
		return fault(" has " + err.Error())
	})
	return math.NaN(), true
}

// encode records the text of a field; the column may turn out to be a column of texts.
func (t *builder) encode(c *column, text string, there bool) {
	if t.options.Encode == "" || len(c.texts) > maxCategories {
		return
	}
	code := absentCode
	if there {
		if code = slices.Index(c.texts, text); code < 0 {
			code = len(c.texts)
			c.texts = append(c.texts, strings.Clone(text))
		}
	}
	if c.codes = append(c.codes, uint8(code)); len(c.texts) > maxCategories {
		c.codes = nil
	}
}

// A noNumberError says why a text is not a number, and which option of the spec helps.
type noNumberError struct{ reason, advice string }

// Error returns the reason and, after a semicolon, the advice, if any.
func (e noNumberError) Error() string {
	if e.advice == "" {
		return e.reason
	}
	return e.reason + "; " + e.advice
}

// number reads a decimal number. Its error is a noNumberError.
func (o Options) number(text string) (float64, error) {
	written := text
	if o.Decimal == "," {
		if strings.Contains(text, ".") && strings.Trim(text, "0123456789+-.,eE") == "" {
			return 0, noNumberError{"the number " + quoted(text) + " with a point under `decimal: \",\"`", "write it as 1234,5"}
		}
		written = strings.Replace(text, ",", ".", 1)
	}
	plain := strings.Trim(written, "0123456789+-.eE") == ""
	v, err := strconv.ParseFloat(written, 64)
	switch {
	case err == nil && plain && math.Abs(v) >= npy.ExactIntegers && math.Abs(v) <= maxSize && !exact(written, v):
		return 0, noNumberError{"the integer " + quoted(text) + ", which is beyond 2^53 and has no exact float64",
			"if it is the name of a row, drop the column, or else write it as 1.5e17 with the digits that matter"}
	case err == nil && plain && math.Abs(v) <= maxSize:
		return v, nil
	case plain && math.IsInf(v, 0), err == nil && plain:
		return 0, noNumberError{quoted(text) + ", which is too large: at most 1e100 is possible", ""}
	case err == nil && (math.IsNaN(v) || math.IsInf(v, 0)):
		return 0, noNumberError{quoted(text) + ", which is not finite", "if it stands for a missing value, list it in `missing`"}
	case strings.Contains(text, ",") && strings.Trim(text, "0123456789+-.,eE") == "":
		return 0, noNumberError{"the number " + quoted(text) + " with a comma",
			"if commas are decimal, add `decimal: \",\"`; otherwise write numbers as 1.5 or 1234.5"}
	case strings.Contains(text, " ") && strings.Trim(text, "0123456789+-.eE ") == "":
		return 0, noNumberError{quoted(text) + noNumber,
			"if blanks divide the fields and commas are decimal, add `delimiter: blanks` and `decimal: \",\"`"}
	}
	return 0, noNumberError{quoted(text) + noNumber, ""}
}

const noNumber = ", which is no number"

// exact reports whether v is exactly the number of a text without point and exponent.
func exact(text string, v float64) bool {
	digits := strings.TrimLeft(text, "+-0")
	return strings.ContainsAny(digits, ".eE") || strconv.FormatFloat(math.Abs(v), 'f', 0, 64) == digits
}

// finish checks the rows and makes the table of them.
func (t *builder) finish() (*Table, error) {
	if err := t.err(); err != nil {
		return nil, err
	}
	t.checkColumns()
	if t.err() == nil {
		t.checkRows()
	}
	slices.SortStableFunc(t.faults, func(a, b strictyaml.Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if err := t.err(); err != nil {
		return nil, err
	}
	table := &Table{
		X: t.x, Y: t.y, Folds: t.folds, Lines: t.lineOf, Missing: t.absent, Dropped: t.dropped,
		RowNames: t.rowNames, Layout: t.layout,
	}
	for i, c := range t.columns {
		if c.role == feature {
			table.Names = append(table.Names, cmp.Or(c.name, fmt.Sprintf("x%d", i+1)))
		} else if groups := c.aside.groups(); groups != nil {
			table.Aside = append(table.Aside, Aside{t.ref(i).String(), groups})
		}
	}
	for _, c := range t.classes {
		table.Labels = append(table.Labels, c.label)
	}
	t.categories(table)
	return table, nil
}
