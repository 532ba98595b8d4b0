package stats

import "sort"

// MinGap is the smallest difference in correct samples that can be significant
// at level alpha on a test set of n samples, as the first of a family of tests
// under [Holm]: so many samples must be right by one method only, and none by the
// other only, as any of those makes p larger. Where even n samples are too few,
// ok is false.
func MinGap(t Variant, n, family int, alpha float64) (gap int, ok bool) {
	gap = 1 + sort.Search(n, func(i int) bool {
		return McNemar(t, i+1, 0).P*float64(family) <= alpha
	})
	return gap, gap <= n
}
