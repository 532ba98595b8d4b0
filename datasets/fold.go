package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A FoldSize is a value of the column of folds of own data, with its numbers of rows of each class.
type FoldSize struct {
	Name string
	Rows []int // in code order
}

// foldSizes returns the values of the column of folds, numbers by size and other texts in
// byte order; nil without that column.
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
	slices.SortFunc(all, func(a, b FoldSize) int {
		x, notX := strconv.Atoi(a.Name)
		y, notY := strconv.Atoi(b.Name)
		if notX == nil && notY == nil {
			return cmp.Compare(x, y)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}

// partWords are the values of the column of folds that name the parts of one split.
var partWords = [3][]string{{"train", "training"}, {"validation", "valid", "val", "dev"}, {"test", "testing"}}

// partOf returns the part that a value names, -1 if it names none.
func partOf(name string) int {
	return slices.IndexFunc(partWords[:], func(words []string) bool { return slices.Contains(words, strings.ToLower(name)) })
}

// Folds returns the number of splits by the column of folds: 1 if its values name the parts
// or are not known, and otherwise the number of its values.
func (e DataSet) Folds() int {
	if len(e.FoldSizes) < 2 || slices.ContainsFunc(e.FoldSizes, func(f FoldSize) bool { return partOf(f.Name) >= 0 }) {
		return 1
	}
	return len(e.FoldSizes)
}

// Splits returns the number of splits by the column of folds, or by those of an OpenML task.
func (e DataSet) Splits() int { return e.Folds() * (1 + len(e.More)) }

// foldSizes returns the values of the column of folds under the rule.
func (e DataSet) foldSizes(r Rule) []FoldSize {
	if r.Kind == openmlRule && r.Repeat > 1 && r.Repeat < len(e.More)+2 {
		return e.More[r.Repeat-2]
	}
	return e.FoldSizes
}

// checkColumn returns an error if the values of the column of folds make no split.
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
