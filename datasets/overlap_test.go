package datasets

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestCovarianceRoot(t *testing.T) {
	for _, features := range []int{1, 2, 30} {
		root := covarianceRoot(features, rand.New(rand.NewPCG(5, 0)))
		var s mat.SymDense
		s.SymOuterK(1, root)
		var eigen mat.EigenSym
		if !eigen.Factorize(&s, false) {
			t.Fatal("no eigenvalues")
		}
		if got := slices.Max(eigen.Values(nil)); math.Abs(got-0.3) > 1e-12 {
			t.Errorf("%d features: spectral radius %v, want 0.3", features, got)
		}
	}
}

// Moving the means moves nothing else: each row changes by half the difference
// of the separations, over the root of the number of features.
func TestOverlapSeparation(t *testing.T) {
	near, _, err := Overlap{Features: 4, Separation: 1, Seed: 9}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	far, zeroed, err := Overlap{Features: 4, Separation: 3, Seed: 9}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if zeroed != nil {
		t.Errorf("features %v are zeroed, want none", zeroed)
	}
	for i, code := range near.Y {
		want := 0.5
		if code == 2 {
			want = -0.5
		}
		for j := range 4 {
			if got := far.X.At(i, j) - near.X.At(i, j); math.Abs(got-want) > 2e-6 {
				t.Fatalf("row %d of class code %d moves by %v, want %v", i, code, got, want)
			}
		}
	}
	if rows, _ := near.X.Dims(); rows != 2000 || near.Y[999] != 1 || near.Y[1000] != 2 {
		t.Errorf("%d rows, codes %d and %d in the middle", rows, near.Y[999], near.Y[1000])
	}
}

func TestOverlapZeroes(t *testing.T) {
	const seeds = 100
	total := 0
	for seed := range uint64(seeds) {
		d, zeroed, err := Overlap{Features: 20, Separation: 1, ZeroProbability: 0.25, Seed: seed}.Generate()
		if err != nil {
			t.Fatal(err)
		}
		total += len(zeroed)
		for j := range 20 {
			column := mat.Col(nil, j, d.X)
			zero := slices.Max(column) == 0 && slices.Min(column) == 0
			if zero != slices.Contains(zeroed, j) {
				t.Fatalf("seed %d: feature %d is zero: %t, zeroed are %v", seed, j, zero, zeroed)
			}
		}
	}
	// 2000 features with probability 0.25: 500, four standard deviations of 19.4 allowed.
	if total < 422 || total > 578 {
		t.Errorf("%d of 2000 features zeroed, want about 500", total)
	}
	if _, zeroed, _ := (Overlap{Features: 3, ZeroProbability: 1}).Generate(); len(zeroed) != 3 {
		t.Errorf("features %v are zeroed, want all three", zeroed)
	}
}

func TestOverlapErrors(t *testing.T) {
	for _, c := range []struct {
		overlap Overlap
		want    string
	}{
		{Overlap{}, "0 features, want at least 1"},
		{Overlap{Features: 3, ZeroProbability: 1.5}, "zero probability 1.5 is not between 0 and 1"},
		{Overlap{Features: 3, ZeroProbability: math.NaN()}, "zero probability NaN"},
		{Overlap{Features: 3, Separation: math.Inf(1)}, "separation +Inf is not finite"},
	} {
		if _, _, err := c.overlap.Generate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v does not say %q", c.overlap, err, c.want)
		}
	}
}

// The separations were chosen for these accuracies, printed for lambda = 0.
// With a standard deviation of 3 and 4 points over seeds, the mean of 40 seeds
// has a standard error of 0.5 and 0.6 points.
func TestOverlapAccuracy(t *testing.T) {
	for _, c := range []struct {
		id    string
		study func(uint64) Overlap
		want  float64
	}{{"overlap30", Overlap30, 0.544}, {"overlap60", Overlap60, 0.725}} {
		e, _ := Find(c.id)
		correct, tested := 0, 0
		for seed := range uint64(40) {
			d, _, err := c.study(seed).Generate()
			if err != nil {
				t.Fatal(err)
			}
			s, err := Cut(e, d, Rule{})
			if err != nil {
				t.Fatal(err)
			}
			correct += fiveNearest(s.Train, s.Test)
			tested += len(s.Test.Y)
		}
		if got := float64(correct) / float64(tested); math.Abs(got-c.want) > 0.015 {
			t.Errorf("%s: Euclidean 5-NN is right in %.4f, want about %v", c.id, got, c.want)
		}
	}
}

// Golden: generated sets are the same on every machine.
func TestGeneratedSets(t *testing.T) {
	for _, e := range All() {
		if !e.Generated() {
			continue
		}
		d, err := Library{}.Load(e) // compares the digest
		if err != nil {
			t.Error(err)
			continue
		}
		s, err := Cut(e, d, Rule{})
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Digest != e.SplitDigest {
			t.Errorf("%s: split digest %s, want %s", e.ID, s.Digest, e.SplitDigest)
		}
	}
}
