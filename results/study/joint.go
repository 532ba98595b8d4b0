package study

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// jointColumn is the column of T-R2LML with validation and test samples unlabelled
// together.
const jointColumn = Transductive + "-joint"

// Joint compares T-R2LML that is given the samples of one part at a time with
// T-R2LML that is given validation and test samples together, without their labels.
type Joint struct {
	Coverage
	Sets []JointSet
}

// A JointSet is one data set.
type JointSet struct {
	Set
	Printed string    // published accuracy; empty without one
	Pairs   []float64 // accuracy together less apart in points, by the seeds that have both
	Apart   []float64 // accuracies of those seeds in percent
	None    float64   // accuracy of Euclidean distances in percent, NaN without it
}

// ReadJoint reads the cells of spec joint.
func ReadJoint(in Input) (Joint, error) {
	j := Joint{Coverage: coverageOf(in.Table)}
	for i, r := range in.Table.Rows {
		set := JointSet{Set: setOf(r), Printed: printedOf(r.Letter, Transductive), None: math.NaN()}
		var apart, together []results.Cell
		for column, c := range in.Table.Columns {
			switch cells := in.cells(i, column); {
			case c.ID == Transductive:
				apart = cells
			case c.ID == jointColumn:
				together = cells
			case c.Method == "euclidean" && len(cells) > 0:
				set.None = percentOf(cells[0])
			}
		}
		for _, a := range apart {
			for _, b := range together {
				if a.Seed == b.Seed {
					set.Apart = append(set.Apart, percentOf(a))
					set.Pairs = append(set.Pairs, percentOf(b)-percentOf(a))
				}
			}
		}
		j.Sets = append(j.Sets, set)
	}
	return j, nil
}

// percentOf is the accuracy of a cell in percent.
func percentOf(c results.Cell) float64 { return 100 * float64(c.Correct()) / float64(len(c.Truth)) }

// Difference is the mean over the seeds of the accuracy together less apart in
// points, NaN without a seed that has both.
func (s JointSet) Difference() float64 {
	if len(s.Pairs) == 0 {
		return math.NaN()
	}
	return text.SixDigits(stat.Mean(s.Pairs, nil))
}

// Differences are those of the data sets that have one.
func (j Joint) Differences() []float64 {
	var all []float64
	for _, s := range j.Sets {
		if d := s.Difference(); !math.IsNaN(d) {
			all = append(all, d)
		}
	}
	return all
}

// Better says which of the two is more accurate on the test samples: that with the
// larger mean over the data sets. Wilcoxon's test over the data sets decides whether
// it can be told.
func (j Joint) Better() Claim {
	c := Claim{ID: "joint-better", P: math.NaN()}
	together, apart, mean := 0, 0, 0.0
	differences := j.Differences()
	for _, d := range differences {
		together, apart, mean = together+one(d > 0), apart+one(d < 0), mean+d
	}
	c.Statement, c.Count = "T-R2LML is more accurate with validation and test samples unlabelled together", together
	ahead := func(r stats.SignedRank) bool { return r.WPlus > r.WMinus }
	if mean < 0 {
		c.Statement, c.Count = "T-R2LML is more accurate with the samples of one part at a time", apart
		ahead = func(r stats.SignedRank) bool { return r.WPlus < r.WMinus }
	}
	if by := math.Abs(mean) / float64(len(differences)); by > 0 {
		c.Statement += fmt.Sprintf(", by %s points on average", text.TwoDecimals(by))
	}
	c.Of, c.Missing = len(differences), len(j.Sets)-len(differences)
	test := stats.Wilcoxon(differences)
	if c.Of > 0 {
		c.P = test.P
	}
	c.Verdict = verdict(false, !(c.P <= Level && ahead(test)))
	if least := math.Ldexp(2, -(together + apart)); c.Of > 0 && together+apart > 0 && least > Level {
		c.Found = fmt.Sprintf("On %d of %s %s. With %d data sets that differ no p below %g is possible", c.Count, text.Counted(c.Of, "data set"), c.Statement,
			together+apart, least)
	}
	return c
}

// Claims are which is better, and of how many runs that is so.
func (j Joint) Claims() []Claim {
	runs := counted("joint-runs", "runs that are more accurate with validation and test samples unlabelled together", 0, 0)
	for _, s := range j.Sets {
		for _, d := range s.Pairs {
			runs.Of, runs.Count = runs.Of+1, runs.Count+one(d > 0)
		}
	}
	return []Claim{j.Better(), runs}
}

// Listings have a line for every data set and one for their mean.
func (j Joint) Listings() []table.Listing {
	l := table.Listing{
		Title: "T-R2LML with the samples of one part at a time, and of both together",
		Head:  []string{"data", "seeds", "Euclidean", "one part at a time", "together", "difference", "seeds higher together", "printed"},
	}
	var apart, together []float64
	for _, s := range j.Sets {
		row := []string{s.Name, strconv.Itoa(len(s.Pairs)), decimals(s.None, 2), "-", "-", "-", "-", orDash(s.Printed)}
		if d := s.Difference(); !math.IsNaN(d) {
			mean, higher := stat.Mean(s.Apart, nil), 0
			for _, one := range s.Pairs {
				if one > 0 {
					higher++
				}
			}
			row[3], row[4], row[5], row[6] = decimals(mean, 2), decimals(mean+d, 2), text.Signed(d), strconv.Itoa(higher)
			apart, together = append(apart, mean), append(together, mean+d)
		}
		l.Rows = append(l.Rows, row)
	}
	if len(apart) > 0 {
		a, b := stat.Mean(apart, nil), stat.Mean(together, nil)
		l.Rows = append(l.Rows, []string{"mean", "-", "-", decimals(a, 2), decimals(b, 2), text.Signed(b - a), "-", "-"})
	}
	return []table.Listing{l}
}
