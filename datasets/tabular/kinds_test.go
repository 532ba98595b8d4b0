package tabular

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/machine"
)

// lined returns n copies of a line: %d becomes a decimal number, %i a whole one, %n the number of
// the line, and %s the class a or b.
func lined(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fill := strings.NewReplacer("%d", fmt.Sprintf("%d.5", i*i%17), "%i", fmt.Sprint(i*7%5), "%n", fmt.Sprint(i+1), "%s", "ab"[i%2:i%2+1])
		b.WriteString(fill.Replace(line) + "\n")
	}
	return b.String()
}

// TestKinds: kinds of files that people have are read as they are meant, and what is guessed is told with the key that undoes it.
func TestKinds(t *testing.T) {
	const arff = "@relation r\n@attribute p {none,'?',-}\n@attribute v numeric\n@attribute class {a,b}\n@data\n"
	for _, c := range []struct {
		name, file, text string
		label            string
		rows, encoded    int
		missing          int
		told             string // of the guesses
	}{
		{"values that other formats take for gaps", "x.arff", arff + "none,1,a\n'?',2,b\n-,3,a\n?,?,b\n", "", 4, 4, 2, "drop-rows"},
		{"categories that are numbers", "x.arff", "@attribute g {1,2,3}\n@attribute class {a,b}\n@data\n1,a\n2,b\n3,a\n1,b\n", "", 4, 3, 0, "numeric: [g]"},
		{"a comment behind values, a range", "x.arff",
			"@attribute g {1, 2} % } two\n@attribute x real [0, 9]\n@attribute c {a,b}\n@data\n1, 5, a\n2 , 3, b\n1,7,a\n2,8,b\n",
			"", 4, 3, 0, ""},
		{"values between blanks", "x.arff", "@attribute x real\n@attribute y real\n@attribute class {a,b}\n@data\n1 5 a\n4  3 b\n1 7 a\n2 8 b\n", "", 4, 2, 0, ""},
		{"KEEL", "x.dat",
			"@relation k\n@attribute class {p,q}\n@attribute y {a,b}\n@inputs class\n@outputs y\n@data\np,a\nq,b\np,b\nq,a\n", "", 4, 2, 0, "format: arff"},
		{"a gap in KEEL", "x.dat", "@attribute x real\n@attribute y {a,b}\n@outputs y\n@data\n1,a\n<null>,b\n2,b\n3,a\n", "", 4, 1, 1, "drop-rows"},
		{"a line for spreadsheets", "x.csv", "sep=;\nx;y\n" + lined(20, "%d;%s"), "y", 20, 1, 0, "skip: 1"},
		{"a line for spreadsheets between commas", "x.csv", "sep=,\nx,z,y\n" + lined(20, "%d,%d,%s"), "y", 20, 2, 0, "skip: 1"},
		{"a line for spreadsheets before a title", "x.csv", "sep=;\nof 2021\nx;y\n" + lined(20, "%d;%s"), "y", 20, 1, 0, "skip: 2"},
		{"a title and an empty row", "x.csv", "of 2021,,\n,,\nx,z,y\n" + lined(20, "%d,%d,%s"), "y", 20, 2, 0, "skip: 2"},
		{"a header of years", "x.csv", "2001,2003,2005,class\n" + lined(20, "%d,%d,%d,%s"), "", 20, 3, 0, "header: false"},
		{"a long name before mustard", "x.csv", strings.Repeat("n", 110) + ",mustard,class\n" + lined(20, "%d,%d,%s"), "class", 20, 2, 0, ""},
		{"a row that rises", "x.csv", "1,3,5,a\n" + lined(20, "%d,%d,%d,%s"), "", 21, 3, 0, ""},
		{"a label without gaps before one with", "x.csv", "r,y,y\n" + strings.Repeat("r,?,n\nd,n,?\nd,y,n\n", 6), "", 19, 4, 12, "\"1\""},
		{"a label whose values repeat before one with a row", "x.csv", "a,v,w\n" + strings.Repeat("1,2.5,6\n2,3.5,8\n", 6) + "1,2,7\n", "", 13, 2, 0, "column \"a\""},
		{"names of rows without a name", "x.data", lined(30, "%n7%i,%d,%s"), "last", 30, 2, 0, "drop: [1]"},
		{"units", "x.csv", "p,x,class\n" + lined(60, "%n kg,%d,%s"), "class", 60, 1, 0, "unit such as"},
		{"blanks and a tab", "x.data", lined(20, "%d   %d  7.5\t\"%s x\""), "last", 20, 3, 0, ""},
		{"tabs and texts of several words", "x.tsv", "c\tx\ty\n" + lined(20, "one %s\t%d\t%s"), "y", 20, 3, 0, "onehot"},
		{"texts that mean a gap among numbers alone", "x.csv",
			"s,v,class\n" + strings.Repeat("none,-,a\n.,5,b\nmany,none,a\nsome,6.5,b\n", 2), "class", 8, 5, 4, "onehot"},
		{"a header from 0", "x.csv", "0,1,2\n" + lined(20, "%d,%d,%i"), "last", 20, 2, 0, "header: false"},
		{"a header from 1", "x.csv", "1,2,3,4,5,6\n" + lined(20, "%i,%i,%i,%i,%i,%i"), "", 20, 5, 0, "header: false"},
		{"a header from 0 behind row names", "x.csv", ",0,1,2\n" + lined(20, "%n,%d,%d,%i"), "last", 20, 2, 0, "header: false"},
		{"a header from 0 before a text", "x.csv", "0,1,target\n" + lined(20, "%d,%d,%i"), "last", 20, 2, 0, "header: false"},
		{"counts and classes before as many columns", "x.csv", "20,3,sun,moon\n" + strings.Repeat("1.5,2,3,0\n4,5.5,6,1\n", 10), "last", 20, 3, 0, "header: false"},
		{"counts and classes before more columns", "x.csv", "20,4,sun,moon\n" + strings.Repeat("1.5,2,9,3,0\n4,5.5,2,6,1\n", 10), "", 20, 4, 0, "skip: 1"},
		{"a first row like counts", "x.csv", "20,3,moon,a\n" + strings.Repeat("1,3,moon,a\n4,5,sun,b\n", 10), "last", 21, 4, 0, "onehot"},
		{"a header from 0 behind a text", "x.csv", "label,0,1,2\n" + lined(20, "%i,%d,%d,%d"), "", 20, 3, 0, "header: false"},
		{"a header of wavelengths behind a text", "x.csv", "kind,400.5,401.5,402.5\n" + lined(20, "%s,%d,%d,%d"), "", 20, 3, 0, "header: false"},
		{"a first row of equal steps behind a text", "x.csv", "n0,0,1,2\n" + lined(20, "n%n,%d,%d,%i"), "last", 21, 2, 0, "another text"},
		{"a first row of fractions", "x.csv", "0.0,1.0,2.0\n" + lined(10, "%d,%d,2.0") + lined(10, "%d,%d,1.0"), "last", 21, 2, 0, ""},
		{"names that end as numbers do", "x.csv", "E1,e5,y\n" + lined(20, "%d,%d,%s"), "y", 20, 2, 0, ""},
		{"a first row with a gap", "x.csv", "?,red,a\n" + lined(5, "%d,red,%s"), "", 6, 2, 1, ""},
		{"a header over texts", "x.csv", "outlook,play\n" + lined(20, "%s,%s"), "last", 20, 2, 0, "header: false"},
		{"no header over texts", "x.csv", lined(20, "%s,%s"), "", 20, 2, 0, ""},
		{"pairs by content", "agaricus.txt.train", lined(20, "%i 3:%d 9:1"), "", 20, 9, 0, "format: libsvm"},
		{"numbers with a few texts", "x.csv", "doors,class\n" + strings.Repeat("2,a\n3,b\n4,a\n5more,b\n", 5), "class", 20, 4, 0, "nominal"},
		{"numbers with a few texts, undone", "x.csv", "doors,x,class\n" + strings.Repeat("2,1,a\n3,2,b\n4,1,a\n5more,3,b\n", 5), "class", 20, 5, 0, "drop: [doors]"},
		{"<NA> of pandas", "x.csv", "s,v,class\n" + strings.Repeat("<NA>,<NA>,a\nred,5,b\nblue,7,a\n", 5), "class", 15, 3, 10, "drop-rows"},
		{"percent", "x.csv", "p,x,class\n" + lined(60, "%n %,%d,%s"), "class", 60, 1, 0, "unit such as %"},
		{"a constant at the end", "x.csv", lined(40, "%i,%d,0"), "", 40, 2, 0, "numbers that repeat"},
		{"dates, names and numbers of tickets", "x.csv", "who,when,n,x,class\n" + lined(30, "w%n,2020-01-02,%n,%d,%s"), "class", 30, 1, 0, "nominal: [when]"},
		{"rows without a label", "x.csv", "x,class\n1.5,\n" + lined(20, "%d,%s") + "3,?\n", "class", 20, 1, 0, "2 rows without a label"},
		{"pipes", "x.csv", "a b|y\n" + lined(20, "a %d|%s"), "y", 20, 9, 0, ""},
		{"colons", "x.csv", "a:b:y\n" + lined(20, "%d:%d:%s"), "y", 20, 2, 0, ""},
		{"line feeds in quotes, between tabs", "x.csv",
			"one of a, b\tx\ty\n" + strings.Repeat("p, q\t1.5\ta\n\"r,\ns\"\t2.5\tb\n", 10), "y", 20, 3, 0, "onehot"},
		{"comments", "x.csv", "# one, two\nx,y\n" + lined(10, "%d,%s") + "# between\n" + lined(10, "%d,%s") + "# end\n", "y", 20, 1, 0, "comment"},
		{"titles, one text a line", "x.csv", "Report\nof 2020\n\nx,z,y\n" + lined(20, "%d,%d,%s"), "y", 20, 2, 0, "skip: 2"},
		{"titles, padded", "x.csv", "Report,,\nof 2020,,\nx,z,y\n" + lined(20, "%d,%d,%s"), "y", 20, 2, 0, "skip: 2"},
		{"titles of pairs", "x.csv", "Device,7\nSerial,8\nx,z,y\n" + lined(20, "%d,%d,%s"), "y", 20, 2, 0, "skip: 2"},
		{"dates with names of months", "x.csv",
			"when,then,x,y\n" + strings.Repeat("01-Mar-2021,\"March 2, 2021\",1.5,a\n2 May 21,\"Dec 1 2020\",2.5,b\n", 10), "y", 20, 1, 0,
			"nominal: [then]"},
		{"a name like the magic of a format", "x.csv", "PAR1,ORC,y\n" + lined(20, "%d,%d,%s"), "y", 20, 2, 0, ""},
		{"a title and comments", "x.csv", "Of 2020\n# in cm\nx,z,y\n" + lined(10, "%d,%d,%s") + "# a, b\n" + lined(10, "%d,%d,%s"), "y", 20, 2, 0, "comment"},
		{"labels that are not there", "x.csv", "x,y\n" + lined(20, "%d,%s") + "7,NA\n8,nan\n", "y", 20, 1, 0, "`classes`"},
		{"exponents and no names", "x.csv", "0.0e+00,1.0e+00,2.0e+00\n" + lined(10, "%d,%d,2.0e+00") + lined(10, "%d,%d,1.0e+00"), "last", 21, 2, 0, ""},
		{"tabs and gaps, as in dBASE", "x.tsv", "1\t\t\t3\t4\t5\t6\ta\n" + lined(30, "%i\t%d\t%d\t3\t4\t5\t6\t%s"), "last", 31, 7, 2, ""},
		{"codes with zeros as texts", "x.json", lined(60, `{"x": %d, "id": "0%n", "y": "%s"}`), "y", 60, 1, 0, "left out"},
		{"versions as texts", "x.json", strings.Repeat(`{"x": 1, "v": "1.1", "y": "a"}`+"\n"+`{"x": 2, "v": "1.10", "y": "b"}`+"\n", 20), "y", 40, 3, 0, "onehot"},
		{"truth values of R", "x.arff", "@attribute h numeric\n@attribute n numeric\n@attribute c {a,b}\n@data\n" + strings.Repeat("TRUE,1,a\nFALSE,2,b\n?,3,a\n", 4),
			"", 12, 3, 4, "drop: [h]"},
		{"names in a comment", "x.csv", "# made\n# x,y\n" + lined(20, "%d,%s"), "y", 20, 1, 0, "skip: 1"},
		{"JSON lines", "x.jsonl", lined(20, `{"x": %d, "c": "NA", "y": "%s"}`) + `{"y": "a", "x": null}`, "y", 21, 2, 2, "onehot"},
		{"JSON records", "x.json",
			"[" + strings.ReplaceAll(strings.TrimSpace(lined(20, `{"x": %d, "t": [1], "y": "%s"}`)), "\n", ",\n") + "]", "y", 20, 1, 0, "lists"},
		{"numbers as texts", "x.json", lined(60, `{"x": "%d", "w": "%n", "zip": "1011%i", "y": "%s"}`), "y", 60, 6, 0, "nominal: [x]"},
		{"a key twice in what is left out", "x.jsonl", lined(20, `{"x": %d, "t": {"u": 1, "u": 2}, "y": "%s"}`), "y", 20, 1, 0, "lists"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := Layout{Label: ColumnRef{Name: c.label}}
			p := guess(c.file, []byte(c.text), given)
			table, err := read(c.file, []byte(c.text), p.Options)
			if err != nil {
				t.Fatalf("%v\n%s", err, strings.Join(p.Why, "\n"))
			}
			fixture.Equal(t, "rows", table.Rows(), c.rows)
			fixture.Equal(t, "features", table.Encoded(), c.encoded)
			fixture.Equal(t, "missing values", table.Missing, c.missing)
			if !strings.Contains(strings.Join(p.Why, "\n"), c.told) {
				t.Errorf("%q is not told in:\n%s", c.told, strings.Join(p.Why, "\n"))
			}
		})
	}
	alien := fixture.Must(read("x.arff", []byte("@attribute g {red}\n@attribute c {a,b}\n@data\nred,a\nblue,b\nred,b\n?,a\n"), Layout{Impute: "mean"}))(t)
	fixture.Has(t, "what is said of values without a declaration", strings.Join(alien.Notes, "\n"), `"g"`, `"blue"`)
	weights := fixture.Must(read("x.arff", []byte("@attribute x real\n@attribute c {a,b}\n@data\n1,a,{2}\n2,b,{1}\n{0 3},{4}\n{0 3,1 b}, {5}\n"), Layout{}))(t)
	fixture.Equal(t, "what is said of weights", strings.Contains(strings.Join(weights.Remarks(), "\n"), "weights"), true)
}

// TestMeantNumbers: columns of what is meant as numbers and is none as it is written are no categories.
func TestMeantNumbers(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"a;b;y\n" + strings.Repeat("5,5;1.234,5;p\n6,5;2.345,6;q\n", 20), "with a point"},
		{"a;b;y\n" + strings.Repeat("1.234;0,5;p\n2.345;0,25;q\n", 20), "with a comma"},
		{"a,b,y\n" + strings.Repeat("\"1,234\",5.5,p\n\"21,345,678\",6.5,q\n", 20), "with a comma"},
		{"a,b,y\n" + strings.Repeat("inf,5.5,p\n2,6.5,q\n-Infinity,7,p\n4,6,q\n", 10), "not finite"},
		{"a;b;y\n" + strings.Repeat("1'234.5;5.5;p\n21'345.5;6.5;q\n", 20), "1234.5"},
		{"a;b;y\n" + strings.Repeat("1\u202f234,5;5,5;p\n21\u00a0345,5;6,5;q\n", 20), "1234.5"},
		{"a,b,y\n" + strings.Repeat("1.5D-03,5.5,p\n.25d+01,6.5,q\n2.d5,7,q\n1D+3,8,p\n", 20), "1.5e-3"},
		{"a,b,y\n" + strings.Repeat(lined(30, "%n.5,%d,%s")+strings.Repeat("#DIV/0!,7,a\n", 3), 2), "list it in `missing`"},
		{"a,b,y\n" + strings.Repeat(lined(30, "%n.5,%d,%s")+">9,7,a\n", 2), "drop: [a]"},
		{"a,b,y\n" + strings.Repeat("\u22121.5,5.5,p\n2.5,6.5,q\n", 20), "1234.5"},
		{"a,b,y\n" + strings.Repeat("\"1,234\",5.5,p\n", 20) + "7,7,q\n8,8,q\n", "nominal: [a]"},
		{"a,b,y\n" + strings.Repeat("5 %,$5.50,p\n", 1) + lined(30, "%n %,$%n,p") + lined(30, "%n.5 %,$%n.5,q"), "nominal: [COLUMN]"},
	} {
		o := Layout{Label: ColumnRef{Name: "y"}}
		p := guess("x.csv", []byte(c.text), o)
		if _, err := read("x.csv", []byte(c.text), p.Options); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text[:12], err, c.says)
		}
	}
	for text, encoded := range map[string]int{
		"dir,x,y\n" + strings.Repeat("inf,1,p\nsup,2,q\n", 20):                        3,
		"code,x,y\n" + strings.Repeat("1D1,1,p\n3d2,2,q\n", 20):                       3,
		"ip,x,y\n" + strings.Repeat("192.168.100.200,1,p\n192.168.100.201,2,q\n", 20): 3,
		"place\tx\ty\n" + strings.Repeat("12.5 7.5\t0.31\tp\n2.5 3.5\t0.7\tq\n", 20):  3,
	} {
		words := fixture.Must(read("x.tsv", []byte(text), guess("x.tsv", []byte(text), Layout{Label: ColumnRef{Name: "y"}}).Options))(t)
		fixture.Equal(t, "categories of "+text[:5], words.Encoded(), encoded)
	}
	ages := "age,x,y\n" + strings.Repeat("20-29,1.5,p\n30-39,2.5,q\n", 20)
	table := fixture.Must(read("x.csv", []byte(ages), guess("x.csv", []byte(ages), Layout{Label: ColumnRef{Name: "y"}}).Options))(t)
	fixture.Equal(t, "ages are categories", table.Encoded(), 3)
}

// TestOtherDecimals: a model of numbers with decimal commas reads files with points, and the other way round.
func TestOtherDecimals(t *testing.T) {
	for text, decimal := range map[string]string{
		"a;b\n1.5;2\n2.5;3\n": ",", "a;b\n1,5;2\n2,5;3\n": "", "a;b;version\n1,5;2;1.2\n2,5;3;1.3\n": ",", "of 2021\na;b\n1,5;2\n2,5;3\n3,5;3\n": "",
		"{\"a\": 1.5, \"b\": 2}\n{\"a\": 2.5, \"b\": 3}\n": ",", "@relation r\n@attribute a real\n@attribute b real\n@data\n1.5,2\n2.5,3\n": ",",
	} {
		x, err := ReadFeatures(t.Context(), "x.csv", []byte(text), Layout{Decimal: decimal}, []Wanted{{Name: "a"}, {Name: "b"}})
		fixture.Check(t, err)
		fixture.Same(t, text, x[:4], []float64{1.5, 2, 2.5, 3})
	}
}

// TestOneFeature: two small numbers under the name A are no object of R.
func TestOneFeature(t *testing.T) {
	x, err := ReadFeatures(t.Context(), "x.csv", []byte("A\n2\n5\n9\n"), Layout{}, []Wanted{{Name: "A"}})
	fixture.Check(t, err)
	fixture.Same(t, "the feature", x, []float64{2, 5, 9})
}

// TestEncodeGiven: where all texts are to become features, numbers in another form do so, too.
func TestEncodeGiven(t *testing.T) {
	const text = "a;x;y\n1'234;1.5;p\n21'345;2.5;q\n"
	b := []byte("a;x;y\n" + strings.Repeat(text[6:], 10))
	table := fixture.Must(read("x.csv", b, guess("x.csv", b, Layout{Label: ColumnRef{Name: "y"}, Encode: OneHot}).Options))(t)
	fixture.Equal(t, "features", table.Encoded(), 3)
}

// TestMarked: -999 below all other numbers is told, and `missing` makes gaps of it.
func TestMarked(t *testing.T) {
	for text, told := range map[string]int{
		strings.Repeat("1.5,-999,p\n2.5,3,q\n-99,4,q\n", 8):   2,
		strings.Repeat("-999,-998,p\n-500,-99,q\n0,5,p\n", 8): 0, // of a range
		strings.Repeat("-999,1,p\n-999,2,q\n", 8):             0, // no others
	} {
		table := fixture.Must(read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}}))(t)
		fixture.Equal(t, "columns with a mark in "+text[:9], strings.Count(strings.Join(table.Remarks(), "\n"), "below all its other"), told)
	}
	o := Layout{Label: ColumnRef{Name: Last}, Missing: &Texts{"-999"}, Impute: "mean"}
	table := fixture.Must(read("x.csv", []byte(strings.Repeat("1.5,-999,p\n2.5,3,q\n", 8)), o))(t)
	fixture.Equal(t, "missing values", table.Missing, 8)
}

// TestUndo: the keys that undo guesses do.
func TestUndo(t *testing.T) {
	for _, c := range []struct {
		text    string
		o       Layout
		rows    int
		encoded int
	}{
		{"0,1,2\n" + lined(20, "%d,%d,%i") + "1,1,2\n", Layout{Label: ColumnRef{Number: 3}, Header: truth(false)}, 22, 2},
		{"20,2,sun\n" + strings.Repeat("1.5,2,0\n4,5.5,1\n", 10) + "7,8,sun\n", Layout{Label: ColumnRef{Name: Last}, Header: truth(false)}, 22, 2},
		{"when,x,y\n" + lined(20, "2020-01-0%i,%d,%s"), Layout{Label: ColumnRef{Name: "y"}, Nominal: Columns{{Name: "when"}}}, 20, 6},
		{"id,x,y\n" + lined(20, "%n,%d,%s"), Layout{Label: ColumnRef{Name: "y"}, Numeric: Columns{{Name: "id"}}}, 20, 2},
		{"g,x,y\n" + lined(20, "%i,%d,%s"), Layout{Label: ColumnRef{Name: "y"}, Nominal: Columns{{Number: 1}}}, 20, 6},
	} {
		table := fixture.Must(read("x.csv", []byte(c.text), guess("x.csv", []byte(c.text), c.o).Options))(t)
		fixture.Equal(t, c.text[:9]+": rows", table.Rows(), c.rows)
		fixture.Equal(t, c.text[:9]+": features", table.Encoded(), c.encoded)
	}
	o := Layout{Numeric: Columns{{Name: "g"}}}
	table := fixture.Must(read("x.arff", []byte("@attribute g {1,2,3}\n@attribute class {a,b}\n@data\n1,a\n2,b\n3,a\n1,b\n"), o))(t)
	fixture.EqualSlice(t, "numbers of categories", table.X, []float64{1, 2, 3, 1})
}

// TestOneTable: the same table in several formats gives the same values and labels.
func TestOneTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(6, 20).Draw(t, "rows"), rapid.IntRange(2, 5).Draw(t, "features")
		var x []float64
		texts := map[string]*strings.Builder{}
		for _, file := range []string{"x.csv", "x.tsv", "x.pipes", "x.arff", "x.svm", "x.jsonl", "x.json"} {
			texts[file] = &strings.Builder{}
		}
		var names []string
		for j := range d {
			names = append(names, fmt.Sprintf("v%d", j))
			fmt.Fprintf(texts["x.arff"], "@attribute v%d real\n", j)
		}
		texts["x.arff"].WriteString("@attribute y {0,1,2}\n@data\n")
		for file, comma := range map[string]string{"x.csv": ",", "x.tsv": "\t", "x.pipes": "|"} {
			texts[file].WriteString(strings.Join(append(names, "y"), comma) + "\n")
		}
		texts["x.json"].WriteString("[")
		labels := make([]byte, n)
		for i := range n {
			labels[i] = byte(i % 3)
			var fields, pairs, members []string
			for j := range d {
				v := float64(rapid.IntRange(-999, 999).Draw(t, "value")) / 8
				x = append(x, v)
				fields = append(fields, fmt.Sprint(v))
				pairs, members = append(pairs, fmt.Sprintf("%d:%v", j+1, v)), append(members, fmt.Sprintf("%q: %v", names[j], v))
			}
			label := fmt.Sprint(i % 3)
			for file, comma := range map[string]string{"x.csv": ",", "x.tsv": "\t", "x.pipes": "|", "x.arff": ","} {
				texts[file].WriteString(strings.Join(append(fields, label), comma) + "\n")
			}
			fmt.Fprintf(texts["x.svm"], "%s %s\n", label, strings.Join(pairs, " "))
			record := fmt.Sprintf("{%s, \"y\": %s}", strings.Join(members, ", "), label)
			texts["x.jsonl"].WriteString(record + "\n")
			texts["x.json"].WriteString(record + []string{",\n", "]\n"}[max(0, i+2-n)])
		}
		files := map[string]string{"x.npz": npzOf(map[string]string{
			"arr_0": npyOf("<f8", fmt.Sprintf("%d, %d", n, d), floats(x...)), "arr_1": npyOf("|u1", fmt.Sprintf("%d,", n), labels)})}
		for file, text := range texts {
			files[file] = text.String()
		}
		files["x.parquet"] = parquetOf(names, x, labels)
		for file, text := range files {
			o := Layout{Label: ColumnRef{Name: "y"}}
			if file == "x.svm" || file == "x.npz" {
				o = Layout{}
			}
			table, err := read(file, []byte(text), o)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if fmt.Sprint(table.X, table.Labels, table.Histogram()) != fmt.Sprint(x, []string{"0", "1", "2"}, table.Histogram()) || table.Y[n-1] != (n-1)%3+1 {
				t.Fatalf("%s is read as %v %v", file, table.X, table.Labels)
			}
		}
	})
}

// parquetOf writes columns of numbers, and one of labels.
func parquetOf(names []string, x []float64, labels []byte) string {
	group := parquet.Group{"y": parquet.String()}
	for _, name := range names {
		group[name] = parquet.Leaf(parquet.DoubleType)
	}
	schema := parquet.NewSchema("table", group)
	var b bytes.Buffer
	w := parquet.NewWriter(&b, schema, parquet.Compression(&parquet.Snappy))
	for i, label := range labels {
		row := map[string]any{"y": fmt.Sprint(label)}
		for j, name := range names {
			row[name] = x[i*len(names)+j]
		}
		if err := w.Write(row); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func FuzzJSON(f *testing.F) { fuzzLabelled(f, "x.json", `[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]`) }

func FuzzParquet(f *testing.F) {
	fuzzLabelled(f, "x.parquet", parquetOf([]string{"v"}, []float64{1, 2, 3, 4}, []byte{0, 1, 0, 1}))
}

func FuzzPacked(f *testing.F) { fuzzLabelled(f, "x.csv.zip", zippedFile("x.csv", good)) }

func FuzzMAT(f *testing.F) { fuzz(f, "x.mat", "MATLAB 5.0 MAT-file") }

func fuzzLabelled(f *testing.F, file, seed string) {
	f.Add([]byte(seed))
	f.Fuzz(func(t *testing.T, b []byte) {
		readable(t, file, b, Layout{Label: ColumnRef{Name: Last}, Impute: "mean", Encode: OneHot})
		guess(file, b, Layout{})
	})
}

func zippedFile(name, content string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.Create(name) // in memory
	io.WriteString(w, content)
	z.Close()
	return b.String()
}

// TestBombs: a small file that unpacks to very much takes neither the memory nor the time of that.
func TestBombs(t *testing.T) {
	fixture.Long(t)
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	lines := "x,y\n" + strings.Repeat("1,a\n2,b\n", 33<<20)
	honest := parquetOf([]string{"v"}, make([]float64, 1000), bytes.Repeat([]byte{0, 1}, 500))
	files := map[string]string{
		"rows.csv.zip":    zippedFile("x.csv", lines),
		"value.json.zip":  zippedFile("x.json", `[{"x": "`+strings.Repeat("x", 200<<20)+`"}]`),
		"keys.json.zip":   zippedFile("x.json", strings.Repeat(`{"x": 1, "y": "a"}`, 10<<20)),
		"nested.json.zip": zippedFile("x.json", `[{"x": `+strings.Repeat("[", 100<<20)),
	}
	if pack, err := exec.LookPath("bzip2"); err == nil {
		c := exec.Command(pack, "-c")
		c.Stdin = strings.NewReader(lines[:800<<10])
		files["rows.csv.bz2"] = strings.Repeat(string(fixture.Must(c.Output())(t)), 330) // streams one after another are a file
	}
	files["footer.parquet"] = honest[:len(honest)-8] + "\xff\xff\xff\xffPAR1"
	for i := range len(honest) { // sizes and counts that lie
		if i%301 == 0 {
			b := []byte(honest)
			b[i] = 0xff
			files[fmt.Sprintf("%d.parquet", i)] = string(b)
		}
	}
	for file, content := range files {
		fixture.Equal(t, file+": less than 2 MiB", len(content) < 2<<20, true)
		begin := machine.CPUSeconds()
		heap := kept(func() {
			guess(file, []byte(content), Layout{})
			read(file, []byte(content), Layout{Label: ColumnRef{Name: Last}})
		})
		took := machine.CPUSeconds() - begin // whatever else the machine does
		t.Logf("%s: %d MiB of heap, %.1f CPU s", file, heap>>20, took)
		if took > 10 || heap > 400<<20 {
			t.Errorf("%s: %d MiB of heap, %.1f CPU s", file, heap>>20, took)
		}
	}
}

// TestNames: files that are no tables are named, each with what makes a table of it.
func TestNames(t *testing.T) {
	for _, kind := range notTables {
		_, err := read("x.csv", []byte(kind.begin+"\x00\x01 and so on"), Layout{Label: ColumnRef{Name: Last}})
		fixture.Says(t, err, "x.csv: the file is "+kind.what)
	}
	sparse := npzOf(map[string]string{"data": npyOf("<f8", "2,", floats(1, 2)), "indices": npyOf("|i1", "2,", []byte{0, 1}),
		"indptr": npyOf("|i1", "2,", []byte{0, 2})})
	_, err := read("x.npz", []byte(sparse), Layout{})
	fixture.Says(t, err, "sparse matrix", "numpy.savez")
}

// TestPackings: gzip, bzip2 and zip files with one table are read, and others named.
func TestPackings(t *testing.T) {
	if _, err := exec.LookPath("bzip2"); err != nil {
		t.Skip("there is no bzip2, which packs what is unpacked here")
	}
	pack := exec.Command("bzip2", "-c")
	pack.Stdin = strings.NewReader(good)
	packed := fixture.Must(pack.Output())(t)
	fixture.Equal(t, "bzip2", string(fixture.Must(io.ReadAll(bzip2.NewReader(bytes.NewReader(packed))))(t)), good)
	table := fixture.Must(read("x.csv.bz2", packed, Layout{Label: ColumnRef{Name: Last}}))(t)
	fixture.Equal(t, "rows", table.Rows(), 4)
}

// TestArraysBeside: an array in a file of its own comes with those beside it that belong to it.
func TestArraysBeside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [b]")
	fixture.Check(t, os.Mkdir(dir, 0o777))
	write := func(name string, rows int) {
		x, y := make([]float64, 2*rows), make([]byte, rows)
		for i := range y {
			x[2*i], x[2*i+1], y[i] = float64(i), float64(i*i%7), byte(i%2)
		}
		fixture.Write(t, filepath.Join(dir, "X"+name+".npy"), npyOf("<f8", fmt.Sprintf("%d, 2", rows), floats(x...)))
		fixture.Write(t, filepath.Join(dir, "y"+name+".npy"), npyOf("|u1", fmt.Sprintf("%d,", rows), y))
	}
	write("", 10)
	write("_train", 8)
	write("_test", 4)
	for _, c := range []struct {
		file  string
		alone bool
		rows  int
		folds bool
	}{
		{"X.npy", false, 10, false}, {"y.npy", false, 10, false}, {"X_train.npy", false, 12, true}, {"y_test.npy", false, 12, true},
		{"X_train.npy", true, 8, false}, {"X.npy", true, 10, false},
	} {
		b := fixture.Must(Load(filepath.Join(dir, c.file), c.alone))(t)
		table := fixture.Must(read(c.file, b, Layout{}))(t)
		fixture.Equal(t, c.file+": rows", table.Rows(), c.rows)
		fixture.Equal(t, c.file+": parts", table.Folds != nil, c.folds)
	}
	fixture.Check(t, os.Remove(filepath.Join(dir, "y.npy")))
	b := fixture.Must(Load(filepath.Join(dir, "X.npy"), true))(t)
	_, err := read("X.npy", b, Layout{})
	fixture.Says(t, err, "no array y", `"X"`)
	values := fixture.Must(ReadFeatures(t.Context(), "X.npy", b, Layout{}, []Wanted{{Name: "x1"}, {Name: "x2"}}))(t)
	fixture.EqualSlice(t, "features without labels", values[:6], []float64{0, 0, 1, 1, 2, 4})

	x, y := npyOf("<f8", "4, 1", floats(1, 2, 3, 4)), npyOf("|u1", "4,", []byte{0, 1, 0, 1})
	table := fixture.Must(read("x.npz", []byte(npzOf(map[string]string{"X_train": x, "y_train": y, "X_test": x, "ids": y})), Layout{}))(t)
	fixture.EqualSlice(t, "what is not used", table.Notes, []string{`2 arrays of the file are not used: "X_test", "ids"`})
}

// TestCells: the same rows of a text, a gap and a number come from each format, and a decimal comma is found.
func TestCells(t *testing.T) {
	type value struct {
		text    string
		number  float64
		missing bool
	}
	for file, text := range map[string]string{
		"x.csv":     "who;n;v\na b;?;1,5\n\"c;d\";2;-3\n",
		"x.csv.zip": zippedFile("x.csv", "# of 2024\nwho,n,v\na b,NA,1.5\n\"c;d\",2,-3\n"),
		"sep.csv":   "sep=;\nwho;n;v\na b;?;1.5\n\"c;d\";2;-3\n",
		"x.arff":    "@attribute who string\n@attribute n real\n@attribute v real\n@data\n'a b',?,1.5\n'c;d',2,-3\n",
		"x.jsonl":   `{"who": "a b", "v": 1.5, "n": null}` + "\n" + `{"who": "c;d", "n": 2, "v": -3}`,
	} {
		cells, err := OpenCells(t.Context(), file, []byte(text), MaxBytes, Layout{Header: map[string]*bool{"sep.csv": new(true)}[file]})
		fixture.Check(t, err)
		fixture.Equal(t, file+": guesses", len(cells.Why), map[string]int{"x.csv": 1, "x.csv.zip": 1}[file])
		got := map[string][]value{}
		fixture.Check(t, cells.Each(func(_ int, row []Value) error {
			for j, c := range row {
				v := value{missing: c.Missing}
				if v.number = c.Number; c.Number != c.Number {
					v.number, v.text = 0, map[bool]string{false: c.Text}[c.Missing] // formats write gaps in their own way
				}
				got[cells.Names[j]] = append(got[cells.Names[j]], v)
			}
			return nil
		}))
		want := map[string][]value{
			"who": {{text: "a b"}, {text: "c;d"}}, "n": {{missing: true}, {number: 2}}, "v": {{number: 1.5}, {number: -3}},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %v", file, got)
		}
	}
	cells := fixture.Must(OpenCells(t.Context(), "x.csv", []byte("a,b\n1,2\n3\n"), MaxBytes, Layout{}))(t)
	fixture.Says(t, cells.Each(func(int, []Value) error { return nil }), "x.csv:3:", "1 field, want 2")
	fixture.Says(t, fixture.Error(OpenCells(t.Context(), "x.csv", []byte("a,b\n1,2\n"), 5, Layout{})), "more than")
}

// TestNamesOfNumPy: the sign of comments before the names is none of the first.
func TestNamesOfNumPy(t *testing.T) {
	for _, text := range []string{"# a,b,y\n1,2,u\n3,4,v\n5,6,u\n7,8,v\n", "% a\tb\ty\n1\t2\tu\n3\t4\tv\n5\t6\tu\n7\t8\tv\n"} {
		table := fixture.Must(read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: "y"}}))(t)
		fixture.EqualSlice(t, "names", table.Names, []string{"a", "b"})
	}
}

// TestReadGuessed: what is seen once gives the table that the proposed options give.
func TestReadGuessed(t *testing.T) {
	for name, text := range map[string]string{
		"x.csv":   "# made\nid;a;b;y\n1;1,5;red;u\n2;;blue;v\n3;2,5;red;u\n4;3,5;blue;v\n",
		"x.jsonl": `{"a": 1, "b": "p", "y": "u"}{"a": 2, "b": "q", "y": "v"}{"a": null, "b": "p", "y": "u"}{"b": "q", "y": "v"}`,
		"x.arff":  "@relation r\n@attribute a {1,2}\n@attribute b real\n@attribute y {u,v}\n@data\n1,2,u\n2,?,v\n1,3,u\n2,2,v\n",
	} {
		p, table, err := ReadGuessed(t.Context(), name, []byte(text), Layout{})
		fixture.Check(t, err)
		same := fixture.Must(Read(t.Context(), name, []byte(text), p.Options))(t)
		fixture.Equal(t, name+": header", table.Layout.Header == nil || *table.Layout.Header, same.Layout.Header == nil || *same.Layout.Header)
		table.Layout.Header, same.Layout.Header = nil, nil // pointers
		fixture.Equal(t, name, fmt.Sprintf("%+v", *table), fmt.Sprintf("%+v", *same))
	}
}

// TestKeysAndValues: keys and values are those that were written, in order, with blanks anywhere.
func TestKeysAndValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.StringOf(rapid.SampledFrom([]rune(`ab "\{}[],:é`)))
		keys := rapid.SliceOfNDistinct(texts, 0, 5, rapid.ID).Draw(t, "keys")
		blank := func() string { return rapid.StringOf(rapid.SampledFrom([]rune(" \t\r\n"))).Draw(t, "blanks") }
		var object strings.Builder
		var want []string
		for i, key := range keys {
			var value any = rapid.Float64().Draw(t, "number")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				value = texts.Draw(t, "text")
			case 1:
				value = map[string]any{texts.Draw(t, "inner key"): []any{texts.Draw(t, "inner"), 1, nil}}
			case 2:
				value = rapid.SampledFrom([]any{nil, true, false}).Draw(t, "word")
			}
			name, written := fixture.Must(json.Marshal(key))(t), fixture.Must(json.Marshal(value))(t)
			want = append(want, string(written))
			fmt.Fprintf(&object, "%s%s%s:%s%s%s%s", map[bool]string{true: ","}[i > 0], blank(), name, blank(), blank(), written, blank())
		}
		var gotKeys, got []string
		b := newBuilder(context.Background(), "x.json", []byte("{"+object.String()+blank()+"}"), Layout{})
		b.objects(&b.reporter, func(_ int, key string, value jsontext.Value) bool {
			gotKeys, got = append(gotKeys, key), append(got, string(value))
			return true
		}, func(int) bool { return true })
		fixture.Check(t, b.err())
		fixture.EqualSlice(t, "keys", gotKeys, keys)
		fixture.EqualSlice(t, "values", got, want)
	})
}

// TestOneArray: a file of records has one array and nothing behind it.
func TestOneArray(t *testing.T) {
	const array = `[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}, {"x": 3, "y": "a"}, {"x": 4, "y": "b"}]`
	o := Layout{Label: ColumnRef{Name: "y"}}
	fixture.Equal(t, "rows", fixture.Must(read("x.json", []byte(array+"\n\n"), o))(t).Rows(), 4)
	for _, more := range []string{` {"x": 5, "y": "a"}`, array, " 1", "]"} {
		_, err := read("x.json", []byte(array+"\n"+more), o)
		fixture.Says(t, err, "x.json:2:", "want an object for each row")
	}
}

// A key that first stands behind the records that are searched for keys is a fault, not a value of another column.
func TestLateKeys(t *testing.T) {
	defer func(n int) { rowLimit = n }(rowLimit)
	rowLimit = 2
	cells := fixture.Must(OpenCells(t.Context(), "x.json", []byte(strings.Repeat(`{"a": 1}`+"\n", 4)+`{"b": 2}`), MaxBytes, Layout{}))(t)
	fixture.Says(t, cells.Each(func(int, []Value) error { return nil }), `x.json:5: the key "b" is in none of the first 2 records`)
}

// TestRowsAreNoTitles: first rows without values, rows of another width and rows with marks of missing values are no titles and no units.
func TestRowsAreNoTitles(t *testing.T) {
	rows := func(text string, o Layout) (int, error) {
		_, table, err := ReadGuessed(t.Context(), "x.csv", []byte(text), o)
		if err != nil {
			return 0, err
		}
		return table.Rows(), nil
	}
	values := strings.Repeat("p,1.5,2\nq,2.5,7\n", 20)
	none, marks := truth(false), strings.Repeat("<LOD,<LOD,p\n", 1)+strings.Repeat("1.5,2,p\n2.5,7,q\n", 20)
	first := Layout{Label: ColumnRef{Name: "first"}, Impute: "mean"}
	unnamed := first
	unnamed.Header = none
	for name, c := range map[string]struct {
		text string
		o    Layout
		rows int
	}{
		"without values":          {strings.Repeat("p,,\n", 6) + values, first, 46},
		"without values, no name": {"p,,\n" + values, unnamed, 41},
		"marks of missing values": {"a,b,y\n" + marks, Layout{Label: ColumnRef{Name: "y"}, Missing: &Texts{"<LOD"}, Impute: "mean"}, 41},
	} {
		n, err := rows(c.text, c.o)
		fixture.Check(t, err)
		fixture.Equal(t, name, n, c.rows)
	}
	_, err := rows("a,b,y\n"+strings.Repeat("u,v,p\n", 8)+strings.Repeat("u,v,w,p\n", 60), Layout{Label: ColumnRef{Name: Last}})
	fixture.Says(t, err, "field")
}
