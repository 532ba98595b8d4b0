package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"r2lmlbench/internal/fixture"
)

// engines runs a benchmark at every level of the machine.
func engines(b *testing.B, name string, f func(b *testing.B, v *level)) {
	for _, v := range available() {
		b.Run(name+"/engine="+v.name, func(b *testing.B) {
			b.ReportAllocs()
			f(b, v)
		})
	}
}

// report adds the rate of floating-point operations.
func report(b *testing.B, flops int) {
	b.ReportMetric(float64(flops)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

var clouds = []struct{ d, n int }{{4, 240}, {34, 80}, {16, 520}, {30, 400}, {60, 200}, {4, 5216}, {30, 4800}}

func BenchmarkNear(b *testing.B) {
	for _, s := range clouds {
		engines(b, fmt.Sprintf("d=%d/n=%d", s.d, s.n), func(b *testing.B, v *level) {
			c := newCloud(s.n, s.d, v)
			masks := make([]uint64, TileOffset(TileRows(s.n)))
			for b.Loop() {
				v.nearAll(masks, c.z, c.h, nil, s.n, s.d, 0, TileRows(s.n))
			}
			report(b, 2*s.d*64*len(masks))
		})
	}
}

var widths = []int{4, 16, 30, 34, 60}

// BenchmarkProx measures calls with V known from a matrix that differs by move
// times the entries' size; "cold" forgets V. One operation is Lanes matrices;
// ns/problem is per matrix. Operations are those of a matrix with a known V: two
// products, and the inner products of the columns.
func BenchmarkProx(b *testing.B) {
	for _, move := range []float64{1e-8, 1e-5, 1e-3, 1e-2} {
		for _, d := range widths {
			engines(b, fmt.Sprintf("d=%d/move=%g", d, move), func(b *testing.B, v *level) { benchmarkProx(b, v, d, move) })
		}
	}
	for _, d := range widths {
		engines(b, fmt.Sprintf("d=%d/move=cold", d), func(b *testing.B, v *level) { benchmarkProx(b, v, d, 0) })
		b.Run(fmt.Sprintf("d=%d/move=cold/engine=gonum", d), func(b *testing.B) {
			a := normal(d*d, rand.New(rand.NewPCG(1, 1)))
			for b.Loop() {
				svdProx(b, a, d, 1e-3)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/problem")
		})
	}
}

func benchmarkProx(b *testing.B, v *level, d int, move float64) {
	r := rand.New(rand.NewPCG(1, 1))
	steps := make([][]float64, 16)
	steps[0] = normal(LanesLen(d), r)
	for i := 1; i < len(steps); i++ {
		steps[i] = fill(LanesLen(d), func(j int) float64 { return steps[i-1][j] + move*r.NormFloat64() })
	}
	tau := vector{1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3}
	dst, x := make([]float64, LanesLen(d)), newProx(d, v)
	for i := 0; b.Loop(); i++ {
		// There and back again, so that every move is small.
		at := i % (2*len(steps) - 2)
		at = min(at, 2*len(steps)-2-at)
		if move == 0 {
			for p := range Lanes {
				x.Reset(p)
			}
		}
		fixture.Check(b, x.Apply(dst, steps[at], &tau, nil))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Lanes, "ns/problem")
	report(b, 5*d*d*d*Lanes)
}

// BenchmarkRowSums counts one addition for every place of every marked row.
func BenchmarkRowSums(b *testing.B) {
	for _, n := range []int{240, 600, 5216} {
		for _, width := range []int{8, 32, 64} {
			for _, share := range []float64{0.5, 0.2, 0.01} {
				marks := NewMarks(randomMarks(n, share, rand.New(rand.NewPCG(1, 1))), nil)
				engines(b, fmt.Sprintf("n=%d/width=%d/share=%g", n, width, share), func(b *testing.B, v *level) {
					t := newRowSums(marks, width, v)
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
