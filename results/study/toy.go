package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// Toy has four samples under no metric, one global metric and several local ones,
// the paper's Figure 1.
type Toy struct {
	Sets []ToySet
}

// A ToySet is one data set.
type ToySet struct {
	Set
	Counts  []int // K, ascending
	Columns []ToyColumn
}

// A ToyColumn is one fit.
type ToyColumn struct {
	Name    string // of the column, as printed
	Method  string
	Metrics int    // K; 0 if the spec sweeps none
	Variant string // of the algorithm; empty if it has none, or is not known
	Nearest *results.Fact
	measure.Places
}

// ReadToy reads the table of spec toy. A series that holds no numbers, or not one
// for every sample, is an error.
func ReadToy(t table.Table) (Toy, error) {
	var all Toy
	for _, r := range t.Rows {
		set := ToySet{Set: setOf(r), Counts: metricCounts(t)}
		for i, c := range t.Columns {
			facts, series := measured(r.Cells[i])
			one := ToyColumn{Name: c.Name, Method: c.Method, Variant: c.Swept["variant"], Nearest: factOf(facts, measure.NearestFact)}
			one.Metrics, _ = strconv.Atoi(c.Swept["metrics"]) // 0 without one
			if one.Variant == "" && r.Cells[i].Score != nil {
				one.Variant, _ = r.Cells[i].Params["variant"].(string)
			}
			var err error
			if one.Places, err = measure.ReadPlaces(series); err != nil {
				return all, fmt.Errorf("study: toy, %s on %s: %w", c.ID, r.Dataset, err)
			}
			set.Columns = append(set.Columns, one)
		}
		all.Sets = append(all.Sets, set)
	}
	return all, nil
}

// Find returns the first column of a method with K metrics, one without a result
// if there is none. K of 0 and an empty variant mean any.
func (s ToySet) Find(method string, metrics int, variant string) ToyColumn {
	i := slices.IndexFunc(s.Columns, func(c ToyColumn) bool {
		return c.Method == method && (metrics == 0 || c.Metrics == metrics) && (variant == "" || c.Variant == variant)
	})
	if i < 0 {
		return ToyColumn{Method: method, Metrics: metrics, Variant: variant, Places: measure.Places{Lost: math.NaN()}}
	}
	return s.Columns[i]
}

// Figure returns the three columns of the paper's figure: no metric, the first
// global one and the first two local ones.
func (s ToySet) Figure() (none, global, local ToyColumn) {
	return s.Find(published.Euclidean, 0, ""), s.Find(published.Efficient, 1, ""), s.Find(published.Efficient, 2, "")
}

// Original returns the samples as they are, from the first column of the figure
// that has them.
func (s ToySet) Original() measure.Places {
	none, global, local := s.Figure()
	for _, c := range []ToyColumn{none, global, local} {
		if c.Features != nil {
			return c.Places
		}
	}
	return measure.Places{Lost: math.NaN()}
}

// Claims are, for each data set and variant, the numbers K of 2 or more that bring the
// nearest other sample of the same class more often than one global metric and than none,
// as the figure says that local metrics may.
func (t Toy) Claims() []Claim {
	var all []Claim
	for _, s := range t.Sets {
		for _, variant := range []string{Published, Reference} {
			c := Claim{ID: s.Dataset + "-nearest-" + variant}
			none, global := s.Find(published.Euclidean, 0, "").Nearest, s.Find(published.Efficient, 1, variant).Nearest
			for _, k := range s.Counts {
				if f := s.Find(published.Efficient, k, variant).Nearest; k > 1 && f != nil {
					c.count(none != nil && global != nil && f.Count > global.Count && f.Count > none.Count)
				}
			}
			all = append(all, c)
		}
	}
	return all
}
