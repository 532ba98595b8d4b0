package reproduction

import (
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results/table"
)

// A curve is the accuracy of a method on one data set against the number K of
// metrics.
type curve struct {
	dataset, name, method string
	n                     int // test samples
	k                     []int
	columns               []string       // id of the column, one per K
	scores                []*table.Score // one per K
	p                     pairs
}

// pairs has McNemar's p of two columns of a row, under both orders of their ids.
type pairs map[[2]string]float64

// level is where a difference between two K counts as more than chance: by
// McNemar's test of the spec, without a correction for several.
const level = 0.05

// rises reports whether the K at place j is significantly more accurate than
// that at place i.
func (c curve) rises(i, j int) bool {
	p, known := c.p[[2]string{c.columns[i], c.columns[j]}]
	return known && p <= level && c.scores[j].Correct > c.scores[i].Correct
}

// differs is the p of the difference of two complete curves of a data set, each
// at the first K with its highest accuracy; 1 if it is not known.
func (c curve) differs(other curve) float64 {
	if p, known := c.p[[2]string{c.columns[c.first()], other.columns[other.first()]}]; known {
		return p
	}
	return 1
}

// surpassed reports whether another K of a complete curve is significantly more
// accurate than k.
func (c curve) surpassed(k int) bool {
	i := slices.Index(c.k, k)
	return i >= 0 && slices.ContainsFunc(c.k, func(other int) bool { return c.rises(i, slices.Index(c.k, other)) })
}

// climbs reports whether some K of a complete curve is significantly more
// accurate than a smaller one.
func (c curve) climbs() bool {
	for j := range c.k {
		for i := range j {
			if c.rises(i, j) {
				return true
			}
		}
	}
	return false
}

// complete reports whether every K has a result.
func (c curve) complete() bool { return len(c.k) > 0 && !slices.Contains(c.scores, nil) }

// best lists every K of a complete curve that no other K surpasses.
func (c curve) best() []int {
	var all []int
	for i, k := range c.k {
		if c.scores[i].Correct == c.top(0) {
			all = append(all, k)
		}
	}
	return all
}

// first is the place of the first K with the highest accuracy of a complete
// curve.
func (c curve) first() int {
	return slices.IndexFunc(c.scores, func(s *table.Score) bool { return s.Correct == c.top(0) })
}

// top is the largest number of right answers of a complete curve for K above a
// bound, 0 if there is no such K.
func (c curve) top(above int) int {
	most := 0
	for i, k := range c.k {
		if k > above {
			most = max(most, c.scores[i].Correct)
		}
	}
	return most
}

// single returns the right answers of a complete curve with one metric, and
// whether that K is among others.
func (c curve) single() (int, bool) {
	i := slices.Index(c.k, 1)
	if i < 0 || len(c.k) < 2 {
		return 0, false
	}
	return c.scores[i].Correct, true
}

// falls reports whether no K of a complete curve is more accurate than a smaller one.
func (c curve) falls() bool {
	return slices.IsSortedFunc(c.scores, func(a, b *table.Score) int { return b.Correct - a.Correct })
}

// metrics is the section on the accuracy against the number of metrics, from the
// table of spec metrics. classes has the number of classes by data set id.
func metrics(t table.Table, classes map[string]int) section {
	s := section{title: "Accuracy against the number of metrics"}
	s.say("The paper's two figures plot the accuracy of both methods on the test samples against the number K of metrics, with a fixed λ. "+
		"`r2lmlbench run %s` computes the same curves with the reference variant.", command(t))
	if s.absent(t) {
		return s
	}
	curves := curvesOf(t)
	s.curveTable(curves, classes)
	s.outOfRange(curves, classes)
	if !slices.ContainsFunc(curves, curve.complete) {
		s.conclude("No curve is complete, so that no statement of the paper about its figures can be checked.")
		return s
	}
	s.say("What the paper says about its figures, and what holds here. One fit counts as significantly better than another when McNemar's test on the test samples has a p of %g "+
		"or less, without correction; everything else compares accuracies as they are, of one seed:", level)
	f := figures{curves}
	s.claims("about the figures", []claim{
		f.classCount(classes),
		f.twoBest(transductive, []string{"pendigits", "winequality", "twonorm", "ringnorm", "glass", "isolet", "optdigits"}),
		f.twoBest(efficient, []string{"telescope", "usps"}),
		f.monotone("ringnorm"),
		f.efficientAhead([]string{"telescope", "ionosphere", "breasttissue", "heart", "wpbc"}),
		f.manyMetrics(),
		f.prominent([]string{"heart", "wpbc", "ionosphere", "telescope"}),
	})
	return s
}

func curvesOf(t table.Table) []curve {
	var all []curve
	for _, r := range t.Rows {
		p := pairsOf(r)
		for _, method := range ourMethods {
			c := curve{dataset: r.Dataset, name: r.Name, method: method, n: r.N, k: t.MetricCounts(), p: p}
			for _, k := range c.k {
				c.columns = append(c.columns, columnOf(t, method, k))
				c.scores = append(c.scores, t.Find(r, method, "metrics", strconv.Itoa(k)).Score)
			}
			all = append(all, c)
		}
	}
	return all
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

func (s *section) curveTable(curves []curve, classes map[string]int) {
	head := []string{"data", "method", "classes"}
	for _, k := range curves[0].k {
		head = append(head, "K = "+strconv.Itoa(k))
	}
	head = append(head, "best K")
	var rows [][]string
	for _, c := range curves {
		row := []string{c.name, methodName(c.method), "-"}
		if n, ok := classes[c.dataset]; ok {
			row[2] = strconv.Itoa(n)
		}
		for _, score := range c.scores {
			row = append(row, accuracy(score))
		}
		best := "-"
		if c.complete() {
			best = joinInts(c.best())
		}
		rows = append(rows, append(row, best))
	}
	s.table(2, head, rows)
	s.say("Accuracies are in percent. The best K has all that share the highest accuracy, and is given where every K has a result.")
}

func joinInts(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// outOfRange names the data sets whose number of classes no K equals.
func (s *section) outOfRange(curves []curve, classes map[string]int) {
	var names []string
	for _, c := range curves {
		if n, ok := classes[c.dataset]; ok && c.method == efficient && !slices.Contains(c.k, n) {
			names = append(names, escape(c.name))
		}
	}
	if len(names) > 0 {
		s.say("The range of K leaves out the number of classes of %s; the paper names COIL20, USPS and Isolet.", series(names))
	}
}
