package stats

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestRoundingGolden(t *testing.T) {
	type row struct {
		Correct, N int
		Decimals   *int
		HalfUp     string  `json:"half_up"`
		Printed    *string `json:"printed_in_paper"`
	}
	fixture.Each(t, "stats", "rounding*.json", func(t *testing.T, f struct {
		Percent    []row
		Proportion []row `json:"synthetic_tables"`
	}) {
		rows := slices.Concat(f.Percent, f.Proportion)
		if len(rows) == 0 {
			t.Fatal("no cases")
		}
		for i, r := range rows {
			round, decimals := Percent, 2 // unless stated
			if i >= len(f.Percent) {
				round, decimals = Proportion, 3
			}
			if r.Decimals != nil {
				decimals = *r.Decimals
			}
			got := round(r.Correct, r.N, decimals)
			if got != r.HalfUp || r.Printed != nil && got != *r.Printed {
				t.Errorf("%d of %d with %d decimals: %s, want %s", r.Correct, r.N, decimals, got, r.HalfUp)
			}
		}
	})
}

// The printed value lies within half a unit of the last place, and on a tie it
// is the upper neighbor.
func TestPercentIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 5000), rapid.IntRange(1, math.MaxInt)).Draw(t, "n")
		correct := rapid.IntRange(0, n).Draw(t, "correct")
		d := rapid.IntRange(0, 6).Draw(t, "decimals")
		text := Percent(correct, n, d)
		if _, fraction, _ := strings.Cut(text, "."); len(fraction) != d {
			t.Fatalf("%s has not %d decimals", text, d)
		}
		printed, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%s is no number", text)
		}
		true100 := new(big.Rat).Mul(big.NewRat(int64(correct), int64(n)), big.NewRat(100, 1))
		halfUnit := big.NewRat(1, 2*int64(math.Pow10(d)))
		excess := new(big.Rat).Sub(printed, true100)
		if excess.Cmp(halfUnit) > 0 || excess.Cmp(halfUnit.Neg(halfUnit)) <= 0 {
			t.Errorf("%d of %d printed as %s", correct, n, text)
		}
	})
}

func TestFormatP(t *testing.T) {
	for _, c := range []struct {
		p, log10p float64
		want      string
	}{
		{1, 0, "1"},
		{0.0625, math.Log10(0.0625), "0.0625"},
		{0.01667384780012071, -1.7779641670868795, "0.0166738"},
		{4.964650327128617e-12, -11.304111334549539, "4.96465e-12"},
		{1.5e-300, -299.82, "1.5e-300"},
		{5e-310, -309.3, "<1e-300"},
		{0, -1504.848948324242, "<1e-300"}, // 0 and 5000 discordant samples
		{0, math.Inf(-1), "<1e-300"},
		{0, 0, "<1e-300"}, // logarithm not known
	} {
		fixture.Equal(t, fmt.Sprintf("FormatP(%v, %v)", c.p, c.log10p), FormatP(c.p, c.log10p), c.want)
	}
}

func TestShortP(t *testing.T) {
	for p, want := range map[float64]string{
		1: "1", 0.367879: "0.37", 0.0131085: "0.013", 0.0001: "0.0001", 9.9e-05: "<0.0001", 1.7e-293: "<0.0001", 0: "<0.0001",
		0.05: "0.05", 0.0504: "0.0504", 0.0496: "0.0496", 0.04996: "0.04996", 0.05004: "0.05004", 0.0449: "0.045",
	} {
		fixture.Equal(t, fmt.Sprintf("ShortP(%v)", p), ShortP(p), want)
	}
	fixture.Equal(t, "of no number", ShortP(math.NaN()), "-")
	for p, want := range map[float64]string{0.0131085: "= 0.013", 4e-09: "< 0.0001"} {
		fixture.Equal(t, fmt.Sprintf("SayP(%v)", p), SayP(p), want)
	}
}

func TestGranularityGolden(t *testing.T) {
	eachCase(t, "grim*.json", func(t *testing.T, c struct {
		Printed     string
		N, Decimals int
		Possible    bool    `json:"consistent"`
		Counts      []int   `json:"consistent_k"`
		Nearest     int     `json:"nearest_k"`
		Percent     float64 `json:"nearest_percent"`
	}) {
		_, decimals, _ := strings.Cut(c.Printed, ".")
		fixture.Equal(t, "decimals of "+c.Printed, len(decimals), c.Decimals)
		got := fixture.Must(CheckPercent(c.Printed, c.N))(t)
		want := Granularity{Possible: c.Possible, Nearest: c.Nearest}
		if c.Possible {
			want.Low, want.High = c.Counts[0], c.Counts[len(c.Counts)-1]
			fixture.Equal(t, "counts without a gap", len(c.Counts), want.High-want.Low+1)
		}
		fixture.Equal(t, fmt.Sprint(c.Printed, " of ", c.N), got, want)
		fixture.Near(t, "nearest", 100*float64(got.Nearest)/float64(c.N), c.Percent, 1e-9)
	})
}

// What Percent prints is reachable, by the count it was printed from.
func TestPrintedIsReachable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 9000), rapid.IntRange(1, math.MaxInt)).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "correct")
		d := rapid.IntRange(0, 6).Draw(t, "decimals")
		got, err := CheckPercent(Percent(k, n, d), n)
		if err != nil || !got.Possible || k < got.Low || k > got.High || got.Nearest < got.Low || got.Nearest > got.High {
			t.Errorf("%d of %d with %d decimals: %+v, %v", k, n, d, got, err)
		}
	})
}

// The counts found are all there are.
func TestGranularityAgainstSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		tenths := rapid.IntRange(-20, 1100).Draw(t, "tenths of a percent")
		printed := new(big.Rat).SetFrac64(int64(tenths), 10).FloatString(1)
		got := fixture.Must(CheckPercent(printed, n))(t)
		for k := range n + 1 {
			off := 2*1000*k - 2*tenths*n // twice n times the distance in tenths
			near := -n <= off && off <= n
			if near != (got.Possible && got.Low <= k && k <= got.High) {
				t.Errorf("%s of %d: %+v, and %d", printed, n, got, k)
			}
		}
	})
}

func FuzzGranularity(f *testing.F) {
	for _, printed := range []string{"75.57", "100.00", "0", "-1.5", "", ".", "1e9", "99999999999999999999.5", "٣", "1/3"} {
		f.Add(printed, 221)
	}
	f.Add("0."+strings.Repeat("7", 400_000), 221) // such numbers took seconds
	f.Fuzz(func(t *testing.T, printed string, n int) {
		got, err := CheckPercent(printed, n)
		if err != nil {
			return
		}
		if got.Nearest < 0 || got.Nearest > n || got.Low < 0 || got.High > n || got.Low > got.High {
			t.Errorf("%q of %d: %+v", printed, n, got)
		}
		if _, err := strconv.ParseFloat(printed, 64); err != nil && !strings.Contains(err.Error(), "range") {
			t.Errorf("%q is accepted, and is no number", printed)
		}
	})
}
