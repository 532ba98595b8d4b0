package stats

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Percent formats 100·correct/n with this number of decimals, rounded half up as published tables
// are: 4 of 640 is 0.625 and prints as 0.63, where fmt rounds the tie to even and prints 0.62. It
// computes in integers of any size, so only the last digit is rounded. For n ≤ 0 it returns "-". It
// panics if decimals is negative.
func Percent(correct, n, decimals int) string {
	return roundHalfUp(100, correct, n, decimals)
}

// Proportion is [Percent] for correct/n.
func Proportion(correct, n, decimals int) string {
	return roundHalfUp(1, correct, n, decimals)
}

// roundHalfUp formats ⌊scale·k·10^d/n + 1/2⌋ / 10^d, as the integer quotient ⌊(2·scale·k·10^d + n)
// / 2n⌋.
func roundHalfUp(scale int64, k, n, d int) string {
	if d < 0 {
		panic(fmt.Sprintf("stats: %d decimals", d))
	}
	if n <= 0 {
		return "-"
	}
	samples := big.NewInt(int64(n))
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d)), nil)
	q := big.NewInt(2 * scale)
	q.Mul(q, big.NewInt(int64(k))).Mul(q, power).Add(q, samples)
	q.Div(q, samples.Lsh(samples, 1)) // rounds down, as the divisor is positive
	return new(big.Rat).SetFrac(q, power).FloatString(d)
}

// FormatP formats a p-value with six significant digits, without trailing zeros, given with its
// decimal logarithm as in a [Result]. A p-value below 1e-300 becomes "<1e-300", so that one that
// underflowed does not read as zero. For an adjusted value, pass its own math.Log10.
func FormatP(p, log10p float64) string {
	if p == 0 || log10p < -300 {
		return "<1e-300"
	}
	return fmt.Sprintf("%.6g", p)
}

// leastP is the smallest p-value that ShortP prints as a number.
const leastP = 1e-4

// ShortP formats a p-value for tables that people read: two significant digits, "<0.0001" below
// 1e-4, "-" for NaN. It adds digits if rounding would hide on which side of 0.05 the value is.
func ShortP(p float64) string {
	switch {
	case math.IsNaN(p):
		return "-"
	case p < leastP:
		return "<0.0001"
	}
	digits := 2
	for p != 0.05 && strconv.FormatFloat(p, 'g', digits, 64) == "0.05" {
		digits++
	}
	return strconv.FormatFloat(p, 'g', digits, 64)
}

// SayP returns ShortP with its relation, for sentences: "= 0.013" or "< 0.0001".
func SayP(p float64) string {
	if p < leastP {
		return "< 0.0001"
	}
	return "= " + ShortP(p)
}
