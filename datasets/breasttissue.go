package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Records of BreastTissue.xls that are read, see Microsoft's MS-XLS.
const (
	recordEnd    = 0x000a // of the workbook, or of a sheet
	recordTexts  = 0x00fc // shared strings
	recordText   = 0x00fd // a cell with a shared string
	recordNumber = 0x0203 // a cell with a float64
	recordShort  = 0x027e // a cell with a number in 30 bits
	recordBegin  = 0x0809 // of the workbook, or of a sheet
)

// workbookBegin are the first bytes of a workbook of Excel 97 to 2003.
var workbookBegin = []byte("\x09\x08\x10\x00\x00\x06\x05\x00")

// loadBreastTissue reads the second sheet of BreastTissue.xls, "Data": a header, then per line the number
// of the case, its class and nine features.
//
// It does not read workbooks in general. The records of this one follow each other from the first to the
// last, and its strings have one byte per character. Cells that it does not find are 0 or "", so that the
// digest of the content refuses other files.
func loadBreastTissue(files map[string][]byte) (*Raw, error) {
	const name, cases, features, data = "BreastTissue.xls", 106, 9, 2
	at := bytes.Index(files[name], workbookBegin)
	if at < 0 {
		return nil, fmt.Errorf("%s: no workbook of Excel 97 to 2003", name)
	}
	raw := &Raw{Labels: make([]string, cases)}
	for range cases {
		raw.X = append(raw.X, make([]float64, features))
	}
	var texts []string
	sheet := -1 // 0: the workbook
	number := binary.LittleEndian
	for rest := files[name][at:]; len(rest) >= 4; {
		kind, length := number.Uint16(rest), int(number.Uint16(rest[2:]))
		record := rest[4:min(4+length, len(rest))]
		rest = rest[4+len(record):]
		if kind == recordEnd && sheet == data {
			break
		}
		if kind == recordBegin {
			sheet++
		}
		if kind == recordTexts {
			texts = sharedTexts(record)
		}
		var cell [14]byte
		copy(cell[:], record)
		i, j, value := int(number.Uint16(cell[:]))-1, int(number.Uint16(cell[2:]))-2, cell[6:]
		inside := sheet == data && i >= 0 && i < cases && j < features
		switch text := number.Uint32(value); {
		case inside && kind == recordText && j == -1 && int64(text) < int64(len(texts)):
			raw.Labels[i] = texts[text]
		case inside && kind == recordNumber && j >= 0:
			raw.X[i][j] = math.Float64frombits(number.Uint64(value))
		case inside && kind == recordShort && j >= 0:
			raw.X[i][j] = shortNumber(number.Uint32(value))
		}
	}
	return raw, nil
}

// sharedTexts returns the strings of a workbook: each is its length, a byte of flags, and characters of one byte.
func sharedTexts(record []byte) (texts []string) {
	for rest := record[min(8, len(record)):]; len(rest) >= 3; {
		end := min(3+int(binary.LittleEndian.Uint16(rest)), len(rest))
		texts = append(texts, string(rest[3:end]))
		rest = rest[end:]
	}
	return texts
}

// shortNumber decodes a number in 30 bits: an integer or the upper bits of a float64,
// as bit 1 says, and a hundredth of that if bit 0 is set.
func shortNumber(bits uint32) float64 {
	v := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&2 != 0 {
		v = float64(int32(bits) >> 2)
	}
	if bits&1 != 0 {
		v /= 100
	}
	return v
}
