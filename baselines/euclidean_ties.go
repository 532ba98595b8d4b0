package baselines

import (
	"cmp"
	"fmt"
	"slices"

	"r2lmlbench/r2lml"
)

// EuclideanTies is k-NN under the Euclidean metric with other rules for ties
// than those of [r2lml.Classify], to see whether a published accuracy of
// Euclidean comes from them. With the defaults it gives the labels of
// [Euclidean].
type EuclideanTies struct {
	Distance DistanceTies `yaml:"distance" jsonschema:"enum=lower,enum=higher" jsonschema_description:"which of equally distant training samples is nearer: that of the lower row (the default) or of the higher row"`
	Vote     VoteTies     `yaml:"vote" jsonschema:"enum=smallest,enum=largest,enum=nearest" jsonschema_description:"which of the classes with the most votes wins: the smallest code (the default), the largest code or the class of the nearest sample among theirs"`
}

// DistanceTies says which of equally distant training samples is the nearer.
type DistanceTies string

// VoteTies says which of the classes with the most votes wins.
type VoteTies string

// The rules for ties; the zero value means the first of each.
const (
	LowerRow  DistanceTies = "lower"
	HigherRow DistanceTies = "higher"

	SmallestCode VoteTies = "smallest"
	LargestCode  VoteTies = "largest"
	NearestClass VoteTies = "nearest"
)

// Resolve fills in the defaults and refuses unknown rules.
func (m EuclideanTies) Resolve() (EuclideanTies, error) {
	m.Distance = orDefault(m.Distance, LowerRow)
	m.Vote = orDefault(m.Vote, SmallestCode)
	switch {
	case m.Distance != LowerRow && m.Distance != HigherRow:
		return m, fmt.Errorf("distance is %q, want lower or higher", m.Distance)
	case m.Vote != SmallestCode && m.Vote != LargestCode && m.Vote != NearestClass:
		return m, fmt.Errorf("vote is %q, want smallest, largest or nearest", m.Vote)
	}
	return m, nil
}

// Label returns the labels of the M query samples of p by its k nearest
// training samples, or by all of them when there are fewer. The rules of m
// must be those that Resolve lets through.
func (m EuclideanTies) Label(p r2lml.Problem, k int) []int {
	metric := r2lml.NewGlobal(p, nil)
	rows, _ := p.Query.Dims()
	distance, near := make([]float64, len(p.Y)), make([]int, len(p.Y))
	labels := make([]int, rows)
	for i := range labels {
		metric.SquaredDistances(distance, i)
		for n := range near {
			near[n] = n
		}
		if m.Distance == HigherRow {
			slices.Reverse(near)
		}
		slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
		labels[i] = m.winner(near[:min(k, len(near))], p.Y)
	}
	return labels
}

// winner returns the class with the most votes of the neighbors, which come
// nearest first.
func (m EuclideanTies) winner(near, y []int) int {
	votes := map[int]int{}
	for _, n := range near {
		votes[y[n]]++
	}
	best := y[near[0]]
	for _, n := range near[1:] {
		if c := y[n]; votes[c] > votes[best] || votes[c] == votes[best] && m.prefers(c, best) {
			best = c
		}
	}
	return best
}

// prefers says whether class c wins against another with as many votes that has
// a nearer sample.
func (m EuclideanTies) prefers(c, nearer int) bool {
	switch m.Vote {
	case LargestCode:
		return c > nearer
	case NearestClass:
		return false
	}
	return c < nearer
}
