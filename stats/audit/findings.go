package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/stats"
)

// A Finding is something in the printed tables or the text around them that
// cannot be as it stands, or contradicts something else in print. Fields that do
// not apply are empty.
type Finding struct {
	Kind    string `json:"kind"`    // one of the constants below
	Class   string `json:"class"`   // what the finding rests on, see ClassFirstRank and others; empty: on nothing but the numbers
	Table   string `json:"table"`   // name of the table
	Letter  string `json:"letter"`  // row of the table
	Method  string `json:"method"`  // id of the method
	Printed string `json:"printed"` // what stands there
	Nearest string `json:"nearest"` // what could, or should, stand there instead
	// Bound is the probability the finding rests on, six digits: for a rank
	// the bound of Holm's adjusted p-value.
	Bound float64 `json:"bound,omitempty"`
	Text  string  `json:"text"` // the finding in words
}

// The kinds of findings.
const (
	KindUnreachable    = "unreachable"     // no count of test samples gives the accuracy
	KindInfeasibleRank = "infeasible-rank" // no predictions lead to the rank
	KindInversion      = "inversion"       // more accurate, yet ranked worse
	KindSkippedRank    = "skipped-rank"    // ranks with a gap
	KindBold           = "bold"            // bold without rank 1, or the reverse
	KindSize           = "size"            // a test set of another size than printed
	KindConstant       = "constant-class"  // the share of a class, which a constant prediction has
	KindLargest        = "largest-class"   // no more accurate than always predicting the largest class
	KindProse          = "prose"           // a claim of the text that the tables contradict
)

// Findings examines the table: accuracies that no number of right answers gives, ranks
// that contradict the accuracies or that the test allows for no predictions, shares of
// classes, and claims of the text. Findings come by row, those about the text last.
func (t *PrintedTable) Findings() []Finding {
	rows := t.rows()
	for i := range rows {
		rows[i].bound()
	}
	var all []Finding
	for _, r := range rows {
		for _, part := range []func() []Finding{r.size, r.unreachable, r.skippedRanks, r.inversions, r.bold, r.infeasibleRanks, r.constants, r.largest} {
			all = append(all, part()...)
		}
	}
	return append(all, t.contradicted()...)
}

// A printedRow is a row of the table with the columns that have a number.
type printedRow struct {
	table       *PrintedTable
	row         DataSet
	column      []int // of the table
	n           int   // test samples
	granularity []stats.Granularity
	correct     []int             // of n, the nearest if none is reached
	rank        []int             // as printed; nil: none are
	bounds      []stats.PairBound // of the p-values of all pairs, with the table's correction; nil without ranks, and before bound
	claims      []stats.RankClaim // of the ranks, that no predictions meet
}

func (t *PrintedTable) rows() []printedRow {
	rows := make([]printedRow, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = t.newPrintedRow(r)
	}
	return rows
}

func (t *PrintedTable) newPrintedRow(row DataSet) printedRow {
	r := printedRow{table: t, row: row, n: row.N}
	for i, printed := range row.Printed {
		if printed == "" {
			continue
		}
		fit := t.reach(string(printed), r.n)
		r.column = append(r.column, i)
		r.granularity = append(r.granularity, fit)
		r.correct = append(r.correct, t.right(fit.Nearest, r.n))
		if row.Rank != nil {
			r.rank = append(r.rank, int(row.Rank[i]))
		}
	}
	return r
}

// bound sets bounds and claims from the ranks of the row, if it has any.
func (r *printedRow) bound() {
	if r.rank != nil {
		test := r.table.Test
		r.bounds = stats.BoundPairs(test.variant, corrections[test.Correction], r.correct, r.n)
		// Equal counts never differ, but equal numbers may stand for several counts.
		r.claims = slices.DeleteFunc(stats.RankClaims(r.bounds, r.correct, r.rank, test.Alpha), func(c stats.RankClaim) bool {
			return c.Gap == 0 && !(r.single(c.Leader) && r.single(c.Other))
		})
	}
}

// single reports whether only one count prints as a number.
func (r printedRow) single(i int) bool {
	g := r.granularity[i]
	return g.Possible && g.Low == g.High
}

// reach returns the counts of n that print as a number of the table.
func (t *PrintedTable) reach(printed string, n int) stats.Granularity {
	check := stats.CheckPercent
	if t.Unit == proportion {
		check = stats.CheckProportion
	}
	fit, err := check(printed, n)
	if err != nil {
		panic("audit: a number that the file cannot have: " + err.Error())
	}
	return fit
}

// Print writes a count of n as the table does, with as many decimals as an example.
func (t *PrintedTable) print(count, n int, like Printed) string {
	_, decimals, _ := strings.Cut(string(like), ".")
	if t.Unit == proportion {
		return stats.Proportion(count, n, len(decimals))
	}
	return stats.Percent(count, n, len(decimals))
}

// right converts a printed count, of right answers or of errors, to right answers.
func (t *PrintedTable) right(count, n int) int {
	if t.Measure == errorRate {
		return n - count
	}
	return count
}

// printed is the number of the row's i-th column that has one.
func (r printedRow) printed(i int) Printed { return r.row.Printed[r.column[i]] }

// id and name are those of its method.
func (r printedRow) id(i int) string { return r.table.Columns[r.column[i]] }

func (r printedRow) name(i int) string { return r.table.Names[r.column[i]] }

// finding begins a finding about the method in a column.
func (r printedRow) finding(kind string, i int) Finding {
	return Finding{Kind: kind, Table: r.table.Name, Letter: r.row.ID, Method: r.id(i), Printed: string(r.printed(i))}
}

// size compares how many numbers fit the printed size of the test set and the other
// one.
func (r printedRow) size() []Finding {
	printed := r.row.PrintedN
	if printed == r.n {
		return nil
	}
	numbers := "accuracies"
	if r.table.Measure == errorRate {
		numbers = "error rates"
	}
	fit, fitPrinted := 0, 0
	for i := range r.column {
		if r.granularity[i].Possible {
			fit++
		}
		if r.table.reach(string(r.printed(i)), printed).Possible {
			fitPrinted++
		}
	}
	return []Finding{{
		Kind: KindSize, Table: r.table.Sizes, Letter: r.row.ID,
		Printed: strconv.Itoa(printed), Nearest: strconv.Itoa(r.n),
		Text: fmt.Sprintf("%d test samples explain %d of %d %s, %d explain %d", printed, fitPrinted, len(r.column), numbers, r.n, fit),
	}}
}

// unreachable finds numbers that no count of samples gives.
func (r printedRow) unreachable() []Finding {
	var all []Finding
	for i, fit := range r.granularity {
		if fit.Possible {
			continue
		}
		f := r.finding(KindUnreachable, i)
		f.Nearest = r.table.print(fit.Nearest, r.n, r.printed(i))
		f.Text = fmt.Sprintf("%s is no whole number of %d test samples; the nearest, %d, prints as %s", f.Printed, r.n, fit.Nearest, f.Nearest)
		all = append(all, f)
	}
	return all
}

// skippedRanks finds ranks that no method has although some method has a worse one.
func (r printedRow) skippedRanks() []Finding {
	ranks := slices.Compact(slices.Sorted(slices.Values(r.rank)))
	if len(ranks) == 0 || ranks[len(ranks)-1] == len(ranks) {
		return nil
	}
	var printed, dense []string
	for i, rank := range ranks {
		printed = append(printed, strconv.Itoa(rank))
		dense = append(dense, strconv.Itoa(i+1))
	}
	f := r.finding(KindSkippedRank, 0)
	f.Class, f.Method, f.Printed, f.Nearest = classNumbering, "", strings.Join(printed, ", "), strings.Join(dense, ", ")
	f.Text = "the ranks are " + f.Printed + "; ranks of groups have no gaps"
	return []Finding{f}
}

// bold finds methods for which bold print and rank 1 disagree.
func (r printedRow) bold() []Finding {
	if r.rank == nil || r.row.Bold == nil {
		return nil
	}
	var all []Finding
	for i, rank := range r.rank {
		bold := slices.Contains(r.row.Bold, r.id(i))
		if bold == (rank == 1) {
			continue
		}
		f := r.finding(KindBold, i)
		f.Text = "it has rank 1 and is not printed in bold"
		if bold {
			f.Text = fmt.Sprintf("it has rank %d and is printed in bold", rank)
		}
		all = append(all, f)
	}
	return all
}
