package verdict

import (
	"math"
	"slices"
	"testing"
)

// Ranks are of means over all seeds, on the data sets that every method has a run on.
func TestRanks(t *testing.T) {
	two := answered("A", "itml", 70, 60, math.NaN()) // seeds with 60 and 90 percent: a mean of 75
	two.Protocols[0].Runs = append(two.Protocols[0].Runs, Run{Correct: 900, N: 1000})
	two.Protocols[0].Runs[1].Inputs.Seed = 2
	proposed := answered("A", "e-r2lml", 80, 70, math.NaN())
	proposed.Proposed = true
	all := []Evidence{two, proposed, answered("B", "itml", 70, 90, math.NaN()), answered("B", "e-r2lml", 80, math.NaN(), math.NaN())}
	r := NewRanks(all)
	if !slices.Equal(r.Methods, []string{"itml", "e-r2lml"}) || !slices.Equal(r.Proposed, []string{"e-r2lml"}) ||
		!slices.Equal(r.Printed, []float64{2, 1}) || !slices.Equal(r.Ours, []float64{1, 2}) {
		t.Errorf("%+v, want ITML before E-R2LML by data set A alone", r)
	}
	clause, which := bestMethod(r, true)
	if want := " Best by average rank on 1 data set is E-R2LML in print (1.00) and ITML in our runs (1.00); there E-R2LML has 2.00."; which != want ||
		clause != ", but not in its best method" {
		t.Errorf("%q, %q, want %q", clause, which, want)
	}
	for _, none := range [][]Evidence{nil, all[:1], all[3:]} {
		if r := NewRanks(none); r.Ours != nil {
			t.Errorf("%d pieces of evidence: %+v, want no ranks", len(none), r)
		}
	}
}
