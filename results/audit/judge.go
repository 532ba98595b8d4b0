package audit

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Verdict on a claim.
type Verdict struct {
	Word string `json:"verdict"` // Holds, Fails or Untested
	Why  string `json:"why"`     // counts, or why it is not tested

	class, claimed, found string // of a finding
	bound                 float64
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
	// Number is that of a row and a column by their places, and whether it is known; NaN
	// where there is none, because nothing is printed or the fit failed.
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
func (t *Table) study() *Study {
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
			x, err := strconv.ParseFloat(t.Percent(r.Printed[column]), 64)
			return x, err == nil
		case measure == "rank" && r.Rank != nil && r.Rank[column] > 0:
			return float64(r.Rank[column]), true
		}
		return math.NaN(), true
	}
	return s
}

// Quantities gives a study of runs those that the table prints of its rows.
func (t *Table) Quantities(s *Study) {
	own := t.study()
	for i, r := range s.Rows {
		for at := range own.rows([]string{r.ID}) {
			s.Rows[i].Of = own.Rows[at].Of
		}
	}
}

// rows are the places of the rows whose id or name is among some, which may have wildcards.
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

// matching are the places of the columns that a name with wildcards matches.
func (s *Study) matching(name string) (all []int) {
	for i, id := range s.Columns {
		if ok, err := path.Match(name, id); ok && err == nil {
			all = append(all, i)
		}
	}
	return all
}

// each are the places of the columns that names match, in their order.
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

// subjects are the columns that a claim is about, each as the places of which the best counts.
func (s *Study) subjects(c Claim, row int) (all [][]int) {
	if c.Column != "" {
		all = append(all, s.matching(strings.ReplaceAll(c.Column, classesMark, fmt.Sprint(s.Rows[row].Of["classes"]))))
	}
	for _, i := range s.each(c.Columns) {
		all = append(all, []int{i})
	}
	return all
}

// values are the numbers of columns on a row, those that there are, and whether all are
// known.
func (s *Study) values(row int, columns []int, measure string) (all []float64, complete bool) {
	complete = true
	for _, i := range columns {
		x, known := s.Number(row, i, measure)
		complete = complete && known
		if measure == "rank" {
			x = -x // so that better is more
		}
		if known && !math.IsNaN(x) {
			all = append(all, x)
		}
	}
	return all, complete
}

// most is the best of numbers.
func most(all []float64) float64 { return slices.Max(append([]float64{math.Inf(-1)}, all...)) }

// An answer says whether something is so: yes, no, unknown where numbers are not known, or
// nothing where there are none to compare.
type answer int

const (
	no answer = iota
	yes
	unknown
	nothing
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

// units are the cases of a claim, by row.
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

// is tells whether a claim is so of the best of some columns on a row.
func (s *Study) is(c Claim, row int, columns []int) answer {
	own, known := s.values(row, columns, c.measure())
	if known && len(own) == 0 && len(columns) > 0 {
		return nothing
	}
	mine := most(own) // without a column, of so many classes, less than all
	switch c.Kind {
	case kindHighest:
		rivals := s.each(c.Among)
		if len(c.Among) == 0 {
			rivals = s.each([]string{"*"})
		}
		others, all := s.values(row, rivals, c.measure())
		return answerOf(known && mine >= most(others), known && (all || mine < most(others)))
	case kindAbove:
		open, compared := !known, 0
		for _, name := range c.Above {
			than, all := s.values(row, s.matching(name), c.measure())
			if known && all && len(than) > 0 && mine > most(than) {
				return yes
			}
			open, compared = open || !all, compared+len(than)
		}
		if !open && compared == 0 {
			return nothing
		}
		return answerOf(false, !open)
	case kindRank:
		return answerOf(slices.Contains(c.Rank, int(-mine)), known)
	case kindLast:
		others, all := s.values(row, s.each([]string{"*"}), c.measure())
		return answerOf(known && mine <= slices.Min(append(others, 0)), known && all)
	case kindRange:
		return answerOf(c.within(mine), known)
	}
	return unknown
}

// within tells whether a number is in the range of a claim.
func (c Claim) within(x float64) bool {
	return x >= c.Between[0] && (len(c.Between) < 2 || x <= c.Between[1])
}

// ordered tells whether the numbers of a row go in the claim's direction.
func (s *Study) ordered(c Claim, row int) answer {
	values, complete := s.values(row, s.each(c.Columns), c.measure())
	if complete && len(values) < 2 {
		return nothing
	}
	for i := 1; i < len(values); i++ {
		step := values[i] - values[i-1]
		if step > 0 && c.Direction != "rising" || step < 0 && c.Direction != "falling" {
			return no
		}
	}
	return answerOf(true, complete)
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

// count tells whether a claim is so in the cases that it says.
func (s *Study) count(c Claim, units []unit) Verdict {
	named := s.rows(slices.Concat(c.On, c.Only, c.Except))
	var count [3]int
	var rows [3][]string
	var also []string // rows beside those On
	differ := false
	asked := 0
	for _, u := range units {
		if u.is == nothing {
			continue
		}
		id, want := s.Rows[u.row].ID, yes
		switch {
		case len(c.On) > 0 && !named[u.row]:
			if u.is == yes {
				also = text.AppendNew(also, id)
			}
			continue
		case len(c.Only) > 0 && !named[u.row], named[u.row] && len(c.Except) > 0:
			want = no
		}
		asked++
		count[u.is]++
		rows[u.is] = text.AppendNew(rows[u.is], id)
		differ = differ || u.is != want && u.is != unknown
	}
	open := count[unknown] > 0
	low, high := count[yes], count[yes]+count[unknown]
	v := Verdict{Word: Holds, claimed: fmt.Sprintf("all %d", asked), found: strconv.Itoa(low)}
	switch {
	case c.Rows != nil:
		v.claimed = strconv.Itoa(*c.Rows)
		differ, open = *c.Rows < low || *c.Rows > high, low != high
	case len(c.Share) > 0:
		fewest, most := int(math.Ceil(c.Share[0]*float64(asked))), int(c.Share[1]*float64(asked))
		v.claimed = fmt.Sprintf("%g to %g %%", 100*c.Share[0], 100*c.Share[1])
		differ = high < fewest || low > most || fewest > most
		open = low < fewest || high > most
	case len(named) > 0:
		v.claimed, v.found = strings.Join(slices.Concat(c.On, c.Only, c.Except), " "), strings.Join(rows[yes], " ")
		if len(c.Except) > 0 {
			v.claimed = "all but " + v.claimed
		}
	}
	v.Why = fmt.Sprintf("so in %d of %d", low, asked)
	if asked == len(rows[yes])+len(rows[no])+len(rows[unknown]) && low > 0 && low < asked { // a case is a row
		v.Why += ": " + strings.Join(rows[yes], " ")
	}
	if len(also) > 0 {
		v.Why += "; also on " + strings.Join(also, " ")
	}
	if count[unknown] > 0 {
		v.Why += fmt.Sprintf("; unknown in %d: %s", count[unknown], strings.Join(rows[unknown], " "))
	}
	switch {
	case differ:
		v.Word = Fails
	case open || asked == 0:
		v.Word = Untested
	}
	return v
}

// least is the number of rows without which nothing is said of a trend.
const least = 5

// trend is Spearman's rank correlation of the column with a quantity, or of the place of the
// best of several columns. It is beyond chance above z/√(n-1), where a normal variable is
// above z with probability 0.05 (direction none: beyond ±z). Rank correlations of n pairs
// without a relation approach that distribution.
func (s *Study) trend(c Claim) Verdict {
	var x, y []float64
	for row, r := range s.Rows {
		of, known := r.Of[c.Of]
		columns := append(s.each(c.Columns), s.matching(c.Column)...)
		all, complete := s.values(row, columns, c.measure())
		if !known || !complete || len(all) == 0 {
			continue
		}
		value := all[0]
		if len(columns) > 1 {
			value = float64(slices.IndexFunc(columns, func(i int) bool {
				own, _ := s.values(row, []int{i}, c.measure())
				return most(own) == most(all)
			}))
		}
		x, y = append(x, of), append(y, value)
	}
	if len(x) < least {
		return untested(fmt.Sprintf("%d rows have all numbers, want %d", len(x), least))
	}
	rho := stats.Spearman(x, y)
	if math.IsNaN(rho) {
		return untested("one side is always the same")
	}
	tail := 0.05
	if c.Direction == "none" {
		tail /= 2 // both sides count
	}
	chance := distuv.UnitNormal.Quantile(1-tail) / math.Sqrt(float64(len(x)-1))
	holds := map[string]bool{"rising": rho > chance, "falling": rho < -chance, "none": math.Abs(rho) <= chance, "not-rising": rho <= chance}[c.Direction]
	v := Verdict{Word: Fails, Why: fmt.Sprintf("rank correlation %.2f over %d rows, by chance up to %.2f", rho, len(x), chance),
		claimed: c.Direction, found: fmt.Sprintf("%.2f", rho)}
	if holds {
		v.Word = Holds
	}
	return v
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
		if !complete || !known || len(with) == 0 || len(without) == 0 {
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
		v.Why += "; unknown: " + strings.Join(missing, " ")
	}
	switch {
	case least < best:
		v.Word = Fails
	case len(missing) > 0 || len(all) <= len(on):
		v.Word = Untested
	}
	return v
}

// average tells whether columns have better average ranks than the others, over the rows
// with all numbers. Equal numbers share their ranks.
func (s *Study) average(c Claim) Verdict {
	var rows [][]float64
	for row := range s.Rows {
		if all, complete := s.values(row, s.each([]string{"*"}), c.measure()); complete && len(all) == len(s.Columns) {
			rows = append(rows, all)
		}
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
	v := Verdict{Word: Holds, Why: "average ranks: " + strings.Join(texts, ", "), claimed: "best", found: fmt.Sprintf("%.2f", worst)}
	if worst >= best {
		v.Word = Fails
	}
	return v
}

// chance is the probability of a count as far from what is expected, on its side.
func (t *Table) chance(c Claim) Verdict {
	d := distuv.Binomial{N: float64(c.Trials), P: c.Probability}
	k := float64(c.Count)
	p, side := d.CDF(k), "few"
	if k > d.N*d.P {
		p, side = 1-d.CDF(k-1), "many"
	}
	v := Verdict{Word: Holds, Why: fmt.Sprintf("%d of %d are; as %s have probability %.2g", c.Count, c.Trials, side, p),
		claimed: fmt.Sprint(c.Probability), found: stats.Proportion(c.Count, c.Trials, 2), bound: text.SixDigits(p)}
	if p < t.Test.Alpha {
		v.Word = Fails
	}
	return v
}

// possible tells whether predictions exist that lead to the printed ranks.
func (t *Table) possible() Verdict {
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
