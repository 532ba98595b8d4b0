package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mapPanel emits the product of a matrix and one panel: four rows of the
// matrix at a time where there are four, the last ones possibly again, else
// one; then the norms.
func (m machine) mapPanel() {
	m.function("mapPanel", "func(z, h, x, l []float64, d int)", "is mapPanelGo.")
	for _, disp := range parts(panel, 2*m.width) {
		m.mapPart(disp)
	}
	m.end()
}

func (m machine) mapPart(disp int) {
	labels++
	name := m.name + string(rune('a'+labels%26)) + itoa(labels)
	l, z, d := slice("l"), slice("z"), value("d")
	line := copyOf(d) // bytes in a row of l
	SHLQ(Imm(3), line)
	triple := thrice(line)
	rows := copyOf(d)
	CMPQ(d, Imm(tileRow))
	JL(LabelRef("single" + name))
	Label("four" + name)
	m.mapRows(l, line, triple, z, d, disp, tileRow)
	LEAQ(Mem{Base: l, Index: line, Scale: 4}, l)
	ADDQ(U32(tileRow*panel), z)
	SUBQ(Imm(tileRow), rows)
	JZ(LabelRef("norms" + name))
	CMPQ(rows, Imm(tileRow))
	JGE(LabelRef("four" + name))
	// Go back so that four rows remain.
	back := GP64()
	MOVQ(U32(tileRow), back)
	SUBQ(rows, back)
	MOVQ(U32(tileRow), rows)
	size := copyOf(back)
	IMULQ(line, size)
	SUBQ(size, l)
	SHLQ(Imm(7), back)
	SUBQ(back, z)
	JMP(LabelRef("four" + name))
	Label("single" + name)
	m.mapRows(l, line, triple, z, d, disp, 1)
	ADDQ(line, l)
	ADDQ(Imm(panel), z)
	DECQ(rows)
	JNZ(LabelRef("single" + name))
	Label("norms" + name)
	m.norms(disp)
}

// mapRows multiplies n rows of l by two vectors of columns of the panel.
func (m machine) mapRows(l, line, triple, z, d reg.Register, disp, n int) {
	sum := m.regs(2 * n)
	m.zero(sum...)
	x, entry, k := slice("x"), copyOf(l), copyOf(d)
	loop(k, func() {
		x0 := m.load(Mem{Base: x, Disp: disp})
		x1 := m.load(Mem{Base: x, Disp: disp + m.width})
		for r, at := range spread(entry, line, triple, 0, n) {
			w := m.broadcast(at)
			VFMADD231PD(x0, w, sum[2*r])
			VFMADD231PD(x1, w, sum[2*r+1])
		}
		ADDQ(Imm(8), entry)
		ADDQ(Imm(panel), x)
	})
	for i, s := range sum {
		VMOVUPD(s, Mem{Base: z, Disp: disp + i/2*panel + i%2*m.width})
	}
}

// norms halves the squared norms of two vectors of mapped samples.
func (m machine) norms(disp int) {
	z, h, k := slice("z"), slice("h"), value("d")
	sum := m.regs(2)
	m.zero(sum...)
	loop(k, func() {
		for i, s := range sum {
			v := m.load(Mem{Base: z, Disp: disp + i*m.width})
			VFMADD231PD(v, v, s)
		}
		ADDQ(Imm(panel), z)
	})
	half := m.load(constant("half"))
	for i, s := range sum {
		VMULPD(half, s, s)
		VMOVUPD(s, Mem{Base: h, Disp: disp + i*m.width})
	}
}

// distances emits squared distances of n query samples to panels.
func (m machine) distances(name string, n int) {
	if n == 1 {
		m.function(name, "func(dst []float64, q []float64, x []float64, d, panels int)", "is distanceGo.")
	} else {
		m.function(name, "func(dst []float64, ldd int, q []float64, ldq int, x []float64, d, panels int)", "is distancesGo.")
	}
	dst, q, x, d, count := slice("dst"), slice("q"), slice("x"), value("d"), value("panels")
	var line, triple reg.Register
	if n > 1 {
		l := value("ldq")
		SHLQ(Imm(3), l)
		line, triple = l, thrice(l)
	}
	loop(count, func() {
		var column reg.Register
		for _, disp := range parts(panel, 2*m.width) {
			column = m.distancePart(dst, q, line, triple, x, d, disp, n)
		}
		MOVQ(column, x)
		ADDQ(Imm(panel), dst)
	})
	m.end()
}

// distancePart treats two vectors of columns and returns where the next panel
// starts.
func (m machine) distancePart(dst, q, line, triple, x, d reg.Register, disp, n int) reg.Register {
	sum := m.regs(2 * n)
	m.zero(sum...)
	row, column, k := copyOf(q), copyOf(x), copyOf(d)
	loop(k, func() {
		x0 := m.load(Mem{Base: column, Disp: disp})
		x1 := m.load(Mem{Base: column, Disp: disp + m.width})
		for r, at := range spread(row, line, triple, 0, n) {
			w, diff := m.broadcast(at), m.reg()
			VSUBPD(x0, w, diff)
			VFMADD231PD(diff, diff, sum[2*r])
			VSUBPD(x1, w, diff)
			VFMADD231PD(diff, diff, sum[2*r+1])
		}
		ADDQ(Imm(8), row)
		ADDQ(Imm(panel), column)
	})
	to := copyOf(dst)
	for r := range n {
		if r > 0 {
			ldd := value("ldd")
			LEAQ(Mem{Base: to, Index: ldd, Scale: 8}, to)
		}
		VMOVUPD(sum[2*r], Mem{Base: to, Disp: disp})
		VMOVUPD(sum[2*r+1], Mem{Base: to, Disp: disp + m.width})
	}
	return column
}

// addOuter emits the rank-one update of an upper triangle by blocks.
func (m machine) addOuter() {
	m.function("addOuter", "func(b, u, v []float64, d, ld int, sign float64)", "is addOuterGo.")
	b, u, v, ld := slice("b"), slice("u"), slice("v"), value("ld")
	sign := m.reg()
	address := NewParamAddr("sign", 88)
	VBROADCASTSD(address, sign)
	line := copyOf(ld) // bytes in a row
	SHLQ(Imm(3), line)
	i := GP64()
	XORQ(i, i)
	name := here("row")
	w := m.broadcast(Mem{Base: u, Index: i, Scale: 8})
	VMULPD(sign, w, w)
	at := copyOf(i)
	ANDQ(I8(-8), at)
	block := here("block")
	for _, disp := range parts(vector, m.width) {
		to := Mem{Base: b, Index: at, Scale: 8, Disp: disp}
		sum := m.load(to)
		VFMADD231PD(Mem{Base: v, Index: at, Scale: 8, Disp: disp}, w, sum)
		VMOVUPD(sum, to)
	}
	ADDQ(Imm(8), at)
	CMPQ(at, ld)
	JL(LabelRef(block))
	ADDQ(line, b)
	INCQ(i)
	d := value("d")
	CMPQ(i, d)
	JL(LabelRef(name))
	m.end()
}

// exchange emits the sums of differences of a sample and those of a panel.
func (m machine) exchange() {
	m.function("exchange", "func(ci, cj, xi, xj []float64, changed, now uint64, width, columns int)", "is exchangeGo.")
	m.byColumns([]int{24, 16, 8}, func(columns int) {
		ci, cj, xi, xj := slice("ci"), slice("cj"), slice("xi"), slice("xj")
		changed, now, line, signs := value("changed"), value("now"), rowBytes(), GP64()
		LEAQ(constant("signs"), signs)
		var sum, row []reg.VecVirtual
		for disp := 0; disp < 8*columns; disp += m.width {
			sum, row = append(sum, m.load(Mem{Base: ci, Disp: disp})), append(row, m.load(Mem{Base: xi, Disp: disp}))
		}
		bits := here("bits")
		bit, entered := GP64(), GP64()
		TZCNTQ(changed, bit)
		XORQ(entered, entered)
		BTQ(bit, now)
		ADCQ(entered, entered)
		sign := m.broadcast(Mem{Base: signs, Index: entered, Scale: 8})
		IMULQ(line, bit)
		for i := range sum {
			diff := m.reg()
			VSUBPD(Mem{Base: xj, Index: bit, Scale: 1, Disp: i * m.width}, row[i], diff)
			to := Mem{Base: cj, Index: bit, Scale: 1, Disp: i * m.width}
			VFMADD231PD(diff, sign, sum[i])
			VFNMADD213PD(to, sign, diff)
			VMOVUPD(diff, to)
		}
		BLSRQ(changed, changed)
		JNZ(LabelRef(bits))
		for i, v := range sum {
			VMOVUPD(v, Mem{Base: ci, Disp: i * m.width})
		}
	})
}
