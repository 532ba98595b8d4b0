package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// The paper's Table 2: average ranks of Euclidean, ITML, LMNN, LMNN-MM, GLML,
// PLML, T-R2LML and E-R2LML over 18 data sets, critical difference 2.4747.
func TestCDGroupsOfTheAccuracyTable(t *testing.T) {
	ranks := []float64{6.75, 4.277777777777778, 4.194444444444445, 4.75, 6.138888888888889, 4.277777777777778, 3.5, 2.111111111111111}
	got := CDGroups(ranks, 2.474701950906258)
	// E-R2LML differs from LMNN-MM, GLML and Euclidean; T-R2LML and LMNN from
	// the last two and the last. ITML is 2.472 from Euclidean.
	want := [][]int{{7, 6, 2, 1, 5}, {6, 2, 1, 5, 3}, {2, 1, 5, 3, 4}, {1, 5, 3, 4, 0}}
	fixture.Same(t, "groups", got, want)
	fixture.Same(t, "groups of ranks that are the difference apart", CDGroups([]float64{2, 1, 3.5, 3}, 1), [][]int{{1}, {0}, {3, 2}})
}

// Two methods share a set if and only if they do not differ, and every set is a largest
// one: whoever is not in it differs from a member. Each set is a letter of its members.
func TestCliquesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 9).Draw(t, "methods")
		order := rapid.Permutation(upTo(k)).Draw(t, "order")
		differ := map[[2]int]bool{}
		for i := range k {
			for j := i + 1; j < k; j++ {
				differ[[2]int{i, j}] = rapid.Bool().Draw(t, "differ")
			}
		}
		sets := Cliques(order, func(i, j int) bool { return differ[[2]int{i, j}] })
		for i := range k {
			for j := i + 1; j < k; j++ {
				together := slices.ContainsFunc(sets, func(s []int) bool { return slices.Contains(s, i) && slices.Contains(s, j) })
				if together == differ[[2]int{i, j}] {
					t.Errorf("%d and %d in %v, differ: %v", i, j, sets, differ)
				}
			}
			if !slices.ContainsFunc(sets, func(s []int) bool { return slices.Contains(s, i) }) {
				t.Errorf("%d is in none of %v", i, sets)
			}
		}
		for _, set := range sets {
			for i := range k {
				if !slices.Contains(set, i) && !slices.ContainsFunc(set, func(j int) bool { return differ[[2]int{min(i, j), max(i, j)}] }) {
					t.Errorf("%d could be in the set %v, too", i, set)
				}
			}
		}
		letters := make([]string, k)
		for number, set := range sets {
			for _, i := range set {
				letters[i] += string(rune('a'+number%26)) + []string{"", "1"}[number/26] // at most 27 sets
			}
		}
		correct := make([]int, k) // in that order
		for place, i := range order {
			correct[i] = -place
		}
		fixture.EqualSlice(t, "letters", Group(correct, func(i, j int) bool { return differ[[2]int{i, j}] }).Letters, letters)
	})
}

// Methods that all differ have a letter each.
func TestLettersBeyondZ(t *testing.T) {
	correct := upTo(53)
	slices.Reverse(correct)
	letters := Group(correct, func(i, j int) bool { return true }).Letters
	for number, want := range map[int]string{0: "a", 25: "z", 26: "a1", 51: "z1", 52: "a2"} {
		fixture.Equal(t, fmt.Sprint("letter ", number), letters[number], want)
	}
}

// groupingFile holds grouping cases and, optionally, one row from bits to ranks.
type groupingFile struct {
	Cases    []groupingCase `json:"cases"`
	EndToEnd *endToEnd      `json:"end_to_end"`
}

type grouping struct {
	Significant [][2]int `json:"significant_pairs"`
	Order       []int    `json:"order"`
	Rank        []int    `json:"rank"`
	Leaders     []int    `json:"leaders"`
	Inversions  [][2]int `json:"inversions"`
	SameRank    [][2]int `json:"same_rank_but_significant"`
	Letters     []string `json:"letters"`
}

type groupingCase struct {
	ID      string `json:"id"`
	Correct []int  `json:"correct"`
	grouping
}

type endToEnd struct {
	Alpha       float64  `json:"alpha"`
	N           int      `json:"n"`
	CorrectBits []string `json:"correct_bits"`
	Correct     []int    `json:"correct"`
	Pairs       [][2]int `json:"pairs"`
	Discordant  [][2]int `json:"b_c"`
	Tests       map[string]struct {
		P    []float64 `json:"p"`
		Holm []float64 `json:"holm"`
		grouping
	} `json:"tests"`
}

func TestGroupGolden(t *testing.T) {
	fixture.Each(t, "stats", "grouping*.json", func(t *testing.T, f groupingFile) {
		if len(f.Cases) == 0 && f.EndToEnd == nil {
			t.Fatal("no cases")
		}
		for _, c := range f.Cases {
			t.Run(c.ID, func(t *testing.T) { checkGroups(t, Group(c.Correct, among(c.Significant)), c.grouping) })
		}
		if f.EndToEnd != nil {
			t.Run("end_to_end", func(t *testing.T) { checkEndToEnd(t, *f.EndToEnd) })
		}
	})
}

// among makes exactly the listed pairs significant.
func among(pairs [][2]int) func(i, j int) bool {
	return func(i, j int) bool {
		return slices.Contains(pairs, [2]int{i, j}) || slices.Contains(pairs, [2]int{j, i})
	}
}

func checkGroups(t *testing.T, got Groups, want grouping) {
	t.Helper()
	fixture.EqualSlice(t, "order", got.Order, want.Order)
	fixture.EqualSlice(t, "rank", got.Rank, want.Rank)
	fixture.EqualSlice(t, "leaders", got.Leaders, want.Leaders)
	fixture.EqualSlice(t, "inversions", got.Inversions, want.Inversions)
	fixture.EqualSlice(t, "same rank but significant", got.SameRankButSignificant, want.SameRank)
	fixture.EqualSlice(t, "letters", got.Letters, want.Letters)
}

// checkEndToEnd goes from per-sample outcomes, 1 of a one-class problem, to ranks with every
// listed test.
func checkEndToEnd(t *testing.T, e endToEnd) {
	truth, predictions := slices.Repeat([]int{1}, e.N), make([][]int, len(e.CorrectBits))
	for i, bits := range e.CorrectBits {
		for _, bit := range bits {
			predictions[i] = append(predictions[i], int(bit-'0'))
		}
		fixture.Equal(t, "right ones", NewAnswers(truth, predictions[i]).Paired(NewAnswers(truth, predictions[i])).BothRight, e.Correct[i])
	}
	var discordant [][2]int
	for _, pair := range e.Pairs {
		table := NewAnswers(truth, predictions[pair[0]]).Paired(NewAnswers(truth, predictions[pair[1]]))
		discordant = append(discordant, [2]int{table.OnlyFirst, table.OnlySecond})
	}
	fixture.EqualSlice(t, "discordant ones", discordant, e.Discordant)
	for name, want := range e.Tests {
		test := fixture.Must(ParseTest("mcnemar-" + name))(t)
		p := make([]float64, len(discordant))
		for i, bc := range discordant {
			p[i] = McNemar(test, bc[0], bc[1]).P
		}
		adjusted := Holm(p)
		var significant [][2]int
		for i, pair := range e.Pairs {
			near(t, name+": p", p[i], &want.P[i], 1e-9)
			near(t, name+": adjusted p", adjusted[i], &want.Holm[i], 1e-9)
			if adjusted[i] <= e.Alpha {
				significant = append(significant, pair)
			}
		}
		fixture.EqualSlice(t, name+": significant", significant, want.Significant)
		checkGroups(t, Group(e.Correct, among(significant)), want.grouping)
	}
}

func TestTieSensitive(t *testing.T) {
	for _, c := range []struct {
		name        string
		correct     []int
		significant [][2]int
		want        bool
	}{
		{"no ties", []int{90, 87, 84}, [][2]int{{0, 2}}, false},
		{"the other leader would drop column 2", []int{80, 80, 74}, [][2]int{{1, 2}}, true},
		{"the other leader would lift column 0", []int{74, 80, 80}, [][2]int{{0, 1}}, true},
		{"tied leaders that agree", []int{80, 80, 74}, [][2]int{{0, 2}, {1, 2}}, false},
		{"tie for the lead of rank 2", []int{90, 70, 70, 65}, [][2]int{{0, 1}, {0, 2}, {0, 3}, {2, 3}}, true},
		{"tie of followers", []int{90, 89, 89, 60}, [][2]int{{0, 3}, {1, 3}}, false},
		{"three tied, the third matters", []int{80, 80, 80, 70}, [][2]int{{2, 3}}, true},
	} {
		fixture.Equal(t, c.name, Group(c.correct, among(c.significant)).TieSensitive, c.want)
	}
}

// Significance, drawn at random, is asked for i < j only.
func TestGroupFollowsTheLeaderRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 9).Draw(t, "methods")
		correct := rapid.SliceOfN(rapid.IntRange(0, 12), k, k).Draw(t, "correct")
		matrix := rapid.SliceOfN(rapid.Bool(), k*k, k*k).Draw(t, "significant")
		differ := func(i, j int) bool { return i != j && matrix[min(i, j)*k+max(i, j)] }
		g := Group(correct, func(i, j int) bool {
			if i >= j {
				t.Fatalf("asked for %d and %d", i, j)
			}
			return differ(i, j)
		})
		if !slices.IsSortedFunc(g.Order, func(i, j int) int {
			return cmp.Or(cmp.Compare(correct[j], correct[i]), cmp.Compare(i, j))
		}) {
			t.Errorf("order %v of counts %v", g.Order, correct)
		}
		for i, rank := range g.Rank {
			if rank < 1 || rank > len(g.Leaders) {
				t.Fatalf("rank %d of %d", rank, len(g.Leaders))
			}
			leader := g.Leaders[rank-1]
			if differ(i, leader) || g.Rank[leader] != rank || slices.Index(g.Order, leader) > slices.Index(g.Order, i) {
				t.Errorf("method %d has rank %d of leader %d", i, rank, leader)
			}
			for _, earlier := range g.Leaders[:rank-1] {
				if !differ(i, earlier) {
					t.Errorf("method %d has rank %d, yet is comparable with leader %d", i, rank, earlier)
				}
			}
		}
	})
}

func TestHolmGolden(t *testing.T) {
	eachCase(t, "holm*.json", func(t *testing.T, c struct {
		P, Adjusted []float64
		Reject      []bool `json:"reject_005"`
	}) {
		got := Holm(c.P)
		fixture.Equal(t, "values", len(got), len(c.Adjusted))
		for i, want := range c.Adjusted {
			near(t, "adjusted p", got[i], &want, 1e-12)
		}
		for i, want := range c.Reject {
			fixture.Equal(t, "rejected at 0.05", got[i] <= 0.05, want)
		}
	})
}

// drawP draws lists with many ties, zeros and ones.
func drawP(t *rapid.T) []float64 {
	value := rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1e-300, 0.001, 0.01, 0.05 / 28, 0.05, 0.5, 1}),
		rapid.Float64Range(0, 0.1),
		rapid.Float64Range(0, 1),
	)
	return rapid.SliceOfN(value, 1, 30).Draw(t, "p")
}

// Holm's procedure as he states it: walk up the sorted values and stop at the
// first one above alpha/(m-i+1). At every alpha, this leaves one adjusted value only.
func TestHolmAgainstStepDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawP(t)
		alpha := rapid.OneOf(rapid.Just(0.05), rapid.Float64Range(1e-9, 0.999)).Draw(t, "alpha")
		sorted := slices.Sorted(slices.Values(p))
		rejected := 0
		for rejected < len(p) && float64(len(p)-rejected)*sorted[rejected] <= alpha {
			rejected++
		}
		for i, a := range Holm(p) {
			if want := rejected > 0 && p[i] <= sorted[rejected-1]; (a <= alpha) != want {
				t.Errorf("p[%d] = %v, adjusted %v: rejected %v, want %v", i, p[i], a, !want, want)
			}
		}
	})
}

// Values that are not known take no part in the correction.
func TestHolmKnown(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{nan}, []float64{nan}},
		{[]float64{0.02, nan, 0.01, nan}, []float64{0.02, nan, 0.02, nan}},
	} {
		fixture.Same(t, fmt.Sprint(c.p), HolmKnown(c.p), c.want, cmpopts.EquateNaNs(), cmpopts.EquateEmpty())
	}
}

// Thirty disjoint pairs of comparable methods have thirty letters, and each method's are a
// list: two methods have one in common if and only if they do not differ.
func TestManyLetters(t *testing.T) {
	const k = 60
	differ := func(i, j int) bool { return i/2 != j/2 && i+j != k } // beside the pairs, i and k - i are comparable
	got := Group(make([]int, k), differ).Letters
	most := 0
	for i := range k {
		most = max(most, len(strings.Fields(got[i])))
		for j := i + 1; j < k; j++ {
			shared := slices.ContainsFunc(strings.Fields(got[i]), func(letter string) bool { return slices.Contains(strings.Fields(got[j]), letter) })
			if shared == differ(i, j) {
				t.Fatalf("%d has %q, %d has %q, and they differ: %v", i, got[i], j, got[j], differ(i, j))
			}
		}
	}
	fixture.Equal(t, "most letters of a method", most, 2)
}
