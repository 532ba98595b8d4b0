package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestBayesSignedRankGolden(t *testing.T) {
	eachCase(t, "bayes*.json", func(t *testing.T, c struct {
		X, Y      []float64
		Rope      float64
		Strength  float64     `json:"prior_strength"`
		Location  float64     `json:"prior_location"` // 0, as ours is
		Left      float64     `json:"p_left"`
		Middle    float64     `json:"p_rope"`
		Right     float64     `json:"p_right"`
		Mean      *[3]float64 `json:"mean_theta"`
		Tolerance float64     `json:"abs_tolerance"`
	}) {
		fixture.Equal(t, "location of the prior", c.Location, 0)
		got := signedRank(c.X, c.Y, c.Rope, BayesSettings{Strength: c.Strength, Seed: 1})
		nearRegions(t, got, Regions{c.Left, c.Middle, c.Right}, c.Tolerance)
		if c.Mean != nil { // of as many draws as the reference made
			for i, got := range meanRegions(c.X, c.Y, c.Rope, c.Strength) {
				fixture.Near(t, "mean", got, c.Mean[i], 1e-3)
			}
		}
	})
}

// meanRegions are the means of the three sums over the posterior, in closed form: weights
// of Dirichlet(s, 1, ..., 1) with A = s + n have E[w_i w_j] = a_i a_j / A(A+1), and
// E[w_i²] = a_i (a_i + 1) / A(A+1).
func meanRegions(x, y []float64, rope, strength float64) (mean [3]float64) {
	a := func(i int) float64 {
		if i == 0 {
			return strength
		}
		return 1
	}
	all := strength + float64(len(x))
	for region, terms := range regionTerms(x, y, rope) {
		for _, t := range terms {
			second := a(t.j)
			if t.i == t.j {
				second++
			}
			mean[region] += t.factor * a(t.i) * second / (all * (all + 1))
		}
	}
	return mean
}

// signedRank is a comparison with draws of its own.
func signedRank(first, second []float64, rope float64, s BayesSettings) Regions {
	return NewPosterior(len(first), s).SignedRank(first, second, rope)
}

// nearRegions compares probabilities.
func nearRegions(t rapid.TB, got, want Regions, tolerance float64) {
	t.Helper()
	fixture.Near(t, "first", got.First, want.First, tolerance)
	fixture.Near(t, "equal", got.Equal, want.Equal, tolerance)
	fixture.Near(t, "second", got.Second, want.Second, tolerance)
}

func TestBayesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "n")
		score := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, 4, 5}), n, n)
		x, y := score.Draw(t, "x"), score.Draw(t, "y")
		rope := float64(rapid.IntRange(0, 2).Draw(t, "rope"))
		s := BayesSettings{Draws: 50, Seed: rapid.Uint64().Draw(t, "seed")}
		got := signedRank(x, y, rope, s)
		fixture.Equal(t, "a second time", signedRank(x, y, rope, s), got)
		nearRegions(t, signedRank(y, x, rope, s), Regions{got.Second, got.Equal, got.First}, 1e-12)
		checkProbabilities(t, got)
		fixture.Equal(t, "mean of equal without a rope", meanRegions(x, y, 0, 0.5)[1], 0)
	})
	checkProbabilities(t, signedRank([]float64{math.Inf(1), 1}, []float64{0, 2}, 1, BayesSettings{Draws: 50}))
}

func checkProbabilities(t rapid.TB, r Regions) {
	t.Helper()
	if math.Abs(r.First+r.Equal+r.Second-1) > 1e-12 || min(r.First, r.Equal, r.Second) < 0 {
		t.Errorf("%+v are no probabilities", r)
	}
}

// Differences that mirror each other give both methods the same probability, within the
// accuracy of the draws. What both methods gain alike on a
// data set changes nothing, and where no difference reaches the rope they are
// equivalent.
func TestBayesSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x, y, shifted, base []float64
		for _, d := range rapid.SliceOfN(rapid.IntRange(0, 6), 1, 5).Draw(t, "differences") {
			x, y = append(x, float64(d), 0), append(y, 0, float64(d))
		}
		for i := range x {
			gain := float64(rapid.IntRange(-9, 9).Draw(t, "gain"))
			shifted, base = append(shifted, x[i]+gain), append(base, y[i]+gain)
		}
		s := BayesSettings{Draws: 4000, Seed: 1}
		got := signedRank(x, y, 1, s)
		fixture.Near(t, "first and second", got.First, got.Second, 0.06)
		m := meanRegions(x, y, 1, 0.5)
		fixture.Near(t, "means of first and second", m[0], m[2], 1e-12)
		fixture.Equal(t, "after equal gains", signedRank(shifted, base, 1, s), got)
		fixture.Equal(t, "no difference beyond the rope", signedRank(x, y, 7, s), Regions{0, 1, 0})
	})
}
