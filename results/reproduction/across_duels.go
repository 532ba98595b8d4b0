package reproduction

import (
	"math"
	"slices"
	"sync"

	"r2lmlbench/results"
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

// A contest is one table of accuracies over the data sets, the printed one or
// ours.
type contest struct {
	scores   results.Scores
	standing results.Standing
	ranked   bool // there are rows enough for a standing
	duels    []duel
}

// A duel is one of the paper's methods against another over the data sets that
// have both. Without such a set all but the ids is zero.
type duel struct {
	first, second      string  // ids
	wins, ties, losses int     // of the first, by accuracy
	median             float64 // of the differences in points, first less second
	ahead              bool    // the rank sum of the first is the larger one
	p, holm            float64 // Wilcoxon's, and after Holm over the duels of the contest
	posterior          stats.Regions
}

// printedContest is that of the paper's table, which never changes.
var printedContest = sync.OnceValue(func() contest { return newContest(results.PublishedScores()) })

func newContest(scores results.Scores) contest {
	c := contest{scores: scores}
	c.standing, c.ranked = scores.Standing(level)
	for _, pair := range duelists(scores.Methods) {
		c.duels = append(c.duels, newDuel(scores, pair[0], pair[1]))
	}
	c.correct()
	return c
}

// duelists are the paper's methods with every other one, each pair once.
func duelists(methods []string) [][2]string {
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

func newDuel(scores results.Scores, first, second string) duel {
	d := duel{first: first, second: second}
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

// correct adjusts the p-values of the duels that were fought.
func (c *contest) correct() {
	var p []float64
	var at []int
	for i, d := range c.duels {
		if d.rows() > 0 {
			p, at = append(p, d.p), append(at, i)
		}
	}
	for k, adjusted := range stats.Holm(p) {
		c.duels[at[k]].holm = adjusted
	}
}

// rows counts the data sets that have both methods.
func (d duel) rows() int { return d.wins + d.ties + d.losses }

// significant reports whether the first is better by Wilcoxon's test.
func (d duel) significant() bool {
	return d.rows() > 0 && d.holm <= level && d.ahead
}

// practically reports whether the first is probably better by more than the rope.
func (d duel) practically() bool { return d.posterior.First >= practical }

// most reports whether the first is the more accurate one on more than half of
// so many data sets, and whether it cannot be, whatever is missing.
func (d duel) most(rows int) (holds, refuted bool) {
	return 2*d.wins > rows, rows > 0 && 2*(d.ties+d.losses) >= rows
}

// find returns the duel of two methods, and whether it was fought.
func (c contest) find(first, second string) (duel, bool) {
	for _, d := range c.duels {
		if d.first == first && d.second == second {
			return d, d.rows() > 0
		}
	}
	return duel{}, false
}

// against lists the duels of a method with the other methods of the paper's
// table. One that was not fought has no rows.
func (c contest) against(method string) []duel {
	var all []duel
	for _, other := range results.PublishedScores().Methods {
		if !slices.Contains(ourMethods, other) {
			d, _ := c.find(method, other)
			d.first, d.second = method, other
			all = append(all, d)
		}
	}
	return all
}

// rank is the average rank of a method, NaN without one.
func (c contest) rank(method string) float64 {
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
func (c contest) verdict() string {
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
