package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// votesFact names the count of test samples whose vote the true label wins without a tie.
const votesFact = "votes won by the true label alone"

// tiedFact names the count of test samples whose vote is tied between this number of labels,
// including the true one. If ties are drawn, each is correct with probability 1/labels.
func tiedFact(labels int) string {
	return fmt.Sprintf("votes tied between %d labels, the true one among them", labels)
}

// Votes are the counts of votesFact and tiedFact of a cell.
type Votes struct {
	Won  int         // samples whose vote the true label wins alone
	Tied map[int]int // samples with the true label among the tied ones, by their number
}

// ReadVotes reads the votes of a cell with k neighbors; it fails for a cell without the measure.
func ReadVotes(facts []results.Count, k int) (Votes, error) {
	won, ok := results.CountOf(facts, votesFact)
	if !ok {
		return Votes{}, errors.New("the cell has no votes; its spec needs `measure: votes`")
	}
	v := Votes{Won: won.Count, Tied: map[int]int{}}
	for labels := 2; labels <= k; labels++ {
		if tied, ok := results.CountOf(facts, tiedFact(labels)); ok {
			v.Tied[labels] = tied.Count
		}
	}
	return v, nil
}

// takeVotes writes votesFact and tiedFact. They determine the distribution of the number
// of correct labels over the draws of tied votes.
func takeVotes(_ context.Context, fit Fit) (Measured, error) {
	if fit.Fitted.Metric == nil {
		return Measured{}, errors.New("the method labels the samples itself, no votes are counted; leave the method out of this spec")
	}
	tied := r2lml.Tied(fit.Problem, fit.Fitted.Metric, fit.Neighbors, fit.Voting)
	tied = tied[len(tied)-len(fit.Truth):]
	counts := make([]int, fit.Neighbors+1) // by number of tied labels
	for i, labels := range tied {
		if slices.Contains(labels, fit.Truth[i]) {
			counts[len(labels)]++
		}
	}
	facts := []results.Count{{Name: votesFact, Count: counts[1], Of: len(tied)}}
	for labels := 2; labels <= fit.Neighbors; labels++ {
		if counts[labels] > 0 {
			facts = append(facts, results.Count{Name: tiedFact(labels), Count: counts[labels], Of: len(tied)})
		}
	}
	return Measured{Facts: facts}, nil
}
