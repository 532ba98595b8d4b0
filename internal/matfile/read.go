package matfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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
