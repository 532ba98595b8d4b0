package datasets

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
		fixture.Near(t, "condition number", values[features-1]/values[0], float64(features), 1e-9)
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
		fixture.NearMatrix(t, "Q'Q", &product, mat.NewDiagDense(n, []float64{1, 1, 1, 1}), 1e-13)
		trace := mat.Trace(q)
		sum += trace
		squares += trace * trace
	}
	// Five standard errors; that of the square is at most √(E tr⁴ - 1) = √2.
	fixture.Near(t, "mean trace", sum/draws, 0, 5/math.Sqrt(draws))
	fixture.Near(t, "mean squared trace", squares/draws, 1, 5*math.Sqrt(2.0/draws))
}

// Moving the means moves nothing else: the rows of a class all move by half the
// difference of the separations, those of the other class the opposite way.
func TestOverlapSeparation(t *testing.T) {
	near, far := overlap{features: 4, separation: 1}.draw(9), overlap{features: 4, separation: 3}.draw(9)
	var moves mat.Dense
	moves.Sub(far.X, near.X)
	first := moves.RawRowView(0)
	fixture.Near(t, "what class code 1 moves by", floats.Norm(first, 2), 1, 4e-6)
	for i, code := range near.Y {
		sign := float64(3 - 2*code)
		for j, want := range first {
			fixture.Near(t, "what a row moves by", moves.At(i, j), sign*want, 4e-6)
		}
	}
	fixture.Equal(t, "rows, codes in the middle", [3]int{near.X.RawMatrix().Rows, near.Y[999], near.Y[1000]}, [3]int{2000, 1, 2})
}

// The classes overlap under every linear map: the Bayes rule is right in Φ(δ/2)
// of the samples, δ being the Mahalanobis distance of the means in the features
// that are left. Measured over seeds 1 to 40.
func TestOverlapBayesAccuracy(t *testing.T) {
	for _, c := range []struct {
		name     string
		study    overlap
		min, max float64
	}{{"overlap30", overlap30, 0.64, 0.66}, {"overlap60", overlap60, 0.82, 0.85}, {"overlap60-13", overlap60Thirteen, 0.90, 0.93}} {
		total := 0.0
		for seed := range uint64(40) {
			total += bayesAccuracy(t, c.study, seed+1) / 40
		}
		if total < c.min || total > c.max {
			t.Errorf("%s: the Bayes rule is right in %.4f, want %v to %v", c.name, total, c.min, c.max)
		}
	}
}

// bayesAccuracy returns Φ(δ/2), δ² = m' S⁻¹ m, for the mean difference m and the
// covariance S of the features that are not zeroed.
func bayesAccuracy(t *testing.T, o overlap, seed uint64) float64 {
	t.Helper()
	zeroed, root, mean := o.parameters(rand.New(rand.NewPCG(seed, 0)))
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

// The errors of the Bayes rules: Φ(-2) = 2.275 % for two norm, 1.24 % from four
// million draws for ring norm. Five standard errors are allowed.
func TestNormBayesErrors(t *testing.T) {
	const n = 200000
	a := 2 / math.Sqrt(20)
	for _, c := range []struct {
		name  string
		data  *Data
		first func(x []float64) bool // is x more likely under class code 1
		want  float64
	}{
		{"two norm", drawNorms(n/2, 3, twoNorm), func(x []float64) bool {
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			return sum > 0
		}, 0.02275},
		{"ring norm", drawNorms(n/2, 3, ringNorm), func(x []float64) bool {
			wide, ring := -20*math.Log(2), 0.0
			for _, v := range x {
				wide -= v * v / 8
				ring -= (v - a) * (v - a) / 2
			}
			return wide > ring
		}, 0.0124},
	} {
		wrong := 0
		for i, code := range c.data.Y {
			if c.first(c.data.X.RawRowView(i)) != (code == 1) {
				wrong++
			}
		}
		got := float64(wrong) / n
		fixture.Near(t, c.name+": error of the Bayes rule", got, c.want, 5*math.Sqrt(c.want*(1-c.want)/n))
	}
}

// A set drawn with another seed differs from the catalogue's in content alone
// and passes the same checks.
func TestSeeded(t *testing.T) {
	for _, id := range []string{"overlap30", "overlap60", "overlap60-13", "twonorm-gen", "ringnorm-gen"} {
		plain := fixture.Must(Find(id))(t)
		e := fixture.Must(Find(strings.ToUpper(id) + ":7"))(t)
		fixture.Equal(t, "id, name, letter", [3]string{e.ID, e.Name, e.Letter}, [3]string{id + ":7", plain.Name + ", seed 7", plain.Letter})
		if e.Note != strings.Replace(plain.Note, "seed 1", "seed 7", 1) || e.Note == plain.Note {
			t.Errorf("%s:7: note %q", id, e.Note)
		}
		fixture.Equal(t, id+":7 has the content of "+id, e.Digest == plain.Digest, false)
		fixture.Equal(t, id+":7: digest of a second time", fixture.Must(Find(id+":7"))(t).Digest, e.Digest)
		d := fixture.Must(Library{}.Load(e))(t) // compares the digest
		fixture.Must(Cut(e, d, Rule{Kind: "random", Seed: 3}))(t)
		fixture.Equal(t, id+":7: split digest", fixture.Must(Cut(e, d, Rule{}))(t).Digest, e.SplitDigest)
		fixture.EqualSlice(t, id+":7", differences(fixture.Must(Verify(Library{}, e))(t)), nil)
	}
}

// Golden: a seed of the reader's choice draws the same on every machine.
func TestSeededDigest(t *testing.T) {
	e := fixture.Must(Find("overlap60-13:7"))(t)
	fixture.Equal(t, "content digest", e.Digest, "d67071a967f4b4bbd84450fce5176743771f050c6aff90061448060e6b790cdc")
}

func TestSeedErrors(t *testing.T) {
	for _, name := range []string{
		"overlap30:1", "overlap30:", "overlap30:0", "overlap30:01", "overlap30:07", "overlap30:-7", "overlap30:+7", "overlap30: 7", "overlap30:7.0",
		"overlap30:0x7", "overlap30:7:8", "overlap30:18446744073709551616", "toy:2", "toy:x", "robot:7", "G:7",
	} {
		if e, err := Find(name); err == nil || errors.Is(err, ErrUnknown) || e.ID != "" {
			t.Errorf("Find(%q) = %q, %v; want an error about the seed", name, e.ID, err)
		}
	}
	fixture.Equal(t, "the largest seed", fixture.Must(Find("overlap30:18446744073709551615"))(t).seed, math.MaxUint64)
}

// FuzzFind: every name means one set under one id, which finds it again.
func FuzzFind(f *testing.F) {
	for _, name := range []string{"overlap30:7", "Overlap60-13:2", "twonorm-gen:01", "toy:2", "a", ":", "robot:", "overlap30:1"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		e, err := Find(name)
		if err != nil {
			if e.ID != "" {
				t.Errorf("Find(%q) = %q beside the error %v", name, e.ID, err)
			}
			return
		}
		if len(name) > 1 && !strings.EqualFold(e.ID, name) {
			t.Errorf("Find(%q) = %q", name, e.ID)
		}
		fixture.Equal(t, "digest of "+e.ID, fixture.Must(Find(e.ID))(t).Digest, e.Digest)
	})
}
