package tabular

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Copies are the equal and nearly equal rows among rows.
type Copies struct {
	Equal  []int   // for each row, the first row with the same features
	Near   []int   // for each row, the first row of its group of near copies (transitive)
	Within float64 // largest difference of near copies in any feature, in standard deviations of it
}

// FindCopies finds the copies among rows of any class. Missing values (NaN) are equal.
//
// Within is 1e-4, or less if N rows of D independent normal features would have as close a
// pair by chance in more than one of 100 tables: N²/2 · (Within/√π)^D <= 1/100. If features
// depend on each other or are codes, more pairs are that close, and about ten times as many
// within 10·Within. So near copies count only if they are at least half of the pairs within
// 10·Within.
//
// Near copies are neighbors along any direction. FindCopies sorts the rows along a random
// direction and compares each with the next 100 that may be near.
func FindCopies(rows int, row func(i int) []float64) Copies {
	if rows == 0 {
		return Copies{}
	}
	scale := scales(rows, row)
	features := 0.0
	for _, s := range scale {
		if s.Deviation > 0 {
			features++
		}
	}
	found := Copies{
		Equal:  make([]int, rows),
		Within: min(1e-4, math.Sqrt(math.Pi)*math.Pow(0.02/float64(rows)/float64(rows), 1/max(features, 1))),
	}
	at, reach := project(rows, row, scale)
	first := found.equal(at, row)
	found.Near = slices.Clone(found.Equal)
	found.near(first, at, reach*10*found.Within+1e-9, row, scale) // and rounding
	return found
}

// project returns the positions of the rows along a random direction, and the largest distance
// there of two rows that differ by one standard deviation in each feature.
func project(rows int, row func(i int) []float64, scale []Feature) (at []float64, reach float64) {
	draw := rand.New(rand.NewPCG(1, 0))
	direction := make([]float64, len(scale))
	for j := range direction {
		direction[j] = draw.NormFloat64()
		reach += math.Abs(direction[j])
	}
	at = make([]float64, rows)
	for i := range rows {
		for j, v := range row(i) {
			if s := scale[j]; s.Deviation > 0 && !math.IsNaN(v) {
				at[i] += direction[j] * ((v - s.Mean) / s.Deviation)
			}
		}
	}
	return at, reach
}

// equal sets Equal. It returns the first row of each group of equal rows, by position.
func (c *Copies) equal(at []float64, row func(i int) []float64) (first []int) {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	compare := func(a, b int) int { return slices.CompareFunc(row(a), row(b), cmp.Compare[float64]) }
	slices.SortFunc(order, func(a, b int) int {
		if at[a] != at[b] {
			return cmp.Compare(at[a], at[b])
		}
		return cmp.Or(compare(a, b), a-b)
	})
	for k, i := range order {
		if k == 0 || compare(i, order[k-1]) != 0 {
			first = append(first, i)
		}
		c.Equal[i] = first[len(first)-1]
	}
	return first
}

// near sets Near for the different rows, which are sorted by position. The positions of near
// copies differ by at most reach.
func (c *Copies) near(different []int, at []float64, reach float64, row func(i int) []float64, scale []Feature) {
	near, wide := 0, 0 // pairs
	for k, a := range different {
		for _, b := range different[k+1 : min(k+101, len(different))] {
			if at[b]-at[a] > reach {
				break
			}
			gap := apart(row(a), row(b), scale, 10*c.Within)
			if gap <= 10*c.Within {
				wide++
			}
			if gap <= c.Within {
				near++
				x, y := root(c.Near, a), root(c.Near, b)
				c.Near[max(x, y)] = min(x, y)
			}
		}
	}
	if 2*near < wide {
		copy(c.Near, c.Equal)
	}
	for i := range c.Near {
		c.Near[i] = root(c.Near, i)
	}
}

// root follows links to a row that links to itself.
func root(of []int, i int) int {
	for of[i] != i {
		of[i] = of[of[i]]
		i = of[i]
	}
	return i
}

// apart returns the largest difference of two rows in a feature, in standard deviations of the
// feature; +Inf if it exceeds most.
func apart(a, b []float64, scale []Feature, most float64) float64 {
	largest := 0.0
	for j, v := range a {
		if v == b[j] || math.IsNaN(v) && math.IsNaN(b[j]) {
			continue
		}
		gap := math.Abs(v-b[j]) / scale[j].Deviation
		if !(gap <= most) {
			return math.Inf(1)
		}
		largest = max(largest, gap)
	}
	return largest
}

// Duplicates counts rows of equal and of nearly equal features.
type Duplicates struct {
	Rows    int // rows equal to an earlier one
	Classes int // of these, rows whose earlier equal has another class
	Nearly  int // other rows that are near copies of an earlier one
	Copies
}

// Duplicates counts copies and near copies of any class.
func (t *Table) Duplicates() Duplicates {
	found := Duplicates{Copies: FindCopies(t.Rows(), t.Row)}
	for i, first := range found.Equal {
		switch {
		case first != i:
			found.Rows++
			if t.Y[first] != t.Y[i] {
				found.Classes++
			}
		case found.Near[i] != i:
			found.Nearly++
		}
	}
	return found
}
