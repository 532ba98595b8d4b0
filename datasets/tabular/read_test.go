package tabular

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/strictyaml"
)

func read(file string, b []byte, o Layout) (*Table, error) {
	return Read(context.Background(), file, b, o)
}

func guess(file string, b []byte, o Layout) Proposal { return Guess(context.Background(), file, b, o) }

// npyOf makes the bytes of an array of NumPy, see numpy.lib.format.
func npyOf(descr, shape string, data []byte) string {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape)
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(header)))
	return string(b) + header + string(data)
}

func npzOf(arrays map[string]string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		w, _ := z.Create(name + ".npy") // in memory
		w.Write([]byte(arrays[name]))
	}
	z.Close()
	return b.String()
}

func floats(values ...float64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// same is what all files of TestFormats hold.
var same = Table{X: []float64{5.1, 3.5, 4.9, 0, 7, -3.25, 6.4, 2}, Y: []int{1, 2, 1, 2}}

// TestFormats: one table in every form gives the same numbers and codes.
func TestFormats(t *testing.T) {
	const plain = "5.1,3.5,a\n4.9,0,b\n7,-3.25,a\n6.4,2,b\n"
	named := "length,width,class\n" + plain
	last := Layout{Label: ColumnRef{Name: Last}}
	swap := func(old, new string) string { return strings.ReplaceAll(plain, old, new) }
	names, letters := []string{"length", "width"}, []string{"a", "b"}
	numbered := []string{"x1", "x2"}
	for _, c := range []struct {
		name, file, text string
		o                Layout
		names, labels    []string
	}{
		{"comma", "x.csv", plain, last, numbered, letters},
		{"header", "x.csv", named, last, names, letters},
		{"label by name", "x.csv", named, Layout{Label: ColumnRef{Name: "class"}}, names, letters},
		{"label by number", "x.csv", named, Layout{Label: ColumnRef{Number: 3}}, names, letters},
		{"label first", "x.csv", "a,5.1,3.5\nb,4.9,0\na,7,-3.25\nb,6.4,2\n", Layout{Label: ColumnRef{Name: First}}, []string{"x2", "x3"}, letters},
		{"dropped columns", "x.csv", "id,length,n,width,class\n1,5.1,u,3.5,a\n2,4.9,v,0,b\n3,7,w,-3.25,a\n4,6.4,x,2,b\n",
			Layout{Label: ColumnRef{Name: Last}, Drop: []ColumnRef{{Name: "id"}, {Number: 3}}}, names, letters},
		{"semicolon", "x.csv", swap(",", ";"), last, numbered, letters},
		{"tab", "x.tsv", swap(",", "\t"), last, numbered, letters},
		{"blanks", "x.dat", swap(",", "   "), last, numbered, letters},
		{"leading blanks", "x.dat", "  " + swap(",", "   "), last, numbered, letters},
		{"quotes", "x.csv", `"length","width","class"` + "\n" + strings.NewReplacer("a", `"a"`, "b", `"b"`).Replace(plain), last, names, letters},
		{"as R's write.table writes it", "x.txt", "\"length\" \"width\" \"class\"\n\"1\" 5.1 3.5 \"a \\\"1\\\"\"\n" +
			"\"2\" 4.9 0 \"b\"\"2\"\n\"3\" 7 -3.25 \"a \\\"1\\\"\"\n\"4\" 6.4 2 \"b\"\"2\"\n", last, names, []string{`a "1"`, `b"2`}},
		{"row names of R as CSV", "x.csv", "length,width,class\nu,5.1,3.5,a\nv,4.9,0,b\nw,7,-3.25,a\nz,6.4,2,b\n", last, names, letters},
		{"CR LF", "x.csv", strings.ReplaceAll(named, "\n", "\r\n"), last, names, letters},
		{"CR alone", "x.csv", strings.ReplaceAll(named, "\n", "\r"), last, names, letters},
		{"byte order mark", "x.csv", "\xef\xbb\xbf" + named, last, names, letters},
		{"empty lines", "x.csv", "\n" + strings.ReplaceAll(named, "\n", "\n\n"), last, names, letters},
		{"no end of the last line", "x.csv", strings.TrimSuffix(named, "\n"), last, names, letters},
		{"lines to skip", "x.csv", "a table, of\n4,2\n" + named, Layout{Label: ColumnRef{Name: Last}, Skip: 2}, names, letters},
		{"gzip", "x.csv.gz", zipped(named), last, names, letters},
		{"gzip without its suffix", "x.csv", zipped(named), last, names, letters},
		{"another suffix", "table.out", named, Layout{Label: ColumnRef{Name: Last}, Format: CSV}, names, letters},
		{"rows dropped", "x.csv", named + "1,?,b\n2,3,\n", Layout{Label: ColumnRef{Name: Last}, DropRows: true}, names, letters},
		{"ARFF", "x.arff",
			"% c\n@RELATION 'x y'\n@attribute length REAL\n@attribute 'width' numeric\n@attribute class {a, 'b'}\n@DATA\n" + plain, Layout{}, names, letters},
		{"sparse ARFF", "x.arff", "@attribute length real\n@attribute width integer\n@attribute class {a,b}\n@data\n" +
			"{0 5.1,1 3.5}\n{0\t4.9,\t2 b }\n{0 7 , 1 -3.25}\n{0 6.4,1 2,2 'b'}\n",
			Layout{}, names, letters},
		{"sparse ARFF with a comma in a value", "x.arff", "@attribute length real\n@attribute width integer\n@attribute class {'a, 1',b}\n@data\n" +
			"{0 5.1,1 3.5}\n{0 4.9,2 b}\n{2 'a, 1',1 -3.25,0 7}\n{0 6.4,1 2,2 b}\n", Layout{}, names, []string{"a, 1", "b"}},
		{"decimal commas", "x.csv", strings.ReplaceAll(swap(",", ";"), ".", ","), Layout{Label: ColumnRef{Name: Last}, Decimal: ","}, numbered, letters},
		{"LF and CR LF", "x.csv", strings.Replace(named, "\n", "\r\n", 2), last, names, letters},
		{"LIBSVM", "x.libsvm", "+1 1:5.1 2:3.5\n-1 1:4.9 # width is 0\n1 1:7 2:-3.25\n-1 1:6.4 2:2\n", Layout{}, numbered, []string{"1", "-1"}},
		{"LIBSVM from 0", "x.svm.gz", zipped("3 0:5.1 1:3.5\n4 0:4.9\n3 0:7 1:-3.25\n4 0:6.4 1:2\n"), Layout{}, []string{"x0", "x1"}, []string{"3", "4"}},
		{"NPZ", "x.npz", npzOf(map[string]string{"X": npyOf("<f8", "4, 2", floats(same.X...)), "y": npyOf("|i1", "4,", []byte{7, 0xff, 7, 0xff})}),
			Layout{}, numbered, []string{"7", "-1"}},
		{"NPZ of texts", "x.npz", npzOf(map[string]string{"X": npyOf("<f8", "4, 2", floats(same.X...)),
			"y": npyOf("<U1", "4,", []byte("a\x00\x00\x00b\x00\x00\x00a\x00\x00\x00b\x00\x00\x00"))}),
			Layout{}, numbered, letters},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fixture.Must(read(c.file, []byte(c.text), c.o))(t)
			want := same
			want.Names, want.Labels = c.names, c.labels
			fixture.Same(t, "table", got, &want, cmpopts.IgnoreFields(Table{}, "Lines", "Layout", "SHA256", "Dropped", "Lacking", "RowNames"))
		})
	}
}

// TestMissing: what is missing is NaN where it is to be imputed, and counted.
func TestMissing(t *testing.T) {
	const text = "x,y,class\n1,?,a\n,2,b\n3,-9,a\n4,5,b\n5,5,a\n6,5,b\n"
	table := fixture.Must(read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}, Impute: "mean"}))(t)
	want := []float64{1, math.NaN(), math.NaN(), 2, 3, -9, 4, 5, 5, 5, 6, 5}
	fixture.Same(t, "values", table.X, want, cmpopts.EquateNaNs())
	fixture.Equal(t, "missing values", table.Missing, 2)
	table = fixture.Must(read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}, Impute: "mean", Missing: &Texts{"?", "", "-9"}}))(t)
	fixture.Equal(t, "missing values", table.Missing, 3)
	table = fixture.Must(read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}, DropRows: true}))(t)
	if table.Missing != 0 || table.Dropped != 2 || !slices.Equal(table.Lines, []int{4, 5, 6, 7}) {
		t.Errorf("%+v; want the rows of lines 4 to 7", table)
	}
}

// TestClasses: codes follow the first appearance, or the list.
func TestClasses(t *testing.T) {
	const text = "1,b\n2,a\n3,b\n4,a\n"
	for _, c := range []struct {
		classes []string
		codes   []int
	}{{nil, []int{1, 2, 1, 2}}, {[]string{"a", "b"}, []int{2, 1, 2, 1}}} {
		table, err := read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}, Classes: c.classes})
		if err != nil || !slices.Equal(table.Y, c.codes) || !slices.Equal(table.Histogram(), []int{2, 2}) {
			t.Errorf("%v: codes %v, %v; want %v", c.classes, table.Y, err, c.codes)
		}
	}
}

// TestFolds: a column of folds is no feature.
func TestFolds(t *testing.T) {
	const text = "x,part,class\n1,train,a\n2,train,b\n3,test,a\n4,test,b\n"
	table := fixture.Must(read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}, Fold: ColumnRef{Name: "part"}}))(t)
	fixture.EqualSlice(t, "folds", table.Folds, []string{"train", "train", "test", "test"})
	fixture.Equal(t, "features", table.Features(), 1)
}

// TestIris: the data that the program carries are Fisher's, see the samples 35 and 38,
// in which the copy of the UCI repository differs, and the class means of his Table I.
func TestIris(t *testing.T) {
	b := fixture.Must(os.ReadFile(filepath.Join("..", "..", "experiments", "iris.csv")))(t)
	table := fixture.Must(read("iris.csv", b, Layout{Label: ColumnRef{Name: "species"}}))(t)
	fixture.EqualSlice(t, "rows of the classes", table.Histogram(), []int{50, 50, 50})
	fixture.EqualSlice(t, "classes", table.Labels, []string{"setosa", "versicolor", "virginica"})
	fixture.EqualSlice(t, "sample 35", table.Row(34), []float64{4.9, 3.1, 1.5, 0.2})
	fixture.EqualSlice(t, "sample 38", table.Row(37), []float64{4.9, 3.6, 1.4, 0.1})
	means := []float64{5.006, 3.428, 1.462, 0.246, 5.936, 2.770, 4.260, 1.326, 6.588, 2.974, 5.552, 2.026}
	for k, want := range means {
		sum := 0.0
		for i := range 50 {
			sum += table.Row(50*(k/4) + i)[k%4]
		}
		fixture.Near(t, fmt.Sprintf("mean %d of class %d", k%4+1, k/4+1), sum/50, want, 5e-4)
	}
}

// TestRemarks: what does not stop a table from being used is said.
func TestRemarks(t *testing.T) {
	table := fixture.Must(read("x.csv", []byte("n,c,x,class\n1,0,5000,a\n2,0,5000,b\n3,0,7,a\n4,0,8,b\n"), Layout{Label: ColumnRef{Name: Last}}))(t)
	fixture.Says(t, errors.New(strings.Join(table.Remarks(), "\n")), "1 feature is constant: c", "counts the rows", ": n", "zscore")
	table = fixture.Must(read("x.csv", []byte("x,class\n1,a\n2,NaN\n3,a\n4,NA\n5,\n6,c\n7,c\n"), Layout{Label: ColumnRef{Name: Last}, DropUnlabelled: true}))(t)
	fixture.Says(t, errors.New(strings.Join(table.Remarks(), "\n")), "3 rows were left out for missing labels")
	table = fixture.Must(read("x.csv", []byte("x,class\n1,a\n2,NaN\n3,a\n4,NaN\n"), Layout{Label: ColumnRef{Name: Last}, Missing: &Texts{"-9"}}))(t)
	fixture.Says(t, errors.New(strings.Join(table.Remarks(), "\n")), `"NaN" of 2 rows`)
	table = fixture.Must(read("x.csv", []byte("x,class\n1,a\n2,NA\nNA,a\n4,NA\n5,a\n"),
		Layout{Label: ColumnRef{Name: Last}, Classes: Texts{"a", "NA"}, Impute: "mean"}))(t)
	fixture.EqualSlice(t, "rows of classes that are listed", table.Histogram(), []int{3, 2})
	fixture.Equal(t, "missing values beside them", table.Missing, 1)
	table = fixture.Must(read("x.csv", []byte("x,class\n1,a\n1,b\n2,a\n2,b\n2,b\n"), Layout{Label: ColumnRef{Name: Last}}))(t)
	if d := table.Duplicates(); d.Rows != 3 || d.Classes != 3 {
		t.Errorf("%+v, want 3 rows with the features of an earlier one of another class", d)
	}
	for labels, told := range map[[2]string]bool{{"Setosa", "setosa"}: true, {"1", "1.0"}: true, {"a b", "a  b"}: true, {"a", "b"}: false, {"10", "1"}: false} {
		table = fixture.Must(read("x.csv", []byte(fmt.Sprintf("x,class\n1,%[1]s\n2,%[2]s\n3,%[1]s\n4,%[2]s\n", labels[0], labels[1])),
			Layout{Label: ColumnRef{Name: Last}}))(t)
		fixture.Equal(t, fmt.Sprintf("labels %q may mean the same", labels), len(table.Alike()) == 1, told)
	}
	// -99 is told where all others are at least 0, or else farther from it than from each other.
	for others, told := range map[[2]int]bool{{0, 1000}: true, {-1, 1000}: false, {-1, 50}: true, {-60, -10}: false, {-50, -10}: true} {
		text := fmt.Sprintf("x,class\n-99,a\n%d,b\n%d,a\n%[1]d,b\n", others[0], others[1])
		table = fixture.Must(read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}}))(t)
		fixture.Equal(t, fmt.Sprintf("-99 below %v is told", others), len(table.marked()) == 1, told)
	}
}

// manyTexts are rows with more different texts than a column may have that is encoded.
func manyTexts() string {
	var b strings.Builder
	for i := range 2 * (maxCategories + 1) {
		fmt.Fprintf(&b, "word %d,%d.5,%c\n", i/2, i%7, 'a'+i%3/2)
	}
	return b.String()
}

// mostly has rows of a column with one value in most of them, a number, and a class.
func mostly(rows, most int, value, other string) string {
	var b strings.Builder
	for i := range rows {
		if i >= most {
			value = other
		}
		fmt.Fprintf(&b, "%s,%d.5,%c\n", value, i*i%7, 'a'+i%2)
	}
	return b.String()
}

// TestGuess: the label is proposed by its name or its values, columns that name or count
// rows are left out, and what is proposed reads the file unless it has faults.
func TestGuess(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Layout
		faulty     bool // also as proposed
	}{
		{"last", good, Layout{Label: ColumnRef{Name: "class"}}, false},
		{"no header", good[19:], Layout{Label: ColumnRef{Number: 3}}, false},
		{"first", "a,1\nb,2\na,3\nb,4.5\n", Layout{Label: ColumnRef{Number: 1}}, false},
		{"by name", "id,Species,x,y\n11,a,1,5\n12,b,2,6\n13,a,3,5\n14,b,4,6\n",
			Layout{Label: ColumnRef{Name: "Species"}, Drop: []ColumnRef{{Name: "id"}, {Name: "x"}}}, false},
		{"an id that repeats", "id,x,class\n1,1.5,a\n1,2,b\n2,3,a\n2,4,b\n", Layout{Label: ColumnRef{Name: "class"}}, false},
		{"text that names rows", "name,x,class\nu,1,a\nv,2,b\nw,3,a\nx,4,b\n", Layout{Label: ColumnRef{Name: "class"}, Drop: []ColumnRef{{Name: "name"}}}, false},
		{"few texts", "word,x,class\nu,1.5,a\nv,2,b\nw,3,a\nx,4,b\n", Layout{Label: ColumnRef{Name: "class"}, Encode: OneHot}, false},
		{"more than 50 texts", "word,x,class\n" + manyTexts(), Layout{Label: ColumnRef{Name: "class"}, Drop: []ColumnRef{{Name: "word"}}}, false},
		{"missing", with("3.0", "?"), Layout{Label: ColumnRef{Name: "class"}, Impute: "mean"}, false},
		{"counts first", "4,2,a,b\n" + good[19:], Layout{Label: ColumnRef{Number: 3}, Skip: 1}, false},
		{"decimal commas", "x;class\n1,5;a\n2,5;b\n3;a\n4;b\n", Layout{Label: ColumnRef{Name: "class"}, Decimal: ","}, false},
		{"three decimals between semicolons", "x;class\n1,500;a\n2,500;b\n3;a\n4;b\n", Layout{Label: ColumnRef{Name: "class"}, Decimal: ","}, false},
		{"a point beside three decimals", "x;y;class\n1,500;1.5;a\n2,500;2;b\n3;3;a\n4;4;b\n", Layout{Label: ColumnRef{Name: "class"}}, true},
		{"commas that may divide thousands", "x\tclass\n1,500\ta\n2,500\tb\n3\ta\n4\tb\n", Layout{Label: ColumnRef{Name: "class"}}, true},
		{"texts that repeat", "x,color,class\n1.5,red,a\n2,blue,b\n3,red,a\n4,blue,b\n", Layout{Label: ColumnRef{Name: "class"}, Encode: OneHot}, false},
		{"row numbers", "row,x,class\n1,1.5,a\n2,2.5,b\n3,0,a\n4,4,b\n",
			Layout{Label: ColumnRef{Name: "class"}, Drop: []ColumnRef{{Name: "row"}}}, false},
		{"row numbers without a name", ",x,class\n7,1.5,a\n8,2.5,b\n9,0,a\n10,4,b\n",
			Layout{Label: ColumnRef{Name: "class"}, Drop: []ColumnRef{{Number: 1}}}, false},
		{"a name twice", "x,x,class\n5,1,a\n2,3,b\n0,1,a\n7,4,b\n", Layout{Label: ColumnRef{Name: "class"}}, true},
		{"a column without values", "x,y,class\n5,,a\n2,,b\n0,,a\n7,,b\n", Layout{Label: ColumnRef{Name: "class"}, Drop: []ColumnRef{{Name: "y"}}}, false},
		{"comments", "# a table\n# of four rows\n" + good, Layout{Label: ColumnRef{Name: "class"}, Comment: "#"}, false},
		{"dates in nine rows of ten", "when,x,class\n" + mostly(20, 18, "2024-05-06", "soon"),
			Layout{Label: ColumnRef{Name: "class"}, Drop: []ColumnRef{{Name: "when"}}}, false},
		{"dates in fewer", "when,x,class\n" + mostly(20, 17, "2024-05-06", "soon"), Layout{Label: ColumnRef{Name: "class"}, Encode: OneHot}, false},
		{"a text among few numbers", "grade,x,class\n" + mostly(40, 39, "3", "unsure"),
			Layout{Label: ColumnRef{Name: "class"}, Nominal: []ColumnRef{{Name: "grade"}}}, false},
		{"texts that hardly repeat", "w,x\na,1.5\nb,2\nc,3\na,4\n", Layout{Label: ColumnRef{Name: "x"}, Encode: OneHot}, true},
		{"no table", "\x00\x01", Layout{Label: ColumnRef{Name: Last}}, true},
	} {
		got := guess("x.csv", []byte(c.text), Layout{}).Options
		fixture.Same(t, c.name, got, c.want)
		if _, err := read("x.csv", []byte(c.text), got); (err != nil) != c.faulty {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// readable checks what holds for every table: its parts fit each other, codes have
// labels, classes have two rows and values are finite or missing.
func readable(t *testing.T, file string, b []byte, o Layout) {
	table, err := read(file, b, o)
	if err != nil {
		var faults strictyaml.Errors
		if !errors.As(err, &faults) || len(faults) == 0 || len(faults) > maxFaults+1 || table != nil {
			t.Fatalf("%T %v, table %v", err, err, table)
		}
		return
	}
	n, d := table.Rows(), table.Features()
	if n < 2 || d < 1 || d > MaxColumns || len(table.X) != n*d || len(table.Lines) != n || len(table.Labels) < 2 {
		t.Fatalf("%d rows, %d features, %d values, %d lines, %d labels", n, d, len(table.X), len(table.Lines), len(table.Labels))
	}
	for c, rows := range table.Histogram() {
		if rows < 2 {
			t.Fatalf("class %d has %d rows", c+1, rows)
		}
	}
	missing := 0
	for _, v := range table.X {
		if math.IsNaN(v) {
			missing++
		} else if math.Abs(v) > maxSize {
			t.Fatalf("value %g", v)
		}
	}
	if missing != table.Missing || missing > 0 && o.Impute == "" {
		t.Fatalf("%d missing values, counted %d", missing, table.Missing)
	}
	table.Remarks()
}

func FuzzDelimited(f *testing.F) {
	for _, c := range faulty {
		if c.file == "" && len(c.text) < 10_000 {
			f.Add([]byte(c.text), true, 0)
		}
	}
	f.Add([]byte(good), false, 1)
	f.Add([]byte(strings.ReplaceAll(good, ",", " ")), false, 2)
	f.Fuzz(func(t *testing.T, b []byte, impute bool, label int) {
		o := Layout{Label: ColumnRef{Name: Last}}
		if label > 0 {
			o.Label = ColumnRef{Number: label}
		}
		if impute {
			o.Impute = "median"
		}
		readable(t, "x.csv", b, o)
		o.DropRows, o.Impute = true, ""
		readable(t, "x.csv", b, o)
		guess("x.csv", b, Layout{})
	})
}

func FuzzARFF(f *testing.F) {
	fuzz(f, "x.arff", "@relation x\n@attribute a real\n@attribute class {x,y}\n@data\n1,x\n2,y\n{0 3}\n{1 y}\n")
}

func FuzzLIBSVM(f *testing.F) { fuzz(f, "x.svm", "1 1:2 3:4\n2 2:nan\n1\n2 0:1 # c\n") }

func FuzzNPZ(f *testing.F) {
	fuzz(f, "x.npz", npzOf(map[string]string{"X": npyOf("<f8", "4, 2", floats(same.X...)), "y": npyOf("|i1", "4,", []byte{7, 1, 7, 1})}))
}

func fuzz(f *testing.F, file, seed string) {
	for _, c := range faulty {
		if c.file == file {
			f.Add([]byte(c.text))
		}
	}
	f.Add([]byte(seed))
	f.Fuzz(func(t *testing.T, b []byte) {
		readable(t, file, b, Layout{Impute: "mean"})
		readable(t, file, b, Layout{DropRows: true})
	})
}

// Features are found by name, in any order and beside any other column. Those without names
// are taken by their places, texts have the places of those known, and values may be missing
// where the feature is open for that.
func TestReadFeatures(t *testing.T) {
	named, nameless := []Wanted{{Name: "a"}, {Name: "b"}}, []Wanted{{Name: "x1"}, {Name: "x2"}}
	text := []Wanted{{Name: "color", Texts: []string{"blue", "red"}, Open: true}, {Name: "n", Open: true}}
	for _, c := range []struct {
		name, text  string
		wanted      []Wanted
		want, fault string
	}{
		{"as learned", "a,b,class\n1,2,x\n3,4,y\n", named, "[1 2 3 4]", ""},
		{"another order, no label", "b,note,a\n2,hello,1\n4,there,3\n", named, "[1 2 3 4]", ""},
		{"one row", "b,a\n2,1\n", named, "[1 2]", ""},
		{"names of rows", ",a,b\nr1,1,2\nr2,3,4\n", named, "[1 2 3 4]", ""},
		{"no names", "1,2\n3,4\n", named, "", "f.csv:1:1: the first line has the name of no feature; write a header with the names a, b"},
		{"a column missing", "a,c\n1,2\n3,4\n", named, "", `no column "b", which the model needs; add it`},
		{"a column like another", "width1,x\n1,2\n", []Wanted{{Name: "width1"}, {Name: "width2"}}, "", `this name (the columns are "width1", "x"`},
		{"a value missing", "a,b\n1,2\n3,\n", named, "", "f.csv:3:3: column \"b\" is missing"},
		{"text", "a,b\n1,2\n3,four\n", named, "", `f.csv:3:3: column "b" has "four", which is no number; the model needs numbers such as 1.5`},
		{"a column of text", "a,b\no;p,2\nq,4\n", named, "", `f.csv:2:1: column "a" has "o;p", which is no number (2 of its 2 fields); the model needs numbers`},
		{"empty", "", named, "", "empty"},
		{"no names wanted", "1,2\n3,4\n", nameless, "[1 2 3 4]", ""},
		{"no names, a label", "1,2,x\n3,4,y\n", nameless, "", "3 columns without names, want the 2 features x1, x2"},
		{"known texts", "n,color\n1,red\n,blue\n3,green\n4,?\n", text, "[1 1 0 NaN -1 3 NaN 4]", ""},
		{"a column without a number", "n,color\n,red\n", text, "[1 NaN]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadFeatures(t.Context(), "f.csv", []byte(c.text), Layout{}, c.wanted)
			if c.fault != "" {
				fixture.Says(t, err, c.fault)
				return
			}
			fixture.Check(t, err)
			fixture.Equal(t, "features", fmt.Sprint(got), c.want)
		})
	}
}

// TestRecords: what encoding/csv writes is read back, but for blanks around fields and
// records that are blank, and each field begins where it says.
func TestRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"comma", "semicolon", "tab"}).Draw(t, "delimiter")
		fields := rapid.SliceOfN(rapid.StringMatching(`[a1é ",;\t\n.]{0,6}`), 2, 5)
		rows := rapid.SliceOfN(fields, 1, 5).Draw(t, "rows")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = rune(separators[name])
		var want [][]string
		for _, row := range rows {
			row[0] = "x" + row[0] // no record is blank
			w.Write(row)
			var trimmed []string
			for _, f := range row {
				trimmed = append(trimmed, strings.TrimSpace(f))
			}
			want = append(want, trimmed)
		}
		w.Flush()
		text := strings.Split(b.String(), "\n")
		all := newRecords(source{context.Background(), b.Bytes(), MaxBytes}.lines("x.csv"), name, "")
		for i := range want {
			r, err := all.next()
			if err != nil || !slices.Equal(r.fields, want[i]) {
				t.Fatalf("%q is read as %q, want %q; %v", b.String(), r.fields, want[i], err)
			}
			for k, field := range r.fields {
				line, column := r.place(k)
				rest := string([]rune(text[line-1])[column-1:])
				begin, _, _ := strings.Cut(strings.ReplaceAll(field, `"`, `""`), "\n")
				if !strings.HasPrefix(rest, strings.TrimSpace(begin)) && !strings.HasPrefix(rest, `"`) {
					t.Fatalf("field %q of %q is said to begin at %q", field, b.String(), rest)
				}
			}
		}
		if _, err := all.next(); err != io.EOF {
			t.Fatalf("%q: %v behind the last record", b.String(), err)
		}
	})
}
