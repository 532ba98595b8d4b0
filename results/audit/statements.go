package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// contradicted finds statements of the text that the table contradicts.
func (t *Table) contradicted(rows []printedRow) []Finding {
	var all []Finding
	for _, s := range t.Statements {
		claim, holds := s.claim()
		where := s.where(rows, holds)
		if len(where) == *s.Rows {
			continue
		}
		f := Finding{Kind: KindProse, Table: t.Name, Method: s.Column, Printed: strconv.Itoa(*s.Rows), Nearest: strconv.Itoa(len(where))}
		f.Text = fmt.Sprintf("it has %s in %d rows by the text, in %d by the table: %s", claim, *s.Rows, len(where), strings.Join(where, " "))
		if len(s.OrRank) > 0 {
			claim, holds := ranked(s.OrRank)
			also := s.where(rows, holds)
			f.Text += fmt.Sprintf("; it has %s in %d: %s", claim, len(also), strings.Join(also, " "))
			if len(also) == *s.Rows {
				f.Class = ClassReading
			}
		}
		all = append(all, f)
	}
	return all
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
