package tabular

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// labelNames are frequent names of columns of classes.
var labelNames = []string{"class", "label", "target", "species", "y", "outcome", "diagnosis", "category", "type", "labels", "classes"}

// idNames are frequent names of columns that number the rows.
var idNames = []string{"id", "index", "no", "nr", "number", "row", "rownames", "unnamed: 0", "uid", "sample_id", "name"}

// A Proposal holds proposed options for a file and the reasons. The user, who knows what the
// columns mean, should check it.
type Proposal struct {
	Options Options
	Why     []string // a sentence for each guessed option
	NoLabel bool     // the file has no column with the given label
}

func (p *Proposal) because(format string, args ...any) {
	p.Why = append(p.Why, fmt.Sprintf(format, args...))
}

// A look is what Guess records of a column.
type look struct {
	numbers, texts, missing, rows int

	values map[string]bool // values of the first rows, while they are few
	seen   int             // rows counted for values

	last   float64 // number of the row before
	jumps  bool    // some number is not 1 more than that of the row before
	other  bool    // some number is not whole, or not larger than that of the row before
	commas int     // numbers with a decimal comma
	points bool    // numbers with a point, or with several commas
	short  bool    // some comma is not followed by three digits, so it is no thousands separator
}

// field records a field of a column; columns is the number of columns.
func (l *look) field(text string, o Options, columns int) {
	// With many columns the first rows are enough.
	if most := max(50, min(MaxClasses, 2_000_000/columns)); len(l.values) <= most {
		if !l.values[text] {
			l.values[strings.Clone(text)] = true
		}
		l.seen++
	}
	v, err := o.number(text)
	switch {
	case err == nil:
		l.jumps, l.other = l.jumps || l.rows > 0 && v != l.last+1, l.other || l.rows > 0 && v <= l.last || v != math.Trunc(v)
		l.numbers, l.last, l.points = l.numbers+1, v, l.points || strings.Contains(text, ".")
	case o.missing(text):
		l.missing++
	case commaNumber.MatchString(text):
		_, decimals, _ := strings.Cut(text, ",")
		l.commas, l.short = l.commas+1, l.short || len(decimals) != 3
	case !numeric(text):
		l.texts++
	default:
		l.points = true
	}
	l.rows++
}

// repeats reports whether values repeat, as classes do.
func (l *look) repeats() bool { return 2*len(l.values) <= l.seen }

// ascends reports whether the column has a larger whole number in each row, with gaps.
func (l *look) ascends() bool { return l.rows > 10 && l.numbers == l.rows && l.jumps && !l.other }

// counts reports whether the column numbers the rows.
func (l *look) counts() bool { return l.rows > 2 && l.numbers == l.rows && !l.jumps }

// Guess completes the given options for a file: the label, the columns to drop, and the
// treatment of missing values and texts. It reads the file once, or twice if comment lines
// or decimal commas change the layout.
func Guess(ctx context.Context, name string, b []byte, given Options) Proposal {
	p := Proposal{Options: given}
	o := &p.Options
	if given.FormatOf(name) == "" {
		o.Format = CSV
	}
	impute := func(gaps [2]bool) {
		if gaps == [2]bool{} || given.Impute != "" || given.DropRows {
			return
		}
		o.Impute = "mean"
		become := []string{"missing numbers become the mean of the training rows", "missing texts have 0 in all features of their column"}
		for kind := range gaps {
			if !gaps[kind] {
				become[kind] = ""
			}
		}
		p.because("%s (`impute: mean`); --stanza \"{drop-rows: true}\" leaves their rows out", text.Join("; ", become...))
	}
	format := o.FormatOf(name)
	if format == LIBSVM || format == NPZ {
		all := *o
		all.SHA256, all.Impute = "", "mean"
		table, err := Read(ctx, name, b, all)
		impute([2]bool{err == nil && table.Missing > 0})
		return p
	}
	survey := func() *builder {
		t := newBuilder(ctx, name, b, *o)
		t.survey = true
		t.read()
		return t
	}

	// The lines before the table.
	skip := 0
	if format == CSV && o.Skip == 0 {
		skip = comments(source{ctx, b}.sampled(name, 0), o.Delimiter)
		o.Skip = skip
	}
	t := survey()
	if t.title > 0 && o.Skip == 0 {
		skip, o.Skip = t.title, t.title
		t = survey()
	}
	if skip > 0 {
		p.because("what stands before the rows is skipped: `skip: %d`", skip)
	}

	// Decimal commas: no number has a point, and no comma separates fields or thousands.
	commas, points, short := 0, false, t.layout.Delimiter == "semicolon"
	for _, c := range t.columns {
		if c.seen != nil {
			commas, points, short = commas+c.seen.commas, points || c.seen.points, short || c.seen.short
		}
	}
	if commas > 0 && !points && short && o.Decimal == "" && format == CSV && t.layout.Delimiter != "comma" {
		o.Decimal = ","
		p.because("%d numbers have a comma and none has a point, so commas are decimal: `decimal: \",\"`", commas)
		t = survey()
	}

	// Without columns, reading reports the fault.
	if len(t.columns) == 0 {
		if format == CSV {
			o.Label = cmp.Or(given.Label, Column{Name: Last})
		}
		return p
	}
	if p.NoLabel = !given.Label.IsZero() && t.find(given.Label) < 0; p.NoLabel {
		return p
	}
	if slices.ContainsFunc(append(slices.Clone(given.Drop), given.Fold), func(c Column) bool { return !c.IsZero() && t.find(c) < 0 }) {
		return p
	}

	// The label.
	label := t.find(t.options.Label)
	switch {
	case !given.Label.IsZero():
	case format == ARFF:
		p.because("the label is a guess: attribute %s", quoted(t.ref(label).String()))
	default:
		var why string
		label, why = guessLabel(t.columns)
		o.Label = t.ref(label)
		p.because("the label is a guess: column %s, %s; another is named by `label`", quoted(o.Label.String()), why)
	}

	// The features: drop columns that name or number the rows, unless the given options drop
	// columns.
	drop := func(i int, why string) {
		o.Drop = append(slices.Clone(o.Drop), t.ref(i))
		p.because("column %s %s: it is left out, for it is no feature", quoted(t.ref(i).String()), why)
	}
	named := func(i int) bool { return slices.Contains(idNames, strings.ToLower(t.columns[i].name)) }
	var left []int
	var texts []string // columns of text with few values
	encode := false    // there are columns of text
	var gaps [2]bool   // missing values in columns of numbers, and of text
	for i, c := range t.columns {
		switch l := c.seen; {
		case i == label || c.role != feature:
		case l.rows > 0 && l.missing == l.rows:
			drop(i, "has no value in any row")
		case given.Drop == nil && named(i) && len(l.values) == l.seen:
			drop(i, "is called as if it named the rows")
		case l.texts > l.numbers && len(l.values) > maxCategories && given.Encode == "":
			drop(i, fmt.Sprintf("is text of more than %d different values", maxCategories))
		default:
			left = append(left, i)
			kind := 0
			if l.texts > l.numbers {
				kind, encode = 1, true
				texts = append(texts, quoted(t.ref(i).String()))
			}
			gaps[kind] = gaps[kind] || l.missing > 0
		}
	}
	counts := func(i int) bool { return t.columns[i].seen.counts() }
	others := slices.ContainsFunc(left, func(i int) bool { return !counts(i) })
	for _, i := range left {
		if given.Drop == nil && others && counts(i) {
			drop(i, "counts the rows")
		}
	}
	for _, i := range left { // the advice repeats the columns dropped so far
		switch name := t.ref(i).String(); {
		case given.Drop != nil || others && counts(i):
		case t.columns[i].seen.ascends():
			p.because("column %s has a larger whole number in each row; if it names the rows, leave it out with --stanza \"{%s}\"",
				quoted(name), dropKey(o.Drop, t.ref(i)))
		case named(i):
			p.because("column %s is called as if it named the rows, has values that repeat, and is a feature; if it is none, leave it out with "+
				"--stanza \"{%s}\"", quoted(name), dropKey(o.Drop, t.ref(i)))
		}
	}
	if encode && o.Encode == "" {
		o.Encode = OneHot
	}
	if len(texts) > 0 && given.Encode == "" {
		p.because("%s of text: %s; each value becomes a feature (`encode: onehot`); --stanza \"{%s}\" leaves a column out",
			text.Counted(len(texts), "column"), someOf(texts), dropKey(o.Drop, Column{Name: "COLUMN"}))
	}
	impute(gaps)
	return p
}

// comments counts the lines before a table that begin with # or %. The table has another
// number of fields than the last of them.
func comments(sample []string, delimiter string) int {
	n := 0
	for n < len(sample) && strings.ContainsAny(sample[n][:1], "#%") {
		n++
	}
	if n == 0 || n == len(sample) {
		return 0
	}
	d := cmp.Or(delimiter, delimiterOf(sample[n:]))
	if fieldCount(sample[n-1], d) == fieldCount(sample[n], d) {
		return 0
	}
	return n
}

// guessLabel chooses the column of the label and gives the reason: a column with a usual
// name, or else the last or first column of repeated texts, or else the last or first
// column of few values.
func guessLabel(columns []column) (at int, why string) {
	for _, known := range labelNames {
		for i, c := range columns {
			if strings.EqualFold(c.name, known) && c.seen.repeats() && (c.seen.texts > c.seen.numbers || len(c.seen.values) <= max(20, c.seen.seen/5)) {
				return i, "for its name"
			}
		}
	}
	last := len(columns) - 1
	order := []int{last}
	for i := range last {
		order = append(order, i)
	}
	for _, kind := range []string{"texts", "numbers"} {
		for _, i := range order {
			l := columns[i].seen
			if l.repeats() && l.texts > l.numbers == (kind == "texts") && (kind == "texts" || len(l.values) <= 50) {
				return i, strconv.Itoa(len(l.values)) + " " + kind + " that repeat"
			}
		}
	}
	return last, "the last one, for no column has values that repeat as classes do"
}
