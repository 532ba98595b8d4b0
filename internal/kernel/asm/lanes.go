package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func itoa(i int) string { return strconv.Itoa(i) }

// product emits the product of four rows in lanes. A tile is four columns by
// as many rows as registers allow.
func (m machine) product() {
	m.function("product", "func(c, base, a, b []float64, n, k int, crow, ccol, arow, acol, brow, bcol int)", "is productGo.")
	j, n := GP64(), value("n")
	XORQ(j, j)
	name := here("columns")
	// The last columns are computed again where four do not divide n.
	last, now := copyOf(n), copyOf(j)
	SUBQ(Imm(4), last)
	CMPQ(now, last)
	CMOVQGT(last, now)
	rows := 4
	if !m.wide() {
		rows = 2
	}
	for first := 0; first < 4; first += rows {
		for _, disp := range parts(vector, m.width) {
			m.productTile(now, first, rows, disp)
		}
	}
	ADDQ(Imm(4), j)
	CMPQ(j, n)
	JL(LabelRef(name))
	m.end()
}

// bytes loads a stride, which is given in vectors.
func bytes(name string) reg.GPVirtual {
	r := value(name)
	SHLQ(Imm(6), r)
	return r
}

// offset adds i·step to base.
func offset(base reg.Register, i reg.GPVirtual, step reg.Register) {
	t := copyOf(i)
	IMULQ(step, t)
	ADDQ(t, base)
}

// productTile computes rows first.. of the columns j..j+3.
func (m machine) productTile(j reg.GPVirtual, first, rows, disp int) {
	a, arow, acol := slice("a"), bytes("arow"), bytes("acol")
	for range first {
		ADDQ(arow, a)
	}
	b, brow, bcol := slice("b"), bytes("brow"), bytes("bcol")
	offset(b, j, bcol)
	sum := m.regs(4 * rows)
	m.zero(sum...)
	arow3, bcol3, k := thrice(arow), thrice(bcol), value("k")
	loop(k, func() {
		right := m.regs(4)
		for i, at := range spread(b, bcol, bcol3, disp, 4) {
			VMOVUPD(at, right[i])
		}
		for r, at := range spread(a, arow, arow3, disp, rows) {
			left := m.load(at)
			for i := range 4 {
				VFMADD231PD(right[i], left, sum[4*r+i])
			}
		}
		ADDQ(acol, a)
		ADDQ(brow, b)
	})
	m.storeTile(sum, j, first, rows, disp)
}

// storeTile stores a tile of C, or of base − C if there is a base.
func (m machine) storeTile(sum []reg.VecVirtual, j reg.GPVirtual, first, rows, disp int) {
	crow, ccol := bytes("crow"), bytes("ccol")
	ccol3 := thrice(ccol)
	at := GP64()
	XORQ(at, at)
	for range first {
		ADDQ(crow, at)
	}
	offset(at, j, ccol)
	plain := newLabel("plain")
	base := slice("base")
	TESTQ(base, base)
	JZ(LabelRef(plain))
	ADDQ(at, base)
	for r := range rows {
		for i, from := range spread(base, ccol, ccol3, disp, 4) {
			v := m.load(from)
			VSUBPD(sum[4*r+i], v, sum[4*r+i])
		}
		ADDQ(crow, base)
	}
	Label(plain)
	c := slice("c")
	ADDQ(at, c)
	for r := range rows {
		for i, to := range spread(c, ccol, ccol3, disp, 4) {
			VMOVUPD(sum[4*r+i], to)
		}
		ADDQ(crow, c)
	}
}

// step emits the descent step.
func (m machine) step() {
	m.function("step", "func(dst, y, g []float64, factor, largest *[8]float64)", "is stepGo.")
	factor, largest := value("factor"), value("largest")
	for _, disp := range parts(vector, m.width) {
		dst, y, g := slice("dst"), slice("y"), slice("g")
		count := Load(Param("dst").Len(), GP64())
		SHRQ(Imm(3), count)
		f, top, sign := m.load(Mem{Base: factor, Disp: disp}), m.reg(), m.load(constant("sign"))
		m.zero(top)
		loop(count, func() {
			slope, v, size := m.load(Mem{Base: g, Disp: disp}), m.load(Mem{Base: y, Disp: disp}), m.reg()
			VANDNPD(slope, sign, size)
			VMAXPD(top, size, top)
			VFNMADD231PD(slope, f, v)
			VMOVUPD(v, Mem{Base: dst, Disp: disp})
			advance(vector, dst, y, g)
		})
		VMOVUPD(top, Mem{Base: largest, Disp: disp})
	}
	m.end()
}

// momentum emits the extrapolation.
func (m machine) momentum() {
	m.function("momentum", "func(y, next, prev []float64, factor *[8]float64)", "is momentumGo.")
	factor := value("factor")
	for _, disp := range parts(vector, m.width) {
		y, next, prev := slice("y"), slice("next"), slice("prev")
		count := Load(Param("y").Len(), GP64())
		SHRQ(Imm(3), count)
		f := m.load(Mem{Base: factor, Disp: disp})
		loop(count, func() {
			a, move := m.load(Mem{Base: next, Disp: disp}), m.reg()
			VSUBPD(Mem{Base: prev, Disp: disp}, a, move)
			VFMADD231PD(move, f, a)
			VMOVUPD(a, Mem{Base: y, Disp: disp})
			advance(vector, y, next, prev)
		})
	}
	m.end()
}
