package tabular

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
)

// A role is the use of a column.
type role int

const (
	feature role = iota
	label
	fold
	group
	dropped
)

// A column is a column of the file.
type column struct {
	name  string // "" without a header
	role  role
	place int  // of a feature, among the features
	kind  kind // numbers or categories, see decide

	numbers int      // fields that are numbers
	bad     tally    // fields that are none
	texts   []string // of the fields that are none, the first two; of categories, all of them by first appearance
	missing tally    // missing fields
	codes   map[string]int

	aside census[string] // of a column that is not a feature
	seen  look
}

// begin sets the columns of a sheet up, by the names of the header if there is one. It tells
// whether the columns can be used.
func (t *builder) begin() bool {
	s := t.sheet
	if s.place != nil {
		t.place = s.place
	}
	t.columns = make([]column, s.width)
	seen := map[string]int{}
	for i, name := range s.names {
		line, column := t.place(i)
		if first, twice := seen[name]; twice && name != "" && (t.learns() || t.wanted != nil) {
			t.at(line, column, "columns %d and %d are both called %s; rename one, or name columns by number under `header: false` and `skip: 1`",
				first+1, i+1, quoted(name))
		}
		if len(name) > maxName {
			t.at(line, column, "the name of column %d has %d bytes, at most %d are possible", i+1, len(name), maxName)
		}
		seen[name] = i
		t.columns[i].name = strings.Clone(name)
	}
	if t.wanted != nil {
		return t.takeWanted()
	}
	if t.cells {
		return len(t.faults) == 0
	}
	if t.options.Label.IsZero() && s.label > 0 {
		t.options.Label = ColumnRef{Number: s.label}
	}
	t.assign(t.options.Label, label)
	t.assign(t.options.Fold, fold)
	t.assign(t.options.Group, group)
	if t.rowNames && t.columns[0].role == feature {
		t.columns[0].role = dropped
	}
	if !s.labelled {
		t.layout.Label = t.ref(t.find(t.options.Label))
	}
	return t.drops()
}

// decide tells columns of numbers from categories: by the options, by what the format declares, or else
// as most of its values are.
func (t *builder) decide() {
	for i := range t.columns {
		c, declared := &t.columns[i], t.declared(i)
		switch c.kind = numbers; {
		case t.wanted != nil && c.codes != nil, t.names(t.options.Nominal, i), declared == categories && !t.names(t.options.Numeric, i),
			declared == words && t.options.Encode != "", declared == undeclared && t.options.Encode != "" && c.seen.isText() && !t.names(t.options.Numeric, i):
			c.kind = categories
		case c.role == feature && (declared == words || declared == aside) && !t.names(t.options.Numeric, i) && t.learns():
			line, column := t.place(i)
			what := "holds dates or lists;"
			if declared == words {
				what = "holds texts; make a feature of each of its values, if they are few, with `encode: onehot`, or"
			}
			t.at(line, column, "%s %s leave it out with %s", t.called(i), what, t.drop(i))
		}
	}
}

// declared is what the format says of a column.
func (t *builder) declared(i int) kind {
	if t.sheet.declared == nil {
		return undeclared
	}
	return t.sheet.declared[i]
}

// names tells whether a list of columns has column i.
func (t *builder) names(list Columns, i int) bool {
	return slices.ContainsFunc(list, func(c ColumnRef) bool { return t.find(c) == i })
}

// takeWanted makes the wanted columns the features and reports whether all exist. Columns
// without names are the wanted ones if their number is the same.
func (t *builder) takeWanted() bool {
	line, place := t.place(0)
	var names []string
	for _, f := range t.wanted {
		names = append(names, f.Name)
	}
	if t.sheet.names == nil {
		if len(t.columns) != len(t.wanted) {
			t.at(line, place, "the file has %s without names, want the %s %s", text.Counted(len(t.columns), "column"),
				text.Counted(len(t.wanted), "feature"), someOf(names))
		}
		for i := range min(len(t.columns), len(t.wanted)) {
			t.columns[i].name = t.wanted[i].Name
		}
	}
	for i := range t.columns {
		t.columns[i].role = dropped
	}
	for _, f := range t.wanted {
		i := t.find(ColumnRef{Name: f.Name})
		if i < 0 || t.columns[i].name != f.Name {
			continue
		}
		if t.columns[i].role = feature; f.Texts != nil {
			t.columns[i].codes = map[string]int{}
			for code, text := range f.Texts {
				t.columns[i].codes[text] = code
			}
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == f.Name })
	}
	if len(names) == len(t.wanted) {
		t.at(line, place, "the first line has the name of no feature; write a header with the names %s above the rows", someOf(names))
		return false
	}
	for _, name := range names {
		t.at(line, place, "there is no column %s, which the model needs; add it, or give the column that has it this name%s (the columns are %s)",
			quoted(name), t.meant(name), t.known())
	}
	return t.drops()
}

// drops removes the dropped columns from the features, and reports whether some remain.
func (t *builder) drops() bool {
	for _, c := range t.options.Drop {
		t.assign(c, dropped)
	}
	for _, c := range slices.Concat(t.options.Nominal, t.options.Numeric) {
		t.require(c)
	}
	t.features = 0
	for i := range t.columns {
		if c := &t.columns[i]; c.role == feature {
			c.place = t.features
			t.features++
		}
		if t.columns[i].role == dropped && t.learns() {
			t.columns[i].aside = census[string]{}
		}
	}
	if t.features == 0 {
		line, column := t.place(0)
		remedy := "a file needs the label and at least one other column, and rows below a header"
		if n := len(t.options.Drop); n > 0 {
			remedy = fmt.Sprintf("%s left out (`drop`); keep one: `nominal: [COLUMN]` makes a feature of each of up to %d values, `numeric: [COLUMN]` a number of it",
				text.Counted(n, "column")+" "+text.Agree(n, "is", "are"), maxNamed)
		}
		t.at(line, column, "no column is left for a feature: %s; the file has %s", remedy, text.Counted(len(t.columns), "column"))
	}
	return len(t.faults) == 0
}

// assign gives a column its role.
func (t *builder) assign(c ColumnRef, to role) {
	if c.IsZero() {
		return
	}
	i := t.require(c)
	line, column := t.place(max(i, 0))
	switch {
	case i < 0:
	case t.columns[i].role == dropped && to == dropped:
	case t.columns[i].role != feature:
		t.at(line, column, "%s has two uses: label, fold, group and drop want columns of their own", t.called(i))
	default:
		t.columns[i].role = to
	}
}

// require returns the index of a column, and reports one that is not there.
func (t *builder) require(c ColumnRef) int {
	i := t.find(c)
	line, column := t.place(max(i, 0))
	switch {
	case i < 0 && c.Number > 0:
		t.at(line, column, "there is no column %d, the file has %d", c.Number, len(t.columns))
	case i < 0 && t.columns[0].name == "":
		t.at(line, column, "there is no column %s: the file has no header; give the number of the column, or write `header: true`", quoted(c.Name))
	case i < 0:
		t.at(line, column, "there is no column %s%s (the columns are %s)", quoted(c.Name), t.meant(c.Name), t.known())
	}
	return i
}

// find returns the index of a column, -1 if there is none.
func (t *builder) find(c ColumnRef) int {
	named := slices.IndexFunc(t.columns, func(known column) bool { return c.Name != "" && known.name == c.Name })
	switch {
	case c.Number > len(t.columns):
		return -1
	case c.Number > 0:
		return c.Number - 1
	case named < 0 && c.Name == First:
		return 0
	case named < 0 && c.Name == Last:
		return len(t.columns) - 1
	}
	return named
}

// meant returns a question for the column with the nearest name to an unknown one that is
// not wanted; "" if there is none or the fault is not printed.
func (t *builder) meant(name string) string {
	var names []string
	for _, c := range t.columns {
		if c.name != "" && len(c.name) <= maxName && !(t.wanted != nil && c.role == feature) {
			names = append(names, c.name)
		}
	}
	if len(name) > maxName || len(t.faults) == maxFaults {
		return ""
	}
	if near, ok := strictyaml.Nearest(name, names); ok {
		return fmt.Sprintf("; did you mean %s?", quoted(near))
	}
	return ""
}

// known lists the names of the columns, or the first of many.
func (t *builder) known() string {
	const most = 12
	var names []string
	for _, c := range t.columns[:min(len(t.columns), most)] {
		names = append(names, quoted(c.name))
	}
	if len(t.columns) > most {
		names = append(names, fmt.Sprintf("and %d more", len(t.columns)-most))
	}
	return strings.Join(names, ", ")
}

// called names a column in messages.
func (t *builder) called(i int) string {
	if name := t.columns[i].name; name != "" {
		return "column " + quoted(name)
	}
	return fmt.Sprintf("column %d", i+1)
}

// ref names a column as specs do.
func (t *builder) ref(i int) ColumnRef {
	if i < 0 {
		return ColumnRef{}
	}
	if name := t.columns[i].name; name != "" {
		return ColumnRef{Name: name}
	}
	return ColumnRef{Number: i + 1}
}

// drop returns the advice to drop this column as well.
func (t *builder) drop(i int) string { return "`" + listKey("drop", t.options.Drop, t.ref(i)) + "`" }

// listKey is a key of a list of columns, with those that are in it already: a list
// in a stanza replaces what was guessed.
func listKey(key string, already Columns, c ColumnRef) string {
	var list yaml.Node
	if err := list.Encode(append(slices.Clone(already), c)); err != nil {
		panic(err) // cannot happen: numbers and texts only
	}
	return key + ": " + strictyaml.Flow(&list)
}
