package baselines

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

type itmlFixture struct {
	samplesFixture
	Bounds struct {
		SampledPairs [][2]int `json:"sampled_pairs"`
		L, U         float64
	}
	Constraints struct {
		I, J    []int
		Delta   []float64
		Bound   []float64
		Dropped []int
	}
	Cases []itmlCase
}

type itmlCase struct {
	Gamma       float64
	Dual        []float64              `json:"dual_objective_after_sweeps_1_to_20"`
	AfterSweeps map[string][][]float64 `json:"A_after_sweeps"`
	DefaultStop struct {
		knn5
		Sweeps      int
		Projections int     `json:"projection_counter"`
		Most        int     `json:"max_projections"`
		Tolerance   float64 `json:"tol"`
		A           [][]float64
	} `json:"default_stop"`
	Converged struct {
		knn5
		SweepsUsed int     `json:"sweeps_used"`
		LambdaSum  float64 `json:"lambda_sum"`
		Condition  float64 `json:"condition_number"`
		A          [][]float64
		Xi         []float64
		Primal     float64 `json:"primal_objective"`
		Dual       float64 `json:"dual_objective"`
	}
}

// constraints makes the pairs of the fixture from its draws.
func (f itmlFixture) constraints(t *testing.T) pairs {
	t.Helper()
	p := f.problem()
	near, far, err := distanceBounds(p.X, f.Bounds.SampledPairs)
	fixture.Check(t, err)
	checkValue(t, "l", near, f.Bounds.L, 1e-12)
	checkValue(t, "u", far, f.Bounds.U, 1e-12)
	drawn := make([][2]int, len(f.Constraints.I))
	for c := range drawn {
		drawn[c] = [2]int{f.Constraints.I[c], f.Constraints.J[c]}
	}
	return newPairs(p, drawn, near, far)
}

func TestITMLFixtures(t *testing.T) {
	fixture.Each(t, "itml", "*.json", func(t *testing.T, f itmlFixture) {
		c := f.constraints(t)
		var side, bound []float64
		for i, delta := range f.Constraints.Delta {
			if !slices.Contains(f.Constraints.Dropped, i) {
				side, bound = append(side, delta), append(bound, f.Constraints.Bound[i])
			}
		}
		if !slices.Equal(c.side, side) || !floats.EqualApprox(c.bound, bound, 1e-12*largestAbs(bound)) {
			t.Fatalf("sides %v and bounds %v, want %v and %v", c.side, c.bound, side, bound)
		}
		for _, want := range f.Cases {
			t.Run(strconv.FormatFloat(want.Gamma, 'g', -1, 64), func(t *testing.T) { want.check(t, f, c) })
		}
	})
}

func (want itmlCase) check(t *testing.T, f itmlFixture, c pairs) {
	start := func() *bregman { return newBregman(c, len(f.X[0]), want.Gamma) }
	checkLabels := func(b *bregman, labels knn5) {
		l := fixture.Must(linalg.FromPSD(linalg.Symmetrize(b.a)))(t)
		f.checkKNN(t, r2lml.NewGlobal(f.problem(), l), labels)
	}

	// The first sweeps, one by one.
	b := start()
	for sweep := 1; sweep <= len(want.Dual); sweep++ {
		b.sweep()
		checkValue(t, "dual objective", b.dual(), want.Dual[sweep-1], 1e-9)
		if a, ok := want.AfterSweeps[strconv.Itoa(sweep)]; ok {
			checkMatrix(t, "A after a sweep", b.a, fixture.Dense(a), 1e-9)
		}
	}

	// Until multipliers settle. The counter of the reference begins at 0.
	b = start()
	fixture.Check(t, b.run(t.Context()))
	checkMatrix(t, "A at the stop", b.a, fixture.Dense(want.DefaultStop.A), 1e-9)
	checkLabels(b, want.DefaultStop.knn5)
	swept := start()
	for range want.DefaultStop.Sweeps {
		swept.sweep()
	}
	fixture.NearMatrix(t, "A after the sweeps until the stop", b.a, swept.a, 0)
	fixture.Equal(t, "last projection", want.DefaultStop.Sweeps*len(c.v)-1, want.DefaultStop.Projections)
	fixture.Equal(t, "most projections", mostProjections, want.DefaultStop.Most)
	fixture.Equal(t, "tolerance", multiplierTolerance, want.DefaultStop.Tolerance)

	// To convergence.
	if want.Converged.SweepsUsed > 10_000 && fixture.Shared() == "" {
		t.Log("set R2LMLBENCH_SHARED to sweep to convergence")
		return
	}
	b = start()
	for range want.Converged.SweepsUsed {
		b.sweep()
	}
	checkMatrix(t, "converged A", b.a, fixture.Dense(want.Converged.A), 1e-8)
	xi := make([]float64, len(b.inverseSlack))
	for i, v := range b.inverseSlack {
		xi[i] = 1 / v
	}
	checkMatrix(t, "converged ξ", mat.NewVecDense(len(xi), xi), mat.NewVecDense(len(xi), want.Converged.Xi), 1e-8)
	checkValue(t, "converged dual objective", b.dual(), want.Converged.Dual, 1e-8)
	checkValue(t, "converged primal objective", b.primal(), want.Converged.Primal, 1e-8)
	checkValue(t, "sum of the multipliers", floats.Sum(b.lambda), want.Converged.LambdaSum, 1e-8)
	values, _, err := linalg.Eigen(linalg.Symmetrize(b.a))
	fixture.Check(t, err)
	checkValue(t, "condition of the converged A", values[len(values)-1]/values[0], want.Converged.Condition, 1e-6)
	checkLabels(b, want.Converged.knn5)
}

// dual returns g(λ), with log det(I + Σ δλvvᵀ) = −log det A.
func (b *bregman) dual() float64 {
	det, _ := mat.LogDet(b.a)
	value := -det
	for c, lambda := range b.lambda {
		value += b.gamma * math.Log(1-b.side[c]*lambda*b.bound[c]/b.gamma)
	}
	return value
}

func (b *bregman) primal() float64 {
	det, _ := mat.LogDet(b.a)
	value := mat.Trace(b.a) - det - float64(len(b.av))
	for c, bound := range b.bound {
		ratio := 1 / (b.inverseSlack[c] * bound)
		value += b.gamma * (ratio - math.Log(ratio) - 1)
	}
	return value
}

// TestITMLInvariants checks, on drawn problems, that the dual never falls, that
// A⁻¹ = I + Σ δλvvᵀ and that A stays symmetric.
func TestITMLInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		c, err := drawPairs(p)
		if err != nil {
			t.Skip("all rows equal")
		}
		_, d := p.X.Dims()
		b := newBregman(c, d, rapid.SampledFrom([]float64{0.01, 1, 10}).Draw(t, "gamma"))
		before := b.dual()
		sum, grown := linalg.Symmetrize(identity(d)), 0.0 // sum = I + Σ δλvvᵀ
		for range 5 {
			for c, v := range b.v {
				lambda := b.lambda[c]
				b.project(c)
				sum.SymRankOne(sum, b.side[c]*(b.lambda[c]-lambda), mat.NewVecDense(d, v))
				grown = max(grown, mat.Norm(sum, 2)*mat.Norm(sum, 2)*mat.Norm(b.a, 2))
			}
			value := b.dual()
			rounding := 1e-12 // of the terms of a dual near 0
			if value < before-1e-9*math.Abs(before)-rounding {
				t.Fatalf("the dual falls from %g to %g", before, value)
			}
			before = value
		}
		// A rounding error of A, ε|A|, changes the inverse of A by ε|A⁻¹|²|A|, which later steps keep.
		rounding := 0x1p-50 * grown * mat.Norm(b.a, 2)
		var product mat.Dense
		product.Mul(sum, b.a)
		fixture.NearMatrix(t, "(I + Σ δλvvᵀ) A", &product, identity(d), 1e-7+rounding)
		fixture.NearMatrix(t, "Aᵀ", b.a.T(), b.a, 0)
	})
}

// drawProblem draws up to 12 samples of 1 to 4 features, as decimals, so that
// there are equal rows and ties.
func drawProblem(t *rapid.T) r2lml.Problem {
	n := rapid.IntRange(2, 12).Draw(t, "n")
	d := rapid.IntRange(1, 4).Draw(t, "d")
	p := r2lml.Problem{X: mat.NewDense(n, d, nil), Y: make([]int, n), Seed: rapid.Uint64().Draw(t, "seed")}
	for i := range n {
		p.Y[i] = 1 + i%min(n, 3)
		for j := range d {
			p.X.Set(i, j, float64(rapid.IntRange(-20, 20).Draw(t, "entry"))/10)
		}
	}
	p.Query = p.X
	return p
}

// iris returns the training samples of the iris fixtures.
func iris(t testing.TB) r2lml.Problem {
	t.Helper()
	var f samplesFixture
	fixture.Read(t, "testdata/rca/iris.json", &f)
	return f.problem()
}

// distances lists the squared distances of all query samples.
func distances(p r2lml.Problem, f r2lml.Fitted) []float64 {
	m, _ := p.Query.Dims()
	n := len(p.Y)
	all := make([]float64, m*n)
	for i := range m {
		f.Metric.SquaredDistances(all[i*n:(i+1)*n], i)
	}
	return all
}

// One constraint, by hand. A similar pair at distance 4, bound 1, γ = 1:
// ρ = 1/2, p = 4, α = min(0, ½(1/4 − 1)) = −3/8, so λ = 3/8, 1/ξ = 1 − 3/8,
// and A = 1/(1 + 3/8·4) = 0.4, ξ = 1.6 = p. With no slack A = 1/4.
func TestITMLOnePair(t *testing.T) {
	c := pairs{v: [][]float64{{2}}, side: []float64{1}, bound: []float64{1}}
	for _, tt := range []struct{ gamma, want float64 }{{1, 0.4}, {math.Inf(1), 0.25}} {
		b := newBregman(c, 1, tt.gamma)
		fixture.Check(t, b.run(t.Context()))
		checkValue(t, "A", b.a.At(0, 0), tt.want, 1e-14)
	}
}

// A small unit drops no pairs but those of equal samples.
func TestITMLPairsInSmallUnits(t *testing.T) {
	p := methodtest.Blobs([]int{8, 8}, 3, 30)
	want := fixture.Must(drawPairs(p))(t)
	p.X.Scale(0x1p-40, p.X)
	got := fixture.Must(drawPairs(p))(t)
	fixture.EqualSlice(t, "sides", got.side, want.side)
	if len(want.side) == 0 {
		t.Error("no pair was drawn")
	}
}
