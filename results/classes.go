package results

import (
	"cmp"
	"math"
	"slices"
)

// A ClassCount is a class of the test samples.
type ClassCount struct {
	Label int `json:"label"`
	Count int `json:"count"` // test samples of the class
}

// CountClasses counts labels, in ascending order of the labels.
func CountClasses(truth []int) []ClassCount {
	var all []ClassCount
	for _, label := range distinct(truth) {
		all = append(all, ClassCount{Label: label})
	}
	for _, label := range truth {
		i, _ := slices.BinarySearchFunc(all, label, compareClass)
		all[i].Count++
	}
	return all
}

func compareClass(c ClassCount, label int) int { return cmp.Compare(c.Label, label) }

// BalancedAccuracy is the mean over the classes of the test samples of the share
// of each class that was given its own label. It is not a number without
// predictions.
func (c Cell) BalancedAccuracy() float64 {
	return c.meanOverClasses(func(k classResult) float64 { return float64(k.right) / float64(k.of) })
}

// MacroF1 is the mean over the classes of the test samples of
//
//	F1 = 2 TP / (2 TP + FP + FN),
//
// which is 0 for a class of which no sample was given its label. Labels that no
// test sample has are no classes; a sample that was given one counts as missed in
// its own class. It is not a number without predictions.
func (c Cell) MacroF1() float64 {
	return c.meanOverClasses(func(k classResult) float64 { return 2 * float64(k.right) / float64(k.given+k.of) })
}

// A classResult is what became of a class: TP, TP + FN and TP + FP.
type classResult struct{ right, of, given int }

// meanOverClasses is the mean of a measure over the classes of the test samples.
func (c Cell) meanOverClasses(measure func(classResult) float64) float64 {
	if len(c.Predicted) == 0 {
		return math.NaN()
	}
	counts := CountClasses(c.Truth)
	classes := make([]classResult, len(counts))
	for k, count := range counts {
		classes[k].of = count.Count
	}
	for i, label := range c.Predicted {
		k, known := slices.BinarySearchFunc(counts, label, compareClass)
		if !known {
			continue
		}
		classes[k].given++
		if label == c.Truth[i] {
			classes[k].right++
		}
	}
	sum := 0.0
	for _, k := range classes {
		sum += measure(k)
	}
	return sum / float64(len(classes))
}
