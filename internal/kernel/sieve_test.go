package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sieved is a level with the sieve of a cloud, or skips.
func sieved(t testing.TB, c *cloud) *Sieve {
	t.Helper()
	if active.sieve == nil {
		t.Skip("this level has no sieve")
	}
	s := new(Sieve)
	s.Fill(c.z, c.h, c.n, c.d)
	return s
}

// scale multiplies the mapped samples of a cloud and halves their norms anew.
func (c *cloud) scale(by float64) {
	for i := range c.z {
		c.z[i] *= by
	}
	for i := range c.h {
		c.h[i] *= by * by
	}
}

func compareSieved(t *testing.T, c *cloud) {
	t.Helper()
	s := sieved(t, c)
	tiles := TileOffset(TileRows(c.n))
	want, got := make([]uint64, tiles), make([]uint64, tiles)
	active.nearAll(want, c.z, c.h, nil, c.n, c.d, 0, TileRows(c.n))
	active.nearAll(got, c.z, c.h, s, c.n, c.d, 0, TileRows(c.n))
	some := make([]uint64, tiles)
	var every []int32
	for tile := range tiles {
		every = append(every, int32(tile))
	}
	active.nearTiles(some, c.z, c.h, s, c.n, c.d, every)
	Trim(some, c.n)
	for tile, m := range want {
		if got[tile] != m || some[tile] != m {
			t.Fatalf("%d×%d: tile %d is %x in all and %x alone, want %x", c.n, c.d, tile, got[tile], some[tile], m)
		}
	}
}

// TestSieveChangesNothing compares over sizes from where all pairs are near to
// where none is, and beyond what float32 holds.
func TestSieveChangesNothing(t *testing.T) {
	for _, s := range shapes {
		for _, by := range []float64{1e-200, 1e-30, 1e-3, 0.3, 1, 3, 30, 1e3, 1e7, 1e18, 1e25, 1e160} {
			c := newCloud(s.n, s.d, active)
			c.scale(by)
			compareSieved(t, c)
		}
	}
}

// TestSieveAtTheBoundary has pairs whose distance is 1 but for a few units of
// the last place of float64 or float32, and exactly 1.
func TestSieveAtTheBoundary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{1, 2, 4, 30, 60} {
		for _, offset := range []float64{0, 1, 100, 1e4} {
			for _, ulp := range []float64{0, 0x1p-52, 0x1p-40, 0x1p-24, 0x1p-20, 0x1p-12} {
				c := newCloud(120, d, active)
				for i := range c.n {
					for k := range d {
						c.rows[i*d+k] = offset
					}
					c.rows[i*d+i%d] += float64(i%3) + ulp*float64(r.IntN(9)-4)
				}
				identity := make([]float64, d*d)
				for k := range d {
					identity[k*d+k] = 1
				}
				Pack(c.x, c.rows, d, c.n, d)
				active.mapAll(c.z, c.h, c.x, identity, c.n, d)
				compareSieved(t, c)
			}
		}
	}
}

func TestSieveLeavesNaNToFloat64(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.MaxFloat32, 1e200} {
		c := newCloud(65, 5, active)
		copy(c.rows[7*5:], []float64{0, v, 1, 1, 1})
		Pack(c.x, c.rows, 5, c.n, 5)
		active.mapAll(c.z, c.h, c.x, c.l, c.n, c.d)
		compareSieved(t, c)
	}
}

// TestSieveDecides: on ordinary samples hardly a tile is left to float64.
func TestSieveDecides(t *testing.T) {
	for _, d := range []int{4, 30} {
		c := newCloud(1000, d, active)
		s := sieved(t, c)
		mask, doubts, tiles := make([]uint64, 1), 0, 0
		for row := 0; row < TileRows(c.n); row += 8 {
			for p := range row / 4 {
				at, lane := row/4*Panel, row%4*TileRow
				if active.sieve(mask, s.z[at*d+lane:], s.h[at+lane:], s.b[at+lane:], s.z[p*Panel*d:], s.h[p*Panel:], s.b[p*Panel:], d) != 0 {
					doubts++
				}
				tiles++
			}
		}
		if tiles == 0 || doubts*100 > tiles {
			t.Errorf("D = %d: %d of %d tiles are in doubt, want at most one in a hundred", d, doubts, tiles)
		}
	}
}
