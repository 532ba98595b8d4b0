package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Standing compares methods by their ranks over the data sets on which all of
// them have a result, after Demšar 2006. Methods are numbered by column.
type Standing struct {
	Rows     int // data sets on which all methods have a result
	Friedman FriedmanResult
	// FriedmanP is the p-value of Iman and Davenport's F, raised to a lower bound of the p-value of
	// Friedman's exact test: with few data sets F would give p = 0.
	FriedmanP float64
	CD        float64 // Nemenyi's critical difference of average ranks
	Order     []int   // methods by average rank, best first, ties by column
	Groups    [][]int // maximal groups of two or more methods within CD, best first
}

// NewStanding ranks methods by scores, a row per data set with NaN for no result, and compares them
// at level. ok is false, and only Rows is set, if there are fewer than two methods or complete data
// sets, or level is not between 0 and 1.
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

// NotWorse reports whether Nemenyi's test does not separate a method from the one with the best
// average rank.
func (s Standing) NotWorse(method int) bool {
	ranks := s.Friedman.AverageRanks
	return ranks[method]-ranks[s.Order[0]] < s.CD
}

// leastFriedman returns a lower bound of the p-value of Friedman's exact test. Under its null
// hypothesis each data set has one of k! / Π t! orders of ranks, equally often, where t methods
// share a rank. The observed orders, and those with the methods renamed, are at least as extreme.
// So p is at least the largest number of orders of a data set divided by the product of all.
func leastFriedman(scores [][]float64) float64 {
	least, most := 1.0, 1.0 // most: the largest number of orders so far; least leaves it out
	for _, row := range scores {
		orders, shared := 1.0, map[float64]float64{} // orders of the methods so far; how many have each score
		for i, score := range row {
			shared[score]++
			orders *= float64(i+1) / shared[score]
		}
		least, most = least/min(most, orders), max(most, orders) // orders is +Inf from 171 methods on
	}
	return least
}
