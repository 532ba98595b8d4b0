package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Printed compares the printed accuracies with the shares of the classes of the test
// sets and with one another. Whether a coincidence means something is told by a
// plain null model: the number of right answers is uniform within ±5 % of the test
// set around the printed one, and independent of all others. Similar classifiers are
// alike more often than that, so that ours are counted in the same way.
type Printed struct {
	Coverage
	Columns []table.Column // those of the published table
	Rows    []PrintedRow
}

// A PrintedRow is one data set.
type PrintedRow struct {
	Set
	Majority string
	Numbers  []PrintedNumber // by column
}

// A PrintedNumber is a printed accuracy beside ours.
type PrintedNumber struct {
	Column   table.Column
	Accuracy string  // printed
	Nearest  int     // number of right answers that is nearest to it
	Class    *int    // label of the class whose share it equals; nil: none
	Chance   float64 // of a number that equals the share of a class
	Same     float64 // chance of another number that equals it
	Ours     *table.Score
}

// ReadPrinted reads the table of spec accuracy. Rows without a result are left out:
// their classes are not known.
func ReadPrinted(t table.Table) (Printed, error) {
	p := Printed{Coverage: coverageOf(t)}
	for _, c := range t.Columns {
		if slices.ContainsFunc(published.All(), func(n published.Number) bool { return n.Method == c.Method }) {
			p.Columns = append(p.Columns, c)
		}
	}
	for _, r := range t.Rows {
		scored := slices.ContainsFunc(r.Cells, func(c table.Cell) bool { return c.Score != nil })
		if r.Classes == nil || r.Letter == "" || !scored {
			continue
		}
		row := PrintedRow{Set: setOf(r), Majority: r.Classes.Majority.Accuracy}
		for _, c := range p.Columns {
			n, err := newPrintedNumber(r, c, columnCell(t, r, c.ID).Score)
			if err != nil {
				return p, err
			}
			row.Numbers = append(row.Numbers, n)
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

func newPrintedNumber(r table.Row, c table.Column, ours *table.Score) (PrintedNumber, error) {
	n := PrintedNumber{Column: c, Accuracy: printedOf(r.Letter, c.Method), Ours: ours}
	if n.Accuracy == "" {
		return n, nil
	}
	reach, err := stats.CheckPercent(n.Accuracy, r.N)
	if err != nil {
		return n, fmt.Errorf("study: printed, %s on %s: %w", c.ID, r.Dataset, err)
	}
	n.Nearest = reach.Nearest
	shares := map[string]bool{}
	for _, k := range r.Classes.Counts {
		shares[stats.Percent(k.Count, r.N, 2)] = true
		if n.Class == nil && reach.Possible && reach.Low <= k.Count && k.Count <= reach.High {
			n.Class = &k.Label
		}
	}
	n.Chance = chance(n.Nearest, r.N, func(accuracy string) bool { return shares[accuracy] })
	nearest := stats.Percent(n.Nearest, r.N, 2)
	n.Same = chance(n.Nearest, r.N, func(accuracy string) bool { return accuracy == nearest })
	return n, nil
}

// chance is the share of the numbers of right answers within ±5 % of n around one of
// them, whose accuracy is as asked.
func chance(around, n int, is func(accuracy string) bool) float64 {
	low, high := max(around-n/20, 0), min(around+n/20, n)
	hits := 0
	for correct := low; correct <= high; correct++ {
		hits += one(is(stats.Percent(correct, n, 2)))
	}
	return float64(hits) / float64(high-low+1)
}

// atMost compares accuracies in percent.
func atMost(a, b string) bool {
	x, err1 := text.Hundredths(a)
	y, err2 := text.Hundredths(b)
	return err1 == nil && err2 == nil && x <= y
}

// all are the printed numbers with their rows.
func (p Printed) all() (rows []PrintedRow, numbers []PrintedNumber) {
	for _, r := range p.Rows {
		for _, n := range r.Numbers {
			if n.Accuracy != "" {
				rows, numbers = append(rows, r), append(numbers, n)
			}
		}
	}
	return rows, numbers
}

// ClassShares counts the printed accuracies that are the share of a class.
func (p Printed) ClassShares() Claim {
	c := counted("class-share", "printed accuracies that are the share of a class of the test samples", 0, 0)
	var chances []float64
	_, numbers := p.all()
	for _, n := range numbers {
		c.Of, c.Count = c.Of+1, c.Count+one(n.Class != nil)
		chances = append(chances, n.Chance)
	}
	c.expect(chances)
	return c
}

// expect compares a count with events of these probabilities.
func (c *Claim) expect(chances []float64) {
	if c.Of > 0 {
		c.P = stats.AtLeast(c.Count, chances)
		c.Statement += fmt.Sprintf(", where %.1f are to be expected by chance", floats.Sum(chances))
	}
}

// Below counts the accuracies that are not above the most frequent class: printed
// ones, ours, and the rows of which that is so of all printed ones.
func (p Printed) Below() (printed, ours, rows Claim) {
	printed = counted("majority-printed", "printed accuracies that are not above the share of the most frequent class", 0, 0)
	ours = counted("majority-ours", "accuracies of ours that are not above the share of the most frequent class", 0, 0)
	rows = counted("majority-rows", "data sets of which no printed accuracy is above the share of the most frequent class", 0, 0)
	for _, r := range p.Rows {
		below, of := 0, 0
		for _, n := range r.Numbers {
			if n.Accuracy != "" {
				of, below = of+1, below+one(atMost(n.Accuracy, r.Majority))
			}
			if n.Ours != nil {
				ours.Of, ours.Count = ours.Of+1, ours.Count+one(atMost(n.Ours.Accuracy, r.Majority))
			}
		}
		printed.Of, printed.Count = printed.Of+of, printed.Count+below
		rows.Of, rows.Count = rows.Of+one(of > 0), rows.Count+one(of > 0 && below == of)
	}
	return printed, ours, rows
}

// An EqualPair is two methods and the rows on which their accuracies are equal.
type EqualPair struct {
	First, Second table.Column
	Rows          []string  // letters of those whose printed accuracies are equal
	Ours          []string  // and of those on which ours are
	Both, OursOf  int       // rows that have both printed, and both of ours
	Chances       []float64 // of an equal pair, by row that has both printed
	P, Holm       float64   // of so many rows or more by chance, and after Holm over the pairs
}

// Expected is the number of equal rows to expect by chance.
func (e EqualPair) Expected() float64 { return floats.Sum(e.Chances) }

// EqualPairs compares every two methods.
func (p Printed) EqualPairs() []EqualPair {
	var all []EqualPair
	var values []float64
	for i := range p.Columns {
		for j := i + 1; j < len(p.Columns); j++ {
			e := p.equal(i, j)
			all, values = append(all, e), append(values, e.P)
		}
	}
	for i, holm := range stats.Holm(values) {
		all[i].Holm = holm
	}
	return all
}

func (p Printed) equal(i, j int) EqualPair {
	e := EqualPair{First: p.Columns[i], Second: p.Columns[j]}
	for _, r := range p.Rows {
		a, b := r.Numbers[i], r.Numbers[j]
		if a.Accuracy != "" && b.Accuracy != "" {
			e.Both++
			e.Chances = append(e.Chances, a.Same)
			if a.Accuracy == b.Accuracy {
				e.Rows = append(e.Rows, r.Letter)
			}
		}
		if a.Ours != nil && b.Ours != nil {
			e.OursOf++
			if a.Ours.Correct == b.Ours.Correct {
				e.Ours = append(e.Ours, r.Letter)
			}
		}
	}
	e.P = stats.AtLeast(len(e.Rows), e.Chances)
	return e
}

// Equal counts the pairs of printed accuracies of one row that are equal.
func (p Printed) Equal() Claim {
	c := counted("equal-pairs", "pairs of printed accuracies of one data set that are equal", 0, 0)
	var chances []float64
	for _, e := range p.EqualPairs() {
		c.Of, c.Count = c.Of+e.Both, c.Count+len(e.Rows)
		chances = append(chances, e.Chances...)
	}
	c.expect(chances)
	return c
}

// Claims are the counts, then the pairs of methods that are equal more often than by
// chance.
func (p Printed) Claims() []Claim {
	printed, ours, rows := p.Below()
	all := []Claim{p.ClassShares(), printed, ours, rows, p.Equal()}
	for _, e := range p.EqualPairs() {
		if len(e.Rows) == 0 || !(e.Holm <= Level) {
			continue
		}
		all = append(all, Claim{
			ID:        "equal-" + e.First.ID + "-" + e.Second.ID,
			Statement: "the printed accuracies of " + e.First.Name + " and " + e.Second.Name + " are equal on more data sets than by chance",
			Verdict:   Holds, Count: len(e.Rows), Of: e.Both, P: e.Holm,
		})
	}
	return all
}

// Listings have the numbers that are a share of a class, those that are not above
// the most frequent one, and the pairs of methods with equal numbers.
func (p Printed) Listings() []table.Listing {
	return []table.Listing{p.sharesListing(), p.belowListing(), p.equalListing()}
}

// nullModel says what is meant by chance.
const nullModel = "By chance: the number of right answers is uniform within 5 % of the test set around the printed one, on either side, " +
	"and independent of all others. Similar classifiers are alike more often than that."

func (p Printed) sharesListing() table.Listing {
	l := table.Listing{
		Title: "Printed accuracies that are the share of a class",
		Head:  []string{"data", "method", "printed", "right answers", "class", "by chance", "ours"},
		Notes: []string{nullModel},
	}
	rows, numbers := p.all()
	for i, n := range numbers {
		if n.Class == nil {
			continue
		}
		l.Rows = append(l.Rows, []string{
			rows[i].Name, n.Column.Name, n.Accuracy, fmt.Sprintf("%d of %d", n.Nearest, rows[i].N), strconv.Itoa(*n.Class), decimals(n.Chance, 3), ours(n),
		})
	}
	return l
}

// ours is our accuracy, marked where it is that of a constant prediction.
func ours(n PrintedNumber) string {
	switch {
	case n.Ours == nil:
		return "-"
	case n.Ours.Constant:
		return n.Ours.Accuracy + ", one label"
	}
	return n.Ours.Accuracy
}

func (p Printed) belowListing() table.Listing {
	l := table.Listing{
		Title: "Accuracies that are not above the most frequent class",
		Head:  []string{"data", "most frequent class", "printed, of all", "printed", "ours, of all", "ours"},
	}
	for _, r := range p.Rows {
		var printed, our []string
		of, ourOf := 0, 0
		for _, n := range r.Numbers {
			of, ourOf = of+one(n.Accuracy != ""), ourOf+one(n.Ours != nil)
			if atMost(n.Accuracy, r.Majority) {
				printed = append(printed, n.Column.Name)
			}
			if n.Ours != nil && atMost(n.Ours.Accuracy, r.Majority) {
				our = append(our, n.Column.Name)
			}
		}
		if len(printed)+len(our) == 0 {
			continue
		}
		l.Rows = append(l.Rows, []string{
			r.Name, r.Majority, fmt.Sprintf("%d of %d", len(printed), of), orDash(strings.Join(printed, ", ")),
			fmt.Sprintf("%d of %d", len(our), ourOf), orDash(strings.Join(our, ", ")),
		})
	}
	return l
}

func (p Printed) equalListing() table.Listing {
	l := table.Listing{
		Title: "Methods with equal printed accuracies on a data set",
		Head:  []string{"method", "and", "equal printed", "data sets", "expected by chance", "p", "Holm", "equal ours", "data sets, ours"},
		Notes: []string{nullModel},
	}
	for _, e := range p.EqualPairs() {
		if len(e.Rows) == 0 {
			continue
		}
		l.Rows = append(l.Rows, []string{
			e.First.Name, e.Second.Name, fmt.Sprintf("%d of %d", len(e.Rows), e.Both), strings.Join(e.Rows, " "), decimals(e.Expected(), 2),
			stats.ShortP(e.P), stats.ShortP(e.Holm), fmt.Sprintf("%d of %d", len(e.Ours), e.OursOf), orDash(strings.Join(e.Ours, " ")),
		})
	}
	return l
}

// columnCell returns what a row has in the column of that id.
func columnCell(t table.Table, r table.Row, id string) table.Cell {
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.ID == id })
	if i < 0 {
		return table.Cell{Status: table.StatusMissing}
	}
	return cellAt(r, i)
}

// printedOf is the published accuracy of a row, empty without one.
func printedOf(letter, method string) string {
	p, _ := published.Lookup(letter, method)
	return p.Accuracy
}
