package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Probes has accuracies under permuted labels of the training and of the validation
// samples. There is nothing to learn: what the tests still find is of two fitted
// classifiers and not of their methods.
type Probes struct {
	Coverage
	Columns []table.Column
	Alpha   float64 // level of the tests of the table
	Sets    []ProbeSet
}

// A ProbeSet is one data set with all of its permutations.
type ProbeSet struct {
	Set
	Majority     float64   // share of the most frequent class of the test samples
	Squares      float64   // sum of the squared shares: the accuracy to expect of labels drawn by them
	Even         float64   // 1 / classes: that of labels of which all are as frequent, as in the paper's training sets
	Accuracies   [][]Total // by column, of the permutations with a result
	Permutations int       // rows on which two methods or more have a result
	Ranked       int       // of those, on which some method has another rank than 1
}

// ReadProbes reads the table of spec probes.
func ReadProbes(t table.Table) (Probes, error) {
	p := Probes{Coverage: coverageOf(t), Columns: t.Columns, Alpha: t.Test.Alpha}
	for _, r := range t.Rows {
		i := slices.IndexFunc(p.Sets, func(s ProbeSet) bool { return s.Dataset == r.Dataset })
		if i < 0 {
			i = len(p.Sets)
			p.Sets = append(p.Sets, ProbeSet{Set: setOf(r), Majority: math.NaN(), Squares: math.NaN(), Even: math.NaN(), Accuracies: make([][]Total, len(t.Columns))})
		}
		p.Sets[i].add(r, len(t.Columns))
	}
	return p, nil
}

// add adds a permutation. The labels of the test samples are not permuted: all have
// the same shares.
func (s *ProbeSet) add(r table.Row, columns int) {
	if k := r.Classes; k != nil && math.IsNaN(s.Majority) {
		s.Majority, s.Squares, s.Even = float64(k.Majority.Count)/float64(r.N), 0, 1/float64(len(k.Counts))
		for _, c := range k.Counts {
			share := float64(c.Count) / float64(r.N)
			s.Squares += share * share
		}
	}
	present, ranked := 0, false
	for j := range columns {
		score := cellAt(r, j).Score
		if score == nil {
			continue
		}
		present++
		ranked = ranked || score.Rank > 1
		s.Accuracies[j] = append(s.Accuracies[j], Total{score.Correct, r.N})
	}
	if present < 2 {
		return
	}
	s.Permutations++
	s.Ranked += one(ranked)
}

// Mean is the mean accuracy of a column over the permutations, NaN without any.
func (s ProbeSet) Mean(column int) float64 {
	var all []float64
	for _, a := range s.Accuracies[column] {
		all = append(all, float64(a.Count)/float64(a.Of))
	}
	if len(all) == 0 {
		return math.NaN()
	}
	return stat.Mean(all, nil)
}

// above counts the permutations on which a column is above the majority share, and
// below it.
func (s ProbeSet) above(column int) (above, below int) {
	for _, a := range s.Accuracies[column] {
		share := float64(a.Count) / float64(a.Of)
		above, below = above+one(share > s.Majority), below+one(share < s.Majority)
	}
	return above, below
}

// Unlearned says whether no method is above the majority class: a sign test over the
// permutations of every data set and method, with Holm's correction over them. P is
// the smallest one of those that are above it more often than below.
func (p Probes) Unlearned() Claim {
	c := Claim{ID: "unlearned", Statement: "under permuted labels no method is more accurate than the most frequent class", P: math.NaN()}
	var values []float64
	var higher []bool
	for _, s := range p.Sets {
		for j := range p.Columns {
			if len(s.Accuracies[j]) == 0 {
				c.Missing++
				continue
			}
			above, below := s.above(j)
			values, higher = append(values, stats.McNemar(stats.Exact, above, below).P), append(higher, above > below)
		}
	}
	if c.Of = len(values); c.Of > 0 {
		c.P = 1
	}
	for i, holm := range stats.Holm(values) {
		c.Count += one(!higher[i] || holm > Level)
		if higher[i] {
			c.P = min(c.P, holm)
		}
	}
	c.Verdict = verdict(c.Count < c.Of, c.Of == 0 || c.Missing > 0)
	return c
}

// FalseRanks says whether the tests find differences of methods on more of the
// permutations than their level allows: the probability of so many if each had one
// with that probability.
func (p Probes) FalseRanks() Claim {
	c := Claim{ID: "false-ranks", P: math.NaN()}
	c.Statement = "the tests rank methods apart on more of the permutations than their level allows, though there is nothing to learn"
	for _, s := range p.Sets {
		c.Count, c.Of = c.Count+s.Ranked, c.Of+s.Permutations
	}
	c.Missing = p.Missing
	if c.Of > 0 {
		c.P = stats.AtLeast(c.Count, slices.Repeat([]float64{p.Alpha}, c.Of))
	}
	c.Verdict = verdict(false, !(c.P <= Level))
	return c
}

// Claims are both, and how often each data set has different ranks.
func (p Probes) Claims() []Claim {
	all := []Claim{p.Unlearned(), p.FalseRanks()}
	for _, s := range p.Sets {
		all = append(all, counted("false-ranks-"+s.Dataset, "permutations of "+s.Name+" on which some method has another rank than 1", s.Ranked, s.Permutations))
	}
	return all
}

// Listings have the accuracies beside the class shares, and the ranks.
func (p Probes) Listings() []table.Listing {
	accuracies := table.Listing{
		Title: "Mean accuracy under permuted labels",
		Head: []string{
			"data", "method", "permutations", "mean accuracy", "most frequent class", "labels drawn by their shares", "labels drawn evenly",
			"above the most frequent class",
		},
	}
	ranks := table.Listing{
		Title: "Ranks under permuted labels",
		Head:  []string{"data", "permutations", "with different ranks", "share"},
		Notes: []string{"McNemar's test asks whether two given classifiers differ. A method fitted to other labels is another classifier."},
	}
	for _, s := range p.Sets {
		for j, c := range p.Columns {
			above, _ := s.above(j)
			accuracies.Rows = append(accuracies.Rows, []string{
				s.Name, c.Name, strconv.Itoa(len(s.Accuracies[j])), inPercent(s.Mean(j)), inPercent(s.Majority), inPercent(s.Squares), inPercent(s.Even),
				fmt.Sprintf("%d of %d", above, len(s.Accuracies[j])),
			})
		}
		ranks.Rows = append(ranks.Rows, []string{s.Name, strconv.Itoa(s.Permutations), strconv.Itoa(s.Ranked), share(known(s.Ranked, s.Permutations))})
	}
	return []table.Listing{accuracies, ranks}
}
