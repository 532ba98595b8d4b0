package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// byColumns emits a body for every number of columns given, and the choice
// among them by the parameter columns. The last number needs no test.
func (m machine) byColumns(counts []int, body func(columns int)) {
	for i, columns := range counts {
		next := newLabel("columns")
		if i < len(counts)-1 {
			c := value("columns")
			CMPQ(c, Imm(uint64(columns)))
			JNE(LabelRef(next))
		}
		body(columns)
		m.end()
		if i < len(counts)-1 {
			Label(next)
		}
	}
}

// rowBytes loads the parameter width in bytes.
func rowBytes() reg.GPVirtual {
	line := value("width")
	SHLQ(Imm(3), line)
	return line
}

// addMarked emits the sums of marked rows.
func (m machine) addMarked() {
	m.function("addMarked", "func(total, rows []float64, marks []uint64, width, columns int)", "is addMarkedGo.")
	m.byColumns([]int{32, 16, 8}, func(columns int) {
		rows, line := slice("rows"), rowBytes()
		m.totals(line, columns, func(word reg.Register, total []reg.VecVirtual) {
			bits := here("bits")
			row := GP64()
			TZCNTQ(word, row)
			IMULQ(line, row)
			ADDQ(rows, row)
			m.addTo(total, Mem{Base: row})
			BLSRQ(word, word)
			JNZ(LabelRef(bits))
		})
	})
}

// addSums emits the look-ups of sums of eight rows.
func (m machine) addSums() {
	m.function("addSums", "func(total, sums []float64, marks []uint64, width, columns int)", "is addSumsGo.")
	m.byColumns([]int{16, 8}, func(columns int) {
		sums, line := slice("sums"), rowBytes()
		m.totals(line, columns, func(word reg.Register, total []reg.VecVirtual) {
			for b := range 8 {
				at := GP64()
				MOVBQZX(word.(reg.GPVirtual).As8(), at)
				SHLQ(Imm(3), at)
				m.addTo(total, Mem{Base: sums, Index: scaled(at, columns), Scale: 8, Disp: b * 256 * 8 * columns})
				SHRQ(Imm(8), word)
			}
		})
	})
}

// scaled multiplies r, a number of eighths of a row, by the columns of a row.
func scaled(r reg.GPVirtual, columns int) reg.GPVirtual {
	for c := columns; c > 8; c /= 2 {
		ADDQ(r, r)
	}
	return r
}

// totals emits a loop over the marks: where any bit is set, body adds to the
// columns of the total.
func (m machine) totals(line reg.Register, columns int, body func(word reg.Register, total []reg.VecVirtual)) {
	to, marks := slice("total"), slice("marks")
	count := Load(Param("marks").Len(), GP64())
	loop(count, func() {
		none := newLabel("none")
		word := GP64()
		MOVQ(Mem{Base: marks}, word)
		TESTQ(word, word)
		JZ(LabelRef(none))
		total := m.regs(8 * columns / m.width)
		for i, t := range total {
			VMOVUPD(Mem{Base: to, Disp: i * m.width}, t)
		}
		body(word, total)
		for i, t := range total {
			VMOVUPD(t, Mem{Base: to, Disp: i * m.width})
		}
		Label(none)
		ADDQ(line, to)
		ADDQ(Imm(8), marks)
	})
}

// addTo adds a row in memory to vectors.
func (m machine) addTo(total []reg.VecVirtual, row Mem) {
	for _, t := range total {
		VADDPD(row, t, t)
		row.Disp += m.width
	}
}

// subsetSums emits all sums of every eight of 64 rows.
func (m machine) subsetSums() {
	m.function("subsetSums", "func(sums, rows []float64, width, columns int)", "is subsetSumsGo.")
	m.byColumns([]int{16, 8}, func(columns int) {
		size := 8 * columns
		sums, rows, line, groups := slice("sums"), slice("rows"), rowBytes(), GP64()
		MOVQ(U32(8), groups)
		loop(groups, func() {
			zero := m.reg()
			m.zero(zero)
			for disp := 0; disp < size; disp += m.width {
				VMOVUPD(zero, Mem{Base: sums, Disp: disp})
			}
			for i := range 8 {
				m.double(sums, rows, size, i)
				ADDQ(line, rows)
			}
			ADDQ(U32(uint32(256*size)), sums)
		})
	})
}

// double makes the sums with row i from those of the rows before it.
func (m machine) double(sums, row reg.Register, size, i int) {
	var add []reg.VecVirtual
	for disp := 0; disp < size; disp += m.width {
		add = append(add, m.load(Mem{Base: row, Disp: disp}))
	}
	from, count := copyOf(sums), GP64()
	MOVQ(U32(uint32(1)<<i), count)
	loop(count, func() {
		for k, a := range add {
			v := m.reg()
			VADDPD(Mem{Base: from, Disp: k * m.width}, a, v)
			VMOVUPD(v, Mem{Base: from, Disp: k*m.width + size<<i})
		}
		ADDQ(U32(uint32(size)), from)
	})
}
