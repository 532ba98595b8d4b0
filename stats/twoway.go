package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A TwoWay is an additive fit to a table with gaps, which are NaN: number (i, j) is
// Center + Rows[i] + Columns[j] + Rest[i][j]. The effect of a row or column without
// a number is NaN, and so is Center without any.
type TwoWay struct {
	Center        float64
	Rows, Columns []float64
	Rest          [][]float64
}

// FitMeans fits by least squares: the rest has mean 0 in every row and column, and
// so have the effects. Between parts of a table that share no row or column, effects
// are not determined. It panics unless all rows have the same length.
func FitMeans(table [][]float64) TwoWay {
	return fitTwoWay(table, func(x []float64) float64 { return stat.Mean(x, nil) })
}

// MedianPolish fits with medians instead of means (Tukey 1977), so that single
// outliers do not move the effects. It panics as FitMeans does.
func MedianPolish(table [][]float64) TwoWay { return fitTwoWay(table, Median) }

// Median is the middle one of some numbers, or the mean of the middle two; NaN
// without any.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Known returns the numbers of a list without its gaps.
func Known(x []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(x), math.IsNaN)
}

const (
	// maxSweeps bounds the sweeps over rows and columns, which end when none moves an
	// effect by more than sweepTolerance of the largest number.
	maxSweeps      = 1000
	sweepTolerance = 1e-13
)

// fitTwoWay takes the middle of each row, and then of each column, out of what is
// left, until nothing moves.
func fitTwoWay(table [][]float64, middle func([]float64) float64) TwoWay {
	t := TwoWay{Rows: make([]float64, len(table)), Columns: make([]float64, width(table))}
	least := 0.0
	for _, row := range table {
		t.Rest = append(t.Rest, slices.Clone(row))
		for _, v := range Known(row) {
			least = math.Max(least, sweepTolerance*math.Abs(v))
		}
	}
	for range maxSweeps {
		if math.Max(t.sweepRows(middle), t.sweepColumns(middle)) <= least {
			break
		}
	}
	t.centre(middle)
	return t
}

func width(table [][]float64) int {
	if len(table) == 0 {
		return 0
	}
	for _, row := range table {
		if len(row) != len(table[0]) {
			panic("stats: a two-way table needs rows of one length")
		}
	}
	return len(table[0])
}

// sweepRows moves the middle of each row of the rest into its effect, and returns
// the largest move.
func (t *TwoWay) sweepRows(middle func([]float64) float64) float64 {
	largest := 0.0
	for i, row := range t.Rest {
		numbers := Known(row)
		if len(numbers) == 0 {
			t.Rows[i] = math.NaN()
			continue
		}
		move := middle(numbers)
		t.Rows[i] += move
		for j := range row {
			row[j] -= move
		}
		largest = math.Max(largest, math.Abs(move))
	}
	return largest
}

// sweepColumns is sweepRows for the columns.
func (t *TwoWay) sweepColumns(middle func([]float64) float64) float64 {
	largest := 0.0
	for j := range t.Columns {
		numbers := Known(column(t.Rest, j))
		if len(numbers) == 0 {
			t.Columns[j] = math.NaN()
			continue
		}
		move := middle(numbers)
		t.Columns[j] += move
		for _, row := range t.Rest {
			row[j] -= move
		}
		largest = math.Max(largest, math.Abs(move))
	}
	return largest
}

func column(table [][]float64, j int) []float64 {
	all := make([]float64, len(table))
	for i, row := range table {
		all[i] = row[j]
	}
	return all
}

// centre moves the middle of the effects into Center.
func (t *TwoWay) centre(middle func([]float64) float64) {
	for _, effects := range [][]float64{t.Rows, t.Columns} {
		move := math.NaN()
		if numbers := Known(effects); len(numbers) > 0 {
			move = middle(numbers)
		}
		for i := range effects {
			effects[i] -= move
		}
		t.Center += move
	}
}

// An FTest is the outcome of an F test.
type FTest struct {
	F        float64
	DF1, DF2 int
	P        float64
}

// CompareRows tests by least squares whether rows of a two-way table with gaps differ,
// given the effects of its columns. There is no test of fewer than two rows, of a
// table that falls into parts without a row or column in common, or of one that the
// fit meets exactly.
func CompareRows(table [][]float64) (f FTest, ok bool) {
	both := FitMeans(table)
	numbers, rows, columns := 0, len(Known(both.Rows)), len(Known(both.Columns))
	scale := 0.0
	for _, row := range table {
		for _, v := range Known(row) {
			numbers++
			scale += v * v
		}
	}
	f.DF1, f.DF2 = rows-1, numbers-rows-columns+1
	left := squares(both.Rest)
	if f.DF1 < 1 || f.DF2 < 1 || !connected(table) || left <= sweepTolerance*scale {
		return FTest{}, false
	}
	f.F = (squares(columnsOnly(table)) - left) / float64(f.DF1) / (left / float64(f.DF2))
	f.P = upperTailF(f.F, f.DF1, f.DF2)
	return f, true
}

// columnsOnly is a table less the means of its columns.
func columnsOnly(table [][]float64) [][]float64 {
	t := TwoWay{Columns: make([]float64, width(table))}
	for _, row := range table {
		t.Rest = append(t.Rest, slices.Clone(row))
	}
	t.sweepColumns(func(x []float64) float64 { return stat.Mean(x, nil) })
	return t.Rest
}

func squares(table [][]float64) float64 {
	sum := 0.0
	for _, row := range table {
		for _, v := range Known(row) {
			sum += v * v
		}
	}
	return sum
}

// connected tells whether one can come from every number of a table to every other
// along rows and columns.
func connected(table [][]float64) bool {
	part := make([]int, width(table)) // of each column: the smallest one it is connected with
	for j := range part {
		part[j] = j
	}
	for _, row := range table {
		first := slices.IndexFunc(row, known)
		for j, v := range row {
			if !known(v) || part[j] == part[first] {
				continue
			}
			from, to := part[j], part[first]
			for k := range part {
				if part[k] == from {
					part[k] = to
				}
			}
		}
	}
	parts := map[int]bool{}
	for _, row := range table {
		for j, v := range row {
			if known(v) {
				parts[part[j]] = true
			}
		}
	}
	return len(parts) == 1
}

func known(v float64) bool { return !math.IsNaN(v) }
