package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweep emits a sweep of rotations, two pairs of columns at a time.
func (m machine) sweep() {
	m.function("sweep", "func(columns []float64, order []int32, d int, active, floor *[8]float64)", "is sweepGo.")
	for _, disp := range parts(vector, m.width) {
		m.sweepPart(disp)
	}
	m.end()
}

// A pair is two columns, their inner products, and the rotation of them.
type pair struct {
	p, q               reg.Register
	alpha, beta, gamma reg.VecVirtual
	c, s               reg.VecVirtual
	where              mask
}

func (m machine) sweepPart(disp int) {
	labels++
	name := itoa(labels)
	active, floor := m.load(Mem{Base: value("active"), Disp: disp}), value("floor")
	none := m.reg()
	m.zero(none)
	lanes := m.compare(notEqual, active, none, nil)
	m.jumpIfNone("part"+name, lanes, lanes)
	columns, order, d := slice("columns"), slice("order"), value("d")
	count := Load(Param("order").Len(), GP64())
	SHRQ(Imm(2), count)
	line := GP64() // bytes in a column
	LEAQ(Mem{Base: d, Index: d, Scale: 1, Disp: 1}, line)
	SHLQ(Imm(6), line)

	Label("pairs" + name)
	both := [2]*pair{{}, {}}
	for i, x := range both {
		x.p = column(columns, order, line, 8*i)
		x.q = column(columns, order, line, 8*i+4)
	}
	m.products(both, d, disp)
	for _, x := range both {
		m.rotation(x, lanes, Mem{Base: floor, Disp: disp})
	}
	m.jumpIfNone("next"+name, both[0].where, both[1].where)
	m.rotate(both, d, disp)
	Label("next" + name)
	ADDQ(Imm(16), order)
	DECQ(count)
	JNZ(LabelRef("pairs" + name))
	Label("part" + name)
}

// column returns the address of the column whose number stands at order+at.
func column(columns, order, line reg.Register, at int) reg.Register {
	r := GP64()
	MOVLQSX(Mem{Base: order, Disp: at}, r)
	IMULQ(line, r)
	ADDQ(columns, r)
	return r
}

// jumpIfNone jumps if both masks are empty.
func (m machine) jumpIfNone(label string, a, b mask) {
	if m.wide() {
		KORTESTB(a.k, b.k)
		JZ(LabelRef(label))
		return
	}
	either, bits := m.reg(), GP32()
	VORPD(a.v, b.v, either)
	VMOVMSKPD(either, bits)
	TESTL(bits, bits)
	JZ(LabelRef(label))
}

// products computes α, β and γ of both pairs.
func (m machine) products(both [2]*pair, d reg.Register, disp int) {
	for _, x := range both {
		x.alpha, x.beta, x.gamma = m.reg(), m.reg(), m.reg()
		m.zero(x.alpha, x.beta, x.gamma)
	}
	k, at := copyOf(d), GP64()
	XORQ(at, at)
	loop(k, func() {
		for _, x := range both {
			p := m.load(Mem{Base: x.p, Index: at, Scale: 1, Disp: disp})
			q := m.load(Mem{Base: x.q, Index: at, Scale: 1, Disp: disp})
			VFMADD231PD(p, p, x.alpha)
			VFMADD231PD(q, q, x.beta)
			VFMADD231PD(p, q, x.gamma)
		}
		ADDQ(Imm(vector), at)
	})
}

// rotation computes where to rotate a pair, and by which cosine and sine.
func (m machine) rotation(x *pair, lanes mask, floor Mem) {
	gg, ab := m.reg(), m.reg()
	VMULPD(x.gamma, x.gamma, gg)
	VMULPD(x.alpha, x.beta, ab)
	VMULPD(constant("orthogonal"), ab, ab)
	where := m.compare(greater, gg, ab, &lanes)
	where = m.compare(greater, x.alpha, floor, &where)
	x.where = m.compare(greater, x.beta, floor, &where)

	delta, twice, h := m.reg(), m.reg(), m.reg()
	VSUBPD(x.alpha, x.beta, delta)
	VADDPD(x.gamma, x.gamma, twice)
	VMULPD(twice, twice, h)
	VFMADD231PD(delta, delta, h)
	VSQRTPD(h, h)
	sign, size, t := m.reg(), m.reg(), m.reg()
	VANDPD(constant("sign"), delta, sign)
	VXORPD(sign, delta, size)
	VADDPD(h, size, h)
	VDIVPD(h, twice, t)
	VXORPD(sign, t, t)

	one := m.load(constant("one"))
	x.c, x.s = m.reg(), m.reg()
	VMOVAPD(one, x.c)
	VFMADD231PD(t, t, x.c)
	VSQRTPD(x.c, x.c)
	VDIVPD(x.c, one, x.c)
	VMULPD(x.c, t, x.s)
	m.swap(x, delta)
}

// swap makes the larger column come first.
func (m machine) swap(x *pair, delta reg.VecVirtual) {
	zero, c := m.reg(), m.reg()
	m.zero(zero)
	up := m.compare(greater, delta, zero, nil)
	VXORPD(constant("sign"), x.c, c)
	x.c, x.s = m.choose(up, x.s, x.c), m.choose(up, c, x.s)
}

// rotate applies both rotations.
func (m machine) rotate(both [2]*pair, d reg.Register, disp int) {
	k, at := copyOf(d), GP64()
	ADDQ(k, k)
	XORQ(at, at)
	loop(k, func() {
		for _, x := range both {
			p := Mem{Base: x.p, Index: at, Scale: 1, Disp: disp}
			q := Mem{Base: x.q, Index: at, Scale: 1, Disp: disp}
			m.rotateEntry(x, p, q)
		}
		ADDQ(Imm(vector), at)
	})
}

// rotateEntry computes p ← c p − s q and q ← c q + s p where the pair says.
func (m machine) rotateEntry(x *pair, p, q Mem) {
	vp, vq := m.load(p), m.load(q)
	np, nq := m.reg(), m.reg()
	if m.wide() {
		VMOVAPD(vp, np)
		VMOVAPD(vq, nq)
		VMULPD(x.c, vp, x.where.k, np)
		VMULPD(x.c, vq, x.where.k, nq)
		VFNMADD231PD(vq, x.s, x.where.k, np)
		VFMADD231PD(vp, x.s, x.where.k, nq)
	} else {
		VMULPD(x.c, vp, np)
		VMULPD(x.c, vq, nq)
		VFNMADD231PD(vq, x.s, np)
		VFMADD231PD(vp, x.s, nq)
		VBLENDVPD(x.where.v, np, vp, np)
		VBLENDVPD(x.where.v, nq, vq, nq)
	}
	VMOVUPD(np, p)
	VMOVUPD(nq, q)
}
