package tabular

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// unpack returns the bytes of a file, unpacked if they are gzip.
func unpack(b []byte) ([]byte, error) {
	if len(b) > MaxBytes {
		return nil, fmt.Errorf("more than %d MiB", MaxBytes>>20)
	}
	if !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("damaged gzip file: %w", err)
	}
	out, err := io.ReadAll(io.LimitReader(z, MaxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("damaged gzip file, or cut off: %w", err)
	case len(out) > MaxBytes:
		return nil, fmt.Errorf("unpacks to more than %d MiB", MaxBytes>>20)
	}
	return out, nil
}

// notText are the first bytes of files that are often taken for tables.
var notText = []struct{ begin, what string }{
	{"PK\x03\x04", "a zip archive or a workbook of a spreadsheet; save the table as CSV"},
	{"\xd0\xcf\x11\xe0", "an old workbook of a spreadsheet; save the table as CSV"},
	{"PAR1", "a Parquet file; save the table as CSV"},
	{"\x89HDF", "an HDF5 file; save the table as CSV or NPZ"},
	{"\x93NUMPY", "a single NumPy array; save X and y with numpy.savez"},
	{"MATLAB 5.0", "a MAT-file; `r2lmlbench data import` takes those in the authors' layout"},
	{"BZh", "packed with bzip2; unpack it, or pack it with gzip"},
	{"\xfd7zXZ", "packed with xz; unpack it, or pack it with gzip"},
	{"\x28\xb5\x2f\xfd", "packed with zstd; unpack it, or pack it with gzip"},
	{"[{", "JSON; save the table as CSV"},
	{"{\"", "JSON; save the table as CSV"},
	{"<!DOCTYPE", "a web page; fetch the file itself"},
	{"<html", "a web page; fetch the file itself"},
	{"\xff\xfe\x00\x00", "UTF-32; save it as UTF-8, for example by: iconv -f UTF-32 -t UTF-8"},
	{"\x00\x00\xfe\xff", "UTF-32; save it as UTF-8, for example by: iconv -f UTF-32 -t UTF-8"},
	{"\xff\xfe", "UTF-16; save it as UTF-8, for example by: iconv -f UTF-16 -t UTF-8"},
	{"\xfe\xff", "UTF-16; save it as UTF-8, for example by: iconv -f UTF-16 -t UTF-8"},
}

// text returns the text of a file: UTF-8 without byte order mark, with line
// feeds between lines. Otherwise it says what the file is instead.
func (r *reporter) text(b []byte) (string, bool) {
	for _, kind := range notText {
		if bytes.HasPrefix(b, []byte(kind.begin)) {
			r.at(0, 0, "the file is %s", kind.what)
			return "", false
		}
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if i := bytes.IndexByte(b, 0); i >= 0 {
		line, column := place(b, i)
		if order := utf16Order(b); order != "" {
			r.at(line, column, "the file is UTF-16 without its mark; save it as UTF-8, for example by: iconv -f UTF-16%s -t UTF-8", order)
		} else {
			r.at(line, column, "a byte 0: the file is no text, or damaged")
		}
		return "", false
	}
	if !utf8.Valid(b) {
		i := firstInvalid(b)
		line, column := place(b, i)
		r.at(line, column, "byte %#x is no UTF-8; convert the file, for example by: iconv -f LATIN1 -t UTF-8", b[i])
		return "", false
	}
	text := string(b)
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // lines of old Macintosh programs
	}
	if i := loneReturn(text); i >= 0 {
		line, column := place(b, i)
		r.at(line, column, "a carriage return within a line: the file has line ends of several kinds; write them alike")
		return "", false
	}
	if strings.TrimSpace(text) == "" {
		r.at(0, 0, "the file is empty")
		return "", false
	}
	return text, true
}

// loneReturn finds a carriage return that does not stand at the end of a line, -1 without one.
func loneReturn(text string) int {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\r')
		if i < 0 {
			return -1
		}
		at += i + 1
		if at < len(text) && text[at] != '\n' && text[at] != '\r' {
			return at - 1
		}
	}
}

// utf16Order tells which of two bytes is first where every other of the first bytes is 0:
// the low one in LE, the high one in BE. It is "" where they are not.
func utf16Order(b []byte) string {
	b = b[:min(len(b), 64)&^1]
	zeros := [2]int{}
	for i, c := range b {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case zeros[1] > len(b)/4:
		return "LE"
	case zeros[0] > len(b)/4:
		return "BE"
	}
	return ""
}

func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// place returns the line and the column, in characters, of byte i.
func place(b []byte, i int) (line, column int) {
	before := b[:i]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}
