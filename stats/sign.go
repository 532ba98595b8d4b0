package stats

import "slices"

// SignTest asks on how many data sets one method is better than the other, and not by how much:
// of the W data sets on which they differ, as many favour the first as heads fall in W throws
// of a coin,
//
//	p = min(1, 2 P(X ≤ min(wins, losses)))   X ~ Bin(wins + losses, 1/2).
//
// It needs no scores that are comparable between data sets, and finds less than
// [WilcoxonTest] (Demšar 2006, section 3.1.4, there with ties divided between the two).
type SignTest struct{}

func (SignTest) String() string { return "sign" }

// Title names the test in words.
func (SignTest) Title() string { return "Dixon and Mood's sign test" }

// Compare tests the differences on the data sets that both methods have, of which it needs two.
func (SignTest) Compare(a, b Sample) Outcome {
	o, d := describe(a, b)
	wins := len(slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x <= 0 }))
	losses := len(slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x >= 0 }))
	if len(d) > 1 {
		o.P = McNemar(Exact, wins, losses).P
	}
	return o
}
