package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Standing compares methods by their ranks over the data sets on which all of
// them have a result, after Demšar 2006. Methods are numbered by column.
type Standing struct {
	Rows     int // data sets with all methods
	Friedman FriedmanResult
	// FriedmanP is p of Iman and Davenport's F, and at least what Friedman's exact test gives
	// to the ranks that differ most: with few data sets, F takes p to 0.
	FriedmanP float64
	CD        float64 // Nemenyi's critical difference of two average ranks
	Order     []int   // methods, the best average rank first, ties by column
	Groups    [][]int // largest groups of two or more that do not differ, best first
}

// NewStanding ranks the methods by scores, a row for each data set with NaN where there is no
// result, and compares them at the given level. It is not ok, and only Rows is filled in,
// without two methods, two data sets that have all of them and a level between 0 and 1.
func NewStanding(scores [][]float64, level float64) (st Standing, ok bool) {
	whole := slices.DeleteFunc(slices.Clone(scores), func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) })
	if st.Rows = len(whole); st.Rows < 2 || len(whole[0]) < 2 || !(level > 0 && level < 1) {
		return st, false
	}
	st.Friedman = Friedman(whole)
	ranks := st.Friedman.AverageRanks
	st.FriedmanP = max(st.Friedman.FP, leastFriedman(whole))
	st.CD = CriticalDifference(level, len(ranks), st.Rows)
	for i := range ranks {
		st.Order = append(st.Order, i)
	}
	slices.SortStableFunc(st.Order, func(i, j int) int { return cmp.Compare(ranks[i], ranks[j]) })
	st.Groups = slices.DeleteFunc(CDGroups(ranks, st.CD), func(group []int) bool { return len(group) < 2 })
	return st, true
}

// NotWorse reports whether Nemenyi's test does not tell a method from the one with the best average rank.
func (s Standing) NotWorse(method int) bool {
	ranks := s.Friedman.AverageRanks
	return ranks[method]-ranks[s.Order[0]] < s.CD
}

// leastFriedman is a lower bound of p in Friedman's exact test, in which the ranks of each data
// set come in all k! / Π t! orders alike often, with t methods on a shared rank: the observed
// order counts, and so do those with the methods renamed. So p is at least the number of orders
// of the data set that has most of them, divided by the product of all.
func leastFriedman(scores [][]float64) float64 {
	least, most := 1.0, 1.0 // most, so far, is not in the product
	for _, row := range scores {
		orders, shared := 1.0, map[float64]float64{} // of the methods so far, and how many have a score
		for i, score := range row {
			shared[score]++
			orders *= float64(i+1) / shared[score]
		}
		least, most = least/min(most, orders), max(most, orders) // orders may be +Inf, of 171 methods or more
	}
	return least
}
