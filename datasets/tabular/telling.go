package tabular

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A census counts the rows of each value of a column. It becomes nil when the rows of a value
// have several classes.
type census[K comparable] map[K]Group

// A Group counts the rows of a value; all have one class.
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

// groups returns the groups by their numbers; nil if there are fewer than two rows per value.
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

// An Aside is a column that is not a feature.
type Aside struct {
	Name   string
	Groups []Group
}

// maxAside is the largest number of values kept of all columns that are not features.
const maxAside = 1 << 18

// countAside counts a row in the columns that are not features.
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

// groups returns the groups of feature j; nil if a value has several classes.
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

// Telling reports columns in which every value has rows of one class only: features that
// determine the class and may be made from it, and columns that may name units with several
// rows, such as patients; a random split has rows of one patient in training and test.
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

// grouped is the remark on a column that may name units with several rows.
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

// Results of tells.
const (
	nothing     = iota
	givesClass  // up to two values per class
	namesGroups // more values per class
)

// tells judges one of several columns whose values have rows of one class each.
//
// The column counts only if chance explains it in at most one of 10,000 files: the probability
// that n rows of V values agree by chance is at most p^(n-V), where p is the share of the
// largest class. A numeric column of many values with each class in a few ranges does not count
// either: it is a good feature. If values are names, about V·(1 - Σq²) neighboring values differ
// in the class, where q is the share of a class among the values; we require half of that.
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
