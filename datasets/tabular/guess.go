package tabular

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// labelNames are frequent names of columns of classes.
var labelNames = []string{"class", "label", "target", "species", "y", "outcome", "diagnosis", "category", "type", "labels", "classes"}

// idNames are frequent names of columns that number the rows.
var idNames = []string{"id", "index", "__index_level_0__", "no", "nr", "number", "row", "rownames", "unnamed: 0", "uid", "sample_id", "name"}

// A Proposal holds proposed options for a file and the reasons. The user, who knows what the
// columns mean, should check it.
type Proposal struct {
	Options Layout
	Why     []string // a sentence for each guessed option
	NoLabel bool     // the file has no column with the given label
	NoTable bool     // the file is none, or damaged: no option helps
}

func (p *Proposal) because(format string, args ...any) {
	p.Why = append(p.Why, fmt.Sprintf(format, args...))
}

// A look is what Guess records of a column.
type look struct {
	rows, numbers, missing int
	marks                  int // texts that mean a missing number, and are values among texts
	texts                  int // that are not even meant as numbers
	dates                  int
	blank                  int // rows that would have no label

	values map[string]*int // rows of each value of the first rows, while they are few
	seen   int             // rows counted for values

	last    float64 // number of the row before
	jumps   bool    // some number is not 1 more than that of the row before
	other   bool    // some number is not whole, or not larger than that of the row before
	commas  int     // numbers with a decimal comma
	odd     int     // numbers with marks of thousands
	endless int     // infinite numbers, or words such as inf
	signed  int     // numbers with a sign of percent or currency
	spelled int     // texts of JSON or Parquet that spell a number
	points  bool    // numbers with a point, or with several commas
	short   bool    // some comma is not followed by three digits, so it is no thousands separator
}

// dated is the form of dates, with or without a time, and of times.
var dated = regexp.MustCompile(`^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})|\d{1,2} [A-Za-z]{3,9} \d{4}|` +
	`\d{1,2}[-/. ]` + month + `[-/. ](\d{4}|\d{2})|` + month + ` \d{1,2},? \d{4})([T ]` +
	clock + `\s*(Z|[-+]\d{2}:?\d{2}|[AaPp][Mm])?)?$|^` + clock + `$`)

// thousands matches a number whose thousands are divided by commas or points, otherForm one with other marks of thousands or
// with an exponent of Fortran, not a code such as 1D2, infinite an infinite number, signed one of percent,
// a currency or a unit behind a blank.
var (
	thousands = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$|^[+-]?\d{1,3}(\.\d{3})+(,\d+)$|^[+-]?\d{1,3}(\.\d{3}){2}$`)
	otherForm = regexp.MustCompile(`^[+-]?(\d{1,3}(['’\x{a0}\x{202f}]\d{3})+([.,]\d+)?|(\d+\.\d*|\.\d+)[dD][+-]?\d+|\d+[dD][+-]\d+)$|^[−–]\d+([.,]\d+)?$`)
	infinite  = regexp.MustCompile(`(?i)^[+-]?inf(inity)?$`)
	signed    = regexp.MustCompile(`^[-+]?([$€£¥]\s?[-+]?[\d.,]*\d|\d[\d.,]*(\s?[%€£¥$]|\s[A-Za-zµ°/²³]{1,6}))$`)
)

const month = `(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*`

const clock = `\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?`

// field looks at a cell of column i of a table.
func (l *look) field(c cell, t *builder, i int) {
	// With many columns the first rows are enough.
	written := c.label()
	if l.values == nil {
		l.values = map[string]*int{}
	}
	if most := max(50, min(MaxClasses, 2_000_000/len(t.columns))); len(l.values) <= most {
		n, known := l.values[written]
		if !known {
			n = new(int)
			l.values[strings.Clone(written)] = n
		}
		*n++
		l.seen++
	}
	if t.lacksLabel(c) {
		l.blank++
	}
	v, err := c.number, error(nil)
	switch {
	case c.is == word && !t.names(t.options.Numeric, i), !numberLike(c.text) && c.is != number:
		err = noNumberError{}
	case c.is != number:
		v, err = t.options.number(c.text)
	}
	spells := false
	if c.is == word && err != nil && numberLike(c.text) {
		_, wrong := t.options.number(c.text)
		spells = wrong == nil
	}
	switch {
	case t.missing(c, categories):
		l.missing++
	case err == nil:
		l.jumps, l.other = l.jumps || l.rows > 0 && v != l.last+1, l.other || l.rows > 0 && v <= l.last || v != math.Trunc(v)
		l.numbers, l.last, l.points = l.numbers+1, v, l.points || strings.Contains(c.text, ".")
	case t.missing(c, numbers):
		l.marks++
	case spells:
		l.spelled, l.points = l.spelled+1, l.points || strings.Contains(c.text, ".")
	case dated.MatchString(c.text):
		l.dates++
	case commaNumber.MatchString(c.text):
		_, decimals, _ := strings.Cut(c.text, ",")
		l.commas, l.short = l.commas+1, l.short || len(decimals) != 3
	case thousands.MatchString(c.text), otherForm.MatchString(c.text):
		l.odd++
	case infinite.MatchString(c.text):
		l.endless++
	case !numeric(c.text):
		l.texts++
		if signed.MatchString(c.text) {
			l.signed++
		}
	default:
		l.points = true
	}
	l.rows++
}

// numberLike reports whether a text begins as numbers do; NaN and infinity are none here.
func numberLike(text string) bool {
	return text != "" && strings.IndexByte("+-.,0123456789", text[0]) >= 0
}

// others is how many values are no numbers and not meant to be missing.
func (l *look) others() int { return l.rows - l.numbers - l.missing - l.marks }

// isText tells whether most of the values are words. Infinite numbers beside words are words, too.
func (l *look) isText() bool {
	odd := l.commas + l.odd
	if l.texts == 0 {
		odd += l.endless
	}
	return l.others()-odd > l.numbers+odd || l.numbers == 0 && l.marks > 0 && odd == 0
}

// gaps is how many values are missing.
func (l *look) gaps() int {
	if l.isText() {
		return l.missing
	}
	return l.missing + l.marks
}

// repeats reports whether values repeat, as classes do.
func (l *look) repeats() bool { return 2*len(l.values) <= l.seen }

// fitsLabel reports whether each row has a value, and no value a single row.
func (l *look) fitsLabel() bool {
	for _, rows := range l.values {
		if *rows == 1 {
			return false
		}
	}
	return l.blank == 0
}

// ascends reports whether the column has a larger whole number in each row, with gaps.
func (l *look) ascends() bool { return l.rows > 10 && l.numbers == l.rows && l.jumps && !l.other }

// differs reports whether the column has another whole number in each of many rows.
func (l *look) differs() bool {
	return l.rows > 20 && l.numbers == l.rows && !l.points && len(l.values) == l.seen
}

// counts reports whether the column numbers the rows.
func (l *look) counts() bool { return l.rows > 2 && l.numbers == l.rows && !l.jumps }

// Guess proposes options for a file of which the given ones say too little: how it is laid out, the label,
// the columns that are no features, and what to do about missing values and texts. It reads the file once, and again
// where something tells that it is laid out otherwise.
func Guess(ctx context.Context, name string, b []byte, given Layout) Proposal {
	return proposed(ctx, name, b, given).Proposal
}

func proposed(ctx context.Context, name string, b []byte, given Layout) *guesser {
	g := guesser{Proposal: Proposal{Options: given}, given: given}
	g.propose(func() *builder {
		t := newBuilder(ctx, name, b, g.Options)
		t.survey = true
		return t
	}, rowLimit, proposers)
	g.NoTable = g.sheet == nil && len(g.faults) > 0 && g.faults[0].Line == 0
	if f := formatNamed(cmp.Or(g.layout.Format, CSV)); len(g.columns) == 0 && given.Label.IsZero() && !f.labelled && f.name != ARFF {
		g.Options.Label = ColumnRef{Name: Last}
	}
	return &g
}

// propose runs proposers one after another, and surveys so many rows before the first, and where the one before
// tells that the file is laid out otherwise.
func (g *guesser) propose(open func() *builder, rows int, proposers []func(*guesser)) {
	g.again = true
	for i := 0; ; i++ {
		if g.again {
			g.again = false
			if g.builder = open(); g.openSheet() {
				g.look(rows)
				g.decide()
			}
		}
		if i == len(proposers) || g.done {
			return
		}
		proposers[i](g)
	}
}

// A guesser is a proposal and what a survey saw of the file.
type guesser struct {
	Proposal
	*builder
	given Layout
	done  bool // reading tells what is wrong
	again bool // the file is laid out otherwise, so look at it anew
	class int  // column of the label; -1 of rows that have one beside their cells
	left  []int
}

// proposers look at a survey one after another. Each adds at most a few keys to the options, with a sentence for each, and
// tells whether the file has to be looked at again.
var proposers = []func(g *guesser){
	(*guesser).format, (*guesser).comments, (*guesser).titles, (*guesser).comments, (*guesser).header, (*guesser).decimals, (*guesser).named,
	(*guesser).label, (*guesser).unlabelled, (*guesser).declaredColumns, (*guesser).spelled, (*guesser).unusable, (*guesser).mixed, (*guesser).ids,
	(*guesser).texts, (*guesser).gaps,
}

// format names a format that the name of the file does not tell.
func (g *guesser) format() {
	if by := g.given.FormatOf(g.file); g.layout.Format != "" && g.layout.Format != by {
		if g.Options.Format = g.layout.Format; by != "" || g.layout.Format != CSV {
			g.because("the content is of format %s, whatever the name of the file: `format: %s`", g.layout.Format, g.layout.Format)
		}
	}
}

// comments names what lines begin with that have other fields than the rows.
func (g *guesser) comments() {
	if g.layout.Format != CSV || g.Options.Comment != "" || g.given.Skip > 0 {
		return
	}
	mark := g.commented
	if sample := g.sampled(g.file, g.Options.Skip, ""); mark == "" && len(sample) > 0 && strings.ContainsAny(sample[0][:1], "#%") {
		n := 0
		for n < len(sample) && strings.HasPrefix(sample[n], sample[0][:1]) {
			n++
		}
		if n < len(sample) {
			d := cmp.Or(g.given.Delimiter, delimiterOf(sample[n:]))
			first := fieldsOf(sample[n], d)
			if len(fieldsOf(sample[n-1], d)) != len(first) || !slices.ContainsFunc(first, numeric) { // the first line has the names
				mark = sample[0][:1]
			} else if n > 1 { // the last one has the names
				g.Options.Skip = n - 1
				g.because("what stands before the rows is skipped: `skip: %d`", n-1)
				g.again = true
				return
			}
		}
	}
	if mark == "" {
		return
	}
	g.Options.Comment = mark
	g.because("lines that begin with %s are comments: `comment: %q`; `comment` names another mark", mark, mark)
	g.again = true
}

// titles skips lines before the table.
func (g *guesser) titles() {
	if g.title == 0 || g.Options.Skip > 0 {
		return
	}
	g.Options.Skip = g.title
	if g.counted {
		g.because("the first line counts rows and features and names the classes 0, 1, ...: `skip: %d`; --stanza \"{header: false}\" makes a row of it", g.title)
	} else {
		g.because("what stands before the rows is skipped: `skip: %d`", g.title)
	}
	g.again = true
}

// separator skips the line that names the delimiter to spreadsheets.
func (g *guesser) separator() {
	if g.title == 1 && separatorLine.MatchString(g.sampled(g.file, 0, "")[0]) {
		g.titles()
	}
}

// header says why the first line is taken for names, where that is a guess.
func (g *guesser) header() {
	if g.headerWhy != "" {
		g.Options.Header = new(true)
		g.because("the first line has the names of the columns, for %s: `header: true`; --stanza \"{header: false}\" makes a row of it", g.headerWhy)
	}
}

// decimals takes commas for decimal: no number has a point, and no comma may divide fields or thousands.
func (g *guesser) decimals() {
	if g.layout.Format != CSV || g.Options.Decimal != "" || g.layout.Delimiter == "comma" {
		return
	}
	commas, points, short := 0, false, g.layout.Delimiter == "semicolon"
	for _, c := range g.columns {
		commas, points, short = commas+c.seen.commas, points || c.seen.points, short || c.seen.short
	}
	if commas == 0 || points || !short {
		return
	}
	g.Options.Decimal = ","
	g.because("%d numbers have a comma and none has a point, so commas are decimal: `decimal: \",\"`", commas)
	g.again = true
}

// named ends the guesses where a column that is named is not there, or none is: reading tells what is wrong.
func (g *guesser) named() {
	g.NoLabel = len(g.columns) > 0 && !g.given.Label.IsZero() && g.find(g.given.Label) < 0
	named := slices.Concat(g.given.Drop, g.given.Nominal, g.given.Numeric, Columns{g.given.Fold, g.given.Group})
	g.done = len(g.columns) == 0 || g.NoLabel || slices.ContainsFunc(named, func(c ColumnRef) bool { return !c.IsZero() && g.find(c) < 0 })
}

// label chooses the column of the label.
func (g *guesser) label() {
	g.class = -1
	if g.sheet.labelled {
		return
	}
	g.class = g.find(g.builder.options.Label)
	switch {
	case !g.given.Label.IsZero():
	case g.layout.Format == ARFF:
		g.because("the label is a guess: attribute %s", quoted(g.ref(g.class).String()))
	default:
		var why string
		g.class, why = guessLabel(g.columns)
		g.Options.Label = g.ref(g.class)
		g.because("the label is a guess: column %s, %s; another is named by `label`", quoted(g.Options.Label.String()), why)
	}
}

// unlabelled leaves out rows without a label, if others have one.
func (g *guesser) unlabelled() {
	if g.class < 0 || g.given.DropRows || g.given.DropUnlabelled {
		return
	}
	if l := &g.columns[g.class].seen; l.blank > 0 && l.blank < l.rows {
		g.Options.DropUnlabelled = true
		g.because("%s without a label %s left out: `drop-unlabelled: true`%s", text.Counted(l.blank, "row"), text.Agree(l.blank, "is", "are"), l.unsaid())
	}
}

// unsaid names a label that is taken for none, and the key that makes a class of it.
func (l *look) unsaid() string {
	for _, mark := range slices.Sorted(maps.Keys(l.values)) {
		if mark != "" && mark != "?" && meansMissing(mark) {
			return fmt.Sprintf("; %s is a class if `classes` lists it with the others", quoted(mark))
		}
	}
	return ""
}

// leadingZero is a number that is written as codes are.
var leadingZero = regexp.MustCompile(`^[+-]?0[0-9]`)

// coded reports whether texts that spell numbers are codes: with leading zeros, or two of one value, as 1.1 and 1.10.
func (l *look) coded() bool {
	values := map[float64]bool{}
	for written := range l.values {
		v, err := strconv.ParseFloat(written, 64)
		if leadingZero.MatchString(written) || err == nil && values[v] {
			return true
		}
		values[v] = err == nil
	}
	return false
}

// spelled makes numbers of texts that all spell one, if they have decimals or are too many for categories.
func (g *guesser) spelled() {
	for i := range g.columns {
		l := &g.columns[i].seen
		if i == g.class || g.columns[i].role != feature || g.declared(i) != undeclared || l.spelled == 0 || l.spelled < l.rows-l.missing ||
			!l.points && len(l.values) <= maxCategories || l.coded() || g.names(g.given.Nominal, i) {
			continue
		}
		g.Options.Numeric, g.again = append(slices.Clone(g.Options.Numeric), g.ref(i)), true
		g.because("the texts of column %s spell numbers and are taken for such (`numeric`); --stanza \"{%s}\" makes categories of them",
			quoted(g.ref(i).String()), listKey("nominal", g.given.Nominal, g.ref(i)))
	}
}

// declaredColumns tells of categories that are numbers.
func (g *guesser) declaredColumns() {
	for i := range g.columns {
		c := &g.columns[i]
		if c.role != feature || i == g.class || g.declared(i) != categories || g.names(g.given.Numeric, i) {
			continue
		}
		spelled := 0
		for value := range c.seen.values {
			if _, err := g.builder.options.number(value); err == nil {
				spelled++
			}
		}
		if 2*spelled > len(c.seen.values) {
			g.because("column %s has categories by declaration, although most of them are numbers; --stanza \"{%s}\" makes numbers of it",
				quoted(g.ref(i).String()), listKey("numeric", g.given.Numeric, g.ref(i)))
		}
	}
}

// drop leaves a column out, which a key undoes.
func (g *guesser) drop(i int, why, undo string) {
	if undo != "" {
		list := g.given.Numeric
		if undo == "nominal" {
			list = g.given.Nominal
		}
		undo = "; --stanza \"{" + listKey(undo, list, g.ref(i)) + "}\" keeps it"
	}
	g.Options.Drop = append(slices.Clone(g.Options.Drop), g.ref(i))
	g.because("column %s %s: it is left out, for it is no feature%s", quoted(g.ref(i).String()), why, undo)
}

// unusable leaves out columns without values, of dates, and of texts that hardly repeat.
func (g *guesser) unusable() {
	for i := range g.columns {
		c := &g.columns[i]
		if i == g.class || c.role != feature {
			continue
		}
		l, texts := &c.seen, c.seen.isText() || c.kind == categories
		kept := g.names(g.given.Nominal, i) || g.names(g.given.Numeric, i)
		switch {
		case g.declared(i) == aside && !kept:
			g.drop(i, "holds dates or lists", "")
		case l.rows > 0 && l.missing == l.rows:
			g.drop(i, "has no value in any row", "")
		case kept:
			g.left = append(g.left, i)
		case 10*l.dates >= 9*(l.rows-l.missing) && l.dates > 0:
			g.drop(i, "has dates", "nominal")
		case g.given.Drop == nil && g.idName(i) && len(l.values) == l.seen:
			g.drop(i, "has another value in each row and a name such as id", undoOf(l))
		case texts && 2*len(l.values) > l.seen && 10*l.signed >= 9*(l.rows-l.missing) && l.signed > 0 && g.given.Encode == "":
			g.drop(i, "has numbers with a sign or unit such as %, $ or kg; without it in the file they would be numbers", "nominal")
		case texts && len(l.values) > maxCategories && g.given.Encode == "":
			g.drop(i, fmt.Sprintf("is text of more than %d different values", maxCategories), "nominal")
		case texts && g.given.Encode == "" && l.rows >= 20 && len(l.values) == l.seen:
			g.drop(i, "has another text in each row", "nominal")
		default:
			g.left = append(g.left, i)
		}
	}
}

// undoOf is the key that makes a feature of a column that is left out.
func undoOf(l *look) string {
	if l.isText() {
		return "nominal"
	}
	return "numeric"
}

// idName tells whether a column has a name such as id.
func (g *guesser) idName(i int) bool {
	name := strings.ToLower(g.columns[i].name)
	return slices.Contains(idNames, name) || strings.HasSuffix(name, "_id") || strings.HasSuffix(g.columns[i].name, "Id")
}

// mixed makes categories of numbers among which texts stand, if the values are few, and leaves columns out in which they are many.
func (g *guesser) mixed() {
	g.left = slices.DeleteFunc(g.left, func(i int) bool {
		l := &g.columns[i].seen
		meant := l.commas+l.odd+l.endless > 0
		isGiven := g.names(g.given.Nominal, i) || g.names(g.given.Numeric, i)
		if g.declared(i) == numbers && l.numbers == 0 && l.isText() && len(l.values) <= maxCategories && !isGiven {
			g.Options.Nominal = append(slices.Clone(g.Options.Nominal), g.ref(i))
			g.because("column %s is declared numeric and has no number: its %d values are taken for categories (`nominal`); --stanza \"{%s}\" leaves it out",
				quoted(g.ref(i).String()), len(l.values), listKey("drop", g.given.Drop, g.ref(i)))
		}
		if g.declared(i) != undeclared || l.isText() || l.others() == 0 || meant || isGiven {
			return false
		}
		few := len(l.values) <= maxCategories && l.seen == l.rows && l.repeats() && (!l.points || len(l.values) <= 10)
		switch share := float64(l.others()) / float64(l.rows-l.missing); {
		case few && (share >= 0.05 || len(l.values) <= 10):
			g.Options.Nominal = append(slices.Clone(g.Options.Nominal), g.ref(i))
			g.because("column %s has numbers and, in %s, texts: its %d values are taken for categories (`nominal`); "+
				"--stanza \"{%s}\" wants numbers alone, \"{%s}\" leaves it out", quoted(g.ref(i).String()), text.Counted(l.others(), "row"),
				len(l.values), listKey("numeric", g.given.Numeric, g.ref(i)), listKey("drop", g.given.Drop, g.ref(i)))
		case len(l.values) > maxCategories && share >= 0.05 && g.given.Drop == nil:
			g.drop(i, fmt.Sprintf("has numbers and, in %s, texts, of more than %d values together", text.Counted(l.others(), "row"), maxCategories), "nominal")
			return true
		}
		return false
	})
}

// ids leaves out columns that count the rows, and tells of those that may.
func (g *guesser) ids() {
	kept := func(i int) bool {
		return g.given.Drop != nil || g.names(g.given.Numeric, i) || g.names(g.given.Nominal, i)
	}
	counts := func(i int) bool { return g.columns[i].seen.counts() }
	others := slices.ContainsFunc(g.left, func(i int) bool { return !counts(i) })
	for _, i := range g.left {
		if !kept(i) && others && counts(i) {
			g.drop(i, "counts the rows", "numeric")
		}
	}
	for _, i := range g.left { // the advice keeps what is left out by now
		switch name := g.ref(i).String(); {
		case kept(i) || others && counts(i):
		case g.columns[i].seen.ascends(), i == 0 && g.columns[i].name == "" && g.columns[i].seen.differs():
			g.because("column %s has another whole number in each row; if it names the rows, leave it out with --stanza \"{%s}\"",
				quoted(name), listKey("drop", g.Options.Drop, g.ref(i)))
		case g.idName(i):
			g.because("column %s is a feature, since its values repeat, though its name is one such as id; if it is none, leave it out with "+
				"--stanza \"{%s}\"", quoted(name), listKey("drop", g.Options.Drop, g.ref(i)))
		}
	}
}

// isCategory tells whether column i becomes categories by what is given or proposed.
func (g *guesser) isCategory(i int) bool {
	return g.columns[i].kind == categories || g.names(g.Options.Nominal, i)
}

// texts makes features of the values of text.
func (g *guesser) texts() {
	var texts []string
	encode := false
	for _, i := range g.left {
		l := &g.columns[i].seen
		if g.given.Encode != "" && g.declared(i) == undeclared && !l.isText() && l.others() > l.numbers && !g.names(g.given.Numeric, i) && !g.isCategory(i) {
			g.Options.Nominal = append(slices.Clone(g.Options.Nominal), g.ref(i))
			g.because("column %s has numbers in a form that is not read; each value becomes a feature, as `encode` says (`nominal`)", quoted(g.ref(i).String()))
		}
		if l.isText() && g.declared(i) != categories && !g.names(g.Options.Nominal, i) {
			encode = true
			texts = append(texts, quoted(g.ref(i).String()))
		}
	}
	if encode && g.given.Encode == "" {
		g.Options.Encode = OneHot
		g.because("%s of text: %s; each value becomes a feature (`encode: onehot`); --stanza \"{%s}\" leaves a column out",
			text.Counted(len(texts), "column"), someOf(texts), listKey("drop", g.Options.Drop, ColumnRef{Name: "COLUMN"}))
	}
}

// gaps fills in missing values.
func (g *guesser) gaps() {
	if g.given.Impute != "" || g.given.DropRows {
		return
	}
	var ofNumbers, ofTexts string
	for _, i := range g.left {
		switch l := &g.columns[i].seen; {
		case slices.ContainsFunc(g.Options.Drop, func(c ColumnRef) bool { return g.find(c) == i }):
		case (g.isCategory(i) || l.isText()) && l.missing > 0:
			ofTexts = "missing texts have 0 in all features of their column"
		case !g.isCategory(i) && !l.isText() && l.gaps() > 0:
			ofNumbers = "missing numbers become the mean of the training rows"
		}
	}
	if ofNumbers+ofTexts == "" {
		return
	}
	g.Options.Impute = "mean"
	g.because("%s (`impute: mean`); --stanza \"{drop-rows: true}\" leaves their rows out", text.Join("; ", ofNumbers, ofTexts))
}

// guessLabel chooses the column of the label and gives the reason: a column with a usual
// name, or else the last or first column of repeated texts, or else the last or first
// column of few values; one without gaps whose values all repeat before others.
func guessLabel(columns []column) (at int, why string) {
	for _, known := range labelNames {
		for i, c := range columns {
			if strings.EqualFold(c.name, known) && c.seen.repeats() && (c.seen.isText() || len(c.seen.values) <= max(20, c.seen.seen/5)) {
				return i, "for its name"
			}
		}
	}
	last := len(columns) - 1
	order := []int{last}
	for i := range last {
		order = append(order, i)
	}
	for k, kind := range []string{"texts", "texts", "numbers", "numbers"} {
		for _, i := range order {
			l := &columns[i].seen
			if l.repeats() && len(l.values) > 1 && l.isText() == (kind == "texts") && (kind == "texts" || len(l.values) <= 50) && (k%2 == 1 || l.fitsLabel()) {
				return i, strconv.Itoa(len(l.values)) + " " + kind + " that repeat"
			}
		}
	}
	return last, "the last one, for no column has values that repeat as classes do"
}
