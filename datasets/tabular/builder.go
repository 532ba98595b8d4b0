package tabular

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
)

// A role is what a column is for.
type role int

const (
	feature role = iota
	label
	fold
	dropped
)

// A column is one of the file.
type column struct {
	name    string // "" without a header
	role    role
	text    bool     // its values are stated to be no numbers
	numbers int      // fields that are numbers
	bad     []*Fault // of the first fields that are none
	badMore int      // of the others
	missing []*Fault // of the first missing fields
	absent  int      // fields that are missing
}

// A builder makes a table out of rows of fields.
type builder struct {
	*reporter
	options Options
	layout  Options
	columns []column

	x       []float64
	labels  []string // of rows
	codes   map[string]int
	order   []string // labels in code order
	y       []int
	folds   []string
	lines   []int
	dropped int
	absent  int
	unnamed []*Fault          // rows without a label
	first   map[string][2]int // line and column of the first row of each label

	place    func(i int) (line, column int) // where column i begins, and has its name
	rowNames bool                           // the first column has the names of the rows
}

func newBuilder(r *reporter, o Options) *builder {
	// The columns of files without lines are nowhere.
	nowhere := func(int) (int, int) { return 0, 0 }
	return &builder{reporter: r, options: o, codes: map[string]int{}, first: map[string][2]int{}, place: nowhere}
}

// begin sets the columns of the file up, by the names of the header or nil. place
// returns where column i begins. begin tells whether the columns can be used.
func (t *builder) begin(n int, names []string, place func(i int) (line, column int)) bool {
	t.place = place
	if n > MaxColumns {
		line, column := place(MaxColumns)
		t.at(line, column, "%d columns, at most %d are possible", n, MaxColumns)
		return false
	}
	t.columns = make([]column, n)
	seen := map[string]int{}
	for i, name := range names {
		line, column := place(i)
		if first, twice := seen[name]; twice && name != "" {
			t.at(line, column, "columns %d and %d are both called %s; rename one", first+1, i+1, quoted(name))
		}
		if len(name) > maxName {
			t.at(line, column, "the name of column %d has %d bytes, at most %d are possible", i+1, len(name), maxName)
		}
		seen[name] = i
		t.columns[i].name = name
	}
	t.assign(t.options.Label, label)
	t.assign(t.options.Fold, fold)
	if t.rowNames && t.columns[0].role == feature {
		t.columns[0].role = dropped
	}
	return t.drops()
}

// drops takes the columns out that are no features, and tells whether some are left.
func (t *builder) drops() bool {
	for _, c := range t.options.Drop {
		t.assign(c, dropped)
	}
	if t.features() == 0 {
		line, column := t.place(0)
		t.at(line, column, "no column is left for a feature: a file needs the label and at least one other column, and rows below a header; "+
			"it has %s", text.Counted(len(t.columns), "column"))
	}
	return len(t.faults) == 0
}

func (t *builder) features() int {
	n := 0
	for _, c := range t.columns {
		if c.role == feature {
			n++
		}
	}
	return n
}

// assign gives a column its role.
func (t *builder) assign(c Column, to role) {
	if c.IsZero() {
		return
	}
	i := t.find(c)
	line, column := t.place(max(i, 0))
	switch {
	case i < 0 && c.Number > 0:
		t.at(line, column, "there is no column %d, the file has %d", c.Number, len(t.columns))
	case i < 0 && t.columns[0].name == "":
		t.at(line, column, "there is no column %s: the file has no header; give the number of the column, or write `header: true`", quoted(c.Name))
	case i < 0:
		t.at(line, column, "there is no column %s%s; the columns are %s", quoted(c.Name), t.meant(c.Name), t.known())
	case t.columns[i].role == dropped && to == dropped:
	case t.columns[i].role != feature:
		t.at(line, column, "%s has two uses: label, fold and drop want columns of their own", t.called(i))
	default:
		t.columns[i].role = to
	}
}

// find returns the index of a column, -1 if it is not there.
func (t *builder) find(c Column) int {
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

// meant asks for the column whose name is nearest to one that is not there, as far as
// the fault is told; it is empty where there is none.
func (t *builder) meant(name string) string {
	var names []string
	for _, c := range t.columns {
		if c.name != "" && len(c.name) <= maxName {
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

// known lists the names of the columns, the first of many.
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

// ref names a column as a stanza does.
func (t *builder) ref(i int) Column {
	if name := t.columns[i].name; name != "" {
		return Column{Name: name}
	}
	return Column{Number: i + 1}
}

// drop is the advice to leave a column out.
func (t *builder) drop(i int) string {
	if name := t.columns[i].name; name != "" {
		return fmt.Sprintf("`drop: [%s]`", yamlText(name))
	}
	return fmt.Sprintf("`drop: [%d]`", i+1)
}

// row adds a row. place returns where in the file field i stands.
func (t *builder) row(line int, fields []string, place func(i int) (line, column int)) {
	complete, start := true, len(t.x)
	class, part, named := "", "", 0
	for i, text := range fields {
		switch c := &t.columns[i]; c.role {
		case label:
			class, named = text, i
			if t.options.missingLabel(text) {
				complete = false
				at, column := place(i)
				t.unnamed = append(t.unnamed, &Fault{t.file, at, column, "the row has no label; give it one, remove the row, or add `drop-rows: true`"})
			}
		case fold:
			part = text
		case feature:
			v, ok := t.value(i, text, place)
			complete = complete && ok
			t.x = append(t.x, v)
		}
	}
	t.end(line, start, complete, class, part, func() (int, int) { return place(named) })
}

// end closes a row whose features are in x from start on. place returns where its label
// stands.
func (t *builder) end(line, start int, complete bool, class, part string, place func() (line, column int)) {
	if !complete && t.options.DropRows {
		t.x = t.x[:start]
		t.dropped++
		return
	}
	t.labels, t.lines = append(t.labels, class), append(t.lines, line)
	if _, known := t.first[class]; !known {
		at, column := place()
		t.first[class] = [2]int{at, column}
	}
	if !t.options.Fold.IsZero() {
		t.folds = append(t.folds, part)
	}
}

// value reads a feature. A value that is missing, or no number, is NaN; ok tells
// whether it is there.
func (t *builder) value(i int, text string, place func(i int) (line, column int)) (v float64, ok bool) {
	c := &t.columns[i]
	if t.options.missing(text) {
		line, column := place(i)
		c.lack(&Fault{t.file, line, column, fmt.Sprintf("%s is missing (%s)", t.called(i), quoted(text))})
		return math.NaN(), false
	}
	v, err := number(text)
	if err == nil {
		c.numbers++
		return v, true
	}
	if c.badMore++; len(c.bad) < maxFaults {
		line, column := place(i)
		c.bad = append(c.bad, &Fault{t.file, line, column, fmt.Sprintf("%s has %v", t.called(i), err)})
	}
	return math.NaN(), true
}

// number reads a decimal number.
func number(text string) (float64, error) {
	plain := strings.Trim(text, "0123456789+-.eE") == ""
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil && plain && math.Abs(v) <= maxSize:
		return v, nil
	case plain && math.IsInf(v, 0), err == nil && plain:
		return 0, fmt.Errorf("%s, which is too large: at most 1e100 is possible", quoted(text))
	case err == nil && (math.IsNaN(v) || math.IsInf(v, 0)):
		return 0, fmt.Errorf("%s, which is not finite; if it stands for a missing value, list it in `missing`", quoted(text))
	case strings.Contains(text, ",") && strings.Trim(text, "0123456789+-.,eE") == "":
		return 0, fmt.Errorf("the number %s with a comma; write numbers as 1.5 or 1234.5", quoted(text))
	}
	return 0, fmt.Errorf("%s, which is no number", quoted(text))
}

// finish checks the rows and makes the table of them.
func (t *builder) finish() (*Table, error) {
	if err := t.err(); err != nil {
		return nil, err
	}
	t.checkColumns()
	if !t.options.DropRows {
		for _, f := range t.unnamed {
			t.at(f.Line, f.Column, "%s", f.Msg)
		}
	}
	if len(t.faults) == 0 {
		t.checkRows()
		t.checkFolds()
	}
	slices.SortStableFunc(t.faults, func(a, b *Fault) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	if err := t.err(); err != nil {
		return nil, err
	}
	table := &Table{
		Names: t.featureNames(), X: t.x, Y: t.y, Labels: t.order, Folds: t.folds, Lines: t.lines, Missing: t.absent, Dropped: t.dropped,
		RowNames: t.rowNames, Layout: t.layout,
	}
	return table, nil
}

// checkColumns reports the columns that are no features after all, and fields
// that are no numbers.
func (t *builder) checkColumns() {
	for i, c := range t.columns {
		if c.role != feature {
			continue
		}
		if t.options.keepsMissing() {
			t.absent += c.absent
		}
		switch {
		case c.numbers == 0 && c.absent > 0 && c.badMore == 0:
			t.at(c.missing[0].Line, c.missing[0].Column, "%s has no value in any row; leave it out with %s", t.called(i), t.drop(i))
			continue
		case c.badMore > c.numbers && !t.nameIn(c):
			t.at(c.bad[0].Line, c.bad[0].Column, "%s (%d of its %d fields); leave the column out with %s, or write it in numbers%s",
				c.bad[0].Msg, c.badMore, c.badMore+c.numbers+c.absent, t.drop(i), t.second())
			continue
		}
		for k, f := range c.bad {
			hint := ""
			if k == 0 && t.nameIn(c) {
				hint = "; if this line has names, write `header: true`"
			}
			t.at(f.Line, f.Column, "%s%s", f.Msg, hint)
		}
		t.more += c.badMore - len(c.bad)
		if t.options.keepsMissing() || t.options.DropRows {
			continue
		}
		for _, f := range c.missing {
			t.at(f.Line, f.Column, "%s; add `impute: mean` (or median, zero) or `drop-rows: true`", f.Msg)
		}
		t.more += c.absent - len(c.missing)
	}
}

// nameIn tells whether the one field of a column that is no number stands on the first
// line, which was taken for a row.
func (t *builder) nameIn(c column) bool {
	return c.badMore == 1 && len(t.lines) > 0 && c.bad[0].Line == t.lines[0] && t.layout.Header != nil && !*t.layout.Header
}

// second says what else may be wrong where a column of text is met without a header.
func (t *builder) second() string {
	if t.layout.Header != nil && !*t.layout.Header && t.options.Label.Name == Last {
		return "; if it is the class, write `label` for it"
	}
	return ""
}

// featureNames are those of the header, or x1, x2, ...
func (t *builder) featureNames() []string {
	var names []string
	for i, c := range t.columns {
		if c.role == feature {
			names = append(names, cmp.Or(c.name, fmt.Sprintf("x%d", i+1)))
		}
	}
	return names
}

// yamlText writes a text as YAML reads it back.
func yamlText(s string) string {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789-./ ()", r)) {
			return strconv.Quote(s)
		}
	}
	switch strings.ToLower(s) {
	case "", "yes", "no", "true", "false", "on", "off", "null", "y", "n", "~":
		return strconv.Quote(s)
	}
	if strings.TrimSpace(s) != s {
		return strconv.Quote(s)
	}
	return s
}
