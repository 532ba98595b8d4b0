package stats

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// groupingFile holds grouping cases and, optionally, one row from bits to ranks.
type groupingFile struct {
	Cases    []groupingCase `json:"cases"`
	EndToEnd *endToEnd      `json:"end_to_end"`
}

type grouping struct {
	Significant  [][2]int `json:"significant_pairs"`
	Order        []int    `json:"order"`
	Rank         []int    `json:"rank"`
	Leaders      []int    `json:"leaders"`
	Inversions   [][2]int `json:"inversions"`
	SameRank     [][2]int `json:"same_rank_but_significant"`
	TieSensitive *bool    `json:"tie_sensitive"`
	Letters      []string `json:"letters"`
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
	eachGolden(t, "grouping*.json", func(t *testing.T, f groupingFile) {
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
	if want.TieSensitive != nil && got.TieSensitive != *want.TieSensitive {
		t.Errorf("tie sensitive: %v, want %v", got.TieSensitive, *want.TieSensitive)
	}
}

// checkEndToEnd goes from per-sample outcomes to ranks with every listed test.
func checkEndToEnd(t *testing.T, e endToEnd) {
	correct, discordant := countBits(e)
	fixture.Equal(t, "samples", len(e.CorrectBits[0]), e.N)
	if !slices.Equal(correct, e.Correct) || !slices.Equal(discordant, e.Discordant) {
		t.Fatalf("counts %v and %v, want %v and %v", correct, discordant, e.Correct, e.Discordant)
	}
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
		fixture.EqualSlice(t, fmt.Sprintf("%s: significant", name), significant, want.Significant)
		checkGroups(t, Group(correct, among(significant)), want.grouping)
	}
}

// countBits reads '1' as a right prediction of a one-class problem.
func countBits(e endToEnd) (correct []int, discordant [][2]int) {
	predictions := make([][]int, len(e.CorrectBits))
	for i, bits := range e.CorrectBits {
		for _, bit := range bits {
			predictions[i] = append(predictions[i], int(bit-'0'))
		}
	}
	truth := slices.Repeat([]int{1}, len(e.CorrectBits[0]))
	for _, p := range predictions {
		same := ComparePredictions(truth, p, p)
		correct = append(correct, same.BothRight)
	}
	for _, pair := range e.Pairs {
		table := ComparePredictions(truth, predictions[pair[0]], predictions[pair[1]])
		discordant = append(discordant, [2]int{table.OnlyFirst, table.OnlySecond})
	}
	return correct, discordant
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

// drawRow draws counts with ties and a random significance matrix, asked for
// i < j only.
func drawRow(t *rapid.T) (correct []int, significant func(i, j int) bool) {
	k := rapid.IntRange(1, 9).Draw(t, "methods")
	correct = rapid.SliceOfN(rapid.IntRange(0, 12), k, k).Draw(t, "correct")
	matrix := rapid.SliceOfN(rapid.Bool(), k*k, k*k).Draw(t, "significant")
	return correct, func(i, j int) bool {
		if i >= j {
			t.Fatalf("asked for %d and %d", i, j)
		}
		return matrix[i*k+j]
	}
}

func TestGroupFollowsTheLeaderRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		correct, significant := drawRow(t)
		differ := func(i, j int) bool { return i != j && significant(min(i, j), max(i, j)) }
		g := Group(correct, significant)
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

var oneLetter = regexp.MustCompile(`[a-z][0-9]*`)

func split(display string) []string { return oneLetter.FindAllString(display, -1) }

func shareLetter(a, b string) bool {
	return slices.ContainsFunc(split(a), func(l string) bool { return slices.Contains(split(b), l) })
}

// Two methods share a letter unless they differ, and every letter stands for a largest
// set: whoever lacks it differs from a holder.
func TestLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		correct, significant := drawRow(t)
		g := Group(correct, significant)
		holders := map[string][]int{}
		for i, display := range g.Letters {
			for _, l := range split(display) {
				holders[l] = append(holders[l], i)
			}
			for j, other := range g.Letters[:i] {
				if shareLetter(display, other) == significant(j, i) {
					t.Errorf("%d has %s, %d has %s, significant: %v", i, display, j, other, significant(j, i))
				}
			}
		}
		for l, held := range holders {
			for i := range g.Letters {
				if !slices.Contains(held, i) && !slices.ContainsFunc(held, func(j int) bool {
					return significant(min(i, j), max(i, j))
				}) {
					t.Errorf("letter %s of %v could go to %d too", l, held, i)
				}
			}
		}
		fixture.Equal(t, "first letter of the best method", g.Letters[g.Order[0]][0], 'a')
	})
}
