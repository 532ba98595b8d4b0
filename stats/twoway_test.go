package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var gap = math.NaN()

// additive makes a table of a centre, row effects and column effects.
func additive(center float64, rows, columns []float64) [][]float64 {
	var table [][]float64
	for _, r := range rows {
		var row []float64
		for _, c := range columns {
			row = append(row, center+r+c)
		}
		table = append(table, row)
	}
	return table
}

func agree(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 || math.IsNaN(x) && math.IsNaN(y) })
}

// Both fits give an additive table back, gaps or not.
func TestTwoWayOfAdditiveTable(t *testing.T) {
	rows, columns := []float64{-3, -1, 0, 1, 3}, []float64{-2, 0, 2}
	for name, gaps := range map[string][][2]int{"complete": nil, "gaps": {{0, 0}, {0, 1}, {3, 2}, {4, 1}}} {
		table := additive(7, rows, columns)
		for _, g := range gaps {
			table[g[0]][g[1]] = gap
		}
		for kind, fit := range map[string]func([][]float64) TwoWay{"means": FitMeans, "medians": MedianPolish} {
			got := fit(table)
			if math.Abs(got.Center-7) > 1e-9 || !agree(got.Rows, rows) || !agree(got.Columns, columns) {
				t.Errorf("%s, %s: %+v", name, kind, got)
			}
		}
		if f, ok := CompareRows(table); ok {
			t.Errorf("%s: %+v of a table without a rest", name, f)
		}
	}
}

// The rest of a fit by means has mean 0 along every row and column, gaps left out.
func TestFitMeansIsLeastSquares(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	table := make([][]float64, 8)
	for i := range table {
		for range 5 {
			v := draw.NormFloat64()
			if draw.IntN(4) == 0 {
				v = gap
			}
			table[i] = append(table[i], v)
		}
	}
	got := FitMeans(table)
	for i, row := range got.Rest {
		if sum := sumOf(Known(row)); math.Abs(sum) > 1e-9 {
			t.Errorf("row %d: rest sums up to %g", i, sum)
		}
		for j, rest := range row {
			if v := table[i][j]; known(v) && math.Abs(got.Center+got.Rows[i]+got.Columns[j]+rest-v) > 1e-9 {
				t.Errorf("parts of number %d, %d do not add up to %g", i, j, v)
			}
		}
	}
	for j := range 5 {
		if sum := sumOf(Known(column(got.Rest, j))); math.Abs(sum) > 1e-9 {
			t.Errorf("column %d: rest sums up to %g", j, sum)
		}
	}
}

func sumOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

// By hand: rows 1 2 3, 2 4 6 and 6 7 8 have means 2, 4 and 7 around 13/3, so that
// rows take 3·(49/9 + 1/9 + 64/9) = 38. Columns have means 3, 13/3 and 17/3. The
// rest is 1/3 0 -1/3, -2/3 0 2/3, 1/3 0 -1/3 with squares 4/3. F = (38/2)/((4/3)/4).
func TestCompareRowsByHand(t *testing.T) {
	got, ok := CompareRows([][]float64{{1, 2, 3}, {2, 4, 6}, {6, 7, 8}})
	if !ok || got.DF1 != 2 || got.DF2 != 4 || math.Abs(got.F-57) > 1e-9 {
		t.Errorf("%+v, %v, want F = 57 on 2 and 4 degrees of freedom", got, ok)
	}
	// With 2 degrees of freedom, P(F > f) = (1 + 2f/d)^(-d/2): (1 + 28.5)⁻².
	if want := 1 / (29.5 * 29.5); math.Abs(got.P-want) > 1e-12 {
		t.Errorf("p is %g, want %g", got.P, want)
	}
}
