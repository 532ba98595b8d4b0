package datasets

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"
)

// toyText is the file of the toy set: ten samples of class a, then of b.
func toyText() []byte {
	var b bytes.Buffer
	for i := range 20 {
		fmt.Fprintf(&b, "%d,%d,%c\n", i, i*i%7, "ab"[i/10])
	}
	return b.Bytes()
}

// toySet is a set of one file that comes from sources.
func toySet(sources ...Source) DataSet {
	e := DataSet{
		ID: "toy", Name: "Toy", Features: 2, Labels: []string{"a", "b"}, Histogram: []int{10, 10},
		Sizes: Sizes{Train: 3, Validation: 3},
		load:  tables(0, table{"toy.data", shape{Separator: ",", Fields: 3, Label: 3}}),
	}
	e.Files = []File{{Name: "toy.data", Bytes: int64(len(toyText())), SHA256: hexSum(toyText()), Sources: sources}}
	e.Digest = contentOf(e, map[string][]byte{"toy.data": toyText()})
	return e
}

// varyingToy is a toy set whose content decides. Its known bytes are in no
// source.
func varyingToy(sources ...Source) DataSet {
	e := toySet(sources...)
	e.Files[0].Varies = true
	e.Files[0].SHA256 = hexSum(nil)
	return e
}

// pairSet is a set of two files, the halves of the toy set.
func pairSet(first, second []Source) (e DataSet, halves [2][]byte) {
	text := toyText()
	middle := bytes.Index(text, []byte("10,"))
	halves = [2][]byte{text[:middle], text[middle:]}
	e = toySet()
	lines := shape{Separator: ",", Fields: 3, Label: 3}
	e.load = tables(0, table{"one.data", lines}, table{"two.data", lines})
	e.Files = nil
	for i, sources := range [][]Source{first, second} {
		name := []string{"one.data", "two.data"}[i]
		e.Files = append(e.Files, File{Name: name, Bytes: int64(len(halves[i])), SHA256: hexSum(halves[i]), Sources: sources})
	}
	return e, halves
}

func contentOf(e DataSet, files map[string][]byte) string {
	raw, err := e.load(files)
	if err != nil {
		panic(err)
	}
	d, err := raw.code(e.Labels)
	if err != nil {
		panic(err)
	}
	return d.Digest()
}

func hexSum(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// compressedToy is the file of the toy set as a .Z.
func compressedToy() []byte {
	b, err := os.ReadFile("testdata/toy.data.Z")
	if err != nil {
		panic(err)
	}
	return b
}

// A zipped file is a member of an archive made for a test.
type zipped struct {
	name string
	mode fs.FileMode
	b    []byte
}

func zipOf(members ...zipped) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		h.SetMode(m.mode | 0o644)
		f, _ := w.CreateHeader(h) // in memory
		f.Write(m.b)
	}
	w.Close()
	return out.Bytes()
}

// onlyHolds fails unless the files below dir are exactly these, hidden and
// temporary ones included.
func onlyHolds(t *testing.T, dir string, want ...string) {
	t.Helper()
	slices.Sort(want)
	fixture.EqualSlice(t, "files", slices.Sorted(maps.Keys(fixture.Contents(t, dir, ""))), want)
}
