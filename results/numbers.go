package results

import (
	"math"
	"strconv"
)

// sixDigits rounds x to six significant digits, so that machines whose floats
// differ in the last bit print the same text.
func sixDigits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64) // what it wrote it reads
	return rounded
}

// hundredths reads a printed percentage as an integer, so that differences are
// exact.
func hundredths(percent string) (int, error) {
	x, err := strconv.ParseFloat(percent, 64)
	return int(math.Round(100 * x)), err
}
