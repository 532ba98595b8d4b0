package tabular

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// drawRows draws rows of normal numbers and codes, with missing values, copies and rows
// beside others by up to so many standard deviations, in any order.
func drawRows(t *rapid.T, beside float64) [][]float64 {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	n, d := rapid.IntRange(2, 60).Draw(t, "rows"), rapid.IntRange(2, 5).Draw(t, "features")
	var rows [][]float64
	for len(rows) < n {
		row := make([]float64, d)
		if kind := rng.IntN(4); kind > 1 && len(rows) > 0 {
			copy(row, rows[rng.IntN(len(rows))])
			for j := range row {
				row[j] += float64(kind-2) * (2*rng.Float64() - 1) * beside
			}
		} else {
			for j := range row {
				if row[j] = 7 + rng.NormFloat64(); rng.IntN(10) == 0 {
					row[j] = math.NaN()
				}
			}
		}
		rows = append(rows, row)
	}
	rng.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// Copies are what comparing all pairs finds.
func TestCopies(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t, rapid.SampledFrom([]float64{1e-6, 3e-5, 2e-4, 1e-2}).Draw(t, "beside"))
		at := func(i int) []float64 { return rows[i] }
		scale := scales(len(rows), at)
		got := FindCopies(len(rows), at)
		wantEqual, wantNear := make([]int, len(rows)), make([]int, len(rows))
		for i := range rows {
			wantEqual[i] = slices.IndexFunc(rows, func(row []float64) bool { return apart(row, rows[i], scale, 0) == 0 })
			wantNear[i] = i
		}
		var gaps []float64 // of different rows, small ones
		for i := range rows {
			for k := range rows { // as often as a family may be long
				for l := range rows {
					if apart(rows[k], rows[l], scale, got.Within) <= got.Within {
						wantNear[k] = min(wantNear[k], wantNear[l])
					}
				}
				if gap := apart(rows[k], rows[i], scale, 10*got.Within); k < i && wantEqual[k] == k && wantEqual[i] == i && gap <= 10*got.Within {
					gaps = append(gaps, gap)
				}
			}
		}
		if close := slices.DeleteFunc(slices.Clone(gaps), func(gap float64) bool { return gap > got.Within }); 2*len(close) < len(gaps) {
			wantNear = wantEqual
		}
		if !slices.Equal(wantNear, wantEqual) {
			found++
		}
		fixture.EqualSlice(t, "first equal rows", got.Equal, wantEqual)
		fixture.EqualSlice(t, "first near rows", got.Near, wantNear)
	})
	if found == 0 {
		t.Error("no draw had near copies")
	}
}

// Rows that lie close by chance are no near copies, whatever their number, their features and
// the resolution of these: in a few of 100 tables.
func TestNoNearCopies(t *testing.T) {
	for d := 1; d <= 4; d++ {
		tables, wrong := 0, 0
		for _, n := range []int{100, 300, 2000} {
			for _, digits := range []float64{1, 1e2, 1e4, 1e15} {
				for seed := range uint64(20) {
					rng := rand.New(rand.NewPCG(seed, uint64(n*d)))
					table := Table{Names: make([]string, d), Y: make([]int, n)}
					for range n * d {
						table.X = append(table.X, math.Round(rng.NormFloat64()*digits)/digits)
					}
					tables++
					wrong += min(table.Duplicates().Nearly, 1)
				}
			}
		}
		if 50*wrong > tables {
			t.Errorf("%d features: near copies in %d of %d tables", d, wrong, tables)
		}
	}
}

// A hundred thousand rows take a moment, also where all are close to each other.
func TestCopiesOfManyRows(t *testing.T) {
	const n, d = 100_000, 10
	rng := rand.New(rand.NewPCG(2, 0))
	for _, spread := range []float64{1, 1e-4, 0} { // apart, in clusters, copies
		x := make([]float64, n*d)
		for i := range x {
			x[i] = float64(rng.IntN(3)) + spread*rng.NormFloat64()
		}
		start := time.Now()
		FindCopies(n, func(i int) []float64 { return x[i*d : (i+1)*d] })
		if took := time.Since(start); took > 20*time.Second { // about 0.2 s
			t.Errorf("spread %g: %v", spread, took)
		}
	}
}
