package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

// A matrixCase makes a d×d matrix, by rows.
type matrixCase struct {
	name string
	make func(d int, r *rand.Rand) []float64
}

// entries makes a matrix entry by entry, of row i and column j.
func entries(entry func(i, j int, r *rand.Rand) float64) func(d int, r *rand.Rand) []float64 {
	return func(d int, r *rand.Rand) []float64 {
		return fill(d*d, func(at int) float64 { return entry(at/d, at%d, r) })
	}
}

var matrixCases = []matrixCase{
	{"normal", entries(func(_, _ int, r *rand.Rand) float64 { return r.NormFloat64() })},
	{"uniform", entries(func(_, _ int, r *rand.Rand) float64 { return r.Float64() })},
	{"zero", entries(func(_, _ int, _ *rand.Rand) float64 { return 0 })},
	{"identity", func(d int, _ *rand.Rand) []float64 { return identity(d) }},
	{"rank two", func(d int, r *rand.Rand) []float64 {
		u := normal(4*d, r)
		return fill(d*d, func(i int) float64 { return u[i/d]*u[d+i%d] + 1e-3*u[2*d+i/d]*u[3*d+i%d] })
	}},
	{"constant column", entries(func(_, j int, r *rand.Rand) float64 {
		if j == 0 {
			return 3
		}
		return r.NormFloat64()
	})},
	{"zero columns", entries(func(_, j int, r *rand.Rand) float64 { return r.NormFloat64() * float64((j+1)%2) })},
	{"graded", entries(func(_, j int, r *rand.Rand) float64 { return r.NormFloat64() * math.Pow(10, -float64(j)/2) })},
	{"graded rows", entries(func(i, _ int, r *rand.Rand) float64 { return r.NormFloat64() * math.Pow(10, -float64(i)/2) })},
	{"tiny", entries(func(_, _ int, r *rand.Rand) float64 { return r.NormFloat64() * 1e-180 })},
	{"huge", entries(func(_, _ int, r *rand.Rand) float64 { return r.NormFloat64() * 1e180 })},
}

func fill(n int, f func(i int) float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

// svdProx is the proximal map by gonum's decomposition.
func svdProx(t testing.TB, a []float64, d int, tau float64) (*mat.Dense, float64, float64) {
	t.Helper()
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(d, d, a), mat.SVDThin) {
		t.Fatal("gonum's decomposition failed")
	}
	var u, v, b mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	sigma := svd.Values(nil)
	top, sum := sigma[0], 0.0
	for i, s := range sigma {
		sigma[i] = math.Max(0, s-tau)
		sum += sigma[i]
	}
	u.Mul(&u, mat.NewDiagDense(d, sigma))
	b.Mul(&u, v.T())
	return &b, top, sum
}

// checkLane compares lane p of the proximal map of m with gonum's, and the nuclear norms
// unless they are nil, within shares of the largest singular value.
func checkLane(t *testing.T, dst []float64, p int, m []float64, d int, tau float64, nuclear *vector, entry, norm float64) {
	t.Helper()
	want, top, sum := svdProx(t, m, d, tau)
	for i := range m {
		closeTo(t, "entry", dst[i*Lanes+p], want.At(i/d, i%d), entry*top)
	}
	if nuclear != nil {
		closeTo(t, "nuclear norm", nuclear[p], sum, norm*top)
	}
}

func TestProxAgainstSVD(t *testing.T) {
	for _, d := range []int{1, 2, 3, 4, 5, 7, 8, 16, 30, 64} {
		for _, c := range matrixCases {
			t.Run(fmt.Sprintf("d=%d/%s", d, c.name), func(t *testing.T) { testProx(t, d, c) })
		}
	}
}

// testProx runs one kind of matrix in all lanes, with τ from 0 to beyond the
// largest singular value.
func testProx(t *testing.T, d int, c matrixCase) {
	r := rand.New(rand.NewPCG(uint64(d), 1))
	a, dst := make([]float64, LanesLen(d)), make([]float64, LanesLen(d))
	var tau, nuclear vector
	var plain [Lanes][]float64
	for p := range Lanes {
		plain[p] = c.make(d, r)
		SetLane(a, plain[p], p)
		_, top, _ := svdProx(t, plain[p], d, 0)
		tau[p] = top * []float64{0, 1e-9, 1e-4, 1e-2, 0.1, 0.5, 0.999, 1.5}[p]
	}
	x := NewProx(d)
	fixture.Check(t, x.Apply(dst, a, &tau, &nuclear))
	for p := range Lanes {
		checkLane(t, dst, p, plain[p], d, tau[p], &nuclear, 1e-13, 1e-12*float64(d))
		if tau[p] == 0 {
			got := make([]float64, d*d)
			GetLane(got, dst, p)
			fixture.EqualSlice(t, "with τ = 0", got, plain[p])
		}
	}
}

func TestLaneLevels(t *testing.T) {
	for _, d := range []int{1, 2, 3, 4, 5, 6, 7, 9, 16, 30, 33} {
		r := rand.New(rand.NewPCG(uint64(d), 2))
		size := LanesLen(d)
		a, b, factor := normal(size, r), normal(size, r), vector(normal(Lanes, r))
		onLevels(t, fmt.Sprint("D = ", d), func() []float64 {
			product, step, momentum, largest := make([]float64, size), make([]float64, size), make([]float64, size), new(vector)
			Mul(product, a, b, d)
			active.step(step, a, b, &factor, largest)
			active.momentum(momentum, a, b, &factor)
			return slices.Concat(product, step, momentum, largest[:])
		})
	}
}

func TestProxLevels(t *testing.T) {
	for _, d := range []int{1, 2, 3, 4, 5, 7, 16, 33} {
		for _, c := range matrixCases {
			onLevels(t, fmt.Sprintf("D = %d, %s", d, c.name), func() []float64 { return proxCalls(t, d, c) })
		}
	}
}

// proxCalls returns what three calls give, whose matrices differ by little.
func proxCalls(t *testing.T, d int, c matrixCase) (all []float64) {
	r := rand.New(rand.NewPCG(uint64(d), 5))
	x, a, dst := NewProx(d), make([]float64, LanesLen(d)), make([]float64, LanesLen(d))
	for p := range Lanes {
		SetLane(a, c.make(d, r), p)
	}
	for range 3 {
		var tau, nuclear vector
		for p := range tau {
			tau[p] = []float64{0, 1e-6, 1e-3, 0.1, 1, 2, 5, 20}[p] * math.Abs(a[p])
		}
		fixture.Check(t, x.Apply(dst, a, &tau, &nuclear))
		all = slices.Concat(all, dst, nuclear[:])
		for i := range a {
			a[i] += 1e-4 * r.NormFloat64() * a[i]
		}
	}
	return all
}

// TestProxLanesAreAlone runs each matrix among others, and alone in another
// lane.
func TestProxLanesAreAlone(t *testing.T) {
	const d = 9
	r := rand.New(rand.NewPCG(1, 7))
	size := LanesLen(d)
	a, all := make([]float64, size), make([]float64, size)
	x := NewProx(d)
	var lone [Lanes]*Prox
	for p := range lone {
		lone[p] = NewProx(d)
	}
	for call := range 4 {
		var tau, nuclear vector
		one, m := make([]float64, size), make([]float64, d*d)
		for p := range Lanes {
			if call%2 == 0 {
				SetLane(a, matrixCases[(p+call)%len(matrixCases)].make(d, r), p)
			}
			tau[p] = []float64{0, 1e-3, 0.1}[(p+call)%3]
		}
		fixture.Check(t, x.Apply(all, a, &tau, &nuclear))
		for p := range Lanes {
			other := (p + 3) % Lanes
			var alone, norm vector
			clear(one)
			GetLane(m, a, p)
			SetLane(one, m, other)
			alone[other] = tau[p]
			dst := make([]float64, size)
			fixture.Check(t, lone[p].Apply(dst, one, &alone, &norm))
			got := make([]float64, d*d)
			GetLane(m, dst, other)
			GetLane(got, all, p)
			fixture.SameBits(t, fmt.Sprintf("call %d, lane %d", call, p), got, m)
			fixture.SameBits(t, "nuclear norm", nuclear[p:p+1], norm[other:other+1])
		}
	}
}

// TestProxFollows moves a matrix by small steps for many calls, as a solver
// does, and compares with a decomposition from time to time.
func TestProxFollows(t *testing.T) {
	const d = 12
	r := rand.New(rand.NewPCG(8, 8))
	a, dst := normal(LanesLen(d), r), make([]float64, LanesLen(d))
	x := NewProx(d)
	tau := vector{1e-6, 1e-4, 1e-2, 0.1, 1, 2, 3, 4}
	for call := range 1000 {
		fixture.Check(t, x.Apply(dst, a, &tau, nil))
		if call%100 == 0 {
			for p := range Lanes {
				m := make([]float64, d*d)
				GetLane(m, a, p)
				checkLane(t, dst, p, m, d, tau[p], nil, 1e-13, 0)
			}
		}
		size := math.Pow(10, -float64(call%7))
		for i := range a {
			a[i] += size * 0.1 * r.NormFloat64()
		}
	}
}

// TestProxHardCases draws matrices with clusters of singular values, low rank
// and bad scales, moved in steps of all sizes, and τ at, or next to, singular
// values.
func TestProxHardCases(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 1))
	for range 150 {
		d := 1 + r.IntN(16)
		h := hardCase{d: d, r: r, x: NewProx(d), a: make([]float64, LanesLen(d))}
		for call := range 3 {
			for p := range Lanes {
				h.draw(p, call == 0 || r.IntN(2) == 0)
			}
			h.check(t, call%2 == 1)
		}
	}
}

type hardCase struct {
	d     int
	r     *rand.Rand
	x     *Prox
	a     []float64
	tau   vector
	lanes [Lanes][]float64
}

// power returns 10 to minus a random power below n.
func (h *hardCase) power(n int) float64 { return math.Pow(10, -float64(h.r.IntN(n))) }

// draw makes a new matrix in lane p, or moves the one there, and chooses τ.
func (h *hardCase) draw(p int, fresh bool) {
	m := h.lanes[p]
	if !fresh {
		for i, size := 0, h.power(12); i < len(m); i++ {
			m[i] += size * h.r.NormFloat64() * math.Abs(m[i])
		}
	} else {
		m = matrixCases[h.r.IntN(len(matrixCases))].make(h.d, h.r)
		if h.r.IntN(4) == 0 {
			for i := range m {
				m[i] *= math.Pow(10, -3*float64(h.r.IntN(8)))
			}
		}
		if h.r.IntN(4) == 0 {
			for i, size := 0, h.power(14); i < len(m); i++ {
				m[i] *= size
				if i/h.d == i%h.d {
					m[i]++
				}
			}
		}
	}
	h.lanes[p] = m
	SetLane(h.a, m, p)
	sigma := singularValues(m, h.d)
	h.tau[p] = sigma[h.r.IntN(h.d)] * []float64{1, 1 - h.power(15), math.Pow(10, -15*h.r.Float64())}[h.r.IntN(3)]
}

func (h *hardCase) check(t *testing.T, wantNorms bool) {
	t.Helper()
	dst := make([]float64, len(h.a))
	var norms *vector
	if wantNorms {
		norms = new(vector)
	}
	fixture.Check(t, h.x.Apply(dst, h.a, &h.tau, norms))
	for p, m := range h.lanes {
		checkLane(t, dst, p, m, h.d, h.tau[p], norms, 2e-13, 2e-12)
	}
}

func singularValues(m []float64, d int) []float64 {
	var svd mat.SVD
	svd.Factorize(mat.NewDense(d, d, m), mat.SVDNone)
	return svd.Values(nil)
}

// TestSweepLevels compares sweeps of every level with the definition, for their bits: where all
// pairs of columns are rotated, where few are and where norms are too small, in some of the lanes.
func TestSweepLevels(t *testing.T) {
	for _, d := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33, 36, 37, 38, 60} {
		r := rand.New(rand.NewPCG(uint64(d), 1))
		for _, mixed := range []float64{1, 1e-3, 1e-15, 0} {
			b := newBasis(d)
			for j := range d {
				for i := range 2 * d {
					for p := range Lanes {
						v := mixed * r.NormFloat64()
						if i%d == j { // columns of different lengths are orthogonal but for the rest
							v += float64(1 + j)
						}
						b.columns[(j*b.ld+i)*Lanes+p] = v
					}
				}
			}
			var lanes, floor vector
			for p := range lanes {
				lanes[p] = float64(r.IntN(2))
				floor[p] = float64(p % 3 * d)
			}
			onLevels(t, fmt.Sprintf("D = %d, %g", d, mixed), func() []float64 {
				columns := append([]float64(nil), b.columns...)
				for range 2 {
					active.sweep(columns, b.pairs, b.quads, d, &lanes, &floor)
				}
				return columns
			})
		}
	}
}

var widths = []int{4, 16, 30, 34, 60}

// BenchmarkProx measures calls with V known from a matrix that differs by move
// times the entries' size; "cold" forgets V. One operation is Lanes matrices;
// ns/problem is per matrix. Operations are those of a matrix with a known V: two
// products, and the inner products of the columns.
func BenchmarkProx(b *testing.B) {
	for _, move := range []float64{1e-8, 1e-5, 1e-3, 1e-2} {
		for _, d := range widths {
			engines(b, fmt.Sprintf("d=%d/move=%g", d, move), func(b *testing.B) { benchmarkProx(b, d, move) })
		}
	}
	for _, d := range widths {
		engines(b, fmt.Sprintf("d=%d/move=cold", d), func(b *testing.B) { benchmarkProx(b, d, 0) })
		b.Run(fmt.Sprintf("d=%d/move=cold/engine=gonum", d), func(b *testing.B) {
			a := normal(d*d, rand.New(rand.NewPCG(1, 1)))
			for b.Loop() {
				svdProx(b, a, d, 1e-3)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/problem")
		})
	}
}

func benchmarkProx(b *testing.B, d int, move float64) {
	r := rand.New(rand.NewPCG(1, 1))
	steps := make([][]float64, 16)
	steps[0] = normal(LanesLen(d), r)
	for i := 1; i < len(steps); i++ {
		steps[i] = fill(LanesLen(d), func(j int) float64 { return steps[i-1][j] + move*r.NormFloat64() })
	}
	tau := vector{1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3}
	dst, x := make([]float64, LanesLen(d)), NewProx(d)
	for i := 0; b.Loop(); i++ {
		// There and back again, so that every move is small.
		at := i % (2*len(steps) - 2)
		at = min(at, 2*len(steps)-2-at)
		if move == 0 {
			for p := range Lanes {
				x.Reset(p)
			}
		}
		fixture.Check(b, x.Apply(dst, steps[at], &tau, nil))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Lanes, "ns/problem")
	report(b, 5*d*d*d*Lanes)
}
