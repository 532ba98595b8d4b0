package datasets

import (
	"errors"
	"fmt"
	"slices"
)

const (
	minWidth  = 9
	clearCode = 256
	blockMode = 0x80
)

// unlzw unpacks the .Z bytes b, the output of the Unix program compress. It fails on bytes that
// compress does not write, on greatest widths other than 10 to 16 bits, and if the result would be
// longer than limit bytes.
//
// The format is Welch's variant of Lempel-Ziv coding. It is not the one of
// compress/lzw: codes start at 9 bits and grow to a width given in the header,
// the low bit comes first, and codes of one width travel in groups of eight,
// so that a change of width leaves the rest of a group unused.
//
// The header is 1f 9d and a byte whose low five bits are the greatest width
// and whose high bit says that code 256 empties the table. The stream has neither
// its length nor a checksum: callers must check the digest of the content.
//
// Reference: T. A. Welch, A Technique for High-Performance Data Compression,
// IEEE Computer 17(6), 1984.
func unlzw(b []byte, limit int64) ([]byte, error) {
	if len(b) < 3 || b[0] != 0x1f || b[1] != 0x9d {
		return nil, errors.New("unlzw: not a .Z file")
	}
	width := uint(b[2] & 0x1f)
	if width < minWidth+1 || width > 16 {
		return nil, fmt.Errorf("unlzw: greatest code width %d, want 10 to 16", width)
	}
	block := b[2]&blockMode != 0
	unused := 256 // the first free code at the start
	if block {
		unused = clearCode + 1
	}
	t := lzwTable{make([]uint16, 1<<width), make([]byte, 1<<width)}
	free := unused // next free code
	last := -1     // code before this one, -1 at the start and after a clear code
	var first byte // of the string of last
	var out []byte
	c := lzwCodes{b: b[3:], width: minWidth}
	for {
		if c.width < width && free >= 1<<c.width {
			c.resize(c.width + 1)
		}
		code, ok := c.next()
		if !ok {
			return out, nil
		}
		if block && code == clearCode {
			last, free = -1, unused
			c.resize(minWidth)
			continue
		}

		// If the code is the next free one, its string is the last string followed by the first
		// byte of that.
		from := len(out)
		switch {
		case last < 0 && code > 255:
			return nil, fmt.Errorf("unlzw: byte %d: code %d where a single byte must stand", c.pos/8+3, code)
		case code > free || code == free && free == len(t.prefix):
			return nil, fmt.Errorf("unlzw: byte %d: code %d is not in use yet", c.pos/8+3, code)
		case code == free:
			out = append(t.appendString(out, last), first)
		default:
			out = t.appendString(out, code)
		}
		if int64(len(out)) > limit {
			return nil, fmt.Errorf("unlzw: unfolds to more than %d bytes", limit)
		}

		// Enter the last string followed by the first byte of this one.
		if last >= 0 && free < len(t.prefix) {
			t.prefix[free], t.suffix[free] = uint16(last), out[from]
			free++
		}
		last, first = code, out[from]
	}
}

// An lzwTable has the strings of codes above 255: that of another code, the prefix, and one more byte.
type lzwTable struct {
	prefix []uint16
	suffix []byte
}

// appendString appends the string of a code to out.
func (t lzwTable) appendString(out []byte, code int) []byte {
	from := len(out)
	for ; code > 255; code = int(t.prefix[code]) {
		out = append(out, t.suffix[code])
	}
	out = append(out, byte(code))
	slices.Reverse(out[from:])
	return out
}

// lzwCodes cuts a stream into codes of a changing width.
type lzwCodes struct {
	b     []byte
	pos   uint // of the next code, in bits
	start uint // where the present width began, in bits
	width uint
}

// next returns the next code, or false when less than a code is left.
func (c *lzwCodes) next() (int, bool) {
	if c.pos+c.width > 8*uint(len(c.b)) {
		return 0, false
	}
	code := 0
	for i, at := uint(0), c.pos/8; i < c.width+c.pos%8; i, at = i+8, at+1 {
		code |= int(c.b[at]) << i
	}
	code = code >> (c.pos % 8) & (1<<c.width - 1)
	c.pos += c.width
	return code, true
}

// resize continues with another width after the current group of eight codes.
func (c *lzwCodes) resize(width uint) {
	group := 8 * c.width
	c.pos = c.start + (c.pos-c.start+group-1)/group*group
	c.start = c.pos
	c.width = width
}
