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
	m.function("prefilter", "func(masks []uint64, zi, hi, bi, z, h, b []float32, d, stride int) (doubt int64)",
		"computes the bits of tiles, or tells that some are in doubt. A row has one feature every stride float32.")
	masks, count := slice("masks"), Load(Param("masks").Len(), GP64())
	zi, hi, bi := slice("zi"), slice("hi"), slice("bi")
	z, h, b, d, stride := slice("z"), slice("h"), slice("b"), value("d"), value("stride")
	SHLQ(Imm(2), stride) // bytes
	line := panelBytes(d)
	size, doubt := m.load(constant("size")), m.noDoubt()
	for _, n := range m.narrowKernels() {
		n.run(count, func() {
			e, column := n.sums(Mem{Base: hi}, Mem{Base: h}, narrowPanel), copyOf(z)
			n.subtract(e, copyOf(zi), column, line, copyOf(d), stride)
			n.storeSigns(e, masks)
			n.doubtful(e, Mem{Base: bi}, Mem{Base: b}, narrowPanel, size, doubt)
			n.advance(z, line)
			ADDQ(U32(n.panels*narrowPanel), h)
			ADDQ(U32(n.panels*narrowPanel), b)
			ADDQ(U32(n.panels*tileMask), masks)
		})
	}
	m.storeDoubt(doubt, 0)
	m.end()
}

// prefilterEarly emits the tile kernel that stops after some features where the others
// cannot matter. A panel of sides has h, the bound after all features and that after
// the first ones.
func (m machine) prefilterEarly() {
	m.function("prefilterEarly", "func(masks []uint64, zi, sidei, z, side []float32, d, first int) (doubt, late int64)",
		"is prefilter for rows and sides in panels, which looks at the features after the first ones in late tiles only.")
	masks, count := slice("masks"), Load(Param("masks").Len(), GP64())
	zi, sidei, z, side := slice("zi"), slice("sidei"), slice("z"), slice("side")
	d, first, late := value("d"), value("first"), GP64()
	line := panelBytes(d)
	size, doubt := m.load(constant("size")), m.noDoubt()
	XORQ(late, late)
	for _, n := range m.narrowKernels() {
		n.run(count, func() {
			e, row, column, left := n.sums(Mem{Base: sidei}, Mem{Base: side}, sidePanel), copyOf(zi), copyOf(z), copyOf(first)
			n.subtract(e, row, column, line, left, Imm(narrowPanel))
			early := m.noDoubt()
			n.doubtful(e, Mem{Base: sidei, Disp: 2 * narrowPanel}, Mem{Base: side, Disp: 2 * narrowPanel}, sidePanel, size, early)
			labels++
			decided := "decided" + itoa(labels)
			n.jumpIfDecided(decided, early)
			ADDQ(U32(n.panels), late)
			MOVQ(d, left)
			SUBQ(first, left)
			n.subtract(e, row, column, line, left, Imm(narrowPanel))
			n.doubtful(e, Mem{Base: sidei, Disp: narrowPanel}, Mem{Base: side, Disp: narrowPanel}, sidePanel, size, doubt)
			Label(decided)
			n.storeSigns(e, masks)
			n.advance(z, line)
			ADDQ(U32(n.panels*sidePanel), side)
			ADDQ(U32(n.panels*tileMask), masks)
		})
	}
	m.storeDoubt(doubt, 0)
	Store(late, ReturnIndex(1))
	m.end()
}

// panelBytes returns the size of a panel of d features.
func panelBytes(d reg.Register) reg.Register {
	line := copyOf(d)
	SHLQ(Imm(6), line)
	return line
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
	for c := range n.panels {
		rows := [tileRow]reg.Register{K(), K(), K(), K()}
		for r, k := range rows {
			VPMOVD2M(e[r][c], k)
		}
		low, high, tile := K(), K(), K()
		KUNPCKWD(rows[0], rows[1], low)
		KUNPCKWD(rows[2], rows[3], high)
		KUNPCKDQ(low, high, tile)
		KMOVQ(tile, Mem{Base: masks, Disp: c * tileMask})
	}
}

// noDoubt returns an empty mask. A mask register holds where there is no doubt, so that
// comparisons narrow it down by themselves.
func (m machine) noDoubt() mask {
	if m.wide() {
		k := K()
		KXNORW(k, k, k)
		return mask{k: k}
	}
	v := m.reg()
	m.zero(v)
	return mask{v: v}
}

// doubtful adds to doubt where some |e| is not above the sum of two bounds.
func (n narrowKernel) doubtful(e [][]reg.VecVirtual, bi, b Mem, apart int, size reg.VecVirtual, doubt mask) {
	columns := n.columns(b, apart)
	for r := range e {
		row := n.broadcast32(bi.Offset(4 * r))
		for c, column := range columns {
			bound, magnitude := n.reg(), n.reg()
			VADDPS(column, row, bound)
			VANDPS(size, e[r][c], magnitude)
			if n.wide() {
				VCMPPS(Imm(greater), bound, magnitude, doubt.k, doubt.k)
			} else {
				VCMPPS(Imm(notGreater), bound, magnitude, bound)
				VORPS(bound, doubt.v, doubt.v)
			}
		}
	}
}

// jumpIfDecided jumps if nothing is in doubt.
func (m machine) jumpIfDecided(label string, doubt mask) {
	if m.wide() {
		KORTESTW(doubt.k, doubt.k)
		JCS(LabelRef(label))
	} else {
		VPTEST(doubt.v, doubt.v)
		JZ(LabelRef(label))
	}
}

// storeDoubt returns a number that is not 0 if anything is in doubt.
func (m machine) storeDoubt(doubt mask, result int) {
	some := GP64()
	if m.wide() {
		KNOTW(doubt.k, doubt.k)
		KMOVW(doubt.k, some.As32())
	} else {
		VMOVMSKPS(doubt.v, some.As32())
	}
	Store(some, ReturnIndex(result))
}
