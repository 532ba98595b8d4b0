package stats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// auditFile is the part of the reference audit of a printed table that is
// arithmetic: counts, ranks, and what they rule out by variant of the test.
type auditFile struct {
	Rows []auditRow
}

type auditRow struct {
	Row         string
	NPrinted    int                     `json:"n_printed"`
	N           int                     `json:"n_used"`
	Printed     []string                `json:"printed"`
	Rank        []int                   `json:"printed_rank"`
	Correct     []int                   `json:"correct"`
	Unreachable []string                `json:"granularity_impossible"`
	AtPrintedN  []string                `json:"granularity_impossible_at_printed_n"`
	Inversions  [][2]string             `json:"inversions"`
	Claims      map[string][]auditClaim `json:"infeasible_rank_claims"`
}

type auditClaim struct {
	Claim   string   `json:"claim"`
	Leader  string   `json:"leader"`
	Other   string   `json:"other"`
	Gap     int      `json:"correct_gap"`
	P       *float64 `json:"raw_p_at_least"`
	AtLeast *float64 `json:"holm_p_at_least"`
	AtMost  *float64 `json:"holm_p_at_most"`
}

// auditColumns are the methods of the printed table.
var auditColumns = []string{"Euclidean", "ITML", "LMNN", "LMNN-MM", "GLML", "PLML", "T-R2LML", "E-R2LML"}

// auditTests are the variants by their keys in the reference audit.
var auditTests = map[string]Variant{"exact": Exact, "midp": MidP, "cc": ChiSquaredCC, "chi2": ChiSquared}

func TestAuditGolden(t *testing.T) {
	fixture.Each(t, "stats", "table2_audit*.json", func(t *testing.T, f auditFile) {
		if len(f.Rows) == 0 {
			t.Fatal("no rows")
		}
		for _, row := range f.Rows {
			t.Run(row.Row, func(t *testing.T) { row.check(t) })
		}
	})
}

func (row auditRow) check(t *testing.T) {
	// Which printed values can be.
	var unreachable, atPrinted []string
	for i, printed := range row.Printed {
		used := fixture.Must(CheckPercent(printed, row.N))(t)
		fixture.Equal(t, "nearest count of "+printed, used.Nearest, row.Correct[i])
		if !used.Possible {
			unreachable = append(unreachable, auditColumns[i])
		}
		if !fixture.Must(CheckPercent(printed, row.NPrinted))(t).Possible {
			atPrinted = append(atPrinted, auditColumns[i])
		}
	}
	fixture.EqualSlice(t, "unreachable", unreachable, row.Unreachable)
	fixture.EqualSlice(t, "unreachable of the printed samples", atPrinted, row.AtPrintedN)

	var inversions [][2]string
	for _, p := range Inversions(row.Correct, row.Rank) {
		inversions = append(inversions, [2]string{auditColumns[p[0]], auditColumns[p[1]]})
	}
	fixture.EqualSlice(t, "inversions", inversions, row.Inversions)

	// Which printed ranks cannot be, by variant of the test.
	fixture.Equal(t, "variants of the test", len(row.Claims), len(auditTests))
	for key, claims := range row.Claims {
		test := auditTests[key]
		got := RankClaims(BoundPairs(test, Holm, row.Correct, row.N), row.Correct, row.Rank, 0.05)
		if len(got) != len(claims) {
			t.Fatalf("%v: %d infeasible claims, want %d: %+v", test, len(got), len(claims), got)
		}
		for i, c := range got {
			want := claims[i]
			kind, bound := "comparable", want.AtMost
			if c.Different {
				kind, bound = "different", want.AtLeast
			}
			if kind != want.Claim || auditColumns[c.Leader] != want.Leader || auditColumns[c.Other] != want.Other || c.Gap != want.Gap {
				t.Errorf("%v: %+v, want %+v", test, c, want)
			}
			near(t, test.String()+": bound by Holm", c.Holm, bound, 1e-9)
			if want.P != nil {
				near(t, test.String()+": bound", c.P, want.P, 1e-9)
			}
		}
	}
}

// Whatever the predictions, their p-values lie within the bounds, and ranks by
// the leader rule make no claim that is infeasible.
func TestBoundsHoldForAnyPredictions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		k := rapid.IntRange(0, 5).Draw(t, "methods")
		test := Variant(rapid.IntRange(0, 3).Draw(t, "test"))
		right := make([][]int, k)
		correct := make([]int, k)
		for i := range right {
			most := rapid.IntRange(1, 9).Draw(t, "most")
			for range n {
				bit := min(1, rapid.IntRange(0, most).Draw(t, "right"))
				right[i] = append(right[i], bit)
				correct[i] += bit
			}
		}
		truth := slices.Repeat([]int{1}, n)
		var p []float64
		for i := range k {
			for j := i + 1; j < k; j++ {
				pair := NewAnswers(truth, right[i]).Paired(NewAnswers(truth, right[j]))
				p = append(p, McNemar(test, pair.OnlyFirst, pair.OnlySecond).P)
			}
		}
		adjusted := Holm(p)
		significant := map[[2]int]bool{}
		bounds := BoundPairs(test, Holm, correct, n)
		for b, bound := range bounds {
			if p[b] < bound.Low || p[b] > bound.High || adjusted[b] < bound.HolmLow || adjusted[b] > bound.HolmHigh {
				t.Errorf("%v: p %v, adjusted %v, outside of %+v", test, p[b], adjusted[b], bound)
			}
			significant[[2]int{bound.I, bound.J}] = adjusted[b] <= 0.05
		}
		groups := Group(correct, func(i, j int) bool { return significant[[2]int{i, j}] })
		if claims := RankClaims(bounds, correct, groups.Rank, 0.05); len(claims) > 0 {
			t.Errorf("%v right, ranks %v: %+v", correct, groups.Rank, claims)
		}
	})
}

// Every variant's p grows with the discordant samples at the same gap, or the
// ends of their range would not be bounds.
func TestVariantsGrowWithTheSmallerCount(t *testing.T) {
	for _, test := range []Variant{Exact, MidP, ChiSquaredCC, ChiSquared} {
		for _, gap := range []int{0, 1, 2, 5, 40, 80} {
			for c := range 700 { // from summed to logarithmic tails
				now, next := McNemar(test, c+gap, c).P, McNemar(test, c+1+gap, c+1).P
				if next < now*(1-1e-11) {
					t.Errorf("%v, gap %d: p goes from %v to %v at c = %d", test, gap, now, next, c)
				}
			}
		}
	}
}

// Of 6 and 0 right the least p-value is 2/2⁶; Holm and Bonferroni take it three times.
func TestBoundPairs(t *testing.T) {
	for name, c := range map[string]struct {
		adjust func([]float64) []float64
		want   float64
	}{"none": {slices.Clone[[]float64], 0.03125}, "holm": {Holm, 0.09375}, "bonferroni": {Bonferroni, 0.09375}} {
		if top := slices.Max(c.adjust([]float64{1, 0.6, 0.5})); top != 1 {
			t.Errorf("%s: a probability of %v", name, top)
		}
		bounds := BoundPairs(Exact, c.adjust, []int{6, 0, 6}, 60)
		fixture.Equal(t, name, bounds[0].HolmLow, c.want)
		if claims := RankClaims(bounds, []int{6, 0, 6}, []int{1, 2, 1}, 0.05); (len(claims) == 0) != (c.want <= 0.05) {
			t.Errorf("%s: %+v", name, claims)
		}
	}
	equal := BoundPairs(Exact, Holm, []int{95, 60, 60}, 100) // are right as often, so that p is 1
	fixture.Equal(t, "claims of two ranks for equal counts", len(RankClaims(equal, []int{95, 60, 60}, []int{1, 2, 3}, 0.05)), 1)
}
