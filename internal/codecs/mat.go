package codecs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// A Matrix is a real matrix of a MAT-file.
type Matrix struct {
	Rows, Cols int
	Data       []float64 // by columns
}

// At returns the value in row i and column j, both counted from 0.
func (a Matrix) At(i, j int) float64 { return a.Data[j*a.Rows+i] }

const (
	headerSize  = 128
	maxInflated = 256 << 20 // bytes of the unpacked elements of one file
	maxValues   = 32 << 20  // numbers in the matrices of one file: a number may have one byte there and has eight here
)

// A matReader walks over the elements of one MAT-file.
type matReader struct {
	order  binary.ByteOrder
	budget int64 // bytes left for unpacked elements
	room   int   // numbers left for matrices
	arrays map[string]Matrix
}

// ReadMAT returns the real two-dimensional matrices in the bytes of a MAT-file,
// by name. Variables of other kinds are left out without an error.
func ReadMAT(b []byte) (map[string]Matrix, error) {
	order, err := byteOrder(b)
	if err != nil {
		return nil, fmt.Errorf("MAT-file: %w", err)
	}
	r := &matReader{order: order, budget: maxInflated, room: maxValues, arrays: map[string]Matrix{}}
	for rest := b[headerSize:]; len(rest) > 0; {
		offset := len(b) - len(rest)
		var e element
		e, rest, err = r.element(rest)
		if err == nil && e.kind == miCompressed {
			e, err = r.inflate(e.data)
		}
		if err == nil && e.kind == miMatrix {
			err = r.matrix(e.data)
		}
		if err != nil {
			return nil, fmt.Errorf("MAT-file: byte %d: %w", offset, err)
		}
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

// inflate unpacks a compressed element within the budget of the file, and returns the
// element in it.
func (r *matReader) inflate(b []byte) (element, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return element{}, fmt.Errorf("compressed element: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, r.budget+1))
	if err != nil {
		return element{}, fmt.Errorf("compressed element: %w", err)
	}
	if r.budget -= int64(len(plain)); r.budget < 0 {
		return element{}, fmt.Errorf("compressed elements unfold to more than %d bytes", maxInflated)
	}
	e, _, err := r.element(plain)
	return e, err
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

// element reads the first element of b and returns the bytes after it.
func (r *matReader) element(b []byte) (e element, rest []byte, err error) {
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

// matrix keeps the array in the body of a matrix element, if that is a real numeric one of
// two dimensions.
func (r *matReader) matrix(b []byte) (err error) {
	var parts [4]element // flags, dimensions, name, real part
	for i := range parts {
		if parts[i], b, err = r.element(b); err != nil {
			return fmt.Errorf("matrix: %w", err)
		}
		if flags := parts[0]; i == 0 {
			if len(flags.data) != 8 || flags.kind != miUint32 {
				return nil
			}
			word := r.order.Uint32(flags.data)
			if class := word & 0xff; class < mxDouble || class > mxUint64 || word&flagComplex != 0 {
				return nil
			}
		}
	}
	dimensions, name := parts[1], string(parts[2].data)
	if len(dimensions.data) != 8 || dimensions.kind != miInt32 {
		return nil
	}
	read := numbers[parts[3].kind]
	if read == nil {
		return fmt.Errorf("matrix %q: element type %d is not numeric", name, parts[3].kind)
	}
	values, err := read(r, parts[3].data)
	if err != nil {
		return fmt.Errorf("matrix %q: %w", name, err)
	}
	rows, cols := r.order.Uint32(dimensions.data), r.order.Uint32(dimensions.data[4:])
	if uint64(rows)*uint64(cols) != uint64(len(values)) || rows > math.MaxInt32 || cols > math.MaxInt32 {
		return fmt.Errorf("matrix %q: %d values for %d x %d", name, len(values), rows, cols)
	}
	if _, twice := r.arrays[name]; twice {
		return fmt.Errorf("variable %q occurs twice", name)
	}
	r.arrays[name] = Matrix{int(rows), int(cols), values}
	return nil
}

// numbers convert the bytes of numeric elements, by their type.
var numbers = map[uint32]func(r *matReader, b []byte) ([]float64, error){
	miInt8: floats[int8], miInt16: floats[int16], miInt32: floats[int32], miInt64: floats[int64],
	miUint8: floats[uint8], miUint16: floats[uint16], miUint32: floats[uint32], miUint64: floats[uint64],
	miSingle: floats[float32], miDouble: floats[float64],
}

// floats converts the bytes of values that are stored as T.
func floats[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](r *matReader, b []byte) ([]float64, error) {
	size := binary.Size(T(0))
	if len(b)%size != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of %d-byte values", len(b), size)
	}
	if r.room -= len(b) / size; r.room < 0 {
		return nil, fmt.Errorf("the matrices hold more than %d numbers", maxValues)
	}
	stored := make([]T, len(b)/size)
	if _, err := binary.Decode(b, r.order, stored); err != nil {
		return nil, err
	}
	values := make([]float64, len(stored))
	for i, v := range stored {
		values[i] = float64(v)
	}
	return values, nil
}
