package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// contradicted finds statements of the text that the tables contradict.
func (t *Table) contradicted(rows []printedRow) []Finding {
	var all []Finding
	for _, s := range t.Statements {
		f := Finding{Kind: KindProse, Table: s.Table, Method: s.Column}
		if f.Table == "" {
			f.Table = t.Name
		}
		wrong := false
		if s.draws() {
			wrong = s.improbable(&f, t.Test.Alpha)
		} else {
			wrong = s.miscounted(&f, rows)
		}
		if wrong {
			all = append(all, f)
		}
	}
	return all
}

// draws tells whether the statement is about draws, not about rows.
func (s Statement) draws() bool {
	return s.Of != 0 || s.What != "" || s.Probability != 0 || s.Hits != 0
}

// miscounted fills in f, and says whether the number of rows is not that of the table.
func (s Statement) miscounted(f *Finding, rows []printedRow) bool {
	claim, holds := s.claim()
	where := s.where(rows, holds)
	f.Printed, f.Nearest = strconv.Itoa(*s.Rows), strconv.Itoa(len(where))
	f.Text = fmt.Sprintf("it has %s in %d rows by the text, in %d by the table: %s", claim, *s.Rows, len(where), strings.Join(where, " "))
	if len(s.OrRank) > 0 {
		claim, holds := ranked(s.OrRank)
		also := s.where(rows, holds)
		f.Text += fmt.Sprintf("; it has %s in %d: %s", claim, len(also), strings.Join(also, " "))
		if len(also) == *s.Rows {
			f.Class = ClassReading
		}
	}
	return len(where) != *s.Rows
}

// claim is what the statement counts, in words and as a test of a column of a row.
func (s Statement) claim() (words string, holds func(r printedRow, i int) bool) {
	switch {
	case s.Highest:
		return "the highest accuracy, alone or not,", func(r printedRow, i int) bool { return r.correct[i] == slices.Max(r.correct) }
	case len(s.Above) > 0:
		return "a higher accuracy than " + strings.Join(s.Above, " or "), func(r printedRow, i int) bool {
			for k := range r.column {
				if slices.Contains(s.Above, r.id(k)) && r.correct[i] > r.correct[k] {
					return true
				}
			}
			return false
		}
	}
	return ranked(s.Rank)
}

// ranked is the claim of one of these ranks.
func ranked(wanted []int) (words string, holds func(r printedRow, i int) bool) {
	ranks := make([]string, len(wanted))
	for i, rank := range wanted {
		ranks[i] = strconv.Itoa(rank)
	}
	return "rank " + strings.Join(ranks, " or "), func(r printedRow, i int) bool { return slices.Contains(wanted, r.rank[i]) }
}

// where lists the rows for which something is true of the statement's method.
func (s Statement) where(rows []printedRow, holds func(printedRow, int) bool) []string {
	var letters []string
	for _, r := range rows {
		for i := range r.column {
			if r.id(i) == s.Column && holds(r, i) {
				letters = append(letters, r.row.ID)
			}
		}
	}
	return letters
}

// improbable fills in f, and says whether as few or as many hits are less probable
// than alpha.
func (s Statement) improbable(f *Finding, alpha float64) bool {
	draws := distuv.Binomial{N: float64(s.Of), P: s.Probability}
	chance, as := draws.CDF(float64(s.Hits)), "few"
	if float64(s.Hits) > float64(s.Of)*s.Probability {
		chance, as = 1-draws.CDF(float64(s.Hits)-1), "many"
	}
	f.Printed, f.Nearest = strconv.FormatFloat(s.Probability, 'g', -1, 64), stats.Proportion(s.Hits, s.Of, 2)
	f.Bound = text.SixDigits(chance)
	f.Text = fmt.Sprintf("by the text each of %d %s with probability %g, by the table %d are; as %s have probability %.2g",
		s.Of, s.What, s.Probability, s.Hits, as, chance)
	return chance <= alpha
}
