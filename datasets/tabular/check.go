package tabular

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkColumns reports the columns that are no features after all, fields that are no
// numbers, and rows without a label.
func (t *builder) checkColumns() {
	n := len(t.y)
	if i := t.find(t.options.Label); n > 0 && t.lacking == n && i >= 0 && t.layout.Format == CSV {
		advice := "name the column of the class in `label`"
		if i > 0 && i == len(t.columns)-1 && t.columns[i].name == "" {
			advice = "the lines seem to end with a delimiter, so remove it, or name the column of the class in `label`, such as `label: " + t.ref(0).String() + "`"
		}
		t.at(t.unnamed[0].Line, t.unnamed[0].Column, "no row has a label: %s is empty; %s", t.called(i), advice)
		return
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.role == feature {
			t.checkColumn(i, c)
		}
	}
	for _, f := range t.unnamed {
		t.at(f.Line, f.Column, "%s", f.Msg)
	}
	t.more += t.lacking - len(t.unnamed)
}

func (t *builder) checkColumn(i int, c *column) {
	if t.options.Impute != "" {
		t.absent += c.absent
	}
	text := t.options.Encode != "" && c.badMore > c.numbers
	name := c.badMore == 1 && c.bad[0].Line == t.firstLine && t.layout.Header != nil && !*t.layout.Header
	switch {
	case c.numbers == 0 && c.absent > 0 && c.badMore == 0:
		t.at(c.missing[0].Line, c.missing[0].Column, "%s has no value in any row; leave it out with %s", t.called(i), t.drop(i))
		return
	case text && c.codes == nil:
		t.at(c.bad[0].Line, c.bad[0].Column, "%s is text of more than %d different values, too many for `encode: onehot`; leave it out with %s",
			t.called(i), maxCategories, t.drop(i))
		return
	case text:
		c.encoded, c.bad, c.badMore = true, nil, 0
	case c.badMore > c.numbers && !name:
		t.at(c.bad[0].Line, c.bad[0].Column, "%s (%d of its %d fields); leave the column out with %s, make a feature of each of its values "+
			"with `encode: onehot`, or, if it is the class, name it in `label`", c.bad[0].Msg, c.badMore, c.badMore+c.numbers+c.absent, t.drop(i))
		return
	}
	for _, f := range c.bad {
		hint := ""
		if name {
			hint = "; if this line has names, write `header: true`"
		} else if strings.HasSuffix(f.Msg, noNumber) {
			hint = "; correct it, or, if it stands for a missing value, list it in `missing`"
		}
		t.at(f.Line, f.Column, "%s%s", f.Msg, hint)
	}
	t.more += c.badMore - len(c.bad)
	if t.options.Impute != "" || t.options.DropRows {
		return
	}
	for _, f := range c.missing {
		t.at(f.Line, f.Column, "%s; add `impute: mean` (or median, zero) or `drop-rows: true`", f.Msg)
	}
	t.more += c.absent - len(c.missing)
}

// categories puts the codes of texts in the place of their values.
func (t *builder) categories(table *Table) {
	for _, c := range t.columns {
		if !c.encoded {
			continue
		}
		if table.Categories == nil {
			table.Categories = make([][]string, t.features)
		}
		table.Categories[c.place] = c.texts
		for i, code := range c.codes {
			v := &table.X[i*t.features+c.place]
			if *v = float64(code); code == absentCode {
				*v = math.NaN()
			}
		}
	}
}

// checkRows reports labels that cannot be learned: one that has no code, a single class,
// classes of one row, and a number that only looks like a class.
func (t *builder) checkRows() {
	n, single := len(t.y), 0
	for _, a := range t.aliens {
		others := ""
		if a.rows > 1 {
			others = " (" + strconv.Itoa(a.rows) + " rows have it)"
		}
		switch {
		case t.options.Part:
			t.at(a.line, a.column, "the label %s is in no row of the training file%s", quoted(a.label), others)
		case t.options.Classes != nil:
			t.at(a.line, a.column, "the label %s is not among `classes`%s", quoted(a.label), others)
		default:
			t.at(a.line, a.column, "the label %s has %d bytes, at most %d are possible%s", quoted(a.label), len(a.label), maxName, others)
		}
	}
	for _, c := range t.classes {
		if c.rows == 1 {
			single++
		}
	}
	switch {
	case len(t.aliens) > 0:
	case n == 0 && t.dropped > 0:
		t.at(0, 0, "all %d rows have a missing value, and drop-rows leaves none; use `impute: mean`, or drop a column", t.dropped)
	case n == 0:
		t.at(0, 0, "the file has no rows")
	case t.options.Part:
	case n == 1:
		t.at(t.lineOf[0], 1, "the file has this row alone; each class needs rows to train and to test")
	case len(t.classes) == 1:
		t.at(0, 0, "all %d rows have the label %s; at least two classes are needed", n, quoted(t.classes[0].label))
	case t.continuous(single):
		t.at(0, 0, "the label has %d different values in %d rows, %d of them once: it is a measurement and no class; "+
			"name another column as label, or divide its range into classes", len(t.classes), n, single)
	default:
		for _, c := range t.classes {
			switch c.rows {
			case 0:
				t.at(0, 0, "no row has the label %s, which is among `classes`", quoted(c.label))
			case 1:
				t.at(c.line, c.column, "the class %s has this row alone; a class needs rows to train and to test, so remove the row or join classes", quoted(c.label))
			}
		}
	}
	if t.options.Duplicates != Refuse || len(t.faults) > 0 {
		return
	}
	// A split may put one of two equal rows into the training and the other into the test samples.
	for _, pair := range duplicates(t.features, t.x, t.y).First {
		other := ""
		if t.y[pair[0]] != t.y[pair[1]] {
			other = ", but of another class"
		}
		t.at(t.lineOf[pair[0]], 1, "the row has the features of line %d%s; a split may test on what was learned, so remove one or write `duplicates: keep`",
			t.lineOf[pair[1]], other)
	}
}

// continuous tells whether the label is rather a number than a class: many values,
// most of them numbers that occur once or have decimals.
func (t *builder) continuous(single int) bool {
	if len(t.classes) <= 10 {
		return false
	}
	fractions := 0
	for _, c := range t.classes {
		v, err := strconv.ParseFloat(c.label, 64)
		if err != nil {
			return 2*single > len(t.y) // texts that are all different: names of rows
		}
		if v != math.Trunc(v) {
			fractions++
		}
	}
	return 2*fractions > len(t.classes) || 2*single > len(t.classes)
}

// A Fault is a place of a file that cannot be used, and why.
type Fault struct {
	File   string
	Line   int // from 1; 0: the file as a whole
	Column int // in characters, from 1; 0: the line as a whole
	Msg    string
}

// Error returns "file:line:column: message".
func (f *Fault) Error() string {
	switch {
	case f.Line == 0:
		return fmt.Sprintf("%s: %s", f.File, f.Msg)
	case f.Column == 0:
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Msg)
}

// Faults are those of one file, one per line.
type Faults []*Fault

// Error implements error.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults one by one, each of type [*Fault].
func (fs Faults) Unwrap() []error {
	list := make([]error, len(fs))
	for i, f := range fs {
		list[i] = f
	}
	return list
}

// A reporter collects the faults of a file.
type reporter struct {
	file   string
	faults Faults
	more   int // faults beyond maxFaults

	stopped error // that of the context which ended the reading
}

// at adds a fault.
func (r *reporter) at(line, column int, format string, args ...any) {
	if len(r.faults) == maxFaults {
		r.more++
		return
	}
	r.faults = append(r.faults, &Fault{r.file, line, column, fmt.Sprintf(format, args...)})
}

// err returns the faults, or the error of the context; nil without any.
func (r *reporter) err() error {
	if r.stopped != nil {
		return fmt.Errorf("%s: %w", r.file, r.stopped)
	}
	if len(r.faults) == 0 {
		return nil
	}
	if r.more > 0 {
		return append(r.faults, &Fault{File: r.file, Msg: fmt.Sprintf("and %d more", r.more)})
	}
	return r.faults
}

// quoted is a text of a file in a message: cut, in quotes and on one line.
func quoted(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "..."
	}
	return fmt.Sprintf("%q", strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
}
