package codecs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// npyFile is an .npy file of a type and a shape, such as "2, 2".
func npyFile(descr, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape)
	return append(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8)), header+string(data)...)
}

// archive is an .npz file of members, one after another, with their names.
func archive(method uint16, members ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: members[i], Method: method}) // in memory
		io.WriteString(w, members[i+1])
	}
	z.Close()
	return b.Bytes()
}

func open(b []byte) (*Archive, error) { return Open(b, Memory(len(b))) }

// content is all that a file holds as far as it is asked for, by name.
func content(b []byte, names ...string) (said string, err error) {
	z, err := open(b)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		a, err := z.Read(name, 1000, 200)
		if err != nil {
			return "", err
		}
		said += fmt.Sprintf("%s %c%d %v", name, a.Kind, a.Size, a.Shape)
		if !a.IsText() {
			said += fmt.Sprint(a.Numbers())
			continue
		}
		for i := range a.Len() {
			text, _ := a.Text(i)
			said += " " + text
		}
	}
	return said, nil
}

// TestArchiveFlips: with any one bit turned over, a file gives what it gave, or is refused. Among its
// arrays is one that itself is a whole archive, and one that could be taken for another.
func TestArchiveFlips(t *testing.T) {
	x := string(npyFile("<f8", "2, 2", bytes.Repeat([]byte{1, 2, 3, 4}, 8)))
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		inner := string(archive(method, "X.npy", string(npyFile("|i1", "1,", []byte{7})), "y.npy", string(npyFile("|i1", "1,", []byte{8}))))
		y := string(npyFile("<U2", "2,", []byte("a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00\x00\x00\x00\x00")))
		b := archive(method, "x.npy", string(npyFile("<f8", "1, 1", make([]byte, 8))), "X.npy", x, "y.npy", y, "z.npy", inner)
		want := fixture.Must(content(b, "X", "y"))(t)
		refused := 0
		for i := range 8 * len(b) {
			flipped := bytes.Clone(b)
			flipped[i/8] ^= 1 << (i % 8)
			got, err := content(flipped, "X", "y")
			if err == nil && got != want {
				t.Fatalf("method %d, bit %d of byte %d: %s, want %s", method, i%8, i/8, got, want)
			}
			if err != nil {
				refused++
			}
		}
		if refused < 8*len(x)/2 { // the packed one is shorter
			t.Errorf("method %d: %d flips were refused", method, refused)
		}
	}
}

// TestArchiveFaults: faulty files are refused for a stated reason, with little memory.
func TestArchiveFaults(t *testing.T) {
	fixture.Equal(t, "memory for files of three sizes", [3]int{Memory(1), Memory(1 << 20), Memory(1 << 30)}, [3]int{8 << 20, 64 << 20, 512 << 20})
	x := string(npyFile("|u1", "2,", []byte{1, 2}))
	zeros := strings.Repeat("\x00", 20<<20)
	many := []string{}
	for i := range 30_000 {
		many = append(many, strconv.Itoa(i), "")
	}
	for _, c := range []struct {
		name string
		b    []byte
		says string
	}{
		{"empty", nil, "no NPZ"},
		{"bytes behind the end", append(archive(zip.Store, "X.npy", x), 'x'), "does not end"},
		{"a name twice", archive(zip.Store, "X.npy", x, "X.npy", x), "twice"},
		{"a name with its ending and without", archive(zip.Store, "X.npy", x, "X", x), "twice"},
		{"a byte behind the data", archive(zip.Deflate, "X.npy", x+"\x00"), "need"},
		{"a byte too few", archive(zip.Deflate, "X.npy", x[:len(x)-1]), "need"},
		{"zeros", archive(zip.Deflate, "X.npy", string(npyFile("|u1", "20971520,", []byte(zeros)))), "memory"},
		{"zeros of text", archive(zip.Deflate, "X.npy", string(npyFile("<U64", "81920,", []byte(zeros)))), "memory"},
		{"zeros of objects", archive(zip.Deflate, "X.npy", string(npyFile("|O", "2,", []byte(zeros)))), "objects"},
		{"zeros without a header", archive(zip.Deflate, "X.npy", zeros), "no NumPy array"},
		{"a long header", archive(zip.Deflate, "X.npy", "\x93NUMPY\x02\x00\x00\x00\x00\x04"+zeros), "header"},
		{"a shape that overflows", archive(zip.Store, "X.npy", string(npyFile("<f8", "4294967296, 4294967296", nil))), "memory"},
		{"a shape that overflows to 0", archive(zip.Store, "X.npy", string(npyFile("<f8", "0, 9223372036854775807", []byte{1}))), "need"},
		{"a number that is none", archive(zip.Store, "X.npy", string(npyFile("<f8", "99999999999999999999", nil))), "too large"},
		{"an archive as an array", archive(zip.Deflate, "X.npy", string(archive(zip.Deflate, "X.npy", zeros))), "no NumPy array"},
		{"many members", archive(zip.Store, many...), "directory"},
		{"a long name", archive(zip.Store, strings.Repeat("n", 65_000), "", "X.npy", x), ""},
		{"long names", archive(zip.Store, slices.Repeat([]string{strings.Repeat("n", 65_000), ""}, 40)...), "directory"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		z, err := Open(c.b, Memory(len(c.b)))
		if err == nil {
			_, err = z.Read("X", 1<<40, 1000)
		}
		runtime.ReadMemStats(&after)
		if c.says != "" || err != nil {
			fixture.Says(t, err, c.says)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
			t.Errorf("%s: %d MiB were allocated", c.name, took>>20)
		}
	}
}

func FuzzArchive(f *testing.F) {
	for _, b := range [][]byte{npyFile("<f4", "2, 2", make([]byte, 16)), npyFile(">U3", "1,", make([]byte, 12)), npyFile("|i1", "", []byte{7})} {
		f.Add(archive(zip.Store, "a.npy", string(b)))
		f.Add(archive(zip.Deflate, "a.npy", string(b)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		z, err := open(b)
		if err != nil {
			return
		}
		a, err := z.Read("a", 1000, 200)
		if err != nil {
			return
		}
		n := 1
		for _, s := range a.Shape {
			n *= s
		}
		if n != a.Len() {
			t.Fatalf("shape %v, %d elements", a.Shape, a.Len())
		}
		for i := range min(n, 10) {
			if len(a.Shape) == 2 {
				i = 0
			}
			a.Text(i)
			if !a.IsText() {
				a.Number(i, 0)
			}
		}
	})
}

// TestHalf: numbers of 16 bits have the values of IEEE 754-2008, binary16.
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 0x1p-24, 0x0400: 0x1p-14, 0x3555: 0.333251953125, 0x8000: 0} {
		fixture.Equal(t, strconv.Itoa(int(bits)), half(bits), want)
	}
}
