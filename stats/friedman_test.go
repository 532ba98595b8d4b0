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
	checkNemenyi(t, c, got.AverageRanks)
}

func checkNemenyi(t *testing.T, c friedmanCase, ranks []float64) {
	k, n := len(ranks), len(c.Scores)
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

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
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
