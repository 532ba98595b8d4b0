package stats

import "gonum.org/v1/gonum/stat"

// Spearman is the rank correlation of paired values: Pearson's correlation of their
// ranks, of which equal values share the average. It is NaN when all values of one
// side are equal. It panics if the lengths differ or a value is not a number.
func Spearman(x, y []float64) float64 {
	var ranks [2][]float64
	for side, values := range [][]float64{x, y} {
		checkNumbers("Spearman", values)
		doubled, _ := doubledRanks(values)
		for _, r := range doubled {
			ranks[side] = append(ranks[side], float64(r)/2)
		}
	}
	return stat.Correlation(ranks[0], ranks[1], nil)
}
