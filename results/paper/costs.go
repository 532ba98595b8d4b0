package paper

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// A Cost is what one method took on one split of a data set, with seed 1.
type Cost struct {
	Dataset, Method string  // ids
	Samples         int     // of the data set
	Seconds         float64 // wall time to choose settings, fit and test; 0: unknown
}

// CostsOf are what the plan's cells took, by the record of their runs or else by the list
// of accepted cells.
func CostsOf(p plan.Plan, cells *store.Store, accepted map[store.Key]store.AcceptedCell) ([]Cost, error) {
	var all []Cost
	for _, row := range p.Splits {
		for _, jobs := range row.Jobs {
			j := jobs[0]
			c := Cost{Dataset: j.Dataset.ID, Method: j.Column.ID, Samples: j.Dataset.Rows(), Seconds: accepted[j.Key()].Seconds}
			run, ok, err := cells.Run(j.Inputs)
			if err != nil {
				return nil, err
			}
			if ok && !run.Resumed && run.Seconds > 0 {
				c.Seconds = run.Seconds
			}
			all = append(all, c)
		}
	}
	return all, nil
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
func Speeds(t table.Table, costs []Cost) (found [2][]Speed, sets [2]int) {
	var groups [2][]string // data sets
	seconds, accuracies := map[[2]string][]float64{}, map[[2]string][]float64{}
	for _, c := range costs {
		g := 0
		if c.Samples > SmallSet {
			g = 1
		}
		groups[g] = text.AppendNew(groups[g], c.Dataset)
		if at := [2]string{c.Dataset, c.Method}; c.Seconds > 0 {
			seconds[at] = append(seconds[at], c.Seconds)
		}
	}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if at := [2]string{r.Dataset, t.Columns[i].ID}; c.Score != nil && r.N > 0 {
				accuracies[at] = append(accuracies[at], 100*float64(c.Correct)/float64(r.N))
			}
		}
	}
	known := func(dataset, method string) bool {
		at := [2]string{dataset, method}
		return len(seconds[at]) > 0 && len(accuracies[at]) > 0
	}
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
				s.Seconds += stat.Mean(seconds[at], nil) / float64(len(names))
				s.Accuracy += stat.Mean(accuracies[at], nil) / float64(len(names))
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
	return found, sets
}
