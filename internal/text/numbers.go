package text

import (
	"math"
	"strconv"
)

// TwoDecimals writes x with two decimals, halves away from 0, also where a half has no exact
// float64.
func TwoDecimals(x float64) string {
	return strconv.FormatFloat(x+math.Copysign(1e-9, x), 'f', 2, 64)
}

// Points writes a difference with two decimals, without a sign before 0; "-" if it is no
// number.
func Points(x float64) string {
	written := TwoDecimals(x)
	switch {
	case math.IsNaN(x):
		return "-"
	case written == "-0.00":
		return "0.00"
	}
	return written
}

// Signed is Points with a sign before what is more than 0, too.
func Signed(x float64) string {
	written := Points(x)
	if x > 0 && written != "0.00" {
		return "+" + written
	}
	return written
}

// SixDigits rounds x to six significant digits, so that machines whose floats
// differ in the last bit print the same text.
func SixDigits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64) // what it wrote it reads
	return rounded
}

// NonZero prints n, and nothing for 0, which stands for none.
func NonZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
