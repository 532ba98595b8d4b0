package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

const (
	glml = "glml"
	// shrinkage is the parameter of GLML that the paper does not name.
	shrinkage = "shrinkage"
)

// shrinkageSets are the data sets for which the accuracy is listed by shrinkage.
var shrinkageSets = []string{"ionosphere", "heart"}

// Surfaces has, for every method with a grid, what each point of the grid gets on
// the test samples: what parameters chosen by other means would give.
type Surfaces struct {
	Coverage
	Columns []table.Column // those that have a surface somewhere
	Sets    []SurfaceSet
}

// A SurfaceSet is one data set.
type SurfaceSet struct {
	Set
	Grids []Grid // by column; without a surface it has no seeds
}

// A Grid is a grid of one method on one data set, fitted with every seed. Points
// with another shrinkage than the table of accuracies are in the range of the grid
// and are not chosen.
type Grid struct {
	Set     Set
	Column  table.Column
	Printed string // published accuracy; empty without one
	Seeds   []GridSeed
}

// A GridSeed is what the grid gets with one seed.
type GridSeed struct {
	Seed    uint64
	Points  []results.Point
	Right   []int // validation samples by point, -1: failed; nil: there was nothing to choose
	Correct []int // test samples by point, -1: failed
	stated  []int // the points among which is chosen
	n       int
	of      int // validation samples
}

// ReadSurfaces reads the cells of spec surfaces.
func ReadSurfaces(in Input) (Surfaces, error) {
	s := Surfaces{Coverage: coverageOf(in.Table)}
	has := make([]bool, len(in.Table.Columns))
	for i, r := range in.Table.Rows {
		set := SurfaceSet{Set: setOf(r)}
		for j, c := range in.Table.Columns {
			g := Grid{Set: set.Set, Column: c}
			g.Printed = printedOf(r.Letter, c.Method)
			stated := statedShrinkage(in.Accuracies, r.Dataset, c.Method)
			for _, cell := range in.cells(i, j) {
				if seed, ok := gridSeed(cell, stated); ok {
					g.Seeds, has[j] = append(g.Seeds, seed), true
				}
			}
			set.Grids = append(set.Grids, g)
		}
		s.Sets = append(s.Sets, set)
	}
	s.keep(in.Table.Columns, has)
	return s, nil
}

// cells are those behind the table's cell, without the failed ones; none where the
// table has no result.
func (in Input) cells(row, column int) []results.Cell {
	if cellAt(in.Table.Rows[row], column).Score == nil || row >= len(in.Rows) || column >= len(in.Rows[row].Cells) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(in.Rows[row].Cells[column].Cells), func(c results.Cell) bool { return c.Failure != "" })
}

// keep leaves out the columns that have a surface nowhere.
func (s *Surfaces) keep(columns []table.Column, has []bool) {
	for j, c := range columns {
		if has[j] {
			s.Columns = append(s.Columns, c)
		}
	}
	for i := range s.Sets {
		var kept []Grid
		for j, g := range s.Sets[i].Grids {
			if has[j] {
				kept = append(kept, g)
			}
		}
		s.Sets[i].Grids = kept
	}
}

// printedOf is the published accuracy of a row, empty without one.
func printedOf(letter, method string) string {
	p, _ := published.Lookup(letter, method)
	return p.Accuracy
}

// statedShrinkage is that of the table of accuracies, nil if it is not known.
func statedShrinkage(accuracies table.Table, dataset, method string) any {
	for _, r := range accuracies.Rows {
		if score := accuracies.Find(r, method).Score; score != nil && r.Dataset == dataset {
			return score.Params[shrinkage]
		}
	}
	return nil
}

// gridSeed reads the surface of a cell, if it has one. Chosen is among the points
// with the stated shrinkage, or among all if there are none.
func gridSeed(c results.Cell, stated any) (GridSeed, bool) {
	if c.Surface == nil {
		return GridSeed{}, false
	}
	g := GridSeed{Seed: c.Seed, Points: c.Points, Correct: c.Surface.Correct, n: len(c.Truth)}
	if c.Validation != nil {
		g.Right, g.of = c.Validation.Correct, c.Validation.N
	}
	g.stated = g.with(stated)
	if len(g.stated) == 0 {
		for i := range c.Points {
			g.stated = append(g.stated, i)
		}
	}
	return g, true
}

// with lists the points of a shrinkage.
func (g GridSeed) with(value any) []int {
	var all []int
	for i, p := range g.Points {
		if value != nil && sameValue(p.Params[shrinkage], value) {
			all = append(all, i)
		}
	}
	return all
}

// sameValue compares values of parameters by their spelling.
func sameValue(a, b any) bool {
	return results.Params{"": a}.String() == results.Params{"": b}.String()
}

// chosen is the accuracy in percent of the first best of some points on the
// validation samples, and best that of the best on the test samples; NaN if they
// failed.
func (g GridSeed) chosen(points []int) (chosen, best float64) {
	first, most := -1, -1
	for _, i := range points {
		if g.Right != nil && g.Right[i] >= 0 && (first < 0 || g.Right[i] > g.Right[first]) || g.Right == nil && first < 0 {
			first = i
		}
		most = max(most, g.Correct[i])
	}
	if first < 0 {
		return math.NaN(), g.percent(most)
	}
	return g.percent(g.Correct[first]), g.percent(most)
}

// validation is what the setting that is chosen has right of the validation samples,
// nil if there was nothing to choose or all failed.
func (g GridSeed) validation() *table.Tally {
	if g.Right == nil {
		return nil
	}
	most := -1
	for _, i := range g.stated {
		most = max(most, g.Right[i])
	}
	if most < 0 {
		return nil
	}
	return &table.Tally{Correct: most, Of: g.of}
}

func (g GridSeed) percent(correct int) float64 {
	if correct < 0 {
		return math.NaN()
	}
	return 100 * float64(correct) / float64(g.n)
}

// Chosen is the accuracy of the setting that is chosen on the validation samples,
// the mean over the seeds in percent, and Best that of the best setting on the test
// samples. NaN without a surface.
func (g Grid) Chosen() (chosen, best float64) {
	var c, b []float64
	for _, s := range g.Seeds {
		one, two := s.chosen(s.stated)
		c, b = append(c, one), append(b, two)
	}
	if len(c) == 0 {
		return math.NaN(), math.NaN()
	}
	return text.SixDigits(stat.Mean(c, nil)), text.SixDigits(stat.Mean(b, nil))
}

// Range has the lowest and the highest accuracy over all points and seeds in
// percent, NaN without any.
func (g Grid) Range() (low, high float64) {
	low, high = math.NaN(), math.NaN()
	for _, s := range g.Seeds {
		for _, correct := range s.Correct {
			if p := s.percent(correct); !math.IsNaN(p) {
				low, high = math.Min(orElse(low, p), p), math.Max(orElse(high, p), p)
			}
		}
	}
	return low, high
}

func orElse(x, other float64) float64 {
	if math.IsNaN(x) {
		return other
	}
	return x
}

// Failed counts the fits without a result, of all points and seeds.
func (g Grid) Failed() Total {
	var t Total
	for _, s := range g.Seeds {
		t.Of += len(s.Correct)
		for _, correct := range s.Correct {
			if correct < 0 {
				t.Count++
			}
		}
	}
	return t
}

// Gaps are how far the printed accuracy is from the setting chosen on the
// validation samples and from the best one on the test samples, in points; known if
// all three are.
func (g Grid) Gaps() (chosen, best float64, known bool) {
	printed, err := strconv.ParseFloat(g.Printed, 64)
	c, b := g.Chosen()
	if err != nil || math.IsNaN(c) || math.IsNaN(b) {
		return 0, 0, false
	}
	return text.SixDigits(math.Abs(c - printed)), text.SixDigits(math.Abs(b - printed)), true
}

// column is a column's grids over the data sets.
func (s Surfaces) column(j int) []Grid {
	var all []Grid
	for _, set := range s.Sets {
		all = append(all, set.Grids[j])
	}
	return all
}

// A Nearer counts the data sets on which one of two choices is nearer to the printed
// accuracies of a method: the choice that is nearer on more of them. Whether it fits
// better than by chance is told by the verdicts, and nowhere else.
type Nearer struct {
	Claim
	Column                  table.Column
	Test, Validation, Equal int // data sets on which that choice is nearer
	MeanChosen, MeanBest    float64
	WithinChosen            int // data sets within one point
	WithinBest              int
}

// Nearer counts them for every column.
func (s Surfaces) Nearer() []Nearer {
	var all []Nearer
	for j, c := range s.Columns {
		n := Nearer{Column: c, MeanChosen: math.NaN(), MeanBest: math.NaN()}
		of, missing := n.count(s.column(j))
		n.Claim = counted("nearer-"+c.ID, c.Name+": the best setting on the test samples is nearer to print than the one chosen on validation", n.Test, of)
		if n.Validation > n.Test {
			n.Claim = counted("nearer-"+c.ID, c.Name+": the setting chosen on validation is nearer to print than the best one on the test samples", n.Validation, of)
		}
		n.Missing = missing
		all = append(all, n)
	}
	return all
}

// count adds the data sets up and returns how many are known, and how many are not.
func (n *Nearer) count(grids []Grid) (known, missing int) {
	var chosen, best []float64
	for _, g := range grids {
		c, b, ok := g.Gaps()
		if !ok {
			missing++
			continue
		}
		chosen, best = append(chosen, c), append(best, b)
		switch {
		case c > b:
			n.Test++
		case c < b:
			n.Validation++
		default:
			n.Equal++
		}
		n.WithinChosen += one(c <= 1)
		n.WithinBest += one(b <= 1)
	}
	if len(chosen) > 0 {
		n.MeanChosen, n.MeanBest = stat.Mean(chosen, nil), stat.Mean(best, nil)
	}
	return len(chosen), missing
}

// one is 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Inside counts the data sets on which the printed accuracy of a column is inside
// the range of the grid.
func (s Surfaces) Inside(j int) Claim {
	c := counted("inside-"+s.Columns[j].ID, s.Columns[j].Name+": the printed accuracy is inside the range of the grid", 0, 0)
	for _, g := range s.column(j) {
		low, high := g.Range()
		printed, err := strconv.ParseFloat(g.Printed, 64)
		if err != nil || math.IsNaN(low) {
			c.Missing++
			continue
		}
		c.Of++
		c.Count += one(printed >= low-halfPrinted && printed <= high+halfPrinted)
	}
	return c
}

// halfPrinted is by how much rounding can have moved a printed percentage.
const halfPrinted = 0.005 + 1e-9

// Failed counts the fits of a column that have no result.
func (s Surfaces) Failed(j int) Claim {
	var t Total
	for _, g := range s.column(j) {
		f := g.Failed()
		t.Count, t.Of = t.Count+f.Count, t.Of+f.Of
	}
	return counted("failed-"+s.Columns[j].ID, s.Columns[j].Name+": fits of the grid that diverged or failed otherwise", t.Count, t.Of)
}

// Claims are, for every column, which choice is nearer, whether the printed
// accuracies are in range, and how many fits failed if any did.
func (s Surfaces) Claims() []Claim {
	var all []Claim
	for _, n := range s.Nearer() {
		all = append(all, n.Claim)
	}
	for j := range s.Columns {
		all = append(all, s.Inside(j))
	}
	for j := range s.Columns {
		if f := s.Failed(j); f.Count > 0 {
			all = append(all, f)
		}
	}
	return all
}

// Listings are a summary by method, a line for every data set and method, and GLML
// by its shrinkage.
func (s Surfaces) Listings() []table.Listing {
	return []table.Listing{s.Summary(), s.Grids(), s.Shrinkage()}
}

// Summary has the mean distances from the printed accuracies by method.
func (s Surfaces) Summary() table.Listing {
	l := table.Listing{
		Title: "Mean distance from the printed accuracies",
		Head:  []string{"method", "data sets", "chosen on validation", "best on test", "within 1 point, chosen", "within 1 point, best", "failed fits"},
		Notes: []string{
			"Whether a choice fits a column better than by chance is told by Wilcoxon's test beside the verdicts, with Holm's correction.",
			"Accuracies are means over the seeds. GLML's parameters are chosen with the shrinkage of the table of accuracies.",
			"The best setting on the test samples is never less accurate than the one chosen on validation.",
		},
	}
	for j, n := range s.Nearer() {
		f := s.Failed(j)
		l.Rows = append(l.Rows, []string{
			n.Column.Name, strconv.Itoa(n.Of), decimals(n.MeanChosen, 2), decimals(n.MeanBest, 2), strconv.Itoa(n.WithinChosen), strconv.Itoa(n.WithinBest),
			fmt.Sprintf("%d of %d", f.Count, f.Of),
		})
	}
	return l
}

// Grids has every data set and method.
func (s Surfaces) Grids() table.Listing {
	l := table.Listing{
		Title: "Chosen on validation, best on test, and the range of the grid",
		Head:  []string{"data", "method", "seeds", "points", "chosen", "best", "printed", "lowest", "highest", "failed fits"},
	}
	for _, set := range s.Sets {
		for _, g := range set.Grids {
			if len(g.Seeds) == 0 {
				continue
			}
			chosen, best := g.Chosen()
			low, high := g.Range()
			l.Rows = append(l.Rows, []string{
				g.Set.Name, g.Column.Name, strconv.Itoa(len(g.Seeds)), strconv.Itoa(len(g.Seeds[0].Points)), decimals(chosen, 2), decimals(best, 2),
				orDash(g.Printed), decimals(low, 2), decimals(high, 2), strconv.Itoa(g.Failed().Count),
			})
		}
	}
	return l
}

// Shrinkage has GLML's accuracies by shrinkage, of some data sets.
func (s Surfaces) Shrinkage() table.Listing {
	l := table.Listing{
		Title: "GLML by shrinkage",
		Head:  []string{"data", "shrinkage", "chosen on validation", "best on test", "lowest over gamma", "highest over gamma", "printed"},
	}
	for _, set := range s.Sets {
		for _, g := range set.Grids {
			if g.Column.Method != glml || len(g.Seeds) == 0 || !slices.Contains(shrinkageSets, set.Dataset) {
				continue
			}
			for _, value := range g.shrinkages() {
				seed := g.Seeds[0] // GLML draws no random numbers
				points := seed.with(value)
				chosen, best := seed.chosen(points)
				low, high := seed.among(points)
				l.Rows = append(l.Rows, []string{
					set.Name, fmt.Sprint(value), decimals(chosen, 2), decimals(best, 2), decimals(low, 2), decimals(high, 2), orDash(g.Printed),
				})
			}
			low, high := g.Range()
			note := fmt.Sprintf("%s: %s to %s over shrinkage and gamma, printed %s.", set.Name, decimals(low, 2), decimals(high, 2), orDash(g.Printed))
			l.Notes = append(l.Notes, note)
		}
	}
	return l
}

// shrinkages are the different values, in the order of the grid.
func (g Grid) shrinkages() []any {
	var all []any
	for _, p := range g.Seeds[0].Points {
		value, ok := p.Params[shrinkage]
		if ok && !slices.ContainsFunc(all, func(known any) bool { return sameValue(known, value) }) {
			all = append(all, value)
		}
	}
	return all
}

// among is the range over some points.
func (g GridSeed) among(points []int) (low, high float64) {
	of := GridSeed{n: g.n}
	for _, i := range points {
		of.Correct = append(of.Correct, g.Correct[i])
	}
	return Grid{Seeds: []GridSeed{of}}.Range()
}
