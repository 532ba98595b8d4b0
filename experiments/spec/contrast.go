package spec

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
)

// A Pairing asks for a comparison of two sides over the data sets of a spec. A side is one
// column or several; of several, the column with the best validation accuracy counts, chosen
// on every split (the first of equal ones).
type Pairing struct {
	Name string   `yaml:"name" jsonschema_description:"of the contrast in tables and facts, in lower case; when not given a-b of two columns"`
	A    []string `yaml:"a" jsonschema:"required" jsonschema_description:"a column, or a list of which the best on the validation samples counts"`
	B    []string `yaml:"b" jsonschema:"required" jsonschema_description:"what it is compared with: differences are a less b"`
	Pair string   `yaml:"pair" jsonschema:"enum=split,enum=seed" jsonschema_description:"what is subtracted: means over the seeds of a split (split, the default), or fits of one split and seed (seed)"`
	Over string   `yaml:"over" jsonschema:"enum=dataset" jsonschema_description:"what counts once in the tests: a data set, by the mean over its pairs (dataset, the default)"`
}

// The values of Pairing.Pair and Pairing.Over.
const (
	PairSplit   = "split"
	PairSeed    = "seed"
	OverDataset = "dataset"
)

// Contrasts are the pairings of a spec: in a file one, or a list.
type Contrasts = strictyaml.Several[Pairing]

// contrastName matches names of pairings; pages use them in markers.
var contrastName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// contrasts checks the pairings and fills in their defaults. It runs after methods,
// because pairings name columns.
func (c *checker) contrasts() {
	for i := range c.spec.Contrast {
		p := &c.spec.Contrast[i]
		place := func(keys ...any) []any { return slices.Concat([]any{"contrast", i}, keys) }
		p.Pair, p.Over = cmp.Or(p.Pair, PairSplit), cmp.Or(p.Over, OverDataset)
		c.side("a", p.A, nil, place)
		c.side("b", p.B, p.A, place)
		if p.Name == "" && len(p.A) == 1 && len(p.B) == 1 {
			p.Name = p.A[0] + "-" + p.B[0]
		}
		switch {
		case p.Name == "" && (len(p.A) == 0 || len(p.B) == 0): // reported above
		case p.Name == "":
			c.fault("a contrast of lists needs a name; add `name: ...`", place()...)
		case !contrastName.MatchString(p.Name):
			c.fault(fmt.Sprintf("a contrast is called %q; give it a `name` of lower-case letters, digits and hyphens", p.Name), place("name")...)
		case slices.ContainsFunc(c.spec.Contrast[:i], func(o Pairing) bool { return o.Name == p.Name }):
			c.fault(fmt.Sprintf("two contrasts are called %q; give one of them another `name`", p.Name), place("name")...)
		}
	}
}

// side checks the columns of one side of a pairing.
func (c *checker) side(key string, ids, other []string, place func(keys ...any) []any) {
	if len(ids) == 0 {
		c.fault(fmt.Sprintf("a contrast needs the column %s; add `%s: ...`", key, key), place(key)...)
	}
	known := c.spec.ColumnIDs()
	for k, id := range ids {
		at, i := place(key, k), slices.Index(known, id)
		switch {
		case i < 0:
			c.fault(fmt.Sprintf("unknown column %q%s; columns are called as in the table, by `name` or by the method's id", id, suggest(id, known)), at...)
		case slices.Contains(ids[:k], id) || slices.Contains(other, id):
			c.fault(fmt.Sprintf("column %s is in the contrast twice", id), at...)
		case len(ids) > 1 && slices.ContainsFunc(c.spec.Sets, single(&c.spec.Columns[i])):
			c.fault(fmt.Sprintf("of a list the best on the validation samples counts, and %s has one setting, for which these are not used; "+
				"give it a grid, or leave it out", id), at...)
		}
	}
}

// single reports the data sets on which a column has one setting; none for a column with
// faults.
func single(col *Column) func(datasets.DataSet) bool {
	return func(e datasets.DataSet) bool { return len(col.Settings[e.ID]) > 0 && !col.chooses(e) }
}
