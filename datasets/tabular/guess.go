package tabular

import (
	"io"
	"slices"
	"strings"
)

// labelNames are what columns of classes are often called.
var labelNames = []string{"class", "label", "target", "species", "y", "outcome", "diagnosis", "category", "type", "labels", "classes"}

// idNames are what columns that number the rows are often called.
var idNames = []string{"id", "index", "no", "nr", "number", "row", "rownames", "unnamed: 0", "uid", "sample_id", "name"}

// Guess proposes options for a file of which the given ones say too little: the
// label, the columns that are no features, and what to do about missing values.
// They are a proposal; whoever uses it knows what the columns mean.
func Guess(name string, b []byte, given Options) Options {
	if given.FormatOf(name) == "" {
		given.Format = CSV
	}
	if given.FormatOf(name) == CSV && given.Label.IsZero() {
		plain := given
		given = guessColumns(name, b, plain)
		if reads(name, b, given) {
			return given
		}
		if plain.Skip == 0 {
			// A first line of other fields, such as the number of rows.
			plain.Skip = 1
			if skipped := guessColumns(name, b, plain); reads(name, b, skipped) {
				return skipped
			}
		}
	}
	if given.Impute == "" && !given.DropRows {
		imputed := given
		imputed.Impute = "mean"
		if !reads(name, b, given) && reads(name, b, imputed) {
			return imputed
		}
	}
	return given
}

// reads tells whether a file can be read with some options.
func reads(name string, b []byte, o Options) bool {
	_, err := Read(name, b, o)
	return err == nil
}

// A look is what is seen of a column.
type look struct {
	numbers, texts, rows int
	values               map[string]bool
}

// guessColumns proposes the columns. Where nothing can be seen of them, the label is the
// last one, so that reading tells what is wrong.
func guessColumns(name string, b []byte, given Options) Options {
	given.Label = Column{Name: Last}
	r := &reporter{file: name}
	content, err := unpack(b)
	if err != nil {
		return given
	}
	text, ok := r.text(content)
	if !ok {
		return given
	}
	text = blanked(text, given.Skip)
	delimiter := given.Delimiter
	if delimiter == "" {
		delimiter = delimiterOf(text)
	}
	all := newRecords(text, delimiter)
	first, err := all.next()
	if err != nil || len(first.fields) > MaxColumns {
		return given
	}
	second, _ := all.next()
	header := (&builder{options: given}).hasHeader(first.fields, second.fields)
	looks := make([]look, len(first.fields))
	if !header {
		seeFields(looks, first.fields, given)
	}
	for rec := second; err != io.EOF && rec.fields != nil; rec, err = all.next() {
		seeFields(looks, rec.fields, given)
	}
	names := make([]string, len(first.fields))
	if header {
		names = first.fields
	}
	label := guessLabel(looks, names)
	given.Label = named(names, label)
	for j, l := range looks {
		id := slices.Contains(idNames, strings.ToLower(names[j])) && len(l.values) == l.rows
		used := slices.ContainsFunc(append(given.Drop, given.Fold), func(c Column) bool { return c == named(names, j) || c.Number == j+1 })
		if j != label && !used && (l.texts > l.numbers || id) {
			given.Drop = append(given.Drop, named(names, j))
		}
	}
	return given
}

// named refers to a column by its name or number.
func named(names []string, j int) Column {
	if names[j] != "" {
		return Column{Name: names[j]}
	}
	return Column{Number: j + 1}
}

func seeFields(looks []look, fields []string, o Options) {
	for j := range min(len(looks), len(fields)) {
		l := &looks[j]
		if l.values == nil {
			l.values = map[string]bool{}
		}
		l.rows++
		if l.rows <= 100_000 {
			l.values[fields[j]] = true
		}
		if _, err := number(fields[j]); err == nil {
			l.numbers++
		} else if !o.missing(fields[j]) && !numeric(fields[j]) {
			l.texts++
		}
	}
}

// guessLabel chooses the column of the label: one that is called so, or else the
// last or first one of texts that repeat, or else the last or first of few values.
func guessLabel(looks []look, names []string) int {
	last := len(looks) - 1
	repeats := func(j int) bool { return 2*len(looks[j].values) <= looks[j].rows }
	for _, known := range labelNames {
		for j := range looks {
			if strings.EqualFold(names[j], known) && repeats(j) {
				return j
			}
		}
	}
	for _, texts := range []bool{true, false} {
		for _, j := range append([]int{last, 0}, upTo(last)...) {
			if repeats(j) && looks[j].texts > looks[j].numbers == texts && (texts || len(looks[j].values) <= 50) {
				return j
			}
		}
	}
	return last
}

func upTo(n int) []int {
	list := make([]int, max(n, 0))
	for i := range list {
		list[i] = i
	}
	return list
}
