package datasets

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// mixed returns data without features whose classes 1 and 2 alternate, with
// further rows of class 2 at the end.
func mixed(rows ...int) *Data {
	d := &Data{Labels: counted(len(rows))}
	for left := slices.Clone(rows); slices.Max(left) > 0; {
		for c := range left {
			if left[c] > 0 {
				left[c]--
				d.Y = append(d.Y, c+1)
			}
		}
	}
	return d
}

func TestAuthorsRows(t *testing.T) {
	for _, c := range []struct {
		name  string
		sizes Sizes
		data  *Data
		want  [3][]int
	}{
		// Class 1 has the rows 0, 2, 4, 6, class 2 the rows 1, 3, 5, 7, 8, 9.
		{"the rest tests", Sizes{Train: 1, Validation: 2}, mixed(4, 6),
			[3][]int{{0, 1}, {2, 4, 3, 5}, {6, 7, 8, 9}}},
		{"some rows test", Sizes{Train: 1, Validation: 1, Test: 1}, mixed(4, 6),
			[3][]int{{0, 1}, {2, 3}, {4, 5}}},
		{"capped over the classes", Sizes{Train: 1, Validation: 1, TestTotal: 3}, mixed(4, 6),
			[3][]int{{0, 1}, {2, 3}, {4, 6, 5}}},
		{"capped within the first class", Sizes{Train: 1, Validation: 1, TestTotal: 1}, mixed(4, 6),
			[3][]int{{0, 1}, {2, 3}, {4}}},
		{"training rows in two runs", Sizes{Train: 2, Head: 1, Validation: 1}, mixed(4, 6),
			[3][]int{{0, 4, 1, 5}, {2, 3}, {6, 7, 8, 9}}},
		{"no validation", Sizes{Train: 3}, mixed(4, 6),
			[3][]int{{0, 2, 4, 1, 3, 5}, nil, {6, 7, 8, 9}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fixture.Must(Rule{}.rows(c.sizes, c.data))(t)
			fixture.Same(t, "rows", got, c.want)
		})
	}
}

func TestRandomRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(6, 40), 2, 4).Draw(t, "rows per class")
		sizes := Sizes{
			Train:      rapid.IntRange(1, 3).Draw(t, "train"),
			Validation: rapid.IntRange(0, 2).Draw(t, "validation"),
			Test:       rapid.IntRange(0, 1).Draw(t, "test"),
			TestTotal:  rapid.SampledFrom([]int{0, 1, 5, 1000}).Draw(t, "cap"),
		}
		rule := Rule{Kind: "random", Seed: rapid.Uint64().Draw(t, "seed"), Repeat: rapid.IntRange(0, 9).Draw(t, "repeat")}
		d := mixed(counts...)
		got := fixture.Must(rule.rows(sizes, d))(t)
		again, _ := rule.rows(sizes, d)
		fixture.Same(t, "drawn twice", again, got)
		authors, _ := Rule{}.rows(sizes, d)
		seen := map[int]bool{}
		for p := range got {
			fixture.Same(t, "codes", codesOf(d, got[p]), codesOf(d, authors[p]))
			for i, row := range got[p] {
				if seen[row] {
					t.Errorf("row %d is used twice", row)
				}
				seen[row] = true
				if i > 0 && d.Y[row] == d.Y[got[p][i-1]] && row < got[p][i-1] {
					t.Errorf("part %d: row %d comes before %d", p, got[p][i-1], row)
				}
			}
		}
	})
}

func codesOf(d *Data, rows []int) []int {
	codes := make([]int, len(rows))
	for i, row := range rows {
		codes[i] = d.Y[row]
	}
	return codes
}

func TestRuleErrors(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want string
	}{
		{Rule{Kind: "rondom"}, `unknown split rule "rondom", want authors, random, shuffled, first, cv, fold or files`},
		{Rule{PCAFit: "test"}, `unknown rows "test" to fit the principal components on, want all or train`},
		{Rule{Kind: "random", Repeat: -1}, "repeat -1 is negative"},
		{Rule{Kind: "shuffled", Repeat: -2}, "repeat -2 is negative"},
	} {
		fixture.Says(t, fixture.Error(c.rule.settle()), c.want)
	}
	for _, s := range []Sizes{{Train: 3, Validation: 1}, {Train: 1, Validation: 1, Test: 3}, {}} {
		fixture.Says(t, fixture.Error((Rule{}).rows(s, mixed(4, 6))), `class "1": 4 rows`)
	}
}
