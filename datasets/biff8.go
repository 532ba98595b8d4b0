package datasets

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
	recordBoundSheet = 0x0085
	recordSST        = 0x00fc // shared strings
	recordLabelSST   = 0x00fd // a cell with a shared string
	recordNumber     = 0x0203 // a cell with a float64
	recordRK         = 0x027e // a cell with a number in 30 bits
	recordBOF        = 0x0809
	version          = 0x0600
)

// refusedRecords lists the records of other kinds of cells.
var refusedRecords = map[uint64]string{0x00bd: "MULRK", 0x00d6: "RSTRING", 0x0204: "LABEL", 0x0205: "BOOLERR"}

// A cursor reads values from bytes, numbers low byte first. When too few bytes are left it
// returns zeros and records that it ran out.
type cursor struct {
	rest  []byte
	short bool
}

func (c *cursor) take(n uint64) []byte {
	if n > uint64(len(c.rest)) {
		c.rest, c.short = nil, true
		return nil
	}
	taken := c.rest[:n]
	c.rest = c.rest[n:]
	return taken
}

// number reads a whole number of size bytes.
func (c *cursor) number(size uint64) uint64 {
	var b [8]byte
	copy(b[:], c.take(size))
	return binary.LittleEndian.Uint64(b[:])
}

// text reads n characters: of two bytes each if wide, otherwise the low bytes of UTF-16.
func (c *cursor) text(n uint64, wide bool) string {
	size := uint64(1)
	if wide {
		size = 2
	}
	var units []uint16
	for b := (cursor{rest: c.take(n * size)}); len(b.rest) > 0; {
		units = append(units, uint16(b.number(size)))
	}
	return string(utf16.Decode(units))
}

// record reads a record: its kind and its data.
func (c *cursor) record() (kind uint64, data *cursor) {
	kind = c.number(2)
	return kind, &cursor{rest: c.take(c.number(2))}
}

// substream calls read with the records from a BOF record to its EOF record,
// without these two.
func substream(stream []byte, read func(kind uint64, data *cursor) error) error {
	c := &cursor{rest: stream}
	if kind, data := c.record(); kind != recordBOF || data.number(2) != version {
		return errors.New("not a BIFF8 stream, which Excel 97 to 2003 write")
	}
	for {
		kind, data := c.record()
		switch {
		case c.short:
			return errors.New("the workbook ends within a record")
		case kind == recordEOF:
			return nil
		}
		if err := read(kind, data); err != nil {
			return err
		}
		if data.short {
			return fmt.Errorf("a record of kind %#x is cut off, or goes on in the next one, which is not read", kind)
		}
	}
}

// sheetCells returns the first rows and columns of a sheet of a workbook of Excel 97 to 2003: a
// float64, a string, or nil for a cell that is empty or a formula. It reads the kinds of cells in
// the one such file of the catalogue and refuses others.
func sheetCells(b []byte, name string, rows, cols int) ([][]any, error) {
	sheet, texts, err := openSheet(b, name)
	if err != nil {
		return nil, err
	}
	cells := make([][]any, rows)
	for i := range cells {
		cells[i] = make([]any, cols)
	}
	return cells, substream(sheet, func(kind uint64, data *cursor) error {
		if name := refusedRecords[kind]; name != "" {
			return fmt.Errorf("cells by record %s are not read", name)
		}
		if kind != recordLabelSST && kind != recordNumber && kind != recordRK {
			return nil
		}
		row, col := data.number(2), data.number(2)
		data.take(2) // its format
		var value any
		switch kind {
		case recordLabelSST:
			i := data.number(4)
			if i >= uint64(len(texts)) {
				return fmt.Errorf("a cell has string %d of %d", i, len(texts))
			}
			value = texts[i]
		case recordNumber:
			value = math.Float64frombits(data.number(8))
		case recordRK:
			value = rkNumber(uint32(data.number(4)))
		}
		if row < uint64(rows) && col < uint64(cols) {
			cells[row][col] = value
		}
		return nil
	})
}

// openSheet returns the records of a sheet, from its start on, and the strings of all cells of the
// workbook.
func openSheet(b []byte, name string) (sheet []byte, texts []string, err error) {
	stream, err := workbookStream(b)
	if err != nil {
		return nil, nil, err
	}
	err = substream(stream, func(kind uint64, data *cursor) error {
		switch kind {
		case recordFilePass:
			return errors.New("the workbook is encrypted")
		case recordBoundSheet:
			start := data.number(4)
			data.take(2) // visibility and type
			chars, flags := data.number(1), data.number(1)
			if data.text(chars, flags&1 != 0) != name {
				return nil
			}
			if start > uint64(len(stream)) {
				return fmt.Errorf("sheet %q lies behind the end of the workbook", name)
			}
			sheet = stream[start:]
		case recordSST:
			data.take(4) // number of uses
			for n := data.number(4); n > 0 && !data.short; n-- {
				texts = append(texts, data.sharedString())
			}
		}
		return nil
	})
	if err == nil && sheet == nil {
		err = fmt.Errorf("no sheet %q", name)
	}
	return sheet, texts, err
}

// sharedString reads a string of the shared table and skips its formats and phonetic texts.
func (c *cursor) sharedString() string {
	chars, flags := c.number(2), c.number(1)
	after := uint64(0)
	if flags&8 != 0 {
		after += 4 * c.number(2)
	}
	if flags&4 != 0 {
		after += c.number(4)
	}
	text := c.text(chars, flags&1 != 0)
	c.take(after)
	return text
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
