package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/internal/fixture"
)

func TestDots(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 2))
	for d := range 14 {
		for count := range 10 {
			v, rows, ld := normal(d, r), normal(10*(d+3), r), d+3
			dots := onLevels(t, fmt.Sprint(d, " features"), func() []float64 {
				dst := make([]float64, count)
				active.dots(dst, rows, ld, v)
				return dst
			})
			for i, got := range dots {
				closeTo(t, "inner product", got, floats.Dot(rows[i*ld:i*ld+d], v), 1e-13)
			}
		}
	}
}

func TestAddRows(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 2))
	for d := 1; d < 75; d++ {
		for _, count := range []int{1, 2, 4, 7, 13} {
			c, ld, start := normal(count, r), d+r.IntN(3), normal(d, r)
			rows, want := normal(count*ld, r), slices.Clone(start)
			for i, factor := range c {
				for j := range want {
					want[j] += float64(factor * rows[i*ld+j])
				}
			}
			sums := onLevels(t, fmt.Sprintf("%d columns, %d rows", d, count), func() []float64 {
				dst := slices.Clone(start)
				active.addRows(dst, c, rows, ld)
				return dst
			})
			fixture.SameBits(t, "sums", sums, want)
		}
	}
}

func TestRotations(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	for columns := 1; columns < 40; columns++ {
		for count := 1; count < 6; count++ {
			c, s, ld := normal(count, r), normal(count, r), columns+r.IntN(3)
			z := normal(count*ld+columns, r)
			onLevels(t, fmt.Sprint(columns, " columns"), func() []float64 {
				down, up := slices.Clone(z), slices.Clone(z)
				active.rotateDown(down, ld, columns, c, s)
				active.rotateUp(up, ld, columns, c, s)
				return append(down, up...)
			})
		}
	}
}

func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), -700, 700, -746, -745, -720, -708.4, 709.7, 710,
		1e-300, -1e-300, 5e-324, -1e300, 1e300, -2147483648, -1e10}
	eachLevel(func(l *level) {
		for n := range 70 {
			x := make([]float64, 40*n)
			for i := range x {
				switch x[i] = -math.Exp(12*r.NormFloat64() - 3); {
				case n%3 == 0:
					x[i] = 300 * r.NormFloat64()
				case n%3 == 1 && r.IntN(20) == 0:
					x[i] = odd[r.IntN(len(odd))]
				}
			}
			got := slices.Clone(x)
			Exp(got, got)
			for i, v := range x {
				if want := math.Exp(v); math.Float64bits(got[i]) != math.Float64bits(want) {
					t.Fatalf("%s: the exponential of %v is %v, want %v", l.name, v, got[i], want)
				}
			}
		}
	})
}

func TestPullsAndAverages(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 2))
	for n := 8; n < 60; n += 8 {
		i, j, k, mean := normal(n, r), normal(n, r), normal(n, r), normal(n, r)
		copy(k[n/2:], j[n/2:]) // some pulls of 0
		mean[0], mean[1] = math.Copysign(0, -1), 0
		f := &[4]float64{3, 4, 20, 0.01}
		if n == 8 {
			f[3] = 0
		}
		onLevels(t, fmt.Sprint(n, " places"), func() []float64 {
			delta, w, next := make([]float64, n), make([]float64, n), slices.Clone(mean)
			active.pulls(delta, i, j, k)
			pulls := slices.Clone(delta)
			if n == 8 {
				delta[0], delta[1] = math.Copysign(0, -1), 0
			}
			active.average(next, w, delta, f)
			return slices.Concat(pulls, next, w)
		})
	}
}

// randomMarks draws n×n bits, each set with probability share. Rows 5 of 8 are
// empty in a stretch, so that empty words occur in dense marks too.
func randomMarks(n int, share float64, r *rand.Rand) [][]uint64 {
	rows := make([][]uint64, n)
	for m := range rows {
		rows[m] = make([]uint64, (n+63)/64)
		for i := range n {
			if r.Float64() < share && !(i < 64 && m%8 == 5) {
				rows[m][i/64] |= 1 << (i % 64)
			}
		}
	}
	return rows
}

func fillTable(t *RowSums, n, width int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 9))
	for i := range n {
		for j := range width {
			t.Row(i)[j] = r.NormFloat64()
		}
	}
}

// The shapes cover empty and partial words and both ways to sum.
func TestRowSums(t *testing.T) {
	for _, s := range []struct {
		n     int
		share float64
		dense bool // if wide
	}{
		{0, 0.5, false}, {1, 1, false}, {63, 0.5, false}, {64, 0.5, false}, {65, 0.5, false}, {200, 0.02, false},
		{300, 0, false}, {300, 0.05, false}, {300, 0.5, true}, {320, 1, true}, {257, 0.6, true},
	} {
		bits := randomMarks(s.n, s.share, rand.New(rand.NewPCG(uint64(s.n), 3)))
		marks := NewMarks(bits, nil)
		if marks.dense(32) != s.dense {
			t.Errorf("%v: dense is not so", s)
		}
		for _, width := range []int{1, 6, 8, 9, 17, 31, 32, 40, 62, 64, 72, 130} {
			var table *RowSums
			onLevels(t, fmt.Sprint(s, width), func() []float64 {
				table = NewRowSums(marks, width)
				fillTable(table, s.n, width, uint64(width))
				for range 2 { // a second call starts anew
					table.Sum()
				}
				return table.total
			})
			for m := range s.n {
				for j := range width {
					sum, size := 0.0, 0.0
					for i := range s.n {
						if bits[m][i/64]>>(i%64)&1 == 1 {
							sum += table.Row(i)[j]
							size++
						}
					}
					closeTo(t, "sum", table.Total(m)[j], sum, 1e-14*(1+size))
				}
			}
		}
	}
}

// BenchmarkRowSums counts one addition for every place of every marked row.
func BenchmarkRowSums(b *testing.B) {
	for _, n := range []int{240, 600, 5216} {
		for _, width := range []int{8, 32, 64} {
			for _, share := range []float64{0.5, 0.2, 0.01} {
				marks := NewMarks(randomMarks(n, share, rand.New(rand.NewPCG(1, 1))), nil)
				engines(b, fmt.Sprintf("n=%d/width=%d/share=%g", n, width, share), func(b *testing.B) {
					t := NewRowSums(marks, width)
					fillTable(t, n, width, 1)
					for b.Loop() {
						t.Sum()
					}
					report(b, t.width*marks.count)
				})
			}
		}
	}
}
