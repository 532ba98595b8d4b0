package stats

import "slices"

// SignTest compares two methods by the signs of their differences only. Its null hypothesis is that
// on each of the W data sets on which they differ, either method wins with probability 1/2:
//
//	p = min(1, 2 P(X ≤ min(wins, losses)))   X ~ Bin(wins + losses, 1/2).
//
// It needs no scores that are comparable between data sets, and has less power than [WilcoxonTest]
// (Demšar 2006, section 3.1.4, which divides ties between the two).
type SignTest struct{}

func (SignTest) String() string { return "sign" }

// Title names the test in words.
func (SignTest) Title() string { return "Dixon and Mood's sign test" }

// Compare tests the differences on the data sets that both methods have; with fewer than two there
// is no p.
func (SignTest) Compare(a, b Sample) Outcome {
	o, d := describe(a, b)
	wins := len(slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x <= 0 }))
	losses := len(slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x >= 0 }))
	if len(d) > 1 {
		o.P = McNemar(Exact, wins, losses).P
	}
	return o
}
