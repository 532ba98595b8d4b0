package stats

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the level of the intervals of comparisons.
const Confidence = 0.95

// A Sample holds the results of one method on units that all methods share, in the same order: the
// test samples of a split, the splits of a data set, or data sets. Tests of right and wrong answers
// read Answers, the others Scores.
type Sample struct {
	Answers Answers
	Scores  []float64 // by unit, higher is better; NaN: no result
}

// A Test compares two methods. To add one over data sets, write its file
// with these three methods and name it in setTests and in the enum of the spec.
type Test interface {
	String() string              // its name in specs and results: "mcnemar-exact"
	Title() string               // its name in a sentence: "McNemar's exact test"
	Compare(a, b Sample) Outcome // without Holm's correction; P is NaN if the pair cannot be tested
}

// setTests compare two methods over data sets; the first is the default.
var setTests = []Test{WilcoxonTest{}, SignTest{}}

// SetTest returns the test over data sets of the given name; empty for the default.
func SetTest(name string) (Test, bool) {
	i := slices.IndexFunc(setTests, func(t Test) bool { return name == "" || t.String() == name })
	if i < 0 {
		return nil, false
	}
	return setTests[i], true
}

// An Outcome compares method a with method b. No number is rounded.
type Outcome struct {
	Units       int      // units on which both have a result
	Paired      Paired   // counts of right answers; zero if the test compares scores
	Difference  float64  // mean of a - b over the units, in the unit of the scores; for answers a proportion
	SD          float64  // of the differences, divisor Units-1; NaN: not known
	Min, Max    float64  // of the differences; NaN: not known
	Interval    Interval // of Difference, for this pair alone; NaN: not known
	T           float64  // Student's t; NaN: the test has none
	Error       float64  // standard error of Difference, the denominator of T; 0: the test has none
	DF          int      // degrees of freedom of T
	P           float64  // two-sided; NaN: not tested
	Log10P      float64  // decimal logarithm of P, exact even if P underflows; tests of answers only
	PHolm       float64  // P after Holm's correction
	Family      int      // number of tests in the correction
	Significant bool     // PHolm is at most the level
}

// Tested reports whether the pair has a p-value.
func (o Outcome) Tested() bool { return !math.IsNaN(o.P) }

// Adjusted returns the interval of Difference at the level 1 - alpha·P/PHolm, which agrees with
// Holm's correction: it excludes 0 if and only if PHolm is at most alpha. An outcome without t or
// p-value returns Interval.
func (o Outcome) Adjusted(alpha float64) Interval {
	if !o.Tested() || math.IsNaN(o.T) || o.DF < 1 {
		return o.Interval
	}
	share := o.P / o.PHolm
	if !(share > 0) { // both underflow
		share = 1 / float64(o.Family)
	}
	half := distuv.StudentsT{Sigma: 1, Nu: float64(o.DF)}.Quantile(1-alpha/2*share) * o.Error
	return Interval{o.Difference - half, o.Difference + half}
}

// Turned returns the outcome of b against a.
func (o Outcome) Turned() Outcome {
	o.Paired.OnlyFirst, o.Paired.OnlySecond = o.Paired.OnlySecond, o.Paired.OnlyFirst
	o.Difference, o.Min, o.Max, o.T = -o.Difference, -o.Max, -o.Min, -o.T
	o.Interval = Interval{-o.Interval.High, -o.Interval.Low}
	return o
}

// Compare tests pairs of indices into samples as one family: Holm's correction is over the pairs
// that can be tested. A pair is significant if its adjusted p is at most alpha. The outcomes are in
// the order of pairs.
func Compare(t Test, alpha float64, samples []Sample, pairs [][2]int) []Outcome {
	all, p, family := make([]Outcome, len(pairs)), make([]float64, len(pairs)), 0
	for i, pair := range pairs {
		all[i] = t.Compare(samples[pair[0]], samples[pair[1]])
		if p[i] = all[i].P; all[i].Tested() {
			family++
		}
	}
	for i, adjusted := range HolmKnown(p) {
		if all[i].PHolm = adjusted; all[i].Tested() {
			all[i].Family, all[i].Significant = family, adjusted <= alpha
		}
	}
	return all
}

// AllPairs returns all pairs of k samples, {0, 1} first: the family of the question which of
// several methods differ.
func AllPairs(k int) [][2]int {
	var pairs [][2]int
	for i := range k {
		for j := i + 1; j < k; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// Against returns the pairs of a control with each of the other k-1 samples: the family of the
// question which methods differ from the control. Choose the control before you see the results.
func Against(control, k int) [][2]int {
	var pairs [][2]int
	for i := range k {
		if i != control {
			pairs = append(pairs, [2]int{control, i})
		}
	}
	return pairs
}

// Differences returns a - b on the units that both have, rounded to 1e-9, so that differences of
// equal counts are equal.
func Differences(a, b []float64) []float64 {
	var all []float64
	for i, x := range a {
		if d := x - b[i]; !math.IsNaN(d) {
			all = append(all, math.Round(1e9*d)/1e9)
		}
	}
	return all
}

// describe returns the outcome without a test, and the differences.
func describe(a, b Sample) (Outcome, []float64) {
	d, none := Differences(a.Scores, b.Scores), math.NaN()
	o := Outcome{Units: len(d), Difference: none, SD: none, Min: none, Max: none, Interval: Interval{none, none}, T: none, P: none, Log10P: none, PHolm: none}
	if len(d) > 0 {
		o.Difference, o.Min, o.Max = stat.Mean(d, nil), slices.Min(d), slices.Max(d)
	}
	if len(d) > 1 {
		o.SD = stat.StdDev(d, nil)
	}
	return o, d
}

// Answers holds one bit per test sample: whether a method labels it correctly.
type Answers struct {
	n    int
	bits []uint64
}

// NewAnswers compares labels with the true ones. It panics if their numbers differ.
func NewAnswers(truth, predicted []int) Answers {
	if len(truth) != len(predicted) {
		panic(fmt.Sprintf("stats: NewAnswers: %d true labels, %d predictions", len(truth), len(predicted)))
	}
	a := Answers{n: len(truth), bits: make([]uint64, (len(truth)+63)/64)}
	for i, label := range truth {
		if predicted[i] == label {
			a.bits[i/64] |= 1 << (i % 64)
		}
	}
	return a
}

// Paired counts the samples that both methods, one or none labels correctly; two different
// wrong labels count as both wrong. It panics if the numbers of samples differ.
func (a Answers) Paired(b Answers) Paired {
	if a.n != b.n {
		panic(fmt.Sprintf("stats: Paired: answers to %d and to %d samples", a.n, b.n))
	}
	var p Paired
	for i, word := range a.bits {
		p.BothRight += bits.OnesCount64(word & b.bits[i])
		p.OnlyFirst += bits.OnesCount64(word &^ b.bits[i])
		p.OnlySecond += bits.OnesCount64(b.bits[i] &^ word)
	}
	p.BothWrong = a.n - p.BothRight - p.OnlyFirst - p.OnlySecond
	return p
}
