package stats_test

import (
	"fmt"

	"r2lmlbench/stats"
)

// Accuracies of three methods on six data sets. The first differs from the last;
// the one between them from neither.
func ExampleFriedman() {
	accuracies := [][]float64{
		{90, 80, 70},
		{85, 80, 60},
		{70, 75, 65},
		{95, 90, 92},
		{60, 50, 40},
		{88, 82, 81},
	}
	r := stats.Friedman(accuracies)
	fmt.Printf("average ranks %.2f\n", r.AverageRanks)
	fmt.Printf("chi-squared %.3f with %d degrees of freedom, p = %.4f\n", r.ChiSquared, r.DF, r.P)
	fmt.Printf("F %.3f with %d and %d, p = %.4f\n", r.F, r.DF, r.DF2, r.FP)
	cd := stats.CriticalDifference(0.05, 3, 6)
	fmt.Printf("critical difference %.3f, groups %v\n", cd, stats.CDGroups(r.AverageRanks, cd))
	// Output:
	// average ranks [1.17 2.00 2.83]
	// chi-squared 8.333 with 2 degrees of freedom, p = 0.0155
	// F 11.364 with 2 and 10, p = 0.0027
	// critical difference 1.353, groups [[0 1] [1 2]]
}

// Pairwise tests of four methods in order of accuracy. The second differs from
// the first and the third, which are comparable: their bar must leave it out.
func ExampleCliques() {
	order := []int{0, 1, 2, 3}
	differ := map[[2]int]bool{{0, 1}: true, {1, 2}: true, {0, 3}: true}
	for _, group := range stats.Cliques(order, func(i, j int) bool { return differ[[2]int{i, j}] }) {
		fmt.Println(group)
	}
	// Output:
	// [0 2]
	// [1 3]
	// [2 3]
}

// Differences of two methods on seven data sets, in whole samples.
func ExampleWilcoxon() {
	r := stats.Wilcoxon([]float64{0, 0, 1, 2, -3, 4, 5})
	fmt.Printf("%d differences, rank sums %g and %g, p = %g\n", r.N, r.WPlus, r.WMinus, r.P)
	// Output: 5 differences, rank sums 12 and 3, p = 0.3125
}

// Percentages on five data sets; less than one point counts as no difference.
func ExamplePosterior() {
	first := []float64{71.0, 64.5, 88.0, 93.5, 80.0}
	second := []float64{78.0, 64.0, 91.5, 93.0, 86.0}
	r := stats.NewPosterior(len(first), stats.BayesSettings{}).SignedRank(first, second, 1)
	fmt.Printf("first better %.1f, equivalent %.1f, second better %.1f\n", r.First, r.Equal, r.Second)
	// Output: first better 0.0, equivalent 0.1, second better 0.9
}
