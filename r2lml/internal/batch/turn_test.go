package batch

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// turned returns a batch of normal samples whose features have the given scale, with a lane's map.
func turned(t *testing.T, n, d int, scale func(feature int) float64, entry float64) (*Batch, *lane) {
	t.Helper()
	if !kernel.Prefilters() {
		t.Skip("this level has no prefilter")
	}
	r := rand.New(rand.NewPCG(1, uint64(d)))
	x := normalDense(r, n, d)
	x.Apply(func(_, j int, v float64) float64 { return v * scale(j) }, x)
	b := New(Pack(x))
	b.limits = always
	for i := range d {
		b.l[i*d+(i+3)%d] = entry
	}
	kernel.Map(b.z, b.h, b.panels, b.l, n, d)
	return b, &lane{}
}

// TestTurn: where a few features hold nearly all of the variance, few are looked at first,
// whatever their places. Where all are alike, most are.
func TestTurn(t *testing.T) {
	const n, d = 300, 24
	for _, c := range []struct {
		name  string
		scale func(int) float64
		least int
		most  int
	}{
		{"three features", func(j int) float64 { return map[bool]float64{true: 3, false: 1e-3}[j%8 == 0] }, 1, 4},
		{"alike", func(int) float64 { return 0.25 }, 16, d},
	} {
		b, l := turned(t, n, d, c.scale, 1)
		b.prefiltered(l, len(b.now))
		if l.turn.first < c.least || l.turn.first > c.most {
			t.Errorf("%s: %d features first, want %d to %d", c.name, l.turn.first, c.least, c.most)
		}
		if q := mat.NewDense(d, d, l.turn.q); !orthogonal(q) {
			t.Errorf("%s: directions are not orthogonal", c.name)
		}
	}
}

// TestTurnOfHugeMaps: maps whose second moments overflow are compared in their own
// coordinates, at first and after a good turn.
func TestTurnOfHugeMaps(t *testing.T) {
	const n, d = 100, 12
	for _, entry := range []float64{1e60, 1e160, math.Inf(1), math.NaN()} {
		b, l := turned(t, n, d, func(int) float64 { return 1 }, 1)
		for range turnPasses + 1 {
			b.prefiltered(l, len(b.now))
		}
		for i := range b.l {
			b.l[i] *= entry
		}
		kernel.Map(b.z, b.h, b.panels, b.l, n, d)
		for _, one := range []*lane{l, {}} {
			one.turn.age = 0
			want := make([]uint64, len(b.now))
			kernel.Near(want, b.z, b.h, nil, n, d, 0, kernel.TileRows(n))
			for range 2 { // the second pass has no turn of its own
				kernel.Near(b.now, b.z, b.h, b.prefiltered(one, len(b.now)), n, d, 0, kernel.TileRows(n))
				for tile, m := range want {
					if b.now[tile] != m {
						t.Fatalf("entries of %g: tile %d differs", entry, tile)
					}
				}
				if one.turn.first != d {
					t.Errorf("entries of %g: %d features first", entry, one.turn.first)
				}
			}
		}
	}
}

// TestDoubtGoesExact: two groups of samples so far apart that float32 cannot tell the distances within
// them make a lane do without a prefilter for some passes. Near ones do not.
func TestDoubtGoesExact(t *testing.T) {
	if !kernel.Prefilters() {
		t.Skip("this level has no prefilter")
	}
	const n, d = 300, 12
	for _, c := range []struct {
		apart float64
		want  int
	}{{1e5, exactPasses}, {0, 0}} {
		x := normalDense(rand.New(rand.NewPCG(1, 2)), n, d)
		x.Apply(func(i, _ int, v float64) float64 { return v + c.apart*float64(i%2) }, x)
		b, l := New(Pack(x)), &lane{}
		b.limits = always
		for i := range d {
			b.l[i*d+i] = 1
		}
		l.fit = &Fit{Pairs: &Pairs{dissimilar: make([]uint64, len(b.now))}}
		b.clearNear(l)
		for pass := range exactPasses + 2 {
			b.update(l)
			want := max(0, c.want-pass%(exactPasses+1))
			if l.exact != want {
				t.Fatalf("groups %g apart, pass %d: %d passes go without a prefilter, want %d", c.apart, pass, l.exact, want)
			}
		}
	}
}
