package audit

import (
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Class is what findings about ranks and statements rest on, so that those which
// need a rule of ranking are counted apart from those which need none.
type Class struct {
	ID     string
	Reason string
}

// The classes of findings.
const (
	ClassFirstRank  = "first-rank"  // a rank that cannot be, against the most accurate method
	ClassNoPeer     = "no-peer"     // a rank shared with nobody it is comparable with
	ClassLeaderRule = "leader-rule" // a rank that cannot be by the leader rule
	ClassOverlap    = "overlap"     // rests on a rank that is itself a finding
	ClassAllowed    = "allowed"     // unusual, but the leader rule leads to it
	ClassNumbering  = "numbering"   // the numbers of the groups, not the groups
	ClassReading    = "reading"     // true under another reading of the text
)

// Classes are all of them, with the reason why they are told apart.
func Classes() []Class {
	return []Class{
		{ClassFirstRank, "the comparison is with the most accurate method of the row; no other method can differ more, so that no rule of ranking matters"},
		{ClassNoPeer, "the method differs from every other method of its rank, so that no rule of ranking puts it there"},
		{ClassLeaderRule, "the comparison is with the leader of a later rank; it counts if ranks are made by the leader rule"},
		{ClassOverlap, "it rests on the rank of a method that no predictions lead to, which is a finding by itself; the two are not independent"},
		{ClassAllowed, "the leader rule leads to it: the leader can differ from the more accurate method and be comparable with the other"},
		{ClassNumbering, "the groups may be right; only their numbers have a gap"},
		{ClassReading, "the number is right if the highest accuracy means rank 1: the most accurate method and those comparable with it"},
	}
}

// claimClass says what an infeasible claim about a rank rests on.
func (r printedRow) claimClass(test stats.Test, claims []stats.RankClaim, c stats.RankClaim) string {
	rests := slices.ContainsFunc(claims, func(other stats.RankClaim) bool { return other.Other == c.Leader })
	switch {
	case r.correct[c.Leader] == slices.Max(r.correct):
		return ClassFirstRank
	case !c.Different && r.alone(test, c.Other):
		return ClassNoPeer
	case rests:
		return ClassOverlap
	}
	return ClassLeaderRule
}

// alone tells whether a method always differs from all others of its rank.
func (r printedRow) alone(test stats.Test, column int) bool {
	for _, b := range r.bounds(test) {
		with := b.I == column || b.J == column
		if with && r.rank[b.I] == r.rank[b.J] && b.HolmHigh > r.table.Test.Alpha {
			return false
		}
	}
	return true
}

// inversionClass says whether the leader rule can put one method behind a less
// accurate other: the leader of the other's rank has to differ from the one and be
// comparable with the other.
func (r printedRow) inversionClass(claims []stats.RankClaim, better, other int) string {
	leader := other
	for i := range r.rank {
		if r.rank[i] == r.rank[other] && r.correct[i] > r.correct[leader] {
			leader = i
		}
	}
	impossible := slices.ContainsFunc(claims, func(c stats.RankClaim) bool {
		return r.rank[c.Leader] == r.rank[leader] && (c.Other == better || c.Other == other)
	})
	switch {
	case r.correct[better] > r.correct[leader]:
		return ClassLeaderRule
	case impossible:
		return ClassOverlap
	}
	return ClassAllowed
}

// A ClassCount counts the findings of one kind and class.
type ClassCount struct {
	Class
	Kind  string
	Count int
	Where string // the rows with their counts, "J 2, M 3"; empty for findings without a row
}

// CountClasses counts findings by kind and class, in the order of kinds and then of
// [Classes]. Findings without a class are left out.
func CountClasses(all []Finding, kinds ...string) []ClassCount {
	var counts []ClassCount
	for _, kind := range kinds {
		for _, class := range Classes() {
			c := ClassCount{Class: class, Kind: kind}
			var letters, where []string
			of := map[string]int{}
			for _, f := range all {
				if f.Kind != kind || f.Class != class.ID {
					continue
				}
				c.Count++
				if of[f.Letter]++; f.Letter != "" && of[f.Letter] == 1 {
					letters = append(letters, f.Letter)
				}
			}
			for _, letter := range letters {
				where = append(where, fmt.Sprintf("%s %d", letter, of[letter]))
			}
			if c.Where = strings.Join(where, ", "); c.Count > 0 {
				counts = append(counts, c)
			}
		}
	}
	return counts
}

// classRemarks say what the findings about ranks rest on, a line for each kind and
// class.
func classRemarks(all []Finding) []string {
	var lines []string
	for _, c := range CountClasses(all, KindInfeasibleRank, KindInversion, KindSkippedRank) {
		lines = append(lines, fmt.Sprintf("%s, %s: %s (%s): %s", c.Kind, c.ID, text.Counted(c.Count, "finding"), c.Where, c.Reason))
	}
	return lines
}
