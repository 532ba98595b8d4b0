package stats

import "sort"

// MinGap returns the smallest difference in correct samples that can be significant at level alpha
// on n test samples, as the smallest p-value of a family of tests under [Holm]. It assumes that no
// sample is right by the worse method only: any such sample makes p larger. ok is false if even n
// samples are too few.
func MinGap(t Variant, n, family int, alpha float64) (gap int, ok bool) {
	gap = 1 + sort.Search(n, func(i int) bool {
		return McNemar(t, i+1, 0).P*float64(family) <= alpha
	})
	return gap, gap <= n
}
