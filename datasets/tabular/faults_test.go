package tabular

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/strictyaml"
)

// good is a table that has no fault. The tests of faults change a part of it.
const good = `length,width,class
5.1,3.5,a
4.9,3.0,b
7.0,3.2,a
6.4,3.2,b
`

func with(old, new string) string { return strings.Replace(good, old, new, 1) }

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func utf16Text(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// thrice is a table of 12 labels in three rows each, 7 of them with decimals.
func thrice() string {
	text := "x,y\n"
	for i := range 36 {
		text += fmt.Sprintf("%d,%d%s\n", i, i%12, []string{".5", ""}[i%12/7])
	}
	return text
}

// measured is a table of 60 rows whose last column is a measurement.
func measured() string {
	draw, text := rand.New(rand.NewPCG(1, 1)), "x,y\n"
	for range 60 {
		text += fmt.Sprintf("%.3f,%.3f\n", draw.Float64(), draw.Float64())
	}
	return text
}

func truth(b bool) *bool { return &b }

// faulty are files that are no use as they are. Each has a message of its own, at the
// place given; 0 stands for the line or the file as a whole.
var faulty = []struct {
	name, file, text string
	options          Layout // label last unless it is a format without
	line, column     int
	says             []string // of the first fault
}{
	{"a row is short", "", with("4.9,3.0,b", "4.9,b"), Layout{}, 3, 5, []string{"2 fields, want 3"}},
	{"a row is long", "", with("4.9,3.0,b", "4.9,3.0,1,b"), Layout{}, 3, 11, []string{"4 fields, want 3"}},
	{"the number of rows before the rows", "", "150,3,a,b\n" + good[19:], Layout{}, 1, 1, []string{"4 fields", "3", "skip: 1"}},
	{"text among numbers", "", with("7.0", "seven"), Layout{}, 4, 1, []string{`column "length"`, `"seven"`, "no number"}},
	{"a unit behind a number", "", with("3.2,a", "3.2 cm,a"), Layout{}, 4, 5, []string{`column "width"`, `"3.2 cm"`}},
	{"a column of text", "", "name,x,class\nann,1,a\nben,2,b\ncat,3,a\ndan,4,b\n", Layout{}, 2, 1, []string{`column "name"`, "4 of its 4", "drop: [name]"}},
	{"a column of text without header", "", "1,ann,a\n2,ben,b\n3,cat,a\n4,dan,b\n", Layout{}, 1, 3, []string{"column 2", "drop: [2]"}},
	{"NaN", "", with("3.0", "NaN"), Layout{}, 3, 5, []string{`column "width" is missing ("NaN")`, "impute: mean", "drop-rows: true"}},
	{"NaN where another text means missing", "", with("3.0", "NaN"), Layout{Missing: &Texts{"?"}}, 3, 5, []string{`"NaN"`, "not finite"}},
	{"infinity", "", with("3.0", "-inf"), Layout{}, 3, 5, []string{`"-inf"`, "not finite"}},
	{"a number beyond float64", "", with("3.0", "1e999"), Layout{}, 3, 5, []string{`"1e999"`, "too large"}},
	{"a number whose square is infinite", "", with("3.0", "1e200"), Layout{}, 3, 5, []string{`"1e200"`, "too large"}},
	{"a column without values", "", strings.NewReplacer("3.5", "", "3.0", "", "3.2", "").Replace(good),
		Layout{Impute: "mean"}, 2, 5, []string{`"width"`, "no value in any row"}},
	{"decimal commas", "", "x;class\n1,5;a\n2,5;b\n3,5;a\n4,5;b\n", Layout{}, 2, 1, []string{`"1,5"`, "comma"}},
	{"thousands divided by commas", "", with("7.0", `"7,000"`), Layout{}, 4, 1, []string{`"7,000"`, "comma"}},
	{"a quote in a field", "", with("7.0", `7"0`), Layout{}, 4, 2, []string{"quote", "does not begin with one"}},
	{"text behind a quote", "", with("7.0", `"7"0`), Layout{}, 4, 4, []string{"quote"}},
	{"a quote that is not closed", "", with("7.0,3.2,a", `7.0,3.2,"a`), Layout{}, 4, 9, []string{"quote", "not closed"}},
	{"a quote that is not closed within blanks", "x.txt", "1 2 a\n3 4 \"b\n", Layout{}, 2, 5, []string{"opened here"}},
	{"UTF-16", "", utf16Text(good), Layout{}, 0, 0, []string{"UTF-16", "iconv"}},
	{"UTF-16 of the other order without its mark", "", "\x00" + strings.TrimSuffix(utf16Text(good)[2:], "\x00"), Layout{}, 1, 1, []string{"iconv -f UTF-16BE"}},
	{"UTF-32", "", "\xff\xfe\x00\x00x\x00\x00\x00", Layout{}, 0, 0, []string{"UTF-32"}},
	{"UTF-16 without its mark", "", utf16Text(good)[2:], Layout{}, 1, 2, []string{"UTF-16 without its mark"}},
	{"Latin-1", "", with("3.0,b", "3.0,gr\xfcn"), Layout{}, 3, 11, []string{"0xfc", "UTF-8", "iconv -f LATIN1"}},
	{"a byte 0", "", with("3.0,b", "3.0,b\x00"), Layout{}, 3, 10, []string{"byte 0"}},
	{"a workbook", "", "PK\x03\x04 and so on", Layout{}, 0, 0, []string{"workbook"}},
	{"Parquet", "", "PAR1 and so on", Layout{}, 0, 0, []string{"Parquet"}},
	{"JSON of columns", "", `{"x": {"0": 1, "1": 2}, "class": {"0": "a", "1": "b"}}`, Layout{}, 0, 0, []string{"columns", "orient='records'"}},
	{"JSON with a record that is none", "", "{\"x\": 1, \"class\": \"a\"}\n{\"x\": 2,\n 3}\n", Layout{}, 3, 0, []string{"an object for each row"}},
	{"a web page", "", "<!DOCTYPE html>\n<p>404", Layout{}, 0, 0, []string{"web page"}},
	{"gzip that is cut off", "x.csv.gz", zipped(strings.Repeat(good, 50))[:60], Layout{}, 0, 0, []string{"gzip", "cut off"}},
	{"nothing", "", "", Layout{}, 0, 0, []string{"the file is empty"}},
	{"a header alone", "", "length,width,class\n", Layout{Header: truth(true)}, 0, 0, []string{"no rows"}},
	{"two labels missing", "", with("3.2,a\n6.4,3.2,b", "3.2,\n6.4,3.2,?"), Layout{}, 4, 9, []string{"no label"}},
	{"one class", "", strings.ReplaceAll(good, ",b\n", ",a\n"), Layout{}, 0, 0, []string{"all 4 rows", `"a"`, "at least two classes"}},
	{"one row", "", "1,2,a\n", Layout{}, 1, 1, []string{"this row alone"}},
	{"a class of one", "", good + "1,2,c\n", Layout{}, 6, 5, []string{`the class "c" has this row alone`}},
	{"a label that is a measurement", "", measured(), Layout{}, 0, 0, []string{"60 different values in 60 rows", "a measurement and no class"}},
	{"a label that is a measurement, each value thrice", "", thrice(), Layout{}, 0, 0, []string{"12 different values in 36 rows", "a measurement and no class"}},
	{"a label outside classes", "", good, Layout{Classes: []string{"a", "c"}}, 3, 9, []string{`the label "b"`, "classes"}},
	{"a class without rows", "", good, Layout{Classes: []string{"a", "b", "c"}}, 0, 0, []string{`no row has the label "c"`}},
	{"a million columns", "", strings.Repeat("1,", 999_999) + "a\n", Layout{}, 1, 32769, []string{"more than 16384 columns"}},
	{"line ends of two kinds", "", with("\n", "\r"), Layout{}, 1, 19, []string{"carriage return"}},
	{"a header alone that looks like a row", "", "size,class\n", Layout{}, 1, 1, []string{"header: true"}},
	{"two columns of one name", "", with("width", "length"), Layout{}, 1, 8, []string{"columns 1 and 2", `"length"`}},
	{"no such column", "", good, Layout{Label: ColumnRef{Name: "species"}}, 1, 1, []string{`no column "species"`, `"class"`}},
	{"a misspelt column", "", good, Layout{Label: ColumnRef{Name: "clas"}}, 1, 1,
		[]string{`no column "clas"; did you mean "class"? (the columns are "length", "width", "class"`}},
	{"a misspelt column to drop", "", good, Layout{Drop: []ColumnRef{{Name: "Width "}}}, 1, 1, []string{`no column "Width "; did you mean "width"?`}},
	{"a misspelt column of folds", "", good, Layout{Fold: ColumnRef{Name: "lenght"}}, 1, 1, []string{`no column "lenght"; did you mean "length"?`}},
	{"no such number", "", good, Layout{Label: ColumnRef{Number: 4}}, 1, 1, []string{"no column 4", "has 3"}},
	{"a name without a header", "", good[19:], Layout{Label: ColumnRef{Name: "class"}}, 1, 1, []string{"no header"}},
	{"no feature is left", "", good, Layout{Drop: []ColumnRef{{Number: 1}, {Number: 2}}}, 1, 1, []string{"no column is left"}},
	{"label and drop are one", "", good, Layout{Drop: []ColumnRef{{Name: "class"}}}, 1, 14, []string{"two uses"}},
	{"a header that is said to be none", "", good, Layout{Header: truth(false)}, 1, 1, []string{"column 1", `"length"`, "header: true"}},
	{"drop-rows leaves none", "", "x,y,class\n1,,a\n,2,b\n3,,a\n,4,b\n", Layout{DropRows: true}, 0, 0, []string{"all 4 rows have a missing value"}},
	{"another file than stated", "", good, Layout{SHA256: strings.Repeat("0", 64)}, 0, 0, []string{"another one", "sha256"}},

	{"a key twice", "x.jsonl", "{\"x\": 1, \"y\": \"a\"}\n{\"x\": 2, \"y\": \"b\", \"\\u0078\": 3}\n", Layout{Label: ColumnRef{Name: "y"}},
		2, 0, []string{"the key x is there twice"}},
	{"records without keys", "x.json", "[{}, {}]", Layout{Label: ColumnRef{Name: "y"}}, 0, 0, []string{"the records have no keys"}},
	{"text behind an array", "x.json", `[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}] end`, Layout{Label: ColumnRef{Name: "y"}},
		1, 0, []string{"more text behind the array"}},
	{"gzip in gzip", "x.csv.gz", zipped(zipped(good)), Layout{}, 0, 0, []string{"packed twice, with gzip in gzip"}},
	{"one column by a wrong delimiter", "", good, Layout{Delimiter: "semicolon"}, 1, 0, []string{"`delimiter: comma` would give 3 columns"}},
	{"decimal commas between blanks", "", "29,1 3,4 a\n28,1 3,9 b\n", Layout{}, 1, 4, []string{`"1 3"`, "decimal", "blanks"}},
	{"a delimiter at the ends of lines", "", "class,x,y,\na,1,2,\nb,3,4,\n",
		Layout{}, 2, 7, []string{"no row has a label", "end with a delimiter", "label: class"}},
	{"an integer beyond 2^53", "", with("7.0", "9007199254740993"), Layout{}, 4, 1, []string{"2^53"}},
	{"a point under decimal commas", "x.csv", "x;class\n1.5;a\n2,5;b\n3,5;a\n4,5;b\n", Layout{Decimal: ","}, 2, 1, []string{`"1.5"`, "point"}},

	{"sparse ARFF, a value without its index", "x.arff", "@attribute a numeric\n@attribute class {x,y}\n@data\n{0 1,y}\n", Layout{}, 4, 6,
		[]string{"index from 0 to 1", `"y"`}},
	{"ARFF without rows", "x.arff", "@relation x\n@attribute a numeric\n", Layout{}, 0, 0, []string{"no line @data"}},
	{"ARFF of an unknown type", "x.arff", "@attribute a complex\n@data\n1\n", Layout{}, 1, 1, []string{`the type "complex"`}},
	{"ARFF with a text", "x.arff", "@attribute a string\n@attribute b numeric\n@attribute class {x,y}\n@data\nt,1,x\n",
		Layout{}, 1, 1, []string{`column "a" holds texts`, "drop: [a]"}},
	{"ARFF without a class", "x.arff", "@attribute a numeric\n@data\n1\n", Layout{}, 2, 1, []string{"nominal", "label: last"}},
	{"ARFF, a value of no class", "x.arff", "@attribute a numeric\n@attribute class {x,y}\n@data\n1,x\n2,z\n",
		Layout{}, 5, 3, []string{`"z" is none of the values`}},
	{"ARFF, a short row", "x.arff", "@attribute a numeric\n@attribute class {x,y}\n@data\n1,x\n2\n", Layout{}, 5, 1, []string{"1 value, want 2"}},
	{"ARFF, too many values", "x.arff", "@attribute a numeric\n@attribute class {x,y}\n@data\n" + strings.Repeat("1,", 20_000) + "x\n", Layout{}, 4, 1,
		[]string{"more than 16384 values"}},
	{"ARFF, too many attributes", "x.arff", strings.Repeat("@attribute a numeric\n", 20_000), Layout{}, 16385, 1, []string{"more than 16384 attributes"}},
	{"ARFF, an index beyond", "x.arff", "@attribute a numeric\n@attribute class {x,y}\n@data\n{0 1}\n{7 1}\n", Layout{}, 5, 2, []string{"index from 0 to 1"}},

	{"LIBSVM without a label", "x.libsvm", "1:2 3:4\n", Layout{}, 1, 1, []string{"no label"}},
	{"LIBSVM, several labels", "x.svm", "1,2 1:2\n", Layout{}, 1, 1, []string{"several labels"}},
	{"LIBSVM, falling indices", "x.svm", "1 2:2 1:4\n", Layout{}, 1, 7, []string{"index 1 comes after 2"}},
	{"LIBSVM, too many pairs", "x.svm", "1 " + strings.Repeat("1:1 ", 20_000) + "\n", Layout{}, 1, 7, []string{"index 1 comes after 1"}},
	{"LIBSVM, no pair", "x.svm", "1 2\n", Layout{}, 1, 3, []string{"index:value"}},
	{"LIBSVM, a text", "x.svm", "1 1:a\n", Layout{}, 1, 3, []string{"feature 1", "no number"}},
	{"LIBSVM for ranking", "x.svm", "1 qid:3 1:2\n", Layout{}, 1, 3, []string{"ranking"}},
	{"LIBSVM, an index beyond int", "x.svm", "1 0:1 9223372036854775807:1\n2 1:1\n", Layout{}, 1, 7, []string{"index 9223372036854775807"}},
	{"LIBSVM, a million columns", "x.svm", "1 1000000:2\n2 1:1\n", Layout{}, 1, 3, []string{"1000000", "at most 16384"}},

	{"a line of units", "", "a,b,class\n(cm),(mm),\n" + strings.Repeat("1,2.5,p\n2,3,q\n", 3), Layout{Header: truth(true)}, 2, 1, []string{"units", "line 2"}},
	{"two lines of types", "", "a,t,class\nc,d,d\n,,class\n" + strings.Repeat("1,x,p\n2,z,q\n", 3), Layout{Header: truth(true)}, 2, 1,
		[]string{"line 2 and line 3"}},
	{"titles in a spec", "", "Report,,\n\nof,7\na,b,class\n1,2,p\n2,3,q\n", Layout{}, 1, 1, []string{"one text", "skip: 3"}},
	{"XML below a blank line", "", "\n<?xml version=\"1.0\"?>\n", Layout{}, 0, 0, []string{"XML"}},
	{"a pointer of Git LFS", "", "version https://git-lfs.github.com/spec/v1\noid sha256:1\n", Layout{}, 0, 0, []string{"git lfs pull"}},
	{"JSON, rows within an object", "x.json", `{"name": "x", "rows": [{"a": 1, "y": "p"}]}`, Layout{Label: ColumnRef{Name: "y"}}, 0, 0, []string{`"rows"`, "jq"}},
	{"JSON, NaN", "x.jsonl", `{"a": NaN, "y": "p"}`, Layout{Label: ColumnRef{Name: "y"}}, 1, 0, []string{"null"}},

	{"NPY with names", "x.npz", npzOf(map[string]string{"table": strings.Replace(npyOf("@", "2,", nil), "'@'", "[('a', '<f8')]", 1)}), Layout{}, 0, 0,
		[]string{`"table"`, "named fields"}},
	{"no NPZ", "x.npz", "hello", Layout{}, 0, 0, []string{"NPZ"}},
	{"NPZ without y", "x.npz", npzOf(map[string]string{"X": npyOf("<f8", "2, 1", make([]byte, 16))}), Layout{}, 0, 0, []string{"no array y", `"X"`}},
	{"NPZ of objects", "x.npz", npzOf(map[string]string{"X": npyOf("|O", "2, 1", make([]byte, 16)), "y": ""}), Layout{}, 0, 0, []string{"Python objects"}},
	{"NPZ, rows that differ", "x.npz", npzOf(map[string]string{"X": npyOf("<f8", "2, 1", make([]byte, 16)), "y": npyOf("|i1", "3,", make([]byte, 3))}),
		Layout{}, 0, 0, []string{"X has 2 rows, y has 3 labels"}},
	{"NPZ of dates", "x.npz", npzOf(map[string]string{"X": npyOf("<M8[ns]", "2, 1", make([]byte, 16)), "y": ""}), Layout{}, 0, 0, []string{"dates"}},
	{"NPZ with names", "x.npz", npzOf(map[string]string{"X": strings.Replace(npyOf("@", "2,", nil), "'@'", "[('a', '<f8')]", 1), "y": ""}),
		Layout{}, 0, 0, nil},
	{"NPZ, an integer beyond 2^53", "x.npz", npzOf(map[string]string{"X": npyOf("<i8", "2, 1", []byte{1, 0, 0, 0, 0, 0, 32, 0, 1, 0, 0, 0, 0, 0, 0, 0}),
		"y": npyOf("|i1", "2,", []byte{1, 2})}), Layout{}, 0, 0, []string{"X[0, 0]", "2^53"}},
	{"NPZ, very many rows", "x.npz", npzOf(map[string]string{"X": npyOf("|u1", "33000000, 1", nil), "y": ""}), Layout{}, 0, 0, []string{"33000000 rows"}},
	{"NPZ, a shape beyond its data", "x.npz", npzOf(map[string]string{"X": npyOf("<f8", "2000, 100", make([]byte, 16)), "y": ""}),
		Layout{}, 0, 0, []string{`array "X"`, "need"}},
	{"NPZ, zeros packed to a thousandth", "x.npz", npzOf(map[string]string{"X": npyOf("|u1", "2000000, 1", make([]byte, 2_000_000)), "y": ""}),
		Layout{}, 0, 0, []string{`array "X"`, "8 MiB of memory"}},
	{"NPZ, zeros in gzip", "x.npz.gz", zipped(strings.Repeat("\x00", 9<<20)), Layout{}, 0, 0, []string{"unpacks to more than 8 MiB"}},
}

// TestFaults: every faulty file is refused with a message of its own that says where
// and what, and gives no table.
func TestFaults(t *testing.T) {
	fixture.Equal(t, "limits", [4]int{MaxBytes, MaxRows, MaxColumns, MaxValues}, [4]int{256 << 20, 2_000_000, 16_384, 32 << 20})
	said := map[string]string{}
	for _, c := range faulty {
		t.Run(c.name, func(t *testing.T) {
			file := c.file
			if file == "" {
				file = "x.csv"
			}
			o := c.options
			if o.FormatOf(file) == CSV && o.Label.IsZero() {
				o.Label = ColumnRef{Name: Last}
			}
			table, err := read(file, []byte(c.text), o)
			var faults strictyaml.Errors
			if !errors.As(err, &faults) || table != nil {
				t.Fatalf("table %v, error %v; want faults and no table", table, err)
			}
			first := faults[0]
			fixture.Equal(t, "place", fmt.Sprint(first.File, first.Line, first.Column), fmt.Sprint(file, c.line, c.column))
			fixture.Says(t, first, c.says...)
			fixture.Lacks(t, "the message, a single line", first.Error(), "\n")
			fixture.Equal(t, "also said of", said[first.Msg], "")
			said[first.Msg] = c.name
		})
	}
}

// TestAllFaults: all faults of a file are told in its order, and of very many the first.
func TestAllFaults(t *testing.T) {
	text := "x,y,class\n1,?,a\n2,b\n?,3,\n4,z,b\n"
	_, err := read("x.csv", []byte(text), Layout{Label: ColumnRef{Name: Last}})
	var faults strictyaml.Errors
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	if len(faults) != 1 || faults[0].Line != 3 {
		t.Errorf("%v, want the row that is short: the columns of others cannot be told before", faults)
	}
	_, err = read("x.csv", []byte(strings.Replace(text, "2,b", "2,2,b", 1)), Layout{Label: ColumnRef{Name: Last}})
	errors.As(err, &faults)
	var places [][2]int
	for _, f := range faults {
		places = append(places, [2]int{f.Line, f.Column})
	}
	fixture.EqualSlice(t, "faults at", places, [][2]int{{2, 3}, {4, 1}, {4, 5}, {5, 3}})
	_, err = read("x.csv", []byte("x,class\n1,a\n"+strings.Repeat("?,b\n1,a\n", 100)), Layout{Label: ColumnRef{Name: Last}})
	errors.As(err, &faults)
	if len(faults) != maxFaults+1 || !strings.Contains(err.Error(), "and 80 more") {
		t.Errorf("%d faults, ending in %q", len(faults), faults[len(faults)-1])
	}
}

// hostile are small files that unpack to very much. Rows cost more than their bytes,
// so that a limit of bytes is not enough.
var hostile = []struct{ name, file, begin, again, end, says string }{
	{"rows of LIBSVM", "x.svm", "", "1 1:1\n2 1:2\n", "", "more than 20000 rows"},
	{"empty rows of sparse ARFF", "x.arff", "@attribute x real\n@attribute c {a,b}\n@data\n", "{}\n{1 b}\n", "", "more than 20000 rows"},
	{"a quoted field of line feeds", "x.csv", "a,c\n1,\"", "\n", "\"\n", "at most 1000 lines"},
	{"rows without a label", "x.csv", "", "1,\n", "", "more than 20000 rows"},
	{"a line", "x.csv", "", "1234567,", "\n", "more than 4 MiB"},
	{"a line without delimiter", "x.csv", "", "1234567", "\n", "more than 4 MiB"},
	{"empty lines", "x.csv", "", "\n", "", "no rows"},
}

// kept returns the greatest heap that reading adds, by looks in between.
func kept(read func()) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	go func() { read(); close(done) }()
	most := before.HeapAlloc
	for {
		select {
		case <-done:
			return most - before.HeapAlloc
		case <-time.After(20 * time.Millisecond):
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
	}
}

// TestHostile: what is read of such a file stays far below its size, and it is refused by
// the limit that it meets.
func TestHostile(t *testing.T) {
	fixture.Long(t)
	rowLimit = 20_000
	defer func() { rowLimit = MaxRows }()
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // what is no longer kept goes at once
	for _, c := range hostile {
		packed := []byte(zipped(c.begin + strings.Repeat(c.again, 6_000_000/len(c.again)) + c.end))
		var err error
		heap := kept(func() {
			guess(c.file, packed, Layout{})
			_, err = read(c.file, packed, Layout{Label: labelOf(c.file)})
		})
		fixture.Says(t, err, c.says)
		if heap > 40<<20 {
			t.Errorf("%s: %d MiB of heap", c.name, heap>>20)
		}
	}
}

// TestFlips: an NPZ file with a bit turned over, at 200 drawn places, is refused by its name, or
// is read as before.
func TestFlips(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	numbers, labels := make([]float64, 60), make([]byte, 30)
	for i := range numbers {
		numbers[i], labels[i/2] = rng.NormFloat64(), byte(i/2%3)
	}
	whole := npzOf(map[string]string{"X": npyOf("<f8", "30, 2", floats(numbers...)), "y": npyOf("|i1", "30,", labels),
		"x": npyOf("<f8", "30, 1", floats(numbers[:30]...))})
	want := fixture.Must(read("x.npz", []byte(whole), Layout{}))(t)
	refused := 0
	for range 200 {
		at := rng.IntN(8 * len(whole))
		b := []byte(whole)
		b[at/8] ^= 1 << (at % 8)
		got, err := read("x.npz", b, Layout{})
		if err != nil {
			fixture.Says(t, err, "x.npz: ")
			refused++
			continue
		}
		want.SHA256 = got.SHA256 // of the bytes
		fixture.Same(t, fmt.Sprintf("bit %d of byte %d", at%8, at/8), got, want)
	}
	if refused < 100 {
		t.Errorf("%d of 200 are refused", refused)
	}
}

// TestCanceled: an end of the context ends the reading of every format, and is no fault.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := map[string]string{"X": npyOf("<f8", "4, 2", floats(same.X...)), "y": npyOf("|i1", "4,", []byte{7, 1, 7, 1})}
	for file, content := range map[string]string{
		"x.csv": good, "x.svm": "1 1:1\n2 1:2\n", "x.arff": "@attribute x real\n@attribute c {a,b}\n@data\n1,a\n", "x.npz": npzOf(x), "x.csv.gz": zipped(good),
	} {
		_, err := Read(ctx, file, []byte(content), Layout{Label: labelOf(file)})
		var faults strictyaml.Errors
		fixture.Is(t, err, context.Canceled)
		fixture.Equal(t, file+": a fault", errors.As(err, &faults), false)
		Guess(ctx, file, []byte(content), Layout{})
	}
}

func labelOf(file string) ColumnRef {
	if (Layout{}).FormatOf(file) == CSV {
		return ColumnRef{Name: Last}
	}
	return ColumnRef{}
}

// TestOneHot: texts become codes with their texts, missing ones are NaN, and too many are
// refused by the name of their column.
func TestOneHot(t *testing.T) {
	const text = "color,x,class\nred,1,a\nblue,2,b\n?,3,a\nred,4,b\n"
	o := Layout{Label: ColumnRef{Name: Last}, Encode: OneHot, Impute: "mean"}
	table := fixture.Must(read("x.csv", []byte(text), o))(t)
	fixture.Equal(t, "values and texts", fmt.Sprint(table.X, table.Categories), "[0 1 1 2 NaN 3 0 4] [[red blue] []]")
	o.Impute, o.DropRows = "", true
	table = fixture.Must(read("x.csv", []byte(text+"?,7,\nblue,8,a\n"), o))(t)
	fixture.EqualSlice(t, "values of whole rows", table.X, []float64{0, 1, 1, 2, 0, 4, 1, 8})
	var b strings.Builder
	b.WriteString("town,class\n")
	for i := range 204 {
		fmt.Fprintf(&b, "t%d,%c\n", i%51, 'a'+rune(i%2))
	}
	o = Layout{Label: ColumnRef{Name: Last}, Encode: OneHot, Header: truth(true)}
	fixture.Says(t, fixture.Error(read("x.csv", []byte(b.String()), o)), `"town"`, "more than 50")
}
