package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
// from math/rand/v2's PCG seeded with Seed and Repeat.
//
// Under both, each part holds the classes in code order and the rows of a
// class in file order.
type Rule struct {
	Kind   string // "authors" (also ""), "random"
	Seed   uint64 // random: the same seed gives the same split
	Repeat int    // random: number of the split among those of one seed, from 0 or 1 on as one likes
	PCAFit string // rows the principal components are fitted on: "all" (also ""), "train"
}

// String names the rule with what matters to it: "authors",
// "random seed=1 repeat=2", "authors pca=train".
func (r Rule) String() string {
	s := r.Kind
	if s == "" {
		s = "authors"
	}
	if s == "random" {
		s = fmt.Sprintf("random seed=%d repeat=%d", r.Seed, r.Repeat)
	}
	if r.PCAFit != "" && r.PCAFit != "all" {
		s += " pca=" + r.PCAFit
	}
	return s
}

// settle checks a rule and fills in its defaults.
func (r Rule) settle() (Rule, error) {
	if r.Kind == "" {
		r.Kind = "authors"
	}
	if r.PCAFit == "" {
		r.PCAFit = "all"
	}
	switch {
	case r.Kind != "authors" && r.Kind != "random":
		return r, fmt.Errorf("unknown split rule %q, want authors or random", r.Kind)
	case r.PCAFit != "all" && r.PCAFit != "train":
		return r, fmt.Errorf("unknown rows %q to fit the principal components on, want all or train", r.PCAFit)
	case r.Repeat < 0:
		return r, fmt.Errorf("repeat %d is negative", r.Repeat)
	}
	return r, nil
}

// rows returns the row numbers of the three parts.
func (r Rule) rows(s Sizes, d *Data) (parts [3][]int, err error) {
	classes := classRows(d)
	if r.Kind == "random" {
		draw := rand.New(rand.NewPCG(r.Seed, uint64(r.Repeat)))
		for _, rows := range classes {
			draw.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
	}
	room := s.TestTotal
	for c, rows := range classes {
		pieces, err := s.divide(rows)
		if err != nil {
			return parts, fmt.Errorf("class %q: %w", d.Labels[c], err)
		}
		if s.TestTotal > 0 {
			pieces[2] = pieces[2][:min(room, len(pieces[2]))]
			room -= len(pieces[2])
		}
		for p, piece := range pieces {
			slices.Sort(piece)
			parts[p] = append(parts[p], piece...)
		}
	}
	return parts, nil
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
	parts[1] = slices.Clone(rows[head : head+s.Validation])
	parts[2] = slices.Clone(rows[used:])
	if s.Test > 0 {
		parts[2] = parts[2][:s.Test]
	}
	return parts, nil
}

// classRows returns the rows of each class, in file order.
func classRows(d *Data) [][]int {
	classes := make([][]int, len(d.Labels))
	for i, code := range d.Y {
		classes[code-1] = append(classes[code-1], i)
	}
	return classes
}
