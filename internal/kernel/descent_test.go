package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

// A descent is block 1 of R2LML on two classes, g = 1, put together from the
// kernels as a solver would: eight values of λ in the lanes, centered samples,
// A = Σ D Dᵀ over similar pairs constant, B over close dissimilar pairs kept up
// to date, gradient 4 L (A − B).
type descent struct {
	*cloud
	v               *level
	dissimilar, now []uint64
	before          [Lanes][]uint64
	similar         []float64
	scatter         [Lanes][]float64

	map_, u          []float64
	y, p, next, g, h []float64
	tau, rate, beta  vector
	largest          vector
	prox             *Prox
}

const descentStep = 1e-5

func newDescent(n, d int, v *level) *descent {
	size, ld := TileOffset(TileRows(n)), ScatterStride(d)
	s := &descent{cloud: newCloud(n, d, v), v: v, dissimilar: make([]uint64, size), now: make([]uint64, size), prox: newProx(d, v)}
	s.map_, s.u, s.similar = make([]float64, d*d), make([]float64, ScatterScratch(n, d)), make([]float64, d*ld)
	for p := range Lanes {
		s.before[p], s.scatter[p] = make([]uint64, size), make([]float64, d*ld)
		s.tau[p], s.rate[p] = descentStep*math.Pow(10, float64(p)-3), 4*descentStep
	}
	r := rand.New(rand.NewPCG(1, 1))
	s.y = fill(LanesLen(d), func(int) float64 { return r.Float64() })
	s.p, s.next = append([]float64(nil), s.y...), make([]float64, LanesLen(d))
	s.g, s.h = make([]float64, LanesLen(d)), make([]float64, LanesLen(d))
	for i := range n {
		for j := range i {
			if i%2 != j%2 {
				tile, bit := tileOf(i, j)
				s.dissimilar[tile] |= 1 << bit
				continue
			}
			subtract(s.u[:ld], s.padded[i*ld:], s.padded[j*ld:])
			v.addOuter(s.similar, s.u[:ld], s.u[:ld], d, ld, 1)
		}
	}
	return s
}

// iterate does iteration t = 1, 2, ...
func (s *descent) iterate(t int) error {
	for p := range Lanes {
		s.hessian(p)
		s.beta[p] = float64(t-1) / float64(t+2)
	}
	s.v.mul(s.g, s.y, s.h, s.d)
	s.v.step(s.y, s.y, s.g, &s.rate, &s.largest)
	if err := s.prox.Apply(s.next, s.y, &s.tau, nil); err != nil {
		return err
	}
	s.v.momentum(s.y, s.next, s.p, &s.beta)
	s.p, s.next = s.next, s.p
	return nil
}

// hessian sets lane p of h to A − B.
func (s *descent) hessian(p int) {
	rows, ld, b := TileRows(s.n), ScatterStride(s.d), s.scatter[p]
	GetLane(s.map_, s.y, p)
	s.v.mapAll(s.z, s.cloud.h, s.x, s.map_, s.n, s.d)
	s.v.nearAll(s.now, s.z, s.cloud.h, nil, s.n, s.d, 0, rows)
	for i, m := range s.dissimilar {
		s.now[i] &= m
	}
	s.v.updateScatter(b, s.u, s.padded, s.n, s.d, s.now, s.before[p], nil)
	for i := range s.d {
		for j := i; j < s.d; j++ {
			e := s.similar[i*ld+j] - b[i*ld+j]
			s.h[(i*s.d+j)*Lanes+p], s.h[(j*s.d+i)*Lanes+p] = e, e
		}
	}
}

// plainDescent is the same for one λ, step by step as it is defined.
func plainDescent(t *testing.T, s *descent, l *mat.Dense, tau float64, iterations int) *mat.Dense {
	x := mat.NewDense(s.n, s.d, s.rows)
	y, p := mat.DenseCopyOf(l), mat.DenseCopyOf(l)
	for k := 1; k <= iterations; k++ {
		h := mat.NewSymDense(s.d, nil)
		for i := range s.n {
			for j := range i {
				var diff, mapped mat.VecDense
				diff.SubVec(x.RowView(i), x.RowView(j))
				mapped.MulVec(y, &diff)
				if i%2 == j%2 {
					h.SymRankOne(h, 1, &diff)
				} else if mat.Dot(&mapped, &mapped) < 1 {
					h.SymRankOne(h, -1, &diff)
				}
			}
		}
		var g mat.Dense
		g.Mul(y, h)
		g.Scale(-4*descentStep, &g)
		g.Add(&g, y)
		next, _, _ := svdProx(t, g.RawMatrix().Data, s.d, tau)
		g.Sub(next, p)
		g.Scale(float64(k-1)/float64(k+2), &g)
		y.Add(next, &g)
		p = next
	}
	return y
}

func TestDescent(t *testing.T) {
	const n, d, iterations = 43, 5, 80
	s := newDescent(n, d, active)
	starts := make([]*mat.Dense, Lanes)
	for p := range starts {
		starts[p] = mat.NewDense(d, d, nil)
		GetLane(starts[p].RawMatrix().Data, s.y, p)
	}
	for k := range iterations {
		fixture.Check(t, s.iterate(k+1))
	}
	got := make([]float64, d*d)
	for p, start := range starts {
		want := plainDescent(t, s, start, s.tau[p], iterations)
		GetLane(got, s.y, p)
		for i, v := range got {
			closeTo(t, fmt.Sprintf("λ = %g: entry", s.tau[p]/descentStep), v, want.At(i/d, i%d), 1e-11)
		}
	}
}

func BenchmarkDescent(b *testing.B) {
	for _, c := range clouds[:5] {
		engines(b, fmt.Sprintf("d=%d/n=%d", c.d, c.n), func(b *testing.B, v *level) {
			s := newDescent(c.n, c.d, v)
			for t := 1; b.Loop(); t++ {
				fixture.Check(b, s.iterate(t))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Lanes, "ns/problem")
		})
	}
}
