package kernel

import (
	"fmt"
	"math"
)

// A Sieve holds mapped samples a second time, in float32, so that Near can
// decide most pairs at twice the speed. It changes no bit: a pair whose value
// in float32 is nearer to 0 than a bound of all rounding is decided in float64.
type Sieve struct {
	n, d int       // what it was filled with; n = 0: nothing
	z, h []float32 // panels of z and of h − 1/4
	b    []float32 // b_i + b_j bounds the error of the value of (i, j)
}

// sieveLimit bounds the half squared norms that are told apart in float32:
// nothing overflows below it.
const sieveLimit = 0x1p100

// Fill makes s the sieve of the mapped samples z with half squared norms h, as
// Map gives them.
//
// The value of a pair starts from (h_i − 1/4) + (h_j − 1/4), each term rounded to
// float32, and goes on as in Near. With u = 2⁻²⁴, all its roundings and those of
// Near come to less than
//
//	1.01 (d + 4) u (h_i + h_j + 1/2 + Σ_k |z_ik z_jk|),  Σ_k |z_ik z_jk| ≤ h_i + h_j
//
// up to rounding in float64. b_i = 1.05 (d + 8) u (2 h_i + 1/4) leaves room for
// that, for its own rounding and for underflow; where numbers might overflow or
// are none it is +Inf, which leaves every pair to float64. At a level without a
// sieve s becomes empty and is as good as none.
func (s *Sieve) Fill(z, h []float64, n, d int) {
	s.n, s.d = n, d
	if active.sieve == nil {
		s.n = 0
		return
	}
	s.z, s.h, s.b = room(s.z, PanelLen(n, d)), room(s.h, PanelLen(n, 1)), room(s.b, PanelLen(n, 1))
	for i, v := range z[:len(s.z)] {
		s.z[i] = float32(v)
	}
	unit := 1.05 * float64(d+8) * 0x1p-24
	for i, v := range h[:len(s.h)] {
		s.h[i], s.b[i] = float32(v-0.25), float32(unit*(2*v+0.25))
		if !(v < sieveLimit) {
			s.b[i] = float32(math.Inf(1))
		}
	}
}

func room(v []float32, n int) []float32 {
	if cap(v) < n {
		return make([]float32, n)
	}
	return v[:n]
}

// check panics if a sieve is of other samples than n of d features.
func (s *Sieve) check(n, d int) {
	if s != nil && s.n > 0 && (s.n != n || s.d != d) {
		panic(fmt.Sprintf("kernel: a sieve of %d×%d for %d×%d samples", s.n, s.d, n, d))
	}
}

// nearRun is near for a run of tiles of tile row t from tile p on, through the
// sieve if there is one.
func (v *level) nearRun(masks []uint64, z, h []float64, s *Sieve, d, t, p int) {
	end, at, lane := p+len(masks), t/4*Panel, t%4*TileRow
	if s != nil && s.n > 0 && v.sieve != nil {
		doubt := v.sieve(masks, s.z[at*d+lane:], s.h[at+lane:], s.b[at+lane:],
			s.z[p*Panel*d:end*Panel*d], s.h[p*Panel:end*Panel], s.b[p*Panel:end*Panel], d)
		if doubt == 0 {
			return
		}
	}
	v.near(masks, z[at*d+lane:], h[at+lane:], z[p*Panel*d:end*Panel*d], h[p*Panel:end*Panel], d)
}
