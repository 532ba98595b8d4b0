package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const sideRows = 3 // rows of a panel of sides: h − 1/4, c, half squared norms with their bounds

// narrowConstants are the numbers of the margins in float32. Roots and quotients start from a
// guess by the bits of a float32: bits/2 or bits taken off a magic number. One step of Newton's
// method improves it.
//
//	1/√E ≈ y,  |y √E − 1| < 0.0344:  y (3/2 − E y²/2) is in [0.99823, 1]/√E
//	1/p  ≈ y,  |y p − 1|  < 0.0506:  y (2 − p y)      is in [0.99743, 1]/p
//
// The first is taken times 1.002, so that a root is never too small.
var narrowConstants = []struct {
	name string
	bits uint32
}{
	{"narrowSign", 1 << 31},
	{"narrowZero", 0},
	{"narrowOne", math.Float32bits(1)},
	{"narrowTwo", math.Float32bits(2)},
	{"narrowInfinity", math.Float32bits(float32(math.Inf(1)))},
	{"rootGuess", 0x5f3759df},
	{"rootWhole", math.Float32bits(1.5 * 1.002)},
	{"rootPart", math.Float32bits(0.5 * 1.002)},
	{"quotientGuess", 0x7ef311c3},
}

// narrowMargins emits the least margin in float32 of the marked pairs of each tile.
func (m machine) narrowMargins() {
	m.function("narrowMargins", "func(margins []float64, masks []uint64, zi, xi, sidei, z, x, side []float32, d int, scale float32)",
		"writes the roots of scale times the least q²/((√(1 ± 2q) + 1)² X), see Margins.fillNarrow.")
	to, count, masks := slice("margins"), Load(Param("margins").Len(), GP64()), slice("masks")
	zi, xi, sidei := slice("zi"), slice("xi"), slice("sidei")
	z, x, side, line := slice("z"), slice("x"), slice("side"), panelBytes(value("d"))
	scale := XMM()
	Load(Param("scale"), scale)
	loop(count, func() {
		least := m.load(constant("narrowInfinity"))
		for _, disp := range parts(narrowPanel, m.width) {
			h, far := Mem{Base: side, Disp: disp}, Mem{Base: side, Disp: disp + 2*narrowPanel}
			e, apart := m.rowSums(Mem{Base: sidei}, h), m.rowSums(Mem{Base: sidei, Disp: 2 * narrowPanel}, far)
			m.subtractBoth(e, apart, zi, xi, z, x, line, disp)
			c := m.load(Mem{Base: side, Disp: disp + narrowPanel})
			for r := range tileRow {
				ci := m.reg()
				VBROADCASTSS(Mem{Base: sidei, Disp: narrowPanel + 4*r}, ci)
				VADDPS(c, ci, ci)
				m.narrowSquare(e[r], apart[r], ci)
				m.narrowMinimum(least, e[r], masks, r, disp)
			}
		}
		m.storeNarrowLeast(least, scale, to)
		advance(tileMask, to, masks)
		ADDQ(line, z)
		ADDQ(line, x)
		ADDQ(U32(sideRows*narrowPanel), side)
	})
	m.end()
}

// rowSums returns a vector of columns plus the number of each row of a tile.
func (m machine) rowSums(rows, columns Mem) []reg.VecVirtual {
	column, sums := m.load(columns), m.regs(tileRow)
	for r, sum := range sums {
		VBROADCASTSS(rows.Offset(4*r), sum)
		VADDPS(column, sum, sum)
	}
	return sums
}

// subtractBoth takes the products of features off the sums of a tile: those of z off e, those of x
// off apart.
func (m machine) subtractBoth(e, apart []reg.VecVirtual, zi, xi, z, x, line reg.Register, disp int) {
	at := GP64()
	XORQ(at, at)
	until(at, line, func() {
		for _, s := range []struct {
			sums      []reg.VecVirtual
			row, from reg.Register
		}{{e, zi, z}, {apart, xi, x}} {
			column := m.load(Mem{Base: s.from, Index: at, Scale: 1, Disp: disp})
			for r, sum := range s.sums {
				w := m.reg()
				VBROADCASTSS(Mem{Base: s.row, Index: at, Scale: 1, Disp: 4 * r}, w)
				VFNMADD231PS(column, w, sum)
			}
		}
		ADDQ(Imm(narrowPanel), at)
	})
}

// narrowSquare replaces v = (E − 1)/2 by q²/((√(1 ± 2q) + 1)² apart), where q = [|v| − c]₊.
func (m machine) narrowSquare(v, apart, c reg.VecVirtual) {
	e, root, part := m.reg(), m.reg(), m.reg()
	VANDPS(constant("narrowSign"), v, e)
	VXORPS(e, v, v)
	VSUBPS(c, v, v)
	VMAXPS(constant("narrowZero"), v, v)
	VORPS(v, e, e)
	VADDPS(e, e, e)
	VADDPS(constant("narrowOne"), e, e)

	VPSRLD(Imm(1), e, part)
	VMOVUPS(constant("rootGuess"), root)
	VPSUBD(part, root, root)
	VMULPS(root, e, e)
	VMULPS(root, e, root)
	VMOVUPS(constant("rootPart"), part)
	VFNMADD213PS(constant("rootWhole"), part, root)
	VFMADD213PS(constant("narrowOne"), e, root)

	VMULPS(root, root, root)
	VMULPS(apart, root, apart)
	VMOVUPS(constant("quotientGuess"), root)
	VPSUBD(apart, root, root)
	VFNMADD213PS(constant("narrowTwo"), root, apart)
	VMULPS(v, v, v)
	VMULPS(root, v, v)
	VMULPS(apart, v, v)
}

// narrowMinimum lowers least to v in the columns of row r that are marked.
func (m machine) narrowMinimum(least, v reg.VecVirtual, masks reg.Register, r, disp int) {
	if m.wide() {
		k := K()
		KMOVW(Mem{Base: masks, Disp: 2 * r}, k)
		VMINPS(v, least, k, least)
		return
	}
	place, marked := m.reg(), m.reg()
	VMOVDQU(NewDataAddr(Symbol{Name: "places", Static: true}, r%2*narrowPanel+disp), place)
	VPBROADCASTD(Mem{Base: masks, Disp: r / 2 * 4}, marked)
	VPAND(place, marked, marked)
	VPCMPEQD(place, marked, marked)
	VMINPS(v, least, v)
	VBLENDVPS(marked, v, least, least)
}

// storeNarrowLeast stores the root of scale times the smallest element of a vector, in float64.
func (m machine) storeNarrowLeast(v reg.VecVirtual, scale, to reg.Register) {
	if m.wide() {
		high := YMM()
		VEXTRACTF64X4(Imm(1), v, high)
		VMINPS(high, v.AsY(), v.AsY())
	}
	high := XMM()
	VEXTRACTF128(Imm(1), v.AsY(), high)
	VMINPS(high, v.AsX(), v.AsX())
	for _, order := range []uint64{0b1110, 0b01} { // the upper half, then the second element
		VPERMILPS(Imm(order), v.AsX(), high)
		VMINPS(high, v.AsX(), v.AsX())
	}
	VMULSS(scale, v.AsX(), v.AsX())
	VSQRTSS(v.AsX(), v.AsX(), v.AsX())
	VCVTSS2SD(v.AsX(), v.AsX(), v.AsX())
	VMOVSD(v.AsX(), Mem{Base: to})
}

// until emits body, to run until it has raised at, which is below end, to end.
func until(at, end reg.Register, body func()) {
	name := here("until")
	body()
	CMPQ(at, end)
	JLT(LabelRef(name))
}
