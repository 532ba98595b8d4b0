package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// A SplitRule tells whether the paper's splits are those of the rule: whether its
// accuracies are nearer to ours on the split of the rule than to our means over
// random splits, and what is left of them belongs to the data set.
//
// Printed less ours is taken apart into an effect of the row, which all methods
// share, an effect of the method, and a rest. Another split moves all methods of a
// row together, so that it shows in the effects of rows.
type SplitRule struct {
	Coverage
	Sets    []Set
	Methods []table.Column
	Numbers []SplitNumber // that have both references, by set and then by method
	Rule    SplitFit      // our mean over seeds on the split of the rule
	Random  SplitFit      // our mean over random splits
	Files   []AuthorFile
}

// An AuthorFile is a split that the paper's authors published.
type AuthorFile struct {
	Letter, Name string
	// OwnPattern: the rule needs a pattern for this set alone, in which training rows
	// come in two runs.
	OwnPattern bool
}

// A SplitNumber is a printed accuracy with both references, in percent.
type SplitNumber struct {
	Set, Method           int // index
	Printed, Rule, Random float64
	Seeds, Splits         int // behind Rule and Random
}

// A SplitFit takes the differences of the printed accuracies from one reference
// apart.
type SplitFit struct {
	Name          string       // completes "ours": "on the split of the rule"
	Differences   [][]float64  // printed less ours in points, by set and method; NaN: a gap
	Means, Median stats.TwoWay // fits by least squares and by medians
	Test          stats.FTest  // of the rows' effects, by least squares
	Tested        bool
}

// Spreads are those of the parts of a fit, in points.
type Spreads struct{ Rows, Methods, Rest float64 }

// Deviations are the standard deviations of the effects, and of the rest, of the fit
// by least squares.
func (r SplitFit) Deviations() Spreads {
	return spreads(r.Means, func(x []float64) float64 { return stat.StdDev(x, nil) })
}

// MedianDeviations are the scaled median deviations of the fit by medians, which a
// few outliers do not move.
func (r SplitFit) MedianDeviations() Spreads { return spreads(r.Median, stats.MedianDeviation) }

func spreads(f stats.TwoWay, of func([]float64) float64) Spreads {
	return Spreads{of(stats.Known(f.Rows)), of(stats.Known(f.Columns)), of(stats.Known(slices.Concat(f.Rest...)))}
}

// Near counts the sets whose effect by medians is at most so many points, of those
// that have one. An effect includes the centre: by how much the set is off.
func (r SplitFit) Near(points float64) Total {
	var t Total
	for _, effect := range stats.Known(r.Median.Rows) {
		t.Of++
		if math.Abs(r.Median.Center+effect) <= points {
			t.Count++
		}
	}
	return t
}

// ReadSplitRule reads the table of spec splits and the runs on the split of the rule.
func ReadSplitRule(in Input) (SplitRule, error) {
	s := SplitRule{Coverage: coverageOf(in.Table), Methods: in.Table.Columns, Files: in.Files}
	random := map[[2]string][]float64{} // accuracies by data set and column
	for _, r := range in.Table.Rows {
		if !slices.ContainsFunc(s.Sets, func(known Set) bool { return known.Dataset == r.Dataset }) {
			s.Sets = append(s.Sets, setOf(r))
		}
		for j, c := range in.Table.Columns {
			if cell := cellAt(r, j); cell.Score != nil {
				at := [2]string{r.Dataset, c.ID}
				random[at] = append(random[at], 100*float64(cell.Correct)/float64(r.N))
			}
		}
	}
	for i, set := range s.Sets {
		for j, c := range s.Methods {
			runs, splits := runsOf(in.Runs, set.Dataset, c.ID), random[[2]string{set.Dataset, c.ID}]
			printed, ok := published.Lookup(set.Letter, c.Method)
			if !ok || runs.none() || len(splits) == 0 {
				continue
			}
			value, err := printed.Percent()
			if err != nil {
				return s, err
			}
			s.Numbers = append(s.Numbers, SplitNumber{i, j, value, runs.percent(), stat.Mean(splits, nil), len(runs.Correct), len(splits)})
		}
	}
	s.Rule = s.fit("on the split of the rule", func(n SplitNumber) float64 { return n.Printed - n.Rule })
	s.Random = s.fit("over random splits", func(n SplitNumber) float64 { return n.Printed - n.Random })
	return s, nil
}

// fit takes differences apart.
func (s SplitRule) fit(name string, difference func(SplitNumber) float64) SplitFit {
	r := SplitFit{Name: name}
	for range s.Sets {
		r.Differences = append(r.Differences, slices.Repeat([]float64{math.NaN()}, len(s.Methods)))
	}
	for _, n := range s.Numbers {
		r.Differences[n.Set][n.Method] = difference(n)
	}
	r.Means, r.Median = stats.FitMeans(r.Differences), stats.MedianPolish(r.Differences)
	r.Test, r.Tested = stats.CompareRows(r.Differences)
	return r
}

// Nearness counts numbers, or data sets, by the reference that is nearer.
type Nearness struct {
	Rule, Random, Equal int
	P                   float64 // of the two-sided sign test, without the equal ones
}

func newNearness(differences []int) Nearness {
	var n Nearness
	for _, d := range differences {
		switch {
		case d > 0:
			n.Rule++
		case d < 0:
			n.Random++
		default:
			n.Equal++
		}
	}
	n.P = stats.McNemar(stats.Exact, n.Rule, n.Random).P
	return n
}

// nearer is 1 for a number that is nearer to the reference of the rule, -1 for one
// that is nearer to the other, else 0.
func (n SplitNumber) nearer() int {
	rule, random := math.Abs(n.Printed-n.Rule), math.Abs(n.Printed-n.Random)
	switch {
	case rule < random:
		return 1
	case rule > random:
		return -1
	}
	return 0
}

// Nearer counts the printed accuracies by the reference that is nearer. Those of one
// row share a split, so that the test takes for independent what is not.
func (s SplitRule) Nearer() Nearness {
	var all []int
	for _, n := range s.Numbers {
		all = append(all, n.nearer())
	}
	return newNearness(all)
}

// NearerSets counts the data sets by the reference that is nearer for more methods.
func (s SplitRule) NearerSets() Nearness {
	votes := map[int]int{}
	for _, n := range s.Numbers {
		votes[n.Set] += n.nearer()
	}
	var all []int
	for i := range s.Sets {
		if vote, ok := votes[i]; ok {
			all = append(all, vote)
		}
	}
	return newNearness(all)
}

// nearOnSet counts the numbers of a data set that are nearer to the rule.
func (s SplitRule) nearOnSet(set int) Total {
	var t Total
	for _, n := range s.Numbers {
		if n.Set == set {
			t.Of++
			if n.nearer() > 0 {
				t.Count++
			}
		}
	}
	return t
}

// Agreement is the rank correlation over the data sets of two differences from the
// random splits: that of the printed accuracies, and that of ours on the split of the
// rule, as effects of rows by least squares. NaN: there are fewer than three sets.
func (s SplitRule) Agreement() float64 {
	ours := s.fit("", func(n SplitNumber) float64 { return n.Rule - n.Random })
	printed, rule := stats.Known(s.Random.Means.Rows), stats.Known(ours.Means.Rows)
	if len(printed) < 3 {
		return math.NaN()
	}
	return stats.Spearman(printed, rule)
}

// offBy is the number of points within which a data set counts as not off.
const offBy = 1

// Claims are what the split of the rule explains.
func (s SplitRule) Claims() []Claim {
	all := []Claim{
		nearnessClaim("sets-nearer-to-rule", "on a data set most printed accuracies are nearer to ours on the split of the rule than to our means over "+
			"random splits", s.NearerSets()),
		nearnessClaim("nearer-to-rule", "a printed accuracy is nearer to ours on the split of the rule, where the test takes accuracies of one data set for "+
			"independent", s.Nearer()),
		s.Rule.claim("rows-differ-from-rule"), s.Random.claim("rows-differ-from-random"),
	}
	if len(s.Numbers) > 0 && len(s.Files) > 0 {
		own := 0
		for _, f := range s.Files {
			if f.OwnPattern {
				own++
			}
		}
		all = append(all, counted("files-by-rule", "the rule gives a split that the authors published value for value, without a pattern for that set alone",
			len(s.Files)-own, len(s.Files)))
	}
	return all
}

// nearnessClaim holds where the majority is significant.
func nearnessClaim(id, statement string, n Nearness) Claim {
	c := Claim{ID: id, Statement: statement, Count: n.Rule, Of: n.Rule + n.Random + n.Equal, P: math.NaN()}
	significant := n.P <= Level
	if c.Of > 0 {
		c.P = n.P
	}
	c.Verdict = verdict(significant && n.Rule < n.Random, !significant || n.Rule <= n.Random)
	return c
}

// claim says whether printed less ours differs by data set. It counts the sets that
// are off.
func (r SplitFit) claim(id string) Claim {
	near := r.Near(offBy)
	c := Claim{
		ID: id, Statement: fmt.Sprintf("printed minus ours, %s, depends on the data set; the count is of sets that are more than %d point off", r.Name, offBy),
		Verdict: Undecided, Count: near.Of - near.Count, Of: near.Of, P: math.NaN(),
	}
	if r.Tested {
		c.P = r.Test.P
		c.Verdict = verdict(false, r.Test.P > Level)
	}
	return c
}

// Listings are the spreads, then the effects of the data sets and of the methods.
func (s SplitRule) Listings() []table.Listing {
	return []table.Listing{s.Spreads(), s.SetEffects(), s.MethodEffects(), s.AuthorFiles()}
}

// Spreads compares the references by the spreads of the fits.
func (s SplitRule) Spreads() table.Listing {
	l := table.Listing{
		Title: "Spread of printed minus ours, in points",
		Head:  []string{"ours", "fit", "data sets", "methods", "rest", "F of data sets", "df", "p"},
		Notes: []string{
			"Least squares: standard deviations of the effects. Medians: a median polish, and 1.4826 times the median deviations of its effects.",
			"F tests by least squares whether the effects of data sets are more than the rest gives.",
		},
	}
	if rho := s.Agreement(); !math.IsNaN(rho) {
		l.Notes = append(l.Notes, fmt.Sprintf(
			"Over the data sets the printed accuracies differ from random splits as ours on the split of the rule do: rank correlation %.3f.", rho))
	}
	for _, r := range []SplitFit{s.Rule, s.Random} {
		test := []string{"-", "-", "-"}
		if r.Tested {
			test = []string{decimals(r.Test.F, 2), fmt.Sprintf("%d, %d", r.Test.DF1, r.Test.DF2), stats.ShortP(r.Test.P)}
		}
		l.Rows = append(l.Rows, append(r.Deviations().fields(r.Name, "least squares"), test...),
			append(r.MedianDeviations().fields(r.Name, "medians"), "-", "-", "-"))
	}
	return l
}

func (s Spreads) fields(name, fit string) []string {
	return []string{name, fit, decimals(s.Rows, 2), decimals(s.Methods, 2), decimals(s.Rest, 2)}
}

// SetEffects has by how much each data set is off, all methods together.
func (s SplitRule) SetEffects() table.Listing {
	l := table.Listing{
		Title: "By how many points printed is above ours, by data set",
		Head:  []string{"row", "data set", "rule, least squares", "rule, medians", "random, least squares", "random, medians", "nearer to the rule"},
	}
	for i, set := range s.Sets {
		row := []string{orDash(set.Letter), orDash(set.Name)}
		for _, f := range []stats.TwoWay{s.Rule.Means, s.Rule.Median, s.Random.Means, s.Random.Median} {
			row = append(row, signed(f.Center+f.Rows[i]))
		}
		near := s.nearOnSet(i)
		l.Rows = append(l.Rows, append(row, fmt.Sprintf("%d of %d", near.Count, near.Of)))
	}
	return l
}

// MethodEffects has by how much each method is off, all data sets together.
func (s SplitRule) MethodEffects() table.Listing {
	l := table.Listing{
		Title: "By how many points printed is above ours, by method",
		Head:  []string{"method", "rule, least squares", "rule, medians", "random, least squares", "random, medians", "data sets", "seeds", "random splits"},
	}
	for j, c := range s.Methods {
		row := []string{orDash(c.Name)}
		for _, f := range []stats.TwoWay{s.Rule.Means, s.Rule.Median, s.Random.Means, s.Random.Median} {
			effect := math.NaN()
			if j < len(f.Columns) {
				effect = f.Center + f.Columns[j]
			}
			row = append(row, signed(effect))
		}
		var seeds, splits Span
		sets := 0
		for _, n := range s.Numbers {
			if n.Method == j {
				sets, seeds, splits = sets+1, seeds.with(n.Seeds), splits.with(n.Splits)
			}
		}
		l.Rows = append(l.Rows, append(row, strconv.Itoa(sets), seeds.String(), splits.String()))
	}
	return l
}

// AuthorFiles are the splits that the authors published.
func (s SplitRule) AuthorFiles() table.Listing {
	l := table.Listing{Title: "Splits that the authors published", Head: []string{"row", "data set", "given by"}}
	for _, f := range s.Files {
		by := "the rule"
		if f.OwnPattern {
			by = "the rule with a pattern of its own: training rows of a class come in two runs"
		}
		l.Rows = append(l.Rows, []string{f.Letter, f.Name, by})
	}
	return l
}

// signed is a number of points with its sign, "-" if it is none.
func signed(points float64) string {
	if math.IsNaN(points) {
		return "-"
	}
	return text.Signed(points)
}
