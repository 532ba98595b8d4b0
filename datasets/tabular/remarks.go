package tabular

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"r2lmlbench/internal/text"
)

// Alike says which labels are different classes and look as if they meant the same, with
// their rows: 1 and 1.0, Setosa and setosa, and those that differ in blanks, in characters
// that are not seen, or in how accents are coded.
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
	return remarks
}

// meaning is the same for labels that may mean the same.
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

// Duplicates are rows of equal features.
type Duplicates struct {
	Rows    int // that have an equal one before them
	Classes int // of these, rows whose equal one has another class
}

// Duplicates finds rows of equal features, whatever their class.
func (t *Table) Duplicates() Duplicates {
	var found Duplicates
	first := make(map[uint64]int, len(t.Y)) // of the rows with a hash
	seed := maphash.MakeSeed()
	var key []byte
	for i := range t.Y {
		key = key[:0]
		for _, v := range t.Row(i) {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0)) // -0 is 0
		}
		hash := maphash.Bytes(seed, key)
		before, again := first[hash]
		for again && !slices.EqualFunc(t.Row(i), t.Row(before), func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			hash++ // of another row that happens to have this one
			before, again = first[hash]
		}
		if !again {
			first[hash] = i
			continue
		}
		found.Rows++
		if t.Y[before] != t.Y[i] {
			found.Classes++
		}
	}
	return found
}

// Remarks are what somebody should know of a table that can be used.
func (t *Table) Remarks() []string {
	remarks := t.Alike()
	add := func(parts ...string) { remarks = append(remarks, strings.Join(parts, "")) }
	if n := t.Duplicates(); n.Rows > 0 {
		other := ""
		if n.Classes > 0 {
			other = ", " + strconv.Itoa(n.Classes) + " of another class"
		}
		add(text.Counted(n.Rows, "row"), " ", text.Agree(n.Rows, "has", "have"), " the features of an earlier row", other,
			"; a split may test on one and train on the other")
	}
	if t.RowNames {
		add("the header has a name less than there are columns: the first column, the names of the rows, is no feature")
	}
	columns := t.Columns()
	var constant []string
	for _, c := range columns {
		if c.Min == c.Max {
			constant = append(constant, c.Name)
		}
	}
	if names := constant; len(names) > 0 {
		add(text.Counted(len(names), "feature"), " ", text.Agree(len(names), "is", "are"), " constant: ", someOf(names))
	}
	if names := t.counters(); len(names) > 0 {
		add(text.Counted(len(names), "feature"), " ", text.Agree(len(names), "counts", "count"),
			" the rows and may tell the class by the order of the file: ", someOf(names))
	}
	low, high := math.Inf(1), 0.0 // standard deviations of the features that have one
	for _, c := range columns {
		if c.Deviation > 0 {
			low, high = min(low, c.Deviation), max(high, c.Deviation)
		}
	}
	if high > 1e3*low {
		add("the features have standard deviations from ", short(low), " to ", short(high), "; `features: zscore` gives them one scale")
	}
	if t.Missing > 0 {
		add(text.Counted(t.Missing, "value"), " ", text.Agree(t.Missing, "is", "are"), " missing")
	}
	if t.Dropped > 0 {
		add(text.Counted(t.Dropped, "row"), " ", text.Agree(t.Dropped, "was", "were"), " left out for missing values")
	}
	return remarks
}

// someOf lists the first of some names.
func someOf(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// counters are the features that number the rows.
func (t *Table) counters() []string {
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
	return names
}

// A Feature is what a column of numbers is like, by the values that are there.
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
	list := make([]Feature, t.Features())
	for j, name := range t.Names {
		f := Feature{Name: name, Min: math.Inf(1), Max: math.Inf(-1)}
		n, squares := 0.0, 0.0
		for i := range t.Rows() {
			v := t.Row(i)[j]
			if math.IsNaN(v) {
				f.Missing++
				continue
			}
			n++
			delta := v - f.Mean
			f.Mean += delta / n
			squares += delta * (v - f.Mean)
			f.Min, f.Max = min(f.Min, v), max(f.Max, v)
		}
		f.Deviation = math.Sqrt(squares / max(n-1, 1))
		list[j] = f
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
