package kernel

import (
	"fmt"
	"math/bits"
)

// A Prefilter holds a float32 copy of mapped samples. With it Near decides most pairs
// in float32, at twice the speed. No bit changes: if the float32 value of a pair is
// within its rounding errors of 0, the tile is decided in float64. A Prefilter counts
// such tiles, so it is not safe for concurrent use.
type Prefilter struct {
	n, d int       // numbers of samples and features; n = 0: empty
	z, h []float32 // panels of z and of h − 1/4
	b    []float32 // b_i + b_j bounds the error of the value of (i, j)

	first int       // features after which a tile may be decided, see FillTurned; 0: all
	side  []float32 // if first > 0, by panels: h, b, and bounds for values of the first features
	tail  []float64 // if first > 0: half the squared norm of the features after the first ones

	tiles, doubtful int // tiles since the last Fill, and those of them decided in float64
}

// prefilterLimit bounds the half squared norms that are compared in float32:
// nothing overflows below it.
const prefilterLimit = 0x1p100

// Fill sets the mapped samples z and their half squared norms h, from Map.
//
// The value of a pair starts from (h_i − 1/4) + (h_j − 1/4), each term rounded to
// float32, and continues as in Near. With u = 2⁻²⁴, all its roundings and those of
// Near sum to less than
//
//	1.01 (d + 4) u (h_i + h_j + 1/2 + Σ_k |z_ik z_jk|),  Σ_k |z_ik z_jk| ≤ h_i + h_j
//
// up to rounding in float64. The bound b_i = 1.05 (d + 8) u (2 h_i + 1/4) also
// covers its own rounding and underflow. It is +Inf if numbers might overflow or are
// NaN, so that every pair is decided in float64. On a level without a float32 kernel
// Fill empties f, which has the same effect as nil.
func (f *Prefilter) Fill(z, h []float64, n, d int) {
	f.n, f.d, f.first = n, d, 0
	f.tiles, f.doubtful = 0, 0
	if active.prefilter == nil {
		f.n = 0
		return
	}
	f.z, f.h, f.b = resized(f.z, PanelLen(n, d)), resized(f.h, PanelLen(n, 1)), resized(f.b, PanelLen(n, 1))
	active.narrow(f.z, z[:len(f.z)])
	active.sides(f.h, f.b, h[:len(f.h)], 1.05*float64(d+8)*0x1p-24)
}

// FillTurned is Fill for samples in other coordinates: turned = Q z, from Map, with an
// orthogonal matrix Q, ‖QᵀQ − I‖ ≤ TurnTolerance. The values of turned and of z then
// differ by far less than the rounding of float32. A tile is decided after the first
// features of turned, 0 < first ≤ d, if the others cannot change the result: with
// r_i² = Σ_{k ≥ first} turned_ik²,
//
//	|Σ_{k ≥ first} turned_ik turned_jk| ≤ r_i r_j ≤ r_i²/2 + r_j²/2
//
// So Q should have the directions with the largest squares first.
func (f *Prefilter) FillTurned(turned, h []float64, n, d, first int) {
	f.Fill(turned, h, n, d)
	if f.n == 0 || first == d {
		return
	}
	f.first = first
	f.tail, f.side = resized(f.tail, PanelLen(n, 1)), resized(f.side, PanelLen(n, 3))
	for p := range Panels(n) {
		tail := f.tail[p*Panel:][:Panel]
		active.halfSquares(tail, turned[(p*d+first)*Panel:(p+1)*d*Panel])
		h, b, early := f.side[3*p*Panel:][:Panel], f.side[(3*p+1)*Panel:][:Panel], f.side[(3*p+2)*Panel:][:Panel]
		copy(h, f.h[p*Panel:])
		copy(b, f.b[p*Panel:])
		for j, v := range tail {
			early[j] = float32((float64(b[j]) + v) * (1 + 0x1p-20))
		}
	}
}

// TurnTolerance is the largest ‖QᵀQ − I‖ for FillTurned.
const TurnTolerance = 1e-9

// Late counts the tiles of one in every tile rows, and those of them that the first features
// do not decide. AVX-512 decides pairs of neighboring tiles, so both count if one does.
func (f *Prefilter) Late(masks []uint64, every int) (late, of int) {
	for t := 0; t < TileRows(f.n); t += every {
		tiles := t/4 + 1
		for p := 0; p < tiles; p += runTiles {
			_, some := f.early(masks[:min(runTiles, tiles-p)], t, p)
			late += int(some)
		}
		of += tiles
	}
	return late, of
}

// early decides the tiles of a run by their first features if possible. It returns the undecided
// tiles, the first at bit 0, and the number of late ones.
func (f *Prefilter) early(masks []uint64, t, p int) (doubt uint64, late int64) {
	at, lane, end := t/4*Panel, t%4*TileRow, p+len(masks)
	doubt, late = active.prefilterEarly(masks, f.z[at*f.d+lane:], f.side[3*at+lane:], f.z[p*Panel*f.d:end*Panel*f.d], f.side[3*p*Panel:3*end*Panel], f.d, f.first)
	return ascending(doubt, len(masks)), late
}

// ascending reverses the n lowest bits of a word.
func ascending(word uint64, n int) uint64 { return bits.Reverse64(word) >> (runTiles - n) }

// Doubt returns the share of tiles since the last Fill that were decided in float64. AVX-512
// decides pairs of neighboring tiles, so both count if one does.
func (f *Prefilter) Doubt() float64 { return float64(f.doubtful) / float64(max(1, f.tiles)) }

// Prefilters reports whether the level in use has a float32 kernel. Without one a
// Prefilter has no effect.
func Prefilters() bool { return active.prefilter != nil }

func resized[T float32 | float64](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// check panics if f was not filled with n samples of d features.
func (f *Prefilter) check(n, d int) {
	if f != nil && f.n > 0 && (f.n != n || f.d != d) {
		panic(fmt.Sprintf("kernel: a prefilter of %d×%d for %d×%d samples", f.n, f.d, n, d))
	}
}

// used reports whether f is filled and the level has a kernel for it.
func (f *Prefilter) used() bool { return f != nil && f.n > 0 && active.prefilter != nil }

// runTiles is the largest number of tiles of a call of a float32 kernel.
const runTiles = 64

// nearRun is near for a run of tiles of tile row t from tile p on, through the
// prefilter if there is one.
func nearRun(masks []uint64, z, h []float64, f *Prefilter, d, t, p int) {
	if !f.used() {
		nearExact(masks, z, h, d, t, p)
		return
	}
	for len(masks) > 0 {
		run := masks[:min(runTiles, len(masks))]
		doubt := f.narrowRun(run, t, p)
		f.tiles, f.doubtful = f.tiles+len(run), f.doubtful+bits.OnesCount64(doubt)
		for doubt != 0 {
			from := bits.TrailingZeros64(doubt)
			to := from + bits.TrailingZeros64(^(doubt >> from))
			nearExact(run[from:to], z, h, d, t, p+from)
			doubt &^= 1<<to - 1
		}
		masks, p = masks[len(run):], p+len(run)
	}
}

// nearExact is nearRun in float64.
func nearExact(masks []uint64, z, h []float64, d, t, p int) {
	end, at, lane := p+len(masks), t/4*Panel, t%4*TileRow
	active.near(masks, z[at*d+lane:], h[at+lane:], z[p*Panel*d:end*Panel*d], h[p*Panel:end*Panel], d)
}

// narrowRun sets the masks of at most runTiles tiles in float32 and returns the undecided
// tiles, the first at bit 0.
func (f *Prefilter) narrowRun(masks []uint64, t, p int) (doubt uint64) {
	if f.first > 0 {
		doubt, _ = f.early(masks, t, p)
		return doubt
	}
	end, at, lane := p+len(masks), t/4*Panel, t%4*TileRow
	doubt = active.prefilter(masks, f.z[at*f.d+lane:], f.h[at+lane:], f.b[at+lane:],
		f.z[p*Panel*f.d:end*Panel*f.d], f.h[p*Panel:end*Panel], f.b[p*Panel:end*Panel], f.d, Panel)
	return ascending(doubt, len(masks))
}
