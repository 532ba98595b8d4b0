package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A FoldSize is a value of the column of folds of own data, with its rows of each class.
type FoldSize struct {
	Name string
	Rows []int // in code order
}

// foldSizes are the values of the column of folds, numbers by size and other texts in
// the order of their bytes; none without the column.
func (d *Data) foldSizes() []FoldSize {
	var all []FoldSize
	place := map[string]int{}
	for i, name := range d.Folds {
		at, ok := place[name]
		if !ok {
			at = len(all)
			place[name], all = at, append(all, FoldSize{name, make([]int, len(d.Labels))})
		}
		all[at].Rows[d.Y[i]-1]++
	}
	slices.SortFunc(all, func(a, b FoldSize) int { return compareLabels(a.Name, b.Name) })
	return all
}

// partWords are the values of the column that name the parts of one split.
var partWords = [3][]string{{"train", "training"}, {"validation", "valid", "val", "dev"}, {"test", "testing"}}

// partOf is the part that a value names, -1 if it names none.
func partOf(name string) int {
	return slices.IndexFunc(partWords[:], func(words []string) bool { return slices.Contains(words, strings.ToLower(name)) })
}

// Folds is the number of splits that the column of folds makes: 1 where its values name
// the parts, or are not known, and otherwise the number of its values.
func (e Entry) Folds() int {
	if len(e.FoldSizes) < 2 || slices.ContainsFunc(e.FoldSizes, func(f FoldSize) bool { return partOf(f.Name) >= 0 }) {
		return 1
	}
	return len(e.FoldSizes)
}

// checkColumn reports values of the column of folds that make no split.
func (r Rule) checkColumn(names []string) error {
	alien := slices.IndexFunc(names, func(name string) bool { return partOf(name) < 0 })
	switch parts := slices.ContainsFunc(names, func(name string) bool { return partOf(name) >= 0 }); {
	case len(names) == 0:
		return errors.New("the data have no column of folds; name it in the stanza of the data set: `fold: COLUMN`")
	case slices.Contains(names, ""):
		return errors.New("a row has nothing in the column of folds; give it a fold or a part")
	case parts && alien >= 0:
		return fmt.Errorf("the column of folds has %q beside the name of a part; want train, validation and test alone, or one name for each fold", names[alien])
	case !parts && len(names) < 2:
		return fmt.Errorf("the column of folds has %q alone, want at least two folds, or the parts train and test", names[0])
	case !parts && (r.Folds != len(names) || r.Fold < 1 || r.Fold > r.Folds):
		return fmt.Errorf("fold %d of %d, but the column has %d folds", r.Fold, r.Folds, len(names))
	}
	return nil
}

// columnPieces is pieces for the folds of a column. The rows of a class are those of
// each of the names.
func (r Rule) columnPieces(labels, names []string, classes [][][]int) ([][3][]int, error) {
	if err := r.checkColumn(names); err != nil {
		return nil, err
	}
	all := make([][3][]int, len(classes))
	tested := 0
	for c, folds := range classes {
		var err error
		if partOf(names[0]) >= 0 {
			for f, rows := range folds {
				p := partOf(names[f])
				all[c][p] = append(all[c][p], rows...)
			}
		} else {
			all[c], err = r.heldOut(folds)
		}
		if err == nil && len(all[c][0]) == 0 {
			err = errors.New("no row trains; give its rows to several parts or folds, or leave the class out")
		}
		if err != nil {
			return nil, fmt.Errorf("class %q: %w", labels[c], err)
		}
		tested += len(all[c][2])
	}
	if tested == 0 {
		return nil, errors.New("no row tests; give some rows the part test")
	}
	return all, nil
}

// columnClasses are the places of each class, and within it of each value of the column.
func columnClasses(d *Data) (names []string, classes [][][]int) {
	classes = make([][][]int, len(d.Labels))
	index := map[string]int{}
	for f, size := range d.foldSizes() {
		names, index[size.Name] = append(names, size.Name), f
	}
	for c := range classes {
		classes[c] = make([][]int, len(names))
	}
	if len(names) == 0 {
		return nil, classes
	}
	for row, label := range d.Y {
		c, f := label-1, index[d.Folds[row]]
		classes[c][f] = append(classes[c][f], row)
	}
	return names, classes
}

// columnSizes is columnClasses for an entry, with rows that stand for themselves only.
func columnSizes(e Entry) (names []string, classes [][][]int) {
	classes = make([][][]int, len(e.Histogram))
	for _, f := range e.FoldSizes {
		names = append(names, f.Name)
		for c := range classes {
			classes[c] = append(classes[c], make([]int, f.Rows[c]))
		}
	}
	return names, classes
}

// compareLabels orders numbers by size and other texts by their bytes.
func compareLabels(a, b string) int {
	x, notX := strconv.Atoi(a)
	y, notY := strconv.Atoi(b)
	if notX == nil && notY == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}
