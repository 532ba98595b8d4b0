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
		e, next := narrowValues(zi, hi, z, h, d, stride)
		storeNarrowSigns(e, masks)
		doubtful(e, bi, b, size, doubt)
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

// narrowValues computes the values of a tile, row by row, and returns where the
// next panel starts.
func narrowValues(zi, hi, z, h, d, stride reg.Register) ([]reg.VecVirtual, reg.Register) {
	e := make([]reg.VecVirtual, 2*tileRow)
	var columns [2]reg.VecVirtual
	for c := range columns {
		columns[c] = YMM()
		VMOVUPS(Mem{Base: h, Disp: c * narrowWidth}, columns[c])
	}
	for r := range tileRow {
		row := spreadNarrow(Mem{Base: hi, Disp: 4 * r})
		for c, column := range columns {
			e[2*r+c] = YMM()
			VADDPS(row, column, e[2*r+c])
		}
	}
	row, column, k := copyOf(zi), copyOf(z), copyOf(d)
	loop(k, func() {
		for c := range columns {
			VMOVUPS(Mem{Base: column, Disp: c * narrowWidth}, columns[c])
		}
		for r := range tileRow {
			w := spreadNarrow(Mem{Base: row, Disp: 4 * r})
			for c, z := range columns {
				VFNMADD231PS(z, w, e[2*r+c])
			}
		}
		ADDQ(stride, row)
		ADDQ(Imm(narrowPanel), column)
	})
	return e, column
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

// doubtful adds to doubt where some |e| is not above the sum of two bounds. It
// leaves |e| in e, so the signs have to be stored before.
func doubtful(e []reg.VecVirtual, bi, b reg.Register, size, doubt reg.VecVirtual) {
	for r := range tileRow {
		row := spreadNarrow(Mem{Base: bi, Disp: 4 * r})
		for c := range 2 {
			bound := YMM()
			VADDPS(Mem{Base: b, Disp: c * narrowWidth}, row, bound)
			VANDPS(size, e[2*r+c], e[2*r+c])
			VCMPPS(Imm(notGreater), bound, e[2*r+c], bound)
			VORPS(bound, doubt, doubt)
		}
	}
}
