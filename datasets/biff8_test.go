package datasets

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"
)

// record builds a record of a workbook.
func xlsRecord(kind uint16, data ...[]byte) []byte {
	body := bytes.Join(data, nil)
	b := binary.LittleEndian.AppendUint16(nil, kind)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(body))), body...)
}

func half(v int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(v)) }
func word(v int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }

// testWorkbook builds a workbook of one sheet from rows of float64 and
// string cells.
func testWorkbook(name string, rows [][]any) []byte {
	var texts, cells []byte
	count := 0
	for i, row := range rows {
		for j, cell := range row {
			at := slices.Concat(half(i), half(j), half(0))
			switch v := cell.(type) {
			case float64:
				cells = append(cells, xlsRecord(0x203, at, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))...)
			case string:
				cells = append(cells, xlsRecord(0xfd, at, word(count))...)
				texts = slices.Concat(texts, half(len(v)), []byte{0}, []byte(v))
				count++
			}
		}
	}
	return sheetStream(xlsRecord(0xfc, word(count), word(count), texts), slices.Concat([]byte{byte(len(name)), 0}, []byte(name)), cells)
}

// The records that a stream begins and ends with.
var begin, end = xlsRecord(0x809, half(0x600), make([]byte, 14)), xlsRecord(0x0a)

// sheetStream has a table of strings and a sheet of that name with cells.
func sheetStream(texts, name, cells []byte) []byte {
	sheet := func(at int) []byte { return xlsRecord(0x85, word(at), half(0), name) }
	at := len(begin) + len(texts) + len(sheet(0)) + len(end)
	return slices.Concat(begin, texts, sheet(at), end, begin, cells, end)
}

// compoundFile wraps a workbook stream: sector 0 is the allocation table,
// sector 1 the directory, the stream follows.
func compoundFile(stream []byte) []byte {
	size := max(len(stream), smallStream)
	sectors := (size + sectorSize - 1) / sectorSize
	next := []byte{}
	next = append(append(next, word(0xfffffffd)...), word(endOfChain)...)
	for i := range sectors - 1 {
		next = append(next, word(i+3)...)
	}
	next = append(next, word(endOfChain)...)
	head := make([]byte, 76)
	copy(head, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	copy(head[24:], "\x3e\x00\x03\x00\xfe\xff\x09\x00\x06\x00")
	copy(head[44:], word(1))
	copy(head[48:], word(1))
	copy(head[56:], word(smallStream))
	copy(head[60:], word(endOfChain))
	copy(head[68:], word(endOfChain))
	head = append(head, word(0)...)
	return slices.Concat(
		padTo(head, sectorSize, 0xff), padTo(next, sectorSize, 0xff),
		padTo(slices.Concat(directoryEntry("Root Entry", 5, endOfChain, 0), directoryEntry("Workbook", 2, 2, size)), sectorSize, 0),
		padTo(stream, sectors*sectorSize, 0),
	)
}

func directoryEntry(name string, kind byte, start, size int) []byte {
	b := make([]byte, entrySize)
	for i, c := range []byte(name) {
		b[2*i] = c
	}
	copy(b[64:], half(2*len(name)+2))
	b[66] = kind
	copy(b[116:], word(start))
	copy(b[120:], word(size))
	return b
}

func padTo(b []byte, n int, with byte) []byte {
	return append(b, bytes.Repeat([]byte{with}, n-len(b))...)
}

// Each of these makes a trusting reader loop, crash or ask for all memory.
func TestCellsDamaged(t *testing.T) {
	stream := testWorkbook("Data", [][]any{{1.0, "a"}})
	good := compoundFile(stream)
	table, directory := sectorSize, 2*sectorSize
	put := func(at int, v int) []byte {
		b := bytes.Clone(good)
		copy(b[at:], word(v))
		return b
	}
	with := func(records ...[]byte) []byte {
		return compoundFile(slices.Concat(begin, slices.Concat(records...), end))
	}
	withCell := func(cell []byte) []byte { return compoundFile(sheetStream(nil, []byte("\x04\x00Data"), cell)) }
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "not an Excel 97 file"},
		{"text", []byte("Case #,Class"), "not an Excel 97 file"},
		{"cut off in the header", good[:100], "not an Excel 97 file"},
		{"sectors of 4096 bytes", put(26, 4), "not laid out like a small Excel 97 file"},
		{"giant allocation table", put(44, 0x7fffffff), "not laid out like a small"},
		{"further tables", put(72, 1), "not laid out like a small"},
		{"table behind the end", put(76, 9999), "no workbook of Excel 97"},
		{"directory behind the end", put(48, 9999), "no workbook of Excel 97"},
		{"directory in a circle", put(table+4, 1), "no workbook of Excel 97"},
		{"workbook in a circle", put(table+4*5, 3), "the sectors of the workbook"},
		{"workbook of all memory", put(directory+entrySize+120, 0x7fffffff), "the sectors of the workbook"},
		{"workbook among small streams", put(directory+entrySize+120, 100), "in the table of small streams is not read"},
		{"no workbook", put(directory+entrySize, 0), "no workbook of Excel 97"},
		{"no end", compoundFile(bytes.Repeat(xlsRecord(0x1, make([]byte, 100)), 40)), "not a BIFF8 stream"},
		{"Excel 95", compoundFile(xlsRecord(0x809, half(0x500), make([]byte, 14))), "not a BIFF8 stream"},
		{"cut off", compoundFile(slices.Concat(begin, []byte{1, 0, 255, 255})), "the workbook ends within a record"},
		{"encrypted", with(xlsRecord(0x2f)), "the workbook is encrypted"},
		{"long table of strings", with(xlsRecord(0xfc, word(2), word(2), half(1), []byte{0, 'a'}), xlsRecord(0x3c)), "kind 0xfc is cut off, or goes on in the next"},
		{"short table of strings", with(xlsRecord(0xfc, word(0))), "kind 0xfc is cut off"},
		{"giant table of strings", with(xlsRecord(0xfc, word(0), word(1<<30))), "kind 0xfc is cut off"},
		{"string cut off", with(xlsRecord(0xfc, word(1), word(1), half(9), []byte{0, 'a'})), "kind 0xfc is cut off"},
		{"formats cut off", with(xlsRecord(0xfc, word(1), word(1), half(1), []byte{8, 1, 0, 'a'})), "kind 0xfc is cut off"},
		{"sheet cut off", with(xlsRecord(0x85, word(0))), "kind 0x85 is cut off"},
		{"sheet behind the end", with(xlsRecord(0x85, word(1<<20), half(0), []byte{4, 0}, []byte("Data"))), "lies behind the end"},
		{"cell cut off", withCell(xlsRecord(0x203, half(0), half(0))), "kind 0x203 is cut off"},
		{"several numbers in a record", withCell(xlsRecord(0xbd, make([]byte, 12))), "cells by record MULRK are not read"},
		{"text of its own", withCell(xlsRecord(0x204, make([]byte, 9))), "cells by record LABEL are not read"},
		{"text with formats", withCell(xlsRecord(0xd6, make([]byte, 9))), "cells by record RSTRING are not read"},
		{"truth", withCell(xlsRecord(0x205, make([]byte, 8))), "cells by record BOOLERR are not read"},
		{"no such string", withCell(xlsRecord(0xfd, half(0), half(0), half(0), word(1))), "a cell has string 1 of 0"},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Says(t, fixture.Error(sheetCells(c.file, "Data", 1, 2)), c.want) })
	}
	got := fixture.Must(sheetCells(good, "Data", 2, 3))(t)
	fixture.Same(t, "cells", got, [][]any{{1.0, "a", nil}, {nil, nil, nil}})
}

// Strings with formats, phonetic texts and characters of two bytes, and numbers in
// 30 bits: 12 as an integer, 1.25 as a hundredth of 125, -3.5 and 0.5 by the upper
// bits of a float64.
func TestCellsKinds(t *testing.T) {
	texts := xlsRecord(0xfc, word(3), word(3),
		half(2), []byte{0, 'a', 0xe4},
		half(1), []byte{1 | 8 | 4}, half(1), word(3), []byte{0xbb, 0x03}, make([]byte, 4+3),
		half(1), []byte{0, 'z'})
	var cells []byte
	for i, rk := range []uint32{12<<2 | 2, 125<<2 | 3, uint32(math.Float64bits(-3.5) >> 32), uint32(math.Float64bits(50)>>32) | 1} {
		cells = append(cells, xlsRecord(0x27e, half(0), half(i), half(0), binary.LittleEndian.AppendUint32(nil, rk))...)
	}
	for i := range 3 {
		cells = append(cells, xlsRecord(0xfd, half(1), half(i), half(0), word(i))...)
	}
	cells = append(cells, xlsRecord(0x06, half(1), half(3), half(0), make([]byte, 16))...) // a formula
	cells = append(cells, xlsRecord(0x203, half(9), half(9), make([]byte, 10))...)         // not wanted
	got := fixture.Must(sheetCells(compoundFile(sheetStream(texts, []byte{2, 1, 'D', 0, 0xbb, 0x03}, cells)), "Dλ", 2, 4))(t)
	fixture.Same(t, "cells", got, [][]any{{12.0, 1.25, -3.5, 0.5}, {"aä", "λ", "z", nil}})
}

func FuzzXLS(f *testing.F) {
	good := compoundFile(testWorkbook("Data", [][]any{{1.0, "a"}, {-2.5, "bc"}}))
	f.Add(good)
	f.Add(compoundFile(testWorkbook("", nil)))
	f.Add(good[:2000])
	for _, at := range []int{44, 48, 76, 520, 1100, 1544, 1600} {
		b := bytes.Clone(good)
		b[at]++
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		cells, err := sheetCells(b, "Data", 3, 2)
		if err != nil {
			return
		}
		fixture.Equal(t, "cells", [2]int{len(cells), len(cells[0])}, [2]int{3, 2})
	})
}
