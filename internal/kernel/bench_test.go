package kernel

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
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

// BenchmarkPrefilter is BenchmarkNear through a prefilter, filled anew each time.
func BenchmarkPrefilter(b *testing.B) {
	for _, s := range clouds {
		b.Run(fmt.Sprintf("d=%d/n=%d", s.d, s.n), func(b *testing.B) {
			b.ReportAllocs()
			c := newCloud(s.n, s.d, active)
			prefilter := prefiltered(b, c)
			masks := make([]uint64, TileOffset(TileRows(s.n)))
			for b.Loop() {
				prefilter.Fill(c.z, c.h, s.n, s.d)
				active.nearAll(masks, c.z, c.h, prefilter, s.n, s.d, 0, TileRows(s.n))
			}
			report(b, 2*s.d*64*len(masks))
		})
	}
}

// BenchmarkFirstFeatures marks the pairs of 4800 samples with 30 features, of which the first ones
// decide 99 % of the tiles and more.
func BenchmarkFirstFeatures(b *testing.B) {
	const n, d = 4800, 30
	for _, first := range []int{4, 8, 12, 16} {
		engines(b, fmt.Sprintf("d=%d/n=%d/first=%d", d, n, first), func(b *testing.B, v *level) {
			if v.prefilter == nil {
				b.Skip("this level has no prefilter")
			}
			c := firstCloud(n, d, first, 0.003)
			f := new(Prefilter)
			f.FillTurned(c.z, c.h, n, d, first)
			masks := make([]uint64, TileOffset(TileRows(n)))
			for b.Loop() {
				v.nearAll(masks, c.z, c.h, f, n, d, 0, TileRows(n))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(masks)), "ns/tile")
		})
	}
}

func BenchmarkMap(b *testing.B) {
	for _, s := range clouds {
		engines(b, fmt.Sprintf("d=%d/n=%d", s.d, s.n), func(b *testing.B, v *level) {
			c := newCloud(s.n, s.d, v)
			for b.Loop() {
				v.mapAll(c.z, c.h, c.x, c.l, s.n, s.d)
			}
			report(b, 2*s.d*s.d*s.n)
		})
	}
}

func BenchmarkSquaredDistances(b *testing.B) {
	for _, s := range clouds {
		engines(b, fmt.Sprintf("d=%d/n=%d/m=64", s.d, s.n), func(b *testing.B, v *level) {
			c := newCloud(s.n, s.d, v)
			ldd := PanelLen(s.n, 1)
			dst := make([]float64, 64*ldd)
			for b.Loop() {
				v.squaredDistances(dst, ldd, c.rows, s.d, 64, c.x, s.n, s.d)
			}
			report(b, 3*s.d*64*s.n)
		})
	}
}

func BenchmarkAddOuter(b *testing.B) {
	for _, d := range []int{4, 16, 30, 60} {
		engines(b, fmt.Sprintf("d=%d", d), func(b *testing.B, v *level) {
			m, u := make([]float64, d*ScatterStride(d)), make([]float64, ScatterStride(d))
			for b.Loop() {
				v.addOuter(m, u, u, d, ScatterStride(d), 1)
			}
			report(b, d*(d+1))
		})
	}
}

// BenchmarkScatter changes one in every 2, 20 and 200 pairs. Operations are those of sums of
// differences: three for each feature of a pair that changes.
func BenchmarkScatter(b *testing.B) {
	for _, s := range []struct{ d, n int }{{4, 5216}, {30, 4800}} {
		for _, every := range []int{2, 20, 200} {
			engines(b, fmt.Sprintf("d=%d/n=%d/every=%d", s.d, s.n, every), func(b *testing.B, v *level) {
				r := rand.New(rand.NewPCG(1, 1))
				masks := make([]uint64, TileOffset(TileRows(s.n)))
				changes := 0
				for pair := r.IntN(every); pair < 64*len(masks); pair += 1 + r.IntN(2*every-1) {
					masks[pair/64] |= 1 << (pair % 64)
				}
				Trim(masks, s.n)
				for _, m := range masks {
					changes += bits.OnesCount64(m)
				}
				none, before := make([]uint64, len(masks)), make([]uint64, len(masks))
				ld := ScatterStride(s.d)
				x, m, scratch := normal(s.n*ld, r), make([]float64, s.d*ld), make([]float64, ScatterScratch(s.n, s.d))
				for now, next := masks, none; b.Loop(); now, next = next, now {
					v.updateScatter(m, scratch, x, s.n, s.d, now, before, nil)
				}
				report(b, 3*s.d*changes)
			})
		}
	}
}

var widths = []int{4, 16, 30, 34, 60}

func BenchmarkMul(b *testing.B) {
	for _, d := range widths {
		engines(b, fmt.Sprintf("d=%d", d), func(b *testing.B, v *level) {
			r := rand.New(rand.NewPCG(1, 1))
			x, y, z := normal(LanesLen(d), r), normal(LanesLen(d), r), make([]float64, LanesLen(d))
			for b.Loop() {
				v.mul(z, x, y, d)
			}
			report(b, 2*d*d*d*Lanes)
		})
	}
}

func BenchmarkStep(b *testing.B) {
	for _, d := range widths {
		engines(b, fmt.Sprintf("d=%d", d), func(b *testing.B, v *level) {
			r := rand.New(rand.NewPCG(1, 1))
			x, y, z := normal(LanesLen(d), r), normal(LanesLen(d), r), make([]float64, LanesLen(d))
			var top, factor vector
			for b.Loop() {
				v.step(z, x, y, &factor, &top)
			}
		})
	}
}

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

// BenchmarkSweep times a sweep of Jacobi rotations in which every pair of columns is rotated,
// for eight problems at once.
func BenchmarkSweep(b *testing.B) {
	for _, d := range []int{16, 30, 34, 60} {
		engines(b, fmt.Sprintf("d=%d", d), func(b *testing.B, v *level) {
			basis := newBasis(d)
			start := normal(len(basis.columns), rand.New(rand.NewPCG(1, 1)))
			active, floor := vector{1, 1, 1, 1, 1, 1, 1, 1}, vector{}
			for b.Loop() {
				copy(basis.columns, start)
				v.sweep(basis.columns, basis.pairs, basis.quads, d, &active, &floor)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(d*(d-1)/2), "ns/pair")
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
		if err := x.Apply(dst, steps[at], &tau, nil); err != nil {
			b.Fatal(err)
		}
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

func BenchmarkMargins(b *testing.B) {
	for _, s := range []struct{ d, n int }{{4, 5216}, {30, 4800}} {
		engines(b, fmt.Sprintf("d=%d/n=%d", s.d, s.n), func(b *testing.B, v *level) {
			c := newCloud(s.n, s.d, v)
			masks := randomMasks(s.n, rand.New(rand.NewPCG(1, 1)))
			margins := make([]float64, len(masks))
			var m Margins
			for b.Loop() {
				m.Fill(c.z, c.h, c.x, c.h, s.n, s.d, testRounding, testRounding)
				v.measure(&m, margins, masks, 1)
			}
		})
	}
}
