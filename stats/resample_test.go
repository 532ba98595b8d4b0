package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sumsOf lists the sums of all draws with replacement, sorted.
func sumsOf(values []float64) []float64 {
	sums := []float64{0}
	for range values {
		var longer []float64
		for _, s := range sums {
			for _, v := range values {
				longer = append(longer, s+v)
			}
		}
		sums = longer
	}
	slices.Sort(sums)
	return sums
}

// The percentiles of many draws are those of all samples, one by one. The levels keep
// away from the steps of these distributions.
func TestBootstrapSumAgainstEnumeration(t *testing.T) {
	for _, values := range [][]float64{{0, 1}, {3}, {0, 0, 1}, {-1, 0, 4}, {1, 2, 4, 8}, {-5, 5, -5, 5, 0.25}} {
		sums := sumsOf(values)
		for _, level := range []float64{0.97, 0.9, 0.43} {
			exact := func(q float64) float64 { return sums[int(q*float64(len(sums)))] }
			want := Interval{Low: exact((1 - level) / 2), High: exact((1 + level) / 2)}
			if got := BootstrapSum(values, 200_000, level); got != want {
				t.Errorf("%v at %v: %v, want %v", values, level, got, want)
			}
		}
	}
}

func TestBootstrapSum(t *testing.T) {
	values := []float64{0.5, -2, 7, 3, 3, -1}
	first := BootstrapSum(values, 500, 0.95)
	if again := BootstrapSum(values, 500, 0.95); again != first {
		t.Errorf("%v, then %v", first, again)
	}
	if first.Low >= first.High || first.Low > 10.5 || first.High < 10.5 {
		t.Errorf("%v, want an interval around the sum 10.5", first)
	}
	if narrow := BootstrapSum(values, 500, 0.5); narrow.Low < first.Low || narrow.High > first.High {
		t.Errorf("%v at 0.5 reaches out of %v at 0.95", narrow, first)
	}
	if got := BootstrapSum([]float64{2, 2, 2}, 1, 0.95); got != (Interval{6, 6}) {
		t.Errorf("constant values: %v, want 6 to 6", got)
	}
	for name, f := range map[string]func(){
		"no values": func() { BootstrapSum(nil, 10, 0.95) },
		"no draws":  func() { BootstrapSum([]float64{1}, 0, 0.95) },
		"NaN":       func() { BootstrapSum([]float64{math.NaN()}, 10, 0.95) },
		"level 0":   func() { BootstrapSum([]float64{1}, 10, 0) },
		"level 1":   func() { BootstrapSum([]float64{1}, 10, 1) },
		"level NaN": func() { BootstrapSum([]float64{1}, 10, math.NaN()) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

// contrasts lists the statistic under every arrangement of every row.
func contrasts(rows [][]float64, marked []bool) []float64 {
	if len(rows) == 0 {
		return []float64{0}
	}
	var all []float64
	rest := contrasts(rows[1:], marked)
	for _, row := range arrangements(rows[0]) {
		in, out, n := 0.0, 0.0, 0.0
		for j, v := range row {
			if marked[j] {
				in, n = in+v, n+1
			} else {
				out += v
			}
		}
		for _, r := range rest {
			all = append(all, in/n-out/(float64(len(row))-n)+r)
		}
	}
	return all
}

func arrangements(values []float64) [][]float64 {
	if len(values) == 0 {
		return [][]float64{nil}
	}
	var all [][]float64
	for i, first := range values {
		rest := slices.Concat(values[:i], values[i+1:])
		for _, tail := range arrangements(rest) {
			all = append(all, append([]float64{first}, tail...))
		}
	}
	return all
}

// The p-value of many permutations is the share among all of them.
func TestPermuteWithinRowsAgainstEnumeration(t *testing.T) {
	const draws = 40_000
	for _, c := range []struct {
		name   string
		rows   [][]float64
		marked []bool
	}{
		// The six arrangements put 3 first twice: p = 1/3.
		{"one row", [][]float64{{3, 1, 2}}, []bool{true, false, false}},
		{"the least", [][]float64{{1, 2, 3}}, []bool{true, false, false}},
		// 1/3 · 1/3
		{"two rows", [][]float64{{3, 1, 2}, {9, 0, 0.5}}, []bool{true, false, false}},
		{"two columns", [][]float64{{5, 4, 1, 0}, {2, 3, 1, 0}}, []bool{true, true, false, false}},
		{"ties", [][]float64{{1, 1, 0}, {0, 1, 1}, {2, 0, 0}}, []bool{false, true, true}},
		{"nothing differs", [][]float64{{1, 1}, {0.1, 0.1}}, []bool{true, false}},
		{"between", [][]float64{{0.3, 0.1, 0.2}, {0.1, 0.3, 0.2}, {0.3, 0.2, 0.1}}, []bool{true, false, false}},
	} {
		got := PermuteWithinRows(c.rows, c.marked, draws)
		all := contrasts(c.rows, c.marked)
		atLeast, own := 0, float64(len(c.rows))*got.Difference
		for _, d := range all {
			if d >= own-1e-9 {
				atLeast++
			}
		}
		want := float64(atLeast) / float64(len(all))
		if sd := math.Sqrt(want * (1 - want) / draws); math.Abs(got.P-want) > 4*sd+1.0/draws || got.Draws != draws {
			t.Errorf("%s: %+v, want p %v", c.name, got, want)
		}
	}
}

func TestPermuteWithinRows(t *testing.T) {
	rows := [][]float64{{4, 1, 1}, {2, 5, 3}}
	// Means of the marked 4 and 2, of the others 1 and 4: (3 - 2) / 2.
	first := PermuteWithinRows(rows, []bool{true, false, false}, 99)
	if first.Difference != 0.5 || first.P < 0.01 || first.P > 1 {
		t.Errorf("%+v, want a difference of 0.5", first)
	}
	if again := PermuteWithinRows(rows, []bool{true, false, false}, 99); again != first {
		t.Errorf("%+v, then %+v", first, again)
	}
	if rows[0][0] != 4 || rows[1][1] != 5 {
		t.Errorf("the table has changed: %v", rows)
	}
	least := PermuteWithinRows([][]float64{{9, 0, 0, 0}, {9, 0, 0, 0}, {9, 0, 0, 0}, {9, 0, 0, 0}, {9, 0, 0, 0}, {9, 0, 0, 0}},
		[]bool{true, false, false, false}, 9)
	if least.P != 0.1 {
		t.Errorf("p %v, want 1/10: nine permutations cannot say more", least.P)
	}
	one := []bool{true, false}
	for name, f := range map[string]func(){
		"no rows":     func() { PermuteWithinRows(nil, one, 9) },
		"no draws":    func() { PermuteWithinRows([][]float64{{1, 2}}, one, 0) },
		"none marked": func() { PermuteWithinRows([][]float64{{1, 2}}, []bool{false, false}, 9) },
		"all marked":  func() { PermuteWithinRows([][]float64{{1, 2}}, []bool{true, true}, 9) },
		"short row":   func() { PermuteWithinRows([][]float64{{1, 2}, {1}}, one, 9) },
		"long row":    func() { PermuteWithinRows([][]float64{{1, 2, 3}}, one, 9) },
		"NaN":         func() { PermuteWithinRows([][]float64{{1, math.NaN()}}, one, 9) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

// Marks and values that change their places together, and a row moved as a whole,
// leave the difference as it is; the opposite marks turn it round.
func TestPermuteWithinRowsSymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(2, 5).Draw(t, "columns")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(-50, 50), columns, columns), 1, 6).Draw(t, "rows")
		marked := make([]bool, columns)
		opposite := make([]bool, columns)
		n := rapid.IntRange(1, columns-1).Draw(t, "marked")
		for j := range marked {
			marked[j], opposite[j] = j < n, j >= n
		}
		p := PermuteWithinRows(rows, marked, 20)
		if q := PermuteWithinRows(rows, opposite, 20); math.Abs(p.Difference+q.Difference) > 1e-9 {
			t.Errorf("%v and, with the opposite marks, %v", p.Difference, q.Difference)
		}
		if steps := p.P * 21; math.Abs(steps-math.Round(steps)) > 1e-9 || p.P <= 0 || p.P > 1 {
			t.Errorf("p %v of 20 permutations", p.P)
		}
		moved := make([][]float64, len(rows))
		for i, r := range rows {
			moved[i] = slices.Clone(r)
			for j := range r {
				moved[i][j] += float64(10 * i)
			}
		}
		if q := PermuteWithinRows(moved, marked, 20); math.Abs(p.Difference-q.Difference) > 1e-9 {
			t.Errorf("%v and, with rows moved, %v", p.Difference, q.Difference)
		}
	})
}
