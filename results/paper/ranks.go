package paper

import (
	"math"
	"slices"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// level is that of the tests beside the ranks.
const level = 0.05

// Ranks are average ranks over the data sets on which every method has runs of the main
// reading, 1 the best: of the printed values, and of means over all seeds. Two methods
// whose ranks are less than the critical difference apart do not differ by Nemenyi's test.
type Ranks struct {
	Methods            []Rank  `json:"methods"`
	Sets               int     `json:"sets"` // such data sets
	Of                 int     `json:"of"`   // data sets with printed values
	CriticalDifference float64 `json:"critical_difference"`
	FriedmanP          float64 `json:"friedman_p"` // that all methods rank alike
	PrintedFriedmanP   float64 `json:"printed_friedman_p"`

	Scores table.Scores `json:"-"` // that ours rest on: means
}

// A Rank has the average ranks of a method.
type Rank struct {
	Method  string  `json:"method"`
	Printed float64 `json:"printed"`
	Ours    float64 `json:"ours"`
}

// newRanks ranks the methods of verdicts, nil where there is nothing to rank.
func newRanks(all []Verdict) *Ranks {
	ours, printed := table.Scores{Methods: columnsOf(all)}, table.Scores{Methods: columnsOf(all)}
	var letters []string
	for _, v := range all {
		letters = text.AppendNew(letters, v.Letter)
	}
	for _, letter := range letters {
		o := slices.Repeat([]float64{math.NaN()}, len(ours.Methods))
		p := slices.Clone(o)
		for _, v := range all {
			if v.Letter == letter && v.Mean != nil {
				at := slices.Index(ours.Methods, v.Method)
				o[at], p[at] = *v.Mean, v.printed()
			}
		}
		ours.Rows, printed.Rows = append(ours.Rows, o), append(printed.Rows, p)
	}
	standing, ok := stats.NewStanding(ours.Rows, level)
	before, both := stats.NewStanding(printed.Rows, level)
	if !ok || !both {
		return nil
	}
	r := &Ranks{
		Sets: standing.Rows, Of: len(letters), CriticalDifference: text.SixDigits(standing.CD),
		FriedmanP: text.SixDigits(standing.FriedmanP), PrintedFriedmanP: text.SixDigits(before.FriedmanP), Scores: ours,
	}
	for i, m := range ours.Methods {
		r.Methods = append(r.Methods, Rank{m, text.SixDigits(before.Friedman.AverageRanks[i]), text.SixDigits(standing.Friedman.AverageRanks[i])})
	}
	return r
}
