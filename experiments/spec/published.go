package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/published"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/stats/audit"
)

// Published is a printed table that a spec compares its columns with.
type Published struct {
	*audit.PrintedTable
	Numbers published.Numbers // of the table, by our ids of data sets
	Origin  *Spec             // spec with the split, k and settings of the numbers: often the spec itself
}

// published reads the table of printed numbers that the spec or its base names. The origin of
// the numbers is the spec that the table names, or else the one that names the table.
func (c *checker) published() {
	key, from, name, origin := "published", c.d.File, c.spec.Printed, c.spec
	if name == "" && c.parent != nil {
		key, from, name, origin = "base", beside(from, c.spec.Base), c.parent.Printed, c.parent
	}
	if name == "" || c.isBase || c.isOrigin || c.d.Err() != nil {
		return // with other faults the known rows and columns are uncertain
	}
	file, b, err := printed(from, name)
	if err != nil {
		c.fault(err.Error(), key)
		return
	}
	t, err := audit.Parse(file, b)
	if c.foreign(err, key, file) {
		return
	}
	p := &Published{PrintedTable: t, Origin: origin}
	if t.Spec != "" {
		if p.Origin, err = other(file, t.Spec, checker{isOrigin: true}); c.foreign(err, key, "spec "+t.Spec+" of "+file) {
			return
		}
	}
	rows := map[string]datasets.DataSet{}
	err = t.Check(func(id string) error {
		e, ok := p.entry(c.spec, id)
		rows[id] = e
		if !ok {
			return fmt.Errorf("row %q is no data set of %s or of the catalogue%s; name rows by ids or letters, and remove what the spec cannot have",
				id, c.spec.Name, suggest(id, datasets.IDs(c.spec.Sets)))
		}
		return nil
	}, func(id string) error {
		known := append(c.spec.ColumnIDs(), p.Origin.ColumnIDs()...)
		if _, method := registry.Find(id); !method && !slices.Contains(known, id) {
			return fmt.Errorf("%q is no column of %s and no method%s; columns have the ids of columns or methods, and texts call them by `names`; %s has %s",
				id, c.spec.Name, suggest(id, append(known, registry.IDs()...)), c.spec.Name, strings.Join(c.spec.ColumnIDs(), ", "))
		}
		return nil
	})
	if c.foreign(err, key, file) {
		return
	}
	p.Numbers = published.Of(t)
	for i := range p.Numbers {
		e := rows[p.Numbers[i].Letter]
		p.Numbers[i].Letter, p.Numbers[i].Dataset = e.Letter, e.ID
	}
	c.spec.Published = p
}

// printed reads the table that a file names.
func printed(from, name string) (file string, b []byte, err error) {
	if b, err := published.Files.ReadFile(name + ".yaml"); err == nil {
		return name + ".yaml", b, nil
	}
	file = beside(from, name)
	b, err = readSpec(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no file %s and no table %s in the program%s; it has %s, and `r2lmlbench audit --example` prints one to begin with",
			file, name, suggest(name, published.Names()), strings.Join(published.Names(), ", "))
	}
	return file, b, err
}

// entry returns the data set of a row: one of the spec, of the origin of the numbers, or of
// the catalogue.
func (p *Published) entry(s *Spec, row string) (datasets.DataSet, bool) {
	for _, e := range slices.Concat(s.Sets, p.Origin.Sets) {
		if strings.EqualFold(e.ID, row) || strings.EqualFold(e.Letter, row) && !e.Generated() {
			return e, true
		}
	}
	e, err := datasets.Find(row)
	return e, err == nil
}

// ColumnIDs returns the ids of the columns, in their order.
func (s *Spec) ColumnIDs() []string {
	ids := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		ids[i] = c.ID
	}
	return ids
}

// Number returns the printed number of a data set and a column, if there is one. Its experiment
// may still differ, see Divided and Column.
func (p *Published) Number(e datasets.DataSet, c *Column) (published.Number, bool) {
	if p == nil {
		return published.Number{}, false
	}
	return p.Numbers.Find(e.ID, e.Letter, c.ID, c.Method.ID)
}

// Divided reports whether the numbers of a data set, if there are any, belong to this split, or
// to several splits of its kind. It does not compare principal components; the key pca does.
func (p *Published) Divided(e datasets.DataSet, rule datasets.Rule) bool {
	if p == nil || !slices.Contains(datasets.IDs(p.Origin.Sets), e.ID) {
		return false
	}
	want := p.Origin.Split.RuleOf(e, 1)
	want.Repeat, want.Fold, want.Standardized = rule.Repeat, rule.Fold, rule.Standardized
	return rule == want
}

// Column returns the column of the origin that corresponds to c: the one with its id, or else
// the first of its method; nil without one.
func (p *Published) Column(c *Column) *Column {
	first := slices.IndexFunc(p.Origin.Columns, func(o Column) bool { return o.Method.ID == c.Method.ID })
	if i := slices.Index(p.Origin.ColumnIDs(), c.ID); i >= 0 && p.Origin.Columns[i].Method.ID == c.Method.ID {
		first = i
	}
	if first < 0 {
		return nil
	}
	return &p.Origin.Columns[first]
}

// Fewer describes the settings of a column that tries fewer on a data set than the column of the
// printed numbers: "12 of 63 settings: lambda 0.1, 10; metrics 1, 2". It is "" for as many, and for
// a column without a choice.
func (p *Published) Fewer(c *Column, dataset string) string {
	of := p.Column(c)
	if of == nil {
		return ""
	}
	points, all := c.Grid(dataset), len(of.Grid(dataset))
	if len(points) < 2 || len(points) >= all {
		return ""
	}
	values := map[string][]string{}
	for _, point := range points {
		for name, v := range point.Params {
			if one := fmt.Sprint(v); !slices.Contains(values[name], one) {
				values[name] = append(values[name], one)
			}
		}
	}
	var tried []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 {
			tried = append(tried, name+" "+strings.Join(values[name], ", "))
		}
	}
	return fmt.Sprintf("%d of %d settings: %s", len(points), all, strings.Join(tried, "; "))
}

// OtherK reports whether a column has another k on some data set than the numbers.
func (p *Published) OtherK(c *Column) bool {
	of := p.Column(c)
	for dataset, k := range c.Neighbors {
		want := p.Origin.Neighbors[0]
		if of != nil {
			if known, ok := of.Neighbors[dataset]; ok {
				want = known
			}
		}
		if k != want && !c.Method.Imported {
			return true
		}
	}
	return false
}

// OtherNeighbors reports whether the spec has a single k that differs from that of its printed
// numbers.
func (s *Spec) OtherNeighbors() bool {
	return s.Published != nil && len(s.Neighbors) == 1 && len(s.Published.Origin.Neighbors) == 1 && s.Neighbors[0] != s.Published.Origin.Neighbors[0]
}
