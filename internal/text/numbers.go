package text

import "strconv"

// TwoDecimals writes x with two decimals.
func TwoDecimals(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

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
