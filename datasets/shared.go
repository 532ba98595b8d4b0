package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// A RowSum is the same for rows of equal class and features; missing values are equal.
type RowSum [sha256.Size]byte

// RowSums returns the sums of all rows.
func (d *Data) RowSums() []RowSum {
	sums := make([]RowSum, len(d.Y))
	var b []byte
	for i, class := range d.Y {
		b = binary.LittleEndian.AppendUint64(b[:0], uint64(class))
		for _, v := range d.X.RawRowView(i) {
			if math.IsNaN(v) {
				v = math.NaN() // one of many bit patterns
			}
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0)) // -0 is 0
		}
		sums[i] = sha256.Sum256(b)
	}
	return sums
}

// Shared counts the test rows of a split that equal one of its training rows. sums has a key
// for each row of the data; rows with the same key are equal.
func Shared[Key comparable](sums []Key, split [3][]int) int {
	trains := make(map[Key]bool, len(split[0]))
	for _, row := range split[0] {
		trains[sums[row]] = true
	}
	n := 0
	for _, row := range split[2] {
		if trains[sums[row]] {
			n++
		}
	}
	return n
}
