package reproduction

import (
	"math"
	"slices"
	"sync"

	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

const (
	// rope is the difference in points up to which two accuracies count as
	// equivalent, as Benavoli et al. 2017 have it for classifiers.
	rope = 1
	// posteriorDraws are taken for every pair, posteriorSeed is that of all of
	// them: shares are accurate to about 1/√draws, and the same in every run.
	posteriorDraws = 50000
	posteriorSeed  = 1
	// practical is the probability from which on one method counts as better
	// by more than the rope.
	practical = 0.95
)

// A overview is one table of accuracies over the data sets, the printed one or
// ours.
type overview struct {
	scores      table.Scores
	standing    table.Standing
	ranked      bool // there are rows enough for a standing
	comparisons []comparison
}

// A comparison is one of the paper's methods against another over the data sets that
// have both. Without such a set all but the ids is zero.
type comparison struct {
	first, second      string  // ids
	wins, ties, losses int     // of the first, by accuracy
	median             float64 // of the differences in points, first less second
	ahead              bool    // the rank sum of the first is the larger one
	p, holm            float64 // Wilcoxon's, and after Holm over the comparisons of the overview
	posterior          stats.Regions
}

// printedOverview is that of the paper's table, which never changes.
var printedOverview = sync.OnceValue(func() overview { return newOverview(table.PublishedScores()) })

func newOverview(scores table.Scores) overview {
	c := overview{scores: scores}
	c.standing, c.ranked = scores.Standing(level)
	for _, pair := range pairsOfOurs(scores.Methods) {
		c.comparisons = append(c.comparisons, newComparison(scores, pair[0], pair[1]))
	}
	c.correct()
	return c
}

// pairsOfOurs are the paper's methods with every other one, each pair once.
func pairsOfOurs(methods []string) [][2]string {
	var all [][2]string
	for i, first := range ourMethods {
		if !slices.Contains(methods, first) {
			continue
		}
		for _, second := range methods {
			if second != first && !slices.Contains(ourMethods[:i], second) {
				all = append(all, [2]string{first, second})
			}
		}
	}
	return all
}

func newComparison(scores table.Scores, first, second string) comparison {
	d := comparison{first: first, second: second}
	differences := scores.Differences(first, second) // in hundredths of a point
	if len(differences) == 0 {
		return d
	}
	for _, difference := range differences {
		switch {
		case difference > 0:
			d.wins++
		case difference < 0:
			d.losses++
		default:
			d.ties++
		}
	}
	d.median = median(differences) / 100
	test := stats.Wilcoxon(differences)
	d.p, d.ahead = test.P, test.WPlus > test.WMinus
	d.posterior = stats.BayesSignedRank(differences, make([]float64, len(differences)), 100*rope,
		stats.BayesSettings{Draws: posteriorDraws, Seed: posteriorSeed}).P
	return d
}

// median is the middle one of some numbers, or the mean of the middle two.
func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// correct adjusts the p-values of the comparisons that were made.
func (c *overview) correct() {
	p := make([]float64, len(c.comparisons))
	for i, d := range c.comparisons {
		if p[i] = math.NaN(); d.rows() > 0 {
			p[i] = d.p
		}
	}
	for i, adjusted := range holmOfKnown(p) {
		if !math.IsNaN(adjusted) {
			c.comparisons[i].holm = adjusted
		}
	}
}

// holmOfKnown is Holm's correction over the p-values that are known; the others,
// NaN, stay.
func holmOfKnown(p []float64) []float64 {
	var known []float64
	for _, x := range p {
		if !math.IsNaN(x) {
			known = append(known, x)
		}
	}
	adjusted := slices.Clone(p)
	holm := stats.Holm(known)
	for i, x := range p {
		if !math.IsNaN(x) {
			adjusted[i], holm = holm[0], holm[1:]
		}
	}
	return adjusted
}

// rows counts the data sets that have both methods.
func (d comparison) rows() int { return d.wins + d.ties + d.losses }

// significant reports whether the first is better by Wilcoxon's test.
func (d comparison) significant() bool {
	return d.rows() > 0 && d.holm <= level && d.ahead
}

// practically reports whether the first is probably better by more than the rope.
func (d comparison) practically() bool { return d.posterior.First >= practical }

// most reports whether the first is the more accurate one on more than half of
// so many data sets, and whether it cannot be, whatever is missing.
func (d comparison) most(rows int) (holds, refuted bool) {
	return 2*d.wins > rows, rows > 0 && 2*(d.ties+d.losses) >= rows
}

// find returns the comparison of two methods, and whether it was made.
func (c overview) find(first, second string) (comparison, bool) {
	for _, d := range c.comparisons {
		if d.first == first && d.second == second {
			return d, d.rows() > 0
		}
	}
	return comparison{}, false
}

// against lists the comparisons of a method with the other methods of the paper's
// table. One that was not made has no rows.
func (c overview) against(method string) []comparison {
	var all []comparison
	for _, other := range table.PublishedScores().Methods {
		if !slices.Contains(ourMethods, other) {
			d, _ := c.find(method, other)
			d.first, d.second = method, other
			all = append(all, d)
		}
	}
	return all
}

// rank is the average rank of a method, NaN without one.
func (c overview) rank(method string) float64 {
	i := slices.Index(c.scores.Methods, method)
	if i < 0 || !c.ranked {
		return math.NaN()
	}
	return c.standing.Friedman.AverageRanks[i]
}

// What may come of the statement that the paper's methods beat all others.
const (
	supported   = "is supported"
	byCounts    = "is supported by the counts of sets, but not by the tests"
	unsupported = "is not supported"
)

// verdict says what comes of the statement that each of the paper's methods is
// the more accurate one on most data sets against every other method of its
// table: refuted by what is there, or open while something is missing.
func (c overview) verdict() string {
	open, tested := false, true
	for _, method := range ourMethods {
		for _, d := range c.against(method) {
			holds, refuted := d.most(len(c.scores.Rows))
			if refuted {
				return unsupported
			}
			open = open || !holds
			tested = tested && d.significant()
		}
	}
	switch {
	case open:
		return untold
	case tested:
		return supported
	}
	return byCounts
}
