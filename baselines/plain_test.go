package baselines

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

// The versions here are the plain ones of what the package does in a faster way with the
// same bits.

func plainClosest(distance []float64, k int, keep func(row int) bool) []int {
	var rows []int
	for row := range distance {
		if keep(row) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(distance[a], distance[b]), cmp.Compare(a, b))
	})
	return rows[:min(k, len(rows))]
}

func TestClosestIsThatOfSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for trial := range 300 {
		distance := make([]float64, 1+r.IntN(60))
		for i := range distance {
			distance[i] = float64(r.IntN(1 + trial/4)) // many equal ones at first
			if r.IntN(40) == 0 {
				distance[i] = math.NaN()
			}
		}
		k := 1 + r.IntN(12)
		if trial%50 == 0 {
			k = math.MaxInt
		}
		keep := func(row int) bool { return row%3 != trial%3 }
		fixture.EqualSlice(t, "rows", closest(distance, k, keep), plainClosest(distance, k, keep))
	}
}

func plainScatter(s weightedSample) (within, between *mat.SymDense) {
	_, d := s.p.X.Dims()
	within, between = mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	total, mean := plainMean(s, func(int) bool { return true })
	diff := mat.NewVecDense(d, nil)
	for label := 1; label <= s.p.Classes(); label++ {
		weight, center := plainMean(s, func(y int) bool { return y == label })
		if weight == 0 {
			continue
		}
		diff.SubVec(center, mean)
		between.SymRankOne(between, weight/total, diff)
		for i, row := range s.rows {
			if s.p.Y[row] == label {
				diff.SubVec(s.p.X.RowView(row), center)
				within.SymRankOne(within, s.weight[i]/total, diff)
			}
		}
	}
	return within, between
}

func plainMean(s weightedSample, in func(label int) bool) (weight float64, mean *mat.VecDense) {
	_, d := s.p.X.Dims()
	var base mat.Vector
	mean, diff := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	for i, row := range s.rows {
		if !in(s.p.Y[row]) || s.weight[i] == 0 {
			continue
		}
		if base == nil {
			base = s.p.X.RowView(row)
		}
		weight += s.weight[i]
		diff.SubVec(s.p.X.RowView(row), base)
		mean.AddScaledVec(mean, s.weight[i], diff)
	}
	if base == nil {
		return 0, nil
	}
	mean.ScaleVec(1/weight, mean)
	mean.AddVec(mean, base)
	return weight, mean
}

func TestDANNScatterIsThePlainOne(t *testing.T) {
	for _, s := range shapes {
		p := s.problem()
		p.Y[0] = p.Classes() + 1 // a class of its own
		for _, k := range []int{2, 7, 50} {
			near := neighborhoodOf(p, nil, p.X.RawRowView(0), k, TriCube)
			within, between := near.scatter()
			wantWithin, wantBetween := plainScatter(near)
			sameBits(t, s.name+": within", within, wantWithin)
			sameBits(t, s.name+": between", between, wantBetween)
		}
	}
}

func sameBits(t *testing.T, name string, got, want mat.Matrix) {
	t.Helper()
	rows, cols := want.Dims()
	for i := range rows {
		for j := range cols {
			if got, want := got.At(i, j), want.At(i, j); math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%s: entry (%d, %d) is %g, want %g", name, i, j, got, want)
			}
		}
	}
}

// plainAveraging is one step of dual averaging after s−1 others.
func plainAveraging(c *tripletLoss, t comparison, mean, w []float64, s, beta float64) {
	drawn := plainDeltas(c, t)
	if 1+floats.Dot(w, drawn) <= 0 {
		clear(drawn)
	}
	for b, delta := range drawn {
		mean[b] = ((s-1)*mean[b] + delta) / s
		w[b] = max(0, math.Sqrt(s)/dualStep*(-mean[b]-beta))
	}
}

func plainDeltas(c *tripletLoss, t comparison) []float64 {
	i, j, k := c.along.RawRowView(t.i), c.along.RawRowView(t.j), c.along.RawRowView(t.k)
	deltas := make([]float64, len(i))
	for b, at := range i {
		near, far := at-j[b], at-k[b]
		deltas[b] = near*near - far*far
	}
	return deltas
}

// On amd64, where nothing is fused and floats.Dot has four chains, the bits are the same.
func TestDualAveragingIsThePlainOne(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("products and sums of the plain version may be fused here")
	}
	for _, s := range shapes {
		g := fixture.Must(newTripletGround(t.Context(), s.problem(), 43))(t)
		a := newAveraging(g.tripletLoss, 1e-3)
		mean, w := make([]float64, len(a.mean)), make([]float64, len(a.w))
		for i, triplet := range a.triplets[:200] {
			a.step(float64(i+1), triplet)
			plainAveraging(a.tripletLoss, triplet, mean, w, float64(i+1), a.beta)
		}
		sameBits(t, s.name+": weights", mat.NewDense(1, len(w), a.w), mat.NewDense(1, len(w), w))
		var loss float64
		for _, triplet := range a.triplets {
			loss += max(0, 1+floats.Dot(w, plainDeltas(a.tripletLoss, triplet)))
		}
		want := a.beta*floats.Sum(w) + loss/float64(len(a.triplets))
		fixture.Equal(t, s.name+": objective", a.objective(context.Background()), want)
	}
}

// On amd64, where nothing is fused and products of vectors have four chains, the bits are the same.
func TestPackedMatricesAreThePlainOnes(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("products and sums of the plain version may be fused here")
	}
	r := rand.New(rand.NewPCG(5, 1))
	for d := 1; d < 40; d++ {
		const n = 13
		c, v := make([]float64, n), fixture.Normal(r, n, d)
		want := mat.NewSymDense(d, nil)
		for i := range c {
			c[i] = r.NormFloat64()
			want.SymRankOne(want, c[i], v.RowView(i))
		}
		got := make(packed, packedLen(d))
		got.addOuters(d, c, v.RawMatrix().Data, make([]float64, n))
		sameBits(t, "outer products", got.unpacked(d), want)
		sameBits(t, "packed", pack(nil, want).unpacked(d), want)
		quadratics := make([]float64, n)
		got.quadratics(quadratics, d, v.RawMatrix().Data, make([]float64, n))
		for i, q := range quadratics {
			fixture.Equal(t, "quadratic form", q, mat.Inner(v.RowView(i), want, v.RowView(i)))
		}
	}
}
