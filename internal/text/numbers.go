package text

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// TwoDecimals formats x with two decimals. It rounds halves away from 0, also those without
// an exact float64, such as 1.005.
func TwoDecimals(x float64) string {
	return strconv.FormatFloat(x+math.Copysign(1e-9, x), 'f', 2, 64)
}

// Points formats a difference with two decimals, without a sign before 0; "-" for NaN and
// infinities.
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

// Signed is Points with a plus sign before positive numbers.
func Signed(x float64) string {
	written := Points(x)
	if x > 0 && written != "0.00" {
		return "+" + written
	}
	return written
}

// SixDigits rounds x to six significant digits, so that machines whose floats
// differ in the last bit print the same text.
func SixDigits(x float64) float64 { return Significant(x, 6) }

// Significant rounds x to so many significant digits.
func Significant(x float64, digits int) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64) // cannot fail
	return rounded
}

// NonZero formats n; 0 becomes "".
func NonZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Roughly is a duration in its largest unit: "40 s", "3 min", "2 h".
func Roughly(d time.Duration) string {
	switch {
	case d >= 90*time.Minute:
		return fmt.Sprintf("%.0f h", d.Hours())
	case d >= 90*time.Second:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f s", max(1, d.Seconds()))
}
