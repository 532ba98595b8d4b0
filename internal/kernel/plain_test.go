package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func TestDots(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 2))
	for d := range 14 {
		for count := range 10 {
			v, rows, ld := normal(d, r), normal(10*(d+3), r), d+3
			dots := onLevels(t, fmt.Sprint(d, " features"), func(l *level) []float64 {
				dst := make([]float64, count)
				l.dots(dst, rows, ld, v)
				return dst
			})
			for i, got := range dots {
				closeTo(t, "inner product", got, floats.Dot(rows[i*ld:i*ld+d], v), 1e-13)
			}
		}
	}
}

func TestAddRows(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 2))
	for d := 1; d < 75; d++ {
		for _, count := range []int{1, 2, 4, 7, 13} {
			c, ld, start := normal(count, r), d+r.IntN(3), normal(d, r)
			rows, want := normal(count*ld, r), slices.Clone(start)
			for i, factor := range c {
				for j := range want {
					want[j] += float64(factor * rows[i*ld+j])
				}
			}
			sums := onLevels(t, fmt.Sprintf("%d columns, %d rows", d, count), func(l *level) []float64 {
				dst := slices.Clone(start)
				l.addRows(dst, c, rows, ld)
				return dst
			})
			sameBits(t, "sums", sums, want)
		}
	}
}

func TestRotations(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	for columns := 1; columns < 40; columns++ {
		for count := 1; count < 6; count++ {
			c, s, ld := normal(count, r), normal(count, r), columns+r.IntN(3)
			z := normal(count*ld+columns, r)
			onLevels(t, fmt.Sprint(columns, " columns"), func(l *level) []float64 {
				down, up := slices.Clone(z), slices.Clone(z)
				l.rotateDown(down, ld, columns, c, s)
				l.rotateUp(up, ld, columns, c, s)
				return append(down, up...)
			})
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
		i, j, k, mean := normal(n, r), normal(n, r), normal(n, r), normal(n, r)
		copy(k[n/2:], j[n/2:]) // some pulls of 0
		mean[0], mean[1] = math.Copysign(0, -1), 0
		f := &[4]float64{3, 4, 20, 0.01}
		if n == 8 {
			f[3] = 0
		}
		onLevels(t, fmt.Sprint(n, " places"), func(l *level) []float64 {
			delta, w, next := make([]float64, n), make([]float64, n), slices.Clone(mean)
			l.pulls(delta, i, j, k)
			pulls := slices.Clone(delta)
			if n == 8 {
				delta[0], delta[1] = math.Copysign(0, -1), 0
			}
			l.average(next, w, delta, f)
			return slices.Concat(pulls, next, w)
		})
	}
}
