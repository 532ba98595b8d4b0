package baselines

import (
	"context"
	"slices"
)

// sortAtOnce are the numbers that are sorted between two looks at a context.
const sortAtOnce = 1 << 18

// sortUntil sorts numbers, none of them NaN, in ascending order; some when ctx ends.
func sortUntil(ctx context.Context, v []float64) {
	for len(v) > sortAtOnce && ctx.Err() == nil {
		// Those below the pivot, those equal to it, the others.
		a, b, c := v[0], v[len(v)/2], v[len(v)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		below, above := 0, len(v)
		for i := 0; i < above; {
			switch {
			case v[i] < pivot:
				v[i], v[below] = v[below], v[i]
				below++
				i++
			case v[i] > pivot:
				above--
				v[i], v[above] = v[above], v[i]
			default:
				i++
			}
		}
		low, high := v[:below], v[above:]
		if len(low) > len(high) {
			low, high = high, low
		}
		sortUntil(ctx, low) // the shorter part, so that calls do not nest deeply
		v = high
	}
	if ctx.Err() == nil {
		slices.Sort(v)
	}
}
