package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// record builds a record of a workbook.
func xlsRecord(kind uint16, data ...[]byte) []byte {
	body := bytes.Join(data, nil)
	b := binary.LittleEndian.AppendUint16(nil, kind)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(body))), body...)
}

func half(v int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(v)) }
func word(v int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }

// workbookStream builds a workbook of one sheet from rows of float64 and
// string cells.
func workbookStream(name string, rows [][]any) []byte {
	begin := xlsRecord(0x809, half(0x600), make([]byte, 14))
	end := xlsRecord(0x0a)
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
	words := xlsRecord(0xfc, word(count), word(count), texts)
	sheet := func(at int) []byte {
		return xlsRecord(0x85, word(at), half(0), []byte{byte(len(name)), 0}, []byte(name))
	}
	at := len(begin) + len(words) + len(sheet(0)) + len(end)
	return slices.Concat(begin, words, sheet(at), end, begin, cells, end)
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

// tissueRows are as many rows as the real sheet has.
func tissueRows() [][]any {
	rows := [][]any{{"Case #", "Class"}}
	for i := range 106 {
		row := []any{float64(i + 1), "car"}
		for j := range 9 {
			row = append(row, float64(i)+float64(j)/8)
		}
		rows = append(rows, row)
	}
	return rows
}

func TestLoadBreastTissue(t *testing.T) {
	raw, err := loadBreastTissue(map[string][]byte{"BreastTissue.xls": compoundFile(workbookStream("Data", tissueRows()))})
	if err != nil {
		t.Fatal(err)
	}
	if len(raw.X) != 106 || raw.Labels[105] != "car" {
		t.Errorf("%d rows, the last %q", len(raw.X), raw.Labels[len(raw.Labels)-1])
	}
	if diff := cmp.Diff([]float64{1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2}, raw.X[1]); diff != "" {
		t.Errorf("second row (-want +got):\n%s", diff)
	}
}

func TestLoadBreastTissueErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(rows [][]any) (sheet string, _ [][]any)
		want   string
	}{
		{"other sheet", func(rows [][]any) (string, [][]any) { return "Date", rows }, `no sheet "Data"`},
		{"rows missing", func(rows [][]any) (string, [][]any) { return "Data", rows[:50] }, "line 51: column 2 holds no class"},
		{"text for a number", func(rows [][]any) (string, [][]any) { rows[3][5] = "x"; return "Data", rows }, "line 4: column 6 holds no number"},
		{"empty cell", func(rows [][]any) (string, [][]any) { rows[3][10] = nil; return "Data", rows }, "line 4: column 11 holds no number"},
		{"number for a class", func(rows [][]any) (string, [][]any) { rows[3][1] = 1.0; return "Data", rows }, "line 4: column 2 holds no class"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sheet, rows := c.change(tissueRows())
			_, err := loadBreastTissue(map[string][]byte{"BreastTissue.xls": compoundFile(workbookStream(sheet, rows))})
			if err == nil || !strings.Contains(err.Error(), "BreastTissue.xls: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not say %q", err, c.want)
			}
		})
	}
}

// Each of these makes a trusting reader loop, crash or ask for all memory.
func TestSheetCellsDamaged(t *testing.T) {
	stream := workbookStream("Data", [][]any{{1.0, "a"}})
	good := compoundFile(stream)
	table, directory := sectorSize, 2*sectorSize
	put := func(at int, v int) []byte {
		b := bytes.Clone(good)
		copy(b[at:], word(v))
		return b
	}
	many := slices.Concat(xlsRecord(0x809, half(0x600), make([]byte, 14)),
		bytes.Repeat(xlsRecord(0x85, word(0), half(0), []byte{1, 0, 'x'}), maxSheets+1), xlsRecord(0x0a))
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
		{"giant table of small streams", put(64, 0x7fffffff), "table of small streams is longer than the file"},
		{"table behind the end", put(76, 9999), "allocation table: sector 9999 lies behind the end"},
		{"directory behind the end", put(48, 9999), "directory: sector 9999 lies behind the end"},
		{"directory in a circle", put(table+4, 1), "directory: sectors follow one another in a circle"},
		{"workbook in a circle", put(table+4*5, 3), "workbook: sectors follow one another in a circle"},
		{"workbook of all memory", put(directory+entrySize+120, 0x7fffffff), "workbook of 2147483647 bytes"},
		{"workbook among small streams", put(directory+entrySize+120, 100), "workbook of 100 bytes"},
		{"too many sheets", compoundFile(many), "workbook with 65 sheets, at most 64 are read"},
		{"no end", compoundFile(stream[:60]), "damaged workbook: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := sheetCells(c.file, "Data", 1, 2)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not say %q", err, c.want)
			}
		})
	}
	got, err := sheetCells(good, "Data", 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]any{{1.0, "a", nil}, {nil, nil, nil}}, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

// The spreadsheet library walks over maps, so that its coverage differs from
// run to run and shrinking an input takes very long: fuzz with
// -fuzzminimizetime 10x.
func FuzzXLS(f *testing.F) {
	good := compoundFile(workbookStream("Data", [][]any{{1.0, "a"}, {-2.5, "bc"}}))
	f.Add(good)
	f.Add(compoundFile(workbookStream("", nil)))
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
		if shape := fmt.Sprint(len(cells), len(cells[0])); shape != "3 2" {
			t.Errorf("%s cells, want 3 2", shape)
		}
	})
}
