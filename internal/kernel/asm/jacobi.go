package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweep emits a sweep of rotations, two pairs of columns at a time.
func (m machine) sweep() {
	m.function("sweep", "func(columns []float64, pairs, quads []int32, d int, active, floor *[8]float64)", "is sweepGo.")
	var both duo
	for i := range both {
		both[i] = &pair{i: 2 * i, j: 2*i + 1, p: GP64(), q: GP64(), alpha: m.reg(), beta: m.reg(), gamma: m.reg()}
	}
	for _, disp := range parts(vector, m.width) {
		m.sweepPart(both, disp)
	}
	m.end()
}

func (m machine) sweepPart(both duo, disp int) {
	none, swept := m.reg(), newLabel("swept")
	m.zero(none)
	lanes := m.compare(notEqual, m.load(Mem{Base: value("active"), Disp: disp}), none, nil)
	m.jumpIfNone(swept, lanes, lanes)
	forColumns("pairs", both, func() { m.round(both, lanes, disp) })
	forColumns("quads", both, func() {
		if m.wide() {
			m.quad(both, lanes)
			return
		}
		m.round(both, lanes, disp)
		m.round(both.crossed(), lanes, disp)
	})
	Label(swept)
}

// A pair is two columns, their inner products, and the rotation of them.
type pair struct {
	p, q               reg.GPVirtual
	i, j               int // their places in a row of four columns
	alpha, beta, gamma reg.VecVirtual
	c, s               reg.VecVirtual
	where              mask
}

// A duo is two disjoint pairs, rotated side by side.
type duo [2]*pair

// crossed returns the pairs of p1 and q2, and of p2 and q1, with the same registers.
func (both duo) crossed() duo {
	one, two := *both[0], *both[1]
	one.q, two.q = two.q, one.q
	one.j, two.j = two.j, one.j
	one.beta, two.beta = two.beta, one.beta
	return duo{&one, &two}
}

// forColumns emits body for every four columns p1, q1, p2, q2 of a list.
func forColumns(list string, both duo, body func()) {
	order, count := slice(list), Load(Param(list).Len(), GP64())
	done := newLabel("done")
	SHRQ(Imm(2), count)
	JZ(LabelRef(done))
	loop(count, func() {
		columnsAt(both, order)
		body()
		ADDQ(Imm(16), order)
	})
	Label(done)
}

// columnsAt sets the addresses of the columns whose numbers stand at order.
func columnsAt(both duo, order reg.Register) {
	columns, d := slice("columns"), value("d")
	line := GP64() // bytes in a column
	LEAQ(Mem{Base: d, Index: d, Scale: 1, Disp: 1}, line)
	SHLQ(Imm(6), line)
	for i, x := range both {
		for j, r := range []reg.GPVirtual{x.p, x.q} {
			MOVLQSX(Mem{Base: order, Disp: 8*i + 4*j}, r)
			IMULQ(line, r)
			ADDQ(columns, r)
		}
	}
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

// round rotates both pairs: a pass for the inner products, a pass for the rotation.
func (m machine) round(both duo, lanes mask, disp int) {
	still := newLabel("still")
	m.sums(both, disp)
	m.rotations(both, lanes, disp)
	m.jumpIfNone(still, both[0].where, both[1].where)
	m.rotate(inW, disp, both)
	m.rotate(inV, disp, both)
	Label(still)
}

// quad does the rounds of both and of both crossed. One pass sums the inner products of
// all. Where the first round rotates W, it sums those of the second anew on its way, and V
// is rotated twice in one pass.
func (m machine) quad(both duo, lanes mask) {
	next := both.crossed()
	for _, x := range next {
		x.gamma = m.reg()
	}
	still, settled, done := newLabel("still"), newLabel("settled"), newLabel("done")
	m.clear(both)
	m.zero(next[0].gamma, next[1].gamma)
	inW.rows(func(at reg.Register) {
		v := m.row(both, at, 0)
		both.sum(v)
		for _, x := range next {
			VFMADD231PD(v[x.i], v[x.j], x.gamma)
		}
	})
	m.rotations(both, lanes, 0)
	m.jumpIfNone(still, both[0].where, both[1].where)
	m.rotateAndSum(both, next)
	Label(still)
	m.rotations(next, lanes, 0)
	m.jumpIfNone(settled, next[0].where, next[1].where)
	m.rotate(inW, 0, next)
	Label(settled)
	one, two := K(), K()
	KORB(both[0].where.k, both[1].where.k, one)
	KORB(next[0].where.k, next[1].where.k, two)
	m.jumpIfNone(done, mask{k: one}, mask{k: two})
	m.rotateTwice(both, next)
	Label(done)
}

// A half of the columns: W, or V below it.
type half int

const (
	inW half = iota
	inV
)

// rows emits body for every row of the half; at is its offset.
func (h half) rows(body func(at reg.Register)) {
	d, at := value("d"), GP64()
	XORQ(at, at)
	if h == inV {
		MOVQ(d, at)
		SHLQ(Imm(6), at)
	}
	loop(d, func() {
		body(at)
		ADDQ(Imm(vector), at)
	})
}

// sums computes α, β and γ of both pairs.
func (m machine) sums(both duo, disp int) {
	m.clear(both)
	inW.rows(func(at reg.Register) { both.sum(m.row(both, at, disp)) })
}

func (m machine) clear(both duo) {
	for _, x := range both {
		m.zero(x.alpha, x.beta, x.gamma)
	}
}

// sum adds the products of a row.
func (both duo) sum(v [4]reg.VecVirtual) {
	for _, x := range both {
		p, q := v[x.i], v[x.j]
		VFMADD231PD(p, p, x.alpha)
		VFMADD231PD(q, q, x.beta)
		VFMADD231PD(p, q, x.gamma)
	}
}

// rotations computes where to rotate both pairs, and by which cosines and sines.
func (m machine) rotations(both duo, lanes mask, disp int) {
	for _, x := range both {
		m.rotation(x, lanes, Mem{Base: value("floor"), Disp: disp})
	}
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

// rotate applies the rotations of both pairs.
func (m machine) rotate(in half, disp int, both duo) {
	in.rows(func(at reg.Register) {
		for _, x := range both {
			p, q := x.places(at, disp)
			np, nq := m.rotated(x, m.load(p), m.load(q))
			VMOVUPD(np, p)
			VMOVUPD(nq, q)
		}
	})
}

// rotateTwice applies the rotations of both to V, and then those of next, which are of
// the same columns.
func (m machine) rotateTwice(both, next duo) {
	inV.rows(func(at reg.Register) {
		v := m.row(both, at, 0)
		m.rotateRow(both, &v)
		m.rotateRow(next, &v)
		setRow(both, at, v)
	})
}

// rotateAndSum rotates W, and computes α, β and γ of the next pairs of the same columns.
func (m machine) rotateAndSum(both, next duo) {
	m.clear(next)
	inW.rows(func(at reg.Register) {
		v := m.row(both, at, 0)
		m.rotateRow(both, &v)
		setRow(both, at, v)
		next.sum(v)
	})
}

// places are those of an entry of both columns.
func (x *pair) places(at reg.Register, disp int) (p, q Mem) {
	return Mem{Base: x.p, Index: at, Scale: 1, Disp: disp}, Mem{Base: x.q, Index: at, Scale: 1, Disp: disp}
}

// row loads the entries of a row.
func (m machine) row(both duo, at reg.Register, disp int) (v [4]reg.VecVirtual) {
	for _, x := range both {
		p, q := x.places(at, disp)
		v[x.i], v[x.j] = m.load(p), m.load(q)
	}
	return v
}

func setRow(both duo, at reg.Register, v [4]reg.VecVirtual) {
	for _, x := range both {
		p, q := x.places(at, 0)
		VMOVUPD(v[x.i], p)
		VMOVUPD(v[x.j], q)
	}
}

func (m machine) rotateRow(both duo, v *[4]reg.VecVirtual) {
	for _, x := range both {
		v[x.i], v[x.j] = m.rotated(x, v[x.i], v[x.j])
	}
}

// rotated computes p ← c p − s q and q ← c q + s p where the pair says.
func (m machine) rotated(x *pair, p, q reg.VecVirtual) (np, nq reg.VecVirtual) {
	np, nq = m.reg(), m.reg()
	if m.wide() {
		VMOVAPD(p, np)
		VMOVAPD(q, nq)
		VMULPD(x.c, p, x.where.k, np)
		VMULPD(x.c, q, x.where.k, nq)
		VFNMADD231PD(q, x.s, x.where.k, np)
		VFMADD231PD(p, x.s, x.where.k, nq)
		return np, nq
	}
	VMULPD(x.c, p, np)
	VMULPD(x.c, q, nq)
	VFNMADD231PD(q, x.s, np)
	VFMADD231PD(p, x.s, nq)
	VBLENDVPD(x.where.v, np, p, np)
	VBLENDVPD(x.where.v, nq, q, nq)
	return np, nq
}
