package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// A made is a test with samples for it.
type made struct {
	Test
	samples []Sample
}

// testsOf makes samples of k methods for every test: the answers to some items, and scores on
// eight splits or data sets.
func testsOf(draw *rand.Rand, k int) []made {
	right, scored := make([]Sample, k), make([]Sample, k)
	truth := slices.Repeat([]int{1}, 1+draw.IntN(150))
	for i := range k {
		level := 0.3 + 0.5*draw.Float64()
		predicted := make([]int, len(truth))
		for j := range predicted {
			if draw.Float64() < level {
				predicted[j] = 1
			}
		}
		right[i].Answers = NewAnswers(truth, predicted)
		for range 8 {
			scored[i].Scores = append(scored[i].Scores, math.Round(20*level+10*draw.Float64()))
		}
	}
	var all []made
	for _, variant := range []Variant{Exact, MidP, ChiSquaredCC, ChiSquared} {
		all = append(all, made{variant, right})
	}
	return append(all, made{WilcoxonTest{}, scored}, made{SignTest{}, scored}, made{Resampled{Sizes: slices.Repeat([][2]int{{60, 40}}, 8), Step: 2.5}, scored})
}

// In every test and family a pair is significant where its p-value after Holm's correction, over
// the unrounded p-values of the family, is at most alpha; turning a pair around changes signs
// alone.
func TestCompare(t *testing.T) {
	decided := map[string]int{} // pairs that only the correction makes no significant ones
	rapid.Check(t, func(t *rapid.T) {
		k, control, alpha := rapid.IntRange(3, 6).Draw(t, "k"), rapid.IntRange(0, 2).Draw(t, "control"), rapid.Float64Range(0.03, 0.2).Draw(t, "alpha")
		for _, test := range testsOf(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), k) {
			for _, pairs := range [][][2]int{AllPairs(k), Against(control, k)} {
				outcomes, p := Compare(test, alpha, test.samples, pairs), []float64{}
				for _, o := range outcomes {
					p = append(p, o.P)
				}
				holm := Holm(p)
				for i, o := range outcomes {
					what := fmt.Sprintf("%s, pair %v", test, pairs[i])
					if o.PHolm != holm[i] || o.Significant != (o.PHolm <= alpha) || o.Family != len(pairs) {
						t.Errorf("%s: %+v, want p after Holm %v", what, o, holm[i])
					}
					if !o.Significant && o.P <= alpha {
						decided[test.String()]++
					}
					back := test.Compare(test.samples[pairs[i][1]], test.samples[pairs[i][0]])
					o.PHolm, o.Family, o.Significant = back.PHolm, 0, false
					fixture.Same(t, what+" turned around", back, o.Turned(), cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateNaNs())
				}
			}
		}
	})
	for _, test := range testsOf(rand.New(rand.NewPCG(1, 1)), 2) {
		if decided[test.String()] < 3 {
			t.Errorf("%s: the correction decides %d times", test, decided[test.String()])
		}
	}
}

// Eight data sets won, two lost and one tied: p = 2 · (1 + 10 + 45) / 2¹⁰.
func TestSign(t *testing.T) {
	a := Sample{Scores: []float64{9, 9, 9, 9, 9, 9, 9, 9, 1, 1, 5}}
	o := SignTest{}.Compare(a, Sample{Scores: slices.Repeat([]float64{5}, 11)})
	fixture.Equal(t, "p", o.P, 0.109375)
}

// A p-value of exactly the level is significant: six samples are right by the first method only,
// p = 2⁻⁵ in a family of one.
func TestCompareAtTheLevel(t *testing.T) {
	right := []int{1, 1, 1, 1, 1, 1}
	samples := []Sample{{Answers: NewAnswers(right, right)}, {Answers: NewAnswers(right, make([]int, 6))}}
	for alpha, want := range map[float64]bool{0x1p-5: true, math.Nextafter(0x1p-5, 0): false} {
		o := Compare(Exact, alpha, samples, AllPairs(2))[0]
		fixture.Equal(t, fmt.Sprint("p after Holm, and significant at ", alpha), fmt.Sprint(o.PHolm, o.Significant), fmt.Sprint(0.03125, want))
	}
}

// Bits count what a plain loop counts.
func TestPairedOfAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		labels := func(name string) []int {
			return rapid.SliceOfN(rapid.IntRange(1, 3), n, n).Draw(t, name)
		}
		truth, first, second := labels("truth"), labels("first"), labels("second")
		var want Paired
		for i, label := range truth {
			switch right := [2]bool{first[i] == label, second[i] == label}; right {
			case [2]bool{true, true}:
				want.BothRight++
			case [2]bool{true, false}:
				want.OnlyFirst++
			case [2]bool{false, true}:
				want.OnlySecond++
			default:
				want.BothWrong++
			}
		}
		fixture.Equal(t, "counts", NewAnswers(truth, first).Paired(NewAnswers(truth, second)), want)
	})
}

// Pairs that cannot be tested are in no family: B lacks a split, and D has one data set in
// common with the others.
func TestUntestedPairs(t *testing.T) {
	none := math.NaN()
	samples := []Sample{{Scores: []float64{9, 8, 9}}, {Scores: []float64{5, none, 6}}, {Scores: []float64{4, 4, 3}}, {Scores: []float64{4, none, none}}}
	resampled := Resampled{Sizes: [][2]int{{6, 4}, {6, 4}, {6, 4}}, Step: 1}
	for test, want := range map[Test]string{WilcoxonTest{}: "[3 3 0 3 0 0]", SignTest{}: "[3 3 0 3 0 0]", &resampled: "[0 1 0 0 0 0]"} {
		var families []int
		for _, o := range Compare(test, 0.05, samples, AllPairs(4)) {
			families = append(families, o.Family)
			if o.Tested() != (o.Family > 0) || math.IsNaN(o.PHolm) == o.Tested() || o.Significant && !o.Tested() {
				t.Errorf("%v: %+v", test, o)
			}
		}
		fixture.Equal(t, test.String()+": families", fmt.Sprint(families), want)
	}
	for sizes, says := range map[[4]int]string{
		{6, 4, 6, 4}: "", {0, 4, 6, 4}: "not known", {4, 6, 4, 6}: "more test than training", {4, 6, 9, 4}: "differ in size",
	} {
		got := Resampled{Sizes: [][2]int{{sizes[0], sizes[1]}, {sizes[2], sizes[3]}}, Step: 1}.Invalid()
		fixture.Equal(t, fmt.Sprint(sizes, " is valid"), got == "", says == "")
		fixture.Has(t, fmt.Sprint(sizes), got, says)
	}
}

// Differences are equal if their first nine decimals are.
func TestDifferences(t *testing.T) {
	got := Differences([]float64{0.3, 1 + 1e-8, math.NaN()}, []float64{0.1, 1, 1})
	if len(got) != 2 || got[0] != 0.2 || got[1] != 1e-8 {
		t.Errorf("differences %v", got)
	}
}
