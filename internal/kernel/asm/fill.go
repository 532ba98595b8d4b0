package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow emits the rounding of numbers to float32.
func (m machine) narrow() {
	m.function("narrow", "func(dst []float32, src []float64)", "is narrowGo, for panels.")
	dst, src, count := slice("dst"), slice("src"), Load(Param("dst").Len(), GP64())
	SHRQ(Imm(4), count)
	loop(count, func() {
		for _, disp := range parts(panel, m.width) {
			m.storeNarrow(m.load(Mem{Base: src, Disp: disp}), Mem{Base: dst, Disp: disp / 2})
		}
		ADDQ(U32(panel), src)
		ADDQ(U32(narrowPanel), dst)
	})
	m.end()
}

// storeNarrow stores a vector of float64 as float32.
func (m machine) storeNarrow(v reg.VecVirtual, to Mem) {
	if m.wide() {
		half := YMM()
		VCVTPD2PS(v, half)
		VMOVUPS(half, to)
	} else {
		half := XMM()
		VCVTPD2PSY(v, half)
		VMOVUPS(half, to)
	}
}

// sides emits what a prefilter has of every sample besides its features.
func (m machine) sides() {
	m.function("sides", "func(h, b []float32, half []float64, unit float64)", "is sidesGo, for panels.")
	h, b, half, count := slice("h"), slice("b"), slice("half"), Load(Param("h").Len(), GP64())
	SHRQ(Imm(4), count)
	unit := m.reg()
	VBROADCASTSD(NewParamAddr("unit", 72), unit)
	quarter, limit, infinity := m.load(constant("quarter")), m.load(constant("narrowLimit")), m.load(constant("infinity"))
	loop(count, func() {
		for _, disp := range parts(panel, m.width) {
			v, bound := m.load(Mem{Base: half, Disp: disp}), m.reg()
			VADDPD(v, v, bound)
			VADDPD(quarter, bound, bound)
			VMULPD(unit, bound, bound)
			within := m.compare(less, v, limit, nil)
			m.storeNarrow(m.choose(within, bound, infinity), Mem{Base: b, Disp: disp / 2})
			VSUBPD(quarter, v, v)
			m.storeNarrow(v, Mem{Base: h, Disp: disp / 2})
		}
		ADDQ(U32(panel), half)
		ADDQ(U32(narrowPanel), h)
		ADDQ(U32(narrowPanel), b)
	})
	m.end()
}

// halfSquares emits the half squared norms of a panel.
func (m machine) halfSquares() {
	m.function("halfSquares", "func(sum, z []float64)", "is halfSquaresGo.")
	z, count := slice("z"), Load(Param("z").Len(), GP64())
	SHRQ(Imm(4), count)
	half := m.load(constant("half"))
	places := parts(panel, m.width)
	sums := m.regs(len(places))
	m.zero(sums...)
	loop(count, func() {
		for i, disp := range places {
			v := m.load(Mem{Base: z, Disp: disp})
			VMULPD(v, v, v)
			VMULPD(half, v, v)
			VADDPD(v, sums[i], sums[i])
		}
		ADDQ(U32(panel), z)
	})
	sum := slice("sum")
	for i, disp := range places {
		VMOVUPD(sums[i], Mem{Base: sum, Disp: disp})
	}
	m.end()
}
