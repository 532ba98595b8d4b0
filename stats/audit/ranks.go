package audit

import (
	"fmt"
	"math"
	"slices"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// The classes of findings: what those about ranks and claims rest on, so that findings
// which need a rule of ranking are told apart from those which need none.
const (
	ClassFirstRank  = "first-rank"  // against the most accurate method: none can differ more, so that no rule of ranking matters
	ClassNoPeer     = "no-peer"     // it differs from every other method of its rank, so that no rule of ranking puts it there
	classLeaderRule = "leader-rule" // against the leader of a later rank: it counts if ranks are made by the leader rule
	classOverlap    = "overlap"     // rests on a rank that is itself a finding; the two are not independent
	classAllowed    = "allowed"     // the leader can differ from the more accurate method and be comparable with the other
	classNumbering  = "numbering"   // only the numbers of the groups have a gap, and the groups may be right
	ClassReading    = "reading"     // right if the highest accuracy means rank 1
)

// infeasibleRanks finds ranks that no predictions with these counts lead to.
func (r printedRow) infeasibleRanks() []Finding {
	var all []Finding
	for _, c := range r.claims {
		f := r.finding(KindInfeasibleRank, c.Other)
		f.Class = r.claimClass(c)
		f.Bound = text.SixDigits(c.Holm)
		f.Text = r.claimText(c)
		all = append(all, f)
	}
	return all
}

// corrections are what a table may say of the pairs of a row.
var corrections = map[string]func([]float64) []float64{holm: stats.Holm, bonferroni: stats.Bonferroni, none: slices.Clone[[]float64]}

func (r printedRow) claimText(c stats.RankClaim) string {
	test := r.table.Test
	counts := fmt.Sprintf("%d and %d of %d right", r.correct[c.Other], r.correct[c.Leader], r.n)
	leader, p := r.name(c.Leader), "adjusted p"
	if test.Correction == none {
		p = "p"
	}
	if !c.Different {
		return fmt.Sprintf("it shares rank %d with %s, but %s always differ by %s: %s is at most %.2g",
			r.rank[c.Other], leader, counts, test.variant, p, twoDigits(c.Holm, math.Ceil))
	}
	claim := fmt.Sprintf("rank %d puts it behind %s, but %s never differ by %s: %s is at least %.2g",
		r.rank[c.Other], leader, counts, test.variant, p, twoDigits(c.Holm, math.Floor))
	if c.P > test.Alpha && test.Correction != none {
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

// claimClass says what an infeasible claim about a rank rests on.
func (r printedRow) claimClass(c stats.RankClaim) string {
	switch {
	case r.correct[c.Leader] == slices.Max(r.correct):
		return ClassFirstRank
	case !c.Different && r.alone(c.Other):
		return ClassNoPeer
	case slices.ContainsFunc(r.claims, func(other stats.RankClaim) bool { return other.Other == c.Leader }):
		return classOverlap
	}
	return classLeaderRule
}

// alone tells whether a method always differs from all others of its rank.
func (r printedRow) alone(column int) bool {
	return !slices.ContainsFunc(r.bounds, func(b stats.PairBound) bool {
		return (b.I == column || b.J == column) && r.rank[b.I] == r.rank[b.J] && b.HolmHigh > r.table.Test.Alpha
	})
}

// inversions finds methods ranked behind less accurate ones.
func (r printedRow) inversions() []Finding {
	if r.rank == nil {
		return nil
	}
	var all []Finding
	for _, pair := range stats.Inversions(r.correct, r.rank) {
		better, other := pair[0], pair[1]
		f := r.finding(KindInversion, better)
		f.Class = r.inversionClass(better, other)
		f.Text = fmt.Sprintf("rank %d puts it behind %s, which has %s and rank %d", r.rank[better], r.name(other), r.printed(other), r.rank[other])
		all = append(all, f)
	}
	return all
}

// inversionClass says whether the leader rule can put one method behind a less
// accurate other: the leader of the other's rank has to differ from the one and be
// comparable with the other.
func (r printedRow) inversionClass(better, other int) string {
	leader := other
	for i := range r.rank {
		if r.rank[i] == r.rank[other] && r.correct[i] > r.correct[leader] {
			leader = i
		}
	}
	impossible := slices.ContainsFunc(r.claims, func(c stats.RankClaim) bool {
		return r.rank[c.Leader] == r.rank[leader] && (c.Other == better || c.Other == other)
	})
	switch {
	case r.correct[better] > r.correct[leader]:
		return classLeaderRule
	case impossible:
		return classOverlap
	}
	return classAllowed
}
