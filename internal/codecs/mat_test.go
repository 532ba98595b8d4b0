package codecs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// order is what both a byte order and an appending byte order are.
type order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// matFile builds a file of elements: they follow 128 bytes.
func matFile(o order, elements ...[]byte) []byte {
	b := o.AppendUint16(bytes.Repeat([]byte(" "), 124), 0x0100)
	b = o.AppendUint16(b, 'M'<<8|'I')
	return append(b, bytes.Join(elements, nil)...)
}

// pack builds an element, small where it fits, padded unless compressed.
func pack(o order, kind uint32, data []byte) []byte {
	if n := len(data); n > 0 && n <= 4 {
		b := o.AppendUint32(nil, uint32(n)<<16|kind)
		return append(append(b, data...), make([]byte, 4-n)...)
	}
	b := o.AppendUint32(o.AppendUint32(nil, kind), uint32(len(data)))
	b = append(b, data...)
	if kind != miCompressed && len(data)%8 != 0 {
		b = append(b, make([]byte, 8-len(data)%8)...)
	}
	return b
}

// words builds the bytes of 32-bit numbers.
func words(o order, values ...uint32) []byte {
	var b []byte
	for _, v := range values {
		b = o.AppendUint32(b, v)
	}
	return b
}

// matrixElement builds a matrix with the given flags, dimensions and real part.
func matrixElement(o order, flags uint32, dims []uint32, name string, real []byte) []byte {
	b := pack(o, miUint32, words(o, flags, 0))
	b = append(b, pack(o, miInt32, words(o, dims...))...)
	b = append(b, pack(o, miInt8, []byte(name))...)
	return pack(o, miMatrix, append(b, real...))
}

func doubles(o order, values ...float64) []byte {
	var b []byte
	for _, v := range values {
		b = o.AppendUint64(b, math.Float64bits(v))
	}
	return pack(o, miDouble, b)
}

func deflate(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	fixture.Must(z.Write(b))(t)
	fixture.Check(t, z.Close())
	return out.Bytes()
}

func TestReadMAT(t *testing.T) {
	le := binary.LittleEndian
	row, square := []uint32{1, 2}, []uint32{2, 2}
	for _, c := range []struct {
		name string
		file []byte
		want map[string]Matrix
	}{
		{"empty", matFile(le), map[string]Matrix{}},
		{"compressed", matFile(le, pack(le, miCompressed, deflate(t, matrixElement(le, 6, row, "z", doubles(le, 3, 4))))),
			map[string]Matrix{"z": {1, 2, []float64{3, 4}}}},
		{"doubles stored as bytes", matFile(le, matrixElement(le, 6, square, "narrow", pack(le, miUint8, []byte{1, 2, 3, 255}))),
			map[string]Matrix{"narrow": {2, 2, []float64{1, 2, 3, 255}}}},
		{"logical flag is no hindrance", matFile(le, matrixElement(le, 0x0200|9, square, "mask", pack(le, miUint8, []byte{1, 0, 0, 1}))),
			map[string]Matrix{"mask": {2, 2, []float64{1, 0, 0, 1}}}},
		{"others are passed over", matFile(le,
			matrixElement(le, 4, square, "text", pack(le, miUint16, []byte{65, 0, 66, 0, 67, 0, 68, 0})),
			matrixElement(le, 0x0800|6, []uint32{1, 1}, "complex", doubles(le, 1)),
			matrixElement(le, 6, []uint32{1, 1, 1}, "cube", doubles(le, 1)),
			pack(le, miUint8, []byte("loose bytes")),
			matrixElement(le, 6, []uint32{1, 1}, "kept", doubles(le, 9)),
		), map[string]Matrix{"kept": {1, 1, []float64{9}}}},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Same(t, "arrays", fixture.Must(ReadMAT(c.file))(t), c.want) })
	}
}

// A number of every type, in both byte orders.
func TestReadMATTypes(t *testing.T) {
	for _, o := range []order{binary.LittleEndian, binary.BigEndian} {
		for _, c := range []struct {
			class, kind uint32
			value       any
			want        float64
		}{
			{6, miDouble, -1.5, -1.5}, {7, miSingle, float32(0.5), 0.5},
			{8, miInt8, int8(-1), -1}, {9, miUint8, uint8(255), 255},
			{10, miInt16, int16(-2), -2}, {11, miUint16, uint16(65534), 65534},
			{12, miInt32, int32(-3), -3}, {13, miUint32, uint32(4294967293), 4294967293},
			{14, miInt64, int64(-4), -4}, {15, miUint64, uint64(1 << 32), 1 << 32},
		} {
			data := fixture.Must(binary.Append(nil, o, c.value))(t)
			got := fixture.Must(ReadMAT(matFile(o, matrixElement(o, c.class, []uint32{1, 1}, "n", pack(o, c.kind, data)))))(t)
			fixture.Same(t, fmt.Sprintf("%v, class %d", o, c.class), got, map[string]Matrix{"n": {1, 1, []float64{c.want}}})
		}
	}
}

func TestReadMATErrors(t *testing.T) {
	le := binary.LittleEndian
	one := []uint32{1, 1}
	good := matrixElement(le, 6, one, "a", doubles(le, 1))
	hdf := append(bytes.Repeat([]byte(" "), 124), 0, 2, 'I', 'M')
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "shorter than a level 5 header"},
		{"text", bytes.Repeat([]byte("x"), 200), "no level 5 header"},
		{"version 7.3", hdf, "format version 0x0200 is not level 5"},
		{"half a tag", matFile(le, []byte{14, 0, 0}), "byte 128: cut off within a tag"},
		{"cut off", matFile(le, good[:40]), "byte 128: element of 56 bytes, 32 are left"},
		{"second element", matFile(le, good, []byte{1}), "byte 192: cut off within a tag"},
		{"small element too big", matFile(le, []byte{1, 0, 5, 0, 1, 2, 3, 4}), "small element of 5 bytes"},
		{"giant count", matFile(le, words(le, miMatrix, math.MaxUint32)), "element of 4294967295 bytes, 0 are left"},
		{"giant dimensions", matFile(le, matrixElement(le, 6, []uint32{math.MaxUint32, math.MaxUint32}, "a", doubles(le, 1))),
			`matrix "a": 1 values for 4294967295 x 4294967295`},
		{"dimensions that overflow", matFile(le, matrixElement(le, 6, []uint32{1 << 31, 0}, "a", doubles(le))), "0 values for 2147483648 x 0"},
		{"too few values", matFile(le, matrixElement(le, 6, []uint32{2, 2}, "a", doubles(le, 1))), "1 values for 2 x 2"},
		{"odd bytes", matFile(le, matrixElement(le, 6, one, "a", pack(le, miDouble, make([]byte, 9)))), "9 bytes are no whole number of 8-byte values"},
		{"real part of no numbers", matFile(le, matrixElement(le, 6, one, "a", pack(le, miMatrix, make([]byte, 8)))), "element type 14 is not numeric"},
		{"no real part", matFile(le, matrixElement(le, 6, one, "a", nil)), "matrix: cut off within a tag"},
		{"not compressed", matFile(le, pack(le, miCompressed, []byte("no zlib stream"))), "compressed element: zlib: invalid header"},
		{"compressed and cut off", matFile(le, pack(le, miCompressed, deflate(t, good)[:20])), "compressed element: unexpected EOF"},
		{"twice", matFile(le, good, good), `variable "a" occurs twice`},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Says(t, fixture.Error(ReadMAT(c.file)), "MAT-file: ", c.want) })
	}
}

func TestReadMATBoundsInflation(t *testing.T) {
	fixture.Equal(t, "limits", [2]int{maxInflated, maxValues}, [2]int{256 << 20, 32 << 20})
	r := &matReader{order: binary.LittleEndian, budget: 1000, arrays: map[string]Matrix{}}
	bomb := deflate(t, make([]byte, 1<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := r.inflate(bomb)
	runtime.ReadMemStats(&after)
	fixture.Says(t, err, "unfold to more than")
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<18 {
		t.Errorf("allocated %d bytes for a budget of 1000", grown)
	}
}

// TestReadBoundsValues: a number of one byte becomes one of eight, in all
// matrices of a file together.
func TestReadMATBoundsValues(t *testing.T) {
	le := binary.LittleEndian
	r := &matReader{order: le, room: 1500, arrays: map[string]Matrix{}}
	half := func(name string) []byte {
		return matrixElement(le, 9, []uint32{1, 1000}, name, pack(le, miUint8, make([]byte, 1000)))[8:] // behind its tag
	}
	if err := r.matrix(half("a")); err != nil || len(r.arrays) != 1 {
		t.Fatalf("%d matrices, error %v", len(r.arrays), err)
	}
	fixture.Says(t, r.matrix(half("b")), "hold more than")
}

func TestReadMATRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom([]order{binary.LittleEndian, binary.BigEndian}).Draw(t, "order")
		rows := rapid.IntRange(0, 5).Draw(t, "rows")
		cols := rapid.IntRange(0, 5).Draw(t, "cols")
		values := rapid.SliceOfN(rapid.Float64(), rows*cols, rows*cols).Draw(t, "values")
		name := rapid.StringMatching(`[a-z][a-z0-9_]{0,20}`).Draw(t, "name")
		file := matFile(o, matrixElement(o, 6, []uint32{uint32(rows), uint32(cols)}, name, doubles(o, values...)))
		got := fixture.Must(ReadMAT(file))(t)
		fixture.Same(t, "arrays", got, map[string]Matrix{name: {rows, cols, append([]float64{}, values...)}})
	})
}

func FuzzMAT(f *testing.F) {
	for _, o := range []order{binary.LittleEndian, binary.BigEndian} {
		m := matrixElement(o, 6, []uint32{1, 2}, "ab", doubles(o, -1.5, 4))
		f.Add(matFile(o, m))
		f.Add(matFile(o, pack(o, miCompressed, deflate(f, m))))
		f.Add(matFile(o, matrixElement(o, 9, []uint32{2, 2}, "n", pack(o, miUint8, []byte{1, 2, 3, 4}))))
		f.Add(matFile(o, words(o, miMatrix, math.MaxUint32)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		arrays, err := ReadMAT(b)
		if err != nil {
			return
		}
		for name, a := range arrays {
			if a.Rows*a.Cols != len(a.Data) {
				t.Errorf("%q: %d values for %d x %d", name, len(a.Data), a.Rows, a.Cols)
			}
		}
	})
}
