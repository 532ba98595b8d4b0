package tabular

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"r2lmlbench/internal/strictyaml"
)

// checkColumns reports columns that cannot be features, fields that are not numbers, and
// rows without a label.
func (t *builder) checkColumns() {
	n := len(t.y)
	if i := t.find(t.options.Label); n > 0 && t.unnamed.all == n && i >= 0 && t.layout.Format == CSV {
		advice := "name the column of the class in `label`"
		if i > 0 && i == len(t.columns)-1 && t.columns[i].name == "" {
			advice = "the lines seem to end with a delimiter, so remove it, or name the column of the class in `label`, such as `label: " + t.ref(0).String() + "`"
		}
		t.at(t.unnamed.first[0].Line, t.unnamed.first[0].Column, "no row has a label: %s is empty; %s", t.called(i), advice)
		return
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.role == feature {
			t.checkColumn(i, c)
		}
	}
	t.tell(t.unnamed, "")
	if !t.options.DropRows {
		t.tell(t.lonely, "; give it one, remove the row, or add `drop-rows: true`")
	}
}

func (t *builder) checkColumn(i int, c *column) {
	if t.options.Impute != "" {
		t.absent += c.missing.all
	}
	name := c.bad.all == 1 && c.bad.first[0].Line == t.firstLine && t.layout.Header != nil && !*t.layout.Header
	texts := 0 // of the first that are no numbers, and no large or damaged ones
	for _, f := range c.bad.first {
		if strings.HasSuffix(f.Msg, noNumber) {
			texts++
		}
	}
	switch {
	case c.numbers == 0 && c.missing.all > 0 && c.bad.all == 0 && len(c.texts) == 0:
		t.at(c.missing.first[0].Line, c.missing.first[0].Column, "%s has no value in any row; leave it out with %s", t.called(i), t.drop(i))
		return
	case c.kind == categories && c.bad.all > 0:
		t.at(c.bad.first[0].Line, c.bad.first[0].Column, "%s", c.bad.first[0].Msg)
		return
	case c.bad.all > c.numbers && !name:
		first, encode := c.bad.first[0], "encode: onehot"
		if !c.seen.isText() || t.declared(i) == numbers {
			encode = listKey("nominal", t.options.Nominal, t.ref(i))
		}
		t.at(first.Line, first.Column, "%s (%d of its %d fields); leave the column out with %s, make a feature of each of its values, "+
			"if they are few, with `%s`, or, if it is the class, name it in `label`", first.Msg, c.bad.all, c.bad.all+c.numbers+c.missing.all, t.drop(i), encode)
		return
	case texts == len(c.bad.first) && texts > 0 && !name:
		first, missing := c.bad.first[0], ""
		if len(c.texts) == 1 && (!strings.ContainsAny(c.texts[0], "0123456789") || strings.HasPrefix(c.texts[0], "#")) {
			missing = "; if the text stands for a missing value, list it in `missing`"
		}
		t.at(first.Line, first.Column, "%s (%d of its %d fields); correct it, make categories of its values with `%s`, or leave the column out with %s%s", first.Msg,
			c.bad.all, c.bad.all+c.numbers+c.missing.all, listKey("nominal", t.options.Nominal, t.ref(i)), t.drop(i), missing)
		c.bad = tally{}
	}
	for k := range c.bad.first {
		if f := &c.bad.first[k]; name {
			f.Msg += "; if this line has names, write `header: true`"
		}
	}
	t.tell(c.bad, "")
	if t.options.Impute == "" && !t.options.DropRows {
		t.tell(c.missing, "; add `impute: mean` (or median, zero) or `drop-rows: true`")
	}
}

// checkWanted reports fields of a wanted column that the model cannot use.
func (t *builder) checkWanted(c *column, f Wanted) {
	number := "1.5"
	if t.options.Decimal == "," {
		number = "1,5"
	}
	needed := "; the model needs numbers such as " + number + " in this column: correct "
	if c.bad.all > max(1, c.numbers) {
		first := c.bad.first[0]
		t.at(first.Line, first.Column, "%s (%d of its %d fields)%sthem, or learn a model without it",
			first.Msg, c.bad.all, c.bad.all+c.numbers+c.missing.all, needed)
	} else {
		t.tell(c.bad, needed+"it, or remove the row")
	}
	if !f.Open {
		t.tell(c.missing, "; the model needs it: fill it in, or remove the row")
	}
}

// checkRows reports labels that cannot be learned: a label without a code, a single class,
// classes of one row, and continuous numbers.
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
	case t.groups != nil && len(t.parts) == 1:
		t.at(0, 0, "%s has the value %s in all %d rows, so that they all stay in one part of a split; name another column in `group`, or remove it",
			t.called(t.find(t.options.Group)), quoted(t.groups[0]), n)
	case t.continuous(single):
		t.at(0, 0, "the label has %d different values in %d rows, %d of them once: it is a measurement and no class; "+
			"name another column as label, or divide its range into classes", len(t.classes), n, single)
	default:
		for _, c := range t.classes {
			switch c.rows {
			case 0:
				t.at(0, 0, "no row has the label %s, which is among `classes`", quoted(c.label))
			case 1:
				advice := "so remove the row or join classes"
				if c.line == t.firstLine && t.layout.Header != nil && !*t.layout.Header {
					advice = "so remove the row or join classes; if this line has names, write `header: true`"
				}
				t.at(c.line, c.column, "the class %s has this row alone; a class needs rows to train and to test, %s", quoted(c.label), advice)
			}
		}
	}
}

// continuous reports whether the label looks continuous: many values, most of them
// numbers that occur once or have decimals.
func (t *builder) continuous(single int) bool {
	if len(t.classes) <= 10 {
		return false
	}
	fractions := 0
	for _, c := range t.classes {
		v, err := strconv.ParseFloat(c.label, 64)
		if err != nil {
			return 2*single > len(t.y) // texts that hardly repeat are names of rows
		}
		if v != math.Trunc(v) {
			fractions++
		}
	}
	return 2*fractions > len(t.classes) || 2*single > len(t.classes)
}

// A reporter collects the faults of a file.
type reporter struct {
	file   string
	faults strictyaml.Errors
	more   int // faults beyond maxFaults

	stopped error // error of the context that ended the reading
}

// fault returns a fault at a position; 0 means unknown.
func (r *reporter) fault(line, column int, msg string) strictyaml.Error {
	return strictyaml.Error{File: r.file, Line: line, Column: column, Msg: msg}
}

// at adds a fault.
func (r *reporter) at(line, column int, format string, args ...any) {
	if len(r.faults) == maxFaults {
		r.more++
		return
	}
	r.faults = append(r.faults, r.fault(line, column, fmt.Sprintf(format, args...)))
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
		return append(r.faults, r.fault(0, 0, fmt.Sprintf("and %d more", r.more)))
	}
	return r.faults
}

// ended records the error that ended the reading of a file, unless it is io.EOF.
func (r *reporter) ended(err error) {
	f, ok := errors.AsType[strictyaml.Error](err)
	switch {
	case err == io.EOF:
	case ok:
		r.at(f.Line, f.Column, "%s", f.Msg)
	case ofContext(err):
		r.stopped = err
	default:
		r.at(0, 0, "%v", err)
	}
}

// A tally counts the faults of one kind, and keeps the first of them.
type tally struct {
	first []strictyaml.Error
	all   int
}

// note counts a fault; it calls fault only if the fault is kept.
func (y *tally) note(fault func() strictyaml.Error) {
	if y.all++; len(y.first) < maxFaults {
		y.first = append(y.first, fault())
	}
}

// tell adds the faults of a tally, each with a remedy.
func (r *reporter) tell(y tally, remedy string) {
	for _, f := range y.first {
		r.at(f.Line, f.Column, "%s%s", f.Msg, remedy)
	}
	r.more += y.all - len(y.first)
}

// quoted formats a text of a file for a message: shortened, in quotes, on one line.
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
