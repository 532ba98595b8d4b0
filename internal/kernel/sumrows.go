package kernel

import "math/bits"

// RowSums adds up marked rows of a table: the product of an n×n matrix of bits
// and a table with a row of numbers for every sample,
//
//	Total(m) = Σ_i b_mi Row(i)
//
// Rows are taken 64 at a time, in ascending order. If few bits are set, Sum adds the marked rows
// one by one. If many are set, it first computes all subset sums of every eight rows (the method of
// the "four Russians") and adds one of them per byte of bits. The choice depends on the number of
// bits, n and the width only.
// number of bits, on n and on the width only.
type RowSums struct {
	marks *Marks
	width int // entries of a row
	rows  []float64
	total []float64
	sums  []float64 // scratch: subset sums of every eight of 64 rows; nil: unused

	Stop func() bool // Sum calls it at times and returns early, with invalid totals, when it returns true; nil: never
}

// Marks is an n×n matrix of bits in the layout of RowSums.
type Marks struct {
	n     int
	words []uint64 // word 0 of all n rows, then word 1, ...
	count int      // number of bits set
}

const (
	wordBits = 64
	subset   = 8 // rows per subset sum
	// sumColumns is the number of entries of a row that are summed at a time: their subset sums for
	// 64 rows fill a quarter of a common second-level cache.
	sumColumns = 16
	// markColumns is the number of entries of a row that stay in registers.
	markColumns = 32
)

// NewMarks copies n rows of bits: b_mi is bit i%64 of rows[m][i/64]. Bits from n on must be 0. When
// stop returns true, NewMarks returns early with incomplete marks; nil: never.
func NewMarks(rows [][]uint64, stop func() bool) *Marks {
	n := len(rows)
	words := (n + wordBits - 1) / wordBits
	b := &Marks{n: n, words: make([]uint64, words*n)}
	const line = 8 // words of a cache line, read together
	for from := 0; from < words && !(stop != nil && stop()); from += line {
		to := min(from+line, words)
		for m, row := range rows {
			for w, word := range row[from:to] {
				b.words[(from+w)*n+m] = word
				b.count += bits.OnesCount64(word)
			}
		}
	}
	return b
}

// dense reports whether subset sums pay for rows of this width. At these bounds both ways took the
// same time.
func (b *Marks) dense(width int) bool {
	least := 20 // mean number of bits per word
	if width == scatterBlock {
		least = 8
	}
	return b.n >= 256 && b.count > least*len(b.words)
}

// NewRowSums returns a table of this width, all 0.
func NewRowSums(marks *Marks, width int) *RowSums {
	width = ScatterStride(width)
	t := &RowSums{marks: marks, width: width}
	if marks.n > 0 {
		t.rows = make([]float64, len(marks.words)/marks.n*wordBits*width)
	}
	t.total = make([]float64, marks.n*width)
	if marks.dense(width) {
		t.sums = make([]float64, wordBits/subset<<subset*sumColumns)
	}
	return t
}

// Row returns row i of the table, for writing. Its length is the width rounded up to a multiple of
// 8; entries beyond the width affect only the same entries of the totals.
func (t *RowSums) Row(i int) []float64 { return t.rows[i*t.width : (i+1)*t.width] }

// Total returns sum m, valid until the next call of Sum.
func (t *RowSums) Total(m int) []float64 { return t.total[m*t.width : (m+1)*t.width] }

// Sum computes all totals from the rows.
func (t *RowSums) Sum() {
	clear(t.total)
	n := t.marks.n
	if n == 0 {
		return
	}
	for w := range len(t.marks.words) / n {
		if t.Stop != nil && t.Stop() {
			return
		}
		rows, marks := t.rows[w*wordBits*t.width:(w+1)*wordBits*t.width], t.marks.words[w*n:(w+1)*n]
		if t.sums != nil {
			t.addSums(rows, marks)
		} else {
			t.addMarked(rows, marks)
		}
	}
}

// addMarked adds the marked rows of 64 rows to every total.
func (t *RowSums) addMarked(rows []float64, marks []uint64) {
	for c, columns := 0, 0; c < t.width; c += columns {
		columns = powerBelow(min(t.width-c, markColumns))
		active.addMarked(t.total[c:], rows[c:], marks, t.width, columns)
	}
}

// addSums is addMarked by subset sums.
func (t *RowSums) addSums(rows []float64, marks []uint64) {
	for c, columns := 0, 0; c < t.width; c += columns {
		columns = powerBelow(min(t.width-c, sumColumns))
		active.subsetSums(t.sums, rows[c:], t.width, columns)
		active.addSums(t.total[c:], t.sums, marks, t.width, columns)
	}
}

// powerBelow returns the largest power of two that is at most v.
func powerBelow(v int) int { return 1 << (bits.Len(uint(v)) - 1) }
