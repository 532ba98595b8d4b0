package kernel

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/internal/fixture"
)

// A neighborCase is training and query samples by rows.
type neighborCase struct {
	name    string
	d       int
	x, q    []float64
	k       int
	rounded bool // the distances are looked at in float32 first, where the level has it
}

// neighborCases cover both sides of every bound of a search, ties and numbers that
// float32 has not.
func neighborCases() []neighborCase {
	r := rand.New(rand.NewPCG(7, 11))
	cases := []neighborCase{
		{"one sample", 3, normal(3, r), normal(3*5, r), 4, false},
		{"few", 4, normal(4*100, r), normal(4*9, r), 5, false},
		{"one feature", 1, normal(700, r), normal(3, r), 5, false},
		{"just enough", 2, normal(2*128, r), normal(2*300, r), 5, true},
		{"one too few", 2, normal(2*127, r), normal(2*300, r), 5, false},
		{"odd sizes", 13, normal(13*777, r), normal(13*19, r), 7, true},
		{"many features", 300, normal(300*600, r), normal(300*17, r), 3, true},
		{"many neighbors", 10, normal(10*600, r), normal(10*5, r), 599, true},
		{"more neighbors than places of a panel", 10, normal(10*1500, r), normal(10*5, r), 40, true},
		{"all samples", 10, normal(10*600, r), normal(10*5, r), 600, true},
		{"more lists than one block has", 3, normal(3*600, r), normal(3*500, r), 600, true},
		{"more than one block", 9, normal(9*3000, r), normal(9*261, r), 1, true},
		{"far from 0", 16, shifted(normal(16*900, r), 1e7), shifted(normal(16*33, r), 1e7), 5, true},
		{"tiny", 16, scaled(normal(16*900, r), 1e-60), scaled(normal(16*33, r), 1e-60), 5, true},
		{"huge", 16, scaled(normal(16*900, r), 1e60), scaled(normal(16*33, r), 1e60), 5, true},
		{"query samples far away", 16, normal(16*900, r), scaled(normal(16*9, r), 1e40), 5, true},
		{"one query sample far away", 16, normal(16*900, r), append(scaled(normal(16, r), 1e30), normal(16*9, r)...), 5, true},
		{"a training sample far away", 16, append(normal(16*900, r), scaled(normal(16*3, r), 1e35)...),
			append(scaled(normal(16*2, r), 1e35), normal(16*7, r)...), 5, true},
		{"all training samples but the first far away", 16, append(normal(16*1100, r), scaled(normal(16*500, r), 1e35)...), scaled(normal(16*9, r), 1e35), 5, true},
		{"all equal", 12, make([]float64, 12*600), make([]float64, 12*6), 5, false},
		{"too large to be squared", 12, scaled(normal(12*600, r), 1e160), scaled(normal(12*6, r), 1e160), 5, false},
		{"an infinite query sample", 12, normal(12*600, r), append(scaled(normal(12, r), math.Inf(1)), normal(12*5, r)...), 5, true},
	}
	grid := make([]float64, 10*800+10*40) // few values, so that most distances tie
	for i := range grid {
		grid[i] = float64(r.IntN(3))
	}
	near := normal(20*1000, r) // pairs of which float32 cannot tell which is nearer
	for i := range near {
		near[i] = 1 + 1e-9*near[i]
	}
	return append(cases, neighborCase{"ties", 10, grid[:8000], grid[8000:], 5, true},
		neighborCase{"beyond float32", 20, append(normal(20*100, r), near...), near[:20*15], 5, true})
}

func shifted(x []float64, by float64) []float64 {
	for i := range x {
		x[i] += by
	}
	return x
}

func scaled(x []float64, by float64) []float64 {
	for i := range x {
		x[i] *= by
	}
	return x
}

// TestSearchIsAStableSort compares the neighbors at every level with a stable sort of
// all distances by definition.
func TestSearchIsAStableSort(t *testing.T) {
	for _, c := range neighborCases() {
		eachLevel(func(v *level) {
			t.Run(c.name+"/"+v.name, func(t *testing.T) {
				s := NewSearch(c.x, c.d, len(c.x)/c.d, c.d)
				fixture.Equal(t, "samples in float32", s.scale != 0, c.rounded && v.prefilter != nil)
				c.compare(t, s)
			})
		})
	}
}

// compare fails unless a search visits all query samples in order, with the neighbors of a
// stable sort.
func (c neighborCase) compare(t *testing.T, s *Search) {
	t.Helper()
	visited := 0
	s.Nearest(c.q, c.d, len(c.q)/c.d, c.k, func(i int, near Neighbors) {
		if i != visited {
			t.Fatalf("query sample %d after %d", i, visited)
		}
		visited++
		if want := sorted(c, i); !slices.Equal(near.Index, want) {
			t.Errorf("query sample %d: %v, want %v", i, near.Index, want)
		}
		for j, n := range near.Index {
			want := SquaredDistance(c.q[i*c.d:(i+1)*c.d], c.x[n*c.d:(n+1)*c.d])
			if got := near.Distance[j]; got != want && !math.IsNaN(want) {
				t.Errorf("query sample %d: distance %v to %d, want %v", i, got, n, want)
			}
		}
	})
	fixture.Equal(t, "query samples", visited, len(c.q)/c.d)
}

// sorted returns the neighbors of query sample i by a stable sort.
func sorted(c neighborCase, i int) []int {
	n := len(c.x) / c.d
	distance, index := make([]float64, n), make([]int, n)
	for j := range n {
		index[j] = j
		for k, v := range c.q[i*c.d : (i+1)*c.d] {
			diff := v - c.x[j*c.d+k]
			distance[j] = math.FMA(diff, diff, distance[j])
		}
	}
	slices.SortStableFunc(index, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
	return index[:min(c.k, n)]
}

// TestSearchOfShells has training samples around each query sample, each nearer than those
// before by little: a threshold that is too low by more than that passes them over.
func TestSearchOfShells(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 17))
	for _, d := range []int{2, 16, 60} {
		for _, offset := range []float64{0, 1, 30} {
			for _, step := range []float64{1e-4, 1e-6, 1e-8, 1e-10} {
				c := shell(d, offset, step, r)
				eachLevel(func(v *level) {
					t.Run(fmt.Sprint(v.name, d, " ", offset, " ", step), func(t *testing.T) { c.compare(t, NewSearch(c.x, d, len(c.x)/d, d)) })
				})
			}
		}
	}
}

// shell has equal query samples, and training samples at distances 1, 1 − step, 1 − 2 step, ...
func shell(d int, offset, step float64, r *rand.Rand) neighborCase {
	const n, m, k = 700, 5, 3
	c := neighborCase{d: d, k: k, q: shifted(make([]float64, m*d), offset)}
	for i := range n {
		direction := normal(d, r)
		c.x = append(c.x, shifted(scaled(direction, (1-step*float64(i))/floats.Norm(direction, 2)), offset)...)
	}
	return c
}

// TestSearchOfNaN: samples that are no numbers, behind those that the scale is taken from, are
// as far as can be at every level.
func TestSearchOfNaN(t *testing.T) {
	const n, m, d, k = 2000, 40, 8, 5
	r := rand.New(rand.NewPCG(1, 2))
	c := neighborCase{d: d, k: k, x: normal(n*d, r), q: normal(m*d, r)}
	x := slices.Clone(c.x)
	x[1500*d+3] = math.NaN()
	for f := range d {
		c.x[1500*d+f] = math.Inf(1)
	}
	eachLevel(func(*level) { c.compare(t, NewSearch(x, d, n, d)) })
}

// TestSearchComputesFewDistances holds what the look in float32 is for: of most
// samples no distance is computed.
func TestSearchComputesFewDistances(t *testing.T) {
	if active.prefilter == nil {
		t.Skip("level " + active.name + " has no kernel in float32")
	}
	const n, m, d, k = 20000, 40, 20, 5
	r := rand.New(rand.NewPCG(1, 2))
	marked := 0
	prefilter, counting := active.prefilter, *active
	counting.prefilter = func(masks []uint64, zi, hi, bi, z, h, b []float32, d, stride int) uint64 {
		doubt := prefilter(masks, zi, hi, bi, z, h, b, d, stride)
		for _, m := range masks {
			marked += bits.OnesCount64(m)
		}
		return doubt
	}
	with(&counting, func() { NewSearch(normal(n*d, r), d, n, d).Nearest(normal(m*d, r), d, m, k, func(int, Neighbors) {}) })
	if share := float64(marked) / (n * m); marked == 0 || share > 0.01 {
		t.Errorf("of %.4f of all samples the distance is computed, want more than 0 and at most 0.01", share)
	}
}

// TestLeast compares the least values at every level with their definition, in numbers
// that no operation rounds.
func TestLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	numbers := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.IntN(33) - 16)
		}
		return x
	}
	for _, v := range available() {
		if v.least == nil {
			continue
		}
		for _, panels := range []int{1, 2, 3, 6, 7} {
			for _, d := range []int{1, 2, 9, 40} {
				const stride = 5
				zi, hi, z, h := numbers(d*stride), numbers(TileRow), numbers(panels*Panel*d), numbers(panels*Panel)
				h[0] = float32(math.Inf(1))
				got := numbers(TileRow * Panel)
				v.least(got, zi, hi, z, h, d, stride)
				if want := leastByDefinition(zi, hi, z, h, d, stride); !slices.Equal(got, want) {
					t.Errorf("%s, %d panels of %d features: %v, want %v", v.name, panels, d, got, want)
				}
			}
		}
	}
}

// leastByDefinition is the kernel least.
func leastByDefinition(zi, hi, z, h []float32, d, stride int) []float32 {
	least := make([]float32, TileRow*Panel)
	for i := range least {
		row, place := i/Panel, i%Panel
		least[i] = float32(math.Inf(1))
		for p := range len(h) / Panel {
			e := hi[row] + h[p*Panel+place]
			for k := range d {
				e -= zi[k*stride+row] * z[(p*d+k)*Panel+place]
			}
			least[i] = min(least[i], e)
		}
	}
	return least
}

func FuzzSearch(f *testing.F) {
	f.Add(uint64(1), uint16(600), uint8(9), uint8(5), uint8(5), int16(0), int16(0))
	f.Add(uint64(2), uint16(513), uint8(40), uint8(3), uint8(1), int16(40), int16(-40))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, d, m, k uint8, scale, shift int16) {
		r := rand.New(rand.NewPCG(seed, 0))
		features, samples := 1+int(d)%64, 1+int(n)%2048
		c := neighborCase{d: features, k: 1 + int(k)%32}
		for _, rows := range []struct {
			to    *[]float64
			count int
		}{{&c.x, samples}, {&c.q, 1 + int(m)%32}} {
			*rows.to = shifted(scaled(normal(rows.count*features, r), math.Ldexp(1, int(scale)%400)), math.Ldexp(1, int(shift)%400))
		}
		eachLevel(func(*level) { c.compare(t, NewSearch(c.x, features, samples, features)) })
	})
}

// BenchmarkSearch times 5 nearest neighbors of 1000 query samples, on one core.
func BenchmarkSearch(b *testing.B) {
	for _, s := range []struct{ d, n int }{{4, 240}, {4, 5000}, {16, 520}, {30, 500}, {30, 5000}, {64, 20000}, {784, 60000}} {
		if testing.Short() && s.n > 20000 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(s.n), uint64(s.d)))
		x, q := normal(s.n*s.d, r), normal(1000*s.d, r)
		engines(b, fmt.Sprintf("d=%d/n=%d", s.d, s.n), func(b *testing.B) {
			for b.Loop() {
				NewSearch(x, s.d, s.n, s.d).Nearest(q, s.d, 1000, 5, func(int, Neighbors) {})
			}
			report(b, 2*s.d*s.n*1000)
		})
	}
}

// BenchmarkBeside is BenchmarkSearch on the float64 that .ci/beside.py has put into files. It
// writes the neighbors to another one, for a comparison with those of other programs.
func BenchmarkBeside(b *testing.B) {
	var d, k int
	folder := fixture.Beside(b, &d, &k)
	x, q := fixture.Floats(b, folder+"/training"), fixture.Floats(b, folder+"/queries")
	var found []int64
	for b.Loop() {
		found = found[:0]
		NewSearch(x, d, len(x)/d, d).Nearest(q, d, len(q)/d, k, func(_ int, near Neighbors) {
			for _, j := range near.Index {
				found = append(found, int64(j))
			}
		})
	}
	var out bytes.Buffer
	fixture.Check(b, binary.Write(&out, binary.LittleEndian, found))
	fixture.Check(b, os.WriteFile(folder+"/nearest", out.Bytes(), 0o644))
}
