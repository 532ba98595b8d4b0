package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/stats"
)

// least is the number of rows without which nothing is said of a trend, and large the rank
// correlation that a claim of no trend denies (Cohen 1988: a large effect).
const (
	least = 5
	large = 0.5
)

// mostCompletions bounds the ways to fill in missing numbers that a trend is judged by.
const mostCompletions = 20_000

// trend judges Spearman's rank correlation of a column with a quantity, or of the place of
// the best of several columns. Where numbers are missing it is judged by every order that they
// could lead to, and is not tested if these disagree.
func (s *Study) trend(c Claim) Verdict {
	var x []float64
	var y [][]float64 // what each row could have
	var missing []string
	for row, r := range s.Rows {
		of, known := r.Of[c.Of]
		if !known {
			return untested(fmt.Sprintf("%s is not known of row %s", c.Of, r.ID))
		}
		could := s.places(c, row)
		if len(could) != 1 {
			missing = append(missing, r.ID)
		}
		x, y = append(x, of), append(y, could)
	}
	if len(x) < least {
		return untested(fmt.Sprintf("%d rows, want %d", len(x), least))
	}
	fillIn(y)
	low, high, words, complete := math.Inf(1), math.Inf(-1), map[string]bool{}, true
	ok := completions(y, func(y []float64) {
		rho := stats.Spearman(x, y)
		if math.IsNaN(rho) {
			complete = false
			return
		}
		low, high = min(low, rho), max(high, rho)
		words[direction(c.Direction, rho, len(x))] = true
	})
	without := ""
	if len(missing) > 0 {
		without = "; without all numbers: " + strings.Join(missing, " ")
	}
	switch {
	case !ok:
		return untested("too many numbers are missing" + without)
	case !complete:
		return untested("one side may always be the same" + without)
	}
	v := Verdict{Word: Untested, claimed: c.Direction, found: fmt.Sprintf("%.2f", low)}
	v.Why = "rank correlation " + v.found
	if high > low {
		v.Why += fmt.Sprintf(" to %.2f, whatever the missing numbers are", high)
	}
	under, _ := between(low, len(x))
	_, over := between(high, len(x))
	v.Why += fmt.Sprintf(", %d rows, 90 %% interval %.2f to %.2f%s", len(x), under, over, without)
	if len(words) == 1 {
		for v.Word = range words {
		}
	}
	return v
}

// places are what a row gives a trend: its number, or the place of the best of several
// columns, any of which could be best that has no number. None: it could be any number.
func (s *Study) places(c Claim, row int) (all []float64) {
	columns := append(s.each(c.Columns), s.matching(c.Column)...)
	if len(columns) == 1 {
		all, _ = s.values(row, columns, c.measure())
		return all
	}
	known, _ := s.values(row, columns, c.measure())
	found := false // the best of those with a number
	for i, column := range columns {
		own, has := s.values(row, []int{column}, c.measure())
		switch {
		case !has:
			all = append(all, float64(i))
		case !found && own[0] == most(known):
			all, found = append(all, float64(i)), true
		}
	}
	return all
}

// fillIn gives the m rows that could have any number those that differ in their order: each
// number of another row, and m below, above and between these.
func fillIn(y [][]float64) {
	var known []float64
	m := 0
	for _, could := range y {
		known = append(known, could...)
		if len(could) == 0 {
			m++
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	all := slices.Clone(known)
	for i := range len(known) + 1 {
		below, above := -math.MaxFloat64, math.MaxFloat64 // the numbers between which they are
		if i > 0 {
			below = known[i-1]
		}
		if i < len(known) {
			above = known[i]
		}
		for k := 1; k <= m; k++ {
			share := float64(k) / float64(m+1)
			all = append(all, below*(1-share)+above*share)
		}
	}
	for i := range y {
		if len(y[i]) == 0 {
			y[i] = all
		}
	}
}

// completions calls f with every choice of one number of each row. It tells whether these are
// few enough; else it calls nothing.
func completions(y [][]float64, f func([]float64)) bool {
	ways := 1
	for _, could := range y {
		if ways *= len(could); ways > mostCompletions {
			return false
		}
	}
	one := make([]float64, len(y))
	for way := range ways {
		for i, could := range y {
			one[i], way = could[way%len(could)], way/len(could)
		}
		f(one)
	}
	return true
}

// between are the limits of the 90 % interval of a rank correlation of n pairs, one at each
// side that a one-sided test at level 0.05 rejects:
//
//	tanh(atanh ρ ± 1.645 √(1.06/(n-3)))
//
// Reference: E. C. Fieller, H. O. Hartley, E. S. Pearson, Tests for rank correlation
// coefficients I, Biometrika 44, 1957.
func between(rho float64, n int) (low, high float64) { return limits(rho, n, 0.05) }

func limits(rho float64, n int, tail float64) (low, high float64) {
	half := distuv.UnitNormal.Quantile(1-tail) * math.Sqrt(1.06/float64(n-3))
	return math.Tanh(math.Atanh(rho) - half), math.Tanh(math.Atanh(rho) + half)
}

// direction is the verdict on a trend. A claimed direction holds if the correlation is above
// 0 on its side, at level 0.05. It fails if a large one on that side can be excluded. A claim
// of none holds if large ones can be excluded, and fails at a correlation that is not 0 (of
// two sides). What the rows cannot exclude is not tested.
func direction(claimed string, rho float64, n int) string {
	low, high := between(rho, n)
	under, over := limits(rho, n, 0.025)
	var holds, fails bool // the first that is true decides
	switch claimed {
	case "rising":
		holds, fails = low > 0, high < large
	case "falling":
		holds, fails = high < 0, low > -large
	case "not-rising":
		holds, fails = low <= 0 && high < large, low > 0
	case "none":
		holds, fails = under <= 0 && over >= 0 && low > -large && high < large, under > 0 || over < 0
	}
	switch {
	case holds:
		return Holds
	case fails:
		return Fails
	}
	return Untested
}
