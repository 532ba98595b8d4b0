package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// shrink emits Ψ and the residual.
func (m machine) shrink() {
	m.function("shrink", "func(psi, g, root []float64, d int, tau, floor, bound *[8]float64, r *[5][8]float64)", "is shrinkGo.")
	for _, disp := range parts(vector, m.width) {
		m.shrinkDiagonal(disp)
		m.shrinkPairs(disp)
	}
	m.end()
}

func (m machine) shrinkDiagonal(disp int) {
	psi, g, root, k := slice("psi"), slice("g"), slice("root"), value("d")
	next := copyOf(k) // bytes from one diagonal entry to the next
	INCQ(next)
	SHLQ(Imm(6), next)
	tau, floor := m.load(Mem{Base: value("tau"), Disp: disp}), m.load(Mem{Base: value("floor"), Disp: disp})
	one, nuclear := m.load(constant("one")), m.reg()
	m.zero(nuclear)
	loop(k, func() {
		x, sigma, inverse := m.load(Mem{Base: g, Disp: disp}), m.reg(), m.reg()
		counts := m.compare(greater, x, floor, nil)
		VSQRTPD(x, sigma)
		m.keep(counts, sigma)
		VDIVPD(sigma, one, inverse)
		m.keep(counts, inverse)
		VMOVUPD(sigma, Mem{Base: root, Disp: disp})
		VMOVUPD(inverse, Mem{Base: root, Disp: vector + disp})
		above := m.compare(greater, sigma, tau, nil)
		VMULPD(tau, inverse, inverse)
		VMOVUPD(m.choose(above, inverse, one), Mem{Base: psi, Disp: disp})
		VSUBPD(tau, sigma, sigma)
		m.keep(above, sigma)
		VADDPD(sigma, nuclear, nuclear)
		ADDQ(next, g)
		ADDQ(next, psi)
		ADDQ(Imm(2*vector), root)
	})
	VMOVUPD(nuclear, Mem{Base: value("r"), Disp: nuclearAt + disp})
}

// Where the parts of a residual stand.
const (
	offAt = vector * iota
	leverAt
	spillAt
	clashAt
	nuclearAt
)

// shrinkPairs walks along the rows of the upper triangle, and down the columns
// of the lower one.
func (m machine) shrinkPairs(disp int) {
	labels++
	done, rows := "done"+itoa(labels), "pairs"+itoa(labels)
	none, residual := m.reg(), value("r")
	m.zero(none)
	for at := offAt; at < nuclearAt; at += vector {
		VMOVUPD(none, Mem{Base: residual, Disp: at + disp})
	}
	i, tau, bound := value("d"), value("tau"), value("bound")
	size := m.reg()
	VXORPS(size.AsX(), size.AsX(), size.AsX())
	VCVTSI2SDQ(i, size.AsX(), size.AsX())
	VBROADCASTSD(size.AsX(), size)
	line := copyOf(i)
	SHLQ(Imm(6), line)
	psi, g, root := slice("psi"), slice("g"), slice("root")
	DECQ(i)
	JZ(LabelRef(done))
	Label(rows)
	up, low, from, other, j := copyOf(psi), copyOf(psi), copyOf(g), copyOf(root), copyOf(i)
	loop(j, func() {
		ADDQ(Imm(vector), up)
		ADDQ(Imm(vector), from)
		ADDQ(line, low)
		ADDQ(Imm(2*vector), other)
		p := pairEntry{
			m: m, disp: disp, root: root, other: other, size: size, residual: residual,
			tau: Mem{Base: tau, Disp: disp}, bound: Mem{Base: bound, Disp: disp},
		}
		v := p.shrink(Mem{Base: from, Disp: disp})
		VMOVUPD(v, Mem{Base: up, Disp: disp})
		VMOVUPD(v, Mem{Base: low, Disp: disp})
	})
	for _, p := range []reg.Register{psi, g} {
		ADDQ(line, p)
		ADDQ(Imm(vector), p)
	}
	ADDQ(Imm(2*vector), root)
	DECQ(i)
	JNZ(LabelRef(rows))
	Label(done)
}

// A pairEntry computes one entry Ψ_ij, with the names of shrinkGo.
type pairEntry struct {
	m                     machine
	disp                  int
	root, other, residual reg.Register
	tau, bound            Mem
	size                  reg.VecVirtual // D

	eta, a, b, ra, sum, space, small, gamma reg.VecVirtual
	upper, both                             mask // a > τ, b > τ
}

func (p *pairEntry) shrink(g Mem) reg.VecVirtual {
	m := p.m
	p.eta, p.small, p.gamma = m.load(g), m.reg(), m.reg()
	VMULPD(p.at(p.root, vector), p.eta, p.eta)
	VMULPD(p.at(p.other, vector), p.eta, p.eta)
	p.order()
	VMULPD(p.b, p.eta, p.small)
	VMULPD(p.a, p.small, p.gamma)
	p.upper = m.compare(greater, p.a, p.tau, nil)
	p.both = m.compare(greater, p.b, p.tau, nil)
	p.accumulate()
	p.check()
	return p.entry()
}

func (p *pairEntry) at(base reg.Register, disp int) Mem { return Mem{Base: base, Disp: disp + p.disp} }

// order finds the larger and the smaller of σ_i and σ_j, their sum, and the
// difference of their squares.
func (p *pairEntry) order() {
	m := p.m
	si, sj := m.load(p.at(p.root, 0)), m.load(p.at(p.other, 0))
	p.a, p.b, p.sum, p.space = m.reg(), m.reg(), m.reg(), m.reg()
	VMAXPD(si, sj, p.a)
	VMINPD(si, sj, p.b)
	swapped := m.compare(greater, sj, si, nil)
	p.ra = m.choose(swapped, m.load(p.at(p.other, vector)), m.load(p.at(p.root, vector)))
	VADDPD(p.b, p.a, p.sum)
	VSUBPD(p.b, p.a, p.space)
	VMULPD(p.sum, p.space, p.space)
}

// accumulate adds to the sums of the residual and to the largest lever.
func (p *pairEntry) accumulate() {
	m := p.m
	for _, x := range []struct {
		at    int
		value reg.VecVirtual
	}{{offAt, p.eta}, {spillAt, p.gamma}} {
		v, sum := m.reg(), m.load(p.at(p.residual, x.at))
		if x.at == offAt {
			VMOVAPD(x.value, v)
			m.keep(p.both, v)
		} else {
			m.drop(p.upper, x.value, v)
		}
		VFMADD231PD(v, v, sum)
		VMOVUPD(sum, p.at(p.residual, x.at))
	}
	q := m.reg()
	VMULPD(p.ra, p.small, q)
	VMULPD(p.ra, q, q)
	VMULPD(q, q, q)
	m.keep(p.upper, q)
	m.drop(p.both, q, q)
	VMAXPD(p.at(p.residual, leverAt), q, q)
	VMOVUPD(q, p.at(p.residual, leverAt))
}

// check raises the clash of a pair that is too far from orthogonal.
func (p *pairEntry) check() {
	m := p.m
	turn, far, product := m.reg(), m.reg(), m.load(p.bound)
	VMULPD(p.a, p.gamma, turn)
	VMULPD(turn, turn, turn)
	VMULPD(p.tau, product, product)
	VMULPD(p.space, p.space, far)
	VMULPD(product, far, far)
	radius, room := p.disc(product)
	divided := m.without(p.upper, p.both)
	turn, far = m.choose(divided, turn, radius), m.choose(divided, far, room)

	arm, least := m.reg(), m.load(p.bound)
	VMULPD(p.a, p.eta, arm)
	VMULPD(arm, arm, arm)
	VMULPD(least, least, least)
	VMULPD(constant("sixteen"), least, least)
	wide := m.compare(greater, arm, least, nil)
	bad := m.compare(greater, turn, far, &wide)
	raised := m.load(constant("one"))
	m.keep(bad, raised)
	VMAXPD(p.at(p.residual, clashAt), raised, raised)
	VMOVUPD(raised, p.at(p.residual, clashAt))
}

// disc returns the radius of Gershgorin's disc for a pair on one side of τ,
// and the room for it, given bound·τ.
func (p *pairEntry) disc(product reg.VecVirtual) (radius, room reg.VecVirtual) {
	m := p.m
	center, minus, far := m.choose(p.both, p.b, p.a), m.reg(), m.load(constant("sign"))
	radius, room = m.reg(), m.reg()
	VMULPD(center, p.small, radius)
	VANDNPD(radius, far, radius)
	VMULPD(p.size, radius, radius)
	VSUBPD(p.tau, center, minus)
	VADDPD(p.tau, center, room)
	VMULPD(minus, room, room)
	m.drop(p.both, far, far)
	VXORPD(far, room, room)
	VADDPD(product, room, room)
	return radius, room
}

// entry returns Ψ_ij.
func (p *pairEntry) entry() reg.VecVirtual {
	m := p.m
	easy, v := m.reg(), m.reg()
	VMULPD(p.tau, p.eta, easy)
	VSUBPD(p.tau, p.a, v)
	VMULPD(v, p.small, v)
	v = m.choose(p.both, easy, v)
	VDIVPD(m.choose(p.both, p.sum, p.space), v, v)
	VXORPD(constant("sign"), v, v)
	m.keep(p.upper, v)
	return v
}
