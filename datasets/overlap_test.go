package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

// The eigenvalues of the covariance RR' are 0.3 i/D: spectral radius 0.3,
// condition number D.
func TestCovarianceRoot(t *testing.T) {
	for _, features := range []int{1, 2, 30, 60} {
		root := covarianceRoot(features, rand.New(rand.NewPCG(5, 0)))
		var s mat.SymDense
		s.SymOuterK(1, root)
		var eigen mat.EigenSym
		if !eigen.Factorize(&s, false) {
			t.Fatal("no eigenvalues")
		}
		values := eigen.Values(nil) // ascending
		for i, got := range values {
			fixture.Near(t, fmt.Sprintf("%d features: eigenvalue %d", features, i+1), got, 0.3*float64(i+1)/float64(features), 1e-12)
		}
		if got := values[features-1] / values[0]; math.Abs(got-float64(features)) > 1e-9 {
			t.Errorf("%d features: condition number %v", features, got)
		}
	}
}

// Under the Haar measure the trace has mean 0 and, from two dimensions on,
// variance 1; with the signs as Householder reflections leave them it is
// negative on average.
func TestOrthogonal(t *testing.T) {
	const n, draws = 4, 2000
	draw := rand.New(rand.NewPCG(6, 0))
	sum, squares := 0.0, 0.0
	for range draws {
		q := orthogonal(n, draw)
		var product mat.Dense
		product.Mul(q.T(), q)
		if !mat.EqualApprox(&product, mat.NewDiagDense(n, []float64{1, 1, 1, 1}), 1e-13) {
			t.Fatalf("Q'Q is not the identity:\n%v", mat.Formatted(&product))
		}
		trace := mat.Trace(q)
		sum += trace
		squares += trace * trace
	}
	// Five standard errors; that of the square is at most √(E tr⁴ - 1) = √2.
	if mean := sum / draws; math.Abs(mean) > 5/math.Sqrt(draws) {
		t.Errorf("mean trace %v, want about 0", mean)
	}
	if mean := squares / draws; math.Abs(mean-1) > 5*math.Sqrt(2.0/draws) {
		t.Errorf("mean squared trace %v, want about 1", mean)
	}
}

// Moving the means moves nothing else: the rows of a class all move by half the
// difference of the separations, those of the other class the opposite way.
func TestOverlapSeparation(t *testing.T) {
	near, _, err := Overlap{Features: 4, Separation: 1, Seed: 9}.Generate()
	fixture.Check(t, err)
	far, zeroed, err := Overlap{Features: 4, Separation: 3, Seed: 9}.Generate()
	fixture.Check(t, err)
	if zeroed != nil {
		t.Errorf("features %v are zeroed, want none", zeroed)
	}
	var moves mat.Dense
	moves.Sub(far.X, near.X)
	first := moves.RawRowView(0)
	if length := floats.Norm(first, 2); math.Abs(length-1) > 4e-6 {
		t.Errorf("class code 1 moves by %v, want 1", length)
	}
	for i, code := range near.Y {
		sign := float64(3 - 2*code)
		for j, want := range first {
			if got := moves.At(i, j); math.Abs(got-sign*want) > 4e-6 {
				t.Fatalf("row %d of class code %d moves by %v, want %v", i, code, got, sign*want)
			}
		}
	}
	if rows, _ := near.X.Dims(); rows != 2000 || near.Y[999] != 1 || near.Y[1000] != 2 {
		t.Errorf("%d rows, codes %d and %d in the middle", rows, near.Y[999], near.Y[1000])
	}
}

// The classes overlap under every linear map: the Bayes rule is right in Φ(δ/2)
// of the samples, δ being the Mahalanobis distance of the means in the features
// that are left. Measured over seeds 1 to 40.
func TestOverlapBayesAccuracy(t *testing.T) {
	for _, c := range []struct {
		name     string
		study    func(uint64) Overlap
		min, max float64
	}{{"overlap30", Overlap30, 0.64, 0.66}, {"overlap60", Overlap60, 0.82, 0.85}, {"overlap60-13", Overlap60Thirteen, 0.90, 0.93}} {
		total := 0.0
		for seed := range uint64(40) {
			total += bayesAccuracy(t, c.study(seed+1)) / 40
		}
		if total < c.min || total > c.max {
			t.Errorf("%s: the Bayes rule is right in %.4f, want %v to %v", c.name, total, c.min, c.max)
		}
	}
}

// bayesAccuracy returns Φ(δ/2), δ² = m' S⁻¹ m, for the mean difference m and the
// covariance S of the features that are not zeroed.
func bayesAccuracy(t *testing.T, o Overlap) float64 {
	t.Helper()
	zeroed, root, mean := o.parameters(rand.New(rand.NewPCG(o.Seed, 0)))
	var kept [][]float64 // rows of the root
	var half []float64
	for j, m := range mean {
		if !slices.Contains(zeroed, j) {
			kept, half = append(kept, root.RawRowView(j)), append(half, m)
		}
	}
	s := mat.NewSymDense(len(kept), nil)
	for i, u := range kept {
		for j, v := range kept[:i+1] {
			s.SetSym(i, j, floats.Dot(u, v))
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(s) {
		t.Fatal("the covariance is singular")
	}
	var x mat.VecDense
	fixture.Check(t, cholesky.SolveVecTo(&x, mat.NewVecDense(len(half), half)))
	// m is twice the mean, so that δ/2 = √(half' S⁻¹ half) and Φ(z) = erfc(-z/√2)/2.
	return math.Erfc(-math.Sqrt(floats.Dot(half, x.RawVector().Data)/2)) / 2
}

// Golden: generated sets are the same on every machine.
func TestGeneratedSets(t *testing.T) {
	for _, e := range All() {
		if !e.Generated() {
			continue
		}
		d := fixture.Must(Library{}.Load(e))(t) // compares the digest
		s := fixture.Must(Cut(e, d, Rule{}))(t)
		fixture.Equal(t, e.ID+": split digest", s.Digest, e.SplitDigest)
	}
}
