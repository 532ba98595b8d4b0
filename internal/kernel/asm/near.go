package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// near emits the tile kernel: TileRow rows by two vectors of columns at a time.
func (m machine) near() {
	m.function("near", "func(masks []uint64, zi, hi, z, h []float64, d int)", "is nearGo.")
	masks, count := slice("masks"), Load(Param("masks").Len(), GP64())
	zi, hi, z, h, d := slice("zi"), slice("hi"), slice("z"), slice("h"), value("d")
	rows := m.tileRows(hi)
	loop(count, func() {
		bits := GP64()
		column := z
		for _, disp := range parts(panel, 2*m.width) {
			column = m.nearPart(rows, zi, z, h, d, disp, masks, bits)
		}
		MOVQ(column, z)
		ADDQ(Imm(panel), h)
		ADDQ(Imm(8), masks)
	})
	m.end()
}

// tileRows returns h_i − 1/2 for the rows of a tile.
func (m machine) tileRows(hi reg.Register) []reg.VecVirtual {
	half := m.load(constant("half"))
	rows := m.regs(tileRow)
	for r, row := range rows {
		VBROADCASTSD(Mem{Base: hi, Disp: 8 * r}, row)
		VSUBPD(half, row, row)
	}
	return rows
}

// nearPart compares with two vectors of columns, stores the tile after the
// last ones and returns where the next panel starts.
func (m machine) nearPart(rows []reg.VecVirtual, zi, z, h, d reg.Register, disp int, masks reg.Register, bits reg.GPVirtual) reg.Register {
	e, column := m.tileValues(rows, zi, z, h, d, disp)
	zero := m.reg()
	m.zero(zero)
	if m.wide() {
		storeSigns(e, zero, masks)
	} else {
		m.gatherSigns(e, zero, disp, masks, bits)
	}
	return column
}

// tileValues computes the values of the pairs of a tile with two vectors of
// columns, row by row, and returns where the next panel starts.
func (m machine) tileValues(rows []reg.VecVirtual, zi, z, h, d reg.Register, disp int) ([]reg.VecVirtual, reg.Register) {
	e := m.regs(2 * tileRow)
	for c := range 2 {
		hj := m.load(Mem{Base: h, Disp: disp + c*m.width})
		for r, row := range rows {
			VADDPD(hj, row, e[2*r+c])
		}
	}
	row, column, k := copyOf(zi), copyOf(z), copyOf(d)
	loop(k, func() {
		z0 := m.load(Mem{Base: column, Disp: disp})
		z1 := m.load(Mem{Base: column, Disp: disp + m.width})
		for r := range tileRow {
			w := m.broadcast(Mem{Base: row, Disp: 8 * r})
			VFNMADD231PD(z0, w, e[2*r])
			VFNMADD231PD(z1, w, e[2*r+1])
		}
		ADDQ(Imm(panel), row)
		ADDQ(Imm(panel), column)
	})
	return e, column
}

// storeSigns stores the tile of negative elements.
func storeSigns(e []reg.VecVirtual, zero reg.VecVirtual, masks reg.Register) {
	var k [tileRow]reg.Register
	for r := range k {
		k[r] = K()
		high := K()
		VCMPPD(Imm(less), zero, e[2*r], k[r])
		VCMPPD(Imm(less), zero, e[2*r+1], high)
		KUNPCKBW(k[r], high, k[r])
	}
	KUNPCKWD(k[0], k[1], k[0])
	KUNPCKWD(k[2], k[3], k[2])
	KUNPCKDQ(k[0], k[2], k[0])
	KMOVQ(k[0], Mem{Base: masks})
}

// gatherSigns puts the bits of the negative elements of half a tile to bits,
// and stores the tile after its second half.
func (m machine) gatherSigns(e []reg.VecVirtual, zero reg.VecVirtual, disp int, masks reg.Register, bits reg.GPVirtual) {
	part := GP64()
	for i, v := range e {
		VCMPPD(Imm(less), zero, v, v)
		if disp == 0 && i == 0 {
			VMOVMSKPD(v, bits.As32())
			continue
		}
		VMOVMSKPD(v, part.As32())
		SHLQ(Imm(uint64(i/2*16+i%2*4+disp/8)), part)
		ORQ(part, bits)
	}
	if disp > 0 {
		MOVQ(bits, Mem{Base: masks})
	}
}
