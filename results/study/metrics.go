package study

import (
	"slices"
	"strconv"

	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/table"
)

// Metrics has the accuracy of both methods against the number K of metrics, the
// paper's two figures.
type Metrics struct {
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
	Method string
	Counts []int        // K
	Cells  []table.Cell // by K
}

// ReadMetrics reads the table of spec metrics.
func ReadMetrics(t table.Table) (Metrics, error) {
	classes := map[string]int{}
	for _, e := range spec.PaperEntries() {
		classes[e.ID] = len(e.Labels)
	}
	m := Metrics{Counts: metricCounts(t)}
	for _, r := range t.Rows {
		set := MetricsSet{Set: setOf(r), Classes: classes[r.Dataset]}
		for _, method := range PaperMethods {
			c := Curve{Method: method, Counts: m.Counts}
			for _, k := range m.Counts {
				c.Cells = append(c.Cells, t.Find(r, method, "metrics", strconv.Itoa(k)))
			}
			set.Curves = append(set.Curves, c)
		}
		m.Sets = append(m.Sets, set)
	}
	return m, nil
}

// Complete reports whether every K has a result.
func (c Curve) Complete() bool {
	return len(c.Counts) > 0 && !slices.ContainsFunc(c.Cells, func(cell table.Cell) bool { return cell.Score == nil })
}

// Best lists every K of a complete curve that no other K surpasses.
func (c Curve) Best() []int {
	most := slices.MaxFunc(c.Cells, func(a, b table.Cell) int { return a.Correct - b.Correct }).Correct
	var all []int
	for i, k := range c.Counts {
		if c.Cells[i].Correct == most {
			all = append(all, k)
		}
	}
	return all
}

// Claims count over the complete curves. class-count: the number of classes is among the
// best K, which the paper has in roughly one quarter of the cases. many-metrics: a K above
// 1 is more accurate than K = 1; each K counts by itself, since the best of six has an
// advantage over a single one.
func (m Metrics) Claims() []Claim {
	classes, many := Claim{ID: "class-count"}, Claim{ID: "many-metrics"}
	for _, s := range m.Sets {
		for _, c := range s.Curves {
			if !c.Complete() {
				continue
			}
			if s.Classes > 0 {
				classes.count(slices.Contains(c.Best(), s.Classes))
			}
			single := slices.Index(c.Counts, 1)
			for i, k := range c.Counts {
				if k > 1 && single >= 0 {
					many.count(c.Cells[i].Correct > c.Cells[single].Correct)
				}
			}
		}
	}
	return []Claim{classes, many}
}
