package stats

import (
	"fmt"
	"testing"

	"r2lmlbench/internal/fixture"
)

// The two-sided test sums all counts that are no more likely. Values: R 4, binom.test(k, n, p).
func TestBinomialTest(t *testing.T) {
	for _, c := range []struct {
		k, n    int
		p, want float64
	}{
		{13, 60, 0.5, 1.2146708022957261e-05}, {47, 60, 0.5, 1.2146708022957261e-05}, {13, 60, 0.25, 0.65527541046688775},
		{2, 10, 0.3, 0.73317206799999957}, {7, 10, 0.3, 0.010592078399999996}, {0, 5, 0.2, 0.59040000000000026},
	} {
		fixture.Near(t, fmt.Sprint(c), BinomialTest(c.k, c.n, c.p), c.want, 1e-12)
	}
}
