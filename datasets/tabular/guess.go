package tabular

import (
	"cmp"
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

// Guess proposes options for a file of which the given ones say too little: the
// label, the columns that are no features, and what to do about missing values.
func Guess(name string, b []byte, given Options) Proposal {
	if given.FormatOf(name) == "" {
		given.Format = CSV
	}
	if content, err := unpack(b); err == nil {
		b = content // once for all attempts
	}
	sum := given.SHA256
	given.SHA256 = ""
	var p Proposal
	switch given.FormatOf(name) {
	case CSV:
		p = guessDelimited(name, b, given)
	case ARFF:
		p = guessAttributes(name, b, given).imputed(name, b)
	default:
		p = Proposal{Options: given}.imputed(name, b)
	}
	p.Options.SHA256 = sum
	return p
}

const imputing = "values are missing: `impute: mean` is a proposal, as are median and zero; `drop-rows: true` leaves their rows out"

// imputed proposes to impute where the file can be read so and not otherwise.
func (p Proposal) imputed(name string, b []byte) Proposal {
	if p.Options.Impute != "" || p.Options.DropRows || reads(name, b, p.Options) {
		return p
	}
	q := p
	q.Options.Impute = "mean"
	if !reads(name, b, q.Options) {
		return p
	}
	q.because(imputing)
	return q
}

// reads tells whether a file can be read with some options.
func reads(name string, b []byte, o Options) bool {
	_, err := Read(name, b, o)
	return err == nil
}

// contentOf returns the text of a file; ok is false where it is none.
func contentOf(name string, b []byte) (text string, ok bool) {
	content, err := unpack(b)
	if err != nil {
		return "", false
	}
	return (&reporter{file: name}).text(content)
}

// guessAttributes leaves out the attributes of an ARFF file that are no numbers.
func guessAttributes(name string, b []byte, given Options) Proposal {
	p := Proposal{Options: given}
	text, ok := contentOf(name, b)
	if !ok {
		return p
	}
	for range 2 { // rows are read where no attribute stops it
		t := newBuilder(&reporter{file: name}, p.Options)
		t.arff(text)
		if len(t.columns) == 0 || slices.ContainsFunc(given.named(), func(c Column) bool { return t.find(c) < 0 }) {
			return p
		}
		if len(p.Why) == 0 && given.Label.IsZero() && !t.layout.Label.IsZero() {
			p.because("the label is a guess: attribute %s", quoted(t.layout.Label.String()))
		}
		for i, c := range t.columns {
			if c.role == feature && (c.text || c.badMore > c.numbers) {
				p.drop(t.ref(i), "is text")
			}
		}
	}
	return p
}

// drop leaves a column out.
func (p *Proposal) drop(c Column, why string) {
	p.Options.Drop = append(slices.Clone(p.Options.Drop), c)
	p.because("column %s %s: the stanza drops it, for it is no feature", quoted(c.String()), why)
}

// guessDelimited proposes the layout of delimited text, first as it is and then without
// lines before the rows, where it can be read so alone.
func guessDelimited(name string, b []byte, given Options) Proposal {
	text, ok := contentOf(name, b)
	p := guessColumns(text, given)
	if !ok || given.Skip > 0 || reads(name, b, p.Options) {
		return p
	}
	given.Skip = max(1, commented(text))
	skipped := guessColumns(text, given)
	if !reads(name, b, skipped.Options) {
		return p
	}
	skipped.because("the stanza skips what stands before the rows: `skip: %d`", given.Skip)
	return skipped
}

// commented counts the lines at the beginning that are marked as comments.
func commented(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "%") {
			break
		}
		n++
	}
	return n
}

// mostSeen are the rows that a guess looks at.
const mostSeen = 1_000_000

// A look is what is seen of a column.
type look struct {
	numbers, texts, missing, rows int
	seen                          int // rows whose values were collected
	values                        map[string]bool
	number                        float64 // of the row before
	jumps                         bool    // some number is not the one after that of the row before
}

// guessColumns proposes the columns. Where nothing can be seen of them, the label is the
// last one, so that reading tells what is wrong.
func guessColumns(text string, given Options) Proposal {
	p := Proposal{Options: given}
	text = blanked(text, given.Skip)
	delimiter := given.Delimiter
	if delimiter == "" {
		delimiter = delimiterOf(text)
	}
	all := newRecords(text, delimiter)
	head, err := headOf(all)
	if len(head) == 0 || len(head[0].fields) > MaxColumns {
		p.Options.Label = cmp.Or(given.Label, Column{Name: Last})
		return p
	}
	names, header := given.headerOf(head)
	looks := make([]look, max(len(names), len(head[0].fields)))
	for i, rec := range head {
		if i > 0 || !header {
			seeFields(looks, rec.fields, given)
		}
	}
	for n := 0; err == nil && n < mostSeen; n++ {
		var rec record
		if rec, err = all.next(); err == nil {
			seeFields(looks, rec.fields, given)
		}
	}
	if !header {
		names = make([]string, len(looks))
	}
	p.roles(looks, names, head[0].line)
	return p
}

// named are the columns that options name.
func (o Options) named() []Column {
	return slices.DeleteFunc(append(slices.Clone(o.Drop), o.Label, o.Fold), Column.IsZero)
}

// roles proposes the label and the columns that are no features. Where a column is named
// that is not there, nothing is: what the others are for depends on it.
func (p *Proposal) roles(looks []look, names []string, headerLine int) {
	if slices.ContainsFunc(p.Options.named(), func(c Column) bool { return placeOf(names, c) < 0 || c.Number > len(names) }) {
		return
	}
	ref := func(j int) Column { return named(names, j) }
	if a, b, twice := twins(names); twice && p.Options.Header == nil {
		no := false
		p.Options.Header, p.Options.Skip = &no, headerLine
		p.because("columns %d and %d are both called %s: the stanza skips the header and names columns by number; or rename one", a+1, b+1, quoted(names[a]))
		ref = func(j int) Column { return Column{Number: j + 1} }
	}
	label := placeOf(names, p.Options.Label)
	if p.Options.Label.IsZero() {
		var why string
		label, why = guessLabel(looks, names)
		p.because("the label is a guess: column %s, %s; another is named by `label`", quoted(ref(label).String()), why)
		p.Options.Label = ref(label)
	}
	complete := p.Options.Drop != nil // what is no feature was said
	known := append(slices.Clone(p.Options.Drop), p.Options.Fold)
	var features []int
	for j, l := range looks {
		switch {
		case j == label || j == 0 && names[j] == rowNames || slices.ContainsFunc(known, func(c Column) bool { return placeOf(names, c) == j }):
		case l.texts > l.numbers:
			p.drop(ref(j), "is text")
		case l.rows > 0 && l.missing == l.rows:
			p.drop(ref(j), "has no value in any row")
		case !complete && slices.Contains(idNames, strings.ToLower(names[j])) && len(l.values) == l.seen:
			p.drop(ref(j), "is called as if it named the rows")
		default:
			features = append(features, j)
		}
	}
	if !complete {
		p.dropCounters(looks, features, ref)
	}
	if p.Options.Impute == "" && !p.Options.DropRows && slices.ContainsFunc(features, func(j int) bool { return looks[j].missing > 0 }) {
		p.Options.Impute = "mean"
		p.because(imputing)
	}
}

// dropCounters leaves out features that number the rows, if others are left.
func (p *Proposal) dropCounters(looks []look, features []int, ref func(int) Column) {
	counts := func(j int) bool { return looks[j].rows > 2 && looks[j].numbers == looks[j].rows && !looks[j].jumps }
	if !slices.ContainsFunc(features, func(j int) bool { return !counts(j) }) {
		return
	}
	for _, j := range features {
		if counts(j) {
			p.drop(ref(j), "counts the rows")
		}
	}
}

// twins finds two columns of one name.
func twins(names []string) (a, b int, found bool) {
	first := map[string]int{}
	for j, name := range names {
		if i, twice := first[name]; twice && name != "" {
			return i, j, true
		}
		first[name] = j
	}
	return 0, 0, false
}

// named refers to a column by its name or number.
func named(names []string, j int) Column {
	if names[j] != "" {
		return Column{Name: names[j]}
	}
	return Column{Number: j + 1}
}

// placeOf is the index of a column, -1 if it is not there.
func placeOf(names []string, c Column) int {
	switch i := slices.Index(names, c.Name); {
	case c.Number > 0:
		return c.Number - 1
	case i >= 0 && c.Name != "":
		return i
	case c.Name == First:
		return 0
	case c.Name == Last:
		return len(names) - 1
	}
	return -1
}

func seeFields(looks []look, fields []string, o Options) {
	// Of many columns the first rows tell enough.
	most := max(50, min(MaxClasses, 2_000_000/len(looks)))
	for j := range min(len(looks), len(fields)) {
		l := &looks[j]
		if l.values == nil {
			l.values = map[string]bool{}
		}
		if len(l.values) <= most {
			l.values[strings.Clone(fields[j])] = true
			l.seen++
		}
		if v, err := number(fields[j]); err == nil {
			l.jumps = l.jumps || l.rows > 0 && v != l.number+1
			l.numbers, l.number = l.numbers+1, v
		} else if o.missing(fields[j]) {
			l.missing++
		} else if !numeric(fields[j]) {
			l.texts++
		}
		l.rows++
	}
}

// guessLabel chooses the column of the label, and says why: one that is called so, or
// else the last or first one of texts that repeat, or else the last or first of few
// values.
func guessLabel(looks []look, names []string) (column int, why string) {
	last := len(looks) - 1
	repeats := func(j int) bool { return 2*len(looks[j].values) <= looks[j].seen }
	for _, known := range labelNames {
		for j := range looks {
			if strings.EqualFold(names[j], known) && repeats(j) {
				return j, "for its name"
			}
		}
	}
	for _, texts := range []bool{true, false} {
		for _, j := range append([]int{last, 0}, upTo(last)...) {
			if repeats(j) && looks[j].texts > looks[j].numbers == texts && (texts || len(looks[j].values) <= 50) {
				kind := "numbers"
				if texts {
					kind = "texts"
				}
				return j, strconv.Itoa(len(looks[j].values)) + " " + kind + " that repeat"
			}
		}
	}
	return last, "the last one, for no column has values that repeat as classes do"
}

func upTo(n int) []int {
	list := make([]int, max(n, 0))
	for i := range list {
		list[i] = i
	}
	return list
}
