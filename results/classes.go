package results

import (
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
	of := newClassIndex(truth)
	all := make([]ClassCount, len(of.labels))
	for k, label := range of.labels {
		all[k].Label = label
	}
	for _, label := range truth {
		all[of.class(label)].Count++
	}
	return all
}

// A classIndex finds the place of a label among the distinct ones.
type classIndex struct {
	labels []int // distinct, ascending
	places []int // by label, -1 for others; nil when labels are too large for that
}

// maxPlaces bounds the labels that are found by a table.
const maxPlaces = 1 << 12

func newClassIndex(truth []int) classIndex {
	of := classIndex{labels: distinct(truth)}
	if n := len(of.labels); n == 0 || of.labels[0] < 0 || of.labels[n-1] >= maxPlaces {
		return of
	}
	of.places = slices.Repeat([]int{-1}, of.labels[len(of.labels)-1]+1)
	for k, label := range of.labels {
		of.places[label] = k
	}
	return of
}

// class is the place of a label, -1 for one that is not there.
func (of classIndex) class(label int) int {
	if of.places == nil {
		k, ok := slices.BinarySearch(of.labels, label)
		if !ok {
			return -1
		}
		return k
	}
	if label < 0 || label >= len(of.places) {
		return -1
	}
	return of.places[label]
}

// BalancedAccuracy is the mean over the classes of the test samples of the share
// of each class that was given its own label. It is not a number without
// predictions.
func (c Cell) BalancedAccuracy() float64 { return c.Classes().BalancedAccuracy() }

// MacroF1 is the mean over the classes of the test samples of
//
//	F1 = 2 TP / (2 TP + FP + FN),
//
// which is 0 for a class of which no sample was given its label. Labels that no
// test sample has are no classes; a sample that was given one counts as missed in
// its own class. It is not a number without predictions.
func (c Cell) MacroF1() float64 { return c.Classes().MacroF1() }

// ClassResults are what became of the classes of the test samples, in ascending order
// of the labels; none without predictions.
type ClassResults []classResult

// A classResult is what became of a class: TP, TP + FN and TP + FP.
type classResult struct{ right, of, given int }

// Classes counts the predictions by class.
func (c Cell) Classes() ClassResults {
	if len(c.Predicted) == 0 {
		return nil
	}
	of := newClassIndex(c.Truth)
	classes := make(ClassResults, len(of.labels))
	for i, label := range c.Truth {
		own := of.class(label)
		classes[own].of++
		if label == c.Predicted[i] {
			classes[own].given++
			classes[own].right++
		} else if given := of.class(c.Predicted[i]); given >= 0 {
			classes[given].given++
		}
	}
	return classes
}

// BalancedAccuracy is that of the cell.
func (all ClassResults) BalancedAccuracy() float64 {
	return all.mean(func(k classResult) float64 { return float64(k.right) / float64(k.of) })
}

// MacroF1 is that of the cell.
func (all ClassResults) MacroF1() float64 {
	return all.mean(func(k classResult) float64 { return 2 * float64(k.right) / float64(k.given+k.of) })
}

// mean is the mean of a measure over the classes, not a number without any.
func (all ClassResults) mean(measure func(classResult) float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, k := range all {
		sum += measure(k)
	}
	return sum / float64(len(all))
}
