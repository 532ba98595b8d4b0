package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Metrics has the accuracy of both methods against the number K of metrics, the
// paper's two figures.
type Metrics struct {
	Coverage
	Counts []int // K, ascending
	Sets   []MetricsSet
}

// A MetricsSet is one data set.
type MetricsSet struct {
	Set
	Classes int     // 0: not known
	Curves  []Curve // in the order of PaperMethods
}

// A Curve is the accuracy of a method on one data set against K.
type Curve struct {
	Set     Set
	Classes int // of the data set; 0: not known
	Method  string
	Counts  []int        // K
	Cells   []table.Cell // by K

	columns []string // ids by K
	p       pairs
}

// pairs has McNemar's p of two columns of a row, under both orders of their ids.
type pairs map[[2]string]float64

// ReadMetrics reads the table of spec metrics. classes has the number of classes
// by data set id; a data set may be absent.
func ReadMetrics(t table.Table, classes map[string]int) (Metrics, error) {
	m := Metrics{Coverage: coverageOf(t), Counts: metricCounts(t)}
	for _, r := range t.Rows {
		set := MetricsSet{Set: setOf(r), Classes: classes[r.Dataset]}
		p := pairsOf(r)
		for _, method := range PaperMethods {
			c := Curve{Set: set.Set, Classes: set.Classes, Method: method, Counts: m.Counts, p: p}
			for _, k := range m.Counts {
				c.columns = append(c.columns, columnOf(t, method, k))
				c.Cells = append(c.Cells, t.Find(r, method, "metrics", strconv.Itoa(k)))
			}
			set.Curves = append(set.Curves, c)
		}
		m.Sets = append(m.Sets, set)
	}
	return m, nil
}

// columnOf is the id of the first column of a method with K metrics, empty
// without one.
func columnOf(t table.Table, method string, k int) string {
	for _, c := range t.Columns {
		if c.Method == method && c.Swept["metrics"] == strconv.Itoa(k) {
			return c.ID
		}
	}
	return ""
}

func pairsOf(r table.Row) pairs {
	p := pairs{}
	for _, one := range r.Pairs {
		p[[2]string{one.A, one.B}], p[[2]string{one.B, one.A}] = one.P, one.P
	}
	return p
}

// Curves lists the curves by data set, then by method.
func (m Metrics) Curves() []Curve {
	var all []Curve
	for _, s := range m.Sets {
		all = append(all, s.Curves...)
	}
	return all
}

// Curve returns that of a method on a data set, one without a single result for a
// set that the table does not have.
func (m Metrics) Curve(dataset, method string) Curve {
	for _, c := range m.Curves() {
		if c.Set.Dataset == dataset && c.Method == method {
			return c
		}
	}
	return Curve{Set: Set{Dataset: dataset, Name: dataset}, Method: method, Counts: m.Counts, Cells: make([]table.Cell, len(m.Counts))}
}

// AnyComplete tells whether some curve is complete.
func (m Metrics) AnyComplete() bool { return slices.ContainsFunc(m.Curves(), Curve.Complete) }

// OutOfRange lists the data sets whose number of classes no K equals.
func (m Metrics) OutOfRange() []Set {
	var all []Set
	for _, s := range m.Sets {
		if s.Classes > 0 && !slices.Contains(m.Counts, s.Classes) {
			all = append(all, s.Set)
		}
	}
	return all
}

// sets lists the data sets of the table, and those of more that it does not have.
func (m Metrics) sets(more []string) []Set {
	var all []Set
	for _, s := range m.Sets {
		all = append(all, s.Set)
	}
	for _, id := range more {
		if !slices.ContainsFunc(all, func(s Set) bool { return s.Dataset == id }) {
			all = append(all, Set{Dataset: id, Name: id})
		}
	}
	return all
}

// named are the data sets with these ids.
func (m Metrics) named(ids []string) []Set {
	all := make([]Set, len(ids))
	for i, id := range ids {
		all[i] = m.Curve(id, Efficient).Set
	}
	return all
}

// lacking counts the cells without a result in all curves.
func (m Metrics) lacking() int {
	n := 0
	for _, c := range m.Curves() {
		n += c.lacking()
	}
	return n
}

// Complete reports whether every K has a result.
func (c Curve) Complete() bool { return len(c.Counts) > 0 && c.lacking() == 0 }

// lacking counts the cells without a result.
func (c Curve) lacking() int {
	n := 0
	for _, cell := range c.Cells {
		if cell.Score == nil {
			n++
		}
	}
	return n
}

// Best lists every K of a complete curve that no other K surpasses.
func (c Curve) Best() []int {
	var all []int
	for i, k := range c.Counts {
		if c.Cells[i].Correct == c.top(0) {
			all = append(all, k)
		}
	}
	return all
}

// first is the place of the first K with the highest accuracy of a complete
// curve.
func (c Curve) first() int {
	return slices.IndexFunc(c.Cells, func(cell table.Cell) bool { return cell.Correct == c.top(0) })
}

// top is the largest number of right answers of a complete curve for K above a
// bound, 0 if there is no such K.
func (c Curve) top(above int) int {
	most := 0
	for i, k := range c.Counts {
		if k > above {
			most = max(most, c.Cells[i].Correct)
		}
	}
	return most
}

// single returns the right answers of a complete curve with one metric, and
// whether that K is among others.
func (c Curve) single() (int, bool) {
	i := slices.Index(c.Counts, 1)
	if i < 0 || len(c.Counts) < 2 {
		return 0, false
	}
	return c.Cells[i].Correct, true
}

// falls reports whether no K of a complete curve is more accurate than a smaller one.
func (c Curve) falls() bool {
	return slices.IsSortedFunc(c.Cells, func(a, b table.Cell) int { return b.Correct - a.Correct })
}

// rises reports whether the K at place j is significantly more accurate than
// that at place i.
func (c Curve) rises(i, j int) bool {
	p, known := c.p[[2]string{c.columns[i], c.columns[j]}]
	return known && p <= Level && c.Cells[j].Correct > c.Cells[i].Correct
}

// climbs reports whether some K of a complete curve is significantly more
// accurate than a smaller one.
func (c Curve) climbs() bool {
	for j := range c.Counts {
		for i := range j {
			if c.rises(i, j) {
				return true
			}
		}
	}
	return false
}

// surpassed reports whether another K of a complete curve is significantly more
// accurate than k.
func (c Curve) surpassed(k int) bool {
	i := slices.Index(c.Counts, k)
	return i >= 0 && slices.ContainsFunc(c.Counts, func(other int) bool { return c.rises(i, slices.Index(c.Counts, other)) })
}

// differs is the p of the difference of two complete curves of a data set, each
// at the first K with its highest accuracy; 1 if it is not known.
func (c Curve) differs(other Curve) float64 {
	if p, known := c.p[[2]string{c.columns[c.first()], other.columns[other.first()]}]; known {
		return p
	}
	return 1
}

// The shares that count as "roughly one quarter", in percent.
const QuarterLow, QuarterHigh = 15, 35

// A ClassCount says in how many cases, a case being a complete curve, the number
// of classes is among the best K: the paper has it in roughly one quarter.
type ClassCount struct {
	Claim
	Equal, Cases int
}

// ClassCount checks that statement.
func (m Metrics) ClassCount() ClassCount {
	var c ClassCount
	for _, curve := range m.Curves() {
		if curve.Classes == 0 || !curve.Complete() {
			continue
		}
		c.Cases++
		if slices.Contains(curve.Best(), curve.Classes) {
			c.Equal++
		}
	}
	missing := m.lacking()
	refuted := missing == 0 && c.Cases > 0 && (100*c.Equal < QuarterLow*c.Cases || 100*c.Equal > QuarterHigh*c.Cases)
	c.Claim = Claim{
		ID: "class-count", Statement: "the optimal K equals the number of classes only in roughly one quarter of the cases",
		Verdict: verdict(refuted, missing > 0 || c.Cases == 0), Count: c.Equal, Of: c.Cases, P: math.NaN(), Missing: missing,
	}
	return c
}

// BestWithTwo says on which of the data sets that the paper names a method is
// best with K = 2. Sets whose curve is not complete are in none of the lists.
type BestWithTwo struct {
	Claim
	Method string
	Named  []Set
	Yes    []Curve // no K is better
	Near   []Curve // another K is higher, but not significantly
	No     []Curve // another K is significantly better
}

// bestWithTwo has the data sets by method.
var bestWithTwo = map[string][]string{
	Transductive: {"pendigits", "winequality", "twonorm", "ringnorm", "glass", "isolet", "optdigits"},
	Efficient:    {"telescope", "usps"},
}

// BestWithTwo checks the statement on a method.
func (m Metrics) BestWithTwo(method string) BestWithTwo {
	b := BestWithTwo{Method: method, Named: m.named(bestWithTwo[method])}
	missing := 0
	for _, s := range b.Named {
		curve := m.Curve(s.Dataset, method)
		switch {
		case !curve.Complete():
			missing += curve.lacking()
		case slices.Contains(curve.Best(), 2):
			b.Yes = append(b.Yes, curve)
		case !curve.surpassed(2):
			b.Near = append(b.Near, curve)
		default:
			b.No = append(b.No, curve)
		}
	}
	b.Claim = Claim{
		ID: "best-with-two-" + method, Statement: fmt.Sprintf("%s is best with K = 2 on %s", published.MethodName(method), names(b.Named)),
		Verdict: verdict(len(b.No) > 0, missing > 0 || len(b.Near) > 0),
		Count:   len(b.Yes), Of: len(b.Yes) + len(b.Near) + len(b.No), P: math.NaN(), Missing: missing,
	}
	return b
}

// A Monotone says how the curves of both methods on a data set run, of which the
// paper says that the accuracy falls monotonically with K.
type Monotone struct {
	Claim
	Set    Set
	Curves []CurveShape // in the order of PaperMethods
}

// A CurveShape is how one curve runs.
type CurveShape struct {
	Method string
	Shape  Shape
}

// A Shape is how a curve runs with K.
type Shape int

// Shapes.
const (
	ShapeUnknown Shape = iota // not every K has a result
	ShapeFalling              // it never rises
	ShapeUnsure               // it rises at some K, but nowhere significantly
	ShapeRising               // it rises significantly at some K
)

// shape tells how a curve runs.
func (c Curve) shape() Shape {
	switch {
	case !c.Complete():
		return ShapeUnknown
	case c.falls():
		return ShapeFalling
	case !c.climbs():
		return ShapeUnsure
	}
	return ShapeRising
}

// monotone is the data set of the statement.
const monotone = "ringnorm"

// Monotone checks the statement.
func (m Metrics) Monotone() Monotone {
	o := Monotone{Set: m.named([]string{monotone})[0]}
	missing, count := 0, map[Shape]int{}
	for _, method := range PaperMethods {
		curve := m.Curve(monotone, method)
		shape := curve.shape()
		o.Curves = append(o.Curves, CurveShape{method, shape})
		missing += curve.lacking()
		count[shape]++
	}
	o.Claim = Claim{
		ID: "monotone", Statement: fmt.Sprintf("the accuracy on %s falls monotonically with K", o.Set.Name),
		Verdict: verdict(count[ShapeRising] > 0, missing > 0 || count[ShapeUnsure] > 0),
		Count:   count[ShapeFalling], Of: len(PaperMethods) - count[ShapeUnknown], P: math.NaN(), Missing: missing,
	}
	return o
}

// Ahead compares the highest accuracies over K of both methods: the paper has
// E-R2LML ahead of T-R2LML on all data sets but some. Only a difference the other
// way that is significant after Holm's correction over the data sets refutes it.
type Ahead struct {
	Claim
	Exceptions         []Set
	Wins, Ties, Losses []Set // E-R2LML, by accuracy alone
	Agreeing           int   // sets that are as the paper has it
	Against            []Set // sets that are significantly otherwise
}

// Compared is the number of data sets with both curves.
func (a Ahead) Compared() int { return len(a.Wins) + len(a.Ties) + len(a.Losses) }

// notAhead are the exceptions.
var notAhead = []string{"telescope", "ionosphere", "breasttissue", "heart", "wpbc"}

// EfficientAhead checks the statement.
func (m Metrics) EfficientAhead() Ahead {
	a := Ahead{Exceptions: m.named(notAhead)}
	var compared, contrary []Set
	var p []float64 // of the difference on the sets compared
	missing := 0
	for _, s := range m.sets(notAhead) {
		e, t := m.Curve(s.Dataset, Efficient), m.Curve(s.Dataset, Transductive)
		if !e.Complete() || !t.Complete() {
			missing += e.lacking() + t.lacking()
			continue
		}
		d := e.top(0) - t.top(0)
		switch {
		case d > 0:
			a.Wins = append(a.Wins, s)
		case d == 0:
			a.Ties = append(a.Ties, s)
		default:
			a.Losses = append(a.Losses, s)
		}
		if (d > 0) == slices.Contains(notAhead, s.Dataset) {
			contrary = append(contrary, s)
		}
		compared, p = append(compared, s), append(p, e.differs(t))
	}
	for i, holm := range stats.Holm(p) {
		if holm <= Level && slices.Contains(contrary, compared[i]) {
			a.Against = append(a.Against, compared[i])
		}
	}
	a.Agreeing = len(compared) - len(contrary)
	a.Claim = Claim{
		ID: "efficient-ahead", Statement: "E-R2LML outperforms T-R2LML on all data sets except " + names(a.Exceptions),
		Verdict: verdict(len(a.Against) > 0, missing > 0 || len(contrary) > 0),
		Count:   a.Agreeing, Of: len(compared), P: math.NaN(), Missing: missing,
	}
	return a
}

// ManyMetrics compares K above 1 with K = 1. Each K counts by itself: the best of
// six has an advantage over a single one.
type ManyMetrics struct {
	Claim
	Better, Settings   int // of settings with K above 1, those more accurate than K = 1
	BestBetter, Curves int // of curves, those whose best K above 1 is more accurate
}

// ManyMetrics checks that K above 1 is more often than not better than K = 1.
// Settings of curves that are not complete are open: the claim is decided only if
// they cannot change it.
func (m Metrics) ManyMetrics() ManyMetrics {
	var c ManyMetrics
	open := 0
	for _, curve := range m.Curves() {
		above := 0 // numbers of metrics above 1
		for _, k := range curve.Counts {
			if k > 1 {
				above++
			}
		}
		if !curve.Complete() {
			open += above
			continue
		}
		one, ok := curve.single()
		if !ok {
			continue
		}
		c.Curves++
		c.Settings += above
		if curve.top(1) > one {
			c.BestBetter++
		}
		for i, k := range curve.Counts {
			if k > 1 && curve.Cells[i].Correct > one {
				c.Better++
			}
		}
	}
	holds := c.Settings > 0 && 2*c.Better > c.Settings+open
	refuted := c.Settings > 0 && 2*(c.Better+open) <= c.Settings+open
	missing := 0
	if !holds && !refuted {
		missing = m.lacking()
	}
	c.Claim = Claim{
		ID: "many-metrics", Statement: "K > 1 is more often than not better than K = 1",
		Verdict: verdict(refuted, missing > 0 || c.Settings == 0),
		Count:   c.Better, Of: c.Settings, P: math.NaN(), Missing: missing,
	}
	return c
}

// Prominent looks for the data sets on which K above 1 gains most over K = 1. The
// statement is refuted where as many sets as are named gain more than one of
// them, whatever the others do.
type Prominent struct {
	Claim
	Named []Set
	Gains []Gain // of the sets with complete curves, the largest first
}

// A Gain is by how many points the best K above 1 surpasses K = 1 on a data set,
// both methods added up.
type Gain struct {
	Set    Set
	Points float64
}

// Top are the largest gains, as many as there are named sets at most.
func (p Prominent) Top() []Gain { return p.Gains[:min(len(p.Named), len(p.Gains))] }

// prominent are the data sets that the paper names.
var prominent = []string{"heart", "wpbc", "ionosphere", "telescope"}

// Prominent checks the statement.
func (m Metrics) Prominent() Prominent {
	p := Prominent{Named: m.named(prominent)}
	missing, refuted, unknown := 0, false, false
	for _, s := range m.sets(prominent) {
		g, ok := m.gain(s)
		if !ok {
			unknown = true
			missing += m.Curve(s.Dataset, Efficient).lacking() + m.Curve(s.Dataset, Transductive).lacking()
			continue
		}
		p.Gains = append(p.Gains, g)
	}
	slices.SortStableFunc(p.Gains, func(a, b Gain) int { return cmp.Compare(b.Points, a.Points) })
	inTop := 0
	for i, g := range p.Gains {
		is := slices.Contains(prominent, g.Set.Dataset)
		switch {
		case i < len(prominent) && is:
			inTop++
		case i >= len(prominent) && is && g.Points < p.Gains[len(prominent)-1].Points:
			refuted = true
		}
	}
	p.Claim = Claim{
		ID: "prominent", Statement: "the gain of K > 1 is most prominent on " + names(p.Named),
		Verdict: verdict(refuted, missing > 0 || unknown),
		Count:   inTop, Of: len(p.Top()), P: math.NaN(), Missing: missing,
	}
	return p
}

// gain returns that of a data set, and whether all its cells are there.
func (m Metrics) gain(s Set) (Gain, bool) {
	g := Gain{Set: s}
	for _, method := range PaperMethods {
		c := m.Curve(s.Dataset, method)
		if !c.Complete() {
			return g, false
		}
		one, ok := c.single()
		if !ok {
			return g, false
		}
		g.Points += 100 * float64(c.top(1)-one) / float64(s.N)
	}
	return g, true
}

// Claims are the statements of the paper on its two figures, none as long as no
// curve is complete.
func (m Metrics) Claims() []Claim {
	if !m.AnyComplete() {
		return nil
	}
	return []Claim{
		m.ClassCount().Claim, m.BestWithTwo(Transductive).Claim, m.BestWithTwo(Efficient).Claim, m.Monotone().Claim,
		m.EfficientAhead().Claim, m.ManyMetrics().Claim, m.Prominent().Claim,
	}
}

// Listings have a line for every curve.
func (m Metrics) Listings() []table.Listing {
	head := []string{"data", "method", "classes"}
	for _, k := range m.Counts {
		head = append(head, "K = "+strconv.Itoa(k))
	}
	l := table.Listing{Title: "Accuracy against the number of metrics", Head: append(head, "best K")}
	for _, c := range m.Curves() {
		row := []string{c.Set.Name, published.MethodName(c.Method), "-"}
		if c.Classes > 0 {
			row[2] = strconv.Itoa(c.Classes)
		}
		for _, cell := range c.Cells {
			row = append(row, accuracy(cell))
		}
		best := "-"
		if c.Complete() {
			best = numbers(c.Best())
		}
		l.Rows = append(l.Rows, append(row, best))
	}
	return []table.Listing{l}
}
