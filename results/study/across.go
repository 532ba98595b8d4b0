package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
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

// Across compares the methods over all data sets together, once with the
// accuracies that the paper printed and once with ours: means over the seeds of a
// method on the split of the rule. Ranks come from tests of predictions, which means
// do not have: they are those of seed 1.
type Across struct {
	Coverage
	Columns       []table.Column
	RankOne       map[string]Total // rows on which a method of the paper has rank 1, of those with its result
	Seeds         map[string]Span  // fewest and most seeds behind an accuracy, by column
	Printed, Ours Overview
}

// A Span is the smallest and the largest of some numbers.
type Span struct{ Fewest, Most int }

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

// ReadAcross reads the table of spec accuracy, and the runs behind its means.
func ReadAcross(t table.Table, runs []Runs) (Across, error) {
	scores, seeds := meanScores(t, runs)
	a := Across{Coverage: coverageOf(t), Columns: t.Columns, RankOne: map[string]Total{}, Seeds: seeds, Printed: printedOverview(), Ours: newOverview(scores)}
	for _, r := range t.Rows {
		for _, method := range PaperMethods {
			score := t.Find(r, method).Score
			if score == nil {
				continue
			}
			n := a.RankOne[method]
			n.Of++
			if score.Best {
				n.Count++
			}
			a.RankOne[method] = n
		}
	}
	return a, nil
}

// finest is the largest part of a test sample that means are told apart by.
const finest = 1 << 20

// meanScores are the means of the runs over the rows of a table, and the numbers of
// seeds behind them. A cell without runs counts with its own seed. Right answers are
// counted in parts of a sample that all numbers of seeds of a row divide, so that
// equal means are equal numbers.
func meanScores(t table.Table, runs []Runs) (table.Scores, map[string]Span) {
	scores, seeds := t.Scores(), map[string]Span{}
	for i := range scores.Rows {
		row := &scores.Rows[i]
		of, parts := make([]Runs, len(t.Columns)), 1
		for j, c := range t.Columns {
			of[j] = runsOf(runs, t.Rows[i].Dataset, c.ID)
			if of[j].none() && row.Right[j] >= 0 {
				of[j].Correct, of[j].N = []int{row.Right[j]}, row.N
			}
			if n := len(of[j].Correct); n > 0 {
				seeds[c.ID] = seeds[c.ID].with(n)
				parts = min(finest, leastCommonMultiple(parts, n))
			}
		}
		for j, o := range of {
			if !o.none() {
				row.Right[j], row.N = o.mean(parts), parts*o.N
			}
		}
	}
	return scores, seeds
}

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

// leastCommonMultiple is that of two positive numbers.
func leastCommonMultiple(a, b int) int {
	x, y := a, b
	for y > 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// printedOverview is that of the paper's table, which never changes.
var printedOverview = sync.OnceValue(func() Overview { return newOverview(table.PublishedScores()) })

func newOverview(scores table.Scores) Overview {
	o := Overview{Scores: scores}
	o.Standing, o.Ranked = scores.Standing(Level)
	pairs := pairsOfPaper(scores.Methods)
	o.Comparisons = make([]Comparison, len(pairs))
	posteriors := posteriorsOf(scores, pairs)
	var wait sync.WaitGroup
	for i, pair := range pairs {
		wait.Go(func() { o.Comparisons[i] = newComparison(scores, pair[0], pair[1], posteriors) })
	}
	wait.Wait()
	o.correct()
	return o
}

// pairsOfPaper are the paper's methods with every other one, each pair once.
func pairsOfPaper(methods []string) [][2]string {
	var all [][2]string
	for i, first := range PaperMethods {
		if !slices.Contains(methods, first) {
			continue
		}
		for _, second := range methods {
			if second != first && !slices.Contains(PaperMethods[:i], second) {
				all = append(all, [2]string{first, second})
			}
		}
	}
	return all
}

// posteriorsOf draws what the comparisons of pairs share, by the number of data
// sets that have both methods.
func posteriorsOf(scores table.Scores, pairs [][2]string) map[int]*stats.Posterior {
	posteriors := map[int]*stats.Posterior{}
	for _, pair := range pairs {
		sets := len(scores.Differences(pair[0], pair[1]))
		if sets > 0 && posteriors[sets] == nil {
			posteriors[sets] = stats.NewPosterior(sets, stats.BayesSettings{Draws: PosteriorDraws, Seed: PosteriorSeed})
		}
	}
	return posteriors
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

// Significant reports whether the first is better by Wilcoxon's test.
func (c Comparison) Significant() bool { return c.Rows() > 0 && c.Holm <= Level && c.Ahead }

// Practically reports whether the first is probably better by more than the rope.
func (c Comparison) Practically() bool { return c.Posterior.First >= Practical }

// Most reports whether the first is the more accurate one on more than half of
// so many data sets, and whether it cannot be, whatever is missing.
func (c Comparison) Most(rows int) (holds, refuted bool) {
	return 2*c.Wins > rows, rows > 0 && 2*(c.Ties+c.Losses) >= rows
}

// Find returns the comparison of two methods, and whether it was made.
func (o Overview) Find(first, second string) (Comparison, bool) {
	for _, c := range o.Comparisons {
		if c.First == first && c.Second == second {
			return c, c.Rows() > 0
		}
	}
	return Comparison{}, false
}

// Against lists the comparisons of a method with the other methods of the paper's
// table. One that was not made has no rows.
func (o Overview) Against(method string) []Comparison {
	var all []Comparison
	for _, other := range table.PublishedScores().Methods {
		if !slices.Contains(PaperMethods, other) {
			c, _ := o.Find(method, other)
			c.First, c.Second = method, other
			all = append(all, c)
		}
	}
	return all
}

// Rank is the average rank of a method, NaN without one.
func (o Overview) Rank(method string) float64 {
	i := slices.Index(o.Scores.Methods, method)
	if i < 0 || !o.Ranked {
		return math.NaN()
	}
	return o.Standing.Friedman.AverageRanks[i]
}

// Support is what comes of the statement that both of the paper's methods beat
// all others.
type Support int

// Supports.
const (
	Unknown     Support = iota // something is missing
	Supported                  // by the counts of sets and by the tests
	ByCounts                   // by the counts, but not by the tests
	Unsupported                // not even by the counts
)

// Support says whether each of the paper's methods is the more accurate one on
// most data sets against every other method of its table: refuted by what is
// there, or open while something is missing.
func (o Overview) Support() Support {
	open, tested := false, true
	for _, method := range PaperMethods {
		for _, c := range o.Against(method) {
			holds, refuted := c.Most(len(o.Scores.Rows))
			if refuted {
				return Unsupported
			}
			open = open || !holds
			tested = tested && c.Significant()
		}
	}
	switch {
	case open:
		return Unknown
	case tested:
		return Supported
	}
	return ByCounts
}

// Name is a method as our table prints it, or else by its id.
func (a Across) Name(id string) string {
	for _, c := range a.Columns {
		if c.ID == id && c.Name != "" {
			return c.Name
		}
	}
	return published.MethodName(id)
}

// Methods are those of the paper's table, then those that only ours has.
func (a Across) Methods() []string {
	all := slices.Clone(a.Printed.Scores.Methods)
	for _, id := range a.Ours.Scores.Methods {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// Overviews are both, the printed one first, with what they are called in tables.
func (a Across) Overviews() []NamedOverview {
	return []NamedOverview{{"printed", a.Printed}, {"ours", a.Ours}}
}

// A NamedOverview is an overview with its name in tables.
type NamedOverview struct {
	Name string
	Overview
}

// BestOn says on how many data sets a method is the best one, under one reading of
// what that means.
type BestOn struct {
	Claim
	Reading string // "rank 1" or "the highest accuracy"
	Printed int    // rows of the paper's table
}

// The readings of the best result. Rank 1 has the most accurate method and those
// that do not differ from it significantly.
const (
	ReadingRank    = "rank 1"
	ReadingHighest = "the highest accuracy"
)

// FirstRank checks the number of data sets that the text of the paper says by the
// ranks of the tables.
func (a Across) FirstRank(method string, said int) BestOn {
	b := BestOn{Reading: ReadingRank}
	for _, p := range published.All() {
		if p.Method == method && p.Rank == 1 {
			b.Printed++
		}
	}
	b.Claim = a.bestClaim("first-rank-"+method, a.RankOne[method], said)
	b.Statement = fmt.Sprintf("%s achieves the best performance for %d out of the %d data sets", a.Name(method), said, b.Of+b.Missing)
	return b
}

// Highest checks the same number by the accuracies: no method of a row has a higher
// one.
func (a Across) Highest(method string, said int) BestOn {
	b := BestOn{Reading: ReadingHighest, Printed: highestOn(a.Printed.Scores, method).Count}
	b.Claim = a.bestClaim("highest-"+method, highestOn(a.Ours.Scores, method), said)
	b.Statement = fmt.Sprintf("%s achieves the highest classification accuracy in %d out of %d data sets", a.Name(method), said, b.Of+b.Missing)
	return b
}

// bestClaim compares a number of rows with what the text says.
func (a Across) bestClaim(id string, ours Total, said int) Claim {
	missing := max(0, len(a.Printed.Scores.Rows)-ours.Of)
	return Claim{
		ID: id, Verdict: verdict(ours.Count+missing < said, ours.Count < said || missing > 0),
		Count: ours.Count, Of: ours.Of, P: math.NaN(), Missing: missing,
	}
}

// highestOn counts the rows on which no method has more right answers than one, of
// those with its result.
func highestOn(scores table.Scores, method string) Total {
	var t Total
	i := slices.Index(scores.Methods, method)
	for _, r := range scores.Rows {
		if i < 0 || r.Right[i] < 0 {
			continue
		}
		t.Of++
		if r.Right[i] == slices.Max(r.Right) {
			t.Count++
		}
	}
	return t
}

// AheadOf says whether a method is ahead of another, in both tables.
type AheadOf struct {
	Claim
	Ours, Printed Comparison
}

// AheadOf checks that one of the paper's methods outperforms the other.
func (a Across) AheadOf(method, other string) AheadOf {
	var o AheadOf
	o.Ours, _ = a.Ours.Find(method, other)
	o.Printed, _ = a.Printed.Find(method, other)
	missing := max(0, len(a.Printed.Scores.Rows)-o.Ours.Rows())
	o.Claim = Claim{
		ID: method + "-ahead-of-" + other, Statement: fmt.Sprintf("%s outperforms %s", a.Name(method), a.Name(other)),
		Verdict: verdict(o.Ours.Rows() > 0 && o.Ours.Holm <= Level && !o.Ours.Ahead, !o.Ours.Significant() || missing > 0),
		Count:   o.Ours.Wins, Of: o.Ours.Rows(), P: math.NaN(), Missing: missing,
	}
	if o.Of > 0 {
		o.P = o.Ours.Holm
	}
	return o
}

// Everywhere says on how many data sets both of the paper's methods are ahead of
// another one, in both tables and in the order of PaperMethods.
type Everywhere struct {
	Claim
	Ours, Printed []Comparison
}

// Everywhere checks that they are on all.
func (a Across) Everywhere(other string) Everywhere {
	e := Everywhere{Claim: Claim{ID: "everywhere-ahead-of-" + other, P: math.NaN()}}
	e.Statement = fmt.Sprintf("both yield much better performance for all data sets compared to %s", a.Name(other))
	refuted := false
	for _, method := range PaperMethods {
		ours, _ := a.Ours.Find(method, other)
		printed, _ := a.Printed.Find(method, other)
		ours.First, printed.First = method, method
		e.Ours, e.Printed = append(e.Ours, ours), append(e.Printed, printed)
		refuted = refuted || ours.Ties+ours.Losses > 0
		e.Missing += max(0, len(a.Printed.Scores.Rows)-ours.Rows())
		e.Count += ours.Wins
		e.Of += ours.Rows()
	}
	e.Verdict = verdict(refuted, e.Missing > 0)
	return e
}

// Stated are the paper's statements on its comparison of performances.
// The numbers of best results come under both readings.
func (a Across) Stated() (best []BestOn, ahead AheadOf, everywhere Everywhere) {
	best = []BestOn{a.FirstRank(Efficient, 14), a.FirstRank(Transductive, 9), a.Highest(Efficient, 14), a.Highest(Transductive, 9)}
	return best, a.AheadOf(Efficient, Transductive), a.Everywhere("lmnn-mm")
}

// MostSets is a stricter reading, which the paper does not state: each of its
// methods outperforms every other one on most data sets, and significantly so.
func (a Across) MostSets(o NamedOverview) Claim {
	support := o.Support()
	c := Claim{
		ID: "most-sets-" + o.Name, Statement: "both methods of the paper outperform every other method on most data sets, significantly",
		Verdict: verdict(support == Unsupported, support != Supported), P: math.NaN(),
	}
	for _, method := range PaperMethods {
		for _, one := range o.Against(method) {
			c.Of++
			if holds, _ := one.Most(len(o.Scores.Rows)); holds {
				c.Count++
			}
		}
	}
	return c
}

// Claims are the paper's statements, then the stricter reading of both tables.
func (a Across) Claims() []Claim {
	best, ahead, everywhere := a.Stated()
	var all []Claim
	for _, b := range best {
		all = append(all, b.Claim)
	}
	all = append(all, ahead.Claim, everywhere.Claim)
	for _, o := range a.Overviews() {
		all = append(all, a.MostSets(o))
	}
	return all
}

// Listings are the average ranks, the tests of their differences, and the paper's
// methods against every other.
func (a Across) Listings() []table.Listing {
	return []table.Listing{a.Ranks(), a.Tests(), a.Comparisons()}
}

// Ranks are the average ranks.
func (a Across) Ranks() table.Listing {
	l := table.Listing{Title: "Average ranks", Head: []string{"average rank", "printed", "ours", "seeds"}}
	for _, id := range a.Methods() {
		l.Rows = append(l.Rows, []string{a.Name(id), decimals(a.Printed.Rank(id), 2), decimals(a.Ours.Rank(id), 2), a.Seeds[id].String()})
	}
	return l
}

// Tests are Friedman's test and Nemenyi's critical difference.
func (a Across) Tests() table.Listing {
	l := table.Listing{
		Title: "Friedman's test",
		Head:  []string{"", "rows", "Friedman's χ²", "df", "p", "Iman and Davenport's F", "df", "p", "critical difference"},
	}
	for _, o := range a.Overviews() {
		row := []string{o.Name, strconv.Itoa(o.Standing.Rows), "-", "-", "-", "-", "-", "-", "-"}
		if f := o.Standing.Friedman; o.Ranked {
			row = append(row[:2], decimals(f.ChiSquared, 3), strconv.Itoa(f.DF), stats.ShortP(f.P),
				decimals(f.F, 3), fmt.Sprintf("%d, %d", f.DF, f.DF2), stats.ShortP(f.FP), decimals(o.Standing.CD, 4))
		}
		l.Rows = append(l.Rows, row)
	}
	return l
}

// Comparisons are the paper's methods against every other one.
func (a Across) Comparisons() table.Listing {
	l := table.Listing{Title: "The paper's methods against every other", Head: []string{"method", "against"}}
	for _, o := range a.Overviews() {
		l.Head = append(l.Head, o.Name+": more accurate/equal/less", "median", "p", "Holm", "better/equal/worse")
	}
	for _, pair := range pairsOfPaper(a.Methods()) {
		row := []string{a.Name(pair[0]), a.Name(pair[1])}
		for _, o := range a.Overviews() {
			row = append(row, o.fields(pair)...)
		}
		l.Rows = append(l.Rows, row)
	}
	return l
}

// fields are the numbers of a comparison as texts, "-" if it was not made.
func (o Overview) fields(pair [2]string) []string {
	c, ok := o.Find(pair[0], pair[1])
	if !ok {
		return []string{"-", "-", "-", "-", "-"}
	}
	return []string{
		fmt.Sprintf("%d/%d/%d", c.Wins, c.Ties, c.Losses), text.Signed(c.Median), stats.ShortP(c.P), stats.ShortP(c.Holm),
		fmt.Sprintf("%.2f/%.2f/%.2f", c.Posterior.First, c.Posterior.Equal, c.Posterior.Second),
	}
}
