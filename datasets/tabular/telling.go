package tabular

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A census counts the rows of each value of a column, as long as the rows of a value have
// one class. Then it is nil.
type census[K comparable] map[K]Group

// A Group are the rows of a value, which have one class.
type Group struct {
	Number      float64 // the value; NaN of a text
	Class, Rows int
}

// add counts a row.
func (c *census[K]) add(value K, number float64, class int) {
	g, known := (*c)[value]
	switch {
	case *c == nil:
	case known && g.Class != class:
		*c = nil
	default:
		(*c)[value] = Group{number, class, g.Rows + 1}
	}
}

// groups are in the order of their numbers; none of fewer than two rows a value.
func (c census[K]) groups() []Group {
	var list []Group
	for _, g := range c {
		list = append(list, g)
	}
	if 2*len(list) > rowsOf(list) {
		return nil
	}
	slices.SortFunc(list, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), a.Class-b.Class, a.Rows-b.Rows)
	})
	return list
}

// An Aside is a column that is no feature.
type Aside struct {
	Name   string
	Groups []Group
}

// maxAside is how many values are kept of all columns together that are no features.
const maxAside = 1 << 18

// countAside counts a row in the columns that are no features.
func (t *builder) countAside(fields []string, class int) {
	for i, text := range fields {
		c := &t.columns[i]
		if c.role != dropped || c.aside == nil || t.options.missing(text) {
			continue
		}
		number, err := t.options.number(text)
		if err != nil {
			number = math.NaN()
		}
		before := len(c.aside)
		if c.aside.add(strings.Clone(text), number, class); len(c.aside) > before {
			t.kept++
		}
		if t.kept > maxAside {
			c.aside = nil
		}
	}
}

// groups are those of feature j; none where a value has several classes.
func (t *Table) groups(j int) []Group {
	all := census[float64]{}
	for i, class := range t.Y {
		v := t.Row(i)[j]
		if math.IsNaN(v) {
			continue
		}
		number := v
		if t.Categories != nil && t.Categories[j] != nil {
			number = math.NaN()
		}
		if all.add(v+0, number, class); all == nil || 2*len(all) > len(t.Y) {
			return nil
		}
	}
	return all.groups()
}

// Telling tells of columns whose every value has rows of one class alone: of features that
// give the class and may be made from it, and of any column that may name what the rows are
// of, such as a patient, of whom a split trains on some rows and tests on others.
func (t *Table) Telling() (remarks []string) {
	all := len(t.Names) + len(t.Aside)
	for j, name := range t.Names {
		switch groups := t.groups(j); tells(groups, all) {
		case givesClass:
			remarks = append(remarks, fmt.Sprintf("column %s alone gives the class: each of its %d values has one class; "+
				"if it was made from the class, leave it out: `drop: [%s]`", quoted(name), len(groups), name))
		case namesGroups:
			remarks = append(remarks, grouped(name, groups))
		}
	}
	for _, c := range t.Aside {
		if tells(c.Groups, all) == namesGroups {
			remarks = append(remarks, grouped(c.Name, c.Groups))
		}
	}
	return remarks
}

// grouped is the remark on a column that may name what the rows are of.
func grouped(name string, groups []Group) string {
	return fmt.Sprintf("each of the %d values of column %s has one class, in %.3g rows on average; if rows of one value belong together, "+
		"such as those of a patient, a split may test on some and train on others: keep them together with a spec, `fold: %s` and `rule: fold`",
		len(groups), quoted(name), float64(rowsOf(groups))/float64(len(groups)), name)
}

func rowsOf(groups []Group) (n int) {
	for _, g := range groups {
		n += g.Rows
	}
	return n
}

// What a column tells of the class.
const (
	nothing     = iota
	givesClass  // by up to two values a class
	namesGroups // by more
)

// tells judges a column, one of several, whose values have rows of one class each.
//
// It tells nothing unless chance would bring that in one of 10,000 files at most: n rows of V
// values agree by chance with a probability of p^(n-V) or less, where p is the share of the
// largest class. Nor does a number of many values with each class in a few ranges: it is a
// good feature. Of values that are names, about V·(1 - Σq²) neighbors differ in the class,
// where q is the share of a class among the values; the number has at least half as many.
func tells(groups []Group, columns int) int {
	n, values := float64(rowsOf(groups)), float64(len(groups))
	rows, share := map[int]float64{}, map[int]float64{} // by class
	changes, numbers, most := 0, true, 0.0
	for k, g := range groups {
		rows[g.Class] += float64(g.Rows)
		share[g.Class] += 1 / values
		most = max(most, rows[g.Class]/n)
		numbers = numbers && !math.IsNaN(g.Number)
		if k > 0 && g.Class != groups[k-1].Class {
			changes++
		}
	}
	expected := values
	for _, q := range share {
		expected -= values * q * q
	}
	switch {
	case len(rows) < 2 || (n-values)*-math.Log(most) < math.Log(1e4*float64(columns)):
		return nothing
	case len(groups) <= 2*len(rows):
		return givesClass
	case numbers && (changes <= len(rows) || 2*float64(changes) < expected):
		return nothing
	}
	return namesGroups
}
