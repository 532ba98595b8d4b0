package stats_test

import (
	"fmt"

	"r2lmlbench/stats"
)

// Two classifiers on ten samples of three classes. The sixth sample gets two
// different wrong labels, and counts as both wrong.
func ExampleMcNemar() {
	truth := []int{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}
	first := []int{0, 0, 0, 0, 1, 2, 1, 2, 2, 2}
	second := []int{1, 1, 0, 2, 0, 0, 0, 2, 1, 1}

	pair := stats.NewAnswers(truth, first).Paired(stats.NewAnswers(truth, second))
	fmt.Printf("%+v\n", pair)
	for _, name := range stats.TestNames() {
		test, err := stats.ParseTest(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		r := stats.McNemar(test, pair.OnlyFirst, pair.OnlySecond)
		fmt.Printf("%-13s p = %s\n", test, stats.FormatP(r.P, r.Log10P))
	}
	// Output:
	// {BothRight:2 OnlyFirst:7 OnlySecond:0 BothWrong:1}
	// mcnemar-exact p = 0.015625
	// mcnemar-midp  p = 0.0078125
	// mcnemar-cc    p = 0.0233422
	// mcnemar-chi2  p = 0.00815097
}

// Six p-values, of all pairs of four methods. At level 0.05 the first two remain.
func ExampleHolm() {
	p := []float64{0.002, 0.0099, 0.03, 0.02, 0.7, 0.04}
	for i, adjusted := range stats.Holm(p) {
		fmt.Printf("%.4f -> %.4f %v\n", p[i], adjusted, adjusted <= 0.05)
	}
	// Output:
	// 0.0020 -> 0.0120 true
	// 0.0099 -> 0.0495 true
	// 0.0300 -> 0.0900 false
	// 0.0200 -> 0.0800 false
	// 0.7000 -> 0.7000 false
	// 0.0400 -> 0.0900 false
}

// Four methods on 200 samples. The third is less accurate than the second and
// yet ranks above it, as it is comparable with the best: an inversion.
func ExampleGroup() {
	names := []string{"euclidean", "itml", "lmnn", "plml"}
	correct := []int{150, 176, 170, 182}
	adjusted := map[[2]int]float64{
		{0, 1}: 0.004, {0, 2}: 0.03, {0, 3}: 0.001,
		{1, 2}: 0.8, {1, 3}: 0.04, {2, 3}: 0.2,
	}
	g := stats.Group(correct, func(i, j int) bool { return adjusted[[2]int{i, j}] <= 0.05 })
	for _, i := range g.Order {
		fmt.Printf("%-9s %s rank %d %s\n", names[i], stats.Percent(correct[i], 200, 2), g.Rank[i], g.Letters[i])
	}
	fmt.Println("inversions:", g.Inversions)
	// Output:
	// plml      91.00 rank 1 a
	// itml      88.00 rank 2 b
	// lmnn      85.00 rank 1 ab
	// euclidean 75.00 rank 3 c
	// inversions: [[1 2]]
}

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

// Percentages on five data sets; less than one point counts as no difference.
func ExamplePosterior() {
	first := []float64{71.0, 64.5, 88.0, 93.5, 80.0}
	second := []float64{78.0, 64.0, 91.5, 93.0, 86.0}
	r := stats.NewPosterior(len(first), stats.BayesSettings{}).SignedRank(first, second, 1)
	fmt.Printf("first better %.1f, equivalent %.1f, second better %.1f\n", r.First, r.Equal, r.Second)
	// Output: first better 0.0, equivalent 0.1, second better 0.9
}

// What 70 test samples can tell, with all pairs of eight methods compared.
func ExampleMinGap() {
	gap, _ := stats.MinGap(stats.Exact, 70, 28, 0.05)
	fmt.Printf("at least %d samples, %s %%\n", gap, stats.Percent(gap, 70, 2))
	// Output: at least 11 samples, 15.71 %
}
