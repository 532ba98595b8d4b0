package r2lml

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
)

// surrogate is what block 2 minimizes: gᵀ S̃ g for w = 1, gᵀ S̃ g + λmax |g|² for
// w = 1/2.
func (b *majorization) surrogate(g *mat.Dense) float64 {
	value := dot(g, b.times(g))
	if b.weight == 0.5 {
		value += b.lmax * dot(g, g)
	}
	return value
}

func TestCoefficientStepsLowerTheSurrogate(t *testing.T) {
	for _, variant := range []Variant{Reference, Published} {
		t.Run(string(variant), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				f := drawDescent(t)
				b, err := newMajorization(context.Background(), variant, f.s.n, len(f.l), plain{}.products(f))
				if err != nil || b.lmax == 0 {
					t.Skip("no two similar samples lie apart")
				}
				value := b.surrogate(f.g)
				for i := range 20 {
					before := value
					b.step(f.g, b.times(f.g))
					checkSimplex(t, f.g)
					value = b.surrogate(f.g)
					if !(value <= before+1e-12*b.lmax+0x1p-1000) { // below that, rounding is absolute
						t.Fatalf("step %d: the surrogate rose from %v to %v", i, before, value)
					}
				}
			})
		})
	}
}

// Three similar samples at the corners of an equilateral triangle of side 1,
// two equal metrics: S̄ is 1 off its diagonal, λmax = 2. For w = 1/2 symmetry
// makes the one minimizer (1/2, 1/2) everywhere. For w = 1 the first two samples
// part in two steps until they sit at opposite vertices; then every place is the
// same to the third, which stays at (1/5, 4/5).
func TestCoefficientsByHand(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0.5, math.Sqrt(0.75)})
	l := []*mat.Dense{mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDense(2, 2, []float64{0, -1, 1, 0})}
	for _, test := range []struct {
		variant Variant
		want    []float64
	}{
		{Reference, []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
		{Published, []float64{1, 0, 0, 1, 0.2, 0.8}},
	} {
		f := &blockDescent{x: x, s: labelSimilarity([]int{1, 1, 1}, 0), l: l}
		b := fixture.Must(newMajorization(context.Background(), test.variant, 3, len(l), plain{}.products(f)))(t)
		fixture.Near(t, "λmax", b.lmax, 2, 1e-9)
		got := fixture.Must(b.run(t.Context(), mat.NewDense(3, 2, []float64{0.9, 0.1, 0.2, 0.8, 0.3, 0.7})))(t)
		// Block 2 ends at a change of q by 1e-3, so near the solution only.
		fixture.NearMatrix(t, string(test.variant), got, mat.NewDense(3, 2, test.want), 0.02)
	}
}

func TestCoefficientsStayWhenSimilarSamplesCoincide(t *testing.T) {
	x, identity := mat.NewDense(2, 1, []float64{3, 3}), mat.NewDense(1, 1, []float64{1})
	f := &blockDescent{x: x, s: labelSimilarity([]int{1, 1}, 0), l: []*mat.Dense{identity, identity}}
	b := fixture.Must(newMajorization(context.Background(), Reference, 2, 2, plain{}.products(f)))(t)
	g := mat.NewDense(2, 2, []float64{0.7, 0.3, 0.4, 0.6})
	got, err := b.run(t.Context(), g)
	if err != nil || !mat.Equal(got, g) {
		t.Errorf("coefficients %v (%v), want those of the start", got, err)
	}
}

func TestVertices(t *testing.T) {
	g := mat.NewDense(5, 2, []float64{1, 0, 0.995, 0.005, 0.5, 0.5, 0.99, 0.01, 0.02, 0.98})
	fixture.EqualSlice(t, "facts", vertices(g), []Count{{"coefficients at vertices", 2, 5}})
	fixture.EqualSlice(t, "facts of one metric", vertices(mat.NewDense(3, 1, []float64{1, 1, 1})), nil)
}

// pairsOf lists the pairs m > n of different samples that are similar.
func pairsOf(s similarity) [][2]int {
	var pairs [][2]int
	for m := range s.n {
		for n := range m {
			if s.at(m, n) {
				pairs = append(pairs, [2]int{m, n})
			}
		}
	}
	return pairs
}

// With 40 labeled and 60 unlabeled samples 4170 coins are flipped; a fair one
// shows 2085 ± 32 heads, and six standard deviations are allowed.
func TestCoinSimilarityIsFair(t *testing.T) {
	y := make([]int, 40)
	for i := range y {
		y[i] = 1 + i%2
	}
	for seed := range uint64(5) {
		s := coinSimilarity(context.Background(), rand.New(rand.NewPCG(seed, 0)), y, 60)
		f := similarPairs(s, len(y))
		if f.Of != 4170 || math.Abs(float64(f.Count)-2085) > 6*32.3 {
			t.Errorf("seed %d: %d of %d pairs are similar, want about 2085 of 4170", seed, f.Count, f.Of)
		}
		checkSimilarity(t, s, y)
	}
	for _, total := range []int{1, 63, 64, 65, 130} { // up to and beyond whole words
		y := make([]int, total/3)
		checkSimilarity(t, coinSimilarity(context.Background(), rand.New(rand.NewPCG(uint64(total), 0)), y, total-total/3), y)
	}
}

// Five points on a line, L = 1 and g = 1: ψ = E − [1 − E]₊ of E = (x_m − x_n)².
// Samples 0 and 1 are labeled. Only 0 and 2 are nearer than ψ = 0.
//
//	sample  0    1    2    3    4
//	x       0   10   0.5   3   30
//
// The smallest entries of the rows without a negative one: sample 1 has 49
// with 3, sample 3 has 6.25 with 2, sample 4 has 400 with 1.
func TestSimilaritiesByHand(t *testing.T) {
	x := mat.NewDense(5, 1, []float64{0, 10, 0.5, 3, 30})
	ones := mat.NewDense(5, 1, []float64{1, 1, 1, 1, 1})
	for _, test := range []struct {
		name    string
		variant Variant
		labels  []int
		want    [][2]int
	}{
		{"reference: labeled sample 1 finds a partner, 4 stays alone", Reference, []int{1, 2}, [][2]int{{2, 0}, {3, 1}}},
		{"published: unlabeled samples 3 and 4 find partners", Published, []int{1, 2}, [][2]int{{2, 0}, {3, 2}, {4, 1}}},
		{"reference: equal labels stay similar", Reference, []int{1, 1}, [][2]int{{1, 0}, {2, 0}, {3, 1}}},
		{"published: equal labels stay similar", Published, []int{1, 1}, [][2]int{{1, 0}, {2, 0}, {3, 2}, {4, 1}}},
	} {
		f := &blockDescent{
			setting: Efficient{C: 1, Variant: test.variant},
			x:       x, y: test.labels, l: []*mat.Dense{nil}, g: ones, s: labelSimilarity(test.labels, 3),
		}
		f.similarities(t.Context(), plain{})
		fixture.Check(t, f.err)
		fixture.EqualSlice(t, test.name, pairsOf(f.s), test.want)
	}
}

// fromMatrix is block 3 by way of the whole matrix Ψ: the entries that may not
// be taken are infinite, and rows without a negative entry take their smallest.
func fromMatrix(f *blockDescent) similarity {
	total, _ := f.g.Dims()
	variant, labeled := f.setting.Variant, len(f.y)
	psi, rows := mat.NewDense(total, total, nil), plain{}.psi(f)
	for m := range total {
		for n, v := range rows(m) {
			switch {
			case m < labeled && n < labeled, m == n && variant == Published:
				psi.Set(m, n, math.Inf(1))
			case m != n:
				psi.Set(m, n, v)
			}
		}
	}
	s := labelSimilarity(f.y, total-labeled)
	for m := range total {
		row := psi.RawRowView(m)
		for n, v := range row {
			if v < 0 {
				s.set(m, n)
			}
		}
		smallest := slices.Min(row)
		if smallest >= 0 && (variant == Reference || m >= labeled) {
			s.set(m, slices.Index(row, smallest))
		}
	}
	return s
}

func TestSimilaritiesAgreeWithTheMatrix(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawDescent(rt)
		want := fromMatrix(f)
		f.similarities(t.Context(), plain{})
		fixture.Check(rt, f.err)
		checkSimilarity(rt, f.s, f.y)
		fixture.EqualSlice(rt, "similar pairs", pairsOf(f.s), pairsOf(want))
	})
}

// Taking the pairs with ψ < 0 and no others cannot raise F; a partner taken at
// ψ ≥ 0 costs 2ψ, since its pair counts in both orders.
func TestSimilaritiesLowerTheObjective(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawDescent(rt)
		before, psi := plain{}.objective(f), plain{}.psi(f)
		f.similarities(t.Context(), plain{})
		fixture.Check(rt, f.err)
		allowance := 1e-9 * (1 + math.Abs(before))
		for _, pair := range pairsOf(f.s) {
			if pair[0] >= len(f.y) {
				allowance += 2 * max(0, psi(pair[0])[pair[1]])
			}
		}
		if after := (plain{}).objective(f); !(after <= before+allowance) {
			rt.Fatalf("F went from %v to %v, want a rise of at most %v", before, after, allowance)
		}
	})
}

// nearHinge tells whether some pair is so near to distance 1 that a small
// change of the map could cross the kink of the hinge.
func nearHinge(x, l *mat.Dense) bool {
	z := linalg.MapRows(l, x)
	n, _ := x.Dims()
	for i := range n {
		for j := range i {
			if math.Abs(linalg.SquaredDistance(z.RawRowView(i), z.RawRowView(j))-1) < 1e-3 {
				return true
			}
		}
	}
	return false
}

func TestGradientAgreesWithFiniteDifferences(t *testing.T) {
	checked := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		n, d := 12, 1+int(seed%4)
		x, l := fixture.Normal(r, n, d), fixture.Normal(r, d, d)
		l.Scale(0.5, l)
		if nearHinge(x, l) {
			continue
		}
		checked++
		f := newBlockDescent(Efficient{C: 1.5, Metrics: 2}, r, x, nil, nil)
		f.s = coinSimilarity(context.Background(), r, []int{1, 2, 1, 2}, n-4)
		column := mat.DenseCopyOf(f.g.Slice(0, n, 0, 1))
		b := newDescent(f)
		b.g = mat.Col(nil, 0, column)
		got := b.gradient(l)
		want := fd.Gradient(nil, func(entries []float64) float64 {
			return objective(x, f.s, []*mat.Dense{mat.NewDense(d, d, entries)}, column, b.c, 0)
		}, l.RawMatrix().Data, &fd.Settings{Formula: fd.Central})
		fixture.Near(t, "what the gradient differs by", relative(got, mat.NewDense(d, d, want)), 0, 1e-6)
	}
	if checked < 10 {
		t.Errorf("only %d starts were away from the hinge", checked)
	}
}

func TestShrinkSingularValues(t *testing.T) {
	// A rotation by 30 and one by 45 degrees around diag(3, 1).
	rotation := func(degrees float64) *mat.Dense {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return mat.NewDense(2, 2, []float64{cos, -sin, sin, cos})
	}
	with := func(a, b float64) *mat.Dense {
		var m mat.Dense
		m.Product(rotation(30), mat.NewDense(2, 2, []float64{a, 0, 0, b}), rotation(45))
		return &m
	}
	for _, test := range []struct {
		tau, a, b float64 // shrinkage, singular values left of 3 and 1
	}{{0, 3, 1}, {0.25, 2.75, 0.75}, {1, 2, 0}, {2, 1, 0}, {5, 0, 0}} {
		got := fixture.Must(shrinkSingularValues(with(3, 1), test.tau))(t)
		fixture.NearMatrix(t, fmt.Sprint("shrunk by ", test.tau), got, with(test.a, test.b), 1e-14)
	}
}

func TestShrinkSingularValuesRefusesDivergence(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 2 * divergence} {
		if got, err := shrinkSingularValues(mat.NewDense(2, 2, []float64{1, 0, v, 1}), 0.1); err == nil {
			t.Errorf("an entry of %v gives %v, want an error", v, got)
		}
	}
}

// Two samples at distance 1 on a line. Similar with g = 1 the gradient is 4L, so
// that a step of 1/8 halves L; dissimilar it is −4L below distance 1.
func TestDescentByHand(t *testing.T) {
	for _, test := range []struct {
		name       string
		variant    Variant
		labels     []int
		lambda     float64
		iterations int
		l, want    float64
	}{
		{"published: halved three times", Published, []int{1, 1}, 0, 3, 1, 0.125},
		{"published: halved and shrunk by 1/8", Published, []int{1, 1}, 1, 2, 1, 0.0625},
		{"published: shrunk to 0 at last", Published, []int{1, 1}, 1, 3, 1, 0},
		{"published: half as much again until distance 1 is reached", Published, []int{1, 2}, 0, 100, 0.5, 1.125},
		{"reference: momentum 0 at first", Reference, []int{1, 1}, 0, 1, 1, 0.5},
		{"reference: then 1/4 of (1/4 − 1/2)", Reference, []int{1, 1}, 0, 2, 1, 0.1875},
		{"reference: then 2/5 of (3/32 − 1/4)", Reference, []int{1, 1}, 0, 3, 1, 0.03125},
	} {
		m := Efficient{Variant: test.variant, C: 1, Lambda: test.lambda, Step: 0.125, Iterations: test.iterations}
		b := newDescent(&blockDescent{
			setting: m, momentum: m.Variant == Reference,
			x: mat.NewDense(2, 1, []float64{0, 1}), s: labelSimilarity(test.labels, 0),
		})
		b.g = []float64{1, 1}
		got := fixture.Must(b.run(t.Context(), mat.NewDense(1, 1, []float64{test.l})))(t)
		fixture.Near(t, test.name, got.At(0, 0), test.want, 1e-15)
	}
}
