package kernel

import "math/bits"

// addMarkedGo adds, in the first columns entries, the marked ones of 64 rows to every total, in
// ascending order. columns is 8, 16 or 32.
func addMarkedGo(total, rows []float64, marks []uint64, width, columns int) {
	for m, word := range marks {
		to := total[m*width:][:columns]
		for ; word != 0; word &= word - 1 {
			addRow(to, rows[bits.TrailingZeros64(word)*width:])
		}
	}
}

// subsetSumsGo computes, in the first columns entries, all subset sums of every eight of 64 rows:
// the sum of the rows 8b..8b+7 that the bits of s mark is at sums[(256 b + s)·columns:]. It adds
// the highest row to the sum of the lower ones. columns is 8 or 16.
func subsetSumsGo(sums, rows []float64, width, columns int) {
	for b := range wordBits / subset {
		of := sums[b<<subset*columns:][:columns<<subset]
		clear(of[:columns])
		for i := range subset {
			row, half := rows[(b*subset+i)*width:][:columns], columns<<i
			copy(of[half:2*half], of[:half])
			for at := half; at < 2*half; at += columns {
				addRow(of[at:at+columns], row)
			}
		}
	}
}

// addSumsGo adds, in the first columns entries, the marked ones of 64 rows to every total that has
// any, by one look-up per byte of marks.
func addSumsGo(total, sums []float64, marks []uint64, width, columns int) {
	for m, word := range marks {
		if word == 0 {
			continue
		}
		to := total[m*width:][:columns]
		for b := range wordBits / subset {
			addRow(to, sums[(b<<subset+int(word>>(b*subset)&(1<<subset-1)))*columns:])
		}
	}
}

// addRow adds one row to another, whose length is a multiple of 8.
func addRow(to, row []float64) {
	for ; len(to) >= 8 && len(row) >= 8; to, row = to[8:], row[8:] {
		a, b := (*[8]float64)(to), (*[8]float64)(row)
		a[0] += b[0]
		a[1] += b[1]
		a[2] += b[2]
		a[3] += b[3]
		a[4] += b[4]
		a[5] += b[5]
		a[6] += b[6]
		a[7] += b[7]
	}
}
