package matfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// An Array is a real matrix of a file.
type Array struct {
	Rows, Cols int
	Data       []float64 // column after column
}

// At returns the value in row i and column j, both counted from 0.
func (a Array) At(i, j int) float64 { return a.Data[j*a.Rows+i] }

const (
	headerSize  = 128
	maxInflated = 256 << 20 // bytes that the compressed elements of one file may unfold to
	maxValues   = 32 << 20  // numbers in the matrices of one file: one may take a single byte there, and takes eight here
)

// A reader walks over the elements of one file.
type reader struct {
	order  binary.ByteOrder
	budget int64 // bytes that compressed elements may still unfold to
	room   int   // numbers that matrices may still hold
	arrays map[string]Array
}

// Read returns the real two-dimensional matrices in the bytes of a MAT-file,
// by name. Variables of other kinds are left out without an error.
func Read(b []byte) (map[string]Array, error) {
	order, err := byteOrder(b)
	if err != nil {
		return nil, fmt.Errorf("matfile: %w", err)
	}
	r := &reader{order: order, budget: maxInflated, room: maxValues, arrays: map[string]Array{}}
	if err := r.elements(b[headerSize:]); err != nil {
		return nil, fmt.Errorf("matfile: %w", err)
	}
	return r.arrays, nil
}

// byteOrder checks the header. Its last two bytes are the letters MI in the
// order of the machine that wrote the file.
func byteOrder(b []byte) (binary.ByteOrder, error) {
	if len(b) < headerSize {
		return nil, errors.New("shorter than a level 5 header; save the file with -v7")
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(b[126:128]) {
	case "IM":
	case "MI":
		order = binary.BigEndian
	default:
		return nil, errors.New("no level 5 header; save the file with -v7")
	}
	if v := order.Uint16(b[124:]); v != 0x0100 {
		return nil, fmt.Errorf("format version %#04x is not level 5 (0x0100); save the file with -v7", v)
	}
	return order, nil
}

// elements reads the top level of a file.
func (r *reader) elements(b []byte) error {
	for offset := headerSize; len(b) > 0; {
		e, rest, err := r.element(b)
		if err == nil {
			err = r.variable(e)
		}
		if err != nil {
			return fmt.Errorf("byte %d: %w", offset, err)
		}
		offset += len(b) - len(rest)
		b = rest
	}
	return nil
}

// variable keeps the array of a top-level element, if it holds one.
func (r *reader) variable(e element) error {
	if e.kind == miCompressed {
		plain, err := r.inflate(e.data)
		if err != nil {
			return err
		}
		if e, _, err = r.element(plain); err != nil {
			return err
		}
	}
	if e.kind != miMatrix {
		return nil
	}
	name, a, err := r.matrix(e.data)
	if err != nil || a == nil {
		return err
	}
	if _, twice := r.arrays[name]; twice {
		return fmt.Errorf("variable %q occurs twice", name)
	}
	r.arrays[name] = *a
	return nil
}

// inflate unfolds a compressed element within the budget of the file.
func (r *reader) inflate(b []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("compressed element: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, r.budget+1))
	if err != nil {
		return nil, fmt.Errorf("compressed element: %w", err)
	}
	if r.budget -= int64(len(plain)); r.budget < 0 {
		return nil, fmt.Errorf("compressed elements unfold to more than %d bytes", maxInflated)
	}
	return plain, nil
}

// Types of data elements.
const (
	miInt8       = 1
	miUint8      = 2
	miInt16      = 3
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miSingle     = 7
	miDouble     = 9
	miInt64      = 12
	miUint64     = 13
	miMatrix     = 14
	miCompressed = 15
)

// Classes of matrices that hold plain numbers run from double to uint64.
const (
	mxDouble    = 6
	mxUint64    = 15
	flagComplex = 0x0800
)

// An element is a typed piece of a file.
type element struct {
	kind uint32
	data []byte
}

// element takes the first element off b and returns the bytes behind it.
func (r *reader) element(b []byte) (e element, rest []byte, err error) {
	if len(b) < 8 {
		return e, nil, errors.New("cut off within a tag")
	}
	word := r.order.Uint32(b)
	if n := word >> 16; n != 0 {
		if n > 4 {
			return e, nil, fmt.Errorf("small element of %d bytes, at most 4 fit", n)
		}
		return element{word & 0xffff, b[4 : 4+n]}, b[8:], nil
	}
	n, b := uint64(r.order.Uint32(b[4:])), b[8:]
	if n > uint64(len(b)) {
		return e, nil, fmt.Errorf("element of %d bytes, %d are left", n, len(b))
	}
	e = element{word, b[:n]}
	if word != miCompressed {
		n = min((n+7)&^7, uint64(len(b)))
	}
	return e, b[n:], nil
}

// matrix reads the body of a matrix element. The array is nil when the matrix
// is not a real numeric one of two dimensions.
func (r *reader) matrix(b []byte) (name string, a *Array, err error) {
	var parts [4]element // flags, dimensions, name, real part
	for i := range parts {
		if i == 1 && !r.numeric(parts[0]) {
			return "", nil, nil
		}
		if parts[i], b, err = r.element(b); err != nil {
			return "", nil, fmt.Errorf("matrix: %w", err)
		}
	}
	name = string(parts[2].data)
	if len(parts[1].data) != 8 || parts[1].kind != miInt32 {
		return name, nil, nil
	}
	values, err := r.values(parts[3])
	if err != nil {
		return name, nil, fmt.Errorf("matrix %q: %w", name, err)
	}
	rows, cols := r.order.Uint32(parts[1].data), r.order.Uint32(parts[1].data[4:])
	if uint64(rows)*uint64(cols) != uint64(len(values)) || rows > math.MaxInt32 || cols > math.MaxInt32 {
		return name, nil, fmt.Errorf("matrix %q: %d values for %d x %d", name, len(values), rows, cols)
	}
	return name, &Array{int(rows), int(cols), values}, nil
}

// numeric tells by a matrix's flags whether it holds real numbers.
func (r *reader) numeric(flags element) bool {
	if len(flags.data) != 8 || flags.kind != miUint32 {
		return false
	}
	word := r.order.Uint32(flags.data)
	class := word & 0xff
	return class >= mxDouble && class <= mxUint64 && word&flagComplex == 0
}

// values converts the bytes of a numeric element.
func (r *reader) values(e element) ([]float64, error) {
	size, one := r.number(e.kind)
	if size == 0 {
		return nil, fmt.Errorf("element type %d is not numeric", e.kind)
	}
	if len(e.data)%size != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of %d-byte values", len(e.data), size)
	}
	if r.room -= len(e.data) / size; r.room < 0 {
		return nil, fmt.Errorf("the matrices hold more than %d numbers", maxValues)
	}
	out := make([]float64, len(e.data)/size)
	for i := range out {
		out[i] = one(e.data[i*size:])
	}
	return out, nil
}

// number returns the size of a value of this type, 0 for types that are not
// numeric, and how to read one.
func (r *reader) number(kind uint32) (size int, one func([]byte) float64) {
	o := r.order
	switch kind {
	case miInt8:
		return 1, func(b []byte) float64 { return float64(int8(b[0])) }
	case miUint8:
		return 1, func(b []byte) float64 { return float64(b[0]) }
	case miInt16:
		return 2, func(b []byte) float64 { return float64(int16(o.Uint16(b))) }
	case miUint16:
		return 2, func(b []byte) float64 { return float64(o.Uint16(b)) }
	case miInt32:
		return 4, func(b []byte) float64 { return float64(int32(o.Uint32(b))) }
	case miUint32:
		return 4, func(b []byte) float64 { return float64(o.Uint32(b)) }
	case miSingle:
		return 4, func(b []byte) float64 { return float64(math.Float32frombits(o.Uint32(b))) }
	case miDouble:
		return 8, func(b []byte) float64 { return math.Float64frombits(o.Uint64(b)) }
	case miInt64:
		return 8, func(b []byte) float64 { return float64(int64(o.Uint64(b))) }
	case miUint64:
		return 8, func(b []byte) float64 { return float64(o.Uint64(b)) }
	}
	return 0, nil
}
