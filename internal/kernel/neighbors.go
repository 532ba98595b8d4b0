package kernel

import (
	"math"
	"math/bits"
)

// Neighbors are the k nearest of the offered samples, in ascending order of distance,
// ties by index.
type Neighbors struct {
	Index    []int
	Distance []float64 // squared
}

// NewNeighbors returns an empty list for at most k samples, k ≥ 1.
func NewNeighbors(k int) Neighbors {
	return Neighbors{make([]int, 0, k), make([]float64, 0, k)}
}

// Reset empties the list.
func (l *Neighbors) Reset() { l.Index, l.Distance = l.Index[:0], l.Distance[:0] }

// Offer offers the samples first, first+1, ... at the given distances. Samples come
// in ascending order of their index over all calls.
func (l *Neighbors) Offer(first int, distance []float64) {
	worst := l.worst()
	for i, d := range distance {
		if d >= worst {
			continue
		}
		if math.IsNaN(d) { // farther than all numbers
			if d = math.Inf(1); d >= worst {
				continue
			}
		}
		l.insert(first+i, d)
		worst = l.worst()
	}
}

func (l *Neighbors) insert(n int, d float64) {
	if len(l.Index) < cap(l.Index) {
		l.Index, l.Distance = append(l.Index, n), append(l.Distance, d)
	}
	at := len(l.Index) - 1
	for ; at > 0 && d < l.Distance[at-1]; at-- {
		l.Index[at], l.Distance[at] = l.Index[at-1], l.Distance[at-1]
	}
	l.Index[at], l.Distance[at] = n, d
}

// worst returns the largest distance in a full list, which a further sample must be
// below; NaN while the list is not full.
func (l *Neighbors) worst() float64 {
	if len(l.Index) < cap(l.Index) {
		return math.NaN()
	}
	return l.Distance[len(l.Distance)-1]
}

// A Search finds the nearest of n training samples by the distances of
// [SquaredDistances], bit for bit. A kernel in float32, if the level has one, first
// selects the samples that may be near enough.
type Search struct {
	// Stop is called every few milliseconds; when it returns true, the search ends without
	// the remaining neighbors. nil: never.
	Stop func() bool

	rows   []float64 // the training samples
	stride int
	n, d   int
	panels []float64 // the training samples if narrow is empty
	narrow
}

// narrow converts samples to float32: z = (x − center) scale. It is empty if that does not
// pay or numbers might overflow.
type narrow struct {
	center []float64
	scale  float64 // a power of two; 0: empty
}

// With fewer features or samples, all distances are computed in float64.
const (
	narrowFeatures = 2
	narrowSamples  = 128
)

// NewSearch makes a search among n samples of d features, row i at x[i*stride:]. It keeps x.
func NewSearch(x []float64, stride, n, d int) *Search {
	s := &Search{rows: x, stride: stride, n: n, d: d}
	if active.prefilter != nil && d >= narrowFeatures && n >= narrowSamples {
		s.narrow = s.toFloat32()
	}
	if s.scale == 0 {
		s.panels = make([]float64, PanelLen(n, d))
		Pack(s.panels, x, stride, n, d)
	}
	return s
}

func (s *Search) row(i int) []float64 { return s.rows[i*s.stride : i*s.stride+s.d] }

// toFloat32 computes the center of the first samples and the scale that brings their largest
// |z|²/2 between 1/2 and 2. Any values are valid; these keep cancellation small.
func (s *Search) toFloat32() narrow {
	first := min(s.n, 1024)
	f := narrow{s.means(first), 1}
	z, largest := make([]float32, s.d), 0.0
	for i := range first {
		largest = max(largest, f.round(z, s.row(i)))
	}
	if !(largest > 0x1p-900 && largest < 0x1p900) {
		return narrow{}
	}
	_, exponent := math.Frexp(largest)
	f.scale = math.Ldexp(1, -exponent/2)
	return f
}

// means returns the mean of each feature over the first n samples.
func (s *Search) means(n int) []float64 {
	mean := make([]float64, s.d)
	for i := range n {
		for k, v := range s.row(i) {
			mean[k] += v / float64(n)
		}
	}
	return mean
}

// round writes z = (x − center) scale in float32 and returns |z|²/2.
func (f *narrow) round(z []float32, x []float64) float64 {
	sum := 0.0
	for k, v := range x {
		w := (v - f.center[k]) * f.scale
		sum += w * w
		z[k] = float32(w)
	}
	return sum / 2
}

// roundRows rounds a row for each entry of half to z, feature-major with one feature every
// stride; rows is scratch. half becomes |z|²/2, or +Inf with z = 0 if numbers might overflow.
func (f *narrow) roundRows(z, rows []float32, half []float64, stride int, row func(i int) []float64) {
	d := len(f.center)
	for i := range half {
		half[i] = f.round(rows[i*d:(i+1)*d], row(i))
		if !(half[i] < prefilterLimit) {
			half[i] = math.Inf(1)
			clear(rows[i*d : (i+1)*d])
		}
	}
	interleave(z, rows, len(half), stride, d)
}

// interleave writes count rows of d features feature-major, one feature every stride.
func interleave(dst, rows []float32, count, stride, d int) {
	for k := range d {
		at := dst[k*stride : k*stride+count]
		for j := range at {
			at[j] = rows[j*d+k]
		}
	}
}

// narrowUnit returns u times a bound of the number of roundings, see [Search.Nearest].
func narrowUnit(d int) float64 { return 1.05 * float64(d+8) * 0x1p-24 }

// narrowFloor is far above the errors of underflow in float32, and far below 1.
const narrowFloor = 0x1p-100

// lowered returns h minus its share of the bound of rounding; −Inf if h, and so the share, is
// not finite.
func lowered(h, share float64) float32 {
	if !(share < math.Inf(1)) {
		return float32(math.Inf(-1))
	}
	return float32(h - share - narrowFloor)
}

// raised returns h plus its share of the bound of rounding.
func raised(h, share float64) float32 { return float32(h + share + narrowFloor) }

// queryBlock is the number of query samples that share one pass over the training samples,
// unless their lists have more than listPlaces entries together.
const (
	queryBlock = 1024
	listPlaces = 1 << 18
)

// run is the largest number of panels compared with one threshold, and narrowBlock the number
// of float32 that stay in the cache while all query samples pass.
const (
	run         = 32
	narrowBlock = 1 << 15
)

// Nearest finds the k nearest training samples of each of m query samples, row i at
// q[i*ldq:], and calls visit with them in the order of the query samples; near is
// valid until visit returns. It returns early when Stop returns true.
//
// In float32 the value of query sample i and training sample j is
//
//	h_i − τ_i/2 + h_j − Σ_k z_ik z_jk = (|z_i − z_j|² − τ_i)/2
//
// where τ_i is the largest distance in the list of i. With u = 2⁻²⁴ and
// S = h_i + h_j + τ_i/2 + Σ_k |z_ik z_jk| ≤ 2 (h_i + h_j) + τ_i/2, all roundings
// sum to less than 1.01 (d + 4) u S. So we lower h_i and h_j by 1.05 (d + 8) u times
// their shares of S, which also covers the roundings in float64. If the value is not
// negative, the distance is not below τ_i and the pair is skipped. The distances of
// all other pairs are computed in float64.
//
// Before the first block of training samples the lists are empty. There we compute
// values with τ_i = 0 and raised h_i and h_j, take the minimum of each of several disjoint
// groups of samples, and set τ_i/2 to the k-th smallest minimum. The raised shares exceed the
// roundings, so that at least k samples are nearer than τ_i in float64 too. None of them is
// skipped, nor any sample that ties with them.
func (s *Search) Nearest(q []float64, ldq, m, k int, visit func(i int, near Neighbors)) {
	block := min(m, queryBlock, max(1, listPlaces/k))
	w := s.searching(block, k)
	for from := 0; from < m; from += block {
		w.ask(q[from*ldq:], ldq, min(block, m-from))
		if s.scale == 0 {
			w.offerAll()
		} else {
			w.roundQueries()
			w.offerSome()
		}
		if s.stopped() {
			return
		}
		for i := range w.lists {
			visit(from+i, w.lists[i])
		}
	}
}

// stopped reports whether Stop returns true.
func (s *Search) stopped() bool { return s.Stop != nil && s.Stop() }

// A searching is a search with query samples, their lists and scratch space.
type searching struct {
	*Search
	q     []float64
	ldq   int
	lists []Neighbors
	k     int

	distance []float64 // of TileRow query samples to a run of panels

	half    []float64 // |z|²/2 of the query samples
	z       []float32 // the query samples by tile rows, each feature-major
	zx, hx  []float32 // panels of a block of training samples, and |z|²/2 lowered
	above   []float32 // |z|²/2 of the first block raised
	least   []float32 // the least values of each group of samples, of TileRow query samples
	few     []float32 // those of one query sample in order, at most k
	rows    []float32
	h, hi   [TileRow]float32 // the thresholds of a tile row, and its |z|²/2 raised
	columns [Panel]float64   // |z|²/2 of a panel of training samples
	masks   []uint64
	marked  []int     // samples that may be near enough to a query sample
	zeros   []float32 // zero bounds for the kernel: the search needs no doubts
}

func (s *Search) searching(m, k int) *searching {
	w := &searching{Search: s, lists: make([]Neighbors, m), k: k}
	index, distance := make([]int, m*k), make([]float64, m*k)
	for i := range w.lists {
		from, to := i*k, (i+1)*k
		w.lists[i] = Neighbors{index[from:from:to], distance[from:from:to]}
	}
	if s.scale == 0 {
		w.distance = make([]float64, TileRow*run*Panel)
	} else {
		block := s.block()
		w.above, w.least = make([]float32, block*Panel), make([]float32, TileRow*Panel*block)
		w.half, w.z = make([]float64, m), make([]float32, PanelLen(m, s.d))
		w.zx, w.hx, w.rows = make([]float32, block*Panel*s.d), make([]float32, block*Panel), make([]float32, Panel*s.d)
		w.masks, w.zeros = make([]uint64, block), make([]float32, block*Panel)
	}
	return w
}

// block returns the number of panels that stay in the cache while all query samples pass.
func (s *Search) block() int { return min(run, max(1, narrowBlock/(Panel*s.d))) }

// ask sets the next m query samples.
func (w *searching) ask(q []float64, ldq, m int) {
	w.q, w.ldq, w.lists = q, ldq, w.lists[:m]
	for i := range w.lists {
		w.lists[i].Reset()
	}
}

func (w *searching) query(i int) []float64 { return w.q[i*w.ldq : i*w.ldq+w.d] }

// offerAll offers all training samples to all query samples.
func (w *searching) offerAll() {
	for p := 0; p < Panels(w.n) && !w.stopped(); p += run {
		end := min(p+run, Panels(w.n))
		x, ldd := w.panels[p*Panel*w.d:end*Panel*w.d], (end-p)*Panel
		for i := 0; i < len(w.lists); i += TileRow {
			rows := min(TileRow, len(w.lists)-i)
			SquaredDistances(w.distance, ldd, w.q[i*w.ldq:], w.ldq, rows, x, ldd, w.d)
			for r := range rows {
				w.lists[i+r].Offer(p*Panel, w.distance[r*ldd:][:min(ldd, w.n-p*Panel)])
			}
		}
	}
}

// roundQueries converts the query samples to float32.
func (w *searching) roundQueries() {
	for i := 0; i < len(w.lists); i += TileRow {
		half := w.half[i:min(i+TileRow, len(w.lists))]
		w.roundRows(w.z[i*w.d:], w.rows, half, TileRow, func(r int) []float64 { return w.query(i + r) })
	}
}

// offerSome offers the training samples that may be near enough.
func (w *searching) offerSome() {
	for p := 0; p < Panels(w.n) && !w.stopped(); p += w.block() {
		end := min(p+w.block(), Panels(w.n))
		w.roundPanels(p, end)
		for i := 0; i < len(w.lists); i += TileRow {
			if p == 0 {
				w.firstThresholds(i, end)
			} else {
				w.thresholds(i)
			}
			w.offerNear(i, p, end)
		}
	}
}

// roundPanels converts the training samples of the panels from ≤ p < to to float32.
func (w *searching) roundPanels(from, to int) {
	for p := from; p < to; p++ {
		at := (p - from) * Panel
		half := w.columns[:min(Panel, w.n-p*Panel)]
		w.roundRows(w.zx[at*w.d:], w.rows, half, Panel, func(j int) []float64 { return w.row(p*Panel + j) })
		for j, h := range half {
			w.hx[at+j] = lowered(h, narrowUnit(w.d)*2*h)
		}
		if from == 0 {
			w.raisePanel(w.above[at:at+Panel], half)
		}
	}
}

// raisePanel writes the raised |z|²/2; padding gets +Inf.
func (w *searching) raisePanel(above []float32, half []float64) {
	for j := range above {
		above[j] = float32(math.Inf(1))
	}
	for j, h := range half {
		above[j] = raised(h, narrowUnit(w.d)*2*h)
	}
}

// firstThresholds sets the thresholds of a tile row for the first block of panels.
func (w *searching) firstThresholds(i, panels int) {
	count := min(TileRow, len(w.lists)-i)
	for r, h := range w.half[i : i+count] {
		w.hi[r] = raised(h, narrowUnit(w.d)*2*h)
	}
	// Twice as many groups as neighbors, so that two near samples are seldom in one group.
	size := max(1, panels*Panel/(2*w.k))
	least := w.least[:0]
	for p := 0; p < panels; p += size {
		end, group := min(p+size, panels), w.least[len(least):len(least)+TileRow*Panel]
		active.least(group, w.z[i*w.d:], w.hi[:], w.zx[p*Panel*w.d:], w.above[p*Panel:end*Panel], w.d, TileRow)
		least = w.least[:len(least)+len(group)]
	}
	for r := range count {
		w.h[r] = w.threshold(i+r, w.smallest(least, r))
	}
}

// smallest returns the k-th smallest of the least values of row r of a tile row; +Inf if there are
// fewer than k.
func (w *searching) smallest(least []float32, r int) float64 {
	few := w.few[:0]
	for ; len(least) > 0; least = least[TileRow*Panel:] {
		for _, v := range least[r*Panel : (r+1)*Panel] {
			switch {
			case len(few) < w.k:
				few = append(few, v)
			case v >= few[w.k-1]:
				continue
			}
			at := len(few) - 1
			for ; at > 0 && v < few[at-1]; at-- {
				few[at] = few[at-1]
			}
			few[at] = v
		}
	}
	w.few = few
	if len(few) < w.k {
		return math.Inf(1)
	}
	return float64(few[w.k-1])
}

// thresholds sets the thresholds of a tile row from the lists.
func (w *searching) thresholds(i int) {
	for r := range min(TileRow, len(w.lists)-i) {
		w.h[r] = w.threshold(i+r, w.lists[i+r].worst()*w.scale*w.scale/2)
	}
}

// threshold returns h_i − τ_i/2 minus its share of the bound; worst is τ_i/2, NaN if unknown.
func (w *searching) threshold(i int, worst float64) float32 {
	h := w.half[i]
	if !(worst < prefilterLimit) {
		worst = math.Inf(1)
	}
	return lowered(h-worst, narrowUnit(w.d)*(2*h+worst))
}

// offerNear offers the samples of the panels p ≤ . < end, which are in float32, that
// may be near enough to the query samples of a tile row.
func (w *searching) offerNear(i, p, end int) {
	masks := w.masks[:end-p]
	active.prefilter(masks, w.z[i*w.d:], w.h[:], w.zeros, w.zx, w.hx, w.zeros, w.d, TileRow)
	for r := range min(TileRow, len(w.lists)-i) {
		w.offerMarked(i+r, p*Panel, masks, r*Panel)
	}
}

// offerMarked offers the samples of panels that begin with sample first to query sample i: those
// marked in the 16 bits from shift on.
func (w *searching) offerMarked(i, first int, masks []uint64, shift int) {
	marked := w.marked[:0]
	for j, m := range masks {
		for marks := uint16(m >> shift); marks != 0; marks &= marks - 1 {
			if n := first + j*Panel + bits.TrailingZeros16(marks); n < w.n {
				marked = append(marked, n)
			}
		}
	}
	w.marked = marked
	q := w.query(i)
	for len(marked) > 0 {
		// Four independent sums at a time hide the latency of additions.
		four := [4]int{marked[0], marked[0], marked[0], marked[0]}
		count := copy(four[:], marked)
		marked = marked[count:]
		distances := squaredDistances4(q, w.row(four[0]), w.row(four[1]), w.row(four[2]), w.row(four[3]))
		for k, n := range four[:count] {
			w.lists[i].Offer(n, distances[k:k+1])
		}
	}
}

// squaredDistances4 is [SquaredDistance] to four samples.
func squaredDistances4(q, a, b, c, d []float64) [4]float64 {
	a, b, c, d = a[:len(q)], b[:len(q)], c[:len(q)], d[:len(q)]
	var s0, s1, s2, s3 float64
	for k, v := range q {
		d0, d1, d2, d3 := v-a[k], v-b[k], v-c[k], v-d[k]
		s0, s1, s2, s3 = math.FMA(d0, d0, s0), math.FMA(d1, d1, s1), math.FMA(d2, d2, s2), math.FMA(d3, d3, s3)
	}
	return [4]float64{s0, s1, s2, s3}
}

// SquaredDistance is one distance of [SquaredDistances].
func SquaredDistance(q, x []float64) float64 {
	sum := 0.0
	for k, v := range q {
		diff := v - x[k]
		sum = math.FMA(diff, diff, sum)
	}
	return sum
}
