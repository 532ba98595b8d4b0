package r2lml

import (
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// A distanceTable is a metric given by its values, one row per query.
type distanceTable [][]float64

func (d distanceTable) SquaredDistances(dst []float64, m int) { copy(dst, d[m]) }

func TestVote(t *testing.T) {
	for _, test := range []struct {
		name   string
		labels []int
		want   int
	}{
		{"majority", []int{3, 1, 3}, 3},
		{"two equal counts go to the smallest label", []int{3, 2, 2, 3}, 2},
		{"all different", []int{4, 3, 2}, 2},
		{"one neighbor", []int{4}, 4},
	} {
		near := make([]int, len(test.labels))
		for i := range near {
			near[i] = i
		}
		fixture.Equal(t, test.name, newBallot(Problem{Y: test.labels}, Voting{}).winner(0, near), test.want)
	}
}

// drawVote draws a problem with many equal distances and tied votes.
func drawVote(t *rapid.T) (p Problem, d distanceTable, k int) {
	n, m := rapid.IntRange(1, 15).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "m")
	p = Problem{
		X: mat.NewDense(n, 1, nil), Query: mat.NewDense(m, 1, nil),
		Y:    rapid.SliceOfN(rapid.IntRange(1, 4), n, n).Draw(t, "y"),
		Seed: rapid.Uint64().Draw(t, "seed"),
	}
	for range m {
		d = append(d, rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, 4, 5}), n, n).Draw(t, "distances"))
	}
	return p, d, rapid.IntRange(1, 7).Draw(t, "k")
}

// tiedPlainly is Tied as the first published program does it: the k smallest distances
// are found by sorting their values, and the sample at each of them by looking for the
// first that has it. With each sample counted once, that one is not looked at again.
func tiedPlainly(distance []float64, y []int, k int, distances string) []int {
	sorted := slices.Clone(distance)
	slices.Sort(sorted)
	left := slices.Clone(distance)
	votes := map[int]int{}
	for _, value := range sorted[:min(k, len(sorted))] {
		n := slices.Index(left, value)
		votes[y[n]]++
		if distances != RepeatFirst {
			left[n] = -1 // no distance
		}
	}
	var tied []int
	for label, count := range votes {
		if count == slices.Max(slices.Collect(maps.Values(votes))) {
			tied = append(tied, label)
		}
	}
	slices.Sort(tied)
	return tied
}

var allVotings = []Voting{{}, {Ties: RandomTie}, {Distances: RepeatFirst}, {RandomTie, RepeatFirst}, {SmallestTie, EachSample}}

// TestVotingPlainly: the tied labels are those of the plain program, the winner is one
// of them, and the smallest unless it is drawn.
func TestVotingPlainly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, d, k := drawVote(t)
		for _, v := range allVotings {
			tied, labels := Tied(p, d, k, v), ClassifyEach(p, d, []int{k}, v)[0]
			for i := range d {
				want := tiedPlainly(d[i], p.Y, k, v.Distances)
				fixture.EqualSlice(t, "tied labels", tied[i], want)
				if !slices.Contains(want, labels[i]) || v.Ties != RandomTie && labels[i] != want[0] {
					t.Fatalf("%+v: label %d of the tied %v", v, labels[i], want)
				}
			}
		}
	})
}

// TestDrawnTies: a draw depends on the seed and the number of the query sample alone,
// not on the other samples or numbers of neighbors that are asked for; and each of the
// tied labels is drawn as often as chance has it.
func TestDrawnTies(t *testing.T) {
	random := Voting{Ties: RandomTie}
	rapid.Check(t, func(t *rapid.T) {
		p, d, k := drawVote(t)
		all := ClassifyEach(p, d, []int{1, k, 9}, random)[1]
		some := p
		cut := rapid.IntRange(1, len(d)).Draw(t, "cut")
		some.Query = mat.NewDense(cut, 1, nil)
		fixture.EqualSlice(t, "the first samples alone", ClassifyEach(some, d[:cut], []int{k}, random)[0], all[:cut])
	})
	const m = 30000
	p := Problem{X: mat.NewDense(3, 1, nil), Y: []int{2, 3, 5}, Query: mat.NewDense(m, 1, nil), Seed: 1 << 16}
	d := make(distanceTable, m)
	for i := range d {
		d[i] = []float64{1, 2, 3}
	}
	first, count := ClassifyEach(p, d, []int{3}, random)[0], map[int]int{}
	p.Seed = 2 << 16
	same := 0
	for i, label := range ClassifyEach(p, d, []int{3}, random)[0] {
		count[label]++
		if label == first[i] {
			same++
		}
	}
	// The standard deviation of a share of a third is 82; 5 of them make a false alarm in
	// a million.
	for _, n := range append(slices.Collect(maps.Values(count)), same) {
		if math.Abs(float64(n)-m/3) > 5*82 || len(count) != 3 {
			t.Errorf("counts %v, %d as with the other seed; want about %d", count, same, m/3)
		}
	}
}
