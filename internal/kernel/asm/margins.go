package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// values emits the tile kernel that keeps the values themselves.
func (m machine) values() {
	m.function("values", "func(e, zi, hi, z, h []float64, d int)", "is valuesGo.")
	e, count := slice("e"), Load(Param("e").Len(), GP64())
	SHRQ(Imm(6), count)
	zi, z, h, d := slice("zi"), slice("z"), slice("h"), value("d")
	rows := m.tileRows(slice("hi"))
	loop(count, func() {
		column := z
		for _, disp := range parts(panel, 2*m.width) {
			var v []reg.VecVirtual
			v, column = m.tileValues(rows, zi, z, h, d, disp)
			for i, x := range v {
				VMOVUPD(x, Mem{Base: e, Disp: i/2*panel + disp + i%2*m.width})
			}
		}
		MOVQ(column, z)
		ADDQ(Imm(panel), h)
		ADDQ(U32(tileRow*panel), e)
	})
	m.end()
}

// margins emits the least margin of the marked pairs of each tile.
func (m machine) margins() {
	m.function("margins", "func(margins []float64, masks []uint64, e, ex []float64, rounding, base float64)", "is marginsGo.")
	to, count := slice("margins"), Load(Param("margins").Len(), GP64())
	masks, e, ex := slice("masks"), slice("e"), slice("ex")
	rounding, base := m.parameter("rounding"), m.parameter("base")
	one, sign, none := m.load(constant("one")), m.load(constant("sign")), m.reg()
	m.zero(none)
	loop(count, func() {
		word, least := m.reg(), m.load(constant("infinity"))
		VPBROADCASTQ(Mem{Base: masks}, word)
		for _, disp := range parts(tileRow*panel, m.width) {
			v := m.squaredMargin(m.load(Mem{Base: e, Disp: disp}), Mem{Base: ex, Disp: disp}, rounding, base, one, sign, none)
			bits := NewDataAddr(Symbol{Name: "places", Static: true}, disp)
			m.minimum(least, v, word, bits)
		}
		m.storeLeast(least, to)
		ADDQ(Imm(8), to)
		ADDQ(Imm(8), masks)
		ADDQ(U32(tileRow*panel), e)
		ADDQ(U32(tileRow*panel), ex)
	})
	m.end()
}

// parameter returns the vector of copies of a float64 parameter.
func (m machine) parameter(name string) reg.VecVirtual {
	r := m.reg()
	VBROADCASTSD(NewParamAddr(name, paramOffset[name]), r)
	return r
}

// paramOffset is where the float64 parameters of margins stand: behind four
// slices.
var paramOffset = map[string]int{"rounding": 96, "base": 104}

// squaredMargin computes the squared margins of a vector of pairs, with the names
// of squaredMargin in Go.
func (m machine) squaredMargin(v reg.VecVirtual, vx Mem, rounding, base, one, sign, none reg.VecVirtual) reg.VecVirtual {
	side, q, root := m.reg(), m.reg(), m.reg()
	VANDPD(sign, v, side)
	VXORPD(side, v, q)
	VADDPD(q, q, q)
	VSUBPD(rounding, q, q)
	VMAXPD(none, q, q)
	VORPD(side, q, root)
	VADDPD(one, root, root)
	VSQRTPD(root, root)
	VADDPD(one, root, root)
	VFNMADD231PD(root, rounding, q)
	VMAXPD(none, q, q)
	VMULPD(q, q, q)
	far := m.load(vx)
	VADDPD(far, far, far)
	VADDPD(base, far, far)
	VMULPD(root, root, root)
	VMULPD(far, root, root)
	VDIVPD(root, q, q)
	return q
}

// minimum lowers least to v where word has one of the given bits.
func (m machine) minimum(least, v, word reg.VecVirtual, bits Mem) {
	if m.wide() {
		k := K()
		VPTESTMQ(bits, word, k)
		VMINPD(v, least, k, least)
		return
	}
	place, marked := m.reg(), m.reg()
	VMOVDQU(bits, place)
	VPAND(place, word, marked)
	VPCMPEQQ(place, marked, marked)
	VMINPD(v, least, v)
	VBLENDVPD(marked, v, least, least)
}

// storeLeast stores the root of the smallest element of a vector.
func (m machine) storeLeast(v reg.VecVirtual, to reg.Register) {
	if m.wide() {
		high := YMM()
		VEXTRACTF64X4(Imm(1), v, high)
		VMINPD(high, v.AsY(), v.AsY())
	}
	high := XMM()
	VEXTRACTF128(Imm(1), v.AsY(), high)
	VMINPD(high, v.AsX(), v.AsX())
	VPERMILPD(Imm(1), v.AsX(), high)
	VMINSD(high, v.AsX(), v.AsX())
	VSQRTSD(v.AsX(), v.AsX(), v.AsX())
	VMOVSD(v.AsX(), Mem{Base: to})
}
