package stats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

type friedmanCase struct {
	ID           string       `json:"id"`
	HigherBetter bool         `json:"higher_is_better"`
	Scores       [][]float64  `json:"scores"`
	Ranks        []float64    `json:"average_ranks"`
	ChiSquared   float64      `json:"friedman_chi2"`
	DF           int          `json:"df"`
	P            float64      `json:"friedman_p"`
	F            *float64     `json:"iman_davenport_F"` // null: +Inf
	FDF          [2]int       `json:"iman_davenport_df"`
	FP           float64      `json:"iman_davenport_p"`
	NemenyiP     [][3]float64 `json:"nemenyi_p"`
	Critical     map[string]struct {
		Q  float64 `json:"q_alpha"`
		CD float64 `json:"cd"`
	} `json:"critical_difference"`
}

func TestFriedmanGolden(t *testing.T) { eachCase(t, "friedman*.json", checkFriedman) }

func checkFriedman(t *testing.T, c friedmanCase) {
	scores := make([][]float64, len(c.Scores))
	for i, row := range c.Scores {
		scores[i] = slices.Clone(row)
		if !c.HigherBetter {
			for j := range row {
				scores[i][j] = -row[j]
			}
		}
	}
	got := Friedman(scores)
	for j, want := range c.Ranks {
		fixture.Near(t, fmt.Sprintf("average rank %d", j), got.AverageRanks[j], want, 1e-12)
	}
	fixture.Equal(t, "degrees of freedom", [3]int{got.DF, got.DF, got.DF2}, [3]int{c.DF, c.FDF[0], c.FDF[1]})
	near(t, "chi-squared", got.ChiSquared, &c.ChiSquared, 1e-9)
	near(t, "p", got.P, &c.P, 1e-6)
	if c.F != nil {
		near(t, "F", got.F, c.F, 1e-9)
	} else {
		fixture.Equal(t, "F", got.F, math.Inf(1))
	}
	near(t, "p of F", got.FP, &c.FP, 1e-6)
	ranks, k, n := got.AverageRanks, len(got.AverageRanks), len(c.Scores)
	for _, pair := range c.NemenyiP {
		i, j := int(pair[0]), int(pair[1])
		fixture.Near(t, fmt.Sprintf("Nemenyi %d and %d: p", i, j), NemenyiP(ranks[i]-ranks[j], k, n), pair[2], 1e-9)
	}
	for level, want := range c.Critical {
		alpha := fixture.Must(strconv.ParseFloat(level, 64))(t)
		cd := CriticalDifference(alpha, k, n)
		if math.Abs(cd-want.CD) > 1e-6 || math.Abs(cd/rankError(k, n)-want.Q) > 1e-6 { // R's qtukey is good to 1e-7
			t.Errorf("critical difference %v at %s, want %v", cd, level, want.CD)
		}
	}
}

// The statistic does not depend on the order of methods or data sets, nor on how
// far scores lie apart.
func TestFriedmanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 8).Draw(t, "n"), rapid.IntRange(2, 6).Draw(t, "k")
		order := rapid.Permutation(upTo(k)).Draw(t, "order")
		var scores, other [][]float64
		for range n {
			row := rapid.SliceOfN(rapid.IntRange(0, 4), k, k).Draw(t, "row")
			a, b := make([]float64, k), make([]float64, k)
			for j, v := range row {
				a[j] = float64(v)
				b[order[j]] = math.Exp(float64(v))
			}
			scores, other = append(scores, a), append([][]float64{b}, other...)
		}
		r, s := Friedman(scores), Friedman(other)
		sum := 0.0
		for j, rank := range r.AverageRanks {
			sum += rank
			fixture.Equal(t, "rank, rearranged", s.AverageRanks[order[j]], rank)
		}
		fixture.Near(t, "sum of the ranks", sum, float64(k*(k+1))/2, 1e-9)
		if r.ChiSquared != s.ChiSquared || r.F != s.F || !(r.P >= 0 && r.P <= 1 && r.FP >= 0 && r.FP <= 1) {
			t.Errorf("%+v, rearranged %+v", r, s)
		}
		if limit := float64(n * (k - 1)); r.ChiSquared < 0 || r.ChiSquared > limit*(1+1e-12) {
			t.Errorf("chi-squared %v, at most %v", r.ChiSquared, limit)
		}
	})
}

// The range of two normal variables has P(Q > q) = erfc(q/2) in closed form; for
// more of them there are tables.
func TestStudentizedRange(t *testing.T) {
	for _, q := range []float64{1e-9, 0.01, 0.5, 1, 2.7718, 5, 9, 14, 20, 40} {
		want := math.Erfc(q / 2)
		near(t, fmt.Sprint("tail at ", q), rangeTail(q, 2), &want, 1e-9)
	}
	for _, c := range []struct {
		k    int
		want float64 // printed tables of q(0.05; k, ∞)
	}{
		{2, 2.772}, {3, 3.314}, {4, 3.633}, {5, 3.858}, {6, 4.030}, {7, 4.170}, {8, 4.286}, {10, 4.474}, {20, 5.012}, {100, 6.085},
	} {
		fixture.Near(t, fmt.Sprint("quantile of ", c.k), rangeQuantile(0.05, c.k), c.want, 0.0006)
	}
	if rangeTail(0, 5) != 1 || rangeTail(-1, 5) != 1 || rangeTail(math.Inf(1), 5) != 0 {
		t.Error("tails at the ends")
	}
}

func TestWilcoxonGolden(t *testing.T) {
	eachCase(t, "wilcoxon*.json", func(t *testing.T, c struct {
		Differences []float64
		N           int      `json:"n_nonzero"`
		WPlus       float64  `json:"w_plus"`
		WMinus      float64  `json:"w_minus"`
		ExactP      *float64 `json:"exact_p"`
		Z           float64  `json:"normal_cc_z"`
		NormalP     float64  `json:"normal_cc_p"`
	}) {
		got := Wilcoxon(c.Differences)
		if got.N != c.N || got.WPlus != c.WPlus || got.WMinus != c.WMinus {
			t.Errorf("%+v, want %d, %v and %v", got, c.N, c.WPlus, c.WMinus)
		}
		want := &c.NormalP
		if got.Exact {
			want = c.ExactP
		}
		if want != nil {
			near(t, "p", got.P, want, 1e-9)
		}
		near(t, "z", got.Z, &c.Z, 1e-9)
		near(t, "p of z", math.Erfc(math.Abs(got.Z)/math.Sqrt2), &c.NormalP, 1e-9)
	})
}

// Beyond 30 differences the normal approximation takes over; at the border the
// two agree.
func TestWilcoxonApproximation(t *testing.T) {
	var differences []float64
	for i := range 31 {
		d := float64(i + 1)
		if i%3 == 0 {
			d = -d
		}
		differences = append(differences, d)
	}
	exact, normal := Wilcoxon(differences[:30]), Wilcoxon(differences)
	if !exact.Exact || normal.Exact {
		t.Errorf("exact for 30: %v, for 31: %v", exact.Exact, normal.Exact)
	}
	fixture.Near(t, "normal p where there is an exact one", math.Erfc(math.Abs(exact.Z)/math.Sqrt2), exact.P, 0.003)
	fixture.Equal(t, "normal p", normal.P, math.Erfc(math.Abs(normal.Z)/math.Sqrt2))
	fixture.Equal(t, "no differences", Wilcoxon(nil), SignedRank{P: 1, Exact: true})
	mustPanic(t, map[string]func(){"NaN": func() { Wilcoxon([]float64{1, math.NaN()}) }})
}

// The p-value against all arrangements of signs, one by one.
func TestWilcoxonAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(-4, 4), 0, 9).Draw(t, "differences")
		differences, mirrored := make([]float64, len(values)), make([]float64, len(values))
		for i, v := range values {
			differences[i], mirrored[i] = float64(v), -float64(v)
		}
		got := Wilcoxon(differences)
		var sizes []float64
		for _, d := range differences {
			if d != 0 {
				sizes = append(sizes, math.Abs(d))
			}
		}
		ranks, _ := doubledRanks(sizes)
		low := 0
		for signs := range 1 << len(ranks) {
			sum := 0
			for i, rank := range ranks {
				if signs>>i&1 == 1 {
					sum += rank
				}
			}
			if float64(sum) <= 2*min(got.WPlus, got.WMinus) {
				low++
			}
		}
		want := min(1, 2*float64(low)/float64(int(1)<<len(ranks)))
		fixture.Equal(t, fmt.Sprintf("%v: p", differences), got.P, want)
		if m := Wilcoxon(mirrored); m.P != got.P || m.WPlus != got.WMinus || m.Z != -got.Z {
			t.Errorf("%+v, mirrored %+v", got, m)
		}
	})
}

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y []float64
		want float64
	}{
		// Wikipedia, "Spearman's rank correlation coefficient": ρ = 1 - 6·194/(10·99) = -29/165
		{"IQ and hours of television",
			[]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, -29.0 / 165},
		{"one order", []float64{1, 2, 3, 50}, []float64{-3, -2, 0.5, 0.75}, 1},
		{"the reverse", []float64{1, 2, 3, 50}, []float64{9, 8, 7, -7}, -1},
		// Ranks 1 2.5 2.5 4 and 1 3 2 4: Σ = 4.5, squares 4.5 and 5, ρ = 4.5/√22.5 = √0.9
		{"a tie on one side", []float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, math.Sqrt(0.9)},
		// Ranks 1.5 1.5 3.5 3.5 and 2 2 2 4: Σ = 1, squares 4 and 3, ρ = 2/√12 = 1/√3
		{"ties on both sides", []float64{0, 0, 7, 7}, []float64{5, 5, 5, 9}, 1 / math.Sqrt(3)},
		{"infinities are the ends", []float64{math.Inf(-1), 0, math.Inf(1)}, []float64{1, 2, 3}, 1},
	} {
		fixture.Near(t, c.name, Spearman(c.x, c.y), c.want, 1e-12)
	}
	for name, sides := range map[string][2][]float64{
		"constant": {{1, 2, 3}, {4, 4, 4}}, "both constant": {{1, 1}, {2, 2}}, "one pair": {{1}, {2}}, "no pairs": {nil, nil},
	} {
		near(t, name, Spearman(sides[0], sides[1]), nil, 0)
	}
	mustPanic(t, map[string]func(){
		"lengths":      func() { Spearman([]float64{1, 2}, []float64{1, 2, 3}) },
		"NaN":          func() { Spearman([]float64{1, math.NaN()}, []float64{1, 2}) },
		"NaN opposite": func() { Spearman([]float64{1, 2}, []float64{math.NaN(), 2}) },
	})
}

// Without ties ρ = 1 - 6 Σd²/(n³-n). It has no direction, and a monotone map of one
// side leaves it as it is.
func TestSpearmanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		order := rapid.Permutation(upTo(n)).Draw(t, "ranks")
		x, y, cubes, d2 := make([]float64, n), make([]float64, n), make([]float64, n), 0.0
		for i, rank := range order {
			x[i], y[i] = float64(i), float64(rank)
			cubes[i] = y[i]*y[i]*y[i] - 100
			d2 += (x[i] - y[i]) * (x[i] - y[i])
		}
		want := 1 - 6*d2/float64(n*n*n-n)
		for name, got := range map[string]float64{"plain": Spearman(x, y), "exchanged": Spearman(y, x), "cubes": Spearman(x, cubes)} {
			fixture.Near(t, name, got, want, 1e-12)
		}
	})
}

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
