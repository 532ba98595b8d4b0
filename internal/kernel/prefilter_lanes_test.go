package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A narrowCase is a run of tiles for the kernels in float32, in numbers so small that no
// operation rounds.
type narrowCase struct {
	tiles, d, first    int
	zi, z, sidei, side []float32
}

// newNarrowCase draws a case. One bound in 60 is large, so that each lane decides some tile by itself.
func newNarrowCase(r *rand.Rand, tiles int) narrowCase {
	small := func(n, most int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.IntN(2*most+1) - most)
		}
		return v
	}
	d := 2 + r.IntN(9)
	c := narrowCase{tiles: tiles, d: d, first: 1 + r.IntN(d-1)}
	c.zi, c.z, c.sidei, c.side = small(Panel*d, 3), small(tiles*Panel*d, 3), small(3*Panel, 40), small(tiles*3*Panel, 40)
	for _, side := range slices.Concat([][]float32{c.sidei}, slices.Collect(slices.Chunk(c.side, 3*Panel))) {
		for j := Panel; j < 3*Panel; j++ {
			side[j] = 0.125
			if r.IntN(60) == 0 {
				side[j] = 20
			}
		}
	}
	for j := range Panel {
		c.sidei[j] += 0.5 // no value is 0
	}
	return c
}

// tile is the tile of a panel after so many features, with the bounds of a part of the
// sides: its signs, and whether it is in doubt.
func (c narrowCase) tile(p, features, part int) (signs uint64, doubt bool) {
	for i := range TileRow {
		for j := range Panel {
			e := c.sidei[i] + c.side[p*3*Panel+j]
			for k := range features {
				e -= c.zi[k*Panel+i] * c.z[(p*c.d+k)*Panel+j]
			}
			if e < 0 {
				signs |= 1 << (i*Panel + j)
			}
			doubt = doubt || !(max(e, -e) > c.sidei[part*Panel+i]+c.side[(3*p+part)*Panel+j])
		}
	}
	return signs, doubt
}

// run is what a kernel gives that has width tiles a step, which share their doubt: masks,
// tiles in doubt, and tiles that the first features leave in doubt, all where first is 0.
func (c narrowCase) run(width, first int) (masks []uint64, doubt uint64, late int64) {
	for p := 0; p < c.tiles; {
		step := width
		if p+width > c.tiles {
			step = 1
		}
		undecided, doubtful := first == 0, false
		var some, all []uint64
		for q := p; q < p+step; q++ {
			if first > 0 {
				signs, open := c.tile(q, first, 2)
				some, undecided = append(some, signs), undecided || open
			}
			signs, open := c.tile(q, c.d, 1)
			all, doubtful = append(all, signs), doubtful || open
		}
		if !undecided {
			all = some
		} else {
			late += int64(step)
			if doubtful {
				doubt |= (1<<step - 1) << p
			}
		}
		masks, p = append(masks, all...), p+step
	}
	return masks, doubt, late
}

// plainSides are h and the bounds after all features, as the kernel prefilter takes them.
func (c narrowCase) plainSides() (h, b []float32) {
	for side := range slices.Chunk(c.side, 3*Panel) {
		h, b = append(h, side[:Panel]...), append(b, side[Panel:2*Panel]...)
	}
	return h, b
}

// TestPrefilterLanes compares the kernels in float32 with plain loops: signs, tiles in doubt
// and late tiles.
func TestPrefilterLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 15))
	for trial := range 400 {
		tiles := 1 + r.IntN(runTiles)
		if trial%4 == 0 {
			tiles = 1 + r.IntN(5)
		}
		c := newNarrowCase(r, tiles)
		for _, v := range available() {
			if v.prefilter == nil {
				continue
			}
			width := map[string]int{"avx2": 1, "avx512": 2}[v.name]
			h, b := c.plainSides()
			got := make([]uint64, tiles)
			doubt := ascending(v.prefilter(got, c.zi, c.sidei, c.sidei[Panel:], c.z, h, b, c.d, Panel), tiles)
			if want, inDoubt, _ := c.run(width, 0); !slices.Equal(got, want) || doubt != inDoubt {
				t.Fatalf("%s, %d tiles: %x with doubt %x, want %x with %x", v.name, tiles, got, doubt, want, inDoubt)
			}
			doubt, late := v.prefilterEarly(got, c.zi, c.sidei, c.z, c.side, c.d, c.first)
			doubt = ascending(doubt, tiles)
			if want, inDoubt, of := c.run(width, c.first); !slices.Equal(got, want) || doubt != inDoubt || late != of {
				t.Fatalf("%s, %d tiles, %d of %d features: %x with doubt %x of %d late, want %x with %x of %d",
					v.name, tiles, c.first, c.d, got, doubt, late, want, inDoubt, of)
			}
		}
	}
}
