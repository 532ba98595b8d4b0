package datasets

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"
)

// xlsRecord builds a record of a workbook.
func xlsRecord(kind uint16, data ...any) []byte {
	var body bytes.Buffer
	for _, v := range data {
		if err := binary.Write(&body, binary.LittleEndian, v); err != nil {
			panic(err) // numbers and bytes only
		}
	}
	b := binary.LittleEndian.AppendUint16(nil, kind)
	return append(binary.LittleEndian.AppendUint16(b, uint16(body.Len())), body.Bytes()...)
}

// tissueWorkbook has as many cases as the real one, the first feature of which are these numbers, and then the number of the case.
func tissueWorkbook(first ...any) []byte {
	text := func(s string) []byte { return append([]byte{byte(len(s)), 0, 0}, s...) }
	end, sheet := xlsRecord(recordEnd), xlsRecord(recordBegin, []byte("\x00\x06\x10\x00"), make([]byte, 12))
	cell := func(kind, row, column uint16, value any) []byte {
		return xlsRecord(kind, row, column, uint16(0), value)
	}
	b := slices.Concat([]byte("a container of\x00sectors"), xlsRecord(recordBegin, []byte("\x00\x06\x05\x00"), make([]byte, 12)),
		xlsRecord(recordTexts, uint32(3), uint32(2), text("Class"), text("car")), end,
		sheet, cell(recordNumber, 1, 2, 99.0), end, // another sheet
		sheet, cell(recordText, 0, 1, uint32(0)))
	for i := range uint16(106) {
		b = slices.Concat(b, cell(recordNumber, i+1, 0, float64(i)), cell(recordText, i+1, 1, uint32(1)))
		if int(i) < len(first) {
			kind := uint16(recordNumber)
			if _, short := first[i].(uint32); short {
				kind = recordShort
			}
			b = append(b, cell(kind, i+1, 2, first[i])...)
		}
		for j := range uint16(8) {
			b = append(b, cell(recordNumber, i+1, j+3, float64(i)+float64(j)/8)...)
		}
	}
	return slices.Concat(b, end, cell(recordNumber, 1, 2, 99.0))
}

// TestLoadBreastTissue: numbers in 30 bits are 12 as an integer, 1.25 as a hundredth of 125, -3.5 and 0.5 by the upper
// bits of a float64.
func TestLoadBreastTissue(t *testing.T) {
	bits := func(v float64) uint32 { return uint32(math.Float64bits(v) >> 32) }
	file := tissueWorkbook(7.5, uint32(12<<2|2), uint32(125<<2|3), bits(-3.5), bits(50)|1)
	raw := fixture.Must(loadBreastTissue(map[string][]byte{"BreastTissue.xls": file}))(t)
	fixture.Equal(t, "rows", len(raw.X), 106)
	fixture.Same(t, "labels", slices.Compact(raw.Labels), []string{"car"})
	for i, want := range []float64{7.5, 12, 1.25, -3.5, 0.5, 0} {
		fixture.Equal(t, "first feature", raw.X[i][0], want)
	}
	fixture.Same(t, "second row", raw.X[1][1:], []float64{1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875})
}

// TestOtherWorkbooks: what is not the file of the catalogue is refused.
func TestOtherWorkbooks(t *testing.T) {
	e, file := fixture.Must(Find("breasttissue"))(t), tissueWorkbook()
	for name, b := range map[string][]byte{"other numbers": file, "cut off": file[:2000], "text": []byte("Case #,Class"), "empty": nil} {
		_, err := e.parse(map[string][]byte{"BreastTissue.xls": b})
		t.Run(name, func(t *testing.T) { fixture.Is(t, err, ErrCorrupt) })
	}
}

func FuzzXLS(f *testing.F) {
	good := tissueWorkbook(uint32(12))
	f.Add(good)
	for _, at := range []int{21, 23, 40, 45, 53, 60, 100, 130} {
		b := bytes.Clone(good[:400])
		b[at] ^= 0xff
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if raw, err := loadBreastTissue(map[string][]byte{"BreastTissue.xls": b}); err == nil {
			fixture.Equal(t, "rows and labels", [2]int{len(raw.X), len(raw.Labels)}, [2]int{106, 106})
		}
	})
}
