package study

import (
	"cmp"
	"math"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// A Cost is what one method took on one data set, with seed 1: the mean over the splits of
// which it is known.
type Cost struct {
	Dataset, Letter, Method string  // ids and the row of the tables, which may be empty
	Name                    string  // of the data set; empty: its id
	Samples                 int     // of the data set
	Seconds                 float64 // wall time to choose settings, fit and test; 0 or less: unknown
	Bytes                   int64   // growth of the heap beyond the data; 0 or less: unknown
}

// CostsOf are what the plan's cells took, by the record of their runs or else by the list
// of accepted cells.
func CostsOf(p plan.Plan, cells *store.Store, accepted map[store.Place]store.AcceptedCell) []Cost {
	var all []Cost
	var timed, sized []int64 // splits by cost
	for _, row := range p.Rows {
		for _, jobs := range row.Jobs {
			j := jobs[0]
			at := slices.IndexFunc(all, func(c Cost) bool { return c.Dataset == j.Entry.ID && c.Method == j.Column.ID })
			if at < 0 {
				at = len(all)
				all = append(all, Cost{Dataset: j.Entry.ID, Letter: j.Entry.Letter, Name: j.Entry.Name, Samples: j.Entry.Rows(), Method: j.Column.ID})
				timed, sized = append(timed, 0), append(sized, 0)
			}
			c, known, seconds := &all[at], accepted[j.Place()], 0.0
			run, ok := cells.Run(j.Inputs)
			if ok && !run.Resumed {
				seconds = run.Seconds
			}
			if seconds = cmp.Or(seconds, known.Seconds); seconds > 0 {
				c.Seconds, timed[at] = c.Seconds+seconds, timed[at]+1
			}
			if heap := cmp.Or(run.Heap, known.Heap); heap > 0 {
				c.Bytes, sized[at] = c.Bytes+heap, sized[at]+1
			}
		}
	}
	for i := range all {
		all[i].Seconds /= max(1, float64(timed[i]))
		all[i].Bytes /= max(1, sized[i])
	}
	return all
}

// SmallSet is the number of samples up to which a data set is small where accuracy and time
// are compared.
const SmallSet = 1000

// A Speed is the mean accuracy of a method over some data sets, and its mean time for one.
type Speed struct {
	Method            string
	Accuracy, Seconds float64 // percent of one split's test samples
	Front             bool    // no other method is as accurate and faster, or as fast and more accurate
}

// Speeds are those of the methods, the fastest first, over the data sets of up to SmallSet
// samples and over the larger ones: in each, over those sets on which all methods that have
// a result and a time on one of them have both. sets are how many.
func Speeds(t table.Table, costs []Cost) (small, large []Speed, sets [2]int) {
	var groups [2][]string // data sets
	seconds := map[[2]string]float64{}
	for _, c := range costs {
		g := 0
		if c.Samples > SmallSet {
			g = 1
		}
		groups[g] = text.AppendNew(groups[g], c.Dataset)
		seconds[[2]string{c.Dataset, c.Method}] = c.Seconds
	}
	sums, splits := map[[2]string]float64{}, map[[2]string]float64{}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if at := [2]string{r.Dataset, t.Columns[i].ID}; c.Score != nil && r.N > 0 {
				sums[at] += 100 * float64(c.Correct) / float64(r.N)
				splits[at]++
			}
		}
	}
	known := func(dataset, method string) bool {
		s := seconds[[2]string{dataset, method}]
		return s > 0 && s < math.MaxFloat64 && splits[[2]string{dataset, method}] > 0
	}
	var found [2][]Speed
	for g, names := range groups {
		columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c table.Column) bool {
			return !slices.ContainsFunc(names, func(d string) bool { return known(d, c.ID) })
		})
		names = slices.DeleteFunc(names, func(d string) bool {
			return slices.ContainsFunc(columns, func(c table.Column) bool { return !known(d, c.ID) })
		})
		if sets[g] = len(names); len(names) == 0 {
			continue
		}
		for _, c := range columns {
			s := Speed{Method: c.ID}
			for _, d := range names {
				at := [2]string{d, c.ID}
				s.Seconds += seconds[at] / float64(len(names))
				s.Accuracy += sums[at] / splits[at] / float64(len(names))
			}
			found[g] = append(found[g], s)
		}
		slices.SortStableFunc(found[g], func(a, b Speed) int {
			return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(b.Accuracy, a.Accuracy))
		})
		best := math.Inf(-1)
		for i := range found[g] {
			s := &found[g][i]
			s.Front = s.Accuracy > best
			best = max(best, s.Accuracy)
		}
	}
	return found[0], found[1], sets
}
