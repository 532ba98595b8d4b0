package stats

import "gonum.org/v1/gonum/stat"

// Spearman is the rank correlation of paired values: Pearson's correlation of their
// ranks, of which equal values share the average. It is NaN when all values of one
// side are equal. It panics if the lengths differ or a value is not a number.
func Spearman(x, y []float64) float64 {
	checkNumbers("Spearman", x)
	checkNumbers("Spearman", y)
	return stat.Correlation(floatRanks(x), floatRanks(y), nil)
}

func floatRanks(values []float64) []float64 {
	doubled, _ := doubledRanks(values)
	ranks := make([]float64, len(doubled))
	for i, r := range doubled {
		ranks[i] = float64(r) / 2
	}
	return ranks
}
