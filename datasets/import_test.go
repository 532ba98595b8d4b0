package datasets

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// A matrix for a MAT-file of version 5, column by column.
type matrix struct {
	name string
	rows int
	data []float64
}

// matFile writes matrices in the plain form of the format: no compression.
func matFile(matrices ...matrix) []byte {
	b := make([]byte, 124, 128)
	copy(b, "MATLAB 5.0 MAT-file")
	b = append(b, 0, 1, 'I', 'M')
	for _, m := range matrices {
		var body []byte
		body = matElement(body, 6, binary.LittleEndian.AppendUint64(nil, 6)) // double array
		dims := binary.LittleEndian.AppendUint32(nil, uint32(m.rows))
		body = matElement(body, 5, binary.LittleEndian.AppendUint32(dims, uint32(len(m.data)/m.rows)))
		body = matElement(body, 1, []byte(m.name))
		var values []byte
		for _, v := range m.data {
			values = binary.LittleEndian.AppendUint64(values, math.Float64bits(v))
		}
		b = matElement(b, 14, matElement(body, 9, values))
	}
	return b
}

func matElement(b []byte, kind uint32, payload []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	return append(b, make([]byte, -len(payload)&7)...)
}

// authorFile is a split of two features and two classes: four training
// samples, two for validation, three for testing.
func authorFile() []byte {
	return matFile(
		matrix{"train_data", 3, []float64{0, 0, 1, 0, 1, 1, 5, 5, 2, 5, 6, 2}},
		matrix{"cross_data", 3, []float64{1, 0, 1, 6, 5, 2}},
		matrix{"test_data", 3, []float64{1, 1, 1, 6, 6, 2, 7, 7, 2}},
	)
}

func TestImport(t *testing.T) {
	l, path := Library{t.TempDir()}, filepath.Join(t.TempDir(), "my-split.mat")
	fixture.Write(t, path, string(authorFile()))
	for _, tt := range []struct{ name, want string }{{"", "my-split"}, {"other", "other"}, {"", "my-split"}} {
		got := fixture.Must(Import(l, path, tt.name))(t)
		s := fixture.Must(l.OpenImported("mat:" + tt.want))(t)
		if got.ID != "mat:"+tt.want || got.Features != 2 || len(got.Labels) != 2 || got.Parts != [3]int{4, 2, 3} || got.Digest != s.Digest {
			t.Errorf("got %+v", got)
		}
		fixture.EqualSlice(t, "test codes", s.Test.Y, []int{1, 2, 2})
	}
	onlyHolds(t, l.Dir, "imported/my-split.mat", "imported/other.mat")
	fixture.EqualSlice(t, "names", l.ImportedNames(), []string{"my-split", "other"})
}

func TestImportRefuses(t *testing.T) {
	good := authorFile()
	half := matFile(matrix{"train_data", 3, []float64{0, 0, 1, 5, 5, 2}}, matrix{"cross_data", 3, []float64{0, 0, 1}})
	for _, tt := range []struct {
		name string
		b    []byte
		as   string
		want string
	}{
		{"way out", good, "../evil", `"../evil" cannot name an import`},
		{"folder", good, "a/b", "cannot name an import"},
		{"other stroke", good, `a\b`, "cannot name an import"},
		{"hidden", good, ".hidden", "cannot name an import"},
		{"blank", good, "a b", "cannot name an import"},
		{"line feed", good, "a\n", "cannot name an import"},
		{"too long", good, strings.Repeat("a", 65), "cannot name an import"},
		{"no test_data", half, "x", "test_data"},
		{"cut short", good[:len(good)-30], "x", "split.mat"},
		{"no MAT-file", []byte("1,2,a\n"), "x", "split.mat"},
		{"empty", nil, "x", "split.mat"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, path := Library{t.TempDir()}, filepath.Join(t.TempDir(), "split.mat")
			fixture.Write(t, path, string(tt.b))
			fixture.Says(t, fixture.Error(Import(l, path, tt.as)), tt.want)
			onlyHolds(t, l.Dir)
			fixture.Says(t, fixture.Error(l.OpenImported(tt.as)))
		})
	}
}

func TestImportKeepsWhatIsThere(t *testing.T) {
	l, path := Library{t.TempDir()}, filepath.Join(t.TempDir(), "split.mat")
	fixture.Write(t, path, string(authorFile()))
	fixture.Must(Import(l, path, ""))(t)
	other := bytes.Replace(authorFile(), []byte("MATLAB 5.0"), []byte("MATLAB 5,0"), 1)
	fixture.Write(t, path, string(other))
	fixture.Says(t, fixture.Error(Import(l, path, "")), "holds another split", "choose another name")
	fixture.Equal(t, "the first import", fixture.Text(t, filepath.Join(l.Dir, "imported", "split.mat")), string(authorFile()))
	fixture.Is(t, fixture.Error(Import(l, filepath.Join(l.Dir, "gone.mat"), "")), os.ErrNotExist)
}

func TestOpenImported(t *testing.T) {
	l := Library{t.TempDir()}
	_, err := l.OpenImported("gone")
	fixture.Says(t, err, "gone.mat", "data import")
	fixture.Is(t, err, ErrMissing)
	fixture.Write(t, filepath.Join(l.Dir, "imported", "bad.mat"), string(authorFile()[:300]))
	_, err = l.OpenImported("bad")
	fixture.Says(t, err, "bad.mat")
	fixture.Is(t, err, ErrCorrupt)
}

func TestReadAuthorSplit(t *testing.T) {
	file := matFile(
		matrix{"test_data", 3, []float64{7, 8, 2}},
		matrix{"train_data", 3, []float64{1, 2, 1, 3, 4, 2}},
		matrix{"cross_data", 3, []float64{5, 6, 1, -5, -6, 1}},
	)
	s := fixture.Must(ReadAuthorSplit(file))(t)
	fixture.Same(t, "codes", [][]int{s.Train.Y, s.Validation.Y, s.Test.Y}, [][]int{{1, 2}, {1, 1}, {2}})
	samples := [][]float64{s.Train.X.RawMatrix().Data, s.Validation.X.RawMatrix().Data, s.Test.X.RawMatrix().Data}
	fixture.Same(t, "samples", samples, [][]float64{{1, 2, 3, 4}, {5, 6, -5, -6}, {7, 8}})
	fixture.Same(t, "rows", s.Rows, [3][]int{{0, 1}, {0, 1}, {0}})
	// Of these bytes, by another program: "classes 2\n", then per part the rows
	// and columns and per row the code and the values, eight bytes each.
	fixture.Equal(t, "digest", s.Digest, "7c66757ce69d1b9fceafff881c9de667700534a5d21ac871a20bbffa12d96e55")
}

func FuzzAuthorSplit(f *testing.F) {
	one := []float64{1, 1}
	f.Add(matFile(matrix{"train_data", 2, one}, matrix{"cross_data", 2, one}, matrix{"test_data", 2, one}))
	f.Add(matFile(matrix{"train_data", 3, []float64{1, 2, 1}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ReadAuthorSplit(b)
		if err != nil {
			return
		}
		for _, part := range []Samples{s.Train, s.Validation, s.Test} {
			fixture.Equal(t, "rows", part.X.RawMatrix().Rows, len(part.Y))
		}
	})
}
