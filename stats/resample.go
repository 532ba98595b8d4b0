package stats

import (
	"math/rand/v2"
	"slices"
)

// resampleSeed starts the random draws of every call: equal arguments give equal
// results.
const resampleSeed = 0x9e3779b97f4a7c15

// BootstrapSum returns the percentile interval of the sum of values when the values
// are drawn again with replacement, as many as there are: level 0.95 gives the
// 2.5th and the 97.5th percentile of so many draws. It panics without values or
// draws, if a value is not a number, and unless the level is between 0 and 1.
func BootstrapSum(values []float64, draws int, level float64) Interval {
	checkNumbers("BootstrapSum", values)
	if len(values) == 0 || draws < 1 || !(level > 0 && level < 1) {
		panic("stats: BootstrapSum needs values, draws and a level between 0 and 1")
	}
	random := rand.New(rand.NewPCG(resampleSeed, uint64(len(values))))
	sums := make([]float64, draws)
	for d := range sums {
		for range values {
			sums[d] += values[random.IntN(len(values))]
		}
	}
	slices.Sort(sums)
	at := func(q float64) float64 { return sums[min(int(q*float64(draws)), draws-1)] }
	return Interval{Low: at((1 - level) / 2), High: at((1 + level) / 2)}
}

// A Permutation is the outcome of a permutation test.
type Permutation struct {
	Difference float64 // mean of the marked columns minus that of the others
	P          float64 // one-sided: (1 + permutations with a difference as large) / (1 + permutations)
	Draws      int     // permutations that were drawn
}

// PermuteWithinRows tests whether the marked columns of a table have larger values
// than the others, where the labels of the columns can be exchanged within each row.
// The statistic is the mean over rows of the difference of the means of the marked
// and the other columns. It panics without draws and unless every row has as many
// values as there are marks, all of them numbers, and at least one column is marked
// and one is not.
func PermuteWithinRows(rows [][]float64, marked []bool, draws int) Permutation {
	if draws < 1 {
		panic("stats: PermuteWithinRows needs draws")
	}
	p := Permutation{Difference: rowContrast(rows, marked), Draws: draws}
	random := rand.New(rand.NewPCG(resampleSeed, uint64(len(rows))))
	shuffled := make([][]float64, len(rows))
	for i, r := range rows {
		checkNumbers("PermuteWithinRows", r)
		shuffled[i] = slices.Clone(r)
	}
	atLeast := 1
	for range draws {
		for _, r := range shuffled {
			random.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		}
		if rowContrast(shuffled, marked) >= p.Difference-1e-12 {
			atLeast++
		}
	}
	p.P = float64(atLeast) / float64(draws+1)
	return p
}

// rowContrast is the statistic of PermuteWithinRows.
func rowContrast(rows [][]float64, marked []bool) float64 {
	n := 0
	for _, m := range marked {
		if m {
			n++
		}
	}
	if n == 0 || n == len(marked) || len(rows) == 0 {
		panic("stats: PermuteWithinRows needs rows, marked columns and others")
	}
	total := 0.0
	for _, r := range rows {
		if len(r) != len(marked) {
			panic("stats: PermuteWithinRows: a row has another number of columns")
		}
		for j, v := range r {
			if marked[j] {
				total += v / float64(n)
			} else {
				total -= v / float64(len(r)-n)
			}
		}
	}
	return total / float64(len(rows))
}
