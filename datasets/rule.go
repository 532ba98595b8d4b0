package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Rule divides a set into training, validation and test rows. The zero value is
// the rule of the paper's authors.
//
// Rule authors was inferred from the three splits that the authors published:
// within a class, in file order, the first rows train, the next validate and the
// rest test, with the numbers of Table 1. Nothing is shuffled or scaled. Robot's
// training rows come in two runs, see Sizes.Head; the number of test rows of Wine
// Quality follows from the printed accuracies.
//
// Rule random draws the same numbers of rows per class without replacement,
// from math/rand/v2's PCG seeded with Seed and Repeat. If Train is set, Train and
// Validation are the sizes, and the other rows test.
//
// Rule first is rule authors with the sizes Train and Validation, for any set.
//
// Rule cv deals the rows of each class to Folds folds, in a random order, so that the
// sizes of folds differ by at most one row, per class and in total. Fold is the number of
// the test fold. The folds after it give the validation rows; the other rows train.
//
// Rule fold uses the column of folds of own data, see [Data.Folds]. If its values are
// train, validation and test, they name the parts of one split. Otherwise each value is a
// fold: Folds is their number, and Fold and Validation work as under cv.
//
// Rule files uses one file per part: the files of own data, or the files of a set of the
// catalogue that [DataSet.Filed] names, without principal components.
//
// Rule openml uses the repeats and folds of an OpenML task, see [Own.Task]: Repeat is the number of
// the repeat, and within it the rule is that of a column of folds or parts.
//
// Rules random and cv keep the rows of a group in one part if the data have groups, see
// [Data.Groups]: of all divisions of whole groups they draw one that nearly has the shares.
//
// In each part the classes are in code order and the rows of a class in file order.
type Rule struct {
	Kind   string // "authors" (also ""), "random", "first", "cv", "fold", "files", "openml"
	Seed   uint64 // random and cv: the same seed gives the same split
	Repeat int    // random, cv and openml: number of the split among those of one seed, or of the task
	PCAFit string // rows for fitting the principal components: "all" (also ""), "train"

	Train      Amount // first and random: training rows of each class; 0 under random: the sizes of the entry
	Validation Amount // first, random with Train: validation rows of each class; cv: rows or share of the other folds
	Folds      int    // cv and fold: number of the folds; 0: the column names the parts
	Fold       int    // cv and fold: number of the test fold, from 1

	// MaxTrain is the largest number of training rows, drawn by Seed, Repeat and Fold in
	// the shares of the classes, at least one per class; 0: all. Other parts do not change.
	MaxTrain int

	// Standardized scales every feature to mean 0 and standard deviation 1, over the rows
	// for fitting the principal components and before fitting them. With it we come near
	// the paper's numbers for Isolet, Optdigits and COIL20. It has no effect on sets
	// without principal components.
	Standardized bool
}

// RuleKinds are the values of Rule.Kind, the default first.
var RuleKinds = []string{"authors", "random", "first", "cv", "fold", "files", openmlRule}

const openmlRule = "openml"

// String names the rule with its parameters: "authors",
// "random seed=1 repeat=2", "authors pca=train,standardized",
// "cv folds=5 validation=0.2 max-train=2000 seed=1 repeat=2 fold=3".
func (r Rule) String() string {
	parts := []string{cmp.Or(r.Kind, "authors")}
	add := func(has bool, format string, args ...any) {
		if has {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(r.Folds > 0, "folds=%d", r.Folds)
	add(r.Train > 0, "train=%v", r.Train)
	add(r.Validation > 0, "validation=%v", r.Validation)
	add(r.MaxTrain > 0, "max-train=%d", r.MaxTrain)
	add(r.Drawn(), "seed=%d repeat=%d", r.Seed, r.Repeat)
	add(r.Kind == openmlRule, "repeat=%d", r.Repeat)
	add(r.Fold > 0, "fold=%d", r.Fold)
	var pca []string
	if r.PCAFit != "" && r.PCAFit != "all" {
		pca = append(pca, r.PCAFit)
	}
	if r.Standardized {
		pca = append(pca, "standardized")
	}
	add(len(pca) > 0, "pca=%s", strings.Join(pca, ","))
	return strings.Join(parts, " ")
}

// Drawn reports whether the rule draws random splits.
func (r Rule) Drawn() bool { return r.Kind == "random" || r.Kind == "cv" }

// ByColumn reports whether the data name the parts or folds of the rows.
func (r Rule) ByColumn() bool { return r.Kind == "fold" || r.Kind == "files" || r.Kind == openmlRule }

// settle checks a rule and fills in its defaults.
func (r Rule) settle() (Rule, error) {
	r.Kind, r.PCAFit = cmp.Or(r.Kind, "authors"), cmp.Or(r.PCAFit, "all")
	switch {
	case !slices.Contains(RuleKinds, r.Kind):
		return r, fmt.Errorf("unknown split rule %q, want %s or %s", r.Kind, strings.Join(RuleKinds[:len(RuleKinds)-1], ", "), RuleKinds[len(RuleKinds)-1])
	case r.PCAFit != "all" && r.PCAFit != "train":
		return r, fmt.Errorf("unknown rows %q to fit the principal components on, want all or train", r.PCAFit)
	case r.Repeat < 0:
		return r, fmt.Errorf("repeat %d is negative", r.Repeat)
	case r.MaxTrain < 0:
		return r, fmt.Errorf("at most %d training rows", r.MaxTrain)
	}
	if faults := r.Check(); len(faults) > 0 {
		return r, faults[0].Err
	}
	return r, nil
}

// rows returns the row numbers of the three parts.
func (r Rule) rows(s Sizes, d *Data) (parts [3][]int, err error) {
	all, err := r.strataIn(d)
	if err != nil {
		return parts, err
	}
	if r.Drawn() && d.Groups == nil {
		draw := rand.New(rand.NewPCG(r.Seed, uint64(r.Repeat)))
		for _, class := range all.rows {
			rows := class[0]
			draw.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
	}
	pieces, err := r.pieces(s, all)
	if err != nil {
		return parts, err
	}
	for _, class := range pieces {
		for p, piece := range class {
			slices.Sort(piece)
			parts[p] = append(parts[p], piece...)
		}
	}
	return parts, nil
}

// strata are the rows of a set by class and, within a class, by the value of the column of
// folds, or by the part of their groups.
type strata struct {
	labels []string
	names  []string  // the values of the column, or the parts; one "" without folds and groups
	rows   [][][]int // by class and value, in the order of the files
}

// strataOf returns the strata of classes with these numbers of rows; room returns a slice for
// the rows of a stratum.
func (r Rule) strataOf(labels []string, histogram []int, folds []FoldSize, room func(rows int) []int) strata {
	all := strata{labels: labels, rows: make([][][]int, len(histogram))}
	for _, f := range folds {
		all.names = append(all.names, f.Name)
		for c, n := range f.Rows {
			all.rows[c] = append(all.rows[c], room(n))
		}
	}
	return all
}

// foldsOf returns what the rows of a class are divided by under the rule: the values of the column
// of folds, the parts that groups were drawn for, with the part of each group, or one value.
func (r Rule) foldsOf(labels []string, histogram []int, folds []FoldSize, groups []GroupSize) ([]FoldSize, []int, error) {
	switch {
	case groups != nil:
		part, err := r.grouped(groups, labels)
		if err != nil {
			return nil, nil, err
		}
		var parts []FoldSize
		for _, words := range partWords {
			parts = append(parts, FoldSize{words[0], make([]int, len(labels))})
		}
		for g, p := range part {
			for k, class := range groups[g].Classes {
				parts[p].Rows[class-1] += groups[g].Rows[k]
			}
		}
		return parts, part, nil
	case r.ByColumn():
		return folds, nil, nil
	}
	return []FoldSize{{Rows: histogram}}, nil, nil
}

// strataIn returns the strata of data.
func (r Rule) strataIn(d *Data) (strata, error) {
	groups := groupSizes(d.Groups, d.Y)
	folds, part, err := r.foldsOf(d.Labels, d.Histogram(), d.foldSizes(), groups)
	if err != nil {
		return strata{}, err
	}
	all := r.strataOf(d.Labels, d.Histogram(), folds, func(rows int) []int { return make([]int, 0, rows) })
	if len(all.names) == 0 {
		return all, nil // without the column
	}
	index, of := map[string]int{}, d.Folds // of the value of each row
	for f, name := range all.names {
		index[name] = f
	}
	if groups != nil {
		of = d.Groups
		for g, p := range part {
			index[groups[g].Name] = p
		}
	}
	for row, label := range d.Y {
		f := 0
		if groups != nil || r.ByColumn() {
			f = index[of[row]]
		}
		at := &all.rows[label-1][f]
		*at = append(*at, row)
	}
	return all, nil
}

// pieces divides the rows of each class, in the order of the rule, into training, validation
// and test rows, and keeps at most MaxTrain training rows.
func (r Rule) pieces(s Sizes, of strata) ([][3][]int, error) {
	if r.ByColumn() {
		if err := r.checkColumn(of.names); err != nil {
			return nil, err
		}
	}
	all := make([][3][]int, len(of.rows))
	dealt, room, tested := 0, s.TestTotal, 0
	for c, class := range of.rows {
		var err error
		switch {
		case partOf(of.names[0]) >= 0:
			for f, rows := range class {
				p := partOf(of.names[f])
				all[c][p] = append(all[c][p], rows...)
			}
		case r.ByColumn():
			all[c], err = r.heldOut(class)
		case r.Kind == "cv":
			all[c], err = r.foldOf(class[0], dealt)
		case r.Sized():
			all[c], err = r.sharesOf(class[0])
		default:
			all[c], err = s.divide(class[0])
		}
		if err == nil && len(all[c][0]) == 0 {
			err = errors.New("no row trains; give its rows to several parts, folds or groups, or leave the class out")
		}
		if err != nil {
			return nil, fmt.Errorf("class %q: %w", of.labels[c], err)
		}
		if test := &all[c][2]; s.TestTotal > 0 && !r.Sized() {
			*test = (*test)[:min(room, len(*test))]
			room -= len(*test)
		}
		dealt += len(class[0])
		tested += len(all[c][2])
	}
	if tested == 0 {
		return nil, errors.New("no row tests; give some rows the part test, or have more groups")
	}
	return all, r.draw(all)
}

// divide divides the rows of one class into training, validation and test rows.
func (s Sizes) divide(rows []int) (parts [3][]int, err error) {
	if s.Train < 1 || s.Train+s.Validation+max(s.Test, 1) > len(rows) {
		return parts, fmt.Errorf("%d rows, %d are wanted to train, %d to validate and at least %d to test",
			len(rows), s.Train, s.Validation, max(s.Test, 1))
	}
	head := s.Head
	if head == 0 {
		head = s.Train
	}
	used := s.Train + s.Validation
	parts[0] = slices.Concat(rows[:head], rows[head+s.Validation:used])
	parts[1] = rows[head : head+s.Validation]
	parts[2] = rows[used:]
	if s.Test > 0 {
		parts[2] = parts[2][:s.Test]
	}
	return parts, nil
}
