package kernel

import "math/bits"

// RowSums adds up marked rows of a table: the product of an n×n matrix of bits
// and a table with a row of numbers for every sample,
//
//	Total(m) = Σ_i b_mi Row(i)
//
// Rows are taken 64 at a time, in ascending order. Where few bits are set,
// marked rows are added one after the other; where many are set, all sums of
// every eight rows are made first (as in the "four Russians" method) and one
// of them is added for every byte of bits. Which way is taken depends on the
// number of bits, on n and on the width only.
type RowSums struct {
	marks *Marks
	width int // places of a row
	rows  []float64
	total []float64
	sums  []float64 // scratch: all sums of every eight of 64 rows; nil: not used

	Stop func() bool // asked by Sum now and then whether to leave it at what it has; nil: never
}

// Marks is an n×n matrix of bits made ready for RowSums.
type Marks struct {
	n     int
	words []uint64 // word w of all n rows, then word w+1
	count int      // bits set
}

const (
	wordBits = 64
	subset   = 8 // rows of which all sums are made
	// sumColumns are the places of a row that are looked up at a time: their
	// sums for 64 rows fill a quarter of a common second-level cache.
	sumColumns = 16
	// markColumns are the places of a row that stay in registers.
	markColumns = 32
)

// NewMarks copies n rows of bits: b_mi is bit i%64 of rows[m][i/64]. Bits from
// n on must be 0. It is incomplete when stop says so, which is nil for never.
func NewMarks(rows [][]uint64, stop func() bool) *Marks {
	n := len(rows)
	words := (n + wordBits - 1) / wordBits
	b := &Marks{n: n, words: make([]uint64, words*n)}
	const line = 8 // words that are read together, so that none is fetched twice
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

// dense tells whether sums of eight rows of that width are worth making. The
// bounds are where both ways were measured to cost the same.
func (b *Marks) dense(width int) bool {
	least := 20 // bits in a word
	if width == scatterBlock {
		least = 8
	}
	return b.n >= 256 && b.count > least*len(b.words)
}

// NewRowSums returns a table of the given width, all 0.
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

// Row returns row i of the table, to be written to. It has the given width,
// rounded up to a multiple of 8; what is written beyond the width is ignored
// but for the same places of the totals.
func (t *RowSums) Row(i int) []float64 { return t.rows[i*t.width : (i+1)*t.width] }

// Total returns sum m, good until the next call of Sum.
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

// addMarked adds to every total the marked ones of 64 rows.
func (t *RowSums) addMarked(rows []float64, marks []uint64) {
	for c, columns := 0, 0; c < t.width; c += columns {
		columns = powerBelow(min(t.width-c, markColumns))
		active.addMarked(t.total[c:], rows[c:], marks, t.width, columns)
	}
}

// addSums does the same by sums of eight rows.
func (t *RowSums) addSums(rows []float64, marks []uint64) {
	for c, columns := 0, 0; c < t.width; c += columns {
		columns = powerBelow(min(t.width-c, sumColumns))
		active.subsetSums(t.sums, rows[c:], t.width, columns)
		active.addSums(t.total[c:], t.sums, marks, t.width, columns)
	}
}

// powerBelow returns the largest power of two that is not above v.
func powerBelow(v int) int { return 1 << (bits.Len(uint(v)) - 1) }
