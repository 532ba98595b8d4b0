package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pulls emits the differences of squared differences.
func (m machine) pulls() {
	m.function("pulls", "func(dst, i, j, k []float64)", "is pullsGo.")
	to, xi, xj, xk := slice("dst"), slice("i"), slice("j"), slice("k")
	count := Load(Param("dst").Len(), GP64())
	SHRQ(Imm(3), count)
	loop(count, func() {
		for _, disp := range parts(vector, m.width) {
			near, far := m.load(Mem{Base: xi, Disp: disp}), m.reg()
			VSUBPD(Mem{Base: xk, Disp: disp}, near, far)
			VSUBPD(Mem{Base: xj, Disp: disp}, near, near)
			VMULPD(near, near, near)
			VMULPD(far, far, far)
			VSUBPD(far, near, near)
			VMOVUPD(near, Mem{Base: to, Disp: disp})
		}
		advance(vector, to, xi, xj, xk)
	})
	m.end()
}

// average emits a step of dual averaging.
func (m machine) average() {
	m.function("average", "func(mean, w, delta []float64, f *[4]float64)", "is averageGo.")
	mean, w, delta, f := slice("mean"), slice("w"), slice("delta"), value("f")
	count := Load(Param("delta").Len(), GP64())
	SHRQ(Imm(3), count)
	before, all := m.broadcast(Mem{Base: f}), m.broadcast(Mem{Base: f, Disp: 8})
	scale, beta := m.broadcast(Mem{Base: f, Disp: 16}), m.broadcast(Mem{Base: f, Disp: 24})
	sign, none := m.load(constant("sign")), m.reg()
	m.zero(none)
	loop(count, func() {
		for _, disp := range parts(vector, m.width) {
			v := m.reg()
			VMULPD(Mem{Base: mean, Disp: disp}, before, v)
			VADDPD(Mem{Base: delta, Disp: disp}, v, v)
			VDIVPD(all, v, v)
			VMOVUPD(v, Mem{Base: mean, Disp: disp})
			VXORPD(sign, v, v)
			VSUBPD(beta, v, v)
			VMULPD(scale, v, v)
			VMAXPD(v, none, v)
			VADDPD(none, v, v) // no −0
			VMOVUPD(v, Mem{Base: w, Disp: disp})
		}
		advance(vector, mean, w, delta)
	})
	m.end()
}

// dots emits products of rows with a vector, for four rows at a time and then for one. It
// is there for AVX2 only: the four chains of a sum are one vector.
func dots() {
	avx2 := machine{"AVX2", 32}
	avx2.function("dots", "func(dst, rows []float64, ld int, v []float64)", "is dotsGo.")
	dst, rows, ld, v := slice("dst"), slice("rows"), value("ld"), slice("v")
	count := Load(Param("dst").Len(), GP64())
	SHLQ(Imm(3), ld)
	triple := thrice(ld)
	for _, n := range []int{4, 1} {
		group, next := "dots"+itoa(n), "dotsEnd"+itoa(n)
		Label(group)
		CMPQ(count, Imm(uint64(n)))
		JL(LabelRef(next))
		dotRows(avx2, dst, copyOf(rows), v, ld, triple, n)
		ADDQ(Imm(uint64(8*n)), dst)
		for range n {
			ADDQ(ld, rows)
		}
		SUBQ(Imm(uint64(n)), count)
		JMP(LabelRef(group))
		Label(next)
	}
	avx2.end()
}

func dotRows(m machine, dst, rows, v, ld, triple reg.Register, n int) {
	at, left := copyOf(v), Load(Param("v").Len(), GP64())
	low, high := m.regs(n), make([]reg.VecVirtual, n)
	m.zero(low...)
	whole, tail, rest, end := "dotsWhole"+itoa(n), "dotsTail"+itoa(n), "dotsRest"+itoa(n), "dotsStore"+itoa(n)
	Label(whole)
	CMPQ(left, Imm(4))
	JL(LabelRef(tail))
	x := m.load(Mem{Base: at})
	for r, from := range spread(rows, ld, triple, 0, n) {
		p := m.reg()
		VMULPD(from, x, p)
		VADDPD(p, low[r], low[r])
	}
	ADDQ(Imm(32), at)
	ADDQ(Imm(32), rows)
	SUBQ(Imm(4), left)
	JMP(LabelRef(whole))
	Label(tail)
	for r := range n {
		high[r] = XMM()
		VEXTRACTF128(Imm(1), low[r], high[r])
	}
	Label(rest)
	TESTQ(left, left)
	JZ(LabelRef(end))
	y := XMM()
	VMOVSD(Mem{Base: at}, y)
	for r, from := range spread(rows, ld, triple, 0, n) {
		p := XMM()
		VMULSD(from, y, p)
		VADDSD(p, low[r].AsX(), low[r].AsX())
	}
	ADDQ(Imm(8), at)
	ADDQ(Imm(8), rows)
	DECQ(left)
	JMP(LabelRef(rest))
	Label(end)
	for r := range n {
		sum, second := low[r].AsX(), XMM()
		VADDPD(high[r], sum, sum)
		VPERMILPD(Imm(1), sum, second)
		VADDSD(sum, second, sum)
		VMOVSD(sum, Mem{Base: dst, Disp: 8 * r})
	}
}

// addRows emits sums of scaled rows, for 32 columns at a time, then 16, four and one; for AVX2 only.
func addRows() {
	avx2 := machine{"AVX2", 32}
	avx2.function("addRows", "func(dst, c, rows []float64, ld int)", "is addRowsGo.")
	dst, rows, ld := slice("dst"), slice("rows"), value("ld")
	left := Load(Param("dst").Len(), GP64())
	SHLQ(Imm(3), ld)
	for _, columns := range []int{32, 16, 4, 1} {
		block, next := "addRows"+itoa(columns), "addRowsEnd"+itoa(columns)
		Label(block)
		CMPQ(left, Imm(uint64(columns)))
		JL(LabelRef(next))
		c, count, row := slice("c"), Load(Param("c").Len(), GP64()), copyOf(rows)
		if columns == 1 {
			avx2.addColumn(dst, c, count, row, ld)
		} else {
			avx2.addColumns(dst, c, count, row, ld, columns/4)
		}
		ADDQ(U32(uint32(8*columns)), dst)
		ADDQ(U32(uint32(8*columns)), rows)
		SUBQ(Imm(uint64(columns)), left)
		JMP(LabelRef(block))
		Label(next)
	}
	avx2.end()
}

func (m machine) addColumns(dst, c, count, row, ld reg.Register, vectors int) {
	sums := make([]reg.VecVirtual, vectors)
	for i := range sums {
		sums[i] = m.load(Mem{Base: dst, Disp: i * m.width})
	}
	loop(count, func() {
		factor := m.broadcast(Mem{Base: c})
		for i, sum := range sums {
			p := m.reg()
			VMULPD(Mem{Base: row, Disp: i * m.width}, factor, p)
			VADDPD(p, sum, sum)
		}
		ADDQ(Imm(8), c)
		ADDQ(ld, row)
	})
	for i, sum := range sums {
		VMOVUPD(sum, Mem{Base: dst, Disp: i * m.width})
	}
}

func (m machine) addColumn(dst, c, count, row, ld reg.Register) {
	sum := XMM()
	VMOVSD(Mem{Base: dst}, sum)
	loop(count, func() {
		p := XMM()
		VMOVSD(Mem{Base: c}, p)
		VMULSD(Mem{Base: row}, p, p)
		VADDSD(p, sum, sum)
		ADDQ(Imm(8), c)
		ADDQ(ld, row)
	})
	VMOVSD(sum, Mem{Base: dst})
}

// A packing has the instructions for a number of columns: vectors of four, or one float64.
type packing struct {
	vectors             int
	reg                 func() reg.VecVirtual
	move, mul, add, sub func(ops ...Op)
}

func (m machine) packed(columns int) packing {
	if columns == 1 {
		return packing{1, XMM, VMOVSD, VMULSD, VADDSD, VSUBSD}
	}
	return packing{columns / 4, m.reg, VMOVUPD, VMULPD, VADDPD, VSUBPD}
}

func (p packing) load(from Mem) reg.VecVirtual {
	r := p.reg()
	p.move(from, r)
	return r
}

// rotateRows emits plane rotations of neighboring rows, one after the other, for 16 columns at a time,
// then four, then one; for AVX2 only.
func rotateRows(name string, forward bool) {
	avx2 := machine{"AVX2", 32}
	avx2.function(name, "func(z []float64, ld, columns int, c, s []float64)", "is "+name+"Go.")
	z, ld, left := slice("z"), value("ld"), value("columns")
	SHLQ(Imm(3), ld)
	if !forward {
		NEGQ(ld)
	}
	for _, columns := range []int{16, 4, 1} {
		block, next := name+itoa(columns), name+"End"+itoa(columns)
		Label(block)
		CMPQ(left, Imm(uint64(columns)))
		JL(LabelRef(next))
		avx2.rotateColumns(copyOf(z), ld, columns, forward)
		ADDQ(Imm(uint64(8*columns)), z)
		SUBQ(Imm(uint64(columns)), left)
		JMP(LabelRef(block))
		Label(next)
	}
	avx2.end()
}

// rotateColumns keeps the row that the next rotation changes again.
func (m machine) rotateColumns(at, ld reg.GPVirtual, columns int, forward bool) {
	c, s := slice("c"), slice("s")
	count := Load(Param("c").Len(), GP64())
	step := 8
	if !forward { // the last rotation and row come first
		LEAQ(Mem{Base: c, Index: count, Scale: 8, Disp: -8}, c)
		LEAQ(Mem{Base: s, Index: count, Scale: 8, Disp: -8}, s)
		rows := copyOf(count)
		IMULQ(ld, rows)
		SUBQ(rows, at)
		step = -8
	}
	p := m.packed(columns)
	var kept []reg.VecVirtual
	for i := range p.vectors {
		kept = append(kept, p.load(Mem{Base: at, Disp: i * m.width}))
	}
	loop(count, func() {
		var cosine, sine reg.Register = m.broadcast(Mem{Base: c}), m.broadcast(Mem{Base: s})
		if columns == 1 {
			cosine, sine = cosine.(reg.Vec).AsX(), sine.(reg.Vec).AsX()
		}
		for i, k := range kept {
			p.rotate(cosine, sine, k, Mem{Base: at, Index: ld, Scale: 1, Disp: i * m.width}, Mem{Base: at, Disp: i * m.width}, forward)
		}
		ADDQ(ld, at)
		ADDQ(I32(int32(step)), c)
		ADDQ(I32(int32(step)), s)
	})
	for i, k := range kept {
		p.move(k, Mem{Base: at, Disp: i * m.width})
	}
}

// rotate takes the upper row x and the lower row y to s y + c x and c y − s x. Forward, x is
// kept and y is next; backward, y is kept and x is next.
func (p packing) rotate(c, s, kept reg.Register, next, done Mem, forward bool) {
	other, a, b := p.load(next), p.reg(), p.reg()
	if forward {
		p.mul(other, s, a)
		p.mul(kept, c, b)
		p.add(b, a, a)
		p.move(a, done)
		p.mul(other, c, a)
		p.mul(kept, s, b)
		p.sub(b, a, kept)
		return
	}
	p.mul(kept, c, a)
	p.mul(other, s, b)
	p.sub(b, a, a)
	p.move(a, done)
	p.mul(kept, s, a)
	p.mul(other, c, b)
	p.add(b, a, kept)
}

// exp emits exponentials; for AVX2 only. The operations are those of math.Exp on processors with FMA, side by
// side: e^x = 2^k (1 + t)^16 for x = k log 2 + 16 log(1 + t), by a polynomial.
func exp() {
	m := machine{"AVX2", 32}
	m.function("exp", "func(dst, x []float64) (done int)", "is expGo, but ends before four places that are not all simple.")
	dst, x := slice("dst"), slice("x")
	left, done := Load(Param("x").Len(), GP64()), GP64()
	XORQ(done, done)
	Label("exp")
	CMPQ(left, Imm(4))
	JL(LabelRef("expEnd"))
	v := m.load(Mem{Base: x, Index: done, Scale: 8})
	low, high, zero, all := m.reg(), m.reg(), m.reg(), m.reg()
	VCMPPD(Imm(greater), constant("expLow"), v, low)
	VCMPPD(Imm(less), constant("expHigh"), v, high)
	VANDPD(high, low, low)
	VCMPPD(Imm(less), constant("expZero"), v, zero)
	VORPD(zero, low, all)
	lanes := GP32()
	VMOVMSKPD(all, lanes)
	CMPL(lanes, Imm(15))
	JNE(LabelRef("expEnd"))

	k, exponent := m.reg(), XMM()
	VMULPD(constant("log2e"), v, k)
	VCVTPD2DQY(k, exponent)
	VCVTDQ2PD(exponent, k)
	VFNMADD231PD(constant("ln2u"), k, v)
	VFNMADD231PD(constant("ln2l"), k, v)
	VMULPD(constant("sixteenth"), v, v)
	p := m.load(constant("taylor8"))
	for _, c := range []string{"taylor7", "taylor6", "taylor5", "taylor4", "taylor3", "half", "one"} {
		VFMADD213PD(constant(c), v, p)
	}
	VMULPD(p, v, v)
	two := m.load(constant("two"))
	for range 3 {
		VADDPD(two, v, p)
		VMULPD(p, v, v)
	}
	VADDPD(two, v, p)
	VFMADD213PD(constant("one"), p, v)
	power := m.reg()
	VPMOVSXDQ(exponent, power)
	VPADDQ(constant("bias"), power, power)
	VPSLLQ(Imm(52), power, power)
	VMULPD(power, v, v)
	VANDPD(low, v, v)
	VMOVUPD(v, Mem{Base: dst, Index: done, Scale: 8})
	ADDQ(Imm(4), done)
	SUBQ(Imm(4), left)
	JMP(LabelRef("exp"))
	Label("expEnd")
	Store(done, ReturnIndex(0))
	m.end()
}
