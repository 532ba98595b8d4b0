package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// nearByDefinition compares a cloud's bits at every level with the chain of fused
// multiply-additions that Near documents.
func nearByDefinition(t *testing.T, what string, c *cloud) {
	t.Helper()
	at := func(i, k int) float64 { return c.z[i/Panel*Panel*c.d+k*Panel+i%Panel] }
	want := make([]uint64, TileOffset(TileRows(c.n)))
	for i := range c.n {
		for j := range i {
			e := (c.h[i] - 0.5) + c.h[j]
			for k := range c.d {
				e = math.FMA(-at(i, k), at(j, k), e)
			}
			if tile, bit := tileOf(i, j); e < 0 {
				want[tile] |= 1 << bit
			}
		}
	}
	for _, v := range available() {
		got := make([]uint64, len(want))
		v.nearAll(got, c.z, c.h, nil, c.n, c.d, 0, TileRows(c.n))
		for tile, m := range want {
			if got[tile] != m {
				t.Fatalf("%s, %s, %d×%d: tile %d is %x, want %x", what, v.name, c.n, c.d, tile, got[tile], m)
			}
		}
	}
}

// TestNearIsByDefinition: over all sizes, and with samples that are not finite or
// whose products overflow.
func TestNearIsByDefinition(t *testing.T) {
	for _, s := range shapes {
		for _, by := range []float64{1e-200, 1e-3, 0.3, 1, 3, 1e3, 1e18, 1e153, 1e160} {
			c := newCloud(s.n, s.d, &goLevel)
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
	c := newCloud(n, d, &goLevel)
	for i := 0; i < n; i += 2 {
		norm := 0.0
		step := normal(d, r)
		for _, v := range step {
			norm += v * v
		}
		for k, v := range step {
			c.rows[i*d+k] = 100 * r.NormFloat64()
			c.rows[(i+1)*d+k] = c.rows[i*d+k] + v/math.Sqrt(norm)
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
