package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"r2lmlbench/internal/text"
)

// An Amount is the number of rows of each class in a part of a split: below 1 a share of
// the rows, from 1 on a number, 0 none.
type Amount float64

// Share reports whether the amount is a share.
func (a Amount) Share() bool { return a > 0 && a < 1 }

// Check reports an amount that is neither a share nor a whole number.
func (a Amount) Check() error {
	if !(a >= 0 && a <= math.MaxInt32) || a > 1 && a != Amount(math.Trunc(float64(a))) {
		return fmt.Errorf("%v is no share of the rows of a class below 1 and no whole number of them", a)
	}
	return nil
}

// unit: shares are rounded to multiples of 1/unit.
const unit = 1_000_000_000

// of returns the amount of n rows, with halves rounded up. Shares are decimals of nine
// digits, so that 0.29 of 50 is 14.5 on every machine.
func (a Amount) of(n int) int {
	if !a.Share() {
		return int(a)
	}
	return int((2*int64(math.Round(float64(a)*unit))*int64(n) + unit) / (2 * unit))
}

// Sized reports whether the rule sets the sizes of the parts; otherwise the entry does.
func (r Rule) Sized() bool {
	return r.Train > 0 || r.Kind == "first" || r.Kind == "cv" || r.ByColumn()
}

// A Fault is an error in the size of a part or in the folds of a rule.
type Fault struct {
	Key string // "train", "validation" or "folds"
	Err error
}

// Check returns the sizes that are wrong for every set.
func (r Rule) Check() (faults []Fault) {
	fault := func(key, format string, args ...any) {
		faults = append(faults, Fault{key, fmt.Errorf(format, args...)})
	}
	for _, part := range []struct {
		key    string
		amount Amount
	}{{"train", r.Train}, {"validation", r.Validation}} {
		switch err := part.amount.Check(); {
		case err != nil:
			fault(part.key, "%s: %w; write 0.3 for three tenths of each class, or 30 for 30 rows of each", part.key, err)
		case part.amount > 0 && r.Kind == "authors":
			fault(part.key, "rule authors has the sizes of the paper; remove %s, or use `rule: random` or `rule: first`", part.key)
		}
	}
	switch folds := r.Kind == "cv" || r.ByColumn(); {
	case len(faults) > 0:
	case folds && r.Train > 0:
		fault("train", "rule %s trains on all rows outside the test fold and the validation part; remove train", r.Kind)
	case folds:
	case r.Kind == "first" && r.Train == 0:
		fault("train", "rule first needs the rows of each class that train; add `train: 20`")
	case r.Validation > 0 && r.Train == 0:
		fault("validation", "validation needs train beside it; add `train: 0.5`, or remove validation for the sizes of the paper")
	case r.Train.Share() && r.Validation.Share() && r.Train.of(unit)+r.Validation.of(unit) >= unit:
		fault("validation", "train: %v and validation: %v leave nothing to test; their sum must be below 1", r.Train, r.Validation)
	}
	switch {
	case r.ByColumn(): // the rest depends on the column
	case r.Kind != "cv" && (r.Folds != 0 || r.Fold != 0):
		fault("folds", "rule %s has no folds; use `rule: cv`", r.Kind)
	case r.Kind == "cv" && r.Folds < 2:
		fault("folds", "folds is %d, want at least 2", r.Folds)
	case r.Kind == "cv" && (r.Fold < 1 || r.Fold > r.Folds):
		fault("folds", "fold %d, want one from 1 to %d", r.Fold, r.Folds)
	}
	return faults
}

// sharesOf gives the first rows of a class to training, the next to validation and
// the others to the test. A share that rounds to 0 still gets one row.
func (r Rule) sharesOf(rows []int) (parts [3][]int, err error) {
	n, others := len(rows), 1 // others: parts besides training that need a row
	if r.Validation > 0 {
		others = 2
	}
	if n <= others {
		return parts, fmt.Errorf("%s for the %d parts of the split; leave the class out, or join it with another", text.Counted(n, "row"), others+1)
	}
	train := r.Train.of(n)
	if r.Train.Share() {
		train = min(max(train, 1), n-others)
	}
	validation := r.Validation.of(n)
	if r.Train.Share() && r.Validation.Share() {
		validation = (r.Train + r.Validation).of(n) - train
	}
	if r.Validation.Share() {
		validation = max(min(validation, n-train-1), 1)
	}
	if train+validation >= n {
		return parts, fmt.Errorf("%s, %d are wanted to train, %d to validate and at least 1 to test", text.Counted(n, "row"), train, validation)
	}
	cut := train + validation
	return [3][]int{rows[:train], rows[train:cut], rows[cut:]}, nil
}

// foldOf deals the rows of a class to the folds. The classes before it have dealt rows,
// so it begins at fold dealt mod Folds.
func (r Rule) foldOf(rows []int, dealt int) (parts [3][]int, err error) {
	if len(rows) < r.Folds {
		return parts, fmt.Errorf("%s for %d folds; use fewer folds, leave the class out, or join it with another", text.Counted(len(rows), "row"), r.Folds)
	}
	folds := make([][]int, r.Folds)
	for i, row := range rows {
		f := (dealt + i) % r.Folds
		folds[f] = append(folds[f], row)
	}
	return r.heldOut(folds)
}

// heldOut tests on one of the folds of a class and takes the validation rows from the
// folds after it.
func (r Rule) heldOut(folds [][]int) (parts [3][]int, err error) {
	test := r.Fold - 1
	others := slices.Concat(slices.Concat(folds[r.Fold:]...), slices.Concat(folds[:test]...))
	validation := r.Validation.of(len(others))
	if r.Validation.Share() {
		validation = min(max(validation, 1), len(others)-1)
	}
	if validation >= len(others) || r.Validation > 0 && validation <= 0 {
		return parts, fmt.Errorf("fold %d leaves %s, not enough to train on and %v to validate", r.Fold, text.Counted(len(others), "row"), r.Validation)
	}
	return [3][]int{others[validation:], others[:validation], folds[test]}, nil
}

// PartSizes returns the numbers of training, validation and test rows under the rule. It
// computes them from the rows per class of the entry and does not read the set. It fails
// if a class has too few rows. If the rows per class are not known, all numbers are 0.
func (r Rule) PartSizes(e DataSet) (sizes [3]int, err error) {
	pieces, err := r.unread(e)
	if err == nil && len(e.Histogram) > 0 && e.Parts[0] > 0 {
		sizes = e.Parts
		if r.MaxTrain > 0 {
			sizes[0] = min(sizes[0], r.MaxTrain)
		}
	}
	for _, class := range pieces {
		for p, piece := range class {
			sizes[p] += len(piece)
		}
	}
	return sizes, err
}

// FewestTraining returns the class with the fewest training rows under the rule, the first of
// several, and their number. It does not read the set. ok is false if the rows per class are
// not known or cannot be divided.
func (r Rule) FewestTraining(e DataSet) (label string, rows int, ok bool) {
	pieces, err := r.unread(e)
	for c, class := range pieces {
		if n := len(class[0]); c == 0 || n < rows {
			label, rows = e.Labels[c], n
		}
	}
	return label, rows, err == nil && len(pieces) > 0
}

// Majority returns the class with the most training rows under the rule, the first of several, with
// their number, and the test rows of each class. It does not read the set. ok is false if the rows
// per class are not known or cannot be divided.
func (r Rule) Majority(e DataSet) (class, rows int, tested []int, ok bool) {
	pieces, err := r.unread(e)
	for c, piece := range pieces {
		tested, ok = append(tested, len(piece[2])), ok || len(piece[2]) > 0
		if len(piece[0]) > len(pieces[class][0]) {
			class = c
		}
	}
	if len(pieces) > 0 {
		rows = len(pieces[class][0])
	}
	return class, rows, tested, err == nil && ok
}

// unread divides the rows of each class without reading the set: every row number is 0, only
// the lengths count. It returns nil if the entry has no rows per class or no division.
func (r Rule) unread(e DataSet) ([][3][]int, error) {
	r, err := r.settle()
	if err != nil || len(e.Histogram) == 0 || e.Parts[0] > 0 {
		return nil, err
	}
	folds, _, err := r.foldsOf(e.Labels, e.Histogram, e.foldSizes(r), e.GroupSizes)
	if err != nil {
		return nil, err
	}
	some := make([]int, slices.Max(e.Histogram))
	return r.pieces(e.Sizes, r.strataOf(e.Labels, e.Histogram, folds, func(rows int) []int { return some[:rows] }))
}

// draw keeps MaxTrain training rows in the pieces of the classes.
func (r Rule) draw(pieces [][3][]int) error {
	sizes := make([]int, len(pieces))
	for c, piece := range pieces {
		sizes[c] = len(piece[0])
	}
	kept, err := r.kept(sizes)
	if err != nil || slices.Equal(kept, sizes) {
		return err
	}
	draw := rand.New(rand.NewPCG(r.Seed, 1<<63|uint64(r.Repeat)<<32|uint64(r.Fold))) // independent of the draws of the split
	for c := range pieces {
		rows := pieces[c][0]
		draw.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		pieces[c][0] = rows[:kept[c]]
	}
	return nil
}

// kept returns the numbers of training rows of each class under MaxTrain, given all numbers.
// Every class keeps one row; each further row goes to the class farthest below its share
// (Sainte-Laguë), the first of several.
func (r Rule) kept(sizes []int) ([]int, error) {
	all, classes := 0, 0
	for _, n := range sizes {
		all += n
		classes += min(n, 1)
	}
	if r.MaxTrain == 0 || all <= r.MaxTrain {
		return sizes, nil
	}
	if r.MaxTrain < classes {
		return sizes, fmt.Errorf("max-train is %d, and each of %d classes needs a row; raise it", r.MaxTrain, classes)
	}
	kept := make([]int, len(sizes))
	for c, n := range sizes {
		kept[c] = min(n, 1)
	}
	for range r.MaxTrain - classes {
		next := 0
		for c, n := range sizes {
			if (2*kept[c]+1)*sizes[next] < (2*kept[next]+1)*n {
				next = c
			}
		}
		kept[next]++
	}
	return kept, nil
}
