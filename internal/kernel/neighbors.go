package kernel

import (
	"math"
	"math/bits"
)

// Neighbors are the k nearest samples of those offered, in ascending order of
// distance, equal ones by index.
type Neighbors struct {
	Index    []int
	distance []float64
}

// NewNeighbors returns an empty list for at most k samples, k ≥ 1.
func NewNeighbors(k int) Neighbors {
	return Neighbors{make([]int, 0, k), make([]float64, 0, k)}
}

// Reset empties the list.
func (l *Neighbors) Reset() { l.Index, l.distance = l.Index[:0], l.distance[:0] }

// Offer offers the samples first, first+1, ... at the given distances. Samples come
// in ascending order of their index over all calls.
func (l *Neighbors) Offer(first int, distance []float64) {
	worst := l.worst()
	for i, d := range distance {
		if d >= worst {
			continue
		}
		l.insert(first+i, d)
		worst = l.worst()
	}
}

func (l *Neighbors) insert(n int, d float64) {
	if len(l.Index) < cap(l.Index) {
		l.Index, l.distance = append(l.Index, n), append(l.distance, d)
	}
	at := len(l.Index) - 1
	for ; at > 0 && d < l.distance[at-1]; at-- {
		l.Index[at], l.distance[at] = l.Index[at-1], l.distance[at-1]
	}
	l.Index[at], l.distance[at] = n, d
}

// worst returns the distance that a further sample must be below, NaN while the
// list is not full.
func (l *Neighbors) worst() float64 {
	if len(l.Index) < cap(l.Index) {
		return math.NaN()
	}
	return l.distance[len(l.distance)-1]
}

// A Search finds the nearest of n training samples by the distances of
// [SquaredDistances], all bits of them. Where there is a kernel in float32, it
// tells first which samples may be near enough.
type Search struct {
	v    *level
	x    []float64 // panels of the training samples
	n, d int
	narrow
}

// narrow holds the training samples a second time: centered, scaled and rounded to
// float32. It is empty where that does not pay or numbers might overflow.
type narrow struct {
	z, h   []float32 // panels of z and of |z|²/2 less a bound of rounding
	center []float64
	scale  float64 // a power of two
}

// Of fewer features or samples all distances are computed in float64.
const (
	narrowFeatures = 2
	narrowSamples  = 256
)

// firstSamples are compared in float64 with every query sample, for a first threshold.
const firstSamples = 256

// NewSearch makes a search among n samples of d features, in panels. It keeps x.
func NewSearch(x []float64, n, d int) *Search { return newSearch(x, n, d, active) }

func newSearch(x []float64, n, d int, v *level) *Search {
	s := &Search{v: v, x: x[:PanelLen(n, d)], n: n, d: d}
	if v.prefilter != nil && d >= narrowFeatures && n >= narrowSamples {
		s.narrow = s.roundedTo32()
	}
	return s
}

// roundedTo32 fills the samples in float32. The scale takes the largest |z|²/2 to between 1/2 and 2.
func (s *Search) roundedTo32() narrow {
	f := narrow{center: s.means(), scale: 1}
	h := make([]float64, PanelLen(s.n, 1))
	largest := 0.0
	for p := range Panels(s.n) {
		halfNorms(h[p*Panel:], s.panel(p), f.center)
		for _, v := range h[p*Panel : min(s.n, (p+1)*Panel)] {
			largest = max(largest, v)
		}
	}
	if !(largest > 0x1p-900 && largest < 0x1p900) {
		return narrow{}
	}
	_, exponent := math.Frexp(largest)
	f.scale = math.Ldexp(1, -exponent/2)
	f.z, f.h = make([]float32, len(s.x)), make([]float32, len(h))
	for p := range Panels(s.n) {
		round32(f.z[p*Panel*s.d:], s.panel(p), f.center, f.scale)
	}
	unit := narrowUnit(s.d)
	for i, v := range h {
		v *= f.scale * f.scale
		f.h[i] = float32(v - unit*2*v - narrowFloor)
	}
	return f
}

// round32 writes (x − center) scale of the samples of a panel in float32.
func round32(z []float32, x, center []float64, scale float64) {
	for k, c := range center {
		zk, xk := (*[Panel]float32)(z[k*Panel:]), (*[Panel]float64)(x[k*Panel:])
		for j, v := range xk {
			zk[j] = float32((v - c) * scale)
		}
	}
}

// narrowUnit is u times a number of roundings, see [Search.Nearest].
func narrowUnit(d int) float64 { return 1.05 * float64(d+8) * 0x1p-24 }

// narrowFloor is far above what underflow in float32 takes, and far below 1.
const narrowFloor = 0x1p-100

func (s *Search) panel(p int) []float64 { return s.x[p*Panel*s.d : (p+1)*Panel*s.d] }

// means returns the mean of each feature over the first samples, which is good enough
// a center: any is valid, and one in their middle keeps cancellation small.
func (s *Search) means() []float64 {
	mean, n := make([]float64, s.d), min(s.n, 1024)
	for p := range Panels(n) {
		for k := range mean {
			for _, v := range s.panel(p)[k*Panel : k*Panel+min(Panel, n-p*Panel)] {
				mean[k] += v / float64(n)
			}
		}
	}
	return mean
}

// halfNorms writes |x − center|²/2 of the samples of a panel.
func halfNorms(h []float64, x, center []float64) {
	var sum [Panel]float64
	for k, c := range center {
		for j, v := range (*[Panel]float64)(x[k*Panel:]) {
			sum[j] += (v - c) * (v - c)
		}
	}
	for j, v := range sum {
		h[j] = v / 2
	}
}

// queryBlock is the number of query samples that share one pass over the training samples.
const queryBlock = 256

// run is the largest number of panels that are looked at with one threshold, and
// narrowBlock the number of float32 that stay in the cache while all query samples pass.
const (
	run         = 32
	narrowBlock = 1 << 16
)

// Nearest finds the k nearest training samples of each of m query samples, row i at
// q[i*ldq:], and calls visit with them in the order of the query samples; near is
// valid until visit returns.
//
// In float32 the value of query sample i and training sample j is
//
//	h_i − τ_i/2 + h_j − Σ_k z_ik z_jk = (|z_i − z_j|² − τ_i)/2
//
// where τ_i is the largest distance in the list of i. With u = 2⁻²⁴ and
// S = h_i + h_j + τ_i/2 + Σ_k |z_ik z_jk| ≤ 2 (h_i + h_j) + τ_i/2, all roundings
// come to less than 1.01 (d + 4) u S. So h_i and h_j are made smaller by
// 1.05 (d + 8) u times their shares of S, which also covers the roundings in
// float64. Where the value is not negative, the distance is not below τ_i. The
// distances of all other pairs are computed.
func (s *Search) Nearest(q []float64, ldq, m, k int, visit func(i int, near []int)) {
	w := s.searching(min(m, queryBlock), k)
	for from := 0; from < m; from += queryBlock {
		w.ask(q[from*ldq:], ldq, min(queryBlock, m-from))
		first := Panels(s.n)
		if s.z != nil {
			first = min(first, (max(k, firstSamples)+Panel-1)/Panel)
		}
		w.offerAll(0, first)
		if first < Panels(s.n) {
			w.round()
			w.offerSome(first)
		}
		for i := range w.lists {
			visit(from+i, w.lists[i].Index)
		}
	}
}

// A searching is a search with query samples, their lists and scratch space.
type searching struct {
	*Search
	q     []float64
	ldq   int
	lists []Neighbors

	distance []float64 // of TileRow query samples to a run of panels
	half     []float64 // |z|²/2 of the query samples
	z        []float32 // the query samples by tile rows, each feature-major
	h        [TileRow]float32
	masks    []uint64
	zeros    []float32 // bounds of the kernel, whose answer about doubts is not needed
}

func (s *Search) searching(m, k int) *searching {
	w := &searching{Search: s, lists: make([]Neighbors, m), distance: make([]float64, TileRow*run*Panel)}
	for i := range w.lists {
		w.lists[i] = NewNeighbors(k)
	}
	if s.z != nil {
		w.half, w.z = make([]float64, PanelLen(m, 1)), make([]float32, PanelLen(m, s.d))
		w.masks, w.zeros = make([]uint64, run), make([]float32, run*Panel)
	}
	return w
}

// ask takes the next m query samples.
func (w *searching) ask(q []float64, ldq, m int) {
	w.q, w.ldq, w.lists = q, ldq, w.lists[:m]
	for i := range w.lists {
		w.lists[i].Reset()
	}
}

func (w *searching) row(i int) []float64 { return w.q[i*w.ldq : i*w.ldq+w.d] }

// offerAll offers the samples of the panels from ≤ p < to to all query samples.
func (w *searching) offerAll(from, to int) {
	for p := from; p < to; p += run {
		end := min(p+run, to)
		x, ldd := w.x[p*Panel*w.d:end*Panel*w.d], (end-p)*Panel
		for i := 0; i < len(w.lists); i += TileRow {
			rows := min(TileRow, len(w.lists)-i)
			w.v.squaredDistances(w.distance, ldd, w.q[i*w.ldq:], w.ldq, rows, x, ldd, w.d)
			for r := range rows {
				w.lists[i+r].Offer(p*Panel, w.distance[r*ldd:][:min(ldd, w.n-p*Panel)])
			}
		}
	}
}

// round fills the query samples in float32. One whose numbers might overflow gets an
// infinite half norm.
func (w *searching) round() {
	for i := range w.lists {
		at, sum := w.z[i/TileRow*TileRow*w.d+i%TileRow:], 0.0
		for k, v := range w.row(i) {
			z := (v - w.center[k]) * w.scale
			sum += z * z
			at[k*TileRow] = float32(z)
		}
		w.half[i] = sum / 2
		if !(w.half[i] < prefilterLimit) {
			w.half[i] = math.Inf(1)
			for k := range w.d {
				at[k*TileRow] = 0
			}
		}
	}
}

// offerSome offers the samples of the panels from first on that may be near enough. A
// block of panels stays in the cache while all query samples pass.
func (w *searching) offerSome(first int) {
	block := min(run, max(1, narrowBlock/(Panel*w.d)))
	for p := first; p < Panels(w.n); p += block {
		for i := 0; i < len(w.lists); i += TileRow {
			w.offerNear(i, p, min(p+block, Panels(w.n)))
		}
	}
}

// offerNear offers the samples of the panels p ≤ . < end that may be near enough to
// the query samples of a tile row.
func (w *searching) offerNear(i, p, end int) {
	h := w.h[:]
	for r := range h {
		h[r] = w.threshold(i + r)
	}
	masks := w.masks[:end-p]
	w.v.prefilter(masks, w.z[i*w.d:], h, w.zeros[:TileRow], w.narrow.z[p*Panel*w.d:end*Panel*w.d],
		w.narrow.h[p*Panel:end*Panel], w.zeros[:(end-p)*Panel], w.d, TileRow)
	for j, m := range masks {
		for ; m != 0; m &^= (1<<Panel - 1) << (bits.TrailingZeros64(m) / Panel * Panel) {
			r := bits.TrailingZeros64(m) / Panel
			w.offerMarked(i+r, p+j, uint16(m>>(r*Panel)))
		}
	}
}

// threshold returns h_i − τ_i/2 less its share of the bound: −Inf where all
// distances are to be computed, +Inf where there is no query sample.
func (w *searching) threshold(i int) float32 {
	if i >= len(w.lists) {
		return float32(math.Inf(1))
	}
	h, worst := w.half[i], w.lists[i].worst()*w.scale*w.scale/2
	if !(h < prefilterLimit && worst < prefilterLimit) {
		return float32(math.Inf(-1))
	}
	return float32(h - worst - narrowUnit(w.d)*(2*h+worst) - narrowFloor)
}

// offerMarked offers the marked samples of a panel to query sample i.
func (w *searching) offerMarked(i, p int, marks uint16) {
	distance := w.distance[:Panel]
	w.v.distance(distance, w.row(i), w.panel(p), w.d, 1)
	if left := w.n - p*Panel; left < Panel {
		marks &= 1<<left - 1
	}
	for ; marks != 0; marks &= marks - 1 {
		j := bits.TrailingZeros16(marks)
		w.lists[i].Offer(p*Panel+j, distance[j:j+1])
	}
}
