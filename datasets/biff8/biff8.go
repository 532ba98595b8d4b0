// Package biff8 reads a sheet of a workbook of Excel 97 to 2003. It reads what one such file of
// the catalogue has, and refuses what it does not know.
package biff8

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf16"
)

// Records of a BIFF8 workbook stream that are read, see Microsoft's MS-XLS.
const (
	recordEOF        = 0x000a
	recordFilePass   = 0x002f // an encrypted workbook
	recordContinue   = 0x003c
	recordBoundSheet = 0x0085
	recordSST        = 0x00fc // shared strings
	recordLabelSST   = 0x00fd // a cell with a shared string
	recordNumber     = 0x0203 // a cell with a float64
	recordRK         = 0x027e // a cell with a number in 30 bits
	recordBOF        = 0x0809
	version          = 0x0600
)

// Unread stands for a cell whose value is not read; it is the name of its
// record.
type Unread string

// cellRecords are those of such cells. Each begins with a row and a column.
var cellRecords = map[uint16]Unread{
	0x0006: "FORMULA", 0x00bd: "MULRK", 0x00d6: "RSTRING", 0x0204: "LABEL", 0x0205: "BOOLERR", 0x0221: "ARRAY", 0x0236: "TABLE", 0x04bc: "SHRFMLA",
}

// A biffRecord is one record: its type, and the bytes that belong to it.
type biffRecord struct {
	kind uint16
	data []byte
}

// nextRecord takes the first record off a stream.
func nextRecord(stream []byte) (r biffRecord, rest []byte, err error) {
	if len(stream) < 4 {
		return r, nil, errors.New("the workbook ends within a record")
	}
	n := int(binary.LittleEndian.Uint16(stream[2:]))
	if 4+n > len(stream) {
		return r, nil, errors.New("a record is longer than the workbook")
	}
	return biffRecord{binary.LittleEndian.Uint16(stream), stream[4 : 4+n]}, stream[4+n:], nil
}

// substream calls read with the records from a BOF record to its EOF record,
// without these two.
func substream(stream []byte, read func(r, next biffRecord) error) error {
	r, rest, err := nextRecord(stream)
	if err != nil {
		return err
	}
	if r.kind != recordBOF || len(r.data) < 4 || binary.LittleEndian.Uint16(r.data) != version {
		return errors.New("not a BIFF8 stream, which Excel 97 to 2003 write")
	}
	for {
		if r, rest, err = nextRecord(rest); err != nil {
			return err
		}
		if r.kind == recordEOF {
			return nil
		}
		next, _, _ := nextRecord(rest)
		if err := read(r, next); err != nil {
			return err
		}
	}
}

// Cells returns the first rows and columns of a sheet of an .xls file: a
// float64, a string, nil for a cell without a value, or Unread.
func Cells(b []byte, name string, rows, cols int) ([][]any, error) {
	stream, err := workbookStream(b)
	if err != nil {
		return nil, err
	}
	var texts []string
	start := -1
	err = substream(stream, func(r, next biffRecord) error {
		var err error
		switch r.kind {
		case recordFilePass:
			return errors.New("the workbook is encrypted")
		case recordBoundSheet:
			at, sheet, err := boundSheet(r.data)
			if err == nil && sheet == name {
				start = at
			}
			return err
		case recordSST:
			if next.kind == recordContinue {
				return errors.New("the shared strings take several records; such workbooks are not read")
			}
			texts, err = sharedStrings(r.data)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if start < 0 {
		return nil, fmt.Errorf("no sheet %q", name)
	}
	if start > len(stream) {
		return nil, fmt.Errorf("sheet %q lies behind the end of the workbook", name)
	}
	cells := make([][]any, rows)
	for i := range cells {
		cells[i] = make([]any, cols)
	}
	return cells, substream(stream[start:], func(r, _ biffRecord) error { return readCell(cells, r, texts) })
}

// boundSheet reads where a sheet begins in the stream, and its name.
func boundSheet(data []byte) (start int, name string, err error) {
	if len(data) < 8 {
		return 0, "", errors.New("a sheet record is too short")
	}
	chars, rest := int(data[6]), data[7:]
	name, _, err = characters(rest[1:], chars, rest[0]&1 != 0)
	return int(binary.LittleEndian.Uint32(data)), name, err
}

// sharedStrings reads the table of strings that cells refer to.
func sharedStrings(data []byte) ([]string, error) {
	if len(data) < 8 {
		return nil, errors.New("the table of strings is too short")
	}
	count := binary.LittleEndian.Uint32(data[4:])
	data = data[8:]
	if uint64(count)*3 > uint64(len(data)) { // 3 bytes are the shortest string
		return nil, fmt.Errorf("a table of %d strings in %d bytes", count, len(data))
	}
	texts := make([]string, count)
	var err error
	for i := range texts {
		if texts[i], data, err = sharedString(data); err != nil {
			return nil, fmt.Errorf("string %d: %w", i, err)
		}
	}
	return texts, nil
}

// sharedString takes the first string off a table. Its formats and phonetic texts
// are stepped over.
func sharedString(data []byte) (text string, rest []byte, err error) {
	if len(data) < 3 {
		return "", nil, errCutString
	}
	chars, flags := int(binary.LittleEndian.Uint16(data)), data[2]
	data = data[3:]
	after := 0
	if flags&8 != 0 {
		if len(data) < 2 {
			return "", nil, errCutString
		}
		after += 4 * int(binary.LittleEndian.Uint16(data))
		data = data[2:]
	}
	if flags&4 != 0 {
		if len(data) < 4 {
			return "", nil, errCutString
		}
		after += int(binary.LittleEndian.Uint32(data))
		data = data[4:]
	}
	if text, data, err = characters(data, chars, flags&1 != 0); err != nil || after > len(data) {
		return "", nil, errCutString
	}
	return text, data[after:], nil
}

var errCutString = errors.New("a string is cut off")

// characters takes so many characters off data: of two bytes each when wide, else
// the low bytes of UTF-16.
func characters(data []byte, n int, wide bool) (text string, rest []byte, err error) {
	size := n
	if wide {
		size *= 2
	}
	if size > len(data) {
		return "", nil, errCutString
	}
	units := make([]uint16, n)
	for i := range units {
		if wide {
			units[i] = binary.LittleEndian.Uint16(data[2*i:])
		} else {
			units[i] = uint16(data[i])
		}
	}
	return string(utf16.Decode(units)), data[size:], nil
}

// readCell puts the value of a cell record into its place, if it has one among the
// cells that are wanted.
func readCell(cells [][]any, r biffRecord, texts []string) error {
	kind, unknown := cellRecords[r.kind]
	size, known := map[uint16]int{recordLabelSST: 10, recordNumber: 14, recordRK: 10}[r.kind]
	if !known && !unknown {
		return nil
	}
	if len(r.data) < max(size, 4) {
		return errors.New("a cell is cut off")
	}
	row, col := int(binary.LittleEndian.Uint16(r.data)), int(binary.LittleEndian.Uint16(r.data[2:]))
	if row >= len(cells) || col >= len(cells[row]) {
		return nil
	}
	if unknown {
		cells[row][col] = kind
		return nil
	}
	value := r.data[6:]
	switch r.kind {
	case recordLabelSST:
		i := binary.LittleEndian.Uint32(value)
		if uint64(i) >= uint64(len(texts)) {
			return fmt.Errorf("a cell has string %d of %d", i, len(texts))
		}
		cells[row][col] = texts[i]
	case recordNumber:
		cells[row][col] = math.Float64frombits(binary.LittleEndian.Uint64(value))
	case recordRK:
		cells[row][col] = rkNumber(binary.LittleEndian.Uint32(value))
	}
	return nil
}

// rkNumber decodes a number in 30 bits: an integer or the upper bits of a float64,
// as bit 1 says, and a hundredth of that if bit 0 is set.
func rkNumber(rk uint32) float64 {
	v := math.Float64frombits(uint64(rk&^3) << 32)
	if rk&2 != 0 {
		v = float64(int32(rk) >> 2)
	}
	if rk&1 != 0 {
		v /= 100
	}
	return v
}
