package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	narrowPanel = 16 * 4          // one feature of a panel in float32
	sidePanel   = 3 * narrowPanel // the sides of a panel
	notGreater  = 0x1a            // of VCMPPS: true for a NaN
	tileMask    = vector / 8      // of one tile
)

// A narrowKernel computes tiles in float32, two vectors for each of their rows: the
// halves of a panel with AVX2, two panels with AVX-512, or one where a run ends.
type narrowKernel struct {
	machine
	panels int
}

// narrowKernels returns those of a run, the one for its end last.
func (m machine) narrowKernels() []narrowKernel {
	if m.wide() {
		return []narrowKernel{{m, 2}, {m, 1}}
	}
	return []narrowKernel{{m, 1}}
}

// prefilter emits the tile kernel in float32.
func (m machine) prefilter() {
	m.function("prefilter", "func(masks []uint64, zi, hi, bi, z, h, b []float32, d, stride int) (doubt uint64)",
		"computes at most 64 tiles. Bit k of doubt is that of the tile with k behind it. A row has one feature every stride float32.")
	masks, count := slice("masks"), Load(Param("masks").Len(), GP64())
	zi, z, h, b, stride := slice("zi"), slice("z"), slice("h"), slice("b"), value("stride")
	SHLQ(Imm(2), stride) // bytes
	line, size, doubt := panelBytes(value("d")), m.load(constant("size")), noDoubt()
	for _, n := range m.narrowKernels() {
		n.run(count, func() {
			e, column := n.sums(Mem{Base: slice("hi")}, Mem{Base: h}, narrowPanel), copyOf(z)
			n.subtract(e, copyOf(zi), column, line, value("d"), stride)
			n.storeSigns(e, masks)
			certain := n.jumpIfCertain(n.certain(e, Mem{Base: slice("bi")}, Mem{Base: b}, narrowPanel, size))
			n.add(doubt, count)
			Label(certain)
			n.advance(z, line)
			ADDQ(U32(n.panels*narrowPanel), h)
			ADDQ(U32(n.panels*narrowPanel), b)
			ADDQ(U32(n.panels*tileMask), masks)
		})
	}
	VZEROUPPER()
	Store(doubt, ReturnIndex(0))
	RET()
}

// prefilterEarly emits the tile kernel that stops after some features where the others
// cannot matter. A panel of sides has h, the bound after all features and that after
// the first ones.
func (m machine) prefilterEarly() {
	m.function("prefilterEarly", "func(masks []uint64, zi, sidei, z, side []float32, d, first int) (doubt uint64, late int64)",
		"is prefilter for rows and sides in panels, which looks at the features after the first ones, 0 < first < d, in late tiles only.")
	masks, count := slice("masks"), Load(Param("masks").Len(), GP64())
	zi, sidei, z, side := slice("zi"), slice("sidei"), slice("z"), slice("side")
	line, size, doubt, late := panelBytes(value("d")), m.load(constant("size")), noDoubt(), GP64()
	XORQ(late, late)
	for _, n := range m.narrowKernels() {
		n.run(count, func() {
			e, row, column, left := n.sums(Mem{Base: sidei}, Mem{Base: side}, sidePanel), copyOf(zi), copyOf(z), value("first")
			n.subtract(e, row, column, line, left, Imm(narrowPanel))
			early := n.jumpIfCertain(n.certain(e, Mem{Base: sidei, Disp: 2 * narrowPanel}, Mem{Base: side, Disp: 2 * narrowPanel}, sidePanel, size))
			ADDQ(U32(n.panels), late)
			left = value("d")
			SUBQ(value("first"), left)
			n.subtract(e, row, column, line, left, Imm(narrowPanel))
			certain := n.jumpIfCertain(n.certain(e, Mem{Base: sidei, Disp: narrowPanel}, Mem{Base: side, Disp: narrowPanel}, sidePanel, size))
			n.add(doubt, count)
			Label(certain)
			Label(early)
			n.storeSigns(e, masks)
			n.advance(z, line)
			ADDQ(U32(n.panels*sidePanel), side)
			ADDQ(U32(n.panels*tileMask), masks)
		})
	}
	VZEROUPPER()
	Store(doubt, ReturnIndex(0))
	Store(late, ReturnIndex(1))
	RET()
}

// least emits the smallest sums of tiles over all panels.
func (m machine) least() {
	m.function("least", "func(least, zi, hi, z, h []float32, d, stride int)",
		"writes the smallest value h_i + h_j − Σ z_ik z_jk of len(h)/16 ≥ 1 panels, for each of four rows and each place of a panel. "+
			"A row has one feature every stride float32.")
	least, count := slice("least"), Load(Param("h").Len(), GP64())
	zi, z, h, stride := slice("zi"), slice("z"), slice("h"), value("stride")
	SHRQ(Imm(4), count)
	SHLQ(Imm(2), stride) // bytes
	line := panelBytes(value("d"))
	m.storeInfinity(least)
	for _, n := range m.narrowKernels() {
		n.run(count, func() {
			e, column := n.sums(Mem{Base: slice("hi")}, Mem{Base: h}, narrowPanel), copyOf(z)
			n.subtract(e, copyOf(zi), column, line, value("d"), stride)
			n.lower(least, e)
			n.advance(z, line)
			ADDQ(U32(n.panels*narrowPanel), h)
		})
	}
	m.end()
}

// storeInfinity sets four rows of a panel to +Inf.
func (m machine) storeInfinity(to reg.Register) {
	infinity := m.load(constant("narrowInfinity"))
	for _, disp := range parts(tileRow*narrowPanel, m.width) {
		VMOVUPS(infinity, Mem{Base: to, Disp: disp})
	}
}

// lower replaces the four rows of a panel by sums of tiles where these are smaller.
func (n narrowKernel) lower(least reg.Register, e [][]reg.VecVirtual) {
	for r, sums := range e {
		for c, sum := range sums {
			place := Mem{Base: least, Disp: r * narrowPanel}
			if !n.wide() {
				place.Disp += c * n.width // the halves of a panel
			}
			VMINPS(place, sum, sum)
			VMOVUPS(sum, place)
		}
	}
}

// noDoubt returns a register for a bit of each tile in doubt, the lowest for the last one.
func noDoubt() reg.GPVirtual {
	doubt := GP64()
	XORQ(doubt, doubt)
	return doubt
}

// add puts the tiles of a step in doubt, given how many tiles there are from there on.
func (n narrowKernel) add(doubt, count reg.Register) {
	for c := range n.panels {
		bit := GP64()
		LEAQ(Mem{Base: count, Disp: -1 - c}, bit)
		BTSQ(bit, doubt)
	}
}

// panelBytes returns the size of a panel of d features.
func panelBytes(d reg.GPVirtual) reg.GPVirtual {
	SHLQ(Imm(6), d)
	return d
}

// run emits body, to run while count is at least the number of panels, and takes them off.
func (n narrowKernel) run(count reg.Register, body func()) {
	labels++
	name := itoa(labels)
	Label("run" + name)
	CMPQ(count, U32(n.panels))
	JLT(LabelRef("done" + name))
	body()
	SUBQ(U32(n.panels), count)
	JMP(LabelRef("run" + name))
	Label("done" + name)
}

// advance moves z on by the panels of a step.
func (n narrowKernel) advance(z, line reg.Register) {
	for range n.panels {
		ADDQ(line, z)
	}
}

// columns loads one number of each sample; those of a panel follow those of the one
// before after a number of bytes.
func (n narrowKernel) columns(from Mem, apart int) []reg.VecVirtual {
	if n.wide() {
		return n.loadAll(from, from.Offset(apart))
	}
	return n.loadAll(from, from.Offset(n.width))
}

// features loads one feature of each sample; line is the size of a panel.
func (n narrowKernel) features(column, line reg.Register) []reg.VecVirtual {
	if n.wide() {
		return n.loadAll(Mem{Base: column}, Mem{Base: column, Index: line, Scale: 1})
	}
	return n.columns(Mem{Base: column}, 0)
}

// loadAll loads two vectors, or the first of them where there is one panel to fill it.
func (n narrowKernel) loadAll(places ...Mem) []reg.VecVirtual {
	if n.wide() {
		places = places[:n.panels]
	}
	columns := n.regs(len(places))
	for c, place := range places {
		VMOVUPS(place, columns[c])
	}
	return columns
}

// broadcast32 returns a vector of copies of the float32 in memory.
func (n narrowKernel) broadcast32(from Mem) reg.VecVirtual {
	v := n.reg()
	VBROADCASTSS(from, v)
	return v
}

// sums returns the sums of tiles before any feature, by rows.
func (n narrowKernel) sums(hi, h Mem, apart int) [][]reg.VecVirtual {
	e := make([][]reg.VecVirtual, tileRow)
	columns := n.columns(h, apart)
	for r := range e {
		row := n.broadcast32(hi.Offset(4 * r))
		e[r] = n.regs(len(columns))
		for c, column := range columns {
			VADDPS(row, column, e[r][c])
		}
	}
	return e
}

// subtract takes so many features off the sums of tiles, and moves on in row and column.
func (n narrowKernel) subtract(e [][]reg.VecVirtual, row, column, line, features reg.Register, stride Op) {
	loop(features, func() {
		columns := n.features(column, line)
		for r := range e {
			w := n.broadcast32(Mem{Base: row, Disp: 4 * r})
			for c, z := range columns {
				VFNMADD231PS(z, w, e[r][c])
			}
		}
		ADDQ(stride, row)
		ADDQ(Imm(narrowPanel), column)
	})
}

// storeSigns stores the tiles of negative elements.
func (n narrowKernel) storeSigns(e [][]reg.VecVirtual, masks reg.Register) {
	if !n.wide() {
		tile, part := GP64(), GP64()
		XORQ(tile, tile)
		for i := range 2 * tileRow {
			VMOVMSKPS(e[i/2][i%2], part.As32())
			SHLQ(Imm(uint64(8*i)), part)
			ORQ(part, tile)
		}
		MOVQ(tile, Mem{Base: masks})
		return
	}
	rows := [tileRow]reg.Register{K(), K(), K(), K()}
	for c := range n.panels {
		for r, k := range rows {
			VPMOVD2M(e[r][c], k)
		}
		KUNPCKWD(rows[0], rows[1], rows[0])
		KUNPCKWD(rows[2], rows[3], rows[2])
		KUNPCKDQ(rows[0], rows[2], rows[0])
		KMOVQ(rows[0], Mem{Base: masks, Disp: c * tileMask})
	}
}

// certain returns where every |e| is above the sum of two bounds; a mask without AVX-512 says where
// one is not.
func (n narrowKernel) certain(e [][]reg.VecVirtual, bi, b Mem, apart int, size reg.VecVirtual) (all mask) {
	columns := n.columns(b, apart)
	for r := range e {
		row := n.broadcast32(bi.Offset(4 * r))
		for c, column := range columns {
			bound, magnitude := n.reg(), n.reg()
			VADDPS(column, row, bound)
			VANDPS(size, e[r][c], magnitude)
			all = n.narrow(all, bound, magnitude)
		}
	}
	return all
}

// narrow adds a comparison to the mask of certain.
func (n narrowKernel) narrow(all mask, bound, magnitude reg.VecVirtual) mask {
	switch {
	case !n.wide():
		VCMPPS(Imm(notGreater), bound, magnitude, bound)
		if all.v != nil {
			VORPS(all.v, bound, bound)
		}
		return mask{v: bound}
	case all.k == nil:
		all.k = K()
		VCMPPS(Imm(greater), bound, magnitude, all.k)
	default:
		VCMPPS(Imm(greater), bound, magnitude, all.k, all.k)
	}
	return all
}

// jumpIfCertain jumps to the label that it returns if all elements are certain.
func (n narrowKernel) jumpIfCertain(certain mask) (label string) {
	label = newLabel("certain")
	if n.wide() {
		KORTESTW(certain.k, certain.k)
		JCS(LabelRef(label))
	} else {
		VPTEST(certain.v, certain.v)
		JZ(LabelRef(label))
	}
	return label
}
