package r2lml

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/kernel"
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
		near := kernel.NewNeighbors(len(test.labels))
		near.Offer(0, make([]float64, len(test.labels)))
		fixture.Equal(t, test.name, newBallot(Problem{Y: test.labels}, Voting{}).winner(0, near, 4), test.want)
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

// votesPlainly counts votes as the first published program does: the k smallest distances
// are found by sorting their values, and the sample at each of them by looking for the
// first that has it. With each sample counted once, that one is not looked at again. The
// sample at the smallest distance has a share of a vote more. Weights are those of
// scikit-learn's weights='distance' (documented at KNeighborsClassifier): 1/distance, and where
// a neighbor is at distance 0, 1 for those and 0 for the others.
func votesPlainly(squared []float64, y []int, k int, v Voting, more float64) map[int]float64 {
	sorted := slices.Clone(squared)
	slices.Sort(sorted)
	left := slices.Clone(squared)
	votes := map[int]float64{y[slices.Index(left, sorted[0])]: more}
	for _, value := range sorted[:min(k, len(sorted))] {
		n := slices.Index(left, value)
		weight := 1.
		if v.Weights == DistanceWeights {
			if weight = 1 / math.Sqrt(value); sorted[0] == 0 {
				weight = map[bool]float64{true: 1, false: 0}[value == 0]
			}
		}
		votes[y[n]] += weight
		if v.Distances != RepeatFirst {
			left[n] = -1 // no distance
		}
	}
	return votes
}

// most lists the labels with the most votes, in ascending order.
func most(votes map[int]float64) []int {
	var tied []int
	for label, count := range votes {
		if count == slices.Max(slices.Collect(maps.Values(votes))) {
			tied = append(tied, label)
		}
	}
	slices.Sort(tied)
	return tied
}

var allVotings = []Voting{
	{}, {Ties: RandomTie}, {Ties: NearestTie}, {Distances: RepeatFirst}, {RandomTie, RepeatFirst, ""}, {NearestTie, RepeatFirst, UniformWeights},
	{SmallestTie, EachSample, ""}, {Weights: DistanceWeights}, {RandomTie, RepeatFirst, DistanceWeights},
}

// TestVotingPlainly: the tied labels are those of the plain program. By the rule of ties the
// winner is a drawn label, the label that wins when the nearest sample counts 1.01 votes (as in
// the LMNN toolbox), or the smallest label.
func TestVotingPlainly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, d, k := drawVote(t)
		for _, v := range allVotings {
			tied, labels := Tied(p, d, k, v), ClassifyEach(p, d, []int{k}, v)[0]
			for i := range d {
				want := most(votesPlainly(d[i], p.Y, k, v, 0))
				fixture.EqualSlice(t, "tied labels", tied[i], want)
				winner := want[0]
				if v.Ties == NearestTie {
					winner = most(votesPlainly(d[i], p.Y, k, v, 0.01))[0]
				}
				if !slices.Contains(want, labels[i]) || v.Ties != RandomTie && labels[i] != winner {
					t.Fatalf("%+v: label %d of the tied %v", v, labels[i], want)
				}
			}
		}
	})
}

// TestNearestTies: one neighbor decides alone, under two classes and an odd k there is no
// tie, and the order of rows at different distances says nothing.
func TestNearestTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, d, k := drawVote(t)
		nearest := Voting{Ties: NearestTie, Distances: rapid.SampledFrom([]string{EachSample, RepeatFirst}).Draw(t, "distances")}
		one := ClassifyEach(p, d, []int{1}, nearest)[0]
		for i := range d {
			fixture.Equal(t, "one neighbor", one[i], p.Y[slices.Index(d[i], slices.Min(d[i]))])
		}
		two := p
		two.Y = slices.Clone(p.Y)
		for n := range two.Y {
			two.Y[n] = 1 + two.Y[n]%2
		}
		if odd := []int{min(k, len(p.Y))}; odd[0]%2 == 1 {
			fixture.EqualSlice(t, "two classes", ClassifyEach(two, d, odd, nearest)[0], ClassifyEach(two, d, odd, Voting{Distances: nearest.Distances})[0])
		}
		for i := range d {
			for n := range d[i] {
				d[i][n] += float64(n) / 16 // all different
			}
		}
		var rows []int
		for n := range p.Y {
			rows = append(rows, n)
		}
		order := rapid.Permutation(rows).Draw(t, "order")
		moved, there := p, make(distanceTable, len(d))
		moved.Y = nil
		for _, from := range order {
			moved.Y = append(moved.Y, p.Y[from])
		}
		for i := range d {
			for _, from := range order {
				there[i] = append(there[i], d[i][from])
			}
		}
		fixture.EqualSlice(t, "other rows", ClassifyEach(moved, there, []int{k}, nearest)[0], ClassifyEach(p, d, []int{k}, nearest)[0])
	})
}

// slowly hides what kind of metric it is, so that every distance is computed.
type slowly struct{ Metric }

// oneMap has the neighbors of a metric by search alone.
type oneMap struct{ *LocalMetric }

func (oneMap) SquaredDistances([]float64, int) { panic("distances are computed one by one") }

// TestSearchVotes: the votes of a metric of one map are those of all its distances, for every
// way of voting, on samples of few values, which tie often; and no distance is computed for
// them beside the search.
func TestSearchVotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.SampledFrom([]int{3, 40, 150, 700}).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		p := Problem{X: mat.NewDense(n, d, nil), Y: make([]int, n), Query: mat.NewDense(25, d, nil), Seed: 3}
		for _, x := range []*mat.Dense{p.X, p.Query} {
			x.Apply(func(int, int, float64) float64 { return float64(draw.IntN(4)) }, x)
		}
		for i := range p.Y {
			p.Y[i] = 1 + draw.IntN(3)
		}
		var l *mat.Dense
		if rows := rapid.IntRange(0, 3).Draw(t, "rows of the map"); rows > 0 {
			l = mat.NewDense(rows, d, nil)
			l.Apply(func(int, int, float64) float64 { return float64(draw.IntN(5) - 2) }, l)
		}
		metric, k := NewGlobal(p, l), rapid.IntRange(1, 9).Draw(t, "k")
		for _, v := range allVotings {
			fixture.Same(t, "labels", ClassifyEach(p, oneMap{metric}, []int{k, 1}, v), ClassifyEach(p, slowly{metric}, []int{k, 1}, v))
			fixture.Same(t, "tied labels", Tied(p, oneMap{metric}, k, v), Tied(p, slowly{metric}, k, v))
		}
	})
}

// Mapped samples that are not bounded are labelled by all distances, which must be finite.
func TestNotFinite(t *testing.T) {
	for _, c := range []struct {
		at      float64 // the second of two training samples, in two features
		bounded bool
		fault   string
	}{
		{1e150, true, ""}, {1e153, true, ""}, {8e153, false, ""}, {1e154, false, "of query sample 1 to training sample 1 is +Inf"},
		{math.Inf(1), false, "of query sample 0 to training sample 1 is +Inf"}, {math.NaN(), false, "of query sample 0 to training sample 1 is NaN"},
	} {
		p := Problem{X: mat.NewDense(2, 2, []float64{0, 0, c.at, 0}), Y: []int{1, 2}, Query: mat.NewDense(2, 2, []float64{0, 0, -c.at / 2, 0})}
		metric := NewGlobal(p, nil)
		fixture.Equal(t, fmt.Sprint(c.at, " is bounded"), metric.bounded(), c.bounded)
		labels, err := ClassifyContext(t.Context(), p, metric, []int{1}, Voting{})
		if c.fault != "" {
			fixture.Says(t, err, "the metric is not finite", c.fault)
			continue
		}
		fixture.Check(t, err)
		fixture.EqualSlice(t, fmt.Sprint("labels with a sample at ", c.at), labels[0], []int{1, 1})
	}
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
