package kernel

import "math/bits"

// SumRows writes to dst the sum of the rows that are marked: row n of rows,
// len(dst) places, when bit n%64 of marks[n/64] is set. Rows are added in
// ascending order, one place after the other.
func SumRows(dst, rows []float64, marks []uint64) {
	clear(dst)
	width := len(dst)
	for w, word := range marks {
		for ; word != 0; word &= word - 1 {
			at := (w*64 + bits.TrailingZeros64(word)) * width
			for j, v := range rows[at : at+width] {
				dst[j] += v
			}
		}
	}
}
