package tabular

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A sheet is a table as its format holds it: columns with what the format declares of
// them, and rows of cells.
type sheet struct {
	width    int
	names    []string                                   // of the columns; nil: they have none
	declared []kind                                     // of the columns; nil: nothing is declared
	place    func(i int) (line, column int)             // where column i begins; nil: nowhere
	label    int                                        // column of the label by the format, from 1; 0: it names none
	parts    bool                                       // rows say which part they belong to
	labelled bool                                       // rows have a label beside their cells
	marks    bool                                       // texts may stand for missing values: they are those of delimited text
	each     func(faults *reporter, use func(row) bool) // gives the rows in order until use returns false; anew at each call
}

// A kind is what a column holds, as its format declares.
type kind int

const (
	undeclared kind = iota
	numbers         // numbers, and gaps
	categories      // values of a list
	words           // texts of any kind
	aside           // what is no feature: dates, lists
)

// A row is one of a sheet. Its cells are those of another row after the next call.
type row struct {
	line  int
	cells []cell
	place func(i int) (line, column int) // of a cell
	label cell                           // of a sheet whose rows have one beside their cells
	part  string                         // likewise
}

// A cell is a value of a row: a text, a number with the text it has as a label, or nothing.
type cell struct {
	text   string
	number float64
	is     cellKind
}

type cellKind int

const (
	written cellKind = iota // a text that may spell a number
	word                    // a text that is none
	number
	absent
)

// The formats of files.
const (
	CSV     = "csv" // delimited text of any kind
	ARFF    = "arff"
	LIBSVM  = "libsvm"
	NPZ     = "npz"
	MAT     = "mat"
	JSON    = "json"
	Parquet = "parquet"
)

// A format is a way to write tables.
type format struct {
	name     string
	suffixes []string
	open     func(t *builder) *sheet // nil with faults
	labelled bool                    // it says itself what the labels are
	numbers  bool                    // it holds numbers alone
}

var formats []format

func init() { // the functions refer to the list
	formats = []format{
		{name: CSV, suffixes: []string{".csv", ".data", ".tsv", ".txt", ".dat", ".tab"}, open: (*builder).delimited},
		{name: ARFF, suffixes: []string{".arff"}, open: (*builder).arff},
		{name: LIBSVM, suffixes: []string{".libsvm", ".svm", ".svmlight"}, open: (*builder).libsvm, labelled: true, numbers: true},
		{name: NPZ, suffixes: []string{".npz", ".npy"}, open: (*builder).npz, labelled: true, numbers: true},
		{name: MAT, suffixes: []string{".mat"}, open: (*builder).mat, labelled: true, numbers: true},
		{name: JSON, suffixes: []string{".json", ".jsonl", ".ndjson"}, open: (*builder).json},
		{name: Parquet, suffixes: []string{".parquet", ".pq"}, open: (*builder).parquet},
	}
}

// formatNamed returns the format of a name, nil for none.
func formatNamed(name string) *format {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &formats[i]
}

func formatNames() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// FormatOf returns the format of a file by its options or its name, "" if unknown.
func (o Layout) FormatOf(name string) string {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".bz2", ".zip"} {
		name = strings.TrimSuffix(name, packed)
	}
	for _, f := range formats {
		if o.Format == "" && slices.Contains(f.suffixes, filepath.Ext(name)) {
			return f.name
		}
	}
	return o.Format
}

// known are the formats that the first bytes tell.
var knownByBytes = map[string]string{"PAR1": Parquet, "MATLAB 5.0": MAT, "PK\x03\x04": NPZ}

// notTables are the first bytes of files that are often taken for tables, each with the
// line that makes a table of it.
var notTables = []struct{ begin, what string }{
	{"\x89HDF", "an HDF5 file; save the table as Parquet or CSV: pandas.read_hdf(FILE).to_csv('table.csv', index=False)"},
	{"MATLAB 7.3", "a MAT-file of version 7.3, which is HDF5; save it in MATLAB: save('table.mat', 'X', 'y', '-v7')"},
	{"RDX2", "data of R; save the table in R: load(FILE); write.csv(NAME, 'table.csv', row.names=FALSE)"},
	{"RDX3", "data of R; save the table in R: load(FILE); write.csv(NAME, 'table.csv', row.names=FALSE)"},
	{"X\n\x00\x00\x00", "an object of R; save it in R: write.csv(readRDS(FILE), 'table.csv', row.names=FALSE)"},
	{"ORC", "an ORC file; save it as CSV: pandas.read_orc(FILE).to_csv('table.csv', index=False)"},
	{"Obj\x01", "an Avro file; save its records as JSON lines: avro-tools tojson FILE > table.jsonl"},
	{"%PDF", "a PDF document; save the table in it as CSV"},
	{"SQLite format 3\x00", "a SQLite database; save a table of it: sqlite3 -header -csv FILE 'select * from NAME' > table.csv"},
	{"\x80\x02", pickle}, {"\x80\x03", pickle}, {"\x80\x04", pickle}, {"\x80\x05", pickle}, // from protocol 2
	{"ARROW1", "a Feather or Arrow file; save it as CSV: pandas.read_feather(FILE).to_csv('table.csv', index=False)"},
	{"FEA1", "an old Feather file; save it as CSV: pandas.read_feather(FILE).to_csv('table.csv', index=False)"},
	{"<stata_dta>", "a Stata file; save it as CSV: pandas.read_stata(FILE).to_csv('table.csv', index=False)"},
	{"n\x02\x01\x00", "an older Stata file; save it as CSV: pandas.read_stata(FILE).to_csv('table.csv', index=False)"},
	{"r\x02\x01\x00", "an older Stata file; save it as CSV: pandas.read_stata(FILE).to_csv('table.csv', index=False)"},
	{"s\x02\x01\x00", "an older Stata file; save it as CSV: pandas.read_stata(FILE).to_csv('table.csv', index=False)"},
	{strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60", "a SAS file; save it as CSV: pandas.read_sas(FILE, format='sas7bdat').to_csv('table.csv', index=False)"},
	{"HEADER RECORD*******", "a SAS transport file; save it as CSV: pandas.read_sas(FILE, format='xport').to_csv('table.csv', index=False)"},
	{"$FL2", "an SPSS file; save it as CSV: pandas.read_spss(FILE).to_csv('table.csv', index=False)"},
	{"$FL3", "a packed SPSS file; save it as CSV: pandas.read_spss(FILE).to_csv('table.csv', index=False)"},
	{"\xd0\xcf\x11\xe0", "an old workbook of a spreadsheet; save the table as CSV"},
	{"\x93NUMPY", "a single NumPy array; save both: numpy.savez('table.npz', X=numpy.load('X.npy'), y=numpy.load('y.npy'))"},
	{"\xfd7zXZ", "packed with xz; unpack it, or pack it with gzip"},
	{"\x28\xb5\x2f\xfd", "packed with zstd; unpack it, or pack it with gzip"},
	{"7z\xbc\xaf", "packed with 7-Zip; unpack it, or pack it with gzip"},
	{"Rar!\x1a", "packed with RAR; unpack it, or pack it with gzip"},
	{"\x04\x22\x4d\x18", "packed with lz4; unpack it, or pack it with gzip"},
	{"\x1f\x9d", "packed with compress; unpack it, or pack it with gzip"},
	{"x\x9c", "packed with zlib, perhaps by joblib; where you trust it: pandas.DataFrame(joblib.load(FILE)).to_csv('table.csv', index=False)"},
	{"\x89PNG", "an image; a table has a row of numbers for each image"},
	{"\xff\xd8\xff", "an image; a table has a row of numbers for each image"},
	{"RDA2\nA", "data of R; save the table in R: load(FILE); write.csv(NAME, 'table.csv', row.names=FALSE)"},
	{"RDA3\nA", "data of R; save the table in R: load(FILE); write.csv(NAME, 'table.csv', row.names=FALSE)"},
	{"version https://git-lfs", "a pointer of Git LFS; fetch the file itself: git lfs pull"},
	{"<?xml", "XML; save the table as CSV"},
	{"<!DOCTYPE", "a web page; fetch the file itself"},
	{"<!doctype", "a web page; fetch the file itself"},
	{"<html", "a web page; fetch the file itself"},
	{"\xff\xfe\x00\x00", "UTF-32; save it as UTF-8, for example by: iconv -f UTF-32 -t UTF-8"},
	{"\x00\x00\xfe\xff", "UTF-32; save it as UTF-8, for example by: iconv -f UTF-32 -t UTF-8"},
	{"\xff\xfe", "UTF-16; save it as UTF-8, for example by: iconv -f UTF-16 -t UTF-8"},
	{"\xfe\xff", "UTF-16; save it as UTF-8, for example by: iconv -f UTF-16 -t UTF-8"},
}

// forms are likewise the forms of files whose first bytes vary.
var forms = []struct {
	form *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`^(\([dl]p\d+\n|\(?[\]}]q\x00|\(?c(copy_?reg|__builtin__|builtins|\w+(\.\w+)+)\n\w+\n(p\d+\n|q\x00|\())`), pickle},
	{regexp.MustCompile(`^(?s)\x03.[\x01-\x0c][\x01-\x1f].{4}.[\x00-\x10].[\x00-\x10]`),
		"a dBASE file; save it in R: write.csv(foreign::read.dbf(FILE), 'table.csv', row.names=FALSE)"},
	{regexp.MustCompile(`^A\n[23]\n\d{6}\n\d{6}\n`), "an object of R; save it in R: write.csv(readRDS(FILE), 'table.csv', row.names=FALSE)"},
	{regexp.MustCompile(`^[^\n\x00]{1,107}\x00(?s:.{100,256})ustar`), "an archive of tar; unpack the table: tar -xf FILE"},
	{regexp.MustCompile(`^([\w.]+ <-\s+)?structure\(list\(`), "an object of R as text; save it in R: write.csv(dget(FILE), 'table.csv', row.names=FALSE)"},
	{regexp.MustCompile(`(?i)^(--|/\*|create |drop |insert |pragma |begin ?transaction|set )(?s:.*\n)?(create table|insert into) `),
		"statements of SQL; run them in a database, and save the table as CSV"},
	{regexp.MustCompile(`^([^\n]*[|+][^\n]*\n)?[-+|:= ]*(--[-+|:= ]*[|+]|[|+][-+|:= ]*--)[-+|:= ]*\r?\n`),
		"a table drawn with lines, as a terminal or Markdown shows it; save it as CSV, for example by psql --csv or mysql --batch"},
}

const pickle = "a pickle of Python, which may run code when it is read; where you trust it: pandas.read_pickle(FILE).to_csv('table.csv', index=False)"

// The beginnings of formats of text.
var (
	jsonBegin   = regexp.MustCompile(`^(\{\s*("|\})|\[\s*(\{|\]))`)
	arffBegin   = regexp.MustCompile(`(?i)^@(relation|attribute)\b`)
	libsvmLine  = regexp.MustCompile(`^[-+]?[0-9.]+(e[-+]?\d+)?(,[-+]?[0-9.]+)*(\s+(qid|\d+):[^\s:]+)*\s*(#.*)?$`)
	libsvmPairs = regexp.MustCompile(`\s\d+:`)
)

// sniff returns the format of the content by its first bytes; where these say nothing, by the name of
// the file, or else it is delimited text. A format of the options is not doubted, but for files that no
// format has.
func (t *builder) sniff() (*format, error) {
	content, _, err := t.open()
	if err != nil {
		return nil, err
	}
	begin, err := content.Peek(content.Size())
	if ofContext(err) {
		return nil, err
	}
	is := func(magic string) bool { // a word may begin text
		return bytes.HasPrefix(begin, []byte(magic)) && !(wordOnly.MatchString(magic) && isText(begin))
	}
	trimmed := bytes.TrimLeft(begin, blanks+"\n")
	for _, kind := range notTables {
		if is(kind.begin) || kind.begin[0] == '<' && bytes.HasPrefix(trimmed, []byte(kind.begin)) {
			return nil, errors.New("the file is " + kind.what)
		}
	}
	for _, other := range forms {
		if other.form.Match(begin) {
			return nil, errors.New("the file is " + other.what)
		}
	}
	if t.options.Format != "" {
		return formatNamed(t.options.Format), nil
	}
	for magic, name := range knownByBytes {
		if is(magic) {
			return formatNamed(name), nil
		}
	}
	begin = trimmed
	if jsonBegin.Match(begin) {
		return formatNamed(JSON), nil
	}
	return formatNamed(cmp.Or(formatOfLines(strings.FieldsFunc(string(begin), func(r rune) bool { return r == '\n' || r == '\r' })),
		t.options.FormatOf(t.file), CSV)), nil
}

// wordOnly matches a magic that may be a name of a column, too.
var wordOnly = regexp.MustCompile(`^[A-Z0-9]+$`)

// isText tells whether bytes are lines of text, the last of which may be cut off, and the first divided into fields.
func isText(b []byte) bool {
	first, _, _ := bytes.Cut(b, []byte("\n"))
	return bytes.ContainsAny(first, ",;\t|") && utf8.Valid(b[:bytes.LastIndexByte(b, '\n')+1]) && bytes.IndexByte(b, 0) < 0
}

// formatOfLines tells ARFF by its first line that is no comment, and LIBSVM by the form of all lines, of which
// the last may be cut off.
func formatOfLines(all []string) string {
	rows, pairs := 0, false
	for _, line := range all[:min(max(len(all)-1, 1), len(all))] {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '%' && rows == 0 || line[0] == '#':
			continue
		case rows == 0 && arffBegin.MatchString(line):
			return ARFF
		case !libsvmLine.MatchString(line):
			return ""
		}
		if rows, pairs = rows+1, pairs || libsvmPairs.MatchString(line); rows == 100 {
			break
		}
	}
	if pairs {
		return LIBSVM
	}
	return ""
}
