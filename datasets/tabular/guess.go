package tabular

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// labelNames are what columns of classes are often called.
var labelNames = []string{"class", "label", "target", "species", "y", "outcome", "diagnosis", "category", "type", "labels", "classes"}

// idNames are what columns that number the rows are often called.
var idNames = []string{"id", "index", "no", "nr", "number", "row", "rownames", "unnamed: 0", "uid", "sample_id", "name"}

// A Proposal is how a file may be read, and why it is proposed so. Whoever uses it knows
// what the columns mean.
type Proposal struct {
	Options Options
	Why     []string // what of the options is a guess, a sentence each
}

func (p *Proposal) because(format string, args ...any) {
	p.Why = append(p.Why, fmt.Sprintf(format, args...))
}

// drop leaves a column out.
func (p *Proposal) drop(c Column, why string) {
	p.Options.Drop = append(slices.Clone(p.Options.Drop), c)
	p.because("column %s %s: the stanza drops it, for it is no feature", quoted(c.String()), why)
}

func (p *Proposal) impute() {
	p.Options.Impute = "mean"
	p.because("values are missing: `impute: mean` is a proposal, as are median and zero; `drop-rows: true` leaves their rows out")
}

// A look is what a survey sees of a column.
type look struct {
	numbers, texts, missing, rows int

	values map[string]bool // of the first rows, as long as they are few
	seen   int             // rows whose values are there

	last   float64 // number of the row before
	jumps  bool    // some number is not the one after that of the row before
	commas int     // numbers with a decimal comma
	points bool    // numbers with a point, or that have thousands divided by commas
	short  bool    // a comma with other than three digits after it
}

// field looks at a field of the column, one of so many.
func (l *look) field(text string, o Options, columns int) {
	// Of many columns the first rows tell enough.
	if most := max(50, min(MaxClasses, 2_000_000/columns)); len(l.values) <= most {
		if !l.values[text] {
			l.values[strings.Clone(text)] = true
		}
		l.seen++
	}
	v, err := o.number(text)
	switch {
	case err == nil:
		l.jumps = l.jumps || l.rows > 0 && v != l.last+1
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

// repeats tells whether values occur again, as classes do.
func (l *look) repeats() bool { return 2*len(l.values) <= l.seen }

// Guess proposes options for a file of which the given ones say too little: the label,
// the columns that are no features, and what to do about missing values and texts. It
// reads the file once, or twice where the first line or the commas tell that it is laid
// out otherwise.
func Guess(ctx context.Context, name string, b []byte, given Options) Proposal {
	p := Proposal{Options: given}
	if given.FormatOf(name) == "" {
		p.Options.Format = CSV
	}
	format := p.Options.FormatOf(name)
	if format == LIBSVM || format == NPZ {
		o := p.Options
		o.SHA256, o.Impute = "", "mean"
		if table, err := Read(ctx, name, b, o); err == nil && table.Missing > 0 && given.Impute == "" && !given.DropRows {
			p.impute()
		}
		return p
	}
	survey := func() *builder {
		t := newBuilder(ctx, name, b, p.Options)
		t.survey = true
		t.read()
		return t
	}
	if format == CSV {
		p.layout(source{ctx, b}, name)
	}
	t := survey()
	if t.title > 0 && given.Skip == 0 {
		p.Options.Skip = t.title
		p.because("the stanza skips what stands before the rows: `skip: %d`", t.title)
		t = survey()
	}
	if p.decimals(t) {
		t = survey()
	}
	switch named := append(slices.Clone(given.Drop), given.Label, given.Fold); {
	case len(t.columns) == 0 && format == CSV:
		p.Options.Label = cmp.Or(given.Label, Column{Name: Last}) // reading tells what is wrong
	case len(t.columns) > 0 && !slices.ContainsFunc(named, func(c Column) bool { return !c.IsZero() && t.find(c) < 0 }):
		p.roles(t, given)
	}
	return p
}

// layout proposes to skip comments, and blanks with decimal commas where both divide the
// first lines.
func (p *Proposal) layout(s source, name string) {
	o := &p.Options
	sample := s.sampled(name, o.Skip)
	comments := 0
	for comments < len(sample) && strings.ContainsAny(sample[comments][:1], "#%") {
		comments++
	}
	if rest := sample[comments:]; comments > 0 && len(rest) > 0 && o.Skip == 0 {
		d := cmp.Or(o.Delimiter, delimiterOf(rest))
		if fieldCount(sample[comments-1], d) != fieldCount(rest[0], d) {
			o.Skip = comments
			p.because("the stanza skips what stands before the rows: `skip: %d`", comments)
			sample = rest
		}
	}
	if o.Delimiter != "" || o.Decimal != "" {
		return
	}
	commas := 0
	for _, line := range sample {
		fields := strings.Fields(line)
		if len(fields) != len(strings.Fields(sample[0])) || len(fields) < 2 {
			return
		}
		for _, f := range fields {
			switch {
			case commaNumber.MatchString(f):
				commas++
			case strings.ContainsAny(f, ",;") || strings.Contains(f, ".") && numeric(f):
				return
			}
		}
	}
	if commas > 0 {
		o.Delimiter, o.Decimal = "blanks", ","
		p.because("blanks divide the fields, and numbers have decimal commas: `delimiter: blanks`, `decimal: \",\"`")
	}
}

// decimals proposes decimal commas where numbers have one and none has a point.
func (p *Proposal) decimals(t *builder) bool {
	commas, short := 0, false
	for _, c := range t.columns {
		if c.seen == nil || c.seen.points {
			return false
		}
		commas, short = commas+c.seen.commas, short || c.seen.short
	}
	if commas == 0 || !short || p.Options.Decimal != "" || t.layout.Format != CSV || t.layout.Delimiter == "comma" {
		return false
	}
	p.Options.Decimal = ","
	p.because("%d numbers have a comma and none has a point: `decimal: \",\"`", commas)
	return true
}

// roles proposes the label and the columns that are no features.
func (p *Proposal) roles(t *builder, given Options) {
	o, ref := &p.Options, t.ref
	if i, j, twice := twins(t.columns); twice && o.Header == nil {
		no := false
		o.Header, o.Skip = &no, t.firstLine
		p.because("columns %d and %d are both called %s: the stanza skips the header and names columns by number; or rename one",
			i+1, j+1, quoted(t.columns[i].name))
		ref = func(i int) Column { return Column{Number: i + 1} }
	}
	label := t.find(t.options.Label)
	switch {
	case !given.Label.IsZero():
	case t.layout.Format == ARFF:
		p.because("the label is a guess: attribute %s", quoted(ref(label).String()))
	default:
		var why string
		label, why = guessLabel(t.columns)
		o.Label = ref(label)
		p.because("the label is a guess: column %s, %s; another is named by `label`", quoted(o.Label.String()), why)
	}
	said := given.Drop != nil // what is no feature
	var left []int            // features
	texts := 0
	for i, c := range t.columns {
		switch l := c.seen; {
		case i == label || c.role != feature:
		case l.texts > l.numbers && (!l.repeats() || len(l.values) > maxCategories):
			p.drop(ref(i), "is text")
		case l.rows > 0 && l.missing == l.rows:
			p.drop(ref(i), "has no value in any row")
		case !said && slices.Contains(idNames, strings.ToLower(c.name)) && len(l.values) == l.seen:
			p.drop(ref(i), "is called as if it named the rows")
		case l.texts > l.numbers:
			left, texts = append(left, i), texts+1
		default:
			left = append(left, i)
		}
	}
	counts := func(i int) bool { l := t.columns[i].seen; return l.rows > 2 && l.numbers == l.rows && !l.jumps }
	missing, others := false, slices.ContainsFunc(left, func(i int) bool { return !counts(i) })
	for _, i := range left {
		if !said && others && counts(i) {
			p.drop(ref(i), "counts the rows")
		}
		missing = missing || t.columns[i].seen.missing > 0
	}
	if texts > 0 && o.Encode == "" {
		o.Encode = OneHot
		p.because("%d columns are text of at most %d values: `encode: onehot` makes a feature of each value; `drop` leaves columns out", texts, maxCategories)
	}
	if missing && o.Impute == "" && !o.DropRows {
		p.impute()
	}
}

// twins finds two columns of one name.
func twins(columns []column) (a, b int, found bool) {
	first := map[string]int{}
	for j, c := range columns {
		if i, twice := first[c.name]; twice && c.name != "" {
			return i, j, true
		}
		first[c.name] = j
	}
	return 0, 0, false
}

// guessLabel chooses the column of the label, and says why: one that is called so, or
// else the last or first one of texts that repeat, or else the last or first of few
// values.
func guessLabel(columns []column) (at int, why string) {
	for _, known := range labelNames {
		for i, c := range columns {
			if strings.EqualFold(c.name, known) && c.seen.repeats() {
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
