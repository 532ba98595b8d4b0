package kernel

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/internal/fixture"
)

// A cloud is samples in all the layouts.
type cloud struct {
	n, d       int
	rows, x, l []float64
	z, h       []float64
	padded     []float64 // rows of ScatterStride(d)
}

func newCloud(n, d int) *cloud {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	c := &cloud{n: n, d: d, rows: normal(n*d, r), l: normal(d*d, r)}
	for i := range c.l {
		c.l[i] /= float64(d)
	}
	c.x, c.z, c.h = make([]float64, PanelLen(n, d)), make([]float64, PanelLen(n, d)), make([]float64, PanelLen(n, 1))
	Pack(c.x, c.rows, d, n, d)
	Map(c.z, c.h, c.x, c.l, n, d)
	ld := ScatterStride(d)
	c.padded = make([]float64, n*ld)
	for i := range n {
		copy(c.padded[i*ld:], c.rows[i*d:(i+1)*d])
	}
	return c
}

// at is feature k of mapped sample i.
func (c *cloud) at(i, k int) float64 { return c.z[i/Panel*Panel*c.d+k*Panel+i%Panel] }

// remap packs the rows anew and maps them by l.
func (c *cloud) remap(l []float64) {
	Pack(c.x, c.rows, c.d, c.n, c.d)
	Map(c.z, c.h, c.x, l, c.n, c.d)
}

// eachAtTheBoundary calls visit with samples in pairs whose distance is 1 but for a few units of
// the last place of float64 or float32, and exactly 1, at several offsets.
func eachAtTheBoundary(offsets []float64, visit func(c *cloud)) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{1, 2, 4, 30, 60} {
		for _, offset := range offsets {
			for _, ulp := range []float64{0, 0x1p-52, 0x1p-40, 0x1p-24, 0x1p-20, 0x1p-12} {
				c := newCloud(120, d)
				for i := range c.n {
					for k := range d {
						c.rows[i*d+k] = offset
					}
					c.rows[i*d+i%d] += float64(i%3) + ulp*float64(r.IntN(9)-4)
				}
				c.remap(identity(d))
				visit(c)
			}
		}
	}
}

// eachWith calls visit with samples of which one has such a feature.
func eachWith(features []float64, visit func(c *cloud)) {
	for _, v := range features {
		c := newCloud(65, 5)
		copy(c.rows[7*5:], []float64{0, v, 1, 1, 1})
		c.remap(c.l)
		visit(c)
	}
}

// shapes cover the edges of panels, tiles and blocks.
var shapes = []struct{ n, d int }{
	{1, 1}, {2, 1}, {3, 2}, {4, 3}, {5, 4}, {15, 5}, {16, 6}, {17, 7}, {31, 8}, {33, 9}, {64, 16}, {65, 30}, {100, 33}, {90, 60}, {40, 150},
}

func TestMapLevels(t *testing.T) {
	for _, s := range shapes {
		var c *cloud
		onLevels(t, fmt.Sprint(s), func() []float64 {
			c = newCloud(s.n, s.d)
			return append(c.z, c.h...)
		})
		for i := range c.n {
			norm := 0.0
			for r := range c.d {
				want := floats.Dot(c.l[r*c.d:(r+1)*c.d], c.rows[i*c.d:(i+1)*c.d])
				norm += want * want / 2
				closeTo(t, "z", c.at(i, r), want, 1e-13*float64(c.d))
			}
			closeTo(t, "h", c.h[i], norm, 1e-13*float64(c.d)*(1+norm))
		}
	}
}

func closeTo(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(got-want <= tolerance && want-got <= tolerance) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// tileOf returns the index of the tile with the pair (i, j), j < i, and the
// position of its bit.
func tileOf(i, j int) (tile, bit int) {
	return TileOffset(i/TileRow) + j/Panel, i%TileRow*Panel + j%Panel
}

// pairs calls visit for every pair (i, j) of n samples that is marked in masks.
func pairs(masks []uint64, n int, visit func(i, j int)) {
	for t := range TileRows(n) {
		for c, at := 0, TileOffset(t); at < TileOffset(t+1); c, at = c+1, at+1 {
			for m := masks[at]; m != 0; m &= m - 1 {
				b := bits.TrailingZeros64(m)
				visit(t*TileRow+b/Panel, c*Panel+b%Panel)
			}
		}
	}
}

// TestUpdateScatter goes through random sets of pairs; B of the last is known.
func TestUpdateScatter(t *testing.T) {
	for _, s := range shapes[:12] {
		c := newCloud(s.n, s.d)
		var last []uint64
		b := onLevels(t, fmt.Sprint(s), func() (b []float64) { b, last = c.updates(t); return b })
		ld := ScatterStride(c.d)
		want := make([]float64, c.d*ld)
		pairs(last, c.n, func(i, j int) {
			for p := range c.d {
				for q := range c.d {
					want[p*ld+q] += (c.rows[i*c.d+p] - c.rows[j*c.d+p]) * (c.rows[i*c.d+q] - c.rows[j*c.d+q])
				}
			}
		})
		for i := range c.d {
			for j := range c.d {
				closeTo(t, "scatter", b[min(i, j)*ld+max(i, j)], want[i*ld+j], 1e-13*float64(c.n*c.n))
			}
		}
	}
}

// updates goes through four sets, the later ones with few changes, and returns B and the
// last of them.
func (c *cloud) updates(t *testing.T) (b []float64, before []uint64) {
	b, u := make([]float64, c.d*ScatterStride(c.d)), make([]float64, ScatterScratch(c.n, c.d))
	before = make([]uint64, TileOffset(TileRows(c.n)))
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 4 {
		now := make([]uint64, len(before))
		for i := range now {
			if now[i] = r.Uint64(); round > 1 {
				now[i] = before[i] ^ now[i]&r.Uint64()&r.Uint64()&r.Uint64()&r.Uint64()&r.Uint64()&r.Uint64()
			}
		}
		Trim(now, c.n)
		UpdateScatter(b, u, c.padded, c.n, c.d, now, before)
		fixture.EqualSlice(t, "before", before, now)
	}
	return b, before
}

func TestSquaredDistances(t *testing.T) {
	for _, s := range shapes {
		c := newCloud(s.n, s.d)
		ldd := PanelLen(c.n, 1) + 3
		for _, m := range []int{0, 1, 3, 4, 7} {
			m = min(m, c.n)
			distances := onLevels(t, fmt.Sprint(s, m), func() []float64 {
				dst := make([]float64, m*ldd)
				SquaredDistances(dst, ldd, c.rows, c.d, m, c.x, c.n, c.d)
				return dst
			})
			for i := range m {
				for j := range c.n {
					e := 0.0
					for k := range c.d {
						diff := c.rows[i*c.d+k] - c.rows[j*c.d+k]
						e += diff * diff
					}
					closeTo(t, "squared distance", distances[i*ldd+j], e, 1e-15*float64(c.d)*(1+e))
				}
			}
		}
	}
}

// nearByDefinition compares a cloud's bits at every level with the chain of fused
// multiply-additions that Near documents.
func nearByDefinition(t *testing.T, what string, c *cloud) {
	t.Helper()
	want := make([]uint64, TileOffset(TileRows(c.n)))
	for i := range c.n {
		for j := range i {
			e := (c.h[i] - 0.5) + c.h[j]
			for k := range c.d {
				e = math.FMA(-c.at(i, k), c.at(j, k), e)
			}
			if tile, bit := tileOf(i, j); e < 0 {
				want[tile] |= 1 << bit
			}
		}
	}
	eachLevel(func(v *level) {
		got := make([]uint64, len(want))
		Near(got, c.z, c.h, nil, c.n, c.d, 0, TileRows(c.n))
		for tile, m := range want {
			if got[tile] != m {
				t.Fatalf("%s, %s, %d×%d: tile %d is %x, want %x", what, v.name, c.n, c.d, tile, got[tile], m)
			}
		}
	})
}

// TestNearIsByDefinition: over all sizes, and with samples that are not finite or
// whose products overflow.
func TestNearIsByDefinition(t *testing.T) {
	for _, s := range shapes {
		for _, by := range []float64{1e-200, 1e-3, 0.3, 1, 3, 1e3, 1e18, 1e153, 1e160} {
			c := newCloud(s.n, s.d)
			c.scale(by)
			nearByDefinition(t, fmt.Sprint("scaled by ", by), c)
		}
	}
	eachWith([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 1e154, 1e200}, func(c *cloud) { nearByDefinition(t, "a large one", c) })
}

// TestNearAtTheBoundary has pairs whose distance is 1 but for roundings, so that
// sums which round otherwise have other signs.
func TestNearAtTheBoundary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	other := 0
	for _, d := range []int{1, 2, 4, 8, 30, 60} {
		for range 6 {
			c := unitPairs(48, d, r)
			nearByDefinition(t, "at distance 1", c)
			other += undecided(c)
		}
	}
	if other < 100 {
		t.Errorf("%d pairs have a sum of the other sign, want 100 at least: else the test shows nothing", other)
	}
}

// unitPairs draws samples in pairs at distance 1 from each other.
func unitPairs(n, d int, r *rand.Rand) *cloud {
	c := newCloud(n, d)
	for i := 0; i < n; i += 2 {
		step := normal(d, r)
		norm := floats.Norm(step, 2)
		for k, v := range step {
			c.rows[i*d+k] = 100 * r.NormFloat64()
			c.rows[(i+1)*d+k] = c.rows[i*d+k] + v/norm
		}
	}
	c.remap(identity(d))
	return c
}

// undecided counts the rows of tiles where sums that are rounded otherwise say
// something else about a pair.
func undecided(c *cloud) (count int) {
	for i := range c.n {
		for p := range Panels(c.n) {
			zi, zp, hp := c.z[i/Panel*Panel*c.d+i%Panel:], c.z[p*Panel*c.d:], (*[Panel]float64)(c.h[p*Panel:])
			low, _ := halfNear(zi, zp, c.d, 0)
			high, _ := halfNear(zi, zp[half:], c.d, 0)
			if low|high<<half != nearRow(zi, c.h[i], zp, hp, c.d) {
				count++
			}
		}
	}
	return count
}

// FuzzNear draws samples from a seed: of any size, some of them twice, at
// distance 1 or far away.
func FuzzNear(f *testing.F) {
	f.Add(uint64(1), uint8(20), uint8(4), 0.0)
	f.Add(uint64(2), uint8(50), uint8(30), -3.0)
	f.Add(uint64(3), uint8(17), uint8(1), 9.5)
	f.Add(uint64(4), uint8(33), uint8(16), 153.9)
	f.Fuzz(func(t *testing.T, seed uint64, samples, features uint8, exponent float64) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := unitPairs(2+int(samples)%96/2*2, 1+int(features)%64, r)
		c.scale(math.Pow(10, math.Mod(exponent, 200)))
		nearByDefinition(t, fmt.Sprint("seed ", seed), c)
	})
}

func BenchmarkNear(b *testing.B) {
	for _, s := range []struct{ d, n int }{{4, 240}, {34, 80}, {16, 520}, {30, 400}, {60, 200}, {4, 5216}, {30, 4800}} {
		engines(b, fmt.Sprintf("d=%d/n=%d", s.d, s.n), func(b *testing.B) {
			c := newCloud(s.n, s.d)
			masks := make([]uint64, TileOffset(TileRows(s.n)))
			for b.Loop() {
				Near(masks, c.z, c.h, nil, s.n, s.d, 0, TileRows(s.n))
			}
			report(b, 2*s.d*64*len(masks))
		})
	}
}
