package study

import (
	"fmt"
	"math"
	"strconv"

	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

const (
	// Rope is the difference in points up to which two accuracies count as
	// equivalent, as Benavoli et al. 2017 have it for classifiers.
	Rope = 1
	// PosteriorDraws are taken for every pair, PosteriorSeed is that of all of
	// them: shares are accurate to about 1/√draws, and the same in every run.
	PosteriorDraws = 50000
	PosteriorSeed  = 1
	// Practical is the probability from which on one method counts as better by
	// more than the rope.
	Practical = 0.95
)

// A Span is the smallest and the largest of some numbers.
type Span struct{ Fewest, Most int }

// String is "3" or "1 to 20", "-" without a number.
func (s Span) String() string {
	switch {
	case s.Most == 0:
		return "-"
	case s.Fewest == s.Most:
		return strconv.Itoa(s.Most)
	}
	return fmt.Sprintf("%d to %d", s.Fewest, s.Most)
}

func (s Span) with(n int) Span {
	if s.Fewest == 0 {
		return Span{n, n}
	}
	return Span{min(s.Fewest, n), max(s.Most, n)}
}

// An Overview is one table of accuracies over the data sets.
type Overview struct {
	Scores      table.Scores
	Standing    table.Standing
	Ranked      bool // there are rows enough for a standing
	Comparisons []Comparison
}

// A Comparison is one of the paper's methods against another over the data sets
// that have both. Without such a set all but the ids is zero.
type Comparison struct {
	First, Second      string  // ids
	Wins, Ties, Losses int     // of the first, by accuracy
	Median             float64 // of the differences in points, first less second
	Ahead              bool    // the rank sum of the first is the larger one
	P, Holm            float64 // Wilcoxon's, and after Holm over the comparisons of the overview
	Posterior          stats.Regions
}

func newComparison(scores table.Scores, first, second string, posteriors map[int]*stats.Posterior) Comparison {
	c := Comparison{First: first, Second: second}
	differences := scores.Differences(first, second) // in hundredths of a point
	sets := len(differences)
	if sets == 0 {
		return c
	}
	for _, difference := range differences {
		switch {
		case difference > 0:
			c.Wins++
		case difference < 0:
			c.Losses++
		default:
			c.Ties++
		}
	}
	c.Median = stats.Median(differences) / 100
	test := stats.Wilcoxon(differences)
	c.P, c.Ahead = test.P, test.WPlus > test.WMinus
	c.Posterior = posteriors[sets].SignedRank(differences, make([]float64, sets), 100*Rope).P
	return c
}

// correct adjusts the p-values of the comparisons that were made.
func (o *Overview) correct() {
	p := make([]float64, len(o.Comparisons))
	for i, c := range o.Comparisons {
		if p[i] = math.NaN(); c.Rows() > 0 {
			p[i] = c.P
		}
	}
	for i, adjusted := range stats.HolmKnown(p) {
		if !math.IsNaN(adjusted) {
			o.Comparisons[i].Holm = adjusted
		}
	}
}

// Rows counts the data sets that have both methods.
func (c Comparison) Rows() int { return c.Wins + c.Ties + c.Losses }
