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

const testRounding = 1e-9

// margins computes the margins of marked pairs of a cloud at a level.
func (c *cloud) margins(v *level, masks []uint64, rounding float64) []float64 {
	hx := make([]float64, PanelLen(c.n, 1))
	Map(make([]float64, len(c.x)), hx, c.x, identity(c.d), c.n, c.d)
	margins := make([]float64, len(masks))
	with(v, func() {
		var m Margins
		m.Fill(c.z, c.h, c.x, hx, c.n, c.d, rounding, rounding)
		m.Measure(margins, masks, 1)
	})
	return margins
}

func randomMasks(n int, r *rand.Rand) []uint64 {
	masks := make([]uint64, TileOffset(TileRows(n)))
	for i := range masks {
		masks[i] = r.Uint64() & r.Uint64()
		if i%7 == 3 {
			masks[i] = 0
		}
	}
	Trim(masks, n)
	return masks
}

// TestMarginsAreLeastRatios computes every ratio from rows.
func TestMarginsAreLeastRatios(t *testing.T) {
	for _, s := range shapes {
		c := newCloud(s.n, s.d)
		masks := randomMasks(s.n, rand.New(rand.NewPCG(5, 6)))
		want := make([]float64, len(masks))
		for i := range want {
			want[i] = math.Inf(1)
		}
		pairs(masks, s.n, func(i, j int) {
			tile, _ := tileOf(i, j)
			var e, ex float64
			for k := range c.d {
				dz := c.at(i, k) - c.at(j, k)
				dx := c.rows[i*c.d+k] - c.rows[j*c.d+k]
				e, ex = e+dz*dz, ex+dx*dx
			}
			want[tile] = min(want[tile], math.Abs(math.Sqrt(e)-1)/math.Sqrt(ex))
		})
		for tile, got := range c.margins(&goLevel, masks, testRounding) {
			if math.IsInf(want[tile], 1) != math.IsInf(got, 1) || !(got <= want[tile]) || got < want[tile]*(1-1e-7)-1e-6 {
				t.Errorf("%v: margin of tile %d is %v, want %v", s, tile, got, want[tile])
			}
		}
	}
}

// TestMarginLevels compares every level with the definition: for its bits, or from below where
// it has a kernel in float32. Those kernels have the same bits among themselves.
func TestMarginLevels(t *testing.T) {
	for _, s := range shapes {
		c := newCloud(s.n, s.d)
		masks := randomMasks(s.n, rand.New(rand.NewPCG(7, 8)))
		want := c.margins(&goLevel, masks, testRounding)
		for _, v := range available() {
			if v.narrowMargins == nil {
				fixture.SameBits(t, fmt.Sprint(v.name, s), c.margins(v, masks, testRounding), want)
			}
		}
		c.compareNarrow(t, masks, testRounding)
	}
}

// compareNarrow fails unless the margins of all kernels in float32 are the same, and not above the
// definition.
func (c *cloud) compareNarrow(t *testing.T, masks []uint64, rounding float64) {
	t.Helper()
	want := c.margins(&goLevel, masks, rounding)
	var first []float64
	for _, v := range available() {
		if v.narrowMargins == nil {
			continue
		}
		got := c.margins(v, masks, rounding)
		if first == nil {
			first = got
		}
		fixture.SameBits(t, v.name, got, first)
	}
	for tile, got := range first {
		if !(got <= want[tile]) || math.IsInf(got, 1) != (masks[tile] == 0) {
			t.Fatalf("%d×%d: margin of tile %d is %v, want at most %v, marked %x", c.n, c.d, tile, got, want[tile], masks[tile])
		}
	}
}

// TestNarrowMarginsStayBelow goes through sizes from where all pairs are near to where none is, and
// through samples far from the origin, with and without large roundings.
func TestNarrowMarginsStayBelow(t *testing.T) {
	for _, s := range shapes[1:] {
		for _, by := range []float64{1e-30, 1e-3, 0.3, 1, 3, 30, 1e3, 1e4} {
			for _, offset := range []float64{0, 1, 300} {
				c := newCloud(s.n, s.d)
				for i := range c.rows {
					c.rows[i] += offset
				}
				c.remap(c.l)
				c.scale(by)
				for _, rounding := range []float64{c.roundings(), 0.01, 0.2} {
					if rounding <= 0.2 && slices.Max(c.h) < marginLimit {
						c.compareNarrow(t, onePairATile(s.n), rounding)
					}
				}
			}
		}
	}
}

// roundings bounds the rounding errors of squared distances.
func (c *cloud) roundings() float64 {
	return 8 * 0x1p-52 * float64(c.d+4) * (1 + slices.Max(c.h) + 1e6)
}

// onePairATile marks one pair of every tile, another one in the next.
func onePairATile(n int) []uint64 {
	masks := make([]uint64, TileOffset(TileRows(n)))
	for tile := range masks {
		masks[tile] = 1 << (7 * tile % tileSize)
	}
	Trim(masks, n)
	return masks
}

// TestNarrowMarginsAtTheBoundary: the margin of such pairs is next to nothing, or nothing.
func TestNarrowMarginsAtTheBoundary(t *testing.T) {
	eachAtTheBoundary([]float64{0, 1, 100}, func(c *cloud) { c.compareNarrow(t, onePairATile(c.n), c.roundings()) })
}

// FuzzMargins draws pairs at distance 1, in groups far apart or not, of which some are multiplied.
func FuzzMargins(f *testing.F) {
	f.Add(uint64(1), uint16(20), uint8(4), 0.0, 0.0)
	f.Add(uint64(2), uint16(1200), uint8(30), -3.0, 3.0)
	f.Add(uint64(3), uint16(117), uint8(1), 1.5, 2.0)
	f.Add(uint64(5), uint16(200), uint8(0), -12.0, 1.0)
	f.Fuzz(func(t *testing.T, seed uint64, samples uint16, features uint8, scale, apart float64) {
		c := unitPairs(2+int(samples)%400/2*2, 1+int(features)%64, rand.New(rand.NewPCG(seed, 4)))
		c.inGroups(math.Mod(apart, 3), min(1, math.Mod(scale, 30)))
		c.compareNarrow(t, onePairATile(c.n), c.roundings())
		c.compareNarrow(t, randomMasks(c.n, rand.New(rand.NewPCG(seed, 5))), c.roundings())
	})
}

// TestMarginsHold moves a map by less than the margin of half the tiles: none of
// them may change a marked bit.
func TestMarginsHold(t *testing.T) {
	for _, s := range shapes {
		c := newCloud(s.n, s.d)
		size := TileOffset(TileRows(s.n))
		r := rand.New(rand.NewPCG(9, uint64(s.n)))
		masks, before, after := randomMasks(s.n, r), make([]uint64, size), make([]uint64, size)
		Near(before, c.z, c.h, nil, s.n, s.d, 0, TileRows(s.n))
		margins := c.margins(active, masks, testRounding)
		sorted := slices.Sorted(slices.Values(margins))
		displacement := sorted[size/2]
		if !(displacement > 0) || math.IsInf(displacement, 1) {
			continue
		}
		// A move of rank 1 has its Frobenius norm for its spectral norm.
		u, w := normal(s.d, r), normal(s.d, r)
		factor := displacement * (1 - 1e-12) / (floats.Norm(u, 2) * floats.Norm(w, 2))
		moved := slices.Clone(c.l)
		for i := range s.d {
			for j := range s.d {
				moved[i*s.d+j] += factor * u[i] * w[j]
			}
		}
		Map(c.z, c.h, c.x, moved, s.n, s.d)
		Near(after, c.z, c.h, nil, s.n, s.d, 0, TileRows(s.n))
		for tile := range margins {
			if margins[tile] >= displacement && (before[tile]^after[tile])&masks[tile] != 0 {
				t.Errorf("%v: tile %d changed, margin %v, displacement %v", s, tile, margins[tile], displacement)
			}
		}
	}
}

func TestActiveTiles(t *testing.T) {
	dst := make([]int32, 5)
	n := ActiveTiles(dst, []float64{1, 2, math.NaN(), math.Inf(1), 0}, 1)
	fixture.EqualSlice(t, "active", dst[:n], []int32{0, 2, 4})
}

// TestTiles: the tiles given get the bits and the changes of the scatter
// matrix that they get in Near and UpdateScatter; the others stay.
func TestTiles(t *testing.T) {
	for _, s := range shapes[2:] {
		c := newCloud(s.n, s.d)
		size, rows := TileOffset(TileRows(s.n)), TileRows(s.n)
		r := rand.New(rand.NewPCG(11, uint64(s.n)))
		var tiles []int32
		want, got := make([]uint64, size), make([]uint64, size)
		Near(want, c.z, c.h, nil, s.n, s.d, 0, rows)
		for tile := range size {
			if r.IntN(3) > 0 {
				tiles = append(tiles, int32(tile))
			} else {
				want[tile] = 0
			}
		}
		NearTiles(got, c.z, c.h, nil, s.n, s.d, tiles)
		Trim(got, s.n)
		fixture.EqualSlice(t, "masks", got, want)
		ld := ScatterStride(s.d)
		a, b, u := make([]float64, s.d*ld), make([]float64, s.d*ld), make([]float64, ScatterScratch(s.n, s.d))
		before, beforeTiles := randomMasks(s.n, r), make([]uint64, size)
		for tile := range size {
			if _, ok := slices.BinarySearch(tiles, int32(tile)); !ok {
				before[tile] = want[tile]
			}
		}
		copy(beforeTiles, before)
		UpdateScatter(a, u, c.padded, s.n, s.d, want, before)
		UpdateScatterTiles(b, u, c.padded, s.n, s.d, got, beforeTiles, tiles)
		fixture.SameBits(t, fmt.Sprint(s, " scatter"), b, a)
		fixture.EqualSlice(t, "before", before, beforeTiles)
	}
}
