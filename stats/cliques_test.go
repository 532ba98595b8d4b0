package stats

import (
	"slices"
	"testing"

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
}

// Within a critical difference the sets are runs, found here by walking.
func TestCDGroupsAreRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		halves := rapid.Map(rapid.IntRange(1, 20), func(v int) float64 { return float64(v) / 2 })
		ranks, cd := rapid.SliceOfN(halves, 1, 12).Draw(t, "ranks"), halves.Draw(t, "difference")
		sorted := slices.Sorted(slices.Values(ranks))
		var want [][]float64
		end := 0
		for start := range sorted {
			stop := start
			for stop < len(sorted) && sorted[stop]-sorted[start] < cd {
				stop++
			}
			if stop > end {
				want = append(want, sorted[start:stop])
				end = stop
			}
		}
		var got [][]float64
		for _, set := range CDGroups(ranks, cd) {
			var members []float64
			for _, i := range set {
				members = append(members, ranks[i])
			}
			got = append(got, members)
		}
		fixture.Same(t, "runs", got, want)
	})
}

// Two methods share a set if and only if they do not differ, and no set is part
// of another.
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
		for i, a := range sets {
			for j, b := range sets {
				if i != j && subset(a, b) {
					t.Errorf("%v is part of %v", a, b)
				}
			}
		}
	})
}
