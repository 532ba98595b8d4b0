package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

func TestDots(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 2))
	for d := range 14 {
		for count := range 10 {
			v, rows, ld := normals(r, d), normals(r, 10*(d+3)), d+3
			want := make([]float64, count)
			dotsGo(want, rows, ld, v)
			for i, w := range want {
				if plain := floats.Dot(rows[i*ld:i*ld+d], v); math.Abs(w-plain) > 1e-13 {
					t.Errorf("%d features, row %d: %g, want %g", d, i, w, plain)
				}
			}
			for _, l := range available()[1:] {
				got := make([]float64, count)
				l.dots(got, rows, ld, v)
				if !slices.Equal(got, want) {
					t.Errorf("%s, %d features: %v, want %v", l.name, d, got, want)
				}
			}
		}
	}
}

func TestAddRows(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 2))
	for d := 1; d < 75; d++ {
		for _, count := range []int{1, 2, 4, 7, 13} {
			c, ld, start := normals(r, count), d+r.IntN(3), normals(r, d)
			rows, want := normals(r, count*ld), slices.Clone(start)
			for i, factor := range c {
				for j := range want {
					want[j] += float64(factor * rows[i*ld+j])
				}
			}
			for _, l := range available() {
				got := slices.Clone(start)
				l.addRows(got, c, rows, ld)
				if !slices.Equal(got, want) {
					t.Errorf("%s, %d columns, %d rows: %v, want %v", l.name, d, count, got, want)
				}
			}
		}
	}
}

func TestRotations(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	for columns := 1; columns < 40; columns++ {
		for count := 1; count < 6; count++ {
			c, s, ld := normals(r, count), normals(r, count), columns+r.IntN(3)
			z := normals(r, count*ld+columns)
			down, up := slices.Clone(z), slices.Clone(z)
			rotateDownGo(down, ld, columns, c, s)
			rotateUpGo(up, ld, columns, c, s)
			for _, l := range available()[1:] {
				got := slices.Clone(z)
				l.rotateDown(got, ld, columns, c, s)
				if !slices.Equal(got, down) {
					t.Errorf("%s, down, %d columns: %v, want %v", l.name, columns, got, down)
				}
				got = slices.Clone(z)
				l.rotateUp(got, ld, columns, c, s)
				if !slices.Equal(got, up) {
					t.Errorf("%s, up, %d columns: %v, want %v", l.name, columns, got, up)
				}
			}
		}
	}
}

func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), -700, 700, -746, -745, -720, -708.4, 709.7, 710,
		1e-300, -1e-300, 5e-324, -1e300, 1e300, -2147483648, -1e10}
	for _, l := range available() {
		for n := range 70 {
			x := make([]float64, 40*n)
			for i := range x {
				switch x[i] = -math.Exp(12*r.NormFloat64() - 3); {
				case n%3 == 0:
					x[i] = 300 * r.NormFloat64()
				case n%3 == 1 && r.IntN(20) == 0:
					x[i] = odd[r.IntN(len(odd))]
				}
			}
			got := slices.Clone(x)
			l.exponentials(got, got)
			for i, v := range x {
				if want := math.Exp(v); math.Float64bits(got[i]) != math.Float64bits(want) {
					t.Fatalf("%s: the exponential of %v is %v, want %v", l.name, v, got[i], want)
				}
			}
		}
	}
}

func TestPullsAndAverages(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 2))
	for n := 8; n < 60; n += 8 {
		i, j, k, mean := normals(r, n), normals(r, n), normals(r, n), normals(r, n)
		copy(k[n/2:], j[n/2:]) // some pulls of 0
		mean[0], mean[1] = math.Copysign(0, -1), 0
		delta, w, next := make([]float64, n), make([]float64, n), slices.Clone(mean)
		pullsGo(delta, i, j, k)
		f := &[4]float64{3, 4, 20, 0.01}
		if n == 8 {
			f[3] = 0
			delta[0], delta[1] = math.Copysign(0, -1), 0
		}
		averageGo(next, w, delta, f)
		for _, l := range available()[1:] {
			gotDelta, gotW, gotNext := make([]float64, n), make([]float64, n), slices.Clone(mean)
			l.pulls(gotDelta, i, j, k)
			if n == 8 {
				gotDelta[0], gotDelta[1] = delta[0], delta[1]
			}
			l.average(gotNext, gotW, gotDelta, f)
			for name, pair := range map[string][2][]float64{"pulls": {gotDelta, delta}, "means": {gotNext, next}, "weights": {gotW, w}} {
				if !slices.EqualFunc(pair[0], pair[1], func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
					t.Errorf("%s, %d places, %s: %v, want %v", l.name, n, name, pair[0], pair[1])
				}
			}
		}
	}
}
