package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// A GroupSize is a value of the column of groups of own data, with its numbers of rows of
// each class that it has.
type GroupSize struct {
	Name    string
	Classes []int // codes, ascending
	Rows    []int // of each of Classes
}

// groupSizes returns the groups of rows by their first row; nil without groups.
func groupSizes(groups []string, y []int) []GroupSize {
	var all []GroupSize
	place := map[string]int{}
	for i, name := range groups {
		g, known := place[name]
		if !known {
			g = len(all)
			place[name], all = g, append(all, GroupSize{Name: name})
		}
		c, known := slices.BinarySearch(all[g].Classes, y[i])
		if !known {
			all[g].Classes, all[g].Rows = slices.Insert(all[g].Classes, c, y[i]), slices.Insert(all[g].Rows, c, 0)
		}
		all[g].Rows[c]++
	}
	return all
}

// grouped returns the part of each group: 0 training, 1 validation, 2 test. It fails if a class
// has fewer groups than the split has parts, or folds.
func (r Rule) grouped(groups []GroupSize, labels []string) ([]int, error) {
	switch random := r.Kind == "random" && r.Train.Share() && (r.Validation == 0 || r.Validation.Share()); {
	case r.Kind != "random" && r.Kind != "cv":
		return nil, fmt.Errorf("rule %s does not keep the rows of a group together; use `rule: random` or `rule: cv`, or remove `group`", r.Kind)
	case r.Kind == "random" && !random, r.Kind == "cv" && r.Validation >= 1:
		return nil, fmt.Errorf("groups are divided by shares; write train and validation as shares, such as 0.5 and 0.2, or remove `group`")
	}
	shares := []float64{float64(r.Train), float64(r.Validation), 1 - float64(r.Train) - float64(r.Validation)}
	of := "parts"
	if r.Kind == "cv" {
		shares, of = equalShares(r.Folds), "folds"
	}
	if err := enoughGroups(groups, labels, shares, of); err != nil {
		return nil, err
	}
	parts := deal(groups, shares, rand.New(rand.NewPCG(r.Seed, uint64(r.Repeat))))
	if r.Kind == "random" {
		return parts, nil
	}
	var others []GroupSize
	for g, fold := range parts {
		if fold != r.Fold-1 {
			others = append(others, groups[g])
		}
	}
	draw := rand.New(rand.NewPCG(r.Seed, 1<<62|uint64(r.Repeat)<<32|uint64(r.Fold))) // independent of the draw of the folds
	inner := deal(others, []float64{1 - float64(r.Validation), float64(r.Validation)}, draw)
	for g, fold := range parts {
		if parts[g] = 2; fold != r.Fold-1 {
			parts[g], inner = inner[0], inner[1:]
		}
	}
	return parts, nil
}

// equalShares are those of folds.
func equalShares(folds int) []float64 {
	return slices.Repeat([]float64{1 / float64(folds)}, folds)
}

// enoughGroups returns an error if a class has fewer groups than there are parts.
func enoughGroups(groups []GroupSize, labels []string, shares []float64, of string) error {
	parts := 0
	for _, share := range shares {
		if share > 0 {
			parts++
		}
	}
	if len(groups) < parts {
		return fmt.Errorf("the column of groups has %s, and the rows of a group stay in one of %d %s; name another column in `group`, or remove it",
			text.Counted(len(groups), "value"), parts, of)
	}
	for c, label := range labels {
		var names []string
		for _, g := range groups {
			if _, has := slices.BinarySearch(g.Classes, c+1); has && len(names) < parts {
				names = append(names, strconv.Quote(g.Name))
			}
		}
		if len(names) < parts {
			return fmt.Errorf("class %q: all its rows are in %s (%s), and the rows of a group stay in one of %d %s; "+
				"leave the class out, join it with another, or remove `group`", label, text.Counted(len(names), "group"), strings.Join(names, ", "), parts, of)
		}
	}
	return nil
}

// deal gives each group a part, so that every class, and all rows together, have their shares of
// the parts as nearly as whole groups allow. It lowers
//
//	Σ_c Σ_p (n_cp/n_c − s_p)²/s_p
//
// over the classes c and, as one class more, all rows, where s_p is the share of part p: groups
// are placed one by one in a random order, and then moved and exchanged while that lowers the
// sum. With equal shares this is the criterion of scikit-learn's StratifiedGroupKFold, but for
// the square root of each class; its order by size would give every repeat the same split.
func deal(groups []GroupSize, shares []float64, draw *rand.Rand) []int {
	d := newDealing(groups, shares)
	order := draw.Perm(len(groups))
	for _, g := range order {
		d.put(g, d.bestPlace(g))
	}
	const passes = 20 // far more than are needed; a bound for rounding
	for range passes {
		moved := false
		for _, g := range order {
			from := d.part[g]
			d.take(g)
			to := d.bestPlace(g)
			if !(d.gain(g, from)-d.gain(g, to) > 1e-9) {
				to = from
			}
			d.put(g, to)
			moved = moved || to != from
		}
		for range len(order) {
			moved = d.exchange(draw.IntN(len(order)), draw.IntN(len(order))) || moved
		}
		if !moved {
			break
		}
	}
	return d.part
}

// A dealing is the state of deal.
type dealing struct {
	groups []GroupSize
	shares []float64
	totals []float64   // n_c; n_0 counts all rows
	x      [][]float64 // n_cp/n_c, by class and part
	part   []int       // of each group
}

func newDealing(groups []GroupSize, shares []float64) *dealing {
	d := &dealing{groups: groups, shares: shares, totals: []float64{0}, part: make([]int, len(groups))}
	for _, g := range groups {
		for k, class := range g.Classes {
			d.totals = append(d.totals, make([]float64, max(class+1-len(d.totals), 0))...)
			d.totals[class] += float64(g.Rows[k])
			d.totals[0] += float64(g.Rows[k])
		}
	}
	for range d.totals {
		d.x = append(d.x, make([]float64, len(shares)))
	}
	return d
}

// each calls do with every class of a group, class 0 being all rows, and the share of its rows
// that are in the group.
func (d *dealing) each(g int, do func(class int, rows float64)) {
	all := 0.0
	for k, class := range d.groups[g].Classes {
		n := float64(d.groups[g].Rows[k])
		all += n
		do(class, n/d.totals[class])
	}
	do(0, all/d.totals[0])
}

func (d *dealing) put(g, part int) {
	d.part[g] = part
	d.each(g, func(class int, rows float64) { d.x[class][part] += rows })
}

func (d *dealing) take(g int) {
	d.each(g, func(class int, rows float64) { d.x[class][d.part[g]] -= rows })
}

// gain is what the sum grows by when a group comes to a part: with m the share of its rows,
// ((x+m−s)² − (x−s)²)/s = m(2(x−s)+m)/s. The conversions keep processors from fusing products
// and sums, so that all give the same bits.
func (d *dealing) gain(g, part int) (sum float64) {
	s := d.shares[part]
	d.each(g, func(class int, rows float64) {
		off := float64(2 * (d.x[class][part] - s))
		sum += float64(float64(rows*(off+rows)) / s)
	})
	return sum
}

// bestPlace returns the part that a group raises the sum least in, the first of equals.
func (d *dealing) bestPlace(g int) int {
	best, least := -1, 0.0
	for part, share := range d.shares {
		if share <= 0 {
			continue
		}
		if gain := d.gain(g, part); best < 0 || gain < least {
			best, least = part, gain
		}
	}
	return best
}

// exchange exchanges the parts of two groups if that lowers the sum.
func (d *dealing) exchange(g, h int) bool {
	a, b := d.part[g], d.part[h]
	if a == b {
		return false
	}
	d.take(g)
	d.take(h)
	better := d.gain(g, b)+d.gain(h, a) < d.gain(g, a)+d.gain(h, b)-1e-9
	if better {
		a, b = b, a
	}
	d.put(g, a)
	d.put(h, b)
	return better
}

// DealGroups gives each row a fold from 0 to folds-1, so that rows of one group have one fold
// and each class is divided as equally as whole groups allow.
func DealGroups(groups []string, y []int, folds int, draw *rand.Rand) []int {
	sizes := groupSizes(groups, y)
	part := deal(sizes, equalShares(folds), draw)
	of := map[string]int{}
	for g, size := range sizes {
		of[size.Name] = part[g]
	}
	foldOf := make([]int, len(y))
	for row, name := range groups {
		foldOf[row] = of[name]
	}
	return foldOf
}
