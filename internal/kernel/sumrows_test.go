package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

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

// sumShapes cover empty and partial words and both ways to sum.
var sumShapes = []struct {
	n     int
	share float64
	dense bool // if wide
}{
	{0, 0.5, false}, {1, 1, false}, {63, 0.5, false}, {64, 0.5, false}, {65, 0.5, false}, {200, 0.02, false},
	{300, 0, false}, {300, 0.05, false}, {300, 0.5, true}, {320, 1, true}, {257, 0.6, true},
}

var sumWidths = []int{1, 6, 8, 9, 17, 31, 32, 40, 62, 64, 72, 130}

func TestRowSums(t *testing.T) {
	for _, s := range sumShapes {
		bits := randomMarks(s.n, s.share, rand.New(rand.NewPCG(uint64(s.n), 3)))
		marks := NewMarks(bits, nil)
		if marks.dense(32) != s.dense {
			t.Errorf("%v: dense is not so", s)
		}
		for _, width := range sumWidths {
			var table *RowSums
			onLevels(t, fmt.Sprint(s, width), func(v *level) []float64 {
				table = newRowSums(marks, width, v)
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
