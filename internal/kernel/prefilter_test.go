package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// prefiltered returns the prefilter of a cloud, or skips.
func prefiltered(t testing.TB, c *cloud) *Prefilter {
	t.Helper()
	if active.prefilter == nil {
		t.Skip("this level has no prefilter")
	}
	s := new(Prefilter)
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

// inGroups moves the samples into three groups and scales them, both by powers of 10.
func (c *cloud) inGroups(apart, scale float64) {
	for i := range c.rows {
		c.rows[i] += math.Pow(10, apart) * float64(i/c.d%3)
	}
	c.remap(identity(c.d))
	c.scale(math.Pow(10, scale))
}

// comparePrefiltered compares the bits with and without a prefilter, also with one in
// other coordinates that decides tiles by some features.
func comparePrefiltered(t *testing.T, c *cloud) {
	t.Helper()
	compareNear(t, c, prefiltered(t, c))
	q, turned, h := orthogonalMatrix(c.d), make([]float64, len(c.z)), make([]float64, len(c.h))
	Map(turned, h, c.z, q, c.n, c.d)
	for _, first := range []int{1, (c.d + 1) / 2, c.d} {
		s := new(Prefilter)
		s.FillTurned(turned, c.h, c.n, c.d, first)
		compareNear(t, c, s)
	}
}

// orthogonalMatrix returns a random d×d one, by rows.
func orthogonalMatrix(d int) []float64 {
	r := rand.New(rand.NewPCG(uint64(d), 3))
	a := mat.NewDense(d, d, normal(d*d, r))
	var qr mat.QR
	qr.Factorize(a)
	var q mat.Dense
	qr.QTo(&q)
	return q.RawMatrix().Data
}

// compareNear compares the bits of every level, through its kernel in float32 if it has one.
func compareNear(t *testing.T, c *cloud, s *Prefilter) {
	t.Helper()
	tiles := TileOffset(TileRows(c.n))
	want := make([]uint64, tiles)
	Near(want, c.z, c.h, nil, c.n, c.d, 0, TileRows(c.n))
	var every []int32
	for tile := range tiles {
		every = append(every, int32(tile))
	}
	eachLevel(func(v *level) {
		got, some := make([]uint64, tiles), make([]uint64, tiles)
		Near(got, c.z, c.h, s, c.n, c.d, 0, TileRows(c.n))
		NearTiles(some, c.z, c.h, s, c.n, c.d, every)
		Trim(some, c.n)
		for tile, m := range want {
			if got[tile] != m || some[tile] != m {
				t.Fatalf("%s, %d×%d: tile %d is %x in all and %x alone, want %x", v.name, c.n, c.d, tile, got[tile], some[tile], m)
			}
		}
	})
}

// TestPrefilterChangesNothing compares over sizes from where all pairs are near to
// where none is, and beyond what float32 holds.
func TestPrefilterChangesNothing(t *testing.T) {
	for _, s := range shapes {
		for _, by := range []float64{1e-200, 1e-30, 1e-3, 0.3, 1, 3, 30, 1e3, 1e7, 1e18, 1e25, 1e160} {
			c := newCloud(s.n, s.d)
			c.scale(by)
			comparePrefiltered(t, c)
		}
	}
}

func TestPrefilterAtTheBoundary(t *testing.T) {
	eachAtTheBoundary([]float64{0, 1, 100, 1e4}, func(c *cloud) { comparePrefiltered(t, c) })
}

func TestPrefilterLeavesNaNToFloat64(t *testing.T) {
	eachWith([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.MaxFloat32, 1e200}, func(c *cloud) { comparePrefiltered(t, c) })
}

// TestPrefilterDoubt: on ordinary samples almost no tile is left to float64. Two groups of samples
// so far apart that float32 cannot tell the distances within them leave nearly every tile in
// doubt. A prefilter that is filled again has looked at no tile.
func TestPrefilterDoubt(t *testing.T) {
	const n = 1100
	for _, g := range []struct {
		d                  int
		apart, least, most float64
	}{{4, 0, 0, 0.01}, {12, 0, 0, 0.01}, {30, 0, 0, 0.01}, {12, 1e5, 0.9, 1}} {
		c := newCloud(n, g.d)
		for i := range n {
			c.rows[i*g.d] += g.apart * float64(i%2)
		}
		c.remap(identity(g.d))
		s := prefiltered(t, c)
		masks := make([]uint64, TileOffset(TileRows(n)))
		Near(masks, c.z, c.h, s, n, g.d, 0, TileRows(n))
		if doubt := s.Doubt(); !(doubt >= g.least && doubt <= g.most) {
			t.Errorf("D = %d, groups %g apart: a share of %g is in doubt, want %g to %g", g.d, g.apart, doubt, g.least, g.most)
		}
		if s.Fill(c.z, c.h, n, g.d); s.Doubt() != 0 {
			t.Errorf("D = %d, groups %g apart: filled anew, a share of %g is in doubt", g.d, g.apart, s.Doubt())
		}
	}
}

// identity returns the d×d matrix, by rows.
func identity(d int) []float64 {
	return mat.DenseCopyOf(mat.NewDiagDense(d, slices.Repeat([]float64{1}, d))).RawMatrix().Data
}

// TestPrefilterBound: where the features of two samples are chosen one by one so that
// the roundings of float32 add up, they come to a good part of the bound and do
// not reach it.
func TestPrefilterBound(t *testing.T) {
	if active.prefilter == nil {
		t.Skip("this level has no prefilter")
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, d := range []int{1, 2, 8, 30, 60, 150} {
		worst := 0.0
		for _, size := range []float64{0.1, 1, 30, 1e4} {
			for trial := range 60 {
				worst = max(worst, shareOfBound(unlucky(d, size, float64(1-2*(trial%2)), r)))
			}
		}
		if !(worst > 0.05 && worst < 0.25) {
			t.Errorf("D = %d: the error is up to %.3g of the bound, want 0.05 to 0.25", d, worst)
		}
	}
}

// unlucky returns two samples whose value in float32 errs in one direction, by
// the better of some random features each time.
func unlucky(d int, size, sign float64, r *rand.Rand) *cloud {
	c := &cloud{n: 2, d: d, z: make([]float64, PanelLen(2, d)), h: make([]float64, PanelLen(2, 1))}
	exact := size * size * float64(d) // about where h makes it start
	narrow := float32(exact)
	for k := range d {
		most, nextExact, nextNarrow := math.Inf(-1), 0.0, float32(0)
		for range 50 {
			x := size * (0.9 + 0.2*r.Float64())
			y := x * (1 + 1e-4*r.NormFloat64())
			if k == 0 {
				y = x + 1
			}
			a, b := math.FMA(-x, y, exact), float32(math.FMA(-float64(float32(x)), float64(float32(y)), float64(narrow)))
			if gain := sign * (float64(b) - a); gain > most {
				most, nextExact, nextNarrow = gain, a, b
				c.z[k*Panel], c.z[k*Panel+1] = x, y
			}
		}
		exact, narrow = nextExact, nextNarrow
		for i := range 2 {
			c.h[i] += c.z[k*Panel+i] * c.z[k*Panel+i] / 2
		}
	}
	return c
}

// shareOfBound is the error of the value of two samples, as a part of its bound.
func shareOfBound(c *cloud) float64 {
	s := new(Prefilter)
	s.Fill(c.z, c.h, c.n, c.d)
	narrow, exact := s.h[1]+s.h[0], (c.h[1]-0.5)+c.h[0]
	for k := range c.d {
		narrow = float32(math.FMA(-float64(s.z[k*Panel+1]), float64(s.z[k*Panel]), float64(narrow)))
		exact = math.FMA(-c.z[k*Panel+1], c.z[k*Panel], exact)
	}
	return math.Abs(float64(narrow)-exact) / float64(s.b[0]+s.b[1])
}

// TestPrefilterLimit: near the largest numbers of float32 equal samples stay near.
func TestPrefilterLimit(t *testing.T) {
	for _, by := range []float64{1e18, 3e18, 1e19, 1.5e19, 2e19, 3e19} {
		for _, d := range []int{1, 2, 8} {
			c := newCloud(64, d)
			for i := range c.rows {
				c.rows[i] = 1 + float64(i/d%5)*1e-9 + float64(i%d)/10
			}
			c.remap(scaled(identity(d), by))
			comparePrefiltered(t, c)
		}
	}
}

// FuzzPrefilter draws pairs at distance 1, in groups far apart or not, of which some are multiplied, and
// features after the first ones that matter or not.
func FuzzPrefilter(f *testing.F) {
	f.Add(uint64(1), uint16(20), uint8(4), 0.0, 0.0, 0.0)
	f.Add(uint64(2), uint16(1200), uint8(30), -3.0, 4.0, -5.0)
	f.Add(uint64(3), uint16(117), uint8(1), 9.5, 2.0, 1.0)
	f.Add(uint64(4), uint16(300), uint8(16), 153.9, 0.0, -2.0)
	f.Add(uint64(5), uint16(200), uint8(0), 0.0, 1.0, 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, samples uint16, features uint8, scale, apart, tail float64) {
		r := rand.New(rand.NewPCG(seed, 4))
		c := unitPairs(2+int(samples)%1280/2*2, 1+int(features)%64, r)
		first := 1 + r.IntN(c.d)
		for i := range c.rows {
			if i%c.d >= first {
				c.rows[i] *= math.Pow(10, math.Mod(tail, 12))
			}
		}
		c.inGroups(math.Mod(apart, 12), math.Mod(scale, 200))
		comparePrefiltered(t, c)
		turned := new(Prefilter)
		turned.FillTurned(c.z, c.h, c.n, c.d, first)
		compareNear(t, c, turned)
	})
}

// TestFirstFeaturesAtTheBoundary has pairs at distance 1 but for roundings, whose other
// features are 0: what the first ones do not decide for certain is left in doubt.
func TestFirstFeaturesAtTheBoundary(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 23))
	for _, first := range []int{1, 4, 12, 30} {
		c := unitPairs(120, first, r)
		d := first + 5
		rows := make([]float64, c.n*d)
		for i := range c.n {
			copy(rows[i*d:], c.rows[i*first:(i+1)*first])
		}
		c.d, c.rows = d, rows
		c.x, c.z = make([]float64, PanelLen(c.n, d)), make([]float64, PanelLen(c.n, d))
		c.remap(identity(d))
		prefiltered(t, c)
		s := new(Prefilter)
		s.FillTurned(c.z, c.h, c.n, d, first)
		compareNear(t, c, s)
	}
}

// TestFillKernels: what fills a prefilter has the same bits at every level, also of numbers
// that float32 has not, and of NaN.
func TestFillKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, panels := range []int{1, 3} {
		v := normal(panels*Panel, r)
		for i, special := range []float64{0, 0x1p-140, -0x1p-160, 0x1p99, 0x1p100, 0x1p130, math.Inf(1), math.NaN()} {
			v[(5*i+3)%len(v)] = special
		}
		fill := func(l *level) (bits []uint32) {
			h, b, z := make([]float32, len(v)), make([]float32, len(v)), make([]float32, len(v))
			sum := normal(Panel, r) // is written over
			l.narrow(z, v)
			l.sides(h, b, v, 0x1.8p-22)
			l.halfSquares(sum, v)
			for _, f := range slices.Concat(h, b, z) {
				bits = append(bits, math.Float32bits(f))
			}
			for _, f := range sum {
				bits = append(bits, uint32(math.Float64bits(f)>>32), uint32(math.Float64bits(f)))
			}
			return bits
		}
		want := fill(&goLevel)
		for _, l := range available() {
			if got := fill(l); !slices.Equal(got, want) {
				t.Errorf("%s: %d panels:\n%x\nwant\n%x", l.name, panels, got, want)
			}
		}
	}
}

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
