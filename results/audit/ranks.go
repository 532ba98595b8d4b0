package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// infeasibleRanks finds ranks that no predictions with these counts lead to.
func (r printedRow) infeasibleRanks() []Finding { return r.infeasibleBy(r.table.Test.variant) }

func (r printedRow) infeasibleBy(test stats.Test) []Finding {
	var all []Finding
	claims := r.claims(test)
	for _, c := range claims {
		f := r.finding(KindInfeasibleRank, c.Other)
		f.Class = r.claimClass(test, claims, c)
		f.Bound = text.SixDigits(c.Holm)
		f.Text = r.claimText(test, c)
		all = append(all, f)
	}
	return all
}

func (r printedRow) claims(test stats.Test) []stats.RankClaim {
	if r.rank == nil {
		return nil
	}
	return stats.RankClaims(r.bounds(test), r.correct, r.rank, r.table.Test.Alpha)
}

// bounds are those of the p-values of all pairs, with the table's correction.
func (r printedRow) bounds(test stats.Test) []stats.PairBound {
	return stats.BoundPairs(test, corrections[r.table.Test.Correction], r.correct, r.n)
}

// corrections are what a table may say of the pairs of a row.
var corrections = map[string]func([]float64) []float64{holm: stats.Holm, bonferroni: stats.Bonferroni, none: slices.Clone[[]float64]}

func (r printedRow) claimText(test stats.Test, c stats.RankClaim) string {
	counts := fmt.Sprintf("%d and %d of %d right", r.correct[c.Other], r.correct[c.Leader], r.n)
	leader, p := r.name(c.Leader), "adjusted p"
	if r.table.Test.Correction == none {
		p = "p"
	}
	if !c.Different {
		return fmt.Sprintf("it shares rank %d with %s, but %s always differ by %s: %s is at most %.2g",
			r.rank[c.Other], leader, counts, test, p, twoDigits(c.Holm, math.Ceil))
	}
	claim := fmt.Sprintf("rank %d puts it behind %s, but %s never differ by %s: %s is at least %.2g",
		r.rank[c.Other], leader, counts, test, p, twoDigits(c.Holm, math.Floor))
	if r.uncorrected(c) && r.table.Test.Correction != none {
		claim += fmt.Sprintf(", and %.2g without correction", twoDigits(c.P, math.Floor))
	}
	return claim
}

// twoDigits rounds a bound to two significant digits, in the direction in which it
// remains one.
func twoDigits(p float64, round func(float64) float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(p))-1)
	return round(text.SixDigits(p/unit)) * unit
}

// uncorrected says that the claim is infeasible even by its p-value alone.
func (r printedRow) uncorrected(c stats.RankClaim) bool {
	return c.Different && c.P > r.table.Test.Alpha
}

// rankRemark counts the infeasible ranks by row, for every variant of McNemar's test.
func rankRemark(rows []printedRow) string {
	var variants []string
	for i, name := range stats.TestNames() {
		variants = append(variants, name+" "+text.OrDash(infeasibleCounts(rows, stats.Test(i))))
	}
	return "Ranks that no predictions lead to, by test and row, in parentheses those so even without correction: " +
		strings.Join(variants, "; ")
}

// infeasibleCounts prints "E 1, M 3 (2)".
func infeasibleCounts(all []printedRow, test stats.Test) string {
	var rows []string
	for _, r := range all {
		claims := r.claims(test)
		alone := 0
		for _, c := range claims {
			if r.uncorrected(c) {
				alone++
			}
		}
		switch {
		case alone > 0:
			rows = append(rows, fmt.Sprintf("%s %d (%d)", r.row.ID, len(claims), alone))
		case len(claims) > 0:
			rows = append(rows, fmt.Sprintf("%s %d", r.row.ID, len(claims)))
		}
	}
	return strings.Join(rows, ", ")
}
