package stats

import "testing"

// With one split more a difference is found, with one less it is not; where the
// correlation of the splits is too large, never.
func TestResampledSplits(t *testing.T) {
	for _, c := range []struct {
		difference, sd, ratio, level float64
	}{{1, 1, 0.1, 0.05}, {-2, 3, 0.05, 0.05}, {1, 0.5, 0.6, 0.01}} {
		r, ok := ResampledSplits(c.difference, c.sd, c.ratio, c.level, 100000)
		if !ok || r < 3 {
			t.Errorf("%+v: %d, %t", c, r, ok)
			continue
		}
		if _, ok := ResampledSplits(c.difference, c.sd, c.ratio, c.level, r-1); ok {
			t.Errorf("%+v: %d splits are enough, too", c, r-1)
		}
	}
	if r, ok := ResampledSplits(1, 1, 0.6, 0.05, 10000); ok { // t √ratio > 1.96·0.77
		t.Errorf("%d splits tell 1 point with sd 1 and ratio 0.6", r)
	}
}
