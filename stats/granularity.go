package stats

import (
	"fmt"
	"math/big"
	"strings"
)

// A Granularity says which counts of correct samples can print as a given number.
type Granularity struct {
	Possible  bool // at least one count can
	Low, High int  // the smallest and the largest such count; 0 if there is none
	Nearest   int  // the count with the nearest accuracy; of two the even one
}

// CheckPercent asks whether an accuracy printed in percent, such as "81.25", can
// be 100 k/n for a whole number k of n samples: the granularity check of Brown
// and Heathers (2016). All k with |100 k/n - printed| ≤ 0.5 units of the last
// printed place count, so a tie may have been rounded either way. Everything is
// rational arithmetic.
//
// With d decimals a wrong number passes with a probability of about n/10^(d+2):
// the check says much for 70 samples and little for 5000. It fails if printed is
// no plain decimal number of at most 100 characters or n is not positive.
func CheckPercent(printed string, n int) (Granularity, error) {
	return granularity(100, printed, n)
}

// CheckProportion is [CheckPercent] for an accuracy printed as a proportion, such
// as "0.8125".
func CheckProportion(printed string, n int) (Granularity, error) {
	return granularity(1, printed, n)
}

func granularity(scale int64, printed string, n int) (Granularity, error) {
	value, half, err := parsePrinted(printed)
	if err != nil {
		return Granularity{}, fmt.Errorf("stats: granularity: %w", err)
	}
	if n < 1 {
		return Granularity{}, fmt.Errorf("stats: granularity of %s: %d samples, want at least 1", printed, n)
	}
	samples := big.NewRat(int64(n), scale)
	count := func(v *big.Rat) *big.Rat { return new(big.Rat).Mul(v, samples) }
	low := ceil(count(new(big.Rat).Sub(value, half)))
	high := floor(count(new(big.Rat).Add(value, half)))
	r := Granularity{Nearest: within(nearest(count(value)), n)}
	if low.Cmp(high) <= 0 && low.Cmp(big.NewInt(int64(n))) <= 0 && high.Sign() >= 0 {
		r.Possible, r.Low, r.High = true, within(low, n), within(high, n)
	}
	return r, nil
}

// longest bounds the length of a printed number, since the time of exact arithmetic grows faster
// than the length.
const longest = 100

// parsePrinted returns a plain decimal number and half a unit of its last place.
func parsePrinted(text string) (value, half *big.Rat, err error) {
	if len(text) > longest {
		return nil, nil, fmt.Errorf("a number of %d characters, want at most %d", len(text), longest)
	}
	whole, decimals, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !digits(whole) || point && !digits(decimals) {
		return nil, nil, fmt.Errorf("%q is not a decimal number such as 81.25", text)
	}
	value, _ = new(big.Rat).SetString(text)
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(decimals))), nil)
	return value, new(big.Rat).SetFrac(big.NewInt(1), unit.Lsh(unit, 1)), nil
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func floor(x *big.Rat) *big.Int {
	return new(big.Int).Div(x.Num(), x.Denom()) // rounds down, as the denominator is positive
}

func ceil(x *big.Rat) *big.Int {
	up := floor(new(big.Rat).Neg(x))
	return up.Neg(up)
}

// nearest rounds to the nearest integer, a tie to the even one.
func nearest(x *big.Rat) *big.Int {
	half := big.NewRat(1, 2)
	up := floor(new(big.Rat).Add(x, half))
	down := ceil(new(big.Rat).Sub(x, half))
	if up.Bit(0) == 0 {
		return up
	}
	return down
}

// within clamps k to [0, n].
func within(k *big.Int, n int) int {
	switch {
	case k.Sign() < 0:
		return 0
	case k.Cmp(big.NewInt(int64(n))) > 0:
		return n
	}
	return int(k.Int64())
}
