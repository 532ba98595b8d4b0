package published

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
	Class   string `json:"class"`   // what the finding rests on, see Classes; empty: on nothing but the numbers
	Table   string `json:"table"`   // "accuracy", "datasets" or "lambda"
	Letter  string `json:"letter"`  // row of the table
	Method  string `json:"method"`  // our id of the method
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
	KindProse          = "prose"           // the text says otherwise
)

// publishedAlpha is the family-wise level of the paper's tests.
const publishedAlpha = 0.05

// testSizes are sizes of test sets that Table 1 misprints. Sonar has 208 samples;
// 40 of them train and 40 validate.
var testSizes = map[string]int{"P": 128}

// Audit examines the paper's tables by arithmetic alone: accuracies that no number
// of correct samples gives, ranks that contradict the accuracies or that McNemar's
// exact test with Holm's correction allows for no predictions, and statements of
// the text about its tables. Findings come by row, those about the text last.
func Audit() []Finding {
	rows := printedRows(parsed())
	var all []Finding
	for _, r := range rows {
		for _, part := range []func() []Finding{
			r.size, r.unreachable, r.skippedRanks, r.inversions, r.bold,
			func() []Finding { return r.infeasibleRanks(stats.Exact) },
		} {
			all = append(all, part()...)
		}
	}
	all = append(all, unreachableLambda(LambdaPoints())...)
	all = append(all, proseCounts(rows)...)
	return append(all, zeroedFeatures(LambdaPoints())...)
}

// A printedRow is a row of the table of accuracies.
type printedRow struct {
	cells       []Number
	n           int                 // test samples, those of testSizes if known
	granularity []stats.Granularity // of n samples
	correct     []int               // of n, the nearest if none is reached
	rank        []int               // as printed
}

// printedRows divides the numbers, which are in order of rows, into rows.
func printedRows(all []Number) []printedRow {
	var rows []printedRow
	for start := 0; start < len(all); {
		end := start
		for end < len(all) && all[end].Letter == all[start].Letter {
			end++
		}
		rows = append(rows, newPrintedRow(all[start:end]))
		start = end
	}
	return rows
}

func newPrintedRow(cells []Number) printedRow {
	r := printedRow{cells: cells, n: cells[0].Test}
	if n, ok := testSizes[cells[0].Letter]; ok {
		r.n = n
	}
	for _, c := range cells {
		fit := mustCheck(stats.CheckPercent(c.Accuracy, r.n))
		r.granularity = append(r.granularity, fit)
		r.correct = append(r.correct, fit.Nearest)
		r.rank = append(r.rank, c.Rank)
	}
	return r
}

// mustCheck is for the embedded files, which tests have read.
func mustCheck(r stats.Granularity, err error) stats.Granularity {
	if err != nil {
		panic(fmt.Sprintf("results: published numbers: %v", err))
	}
	return r
}

// finding begins a finding about the method in a column.
func (r printedRow) finding(kind string, column int) Finding {
	c := r.cells[column]
	return Finding{Kind: kind, Table: "accuracy", Letter: c.Letter, Method: c.Method, Printed: c.Accuracy}
}

// size compares how many accuracies fit the printed size of the test set and the
// one of testSizes.
func (r printedRow) size() []Finding {
	printed := r.cells[0].Test
	if printed == r.n {
		return nil
	}
	fit, fitPrinted := 0, 0
	for i, c := range r.cells {
		if r.granularity[i].Possible {
			fit++
		}
		if mustCheck(stats.CheckPercent(c.Accuracy, printed)).Possible {
			fitPrinted++
		}
	}
	return []Finding{{
		Kind: KindSize, Table: "datasets", Letter: r.cells[0].Letter,
		Printed: strconv.Itoa(printed), Nearest: strconv.Itoa(r.n),
		Text: fmt.Sprintf("%d test samples explain %d of %d accuracies, %d explain %d",
			printed, fitPrinted, len(r.cells), r.n, fit),
	}}
}

// unreachable finds accuracies that no count of correct samples gives.
func (r printedRow) unreachable() []Finding {
	var all []Finding
	for i, fit := range r.granularity {
		if fit.Possible {
			continue
		}
		f := r.finding(KindUnreachable, i)
		f.Nearest = stats.Percent(fit.Nearest, r.n, 2)
		f.Text = unreachableText(f, r.n, fit.Nearest)
		all = append(all, f)
	}
	return all
}

func unreachableText(f Finding, n, nearest int) string {
	return fmt.Sprintf("%s is no whole number of %d test samples; the nearest, %d, prints as %s", f.Printed, n, nearest, f.Nearest)
}

// skippedRanks finds ranks that nobody has although somebody has a worse one.
func (r printedRow) skippedRanks() []Finding {
	ranks := slices.Compact(slices.Sorted(slices.Values(r.rank)))
	if ranks[len(ranks)-1] == len(ranks) {
		return nil
	}
	var printed, dense []string
	for i, rank := range ranks {
		printed = append(printed, strconv.Itoa(rank))
		dense = append(dense, strconv.Itoa(i+1))
	}
	f := r.finding(KindSkippedRank, 0)
	f.Class, f.Method, f.Printed, f.Nearest = ClassNumbering, "", strings.Join(printed, ", "), strings.Join(dense, ", ")
	f.Text = "the ranks are " + f.Printed + "; ranks of groups have no gaps"
	return []Finding{f}
}

// inversions finds methods ranked behind less accurate ones.
func (r printedRow) inversions() []Finding {
	var all []Finding
	claims := r.claims(stats.Exact)
	for _, pair := range stats.Inversions(r.correct, r.rank) {
		better, other := r.cells[pair[0]], r.cells[pair[1]]
		f := r.finding(KindInversion, pair[0])
		f.Class = r.inversionClass(claims, pair[0], pair[1])
		f.Text = fmt.Sprintf("rank %d puts it behind %s, which has %s and rank %d", better.Rank, MethodName(other.Method), other.Accuracy, other.Rank)
		all = append(all, f)
	}
	return all
}

// bold finds methods for which bold print and rank 1 disagree.
func (r printedRow) bold() []Finding {
	var all []Finding
	for i, c := range r.cells {
		if c.Bold == (c.Rank == 1) {
			continue
		}
		f := r.finding(KindBold, i)
		f.Text = "it has rank 1 and is not printed in bold"
		if c.Bold {
			f.Text = fmt.Sprintf("it has rank %d and is printed in bold", c.Rank)
		}
		all = append(all, f)
	}
	return all
}
