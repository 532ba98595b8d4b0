package tabular

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"r2lmlbench/internal/text"
)

// Alike lists labels that are different classes but may mean the same, with their numbers of
// rows: 1 and 1.0, Setosa and setosa, and labels that differ in blanks, in invisible
// characters, or in the coding of accents.
func (t *Table) Alike() []string {
	groups := map[string][]int{} // classes
	for c, label := range t.Labels {
		groups[meaning(label)] = append(groups[meaning(label)], c)
	}
	counts := t.Histogram()
	var remarks []string
	for first, label := range t.Labels {
		alike := groups[meaning(label)]
		if alike[0] != first || len(alike) < 2 {
			continue
		}
		var labels []string
		for _, c := range alike {
			labels = append(labels, fmt.Sprintf("%+q (%s)", t.Labels[c], text.Counted(counts[c], "row")))
		}
		remarks = append(remarks, "labels that may mean the same are different classes: "+someOf(labels)+"; write them alike in the file if they are one")
	}
	return append(remarks, t.unsaid()...)
}

// unsaid reports labels that often mean that there is none, where the options say what is missing but do not list them as classes.
func (t *Table) unsaid() (remarks []string) {
	counts := t.Histogram()
	for c, label := range t.Labels {
		if t.Layout.Format == CSV && meansMissing(label) && !slices.Contains(t.Layout.Classes, label) {
			remarks = append(remarks, fmt.Sprintf("the label %s of %s is a class; "+
				"if it stands for a missing label, list it in `missing` and add `drop-unlabelled: true`", quoted(label), text.Counted(counts[c], "row")))
		}
	}
	return remarks
}

// meaning returns a key that is equal for labels that may mean the same.
func meaning(label string) string {
	label = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(label))
	label = strings.Join(strings.Fields(label), " ")
	if v, err := strconv.ParseFloat(label, 64); err == nil && v == v {
		return strconv.FormatFloat(v+0, 'g', -1, 64)
	}
	return label
}

// checks are the checks of a usable table, in the order of the remarks. Each returns a sentence for
// each finding; findings of grave ones may make accuracies worthless.
var checks = []struct {
	find  func(*Table) []string
	grave bool
}{
	{func(t *Table) []string { return t.Notes }, false},
	{(*Table).Alike, false}, {(*Table).copied, false}, {(*Table).named, false}, {(*Table).constant, false}, {(*Table).counting, false},
	{(*Table).Telling, true}, {(*Table).unlike, false}, {(*Table).marked, true}, {(*Table).gaps, false},
}

// Check returns the remarks for the user of a table, and which of them are grave: columns that
// determine the class, and numbers that may mean missing values.
func (t *Table) Check() (remarks, grave []string) {
	for _, check := range checks {
		found := check.find(t)
		if remarks = append(remarks, found...); check.grave {
			grave = append(grave, found...)
		}
	}
	return remarks, grave
}

// Remarks returns the remarks of Check.
func (t *Table) Remarks() []string {
	remarks, _ := t.Check()
	return remarks
}

// copied reports rows of equal and of nearly equal features.
func (t *Table) copied() (remarks []string) {
	const risk = "; a split may test on one and train on the other"
	n := t.Duplicates()
	if n.Rows > 0 {
		other := ""
		if n.Classes > 0 {
			other = ", " + strconv.Itoa(n.Classes) + " of another class"
		}
		remarks = append(remarks, text.Counted(n.Rows, "row")+" "+text.Agree(n.Rows, "has", "have")+" the features of an earlier row"+other+risk)
	}
	if n.Nearly > 0 {
		remarks = append(remarks, fmt.Sprintf("%s %s an earlier row: no feature differs by more than %.1g of its standard deviation%s",
			text.Counted(n.Nearly, "row"), text.Agree(n.Nearly, "nearly copies", "nearly copy"), n.Within, risk))
	}
	return remarks
}

// named reports a column of row names.
func (t *Table) named() []string {
	if !t.RowNames {
		return nil
	}
	return []string{"the header has a name less than there are columns: the first column, the names of the rows, is no feature"}
}

// constant reports features with one value.
func (t *Table) constant() []string {
	var names []string
	for _, c := range t.Columns() {
		if c.Min == c.Max {
			names = append(names, c.Name)
		}
	}
	return some(names, text.Agree(len(names), "is", "are")+" constant: ")
}

// counting reports features that number the rows.
func (t *Table) counting() []string {
	var names []string
	for j, name := range t.Names {
		counts := t.Rows() > 2
		for i := 1; i < t.Rows() && counts; i++ {
			counts = t.Row(i)[j] == t.Row(i - 1)[j]+1
		}
		if counts {
			names = append(names, name)
		}
	}
	return some(names, text.Agree(len(names), "counts", "count")+" the rows and may tell the class by the order of the file: ")
}

// some returns a remark on features; nil without features.
func some(names []string, what string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{text.Counted(len(names), "feature") + " " + what + someOf(names)}
}

// unlike reports features with very different standard deviations.
func (t *Table) unlike() []string {
	low, high := math.Inf(1), 0.0 // of the features that have one
	for _, c := range t.Columns() {
		if c.Deviation > 0 {
			low, high = min(low, c.Deviation), max(high, c.Deviation)
		}
	}
	if !(high > 1e3*low) {
		return nil
	}
	return []string{"the features have standard deviations from " + short(low) + " to " + short(high) +
		"; `features: zscore` standardizes them, and compare tries both"}
}

// marked reports numbers such as -999 that stand below all others of a feature and may mean that a value is missing.
func (t *Table) marked() (remarks []string) {
	for j, c := range t.Columns() {
		if t.Categories != nil && t.Categories[j] != nil || !slices.Contains([]float64{-99, -999, -9999, -99999}, c.Min) {
			continue
		}
		rows, next := 0, math.Inf(1)
		for i := range t.Rows() {
			if v := t.Row(i)[j]; v == c.Min {
				rows++
			} else if v < next {
				next = v
			}
		}
		if !math.IsInf(next, 1) && (next >= 0 || next-c.Min > c.Max-next) {
			remarks = append(remarks, fmt.Sprintf("column %s has %g in %s, below all its other numbers; if it stands for a missing value, list it in `missing`, "+
				"or write NaN", quoted(c.Name), c.Min, text.Counted(rows, "row")))
		}
	}
	return remarks
}

// gaps reports missing values and the rows without them.
func (t *Table) gaps() (remarks []string) {
	if t.Missing > 0 {
		remarks = append(remarks, text.Counted(t.Missing, "value")+" "+text.Agree(t.Missing, "is", "are")+" missing")
	}
	if t.Dropped > 0 {
		remarks = append(remarks, text.Counted(t.Dropped, "row")+" "+text.Agree(t.Dropped, "was", "were")+" left out for missing "+t.Lacking)
	}
	return remarks
}

// someOf lists the first few of these names.
func someOf(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// A Feature summarizes the values of a column of numbers that are not missing.
type Feature struct {
	Name      string  `json:"name"`
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"sd"` // with divisor n − 1
	Missing   int     `json:"missing"`
}

// Columns describes the features.
func (t *Table) Columns() []Feature {
	list := scales(t.Rows(), t.Row)
	for j, name := range t.Names {
		list[j].Name = name
	}
	return list
}

// scales describes the columns of one or more rows.
func scales(rows int, row func(i int) []float64) []Feature {
	list, squares := make([]Feature, len(row(0))), make([]float64, len(row(0)))
	for j := range list {
		list[j].Min, list[j].Max = math.Inf(1), math.Inf(-1)
	}
	for i := range rows {
		for j, v := range row(i) {
			f := &list[j]
			if math.IsNaN(v) {
				f.Missing++
				continue
			}
			delta := v - f.Mean
			f.Mean += delta / float64(i+1-f.Missing)
			squares[j] += delta * (v - f.Mean)
			f.Min, f.Max = min(f.Min, v), max(f.Max, v)
		}
	}
	for j := range list {
		list[j].Deviation = math.Sqrt(squares[j] / float64(max(rows-list[j].Missing-1, 1)))
	}
	return list
}

// Histogram returns the number of rows of each class, in code order.
func (t *Table) Histogram() []int {
	counts := make([]int, len(t.Labels))
	for _, code := range t.Y {
		counts[code-1]++
	}
	return counts
}

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
func (t *builder) countAside(cells []cell, class int) {
	for i, cell := range cells {
		c := &t.columns[i]
		if c.role != dropped || c.aside == nil || t.missing(cell, numbers) {
			continue
		}
		text := cell.label()
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

// groups returns the groups of feature j among the rows that count; nil if a value has several classes.
func (t *Table) groups(j int, counts func(i int) bool) []Group {
	all := census[float64]{}
	for i, class := range t.Y {
		v := t.Row(i)[j]
		if math.IsNaN(v) || !counts(i) {
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
// rows, such as patients; a random split has rows of one patient in training and test. In a column
// of fractions rows with a copy or near copy count once: measurements of one sample name no unit.
func (t *Table) Telling() (remarks []string) {
	all := len(t.Names) + len(t.Aside)
	same := sync.OnceValue(func() []int { return FindCopies(t.Rows(), t.Row).Near })
	once := func(i int) bool { return same()[i] == i }
	for j, name := range t.Names {
		groups := t.groups(j, func(int) bool { return true })
		found := tells(groups, all)
		if found == namesGroups && slices.ContainsFunc(groups, func(g Group) bool { return g.Number != math.Trunc(g.Number) && !math.IsNaN(g.Number) }) {
			found = tells(t.groups(j, once), all)
		}
		switch found {
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
	return fmt.Sprintf("all rows with the same value of column %s have the same class (%d values, %.3g rows each on average); if a value stands for "+
		"one patient, device or the like, accuracies are too high: keep its rows on one side of every split with `--group %s`, or `group: %s` in a spec",
		quoted(name), len(groups), float64(rowsOf(groups))/float64(len(groups)), name, name)
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
