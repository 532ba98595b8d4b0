package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/stats"
)

// Answer says in three paragraphs what came of the printed numbers: whether they come
// back by the stated protocol and how close ours are, which other protocols give them,
// and what no protocol gives. There is none without a number.
func Answer(v Verdicts) []string {
	if v.Summary.Numbers == 0 {
		return nil
	}
	return []string{comesBack(v), otherProtocols(v), beyondAll(v.Summary)}
}

// comesBack counts the numbers that the stated protocol gives, and those within one and
// five points of ours.
func comesBack(v Verdicts) string {
	s := v.Summary
	gives := s.Count(Equal, Stated)
	method, which := bestMethod(v.Ranks, gives > 0)
	moved := ""
	if m := v.Placebo.moved(Stated, decoyPoints[0]); m.Of > 0 {
		moved = fmt.Sprintf(" Of values moved by %g points it would give %s %%.", decoyPoints[0], stats.Percent(m.Reached, m.Of, 0))
	}
	missing := ""
	if n := s.Numbers - s.Close.Numbers; n > 0 {
		missing = fmt.Sprintf("; for %d there is none of ours", n)
	}
	untested := countOf(s.Words, Untested)
	many := howMany(gives, s.Numbers-untested)
	if untested > 0 {
		many = strings.Replace(many, "its numbers", "the numbers that were tried", 1)
	}
	return fmt.Sprintf("%s%s: the stated protocol, choice on validation samples, gives %d of the %s (%s %%) within a margin.%s"+
		" Ours are within 1 point of %d and within 5 points of %d%s.%s",
		many, method, gives, text.Counted(s.Numbers, "printed one"), stats.Percent(gives, s.Numbers, 0), moved,
		s.Close.within(1), s.Close.within(5), missing, which)
}

// howMany is a share of the numbers that were tried in a word.
func howMany(n, of int) string {
	switch {
	case of == 0:
		return "Not tried yet"
	case n == of:
		return "Fully in its numbers"
	case 2*n > of:
		return "Mostly in its numbers"
	case n > 0:
		return "Partly in its numbers"
	}
	return "Not in its numbers"
}

// bestMethod says whether the best method by average rank is that of the printed
// numbers, in the clause behind those on numbers, and which ones these are. Both are empty
// where there are no ranks.
func bestMethod(r Ranks, numbers bool) (clause, which string) {
	if len(r.Ours) == 0 {
		return "", ""
	}
	printed, ours := r.leaders(r.Printed), r.leaders(r.Ours)
	same := slices.Equal(printed, ours)
	switch {
	case same && numbers:
		clause = " and in its best method"
	case same:
		clause = " but in its best method"
	case numbers:
		clause = ", but not in its best method"
	default:
		clause = " nor in its best method"
	}
	over := ""
	if !r.All {
		over = " on " + text.Counted(r.Sets, "data set")
	}
	if same {
		return clause, fmt.Sprintf(" Best by average rank%s %s in print and in our runs.", over, leading(printed))
	}
	lowest := func(ranks []float64) string { return text.TwoDecimals(slices.Min(ranks)) }
	return clause, fmt.Sprintf(" Best by average rank%s %s in print (%s) and %s in our runs (%s)%s.",
		over, leading(printed), lowest(r.Printed), text.Series(ours), lowest(r.Ours), r.proposed())
}

// proposed are our average ranks of the proposed methods that are not the best.
func (r Ranks) proposed() string {
	var ranks []string
	for j, rank := range r.Ours {
		if !slices.Contains(r.Proposed, r.Methods[j]) || rank == slices.Min(r.Ours) {
			continue
		}
		has := " "
		if len(ranks) == 0 {
			has = " has "
		}
		ranks = append(ranks, published.MethodName(r.Methods[j])+has+text.TwoDecimals(rank))
	}
	if len(ranks) == 0 {
		return ""
	}
	return "; there " + text.Series(ranks)
}

// within is the number of values at most so many points away.
func (c Closeness) within(points float64) int {
	for _, w := range c.Within {
		if w.Points == points {
			return w.Count
		}
	}
	return 0
}

// otherProtocols counts the numbers that other protocols give, and names the columns
// that choice on test fits better.
func otherProtocols(v Verdicts) string {
	s := v.Summary
	better := ""
	if len(v.Fits.Columns) > 0 {
		columns := v.Fits.onTest()
		which := text.Series(columns)
		switch n := len(columns); {
		case n == 0:
			which = "no column"
		case n > mostFitted:
			which = fmt.Sprintf("%d columns", n)
		}
		better = fmt.Sprintf(" It fits %s better than choice on validation.", which)
	}
	nothing := ""
	if n := s.Unexplained[Tied] + s.Unexplained[Open]; n > 0 {
		nothing = fmt.Sprintf(" (for %d of them, moved values at least three quarters as often)", n)
	}
	return fmt.Sprintf("Ties or settings that the paper leaves open give %d more%s. Choice on test samples gives %d.%s",
		s.Count(Tied, Open), nothing, s.Count(OnTest, OpenOnTest), better)
}

// moved is the share of all decoys moved by so many points that a rung reaches.
func (p Placebo) moved(by Rung, points float64) (all Share) {
	for _, r := range p.Rungs {
		for _, m := range r.Moved {
			if r.Rung == int(by) && r.Size == allSizes && m.Points == points {
				all.Reached, all.Of = all.Reached+m.Reached, all.Of+m.Of
			}
		}
	}
	return all
}

// mostFitted is how many columns are named that choice on test fits better.
const mostFitted = 2

// onTest names the columns that choice on the test samples fits better.
func (f Fits) onTest() []string {
	var names []string
	for _, c := range f.Columns {
		if c.Fits() == FitsOnTest {
			names = append(names, published.MethodName(c.Method))
		}
	}
	return names
}

// Count is the number of verdicts that some rungs gave.
func (s Summary) Count(of ...Rung) int {
	n := 0
	for _, r := range of {
		n += countOf(s.Words, r.Word())
	}
	return n
}

func countOf(words []WordCount, word string) int {
	for _, w := range words {
		if w.Word == word {
			return w.Count
		}
	}
	return 0
}

// unexplained is the number of verdicts that say that no protocol gives a number.
func unexplained(words []WordCount) int {
	return countOf(words, Above) + countOf(words, Between) + countOf(words, Below)
}

// mostNamed is how many columns are named that have the most of something; more with
// as many as the last of them.
const mostNamed = 3

// beyondAll says what no protocol gives, and which columns have the most of it.
func beyondAll(s Summary) string {
	n, tried := unexplained(s.Words), s.Numbers-countOf(s.Words, Untested)
	switch {
	case tried == 0:
		return "No protocol has been tried on any of them."
	case n == 0:
		return fmt.Sprintf("Each of the %d that were tried is given by one of these protocols.", tried)
	}
	var where []string
	for _, one := range []struct{ word, where string }{
		{Above, "printed above all runs"}, {Below, "printed below the stated protocol"}, {Between, "between"},
	} {
		if n := countOf(s.Words, one.word); n > 0 {
			where = append(where, fmt.Sprintf("%d %s", n, one.where))
		}
	}
	methods := slices.Clone(s.Methods)
	slices.SortStableFunc(methods, func(a, b MethodCount) int { return unexplained(b.Words) - unexplained(a.Words) })
	var most []string
	for i, m := range methods {
		n := unexplained(m.Words)
		if n == 0 || i >= mostNamed && n < unexplained(methods[i-1].Words) {
			break
		}
		count := strconv.Itoa(n)
		if i == 0 {
			count = "has " + count
		}
		most = append(most, published.MethodName(m.Method)+" "+count)
	}
	untried := ""
	if s.Untried > 0 {
		untried = fmt.Sprintf(" (choice on test was not run for %d of them)", s.Untried)
	}
	return fmt.Sprintf("No protocol that was run gives %d%s: %s. Of these, %s.", n, untried, strings.Join(where, ", "), text.Series(most))
}
