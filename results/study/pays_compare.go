package study

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// A PaysCompare compares methods, and then families of methods, on a block without
// gaps: every one of its methods has a result on every one of its splits.
type PaysCompare struct {
	Methods, Families PaysRanks
	Left              []string   // methods that are not in the block, with the reason
	Omitted           []string   // data sets likewise
	Picked            []Total    // by method of the block: its part in standing for its family, over the splits
	FamilyPairs       []PaysPair // on the block
	Pairs             []PaysPair // methods of different families, on all splits that both have
}

// PaysRanks are methods, or families, on a block.
type PaysRanks struct {
	Block    PaysField
	Standing table.Standing
	Ranked   bool      // two methods and two data sets at least
	Accuracy []float64 // by method: mean over the data sets, in percent
	Seconds  []float64 // by method: for one split of every data set; NaN: not known
	Front    []bool    // by method: no other is as accurate and as fast, and better in at least one of the two
}

// Most is the data set with the largest difference, and the mean difference of the
// others in points; false with fewer than two.
func (p PaysPair) Most() (name string, others float64, ok bool) {
	return p.largest, p.others, p.Rows() > 1
}

// A PaysPair is two methods, or families, over the data sets that have both.
type PaysPair struct {
	Comparison
	Names, Families [2]string
	Splits          Span // by data set
	Mean            float64

	largest string  // the data set with the largest difference
	others  float64 // the mean difference of the others
}

// mostSets is the share of the data sets of the method with most that a method needs
// for a place in the block.
const mostSets = 2.0 / 3

// compare compares the methods of a field, and those of different families one by one
// if pairs are wanted.
func (f PaysField) compare(pairs bool) PaysCompare {
	var c PaysCompare
	block := f.block(&c)
	c.Methods = rank(block)
	var families PaysField
	families, c.Picked = block.families()
	c.Families = rank(families)
	c.FamilyPairs = families.pairs()
	if pairs {
		c.Pairs = f.pairs()
	}
	return c
}

// block is the part of a field without gaps. A method is in it that has results on
// mostSets of the sets at least; then a set is in it that has a split of all of them.
func (f PaysField) block(c *PaysCompare) PaysField {
	var methods []int
	most := 0
	for m := range f.Methods {
		if sets, _ := f.splits(m); f.Methods[m].ID != rawEuclidean {
			most = max(most, sets)
		}
	}
	for m, method := range f.Methods {
		switch sets, _ := f.splits(m); {
		case method.ID == rawEuclidean:
			c.Left = append(c.Left, method.Name+": it chooses nothing and is a reference")
		case sets == 0 || float64(sets) < mostSets*float64(most):
			c.Left = append(c.Left, fmt.Sprintf("%s: results on %d of %s, fewer than two thirds", method.Name, sets, text.Counted(most, "data set")))
		default:
			methods = append(methods, m)
		}
	}
	var b PaysField
	for _, m := range methods {
		b.Methods = append(b.Methods, f.Methods[m])
	}
	for _, set := range f.Sets {
		if kept := set.keep(methods); len(methods) > 0 && len(kept.Splits) > 0 {
			b.Sets = append(b.Sets, kept)
		} else {
			c.Omitted = append(c.Omitted, set.Name+": "+f.lacking(set, methods))
		}
	}
	return b
}

// keep is a set with the splits that all methods have, and with them alone.
func (s PaysSet) keep(methods []int) PaysSet {
	kept := s
	kept.Splits = nil
	for _, split := range s.common(methods...) {
		one := split
		one.Runs = nil
		for _, m := range methods {
			one.Runs = append(one.Runs, split.Run(m))
		}
		kept.Splits = append(kept.Splits, one)
	}
	return kept
}

// lacking names the methods without a result on a set.
func (f PaysField) lacking(set PaysSet, methods []int) string {
	var names []string
	for _, m := range methods {
		if len(set.common(m)) == 0 {
			names = append(names, f.Methods[m].Name)
		}
	}
	switch {
	case len(names) == len(methods):
		return "no method has results"
	case len(names) == 0:
		return "no split has all methods"
	}
	return "no result of " + text.Series(names)
}

// families is a block whose methods are the families. On every split the method of the
// family stands for it that has most validation samples right. Several that have as
// many stand for it in equal parts: the order of the columns decides nothing. So
// samples are counted in parts, of which every number of methods gets whole ones.
func (f PaysField) families() (PaysField, []Total) {
	picked := make([]Total, len(f.Methods))
	parts := commonMultiple(f.largestFamily())
	var out PaysField
	for _, family := range Families {
		var members []int
		for m, method := range f.Methods {
			if method.Family == family {
				members = append(members, m)
			}
		}
		if len(members) == 0 {
			continue
		}
		out.Methods = append(out.Methods, PaysMethod{table.Column{ID: family, Name: family}, family})
		for i, set := range f.Sets {
			if len(out.Sets) == i {
				out.Sets = append(out.Sets, PaysSet{Set: set.Set, Training: set.Training})
			}
			for j, split := range set.Splits {
				if s := &out.Sets[i]; len(s.Splits) == j {
					s.Splits = append(s.Splits, PaysSplit{Name: split.Name, N: parts * split.N})
				}
				best, run := pick(split, members)
				run.Right = 0
				for _, m := range best {
					run.Right += parts / len(best) * split.Run(m).Right
					picked[m].Count += parts / len(best)
				}
				out.Sets[i].Splits[j].put(len(out.Methods)-1, run)
			}
		}
	}
	for m := range picked {
		for _, set := range f.Sets {
			picked[m].Of += parts * len(set.Splits)
		}
	}
	return out, picked
}

// largestFamily is the number of methods of the family with most.
func (f PaysField) largestFamily() int {
	sizes, most := map[string]int{}, 0
	for _, m := range f.Methods {
		sizes[m.Family]++
		most = max(most, sizes[m.Family])
	}
	return most
}

// commonMultiple is the least common multiple of 1 to n.
func commonMultiple(n int) int {
	all := 1
	for i := 2; i <= n; i++ {
		a, b := all, i
		for b > 0 {
			a, b = b, a%b
		}
		all *= i / a
	}
	return all
}

// pick names the methods with most validation samples right on a split, and has the
// first of them with the time of all members: they have to be fitted to choose one.
func pick(split PaysSplit, members []int) (best []int, run PaysRun) {
	most, seconds, settings := -2, 0.0, 0
	for _, m := range members {
		one := split.Run(m)
		right := -1
		if one.Validation != nil {
			right = one.Validation.Correct
		}
		if right > most {
			most, best, run = right, nil, *one
		}
		if right == most {
			best = append(best, m)
		}
		settings += one.Settings
		if seconds += one.Seconds; one.Seconds <= 0 {
			seconds = math.NaN()
		}
	}
	run.Settings, run.Seconds = settings, seconds
	return best, run
}

// rank ranks the methods of a block.
func rank(block PaysField) PaysRanks {
	r := PaysRanks{Block: block}
	scores := block.scores(block.all()...)
	r.Standing, r.Ranked = scores.Standing(Level)
	for m := range block.Methods {
		var accuracies []float64
		seconds := 0.0
		for i, row := range scores.Rows {
			accuracies = append(accuracies, pointsOf(row.Right[m], row.N))
			seconds += block.Sets[i].seconds(m)
		}
		if len(accuracies) == 0 {
			accuracies, seconds = []float64{math.NaN()}, math.NaN()
		}
		r.Accuracy, r.Seconds = append(r.Accuracy, stat.Mean(accuracies, nil)), append(r.Seconds, seconds)
	}
	r.Front = front(r.Accuracy, r.Seconds)
	return r
}

// front marks what no other exceeds: as accurate and as fast at least, and better in
// at least one of the two. What takes an unknown time is not on it.
func front(accuracy, seconds []float64) []bool {
	on := make([]bool, len(accuracy))
	for i := range on {
		on[i] = !math.IsNaN(accuracy[i]) && !math.IsNaN(seconds[i])
		for j := range on {
			if accuracy[j] >= accuracy[i] && seconds[j] <= seconds[i] && (accuracy[j] > accuracy[i] || seconds[j] < seconds[i]) {
				on[i] = false
			}
		}
	}
	return on
}

// all are the methods in the order of the columns.
func (f PaysField) all() []int {
	methods := make([]int, len(f.Methods))
	for m := range methods {
		methods[m] = m
	}
	return methods
}

// Rank is the average rank of a method of the block, NaN without one.
func (r PaysRanks) Rank(method int) float64 {
	if !r.Ranked {
		return math.NaN()
	}
	return r.Standing.Friedman.AverageRanks[method]
}

// RankOf is that of the method with an id.
func (r PaysRanks) RankOf(id string) float64 {
	m := r.Block.index(id)
	if m < 0 {
		return math.NaN()
	}
	return r.Rank(m)
}

// Order has the methods by average rank, the best first; in the order of the columns
// where there are no ranks.
func (r PaysRanks) Order() []int {
	if r.Ranked {
		return r.Standing.Order
	}
	return r.Block.all()
}

// MeanRank is the mean of the average ranks of the methods of a family, NaN without any.
func (r PaysRanks) MeanRank(family string) float64 {
	var all []float64
	for m, method := range r.Block.Methods {
		if method.Family == family {
			all = append(all, r.Rank(m))
		}
	}
	if len(all) == 0 {
		return math.NaN()
	}
	return stat.Mean(all, nil)
}

// Splits are those of the data sets of the block.
func (r PaysRanks) Splits() Span {
	var s Span
	for _, set := range r.Block.Sets {
		s = s.with(len(set.Splits))
	}
	return s
}

// pairs compares all methods of different families, by the data sets and splits that
// both have; the family that stands first in Families is the first of a pair.
func (f PaysField) pairs() []PaysPair {
	var methods [][2]int
	for a, first := range f.Methods {
		for b, second := range f.Methods {
			earlier := slices.Index(Families, first.Family) < slices.Index(Families, second.Family)
			if earlier && first.ID != rawEuclidean && second.ID != rawEuclidean {
				methods = append(methods, [2]int{a, b})
			}
		}
	}
	var all []PaysPair
	for _, pair := range f.pairsOf(methods) {
		if pair.Rows() > 0 {
			all = append(all, pair)
		}
	}
	o := Overview{Comparisons: make([]Comparison, len(all))}
	for i, p := range all {
		o.Comparisons[i] = p.Comparison
	}
	o.correct()
	for i := range all {
		all[i].Comparison = o.Comparisons[i]
	}
	return all
}

// pairsOf makes several pairs, on all processors.
func (f PaysField) pairsOf(methods [][2]int) []PaysPair {
	scores := make([]table.Scores, len(methods))
	draws := map[int]*stats.Posterior{}
	for i, m := range methods {
		scores[i] = f.scores(m[0], m[1])
		if sets := len(scores[i].Rows); draws[sets] == nil {
			draws[sets] = stats.NewPosterior(sets, stats.BayesSettings{Draws: PosteriorDraws, Seed: PosteriorSeed})
		}
	}
	pairs := make([]PaysPair, len(methods))
	var wait sync.WaitGroup
	for i, m := range methods {
		wait.Go(func() { pairs[i] = f.pair(m[0], m[1], scores[i], draws) })
	}
	wait.Wait()
	return pairs
}

// pair compares two methods over the data sets by their scores there: mean accuracies
// over the same splits.
func (f PaysField) pair(a, b int, scores table.Scores, draws map[int]*stats.Posterior) PaysPair {
	first, second := f.Methods[a], f.Methods[b]
	p := PaysPair{Names: [2]string{first.Name, second.Name}, Families: [2]string{first.Family, second.Family}, Mean: math.NaN()}
	p.Comparison = newComparison(scores, first.ID, second.ID, draws)
	var names []string
	for _, set := range f.Sets {
		if n := len(set.common(a, b)); n > 0 {
			names, p.Splits = append(names, set.Name), p.Splits.with(n)
		}
	}
	if differences := scores.Differences(first.ID, second.ID); len(differences) > 0 {
		p.Mean = text.SixDigits(stat.Mean(differences, nil) / 100)
		at := 0
		for i, d := range differences {
			if math.Abs(d) > math.Abs(differences[at]) {
				at = i
			}
		}
		p.largest = names[at]
		p.others = text.SixDigits(stat.Mean(slices.Delete(slices.Clone(differences), at, at+1), nil) / 100)
	}
	return p
}

// FamilyPair is the comparison of two families, and whether there is one.
func (c PaysCompare) FamilyPair(first, second string) (PaysPair, bool) {
	for _, p := range c.FamilyPairs {
		if p.First == first && p.Second == second {
			return p, true
		}
	}
	return PaysPair{}, false
}

// FamilyContrasts are those of two families by data set.
func (c PaysCompare) FamilyContrasts(first, second string) []PaysContrast {
	f := c.Families.Block
	a, b := f.index(first), f.index(second)
	if a < 0 || b < 0 {
		return nil
	}
	return f.contrasts(a, b)
}

// Grids is Spearman's correlation of the numbers of settings of the methods with their
// average ranks: below 0 if methods with more settings have better ranks. It is NaN
// without three methods.
func (r PaysRanks) Grids() float64 {
	var settings, ranks []float64
	for m := range r.Block.Methods {
		settings, ranks = append(settings, float64(r.Block.Settings(m).Most)), append(ranks, r.Rank(m))
	}
	if !r.Ranked || len(ranks) < 3 {
		return math.NaN()
	}
	return stats.Spearman(settings, ranks)
}

// A PaysOutcome says what the Bayesian signed-rank test makes of two families.
type PaysOutcome int

// The outcomes, with a probability of Practical or more.
const (
	PaysOpen      PaysOutcome = iota // none of the following
	PaysBetter                       // the first is better by more than the rope
	PaysWorse                        // the second is
	PaysEqual                        // neither is
	PaysNotBetter                    // the first is not better by more than the rope
)

// Outcome is that of a pair.
func (p PaysPair) Outcome() PaysOutcome {
	switch r := p.Posterior; {
	case p.Rows() == 0:
		return PaysOpen
	case r.First >= Practical:
		return PaysBetter
	case r.Second >= Practical:
		return PaysWorse
	case r.Equal >= Practical:
		return PaysEqual
	case r.Equal+r.Second >= Practical:
		return PaysNotBetter
	}
	return PaysOpen
}
