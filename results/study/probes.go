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

// shares are the accuracies of a column over the permutations.
func (s ProbeSet) shares(column int) []float64 {
	var all []float64
	for _, a := range s.Accuracies[column] {
		all = append(all, float64(a.Count)/float64(a.Of))
	}
	return all
}

// Mean is the mean accuracy of a column over the permutations, NaN without any.
func (s ProbeSet) Mean(column int) float64 { return stat.Mean(s.shares(column), nil) }

// Spread is the standard deviation of these accuracies, NaN of fewer than two.
func (s ProbeSet) Spread(column int) float64 {
	all := s.shares(column)
	if len(all) < 2 {
		return math.NaN()
	}
	return stat.StdDev(all, nil)
}

// Binomial is the standard deviation of the accuracy of labels drawn evenly: what
// the test samples alone would give a column. NaN without a result.
func (s ProbeSet) Binomial(column int) float64 {
	if len(s.Accuracies[column]) == 0 {
		return math.NaN()
	}
	return math.Sqrt(s.Even * (1 - s.Even) / float64(s.Accuracies[column][0].Of))
}

// above counts the permutations on which a column is above an accuracy, and below it.
func (s ProbeSet) above(column int, accuracy float64) (above, below int) {
	for _, share := range s.shares(column) {
		above, below = above+one(share > accuracy), below+one(share < accuracy)
	}
	return above, below
}

// Unlearned says whether no method is significantly above the most frequent class,
// and above labels drawn evenly. Where the training sets have as many samples of each
// class, the second is what a method without anything to learn gets.
func (p Probes) Unlearned() []Claim {
	return []Claim{
		p.notAbove("unlearned", "the most frequent class", func(s ProbeSet) float64 { return s.Majority }),
		p.notAbove("unlearned-even", "labels drawn evenly", func(s ProbeSet) float64 { return s.Even }),
	}
}

// notAbove is a sign test over the permutations of every data set and method, with
// Holm's correction over them. P is the smallest one of those that are above the
// accuracy more often than below.
func (p Probes) notAbove(id, what string, accuracy func(ProbeSet) float64) Claim {
	c := Claim{ID: id, Statement: "under permuted labels no method is significantly more accurate than " + what, P: math.NaN()}
	var values []float64
	var higher []bool
	for _, s := range p.Sets {
		for j := range p.Columns {
			if len(s.Accuracies[j]) == 0 {
				c.Missing++
				continue
			}
			above, below := s.above(j, accuracy(s))
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

// FalseRanks says whether the tests find differences on a larger share of the
// permutations than their level: P is the probability of so many or more if each had
// one with that probability. Tests of methods would keep that level; these are tests
// of two fitted classifiers.
func (p Probes) FalseRanks() Claim {
	c := Claim{ID: "false-ranks", P: math.NaN()}
	c.Statement = fmt.Sprintf("the tests rank methods apart on more than %g %% of the permutations, though there is nothing to learn", 100*p.Alpha)
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

// Claims are these, and how often each data set has different ranks.
func (p Probes) Claims() []Claim {
	all := append(p.Unlearned(), p.FalseRanks())
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
			"data", "method", "permutations", "mean accuracy", "sd over permutations", "binomial sd", "most frequent class",
			"labels drawn by their shares", "labels drawn evenly",
			"above the most frequent class",
		},
		Notes: []string{
			"The labels of the training and of the validation samples are permuted, those of the test samples are not.",
			"Binomial sd: that of labels drawn evenly on test samples of this number.",
		},
	}
	ranks := table.Listing{
		Title: "Ranks under permuted labels",
		Head:  []string{"data", "permutations", "with different ranks", "share"},
		Notes: []string{
			"McNemar's test asks whether two fitted classifiers differ on the test samples. " +
				"It does not count how much a method varies from one training set to another.",
			"So a method is ranked apart where chance made its classifier better on these test samples, though no method is better on average.",
		},
	}
	for _, s := range p.Sets {
		for j, c := range p.Columns {
			above, _ := s.above(j, s.Majority)
			accuracies.Rows = append(accuracies.Rows, []string{
				s.Name, c.Name, strconv.Itoa(len(s.Accuracies[j])), inPercent(s.Mean(j)), inPercent(s.Spread(j)), inPercent(s.Binomial(j)),
				inPercent(s.Majority), inPercent(s.Squares), inPercent(s.Even),
				fmt.Sprintf("%d of %d", above, len(s.Accuracies[j])),
			})
		}
		ranks.Rows = append(ranks.Rows, []string{s.Name, strconv.Itoa(s.Permutations), strconv.Itoa(s.Ranked), share(known(s.Ranked, s.Permutations))})
	}
	return []table.Listing{accuracies, ranks}
}
