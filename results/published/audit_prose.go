package published

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A statement is a sentence of the paper that counts rows of its table of
// accuracies.
type statement struct {
	method string
	what   string // is true of the method in so many rows
	rows   int    // according to the text
	holds  func(r printedRow, column int) bool
	other  *reading // of the text, nil: there is one only
}

// A reading is another sense in which a statement can be meant.
type reading struct {
	what  string
	holds func(r printedRow, column int) bool
}

// firstRank takes the highest accuracy for the best group of the table, which it
// prints in bold.
var firstRank = &reading{"rank 1", ranks(1)}

// statements are from the introduction, the two about the highest accuracy, and
// from the comparison of performances.
var statements = []statement{
	{"e-r2lml", "rank 1", 14, ranks(1), nil},
	{"t-r2lml", "rank 1", 9, ranks(1), nil},
	{"plml", "rank 1", 6, ranks(1), nil},
	{"itml", "rank 1", 5, ranks(1), nil},
	{"t-r2lml", "the highest accuracy, alone or not,", 9, highest, firstRank},
	{"e-r2lml", "the highest accuracy, alone or not,", 14, highest, firstRank},
	{"glml", "rank 3 or 4", 9, ranks(3, 4), nil},
	{"lmnn-mm", "a higher accuracy than t-r2lml or e-r2lml", 0, beats("t-r2lml", "e-r2lml"), nil},
}

func ranks(wanted ...int) func(printedRow, int) bool {
	return func(r printedRow, column int) bool { return slices.Contains(wanted, r.rank[column]) }
}

func highest(r printedRow, column int) bool {
	return r.correct[column] == slices.Max(r.correct)
}

func beats(methods ...string) func(printedRow, int) bool {
	return func(r printedRow, column int) bool {
		for i, c := range r.cells {
			if slices.Contains(methods, c.Method) && r.correct[column] > r.correct[i] {
				return true
			}
		}
		return false
	}
}

// proseCounts finds statements whose number of rows is not that of the table.
func proseCounts(rows []printedRow) []Finding {
	var all []Finding
	for _, s := range statements {
		where := s.where(rows, s.holds)
		if len(where) == s.rows {
			continue
		}
		f := Finding{
			Kind: KindProse, Table: "accuracy", Method: s.method,
			Printed: strconv.Itoa(s.rows), Nearest: strconv.Itoa(len(where)),
			Text: fmt.Sprintf("it has %s in %d rows by the text, in %d by the table: %s",
				s.what, s.rows, len(where), strings.Join(where, " ")),
		}
		if s.other != nil {
			also := s.where(rows, s.other.holds)
			f.Text += fmt.Sprintf("; it has %s in %d: %s", s.other.what, len(also), strings.Join(also, " "))
			if len(also) == s.rows {
				f.Class = ClassReading
			}
		}
		all = append(all, f)
	}
	return all
}

// where lists the rows for which something is true of the statement's method.
func (s statement) where(rows []printedRow, holds func(printedRow, int) bool) []string {
	var letters []string
	for _, r := range rows {
		for i, c := range r.cells {
			if c.Method == s.method && holds(r, i) {
				letters = append(letters, c.Letter)
			}
		}
	}
	return letters
}

// zeroedShare is the probability with which, according to the text, each feature
// of the sparse study was set to zero.
const zeroedShare = 0.5

// zeroedFeatures compares that probability with the features that the learned
// metrics show to be zero: the first number of zero columns on which all metrics
// agree.
func zeroedFeatures(points []Lambda) []Finding {
	for _, p := range points {
		zeroed := p.agreedZeros()
		if zeroed == 0 {
			continue
		}
		chance := distuv.Binomial{N: float64(p.Features), P: zeroedShare}.CDF(float64(zeroed))
		if chance > publishedAlpha {
			return nil
		}
		return []Finding{{
			Kind: KindProse, Table: "lambda", Method: "e-r2lml",
			Printed: strconv.FormatFloat(zeroedShare, 'g', -1, 64), Nearest: stats.Proportion(zeroed, p.Features, 2),
			Bound: text.SixDigits(chance),
			Text: fmt.Sprintf("by the text each of %d features is zeroed with probability %g, by the table %d are; as few have probability %.2g",
				p.Features, zeroedShare, zeroed, chance),
		}}
	}
	return nil
}
