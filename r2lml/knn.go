package r2lml

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// Voting says how the k-NN rule counts votes and breaks ties. The zero value is the rule of the authors'
// program of August 2013, Testknn.m: a stable sort, then the mode, and of several modes
// the smallest.
type Voting struct {
	Ties      string // of votes: SmallestTie ("" too), NearestTie or RandomTie
	Distances string // between samples: EachSample ("" too) or RepeatFirst
	Weights   string // of votes: UniformWeights ("" too) or DistanceWeights
}

// The values of Voting.
const (
	// SmallestTie gives a tied vote to the smallest of the tied labels.
	SmallestTie = "smallest"
	// NearestTie gives a tied vote to the label of the nearest sample if it is a tied one,
	// and otherwise to the smallest, as the LMNN toolbox does: its LSKnn2 adds a hundredth
	// of a vote for the nearest.
	NearestTie = "nearest"
	// RandomTie draws one of the tied labels, each with the same probability, as the
	// first published program (June 2013) does. The draw depends only on the seed of the
	// problem, the number of the query sample and the tied labels.
	RandomTie = "random"

	// EachSample gives each of several equally distant training samples a vote, the
	// lower row first.
	EachSample = "each"
	// RepeatFirst takes, for each of the k smallest distances, the first row at that
	// distance, as the first published program does. So one of several equally distant
	// samples votes repeatedly, and the others do not vote.
	RepeatFirst = "repeat-first"

	// UniformWeights counts every vote as 1.
	UniformWeights = "uniform"
	// DistanceWeights counts a vote as 1/d, with the distance d of the neighbor. Neighbors at
	// distance 0, if there are any, vote alone, each with 1. So scikit-learn does under
	// weights='distance'.
	DistanceWeights = "distance"
)

// Classify labels every query sample of p with the k-nearest-neighbor rule
// under the metric d, with the training samples as neighbors. Equal distances
// go to the lower training index, equal votes to the smallest label. When there
// are fewer than k training samples all of them vote. It panics if k < 1 or a distance is
// not finite.
func Classify(p Problem, d Metric, k int) []int { return ClassifyEach(p, d, []int{k}, Voting{})[0] }

// ClassifyEach is Classify for several numbers of neighbors and a way of voting: element j has the
// labels for ks[j]. It computes every distance once.
func ClassifyEach(p Problem, d Metric, ks []int, v Voting) [][]int {
	labels, err := ClassifyContext(context.Background(), p, d, ks, v)
	if err != nil {
		panic("r2lml: " + err.Error())
	}
	return labels
}

// ClassifyContext is ClassifyEach, but returns an error and no labels when ctx ends or a distance
// is not finite.
func ClassifyContext(ctx context.Context, p Problem, d Metric, ks []int, v Voting) ([][]int, error) {
	if slices.Min(ks) < 1 {
		panic("r2lml: Classify needs at least one neighbor")
	}
	m, _ := p.Query.Dims()
	b := newBallot(p, v)
	labels := make([][]int, len(ks))
	for j := range labels {
		labels[j] = make([]int, m)
	}
	err := neighbors(ctx, d, m, len(p.Y), slices.Max(ks), v.Distances, func(i int, near kernel.Neighbors) {
		for j, k := range ks { // the k nearest are the first k of near
			labels[j][i] = b.winner(i, near, k)
		}
	})
	if err != nil {
		return nil, err
	}
	return labels, nil
}

// Tied returns, for every query sample of p, the labels with the most votes of its k
// nearest training samples, ascending: one label unless the vote is tied.
func Tied(p Problem, d Metric, k int, v Voting) [][]int {
	m, _ := p.Query.Dims()
	b := newBallot(p, v)
	tied := make([][]int, m)
	keep := func(i int, near kernel.Neighbors) { tied[i] = slices.Clone(b.count(near, k)) }
	neighbors(context.Background(), d, m, len(p.Y), k, v.Distances, keep)
	return tied
}

// A ballot counts the votes of one query sample at a time.
type ballot struct {
	Voting
	p     Problem
	votes []float64 // by label
	most  []int     // the labels with the most votes
}

func newBallot(p Problem, v Voting) *ballot {
	return &ballot{Voting: v, p: p, votes: make([]float64, p.Classes()+1)}
}

// neighbors calls visit with the k nearest of n training samples of each of m query
// samples, in ascending order of distance, ties by index; distances is Voting.Distances.
// It returns early with the error of ctx, and with an error at a distance that is not
// finite.
func neighbors(ctx context.Context, d Metric, m, n, k int, distances string, visit func(i int, near kernel.Neighbors)) error {
	vote := func(i int, near kernel.Neighbors) {
		if distances == RepeatFirst {
			repeatFirst(near)
		}
		visit(i, near)
	}
	if s, ok := d.(searchable); ok && s.bounded() {
		return s.search(ctx, m, n, k, vote)
	}
	distance, list := make([]float64, n), kernel.NewNeighbors(min(k, n))
	for i := range linalg.Rows(ctx, m) {
		d.SquaredDistances(distance, i)
		for j, v := range distance {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the metric is not finite: the squared distance of query sample %d to training sample %d is %g", i, j, v)
			}
		}
		list.Reset()
		list.Offer(0, distance)
		vote(i, list)
	}
	return ctx.Err()
}

// A searchable metric finds neighbors without all distances, if it is bounded.
type searchable interface {
	bounded() bool
	search(ctx context.Context, m, n, k int, visit func(i int, near kernel.Neighbors)) error
}

// repeatFirst replaces neighbors at equal distance by the first of them. Neighbors ascend
// by distance, ties by index, so this is the first training sample at that distance.
func repeatFirst(near kernel.Neighbors) {
	for j := 1; j < len(near.Index); j++ {
		if near.Distance[j] == near.Distance[j-1] {
			near.Index[j] = near.Index[j-1]
		}
	}
}

// count returns the labels with the most votes of the first k neighbors, in ascending order.
func (b *ballot) count(near kernel.Neighbors, k int) []int {
	clear(b.votes)
	for j, n := range near.Index[:min(k, len(near.Index))] {
		switch {
		case b.Weights != DistanceWeights:
			b.votes[b.p.Y[n]]++
		case near.Distance[0] > 0:
			b.votes[b.p.Y[n]] += 1 / math.Sqrt(near.Distance[j])
		case near.Distance[j] == 0:
			b.votes[b.p.Y[n]]++
		}
	}
	b.most = b.most[:0]
	best := slices.Max(b.votes)
	for label, votes := range b.votes {
		if votes == best {
			b.most = append(b.most, label)
		}
	}
	return b.most
}

// tieStream sets the draws of ties apart from all other draws of a seed.
const tieStream = 0x7469_6573_0000_0000 // "ties"

// winner returns the label of query sample i by the votes of its first k neighbors.
func (b *ballot) winner(i int, near kernel.Neighbors, k int) int {
	tied := b.count(near, k)
	switch {
	case len(tied) == 1:
	case b.Ties == RandomTie:
		return tied[rand.New(rand.NewPCG(b.p.Seed, tieStream+uint64(i))).IntN(len(tied))]
	case b.Ties == NearestTie && slices.Contains(tied, b.p.Y[near.Index[0]]):
		return b.p.Y[near.Index[0]]
	}
	return tied[0]
}
