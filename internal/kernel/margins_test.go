package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

const testRounding = 1e-9

// margins computes margins of a cloud over random marks.
func (c *cloud) margins(v *level, masks []uint64) []float64 {
	hx := make([]float64, PanelLen(c.n, 1))
	identity := make([]float64, c.d*c.d)
	for i := range c.d {
		identity[i*c.d+i] = 1
	}
	v.mapAll(make([]float64, len(c.x)), hx, c.x, identity, c.n, c.d)
	margins := make([]float64, len(masks))
	v.allMargins(margins, masks, c.z, c.h, c.x, hx, c.n, c.d, 1, testRounding, testRounding, make([]float64, MarginScratch(c.n)))
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
		c := newCloud(s.n, s.d, &goLevel)
		masks := randomMasks(s.n, rand.New(rand.NewPCG(5, 6)))
		want := make([]float64, len(masks))
		for i := range want {
			want[i] = math.Inf(1)
		}
		pairs(masks, 0, TileRows(s.n), func(i, j int) {
			tile, _ := tileOf(i, j)
			var e, ex float64
			for k := range c.d {
				dz := c.z[i/Panel*Panel*c.d+k*Panel+i%Panel] - c.z[j/Panel*Panel*c.d+k*Panel+j%Panel]
				dx := c.rows[i*c.d+k] - c.rows[j*c.d+k]
				e, ex = e+dz*dz, ex+dx*dx
			}
			want[tile] = min(want[tile], math.Abs(math.Sqrt(e)-1)/math.Sqrt(ex))
		})
		for tile, got := range c.margins(&goLevel, masks) {
			if math.IsInf(want[tile], 1) != math.IsInf(got, 1) || !(got <= want[tile]) || got < want[tile]*(1-1e-7)-1e-6 {
				t.Errorf("%v: margin of tile %d is %v, want %v", s, tile, got, want[tile])
			}
		}
	}
}

func TestMarginLevels(t *testing.T) {
	for _, v := range fast(t) {
		for _, s := range shapes {
			c := newCloud(s.n, s.d, &goLevel)
			masks := randomMasks(s.n, rand.New(rand.NewPCG(7, 8)))
			sameBits(t, fmt.Sprint(v.name, s), c.margins(v, masks), c.margins(&goLevel, masks))
		}
	}
}

// TestMarginsHold moves a map by less than the margin of half the tiles: none of
// them may change a marked bit.
func TestMarginsHold(t *testing.T) {
	for _, s := range shapes {
		c := newCloud(s.n, s.d, &goLevel)
		size := TileOffset(TileRows(s.n))
		r := rand.New(rand.NewPCG(9, uint64(s.n)))
		masks, before, after := randomMasks(s.n, r), make([]uint64, size), make([]uint64, size)
		Near(before, c.z, c.h, nil, s.n, s.d, 0, TileRows(s.n))
		margins := c.margins(&goLevel, masks)
		sorted := slices.Sorted(slices.Values(margins))
		displacement := sorted[size/2]
		if !(displacement > 0) || math.IsInf(displacement, 1) {
			continue
		}
		// A move of rank 1 has its Frobenius norm for its spectral norm.
		u, w := normal(s.d, r), normal(s.d, r)
		factor := displacement * (1 - 1e-12) / (norm(u) * norm(w))
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

func norm(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

func TestActiveTiles(t *testing.T) {
	dst := make([]int32, 5)
	n := ActiveTiles(dst, []float64{1, 2, math.NaN(), math.Inf(1), 0}, 1)
	if !slices.Equal(dst[:n], []int32{0, 2, 4}) {
		t.Errorf("active are %v, want 0, 2 and 4", dst[:n])
	}
}

// TestTiles: the tiles given get the bits and the changes of the scatter
// matrix that they get in Near and UpdateScatter; the others stay.
func TestTiles(t *testing.T) {
	for _, s := range shapes[2:] {
		c := newCloud(s.n, s.d, &goLevel)
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
		if !slices.Equal(got, want) {
			t.Errorf("%v: masks differ", s)
		}
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
		sameBits(t, fmt.Sprint(s, " scatter"), b, a)
		if !slices.Equal(before, beforeTiles) {
			t.Errorf("%v: before differs", s)
		}
	}
}
