package tabular

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// checkRows codes the labels and reports what makes the rows of no use.
func (t *builder) checkRows() {
	switch {
	case len(t.labels) == 0 && t.dropped > 0:
		t.at(0, 0, "all %d rows have a missing value, and drop-rows leaves none; use `impute: mean`, or drop a column", t.dropped)
		return
	case len(t.labels) == 0:
		t.at(0, 0, "the file has no rows")
		return
	}
	if t.code(); len(t.faults) > 0 {
		return
	}
	if !t.options.Part {
		t.checkClasses()
	}
	if t.options.Duplicates == Refuse {
		t.refuseDuplicates()
	}
}

// code numbers the labels.
func (t *builder) code() {
	for _, class := range t.options.Classes {
		t.order = append(t.order, class)
		t.codes[class] = len(t.order)
	}
	var aliens []string // labels that have no code
	rows := map[string]int{}
	for _, class := range t.labels {
		code, ok := t.codes[class]
		switch {
		case !ok && (t.options.Classes != nil || len(class) > maxName):
			if rows[class]++; rows[class] == 1 {
				aliens = append(aliens, class)
			}
			continue
		case !ok:
			t.order = append(t.order, class)
			code = len(t.order)
			t.codes[class] = code
		}
		t.y = append(t.y, code)
	}
	for _, class := range aliens {
		t.alien(class, rows[class])
	}
}

// alien reports a label that has no code, once for all of its rows.
func (t *builder) alien(class string, rows int) {
	at := t.first[class]
	others := ""
	if rows > 1 {
		others = fmt.Sprintf(" (%d rows have it)", rows)
	}
	switch {
	case t.options.Part:
		t.at(at[0], at[1], "the label %s is in no row of the training file%s", quoted(class), others)
	case t.options.Classes != nil:
		t.at(at[0], at[1], "the label %s is not among `classes`%s", quoted(class), others)
	default:
		t.at(at[0], at[1], "the label %s has %d bytes, at most %d are possible%s", quoted(class), len(class), maxName, others)
	}
}

// checkClasses reports labels that cannot be learned: a single class, classes of
// one row, and a number that only looks like a class.
func (t *builder) checkClasses() {
	count := make([]int, len(t.order))
	for _, code := range t.y {
		count[code-1]++
	}
	single := 0
	for _, n := range count {
		if n == 1 {
			single++
		}
	}
	switch {
	case len(t.y) == 1:
		t.at(t.lines[0], 1, "the file has this row alone; each class needs rows to train and to test")
		return
	case len(t.order) == 1:
		t.at(0, 0, "all %d rows have the label %s; at least two classes are needed", len(t.y), quoted(t.order[0]))
		return
	case t.continuous(single):
		t.at(0, 0, "the label has %d different values in %d rows, %d of them once: it is a measurement and no class; "+
			"name another column as label, or divide its range into classes",
			len(t.order), len(t.y), single)
		return
	case len(t.order) > MaxClasses:
		t.at(0, 0, "the label has %d different values, at most %d classes are possible", len(t.order), MaxClasses)
		return
	}
	for c, n := range count {
		switch n {
		case 0:
			t.at(0, 0, "no row has the label %s, which is among `classes`", quoted(t.order[c]))
		case 1:
			at := t.first[t.order[c]]
			t.at(at[0], at[1], "the class %s has this row alone; a class needs rows to train and to test, so remove the row or join classes", quoted(t.order[c]))
		}
	}
}

// continuous tells whether the label is rather a number than a class: many values,
// most of them numbers that occur once or have decimals.
func (t *builder) continuous(single int) bool {
	if len(t.order) <= 10 {
		return false
	}
	fractions := 0
	for _, class := range t.order {
		v, err := strconv.ParseFloat(class, 64)
		if err != nil {
			return 2*single > len(t.y) // texts that are all different: names of rows
		}
		if v != math.Trunc(v) {
			fractions++
		}
	}
	return 2*fractions > len(t.order) || 2*single > len(t.order)
}

// Duplicates are rows of equal features.
type Duplicates struct {
	Rows    int // that have an equal one before them
	Classes int // of these, rows whose equal one has another class
	// First are rows, counted from 0, and the first ones that they are equal to.
	First [][2]int
}

// Duplicates finds rows of equal features, whatever their class.
func (t *Table) Duplicates() Duplicates {
	return duplicates(len(t.Names), t.X, t.Y)
}

func duplicates(d int, x []float64, y []int) Duplicates {
	var found Duplicates
	seen := make(map[string]int, len(y))
	var key []byte
	for i := range y {
		key = key[:0]
		for _, v := range x[i*d : (i+1)*d] {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0)) // -0 is 0
		}
		first, again := seen[string(key)]
		if !again {
			seen[string(key)] = i
			continue
		}
		found.Rows++
		if y[first] != y[i] {
			found.Classes++
		}
		found.First = append(found.First, [2]int{i, first})
	}
	return found
}

// refuseDuplicates reports rows that are equal to an earlier one: a split may put
// one into the training and the other into the test samples.
func (t *builder) refuseDuplicates() {
	for _, pair := range duplicates(len(t.featureNames()), t.x, t.y).First {
		row, first := pair[0], pair[1]
		other := ""
		if t.y[row] != t.y[first] {
			other = ", but of another class"
		}
		t.at(t.lines[row], 1, "the row has the features of line %d%s; a split may test on what was learned, so remove one or write `duplicates: keep`",
			t.lines[first], other)
	}
}

// Remarks are what somebody should know of a table that can be used.
func (t *Table) Remarks() []string {
	var remarks []string
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
	if names := constants(columns); len(names) > 0 {
		add(text.Counted(len(names), "feature"), " ", text.Agree(len(names), "is", "are"), " constant: ", someOf(names))
	}
	if names := t.counters(); len(names) > 0 {
		add(text.Counted(len(names), "feature"), " ", text.Agree(len(names), "counts", "count"),
			" the rows and may tell the class by the order of the file: ", someOf(names))
	}
	if low, high := scales(columns); high > 1e3*low {
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

// scales returns the smallest and the largest standard deviation of the features
// that have one.
func scales(columns []Feature) (low, high float64) {
	for _, c := range columns {
		if !(c.Deviation > 0) {
			continue
		}
		if low == 0 || c.Deviation < low {
			low = c.Deviation
		}
		high = max(high, c.Deviation)
	}
	return low, high
}

// constants are the features with a single value.
func constants(columns []Feature) []string {
	var names []string
	for _, c := range columns {
		if c.Min == c.Max {
			names = append(names, c.Name)
		}
	}
	return names
}

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

// A Feature is what a column of numbers is like.
type Feature struct {
	Name                      string
	Min, Max, Mean, Deviation float64 // of the values that are there; the deviation has divisor n − 1
	Missing                   int
}

// Columns describes the features.
func (t *Table) Columns() []Feature {
	d := len(t.Names)
	list := make([]Feature, d)
	for j, name := range t.Names {
		list[j] = describe(name, t.X, j, d)
	}
	return list
}

// describe looks at every d-th value from the one at j on.
func describe(name string, x []float64, j, d int) Feature {
	f := Feature{Name: name, Min: math.Inf(1), Max: math.Inf(-1)}
	n, squares := 0.0, 0.0
	for i := j; i < len(x); i += d {
		v := x[i]
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
	return f
}

// Histogram returns the number of rows of each class, in code order.
func (t *Table) Histogram() []int {
	counts := make([]int, len(t.Labels))
	for _, code := range t.Y {
		counts[code-1]++
	}
	return counts
}
