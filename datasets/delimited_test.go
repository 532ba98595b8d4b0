package datasets

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

func TestShapeRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		shape      shape
		want       string // features, labels and how many are missing
	}{
		{"label last", "1,2,a\n3,-4e1,b\n", shape{Separator: ",", Fields: 3, Label: 3}, "[[1 2] [3 -40]] [a b] 0"},
		{"label first", "a,1,2\n", shape{Separator: ",", Fields: 3, Label: 1}, "[[1 2]] [a] 0"},
		{"label second behind an id", "17,a,1,2\n", shape{Separator: ",", Fields: 4, Label: 2, Drop: 1}, "[[1 2]] [a] 0"},
		{"constant column", "a,1,9,2\n", shape{Separator: ",", Fields: 4, Label: 1, Drop: 3}, "[[1 2]] [a] 0"},
		{"CR LF and no last line feed", "1,a\r\n2,b", shape{Separator: ",", Fields: 2, Label: 2}, "[[1] [2]] [a b] 0"},
		{"padded with blanks", " 88,  2, 8 \n", shape{Separator: ",", Fields: 3, Label: 3}, "[[88 2]] [8] 0"},
		{"semicolons under a header, class of the file", "\"a\";\"b\"\n1;2\n", shape{Separator: ";", Fields: 2, Header: 1, Class: "red"}, "[[1 2]] [red] 0"},
		{"header with an empty line", ";;; mode\n\nA,B\n\n\nx,1\n", shape{Separator: ",", Fields: 2, Label: 1, Header: 5}, "[[1]] [x] 0"},
		{"blanks", "70.0 1.0 2\n", shape{Fields: 3, Label: 3}, "[[70 1]] [2] 0"},
		{"label a number with decimals", "6.0000 -1 0.5 \n9 1 1\n", shape{Fields: 3, Label: 1, Number: true}, "[[-1 0.5] [1 1]] [6 9] 0"},
		{"label a number with a point", "0.5, 12.\n", shape{Separator: ",", Fields: 2, Label: 2, Number: true}, "[[0.5]] [12] 0"},
		{"missing values", "N,?,?\nR,1,2\n", shape{Separator: ",", Fields: 3, Label: 1, Missing: "?"}, "[[0 0] [1 2]] [N R] 2"},
		{"KEEL header of one line", "20 2\n 0.1 2 1\n", shape{Fields: 3, Label: 3, Number: true, Keel: true}, "[[0.1 2]] [1] 0"},
		{"KEEL header and commas", "@relation ring\n@attribute A1 integer [-6879, 6285]\n@data\n849, 2177, 0\n",
			shape{Fields: 3, Label: 3, Number: true, Keel: true}, "[[849 2177]] [0] 0"},
		{"a sample like KEEL's one line", "1 1\n20 2\n", shape{Fields: 2, Label: 2, Number: true, Keel: true}, "[[1] [20]] [1 2] 0"},
		{"nothing", "", shape{Fields: 3}, "[] [] 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got Raw
			fixture.Check(t, c.shape.read(&got, "file", []byte(c.text)))
			fixture.Equal(t, "rows", fmt.Sprint(got.X, got.Labels, got.Missing), c.want)
		})
	}
}

func TestShapeReadErrors(t *testing.T) {
	plain := shape{Separator: ",", Fields: 2, Label: 2}
	for _, c := range []struct {
		name, text string
		shape      shape
		want       string
	}{
		{"too few fields", "1,a\n2\n", plain, "f.data:2: 1 fields, want 2"},
		{"too many fields", "1,a,\n", plain, "f.data:1: 3 fields, want 2"},
		{"no number", "1,a\n\nx,b\n", plain, `f.data:3: field 1: "x" is not a finite number`},
		{"nothing between commas", ",a\n", plain, `f.data:1: field 1: "" is not a finite number`},
		{"not a number", "NaN,a\n", plain, `"NaN" is not a finite number`},
		{"infinite", "-Inf,a\n", plain, `"-Inf" is not a finite number`},
		{"overflow", "1e999,a\n", plain, `"1e999" is not a finite number`},
		{"unexpected missing value", "?,a\n", plain, `"?" is not a finite number`},
		{"long garbage is cut", strings.Repeat("z", 1000) + ",a\n", plain, `"` + strings.Repeat("z", 40) + `" is not`},
		{"label with a fraction", "1,6.5\n", shape{Separator: ",", Fields: 2, Label: 2, Number: true}, `field 2: label "6.5" is no whole number`},
		{"label without a number", "1,a\n", shape{Separator: ",", Fields: 2, Label: 2, Number: true}, `field 2: "a" is not a finite number`},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Says(t, c.shape.read(&Raw{}, "f.data", []byte(c.text)), c.want) })
	}
}

func TestTables(t *testing.T) {
	lines := shape{Separator: ",", Fields: 2, Label: 2}
	load := tables(1000, table{"one", lines}, table{"two", lines})
	got := fixture.Must(load(map[string][]byte{"two": []byte("849,b\n"), "one": []byte("-3406,a\n")}))(t)
	fixture.Same(t, "rows", got, &Raw{X: [][]float64{{-3.406}, {0.849}}, Labels: []string{"a", "b"}})
	fixture.Says(t, fixture.Error(load(map[string][]byte{"one": []byte("1,a\n"), "two": []byte("1\n")})), "two:1: 1 fields")
}

// Every text set of the catalogue is read through one of these shapes.
func FuzzDelimited(f *testing.F) {
	var shapes []shape
	for _, c := range []struct {
		shape shape
		seed  string
	}{
		{shape{Separator: ",", Fields: 5, Label: 5}, "1.687,0.445,2.332,0.429,Right\r\n"},
		{shape{Separator: ",", Fields: 17, Label: 1}, "T,2,8,3,5,1,8,13,0,6,6,10,8,0,8,0,8\n"},
		{shape{Separator: ";", Fields: 12, Header: 1, Class: "red"}, "\"a\";\"b\"\n7;0;0;1;0;11;34;0;3;0;9;5\n"},
		{shape{Separator: ",", Fields: 20, Label: 1, Drop: 4, Header: 5}, ";;;\n\nA\n\n\nSKY" + strings.Repeat(",1.5", 19)},
		{shape{Fields: 21, Label: 21, Number: true, Keel: true}, "@data\n" + strings.Repeat("1, ", 20) + "1"},
		{shape{Separator: ",", Fields: 11, Label: 11, Drop: 1}, "1" + strings.Repeat(",2", 10)},
		{shape{Fields: 14, Label: 14}, strings.Repeat("1 ", 14)},
		{shape{Separator: ",", Fields: 618, Label: 618, Number: true}, strings.Repeat("1,", 617) + "2."},
		{shape{Fields: 257, Label: 1, Number: true}, strings.Repeat("6.0000 ", 257)},
		{shape{Separator: ",", Fields: 35, Label: 2, Drop: 1, Missing: "?"}, "9,N" + strings.Repeat(",?", 33)},
	} {
		f.Add([]byte(c.seed), uint8(len(shapes)))
		shapes = append(shapes, c.shape)
	}
	f.Add([]byte("20 2\n"+strings.Repeat("1.0 ", 20)+"0"), uint8(4))
	f.Fuzz(func(t *testing.T, b []byte, which uint8) {
		s := shapes[int(which)%len(shapes)]
		var raw Raw
		if s.read(&raw, "fuzz", b) != nil {
			return
		}
		if len(raw.X) != len(raw.Labels) {
			t.Fatalf("%d rows, %d labels", len(raw.X), len(raw.Labels))
		}
		features := s.Fields - min(1, s.Label) - min(1, s.Drop)
		for _, row := range raw.X {
			if len(row) != features {
				t.Fatalf("%d features, want %d", len(row), features)
			}
			for _, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("value %v", v)
				}
			}
		}
	})
}

// toyData has two classes of 1-dimensional samples.
func toyData() *Data {
	return &Data{
		Samples: Samples{X: mat.NewDense(2, 1, []float64{0.5, -1}), Y: []int{2, 1}},
		Labels:  []string{"x", "yz"},
	}
}

// The digest is that of these bytes, by another program (every number in eight
// bytes, low byte first):
//
//	2, 1 "x", 2 "yz", 2, 1, 2, 0x3fe0000000000000, 1, 0xbff0000000000000
func TestDigest(t *testing.T) {
	const want = "b8eeed9193ece2a4177159dbd0b2767403449faf9473127014ef2a0a9d38db35"
	fixture.Equal(t, "digest", toyData().Digest(), want)
}

func TestDigestTellsApart(t *testing.T) {
	base := toyData().Digest()
	for name, change := range map[string]func(d *Data){
		"value":  func(d *Data) { d.X.Set(1, 0, -1.0000000000000002) },
		"code":   func(d *Data) { d.Y[1] = 2 },
		"label":  func(d *Data) { d.Labels[0] = "y" },
		"border": func(d *Data) { d.Labels = []string{"xy", "z"} },
		"shape":  func(d *Data) { d.X, d.Y = mat.NewDense(1, 2, []float64{0.5, -1}), []int{2} },
	} {
		d := toyData()
		change(d)
		fixture.Equal(t, name+": the same digest", d.Digest() == base, false)
	}
}

func TestRawCode(t *testing.T) {
	raw := &Raw{X: [][]float64{{1, 2}, {3, 4}, {5, 6}}, Labels: []string{"b", "a", "b"}, Missing: 7}
	d := fixture.Must(raw.code([]string{"b", "a"}))(t)
	fixture.Same(t, "codes", d.Y, []int{1, 2, 1})
	fixture.Equal(t, "start of the second row", d.X.At(1, 0), 3)
	fixture.Equal(t, "missing values", d.Missing, 7)
	fixture.Says(t, fixture.Error((&Raw{}).code([]string{"a"})), "no rows")
	fixture.Says(t, fixture.Error(raw.code([]string{"a"})), `row 1 has the unknown label "b"`)
}
