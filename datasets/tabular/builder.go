package tabular

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/codecs"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
)

// A builder makes a table out of the rows of a sheet. It keeps what the table keeps, and of
// labels and folds no more different ones than a table may have.
type builder struct {
	reporter
	source
	options  Layout
	layout   Layout
	sheet    *sheet
	columns  []column
	features int
	survey   bool     // inspect values without keeping them, see Guess
	cells    bool     // give all cells, see OpenCells
	seen     *builder // has looked at the file by the same options, but those of columns; nil: none
	wanted   []Wanted // columns to read, others are ignored, see ReadFeatures; nil: by the options

	place func(i int) (line, column int) // where column i begins, and has its name
	notes []string                       // what to know of the file

	// Of delimited text.
	rowNames  bool   // the first column has the names of the rows
	headerWhy string // why the first line is taken for names, where that is a guess
	commented string // what lines begin with that look like comments
	title     int    // line that has other fields than those after it; 0: none
	counted   bool   // it counts rows and features and names classes
	firstLine int    // which may have the names

	x       []float64
	y       []int
	folds   []string
	groups  []string
	lineOf  []int // of rows
	dropped int   // rows
	absent  int   // missing values
	kept    int   // values kept of columns that are not features

	classes []class
	codes   map[string]int
	parts   map[string]string // the values of the columns of folds and groups
	unnamed tally             // rows without a label
	lonely  tally             // rows without a group
	aliens  []*class          // the first labels without a code
}

// A class is a label with its number of rows and the position of the first.
type class struct {
	label              string
	rows, line, column int
}

func newBuilder(ctx context.Context, name string, b []byte, o Layout) *builder {
	t := &builder{
		reporter: reporter{file: name}, source: source{ctx, b, MaxBytes}, options: o, codes: map[string]int{}, parts: map[string]string{},
		place: func(int) (int, int) { return 0, 0 }, // files without lines have no positions
	}
	for _, name := range o.Classes {
		t.classes = append(t.classes, class{label: name})
		t.codes[name] = len(t.classes)
	}
	return t
}

// learns tells whether rows are read to learn from them, by options that can be given otherwise.
func (t *builder) learns() bool { return !t.survey && !t.cells && t.wanted == nil }

// openSheet finds the format out and opens the sheet with its columns. It tells whether there is one.
func (t *builder) openSheet() bool {
	f, err := t.sniff()
	if err != nil {
		t.ended(err)
		return false
	}
	t.layout.Format = f.name
	if t.learns() {
		o := t.options
		o.Format = f.name
		if key, err := o.Check(t.file); err != nil {
			t.at(0, 0, "%s: %v", key, err)
			return false
		}
	}
	t.sheet = f.open(t)
	return t.sheet != nil && len(t.faults) == 0 && t.begin()
}

// read reads the file: once to tell numbers from categories, if its format does not, and once for the rows.
func (t *builder) read() {
	if !t.openSheet() {
		return
	}
	switch {
	case t.seen != nil:
		for i := range t.columns {
			t.columns[i].seen = t.seen.columns[i].seen
		}
	case t.wanted == nil && t.sheet.declared == nil || slices.Contains(t.sheet.declared, undeclared):
		t.look(rowLimit)
	}
	if t.decide(); len(t.faults) == 0 {
		t.sheet.each(&t.reporter, t.row)
	}
}

// look looks at so many rows. What is wrong with them is left to the reading.
func (t *builder) look(most int) {
	quiet := &reporter{file: t.file}
	rows := 0
	t.sheet.each(quiet, func(r row) bool {
		for i, c := range r.cells {
			t.columns[i].seen.field(c, t, i)
		}
		rows++
		return rows < most && (rows+1)*len(t.columns) <= MaxValues
	})
	t.stopped = quiet.stopped
}

// row adds a row. It tells whether there is room for more.
func (t *builder) row(r row) bool {
	if !t.room(r.line) {
		return false
	}
	complete, named := true, 0
	class, part, member := r.label, r.part, cell{}
	for i, cell := range r.cells {
		switch c := &t.columns[i]; c.role {
		case label:
			class, named = cell, i
		case fold:
			part = cell.label()
		case group:
			member = cell
			if t.lacksLabel(cell) {
				complete = false
				t.lonely.note(func() strictyaml.Error {
					line, column := r.place(i)
					return t.fault(line, column, t.called(i)+" has no group in this row")
				})
			}
		case feature:
			v, ok := t.value(i, cell, r.place)
			complete = complete && ok
			t.x = append(t.x, v)
		}
	}
	lacks, before := t.wanted == nil && t.lacksLabel(class), len(t.y)
	ok := t.end(r.line, complete, lacks, class.label(), part, func() (int, int) { return r.place(named) })
	if len(t.y) > before {
		if !t.options.Group.IsZero() {
			t.groups = append(t.groups, t.once(member.label()))
		}
		t.countAside(r.cells, t.y[before])
	}
	return ok
}

// lacksLabel tells whether a row has no label. What `classes` lists is one, also NA.
func (t *builder) lacksLabel(c cell) bool {
	return t.missing(c, categories) && !slices.Contains(t.options.Classes, c.text) || c.text == "" && c.is != number
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
	if t.options.DropRows && !complete || (t.options.DropRows || t.options.DropUnlabelled) && lacks {
		t.x = t.x[:len(t.x)-t.features]
		t.dropped++
		return true
	}
	code, ok := 0, true
	if lacks {
		marked := ""
		if label != "" {
			marked = " but " + quoted(label) + ", which is a class if `classes` lists it with the others"
		}
		t.unnamed.note(func() strictyaml.Error {
			l, c := place()
			return t.fault(l, c, "the row has no label"+marked+"; give it one, remove the row, or add `drop-unlabelled: true`")
		})
	} else {
		code, ok = t.code(label, line, place)
	}
	t.y, t.lineOf = append(t.y, code), append(t.lineOf, line)
	if t.options.Fold.IsZero() && !t.sheet.parts {
		return ok
	}
	t.folds = append(t.folds, t.once(part))
	if len(t.parts) > MaxFolds {
		t.at(line, 0, "the column of folds %s has more than %d different values up to this row; a fold has the same value "+
			"in all its rows, so name another column in `fold`, or leave it out", t.options.Fold, MaxFolds)
		return false
	}
	return ok
}

// once returns a copy of a fold or a group that all its rows share.
func (t *builder) once(name string) string {
	one, known := t.parts[name]
	if !known {
		one = strings.Clone(name)
		t.parts[one] = one
	}
	return one
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

// value reads a feature: a number, or the code of a category, from 0. A value that is missing, or no number,
// is NaN; ok tells whether it is there.
func (t *builder) value(i int, cell cell, place func(i int) (line, column int)) (v float64, ok bool) {
	c := &t.columns[i]
	fault := func(what string) strictyaml.Error {
		line, column := place(i)
		return t.fault(line, column, t.called(i)+what)
	}
	if t.missing(cell, c.kind) {
		c.missing.note(func() strictyaml.Error {
			if cell.is == absent && cell.text == "" {
				return fault(" is missing")
			}
			return fault(" is missing (" + quoted(cell.text) + ")")
		})
		return math.NaN(), false
	}
	if c.kind == categories {
		return t.category(i, cell.label(), fault), true
	}
	v, err := cell.number, error(nil)
	switch plain := cell.is == word && !t.names(t.options.Numeric, i) && t.wanted == nil; {
	case plain:
		err = noNumberError{quoted(cell.text) + noNumber, ""}
	case cell.is != number:
		v, err = t.options.number(cell.text)
	case !(math.Abs(v) <= maxSize):
		err = noNumberError{fmt.Sprintf("%g, which is not finite or too large: at most 1e100 is possible", v), ""}
	}
	if err == nil {
		c.numbers++
		return v, true
	}
	c.bad.note(func() strictyaml.Error {
		if c.texts = text.AppendNew(c.texts, strings.Clone(cell.text)); len(c.texts) > 2 {
			c.texts = c.texts[:2]
		}
		if bad, ok := errors.AsType[noNumberError](err); ok && t.wanted != nil { // the advice is about a stanza
			return fault(" has " + bad.reason)
		}
		return fault(" has " + err.Error())
	})
	return math.NaN(), true
}

// missing tells whether a cell of a column of some kind is missing: as its format says, or as a text that
// the options list, or that is known to mean it in delimited text.
func (t *builder) missing(c cell, kind kind) bool {
	switch {
	case c.is == absent || c.is == number:
		return c.is == absent
	case t.options.Missing != nil:
		return t.options.lists(c.text)
	}
	return t.sheet.marks && (meansMissing(c.text) || kind == numbers && meansMissingNumber(c.text))
}

// category returns the code of a text.
func (t *builder) category(i int, text string, fault func(what string) strictyaml.Error) float64 {
	c := &t.columns[i]
	code, known := c.codes[text]
	most := maxCategories
	if t.names(t.options.Nominal, i) {
		most = maxNamed
	}
	switch {
	case known:
		return float64(code)
	case t.wanted != nil:
		return -1
	case len(c.texts) == most:
		c.bad.note(func() strictyaml.Error {
			return fault(fmt.Sprintf(" is text of more than %d different values, too many for categories; leave it out with %s", most, t.drop(i)))
		})
		return math.NaN()
	case c.codes == nil:
		c.codes = map[string]int{}
	}
	text = strings.Clone(text)
	c.codes[text] = len(c.texts)
	c.texts = append(c.texts, text)
	return float64(len(c.texts) - 1)
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
func (o Layout) number(text string) (float64, error) {
	written := text
	if o.Decimal == "," {
		if strings.Contains(text, ".") && strings.Trim(text, "0123456789+-.,eE") == "" {
			return 0, noNumberError{"the number " + quoted(text) + " with a point under `decimal: \",\"`", "write it as 1234,5"}
		}
		written = strings.Replace(text, ",", ".", 1)
	}
	plain := isPlain(written)
	v, err := strconv.ParseFloat(written, 64)
	switch {
	case err == nil && plain && math.Abs(v) >= codecs.ExactIntegers && math.Abs(v) <= maxSize && !exact(written, v):
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
	case otherForm.MatchString(text):
		return 0, noNumberError{"the number " + quoted(text) + " in a form that is not read", "write it as 1234.5 or 1.5e-3"}
	}
	return 0, noNumberError{quoted(text) + noNumber, ""}
}

// isPlain tells whether a text has digits, points, signs and exponents alone.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c > '9' && c != 'e' && c != 'E' || c < '0' && c != '.' && c != '-' && c != '+' {
			return false
		}
	}
	return true
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
		X: t.x, Y: t.y, Folds: t.folds, Groups: t.groups, Lines: t.lineOf, Missing: t.absent, Dropped: t.dropped, Notes: t.notes,
		RowNames: t.rowNames, Layout: t.layout,
	}
	switch {
	case t.options.DropRows:
		table.Lacking = "values"
	case t.options.DropUnlabelled:
		table.Lacking = "labels"
	}
	for i, c := range t.columns {
		if c.role == feature {
			table.Names = append(table.Names, cmp.Or(c.name, fmt.Sprintf("x%d", i+1)))
			if c.kind == categories && table.Categories == nil {
				table.Categories = make([][]string, t.features)
			}
			if c.kind == categories {
				table.Categories[c.place] = c.texts
			}
		} else if groups := c.aside.groups(); groups != nil {
			table.Aside = append(table.Aside, Aside{t.ref(i).String(), groups})
		}
	}
	for _, c := range t.classes {
		table.Labels = append(table.Labels, c.label)
	}
	return table, nil
}
