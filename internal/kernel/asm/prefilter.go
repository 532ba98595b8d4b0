package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	narrowPanel = 16 * 4 // one feature of a panel in float32
	narrowWidth = 32     // of a vector
	notGreater  = 0x1a   // of VCMPPS: true for a NaN
)

// prefilter emits the tile kernel in float32. Both machines share it: 256 bits
// keep the multipliers of either busy with a tile of eight vectors.
func prefilter() {
	TEXT("prefilterAVX2", NOSPLIT, "func(masks []uint64, zi, hi, bi, z, h, b []float32, d, stride int) (doubt int64)")
	Doc("prefilterAVX2 computes the bits of tiles, or tells that some are in doubt. A row has one feature every stride float32.")
	Pragma("noescape")
	masks, count := slice("masks"), Load(Param("masks").Len(), GP64())
	zi, hi, bi := slice("zi"), slice("hi"), slice("bi")
	z, h, b, d, stride := slice("z"), slice("h"), slice("b"), value("d"), value("stride")
	SHLQ(Imm(2), stride) // bytes
	size, doubt := YMM(), YMM()
	VMOVUPS(constant("size"), size)
	VXORPS(doubt, doubt, doubt)
	loop(count, func() {
		e, next := narrowSums(Mem{Base: hi}, Mem{Base: h}), copyOf(z)
		addNarrow(e, copyOf(zi), next, copyOf(d), stride)
		storeNarrowSigns(e, masks)
		doubtful(e, Mem{Base: bi}, Mem{Base: b}, size, doubt)
		MOVQ(next, z)
		ADDQ(Imm(narrowPanel), h)
		ADDQ(Imm(narrowPanel), b)
		ADDQ(Imm(8), masks)
	})
	some := GP64()
	VMOVMSKPS(doubt, some.As32())
	VZEROUPPER()
	Store(some, ReturnIndex(0))
	RET()
}

// prefilterEarly emits the tile kernel that stops after some features where the others
// cannot matter. A panel of sides has h, the bound after all features and that after
// the first ones.
func prefilterEarly() {
	TEXT("prefilterEarlyAVX2", NOSPLIT, "func(masks []uint64, zi, sidei, z, side []float32, d, first int) (doubt, late int64)")
	Doc("prefilterEarlyAVX2 is prefilterAVX2 for rows and sides in panels, which looks at the features after the first ones in late tiles only.")
	Pragma("noescape")
	masks, count := slice("masks"), Load(Param("masks").Len(), GP64())
	zi, sidei, z, side := slice("zi"), slice("sidei"), slice("z"), slice("side")
	d, first, late := value("d"), value("first"), GP64()
	size, doubt := YMM(), YMM()
	VMOVUPS(constant("size"), size)
	VXORPS(doubt, doubt, doubt)
	XORQ(late, late)
	loop(count, func() {
		e, row, column, left := narrowSums(Mem{Base: sidei}, Mem{Base: side}), copyOf(zi), copyOf(z), copyOf(first)
		addNarrow(e, row, column, left, Imm(narrowPanel))
		early := YMM()
		VXORPS(early, early, early)
		doubtful(e, Mem{Base: sidei, Disp: 2 * narrowPanel}, Mem{Base: side, Disp: 2 * narrowPanel}, size, early)
		VPTEST(early, early)
		labels++
		decided := "decided" + itoa(labels)
		JZ(LabelRef(decided))
		INCQ(late)
		MOVQ(d, left)
		SUBQ(first, left)
		addNarrow(e, row, column, left, Imm(narrowPanel))
		doubtful(e, Mem{Base: sidei, Disp: narrowPanel}, Mem{Base: side, Disp: narrowPanel}, size, doubt)
		Label(decided)
		storeNarrowSigns(e, masks)
		MOVQ(d, left)
		SHLQ(Imm(6), left)
		ADDQ(left, z)
		ADDQ(Imm(3*narrowPanel), side)
		ADDQ(Imm(8), masks)
	})
	some := GP64()
	VMOVMSKPS(doubt, some.As32())
	VZEROUPPER()
	Store(some, ReturnIndex(0))
	Store(late, ReturnIndex(1))
	RET()
}

// narrowSums returns the sums of a tile before any feature.
func narrowSums(hi, h Mem) []reg.VecVirtual {
	e := make([]reg.VecVirtual, 2*tileRow)
	columns := narrowColumns(h)
	for r := range tileRow {
		row := spreadNarrow(hi.Offset(4 * r))
		for c, column := range columns {
			e[2*r+c] = YMM()
			VADDPS(row, column, e[2*r+c])
		}
	}
	return e
}

// addNarrow takes so many features off the sums of a tile, and moves on in row and column.
func addNarrow(e []reg.VecVirtual, row, column, features reg.Register, stride Op) {
	loop(features, func() {
		columns := narrowColumns(Mem{Base: column})
		for r := range tileRow {
			w := spreadNarrow(Mem{Base: row, Disp: 4 * r})
			for c, z := range columns {
				VFNMADD231PS(z, w, e[2*r+c])
			}
		}
		ADDQ(stride, row)
		ADDQ(Imm(narrowPanel), column)
	})
}

// narrowColumns loads one number of each sample of a panel.
func narrowColumns(from Mem) (columns [2]reg.VecVirtual) {
	for c := range columns {
		columns[c] = YMM()
		VMOVUPS(from.Offset(c*narrowWidth), columns[c])
	}
	return columns
}

// spreadNarrow returns a vector of copies of the float32 in memory.
func spreadNarrow(from Mem) reg.VecVirtual {
	v := YMM()
	VBROADCASTSS(from, v)
	return v
}

// storeNarrowSigns stores the tile of negative elements.
func storeNarrowSigns(e []reg.VecVirtual, masks reg.Register) {
	tile, part := GP64(), GP64()
	VMOVMSKPS(e[0], tile.As32())
	for i, v := range e[1:] {
		VMOVMSKPS(v, part.As32())
		SHLQ(Imm(uint64(8*(i+1))), part)
		ORQ(part, tile)
	}
	MOVQ(tile, Mem{Base: masks})
}

// doubtful adds to doubt where some |e| is not above the sum of two bounds.
func doubtful(e []reg.VecVirtual, bi, b Mem, size, doubt reg.VecVirtual) {
	for r := range tileRow {
		row := spreadNarrow(bi.Offset(4 * r))
		for c := range 2 {
			bound, magnitude := YMM(), YMM()
			VADDPS(b.Offset(c*narrowWidth), row, bound)
			VANDPS(size, e[2*r+c], magnitude)
			VCMPPS(Imm(notGreater), bound, magnitude, bound)
			VORPS(bound, doubt, doubt)
		}
	}
}
