package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Rule says how a set is cut into training, validation and test rows. The
// zero value is the rule of the paper's authors.
//
// Rule authors was measured on the three splits the authors published: within
// a class, in file order, the first rows train, the next validate and the rest
// test, as many as Table 1 says. Nothing is shuffled or scaled. Robot's
// training rows come in two runs, see Sizes.Head; the test rows of Wine
// Quality end where the printed accuracies say.
//
// Rule random draws the same numbers of rows per class without replacement,
// from math/rand/v2's PCG seeded with Seed and Repeat. With Train it draws as many
// as Train and Validation say, and the rest test.
//
// Rule first is rule authors with the sizes of Train and Validation, for any set.
//
// Rule cv deals the rows of each class to Folds folds, in an order drawn as under
// random, so that the folds differ by one row at most in every class and in all. Fold
// says which of them tests. Validation is held out of the rest, from the folds that
// follow, and what remains trains.
//
// Rule shuffled takes the rows of rule authors and permutes the labels of the
// training rows among themselves, and those of the validation rows. Test rows keep
// theirs: there is nothing to learn, and a method should get the share of a class.
//
// Rule fold takes the folds of a column of own data, see [Data.Folds]. Where its values
// are train, validation and test they name the parts of one split. Otherwise each value
// is a fold: Folds is their number, and Fold, Validation and the rest are as under cv.
//
// Rule files takes the parts of own data that come as a file for each part, and of a set of
// the catalogue the files that [Entry.Filed] names, with the features as they are.
//
// Each part holds the classes in code order and the rows of a class in file order. Under shuffled these are the classes that the rows had before.
type Rule struct {
	Kind   string // "authors" (also ""), "random", "shuffled", "first", "cv", "fold", "files"
	Seed   uint64 // random, shuffled and cv: the same seed gives the same split
	Repeat int    // random, shuffled and cv: number of the split among those of one seed, from 0 or 1 on as one likes
	PCAFit string // rows the principal components are fitted on: "all" (also ""), "train"

	Train      Amount // first and random: training rows of each class; 0 under random: those of the entry
	Validation Amount // first, random with Train: validation rows of each class; cv: of what the fold leaves of the class
	Folds      int    // cv and fold: number of the folds; 0: the column names the parts
	Fold       int    // cv and fold: which of them tests, from 1

	// MaxTrain is how many training rows remain at most, drawn by Seed, Repeat and Fold so
	// that the classes keep their shares and a row each; 0: all. The other parts stay.
	MaxTrain int

	// Standardized: every feature gets mean 0 and standard deviation 1 over the rows that
	// the principal components are fitted on, before they are. The paper's numbers for
	// Isolet, Optdigits and COIL20 come back with it. It says nothing of sets that keep
	// their features.
	Standardized bool
}

// ruleKinds are what a Rule may have for Kind, the default first.
var ruleKinds = []string{"authors", "random", "shuffled", "first", "cv", "fold", "files"}

// String names the rule with what matters to it: "authors",
// "random seed=1 repeat=2", "authors pca=train,standardized",
// "cv folds=5 validation=0.2 max-train=2000 seed=1 repeat=2 fold=3".
func (r Rule) String() string {
	s := r.Kind
	if s == "" {
		s = "authors"
	}
	if r.Folds > 0 {
		s += fmt.Sprintf(" folds=%d", r.Folds)
	}
	if r.Train > 0 {
		s += fmt.Sprintf(" train=%v", r.Train)
	}
	if r.Validation > 0 {
		s += fmt.Sprintf(" validation=%v", r.Validation)
	}
	if r.MaxTrain > 0 {
		s += fmt.Sprintf(" max-train=%d", r.MaxTrain)
	}
	if r.Drawn() {
		s += fmt.Sprintf(" seed=%d repeat=%d", r.Seed, r.Repeat)
	}
	if r.Fold > 0 {
		s += fmt.Sprintf(" fold=%d", r.Fold)
	}
	var pca []string
	if r.PCAFit != "" && r.PCAFit != "all" {
		pca = append(pca, r.PCAFit)
	}
	if r.Standardized {
		pca = append(pca, "standardized")
	}
	if len(pca) > 0 {
		s += " pca=" + strings.Join(pca, ",")
	}
	return s
}

// Drawn tells whether the rule draws random numbers, and has several splits.
func (r Rule) Drawn() bool { return r.Kind == "random" || r.Kind == "shuffled" || r.Kind == "cv" }

// byColumn tells whether the data say which rows train, validate and test.
func (r Rule) byColumn() bool { return r.Kind == "fold" || r.Kind == "files" }

// settle checks a rule and fills in its defaults.
func (r Rule) settle() (Rule, error) {
	if r.Kind == "" {
		r.Kind = "authors"
	}
	if r.PCAFit == "" {
		r.PCAFit = "all"
	}
	switch {
	case !slices.Contains(ruleKinds, r.Kind):
		return r, fmt.Errorf("unknown split rule %q, want %s or %s", r.Kind, strings.Join(ruleKinds[:len(ruleKinds)-1], ", "), ruleKinds[len(ruleKinds)-1])
	case r.PCAFit != "all" && r.PCAFit != "train":
		return r, fmt.Errorf("unknown rows %q to fit the principal components on, want all or train", r.PCAFit)
	case r.Repeat < 0:
		return r, fmt.Errorf("repeat %d is negative", r.Repeat)
	case r.MaxTrain < 0:
		return r, fmt.Errorf("at most %d training rows", r.MaxTrain)
	}
	return r, r.checkSizes()
}

// rows returns the row numbers of the three parts. The codes of d are those of
// the rule.
func (r Rule) rows(s Sizes, d *Data) (parts [3][]int, err error) {
	classes := classPlaces(d)
	if r.Kind == "random" || r.Kind == "cv" {
		draw := rand.New(rand.NewPCG(r.Seed, uint64(r.Repeat)))
		for _, rows := range classes {
			draw.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
	}
	var pieces [][3][]int
	if r.byColumn() {
		names, folds := columnClasses(d)
		pieces, err = r.columnPieces(d.Labels, names, folds)
	} else {
		pieces, err = r.pieces(s, d.Labels, classes)
	}
	if err == nil {
		err = r.draw(pieces)
	}
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

// pieces cuts the rows of each class, which are in the order that the rule takes them
// in, into training, validation and test rows.
func (r Rule) pieces(s Sizes, labels []string, classes [][]int) ([][3][]int, error) {
	all := make([][3][]int, len(classes))
	dealt, room := 0, s.TestTotal
	for c, rows := range classes {
		var err error
		switch {
		case r.Kind == "cv":
			all[c], err = r.foldOf(rows, dealt)
		case r.Sized():
			all[c], err = r.sharesOf(rows)
		default:
			all[c], err = s.divide(rows)
		}
		if err != nil {
			return nil, fmt.Errorf("class %q: %w", labels[c], err)
		}
		if test := &all[c][2]; s.TestTotal > 0 && !r.Sized() {
			*test = (*test)[:min(room, len(*test))]
			room -= len(*test)
		}
		dealt += len(rows)
	}
	return all, nil
}

// shuffled returns d with the labels of the training rows permuted among
// themselves, and those of the validation rows.
func (r Rule) shuffled(d *Data, parts [3][]int) *Data {
	draw := rand.New(rand.NewPCG(r.Seed, uint64(r.Repeat)))
	permuted := *d
	permuted.Y = slices.Clone(d.Y)
	for _, rows := range parts[:2] {
		draw.Shuffle(len(rows), func(i, j int) {
			a, b := rows[i], rows[j]
			permuted.Y[a], permuted.Y[b] = permuted.Y[b], permuted.Y[a]
		})
	}
	return &permuted
}

// divide cuts the rows of one class into training, validation and test rows.
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

// classPlaces returns the rows of each class, in the order of the files.
func classPlaces(d *Data) [][]int {
	sizes := make([]int, len(d.Labels))
	for _, label := range d.Y {
		sizes[label-1]++
	}
	classes := make([][]int, len(d.Labels))
	for c, size := range sizes {
		classes[c] = make([]int, 0, size)
	}
	for row, label := range d.Y {
		classes[label-1] = append(classes[label-1], row)
	}
	return classes
}
