package verdict

import (
	"math/big"

	"r2lmlbench/internal/text"
)

// halfHundredth is by how much rounding to two decimals moves a number at most.
const halfHundredth = 0.005

// gapText prints the gap of a printed value as a reader finds it: the difference of the
// value and the end of the range, both as printed. Gap allows for rounding besides. A
// value of fewer than two decimals that a run of the range rounds to has none.
func (p Protocol) gapText(published string, printed, half float64) string {
	if half > halfHundredth+rounding && p.Gap(printed, half) == 0 {
		return "0.00"
	}
	ends := rangeOf(p)
	value, widest := decimal(published), new(big.Rat)
	for _, d := range []*big.Rat{new(big.Rat).Sub(decimal(ends[0]), value), new(big.Rat).Sub(value, decimal(ends[1]))} {
		if d.Cmp(widest) > 0 {
			widest = d
		}
	}
	return text.TwoDecimals(halfUp(widest))
}

// plainDifference is the difference of two printed percentages with its sign.
func plainDifference(a, b string) string {
	return text.Signed(halfUp(new(big.Rat).Sub(decimal(a), decimal(b))))
}

// exceeds tells whether a printed number is larger than another one.
func exceeds(a, b string) bool { return decimal(a).Cmp(decimal(b)) > 0 }

// decimal reads a decimal number exactly; what is none counts as 0.
func decimal(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// halfUp rounds to two decimals, ties up.
func halfUp(r *big.Rat) float64 {
	doubled := new(big.Rat).Add(new(big.Rat).Mul(r, big.NewRat(200, 1)), big.NewRat(1, 1))
	hundredths := new(big.Int).Div(doubled.Num(), new(big.Int).Lsh(doubled.Denom(), 1)) // rounds down
	f, _ := new(big.Rat).SetFrac(hundredths, big.NewInt(100)).Float64()
	return f
}
