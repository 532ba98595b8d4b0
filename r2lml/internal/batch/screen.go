package batch

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// A screen lets a lane skip the tiles of pairs that cannot have crossed distance 1 since a
// reference map L₀. At L₀ it measures the margin of every tile, see kernel.Margins. For any regular
// matrix W,
//
//	| |L D| − |L₀ D| | ≤ ‖(L − L₀) W⁻¹‖₂ |W D|
//
// A tile keeps its bits while its margin is above a bound of the displacement
// ‖(L − L₀) W⁻¹‖₂. Margins allow for all rounding, so that the descent has the
// same bits as without a screen. The other tiles are active.
//
// WᵀW is ΔᵀΔ, where Δ is the last change of the map, plus a small multiple of
// the identity. While the map goes on in that direction, pairs that move slowly
// keep wide margins for many iterations.
//
// Taking a reference costs as much as several passes over all tiles. The screen drops it when the
// active tiles cost more than an average iteration since it was taken. Before it takes one, it
// predicts the cost from the margins of a sample of tiles and the last change of the map. All
// decisions depend on counts, never on time.
type screen struct {
	last         []float64 // the map of the previous iteration
	ref          []float64 // L₀
	limit        float64   // ‖L₀‖, the largest ‖L − L₀‖ for which margins cover the rounding
	w            []float64 // W, upper triangular
	margins      []float64 // of every tile at L₀
	displacement float64   // the largest displacement since: a tile that was active once may have other bits than at L₀

	age   int     // iterations since L₀ was taken, including that one; 0: no reference
	spent float64 // cost of these iterations, in tiles
	pause int     // iterations until a reference is considered again
}

const (
	// sampleRows: the sample of margins takes one in sampleRows tile rows.
	sampleRows = 32
	// pauseIterations is the number of iterations between two samples.
	pauseIterations = 8
	// worthwhile is the largest predicted cost at which a reference is taken.
	worthwhile = 0.8
	// scanCost is the cost of finding the active tiles, in passes over all tiles.
	scanCost = 1.0 / 16
	// roundingFactor bounds the rounding errors of squared distances: in units of
	// the last place, by roundingFactor (D + 4) (1 + ρ²) where no mapped sample is
	// longer than ρ. They come to (14 D + 6) ρ² + D + 4 at the reference and,
	// with ρ twice as large, to four times that later.
	roundingFactor = 128
	// roundingLimit is the bound above which no reference is taken.
	roundingLimit = 1.0 / 16
)

// roundingBound bounds the rounding errors of squared distances.
func roundingBound(d int, rho float64) float64 {
	return roundingFactor * 0x1p-52 * float64(d+4) * (1 + rho*rho)
}

// tileCosts returns the cost per tile of taking a reference, and the cost of an active tile, in
// units of a tile in a full pass. Both were measured on AVX-512. A prefilter makes a full pass
// cheaper: of several pairs of factors, these took least time on the data sets with more than 4000
// samples. Margins in float32 cost a third of that, but counting them as less saved no time.
func tileCosts(d int, prefilter bool) (reference, picked float64) {
	width := float64(d + 6)
	reference, picked = 2+36/width, 1+15/width
	if prefilter {
		return 3 * reference, 2 * picked
	}
	return reference, picked
}

// reset drops the reference.
func (s *screen) reset() {
	s.last = s.last[:0]
	s.age, s.pause = 0, 0
}

// activeTiles returns the tiles to test under the map b.l. It returns false if all must be tested.
func (b *scan) activeTiles(l *lane) ([]int32, bool) {
	s := &l.screen
	if s.age == 0 {
		return nil, false
	}
	size := float64(len(s.margins))
	_, picked := tileCosts(b.d, b.prefilters(l))
	for i, v := range b.l {
		b.move[i] = v - s.ref[i]
	}
	if !(normBound(b.move) <= s.limit) {
		s.age = 0
		return nil, false
	}
	divide(b.move, s.w, b.d)
	s.displacement = max(s.displacement, normBound(b.move))
	count := kernel.ActiveTiles(b.tiles, s.margins, s.displacement)
	cost := picked*float64(count) + scanCost*size
	s.age++
	s.spent += min(cost, size)
	if cost >= size || cost*float64(s.age) > s.spent {
		s.age = 0
	}
	return b.tiles[:count], cost < size
}

// setReference takes the map b.l as the reference of a lane if that is predicted to pay.
func (b *scan) setReference(l *lane) {
	s := &l.screen
	if len(b.now) < b.screenTiles {
		return
	}
	if s.age == 0 && s.pause == 0 {
		b.considerReference(l)
	}
	s.pause = max(0, s.pause-1)
	s.last = append(s.last[:0], b.l...)
}

// considerReference predicts the cost of the reference b.l from a sample of margins, and takes it
// or pauses the screen.
func (b *scan) considerReference(l *lane) {
	s := &l.screen
	s.pause = pauseIterations
	s.w = resized(s.w, len(b.l))
	if len(s.last) == 0 || !b.directionWeight(s.w, s.last) {
		return
	}
	s.limit = normBound(b.l)
	rounding, roundingX := roundingBound(b.d, s.limit*b.radius), roundingBound(b.d, normBound(s.w)*b.radius)
	if !(rounding <= roundingLimit && roundingX <= roundingLimit) {
		return
	}
	s.margins = resized(s.margins, len(b.now))
	kernel.Map(b.zw, b.hw, b.panels, s.w, b.n, b.d)
	b.tileMargins.Fill(b.z, b.h, b.zw, b.hw, b.n, b.d, rounding, roundingX)
	b.tileMargins.Measure(s.margins, l.fit.Pairs.dissimilar, sampleRows)
	reference, picked := tileCosts(b.d, b.prefilters(l))
	// b.move still holds Δ.
	divide(b.move, s.w, b.d)
	if predictedCost(sampled(s.margins, kernel.TileRows(b.n)), normBound(b.move), reference, picked) > worthwhile {
		return
	}
	b.tileMargins.Measure(s.margins, l.fit.Pairs.dissimilar, 1)
	s.ref = append(s.ref[:0], b.l...)
	s.age, s.pause, s.displacement = 1, 0, 0
	s.spent = (1 + reference) * float64(len(s.margins))
}

// sampled returns the margins of one in sampleRows tile rows.
func sampled(margins []float64, rows int) (sample []float64) {
	for t := 0; t < rows; t += sampleRows {
		sample = append(sample, margins[kernel.TileOffset(t):kernel.TileOffset(t+1)]...)
	}
	return sample
}

// predictedCost returns the least average cost of an iteration with a reference, in passes over all
// tiles, if every iteration moves the map by displacement.
func predictedCost(sample []float64, displacement, reference, picked float64) float64 {
	best, spent := math.Inf(1), 1+reference
	for from, to := 1, 2; to <= 256; from, to = to, 2*to {
		count := 0
		for _, margin := range sample {
			if !(margin > displacement*float64(to-1)) {
				count++
			}
		}
		active := picked*float64(count)/float64(len(sample)) + scanCost
		spent += float64(to-from) * min(active, 1)
		best = min(best, spent/float64(to))
	}
	return best
}

// ridge is the multiple of the identity in WᵀW, beside a ΔᵀΔ of trace 1. It
// keeps W well-conditioned, so that solving with it costs no digits that
// normBound does not cover.
const ridge = 1e-3

// directionWeight sets w to W, and b.move to Δ, for a descent that moved from the map last to b.l.
// It returns false if Δ is 0 or numbers overflow.
func (b *scan) directionWeight(w, last []float64) bool {
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

// divide replaces the d×d matrix a by a W⁻¹, W upper triangular.
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

// normBound returns an upper bound of ‖a‖₂: the Frobenius norm, rounded up.
func normBound(a []float64) float64 {
	var sum float64
	for _, v := range a {
		sum += v * v
	}
	return math.Sqrt(sum) * (1 + 1e-9)
}
