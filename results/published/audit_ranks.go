package published

import (
	"fmt"
	"math"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// infeasibleRanks finds ranks that no predictions with these counts lead to.
func (r printedRow) infeasibleRanks(test stats.Test) []Finding {
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
	return stats.InfeasibleRanks(test, r.correct, r.rank, r.n, publishedAlpha)
}

func (r printedRow) claimText(test stats.Test, c stats.RankClaim) string {
	counts := fmt.Sprintf("%d and %d of %d right", r.correct[c.Other], r.correct[c.Leader], r.n)
	leader := MethodName(r.cells[c.Leader].Method)
	if !c.Different {
		return fmt.Sprintf("it shares rank %d with %s, but %s always differ by %s: adjusted p is at most %.2g",
			r.rank[c.Other], leader, counts, test, twoDigits(c.Holm, math.Ceil))
	}
	claim := fmt.Sprintf("rank %d puts it behind %s, but %s never differ by %s: adjusted p is at least %.2g",
		r.rank[c.Other], leader, counts, test, twoDigits(c.Holm, math.Floor))
	if uncorrected(c) {
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
func uncorrected(c stats.RankClaim) bool {
	return c.Different && c.P > publishedAlpha
}

// RankRemark counts the infeasible ranks of the table of accuracies by row, for
// every variant of McNemar's test.
func RankRemark() string {
	var variants []string
	for i, name := range stats.TestNames() {
		variants = append(variants, name+" "+infeasibleCounts(stats.Test(i)))
	}
	return "Ranks that no predictions lead to, by test and row, in parentheses those so even without correction: " +
		strings.Join(variants, "; ")
}

// infeasibleCounts prints "E 1, M 3 (2)".
func infeasibleCounts(test stats.Test) string {
	var rows []string
	for _, r := range printedRows(parsed()) {
		claims := r.claims(test)
		alone := 0
		for _, c := range claims {
			if uncorrected(c) {
				alone++
			}
		}
		switch {
		case alone > 0:
			rows = append(rows, fmt.Sprintf("%s %d (%d)", r.cells[0].Letter, len(claims), alone))
		case len(claims) > 0:
			rows = append(rows, fmt.Sprintf("%s %d", r.cells[0].Letter, len(claims)))
		}
	}
	return strings.Join(rows, ", ")
}
