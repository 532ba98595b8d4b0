package kernel

import (
	"fmt"
	"math"
)

// A Prefilter holds mapped samples a second time, in float32. Near then decides
// most pairs in float32, at twice the speed. No bit changes: where the float32
// value of a pair is within a bound of its rounding errors from 0, the pair is
// decided in float64.
type Prefilter struct {
	n, d int       // what it was filled with; n = 0: nothing
	z, h []float32 // panels of z and of h − 1/4
	b    []float32 // b_i + b_j bounds the error of the value of (i, j)
}

// prefilterLimit bounds the half squared norms that are compared in float32:
// nothing overflows below it.
const prefilterLimit = 0x1p100

// Fill makes f the prefilter of the mapped samples z with half squared norms h,
// as Map gives them.
//
// The value of a pair starts from (h_i − 1/4) + (h_j − 1/4), each term rounded to
// float32, and goes on as in Near. With u = 2⁻²⁴, all its roundings and those of
// Near come to less than
//
//	1.01 (d + 4) u (h_i + h_j + 1/2 + Σ_k |z_ik z_jk|),  Σ_k |z_ik z_jk| ≤ h_i + h_j
//
// up to rounding in float64. The bound b_i = 1.05 (d + 8) u (2 h_i + 1/4) also
// covers its own rounding and underflow. It is +Inf where numbers might overflow
// or are NaN, so that every pair is decided in float64. At a level without a
// float32 kernel f becomes empty, which has the same effect as nil.
func (f *Prefilter) Fill(z, h []float64, n, d int) {
	f.n, f.d = n, d
	if active.prefilter == nil {
		f.n = 0
		return
	}
	f.z, f.h, f.b = resized(f.z, PanelLen(n, d)), resized(f.h, PanelLen(n, 1)), resized(f.b, PanelLen(n, 1))
	for i, v := range z[:len(f.z)] {
		f.z[i] = float32(v)
	}
	unit := 1.05 * float64(d+8) * 0x1p-24
	for i, v := range h[:len(f.h)] {
		f.h[i], f.b[i] = float32(v-0.25), float32(unit*(2*v+0.25))
		if !(v < prefilterLimit) {
			f.b[i] = float32(math.Inf(1))
		}
	}
}

func resized(v []float32, n int) []float32 {
	if cap(v) < n {
		return make([]float32, n)
	}
	return v[:n]
}

// check panics if f is of other samples than n of d features.
func (f *Prefilter) check(n, d int) {
	if f != nil && f.n > 0 && (f.n != n || f.d != d) {
		panic(fmt.Sprintf("kernel: a prefilter of %d×%d for %d×%d samples", f.n, f.d, n, d))
	}
}

// nearRun is near for a run of tiles of tile row t from tile p on, through the
// prefilter if there is one.
func (v *level) nearRun(masks []uint64, z, h []float64, f *Prefilter, d, t, p int) {
	end, at, lane := p+len(masks), t/4*Panel, t%4*TileRow
	if f != nil && f.n > 0 && v.prefilter != nil {
		doubt := v.prefilter(masks, f.z[at*d+lane:], f.h[at+lane:], f.b[at+lane:],
			f.z[p*Panel*d:end*Panel*d], f.h[p*Panel:end*Panel], f.b[p*Panel:end*Panel], d, Panel)
		if doubt == 0 {
			return
		}
	}
	v.near(masks, z[at*d+lane:], h[at+lane:], z[p*Panel*d:end*Panel*d], h[p*Panel:end*Panel], d)
}
