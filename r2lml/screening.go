package r2lml

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// A screen spares a lane the pairs that cannot change sides of distance 1. At a
// reference map L₀ it keeps the slack of every tile of pairs, see
// kernel.Margins: since, for any regular matrix W,
//
//	| |L D| − |L₀ D| | ≤ ‖(L − L₀) W⁻¹‖₂ |W D|
//
// a tile whose slack is above the drift ‖(L − L₀) W⁻¹‖ keeps its bits, with a
// margin for all rounding, so the descent has the same bits as without. The
// tiles left are awake. WᵀW is ΔᵀΔ, where Δ is the last change of the map,
// plus a small multiple of 1: while the map goes on in that direction, slacks
// and drift measure time, and pairs that move slowly sleep long.
//
// A reference costs as much as looking at all tiles several times. It is given
// up when the tiles awake cost more than all since it was taken did on average.
// Before one is taken, slacks of a sample of tiles and the last change of the
// map foretell whether it will pay. All this is decided by counts, never by
// time.
type screen struct {
	last  []float64 // the map of the iteration before
	ref   []float64 // L₀
	reach float64   // ‖L₀‖, the largest ‖L − L₀‖ for which the margin holds
	w     []float64 // W, upper triangular
	slack []float64 // of every tile at L₀
	drift float64   // the largest since: a tile once awake may no longer have the bits of L₀

	age   int     // iterations since L₀ was taken, that one included; 0: there is none
	spent float64 // what they cost, in tiles
	rest  int     // iterations to go before a reference is considered again
}

// screenTiles is the number of tiles below which no screen is used: there the
// proximal map takes most of the time. A variable for tests.
var screenTiles = 4096

const (
	// sampleRows: slacks are foretold from one in sampleRows tile rows.
	sampleRows = 32
	// restIterations lie between two looks at the sample.
	restIterations = 8
	// worthwhile is the largest foretold cost for which a reference is taken.
	worthwhile = 0.8
	// scanCost is what finding the tiles awake costs, in looks at all tiles.
	scanCost = 1.0 / 16
	// marginFactor bounds the rounding errors of squared distances: in units of
	// the last place, by marginFactor (D + 4) (1 + ρ²) where no mapped sample is
	// longer than ρ. They come to (14 D + 6) ρ² + D + 4 at the reference and,
	// with ρ twice as large, to four times that later.
	marginFactor = 128
	// marginLimit is the margin above which screening is given up.
	marginLimit = 1.0 / 16
)

func roundingMargin(d int, rho float64) float64 {
	return marginFactor * 0x1p-52 * float64(d+4) * (1 + rho*rho)
}

// tileCosts returns what a reference and what a tile picked by a screen cost,
// both in units of a tile looked at in passing: measured on AVX-512, without a
// sieve, which makes looking in passing cheaper.
func tileCosts(d int) (reference, picked float64) {
	width := float64(d + 6)
	return 2 + 36/width, 1 + 15/width
}

// reset forgets the reference.
func (s *screen) reset() {
	s.last = s.last[:0]
	s.age, s.rest = 0, 0
}

// awake returns the tiles that have to be looked at under the map b.l, or false
// for all.
func (b *laneDescent) awake(s *screen) ([]int32, bool) {
	if s.age == 0 {
		return nil, false
	}
	size := float64(len(s.slack))
	_, picked := tileCosts(b.d)
	for i, v := range b.l {
		b.move[i] = v - s.ref[i]
	}
	if !(normBound(b.move) <= s.reach) {
		s.age = 0
		return nil, false
	}
	divide(b.move, s.w, b.d)
	s.drift = max(s.drift, normBound(b.move))
	count := kernel.ActiveTiles(b.tiles, s.slack, s.drift)
	cost := picked*float64(count) + scanCost*size
	s.age++
	s.spent += min(cost, size)
	if cost >= size || cost*float64(s.age) > s.spent {
		s.age = 0
	}
	return b.tiles[:count], cost < size
}

// refer takes the map b.l as the reference of a lane if that will pay.
func (b *laneDescent) refer(l *lane) {
	s := &l.screen
	if len(b.now) < screenTiles {
		return
	}
	if s.age == 0 && s.rest == 0 {
		b.consider(l)
	}
	s.rest = max(0, s.rest-1)
	s.last = append(s.last[:0], b.l...)
}

// consider looks at a sample of slacks under the map b.l and takes it as the
// reference, or lets the screen rest.
func (b *laneDescent) consider(l *lane) {
	s := &l.screen
	s.rest = restIterations
	s.w = resized(s.w, len(b.l))
	if len(s.last) == 0 || !b.weight(s.w, s.last) {
		return
	}
	s.reach = normBound(b.l)
	margin, marginX := roundingMargin(b.d, s.reach*b.radius), roundingMargin(b.d, normBound(s.w)*b.radius)
	if !(margin <= marginLimit && marginX <= marginLimit) {
		return
	}
	s.slack = resized(s.slack, len(b.now))
	kernel.Map(b.zw, b.hw, b.cols, s.w, b.n, b.d)
	slacks := func(every int) {
		kernel.Margins(s.slack, l.m.dissimilar, b.z, b.h, b.zw, b.hw, b.n, b.d, every, margin, marginX, b.values)
	}
	slacks(sampleRows)
	reference, picked := tileCosts(b.d)
	// b.move holds Δ still.
	divide(b.move, s.w, b.d)
	if foretold(sampled(s.slack, kernel.TileRows(b.n)), normBound(b.move), reference, picked) > worthwhile {
		return
	}
	slacks(1)
	s.ref = append(s.ref[:0], b.l...)
	s.age, s.rest, s.drift = 1, 0, 0
	s.spent = (1 + reference) * float64(len(s.slack))
}

// sampled returns the slacks of one in sampleRows tile rows.
func sampled(slack []float64, rows int) (sample []float64) {
	for t := 0; t < rows; t += sampleRows {
		sample = append(sample, slack[kernel.TileOffset(t):kernel.TileOffset(t+1)]...)
	}
	return sample
}

// foretold returns the least average cost of an iteration that a reference can
// be expected to have, in units of a look at all tiles, if the drift grows by
// the given amount an iteration.
func foretold(sample []float64, drift, reference, picked float64) float64 {
	best, spent := math.Inf(1), 1+reference
	for from, to := 1, 2; to <= 256; from, to = to, 2*to {
		count := 0
		for _, slack := range sample {
			if !(slack > drift*float64(to-1)) {
				count++
			}
		}
		awake := picked*float64(count)/float64(len(sample)) + scanCost
		spent += float64(to-from) * min(awake, 1)
		best = min(best, spent/float64(to))
	}
	return best
}

// ridge is the multiple of 1 in WᵀW, next to a ΔᵀΔ of trace 1. It keeps W
// well-conditioned, so that solving with it costs no digits that normBound
// does not cover.
const ridge = 1e-3

// weight sets w to W for a descent that has come from the map last to b.l; b.move
// becomes Δ. It fails where Δ is 0 or numbers overflow.
func (b *laneDescent) weight(w, last []float64) bool {
	for i, v := range b.l {
		b.move[i] = v - last[i]
	}
	delta, m := mat.NewDense(b.d, b.d, b.move), mat.NewSymDense(b.d, nil)
	size := mat.Norm(delta, 2)
	if !(size > 0) {
		return false
	}
	m.SymOuterK(1/(size*size), delta.T())
	for i := range b.d {
		m.SetSym(i, i, m.At(i, i)+ridge)
	}
	var c mat.Cholesky
	if !c.Factorize(m) {
		return false
	}
	var u mat.TriDense
	c.UTo(&u)
	for i := range b.d {
		for j := range b.d {
			w[i*b.d+j] = u.At(i, j)
		}
	}
	return true
}

// divide replaces the d×d matrix a by a W⁻¹, where W is upper triangular.
func divide(a, w []float64, d int) {
	for i := range d {
		row := a[i*d : (i+1)*d]
		for j := range row {
			row[j] /= w[j*d+j]
			for k := j + 1; k < d; k++ {
				row[k] -= row[j] * w[j*d+k]
			}
		}
	}
}

// normBound returns a bound of ‖a‖₂: the Frobenius norm, rounded up.
func normBound(a []float64) float64 {
	var sum float64
	for _, v := range a {
		sum += v * v
	}
	return math.Sqrt(sum) * (1 + 1e-9)
}
