package results

import (
	"cmp"
	"maps"
	"slices"
)

// A ClassCount is a class of the test samples.
type ClassCount struct {
	Label int `json:"label"`
	Count int `json:"count"` // test samples of the class
}

// CountClasses counts labels, in ascending order of the labels.
func CountClasses(truth []int) []ClassCount {
	counts := map[int]int{}
	for _, label := range truth {
		counts[label]++
	}
	var all []ClassCount
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, ClassCount{label, counts[label]})
	}
	return all
}

// ClassResults are what became of the classes of the test samples, in ascending order
// of the labels; none without predictions.
type ClassResults []classResult

// A classResult is what became of a class: TP, TP + FN and TP + FP.
type classResult struct{ right, of, given int }

// CountResults counts labels that were given to samples against the true ones.
func CountResults(truth, given []int) ClassResults {
	if len(given) == 0 {
		return nil
	}
	counts := CountClasses(truth)
	classes := make(ClassResults, len(counts))
	for k, class := range counts {
		classes[k].of = class.Count
	}
	for i, label := range given {
		if k, known := findClass(counts, label); known {
			classes[k].given++
			if label == truth[i] {
				classes[k].right++
			}
		}
	}
	return classes
}

// findClass returns the place of a label among classes.
func findClass(classes []ClassCount, label int) (int, bool) {
	return slices.BinarySearchFunc(classes, label, func(c ClassCount, label int) int { return cmp.Compare(c.Label, label) })
}

// recall and f1 are measures of a class, as the two parts of a fraction.
func (k classResult) recall() (part, whole int) { return k.right, k.of }

func (k classResult) f1() (part, whole int) { return 2 * k.right, k.given + k.of }
