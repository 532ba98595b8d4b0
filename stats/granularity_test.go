package stats

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

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
