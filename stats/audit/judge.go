package audit

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Verdict on a claim.
type Verdict struct {
	Word  string `json:"verdict"`         // Holds, Fails or Untested
	Why   string `json:"why"`             // counts, or why it is not tested
	Cases *Cases `json:"cases,omitempty"` // nil for a kind that does not speak of cases

	class, claimed, found string // of a finding
	bound                 float64
}

// Cases count those of a claim.
type Cases struct {
	So      int `json:"so"`      // the statement is true of them
	Of      int `json:"of"`      // all, with the unknown
	Unknown int `json:"unknown"` // numbers are missing that could decide them
}

// The words of verdicts.
const (
	Holds    = "holds"
	Fails    = "fails"
	Untested = "not tested"
)

func untested(why string) Verdict { return Verdict{Word: Untested, Why: why} }

// A Study has numbers by row and column, printed or of runs.
type Study struct {
	Name    string
	Columns []string // ids
	Rows    []StudyRow
	// Number is that of a row and a column by their places, and whether there is one: nothing
	// may be printed, not everything run, or a fit have failed.
	// measure is accuracy in percent, rank (1 the best), seconds, or names facts, whose
	// number is the share of all that they count.
	Number func(row, column int, measure string) (float64, bool)
}

// A StudyRow is one data set.
type StudyRow struct {
	ID, Name string
	Of       map[string]float64 // Quantities that are known
}

// study are the printed numbers of the table.
func (t *PrintedTable) study() *Study {
	s := &Study{Name: t.Name, Columns: t.Columns}
	for _, r := range t.Rows {
		of := map[string]float64{"test": float64(r.PrintedN)}
		for name, n := range map[string]int{"classes": len(r.Classes), "features": r.Features, "train": r.Train, "validation": r.Validation} {
			if n > 0 {
				of[name] = float64(n)
			}
		}
		if r.Train > 0 {
			of["test/train"] = float64(r.PrintedN) / float64(r.Train)
		}
		s.Rows = append(s.Rows, StudyRow{r.ID, r.Name, of})
	}
	s.Number = func(row, column int, measure string) (float64, bool) {
		r := t.Rows[row]
		switch {
		case measure == accuracy && r.Printed[column] != "":
			return t.Number(r.Printed[column]), true
		case measure == "rank" && r.Rank != nil && r.Rank[column] > 0:
			return float64(r.Rank[column]), true
		}
		return 0, false
	}
	return s
}

// Quantities copies the quantities of the rows of the table to a study of runs.
func (t *PrintedTable) Quantities(s *Study) {
	own := t.study()
	for i, r := range s.Rows {
		for at := range own.rows([]string{r.ID}) {
			s.Rows[i].Of = own.Rows[at].Of
		}
	}
}

// rows returns the indices of the rows whose id or name matches one of the names, which may have
// wildcards.
func (s *Study) rows(names []string) map[int]bool {
	all := map[int]bool{}
	for _, name := range names {
		for i, r := range s.Rows {
			byID, _ := path.Match(name, r.ID)
			byName, _ := path.Match(name, r.Name)
			if byID || byName {
				all[i] = true
			}
		}
	}
	return all
}

// matching returns the indices of the columns that a name with wildcards matches.
func (s *Study) matching(name string) (all []int) {
	for i, id := range s.Columns {
		if ok, err := path.Match(name, id); ok && err == nil {
			all = append(all, i)
		}
	}
	return all
}

// each returns the indices of the columns that names match, in the order of the names.
func (s *Study) each(names []string) (all []int) {
	for _, name := range names {
		for _, i := range s.matching(name) {
			if !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
	}
	return all
}

// classesMark stands for a row's number of classes in the id of a column.
const classesMark = "{classes}"

// subjects returns the columns that a claim is about; of each list of indices the best column
// counts.
func (s *Study) subjects(c Claim, row int) (all [][]int) {
	if c.Column != "" {
		all = append(all, s.matching(strings.ReplaceAll(c.Column, classesMark, fmt.Sprint(s.Rows[row].Of["classes"]))))
	}
	for _, i := range s.each(c.Columns) {
		all = append(all, []int{i})
	}
	return all
}

// values returns the known numbers of columns on a row, and whether all are known.
func (s *Study) values(row int, columns []int, measure string) (all []float64, complete bool) {
	complete = true
	for _, i := range columns {
		x, known := s.Number(row, i, measure)
		known = known && !math.IsNaN(x)
		complete = complete && known
		if measure == "rank" {
			x = -x // so that better is more
		}
		if known {
			all = append(all, x)
		}
	}
	return all, complete
}

// most returns the best of some numbers.
func most(all []float64) float64 { return slices.Max(append([]float64{math.Inf(-1)}, all...)) }

// An answer says whether something is so: yes, no, or unknown where numbers are missing that
// could decide it.
type answer int

const (
	no answer = iota
	yes
	unknown
)

func answerOf(holds, known bool) answer {
	switch {
	case !known:
		return unknown
	case holds:
		return yes
	}
	return no
}

// A unit is a case that a claim speaks of.
type unit struct {
	row, subject int
	is           answer
}

// units returns the cases of a claim, by row.
func (s *Study) units(c Claim) (all []unit) {
	for row := range s.Rows {
		if c.Kind == kindOrder {
			all = append(all, unit{row, 0, s.ordered(c, row)})
			continue
		}
		if c.Kind == kindRange && c.Of != "" {
			x, known := s.Rows[row].Of[c.Of]
			all = append(all, unit{row, 0, answerOf(c.within(x), known)})
			continue
		}
		for i, columns := range s.subjects(c, row) {
			all = append(all, unit{row, i, s.is(c, row, columns)})
		}
	}
	return all
}

// is reports whether a claim is true of the best of some columns on a row, for any values of the
// missing numbers.
func (s *Study) is(c Claim, row int, columns []int) answer {
	if _, known := s.Rows[row].Of["classes"]; !known && strings.Contains(c.Column, classesMark) {
		return unknown
	}
	own, known := s.values(row, columns, c.measure())
	mine := most(own) // without a column, of so many classes, less than all
	switch c.Kind {
	case kindHighest:
		rivals := s.each(c.Among)
		if len(c.Among) == 0 {
			rivals = s.each([]string{"*"})
		}
		others, all := s.values(row, rivals, c.measure())
		return answerOf(mine >= most(others), known && (all || mine < most(others)))
	case kindAbove:
		below := known
		for _, name := range c.Above {
			than, all := s.values(row, s.matching(name), c.measure())
			if all && mine > most(than) { // missing numbers of its own could only raise it
				return yes
			}
			below = below && mine <= most(than)
		}
		return answerOf(false, below)
	case kindRank:
		rank := -mine // of several draws the mean; draws that differ have no rank together
		return answerOf(slices.ContainsFunc(c.Rank, func(r int) bool { return float64(r) == rank }), known && rank == math.Trunc(rank))
	case kindLast:
		others, all := s.values(row, s.each([]string{"*"}), c.measure())
		last := slices.Min(append(others, 0))
		return answerOf(mine <= last, known && (all || mine > last))
	case kindRange:
		return answerOf(c.within(mine), known)
	}
	return unknown
}

// within reports whether a number is in the range of a claim.
func (c Claim) within(x float64) bool {
	return x >= c.Between[0] && (len(c.Between) < 2 || x <= c.Between[1])
}

// ordered tells whether each number of a row, from one column to the next, is above the one
// before it (rising), below it (falling) or the same (constant).
func (s *Study) ordered(c Claim, row int) answer {
	values, complete := s.values(row, s.each(c.Columns), c.measure())
	for i := 1; i < len(values); i++ {
		if cmp.Compare(values[i], values[i-1]) != map[string]int{"rising": 1, "falling": -1, "constant": 0}[c.Direction] {
			return no
		}
	}
	return answerOf(true, complete && len(values) > 1)
}

// judge gives a claim its verdict by the numbers of the study.
func (s *Study) judge(c Claim) Verdict {
	switch c.Kind {
	case kindTrend:
		return s.trend(c)
	case kindGain:
		return s.gain(c)
	case kindAverage:
		return s.average(c)
	case kindUntested:
		return untested(c.NotRun)
	}
	v := s.count(c, s.units(c))
	if v.Word == Fails && len(c.OrRank) > 0 {
		other := c
		other.Kind, other.Rank, other.OrRank = kindRank, c.OrRank, nil
		also := s.count(other, s.units(other))
		v.Why += "; by rank " + also.Why
		if also.Word == Holds {
			v.class = ClassReading
		}
	}
	return v
}

// count judges a claim by the number of cases of which it is true.
func (s *Study) count(c Claim, units []unit) Verdict {
	named := s.rows(slices.Concat(c.On, c.Only, c.Except))
	never := c.Rows != nil && *c.Rows == 0
	n := &Cases{}
	var so, against, missing, also []string // rows; also: beside those On
	contrary := 0
	for _, u := range units {
		id, on := s.Rows[u.row].ID, named[u.row]
		if len(c.On) > 0 && !on {
			if u.is == yes {
				also = text.AppendNew(also, id)
			}
			continue
		}
		n.Of++
		switch u.is {
		case unknown:
			n.Unknown++
			missing = text.AppendNew(missing, id)
			continue
		case yes:
			n.So++
			so = text.AppendNew(so, id)
		}
		if want := answerOf(!(never || len(c.Only) > 0 && !on || len(c.Except) > 0 && on), true); u.is != want {
			contrary++
			against = text.AppendNew(against, id)
		}
	}
	v := Verdict{Cases: n, claimed: c.where(), found: strconv.Itoa(n.So)}
	if len(named) > 0 {
		v.found = strings.Join(so, " ")
	}
	if fits := c.quantity(n.Of); fits != nil { // the claim has a number of cases, and not which
		v.Word = possible(func(k int) bool { return fits(n.So + k) }, n.Unknown)
		v.Why = fmt.Sprintf("so in %d of %d", n.So, n.Of)
		if n.So == len(so) && n.So > 0 && n.So < n.Of { // a case is a row
			v.Why += ": " + strings.Join(so, " ")
		}
		if !slices.ContainsFunc(upTo(n.Of), fits) {
			return untested(fmt.Sprintf("no number of %d cases is %s", n.Of, v.claimed))
		}
	} else {
		v.Word = possible(func(k int) bool { return contrary+k == 0 }, n.Unknown)
		v.Why = fmt.Sprintf("as claimed in %d of %d", n.Of-n.Unknown-contrary, n.Of)
		if contrary > 0 {
			v.Why += ", not on " + strings.Join(against, " ")
		}
	}
	if n.Unknown > 0 {
		v.Why += fmt.Sprintf("; %d without all numbers: %s", n.Unknown, strings.Join(missing, " "))
	}
	if len(also) > 0 {
		v.Why += "; also so on " + strings.Join(also, " ")
	}
	if n.Of == 0 {
		return untested("there is no case")
	}
	return v
}

// where formats the cases that a claim is about.
func (c Claim) where() string {
	switch {
	case c.Rows != nil:
		return strconv.Itoa(*c.Rows)
	case len(c.Share) > 0:
		return fmt.Sprintf("%g to %g %%", 100*c.Share[0], 100*c.Share[1])
	case len(c.On) > 0:
		return "on " + strings.Join(c.On, " ")
	case len(c.Only) > 0:
		return "only on " + strings.Join(c.Only, " ")
	case len(c.Except) > 0:
		return "all but " + strings.Join(c.Except, " ")
	}
	return "all"
}

// quantity tells of a number of cases among all whether it is the one claimed; nil where the
// claim says which cases, or none.
func (c Claim) quantity(of int) func(int) bool {
	switch {
	case c.Rows != nil && *c.Rows > 0:
		return func(k int) bool { return k == *c.Rows }
	case len(c.Share) > 0:
		return func(k int) bool {
			share := float64(k) / float64(max(of, 1)) // rounded as the literals are: 7/100 is 0.07
			return share >= c.Share[0] && share <= c.Share[1]
		}
	}
	return nil
}

// possible is the verdict of a claim that has to fit k, one of 0 to most, whichever that is.
func possible(fits func(k int) bool, most int) string {
	all := upTo(most)
	switch {
	case !slices.ContainsFunc(all, fits):
		return Fails
	case slices.ContainsFunc(all, func(k int) bool { return !fits(k) }):
		return Untested
	}
	return Holds
}

func upTo(n int) []int {
	all := make([]int, n+1)
	for k := range all {
		all[k] = k
	}
	return all
}

// gain tells whether the rows of the claim are those with the largest gains.
func (s *Study) gain(c Claim) Verdict {
	type gained struct {
		row  int
		gain float64
	}
	var all []gained
	var missing []string
	on := s.rows(c.On)
	for row, r := range s.Rows {
		with, complete := s.values(row, append(s.each(c.Columns), s.matching(c.Column)...), c.measure())
		without, known := s.values(row, s.matching(c.Above[0]), c.measure())
		if !complete || !known {
			missing = append(missing, r.ID)
			continue
		}
		all = append(all, gained{row, most(with) - most(without)})
	}
	slices.SortStableFunc(all, func(a, b gained) int { return cmp.Compare(b.gain, a.gain) })
	least, best := math.Inf(1), math.Inf(-1) // gain of the rows claimed, and of others
	var largest []string
	for i, g := range all {
		if on[g.row] {
			least = min(least, g.gain)
		} else {
			best = max(best, g.gain)
		}
		if i < len(on) {
			largest = append(largest, fmt.Sprintf("%s %.2f", s.Rows[g.row].ID, g.gain))
		}
	}
	v := Verdict{Word: Holds, Why: "largest gains: " + strings.Join(largest, ", "), claimed: strings.Join(c.On, " "), found: strings.Join(largest, " ")}
	if len(missing) > 0 {
		v.Why += "; without all numbers: " + strings.Join(missing, " ")
	}
	switch {
	case least < best:
		v.Word = Fails
	case len(missing) > 0 || len(all) <= len(on):
		v.Word = Untested
	}
	return v
}

// average tells whether columns have better average ranks than the others. Equal numbers share
// their ranks. A row without all numbers could give a column any rank from 1 to the number of
// columns.
func (s *Study) average(c Claim) Verdict {
	var rows [][]float64
	var missing []string
	for row, r := range s.Rows {
		all, complete := s.values(row, s.each([]string{"*"}), c.measure())
		if !complete {
			missing = append(missing, r.ID)
			continue
		}
		rows = append(rows, all)
	}
	if len(rows) == 0 {
		return untested("no row has all numbers")
	}
	ranks, claimed := stats.Friedman(rows).AverageRanks, s.each(c.Columns)
	worst, best, texts := 0.0, math.Inf(1), make([]string, len(ranks))
	for i := range ranks {
		texts[i] = fmt.Sprintf("%s %.2f", s.Columns[i], ranks[i])
		if slices.Contains(claimed, i) {
			worst = max(worst, ranks[i])
		} else {
			best = min(best, ranks[i])
		}
	}
	v := Verdict{Why: "average ranks: " + strings.Join(texts, ", "), claimed: "best", found: fmt.Sprintf("%.2f", worst)}
	if len(missing) > 0 {
		v.Why += "; without all numbers: " + strings.Join(missing, " ")
	}
	// Over all rows the sum of the worst less that of the best is its known part, and up to
	// ±(columns-1) for each row that is missing.
	known, turned := (worst-best)*float64(len(rows)), float64(len(missing)*(len(ranks)-1))
	switch {
	case known-turned >= 0:
		v.Word = Fails
	case known+turned < 0:
		v.Word = Holds
	default:
		v.Word = Untested
	}
	return v
}

// chance is the exact two-sided test of a count.
func (t *PrintedTable) chance(c Claim) Verdict {
	p := stats.BinomialTest(c.Count, c.Trials, c.Probability)
	v := Verdict{Word: Holds, Why: fmt.Sprintf("%d of %d are; a count as unlikely as this has probability %.2g", c.Count, c.Trials, p),
		claimed: fmt.Sprint(c.Probability), found: stats.Proportion(c.Count, c.Trials, 2), bound: text.SixDigits(p)}
	if p < t.Test.Alpha {
		v.Word = Fails
	}
	return v
}

// feasible tells whether predictions exist that lead to the printed ranks.
func (t *PrintedTable) feasible() Verdict {
	pairs, ranked := 0, false
	for _, r := range t.rows() {
		r.bound()
		pairs, ranked = pairs+len(r.claims), ranked || r.rank != nil
	}
	switch {
	case !ranked:
		return untested("no ranks are printed")
	case pairs > 0:
		return Verdict{Word: Fails, Why: fmt.Sprintf("no predictions lead to the ranks of %d pairs of methods", pairs), claimed: "0", found: strconv.Itoa(pairs)}
	}
	return Verdict{Word: Holds, Why: "predictions exist for all"}
}
