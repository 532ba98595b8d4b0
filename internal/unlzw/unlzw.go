// Package unlzw decodes .Z files, the output of the Unix program compress.
//
// The format is Welch's variant of Lempel-Ziv coding. It is not the one of
// compress/lzw: codes start at 9 bits and grow to a width given in the header,
// the low bit comes first, and codes of one width travel in groups of eight,
// so that a change of width leaves the rest of a group unused.
//
// The header is 1f 9d and a byte whose low five bits are the greatest width
// and whose high bit says that code 256 empties the table. The stream carries
// neither its length nor a checksum: who reads a .Z must know the digest of
// what is in it.
//
// Reference: T. A. Welch, A Technique for High-Performance Data Compression,
// IEEE Computer 17(6), 1984.
package unlzw

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

// Decode returns what the .Z bytes b unfold to. It fails on anything that
// compress does not write, on greatest widths other than 10 to 16 bits, and
// when the result would be longer than limit bytes.
func Decode(b []byte, limit int64) ([]byte, error) {
	if len(b) < 3 || b[0] != 0x1f || b[1] != 0x9d {
		return nil, errors.New("unlzw: not a .Z file")
	}
	width := uint(b[2] & 0x1f)
	if width < minWidth+1 || width > 16 {
		return nil, fmt.Errorf("unlzw: greatest code width %d, want 10 to 16", width)
	}
	t := newTable(width, b[2]&blockMode != 0)
	c := codes{b: b[3:], width: minWidth}
	var out []byte
	for {
		if t.full(c.width) {
			c.resize(c.width + 1)
		}
		code, ok := c.next()
		if !ok {
			return out, nil
		}
		if t.block && code == clearCode {
			t.reset()
			c.resize(minWidth)
			continue
		}
		var err error
		if out, err = t.expand(out, code); err != nil {
			return nil, fmt.Errorf("unlzw: byte %d: %w", c.pos/8+3, err)
		}
		if int64(len(out)) > limit {
			return nil, fmt.Errorf("unlzw: unfolds to more than %d bytes", limit)
		}
	}
}

// codes cuts a stream into codes of a changing width.
type codes struct {
	b     []byte
	pos   uint // of the next code, in bits
	start uint // where the present width began, in bits
	width uint
}

// next returns the next code, or false when less than a code is left.
func (c *codes) next() (int, bool) {
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

// resize goes on with another width behind the present group of eight codes.
func (c *codes) resize(width uint) {
	group := 8 * c.width
	c.pos = c.start + (c.pos-c.start+group-1)/group*group
	c.start = c.pos
	c.width = width
}

// table holds the strings of the codes: each is that of another code and one
// more byte.
type table struct {
	prefix []uint16
	suffix []byte
	free   int // next code to be given away
	width  uint
	block  bool
	last   int  // code before this one, -1 at the start and after a clear code
	first  byte // first byte of its string
}

func newTable(width uint, block bool) *table {
	t := &table{prefix: make([]uint16, 1<<width), suffix: make([]byte, 1<<width), width: width, block: block}
	for i := range 256 {
		t.suffix[i] = byte(i)
	}
	t.reset()
	return t
}

func (t *table) reset() {
	t.last, t.free = -1, 256
	if t.block {
		t.free = clearCode + 1
	}
}

// full tells whether the codes in use call for more bits.
func (t *table) full(width uint) bool {
	return width < t.width && t.free >= 1<<width
}

// expand appends the string of a code and enters the string it completes. A
// code may be the very one that is about to be entered: its string is then the
// last one with its own first byte added.
func (t *table) expand(out []byte, code int) ([]byte, error) {
	from, at := len(out), code
	switch {
	case t.last < 0 && code > 255:
		return nil, fmt.Errorf("code %d where a single byte must stand", code)
	case code > t.free || code == t.free && t.free == len(t.prefix):
		return nil, fmt.Errorf("code %d is not in use yet", code)
	case code == t.free:
		out = append(out, t.first)
		at = t.last
	}
	for ; at > 255; at = int(t.prefix[at]) {
		out = append(out, t.suffix[at])
	}
	out = append(out, byte(at))
	slices.Reverse(out[from:])
	if t.last >= 0 && t.free < len(t.prefix) {
		t.prefix[t.free], t.suffix[t.free] = uint16(t.last), out[from]
		t.free++
	}
	t.last, t.first = code, out[from]
	return out, nil
}
