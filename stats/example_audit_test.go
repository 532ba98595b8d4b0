package stats_test

import (
	"fmt"

	"r2lmlbench/stats"
)

// What 70 test samples can tell, with all pairs of eight methods compared.
func ExampleMinGap() {
	gap, _ := stats.MinGap(stats.Exact, 70, 28, 0.05)
	fmt.Printf("at least %d samples, %s %%\n", gap, stats.Percent(gap, 70, 2))
	gap, _ = stats.CriticalGap(stats.Exact, 30, 0.05/28)
	fmt.Printf("with 30 discordant samples, %d more on one side\n", gap)
	fmt.Printf("power for true rates of 20 %% and 8 %%: %.2f\n", stats.Power(stats.Exact, 70, 0.20, 0.08, 0.05/28))
	// Output:
	// at least 11 samples, 15.71 %
	// with 30 discordant samples, 18 more on one side
	// power for true rates of 20 % and 8 %: 0.07
}

// Printed accuracies against twelve runs of our own.
func ExamplePredict() {
	runs := []float64{78.44, 74.56, 75.46, 76.13, 73.98, 75.40, 75.40, 72.24, 77.23, 76.48, 74.27, 75.09}
	for _, printed := range []string{"75.57", "82.35"} {
		p, err := stats.Predict(printed, runs, 0.95)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s inside %.2f: %v\n", printed, p.Interval, p.Inside)
	}
	// Output:
	// 75.57 inside {71.71 79.07}: true
	// 82.35 inside {71.71 79.07}: false
}

// 167 of 221 samples print as 75.57; no number of 158 prints as 53.17.
func ExampleCheckPercent() {
	for _, c := range []struct {
		printed string
		n       int
	}{{"75.57", 221}, {"53.17", 158}} {
		r, err := stats.CheckPercent(c.printed, c.n)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s of %d: %v, nearest %d, %s\n", c.printed, c.n, r.Possible, r.Nearest, stats.Percent(r.Nearest, c.n, 2))
	}
	// Output:
	// 75.57 of 221: true, nearest 167, 75.57
	// 53.17 of 158: false, nearest 84, 53.16
}

// Three methods with 154, 151 and 108 of 190 samples right, printed with ranks 1
// to 3. Three samples are too few to tell the first two apart.
func ExampleInfeasibleRanks() {
	for _, c := range stats.InfeasibleRanks(stats.Exact, []int{154, 151, 108}, []int{1, 2, 3}, 190, 0.05) {
		fmt.Printf("%d and %d differ by %d: p is at least %.2f\n", c.Leader, c.Other, c.Gap, c.P)
	}
	// Output: 0 and 1 differ by 3: p is at least 0.25
}
