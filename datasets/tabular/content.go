package tabular

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/strictyaml"
)

// A source is the stored bytes of a file. Its content may be read several times and is never
// held as a whole.
type source struct {
	ctx context.Context
	raw []byte
}

const gzipMagic = "\x1f\x8b"

// open returns the content, unpacked if the file is gzip. Reading fails when the context
// ends and after MaxBytes.
func (s source) open() (*bufio.Reader, error) {
	if len(s.raw) > MaxBytes {
		return nil, fmt.Errorf("the file has more than %d MiB; leave rows out", MaxBytes>>20)
	}
	packed := bytes.HasPrefix(s.raw, []byte(gzipMagic))
	var r io.Reader = bytes.NewReader(s.raw)
	if packed {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, damaged(err)
		}
		r = z
	}
	content := bufio.NewReaderSize(&watched{s.ctx, r, MaxBytes}, 1<<16)
	begin, err := content.Peek(2)
	switch {
	case err != nil && err != io.EOF:
		return nil, damaged(err)
	case packed && string(begin) == gzipMagic:
		return nil, errors.New("the file is packed with gzip twice; unpack it once: gunzip FILE.gz")
	}
	return content, nil
}

func damaged(err error) error {
	if errors.Is(err, errTooLong) || ofContext(err) {
		return err
	}
	return fmt.Errorf("damaged gzip file, or cut off: %w", err)
}

var errTooLong = fmt.Errorf("unpacks to more than %d MiB; leave rows out", MaxBytes>>20)

// A watched reader fails when its context ends or after a number of bytes.
type watched struct {
	ctx  context.Context
	r    io.Reader
	left int
}

func (w *watched) Read(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(b)
	if w.left -= n; w.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

// notText are the first bytes of binary files that users mistake for tables.
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

// lines reads a text file line by line: UTF-8, with lines ended by LF or CR LF, also mixed,
// or all by CR alone (old Macintosh programs).
type lines struct {
	file string
	r    *bufio.Reader
	end  byte
	line int   // number of the last line
	err  error // error that ended the reading: io.EOF, a fault, or that of the context
}

// lines opens the file as text.
func (s source) lines(file string) *lines {
	l := &lines{file: file, end: '\n'}
	if l.r, l.err = s.open(); l.err != nil {
		l.fail(0, 0, l.err)
		return l
	}
	begin, _ := l.r.Peek(l.r.Size())
	for _, kind := range notText {
		if bytes.HasPrefix(begin, []byte(kind.begin)) {
			l.fail(0, 0, errors.New("the file is "+kind.what))
			return l
		}
	}
	if r := bytes.IndexByte(begin, '\r'); r >= 0 && r < l.r.Size()-1 && !bytes.Contains(begin, []byte("\n")) {
		l.end = '\r'
	}
	if bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")) {
		l.r.Discard(3) // byte order mark
	}
	return l
}

// fail ends the reading with a fault, or with the error of the context if that is the cause.
func (l *lines) fail(line, column int, err error) {
	if l.err = err; !ofContext(err) {
		l.err = strictyaml.Error{File: l.file, Line: line, Column: column, Msg: err.Error()}
	}
}

// ofContext reports whether an error is that of a context.
func ofContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// next returns the next line without its end; ok is false after the last.
func (l *lines) next() (text string, ok bool) {
	if l.err != nil {
		return "", false
	}
	var line []byte
	for {
		part, err := l.r.ReadSlice(l.end)
		line = append(line, part...)
		if len(line) > maxLine {
			l.fail(l.line+1, 0, fmt.Errorf("the line has more than %d MiB; leave its text out", maxLine>>20))
			return "", false
		}
		if err == nil || err == io.EOF && len(line) > 0 {
			break
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if l.err = err; err != io.EOF {
			l.fail(0, 0, damaged(err))
		}
		return "", false
	}
	l.line++
	text = strings.TrimSuffix(string(line), string(rune(l.end)))
	text = strings.TrimRight(text, "\r")
	if at, err := alien(l.line, text); err != nil {
		l.fail(l.line, utf8.RuneCountInString(text[:at])+1, err)
		return "", false
	}
	return text, true
}

// alien finds the first byte of a line that is not UTF-8 text.
func alien(line int, text string) (at int, err error) {
	if at = strings.IndexAny(text, "\x00\r\n"); at >= 0 {
		switch {
		case text[at] != 0:
			return at, errors.New("a carriage return within a line: the file has line ends of several kinds; write them alike")
		case line == 1 && at < 2: // a letter of two bytes, the high one first in BE
			return at, fmt.Errorf("the file is UTF-16 without its mark; save it as UTF-8, for example by: iconv -f UTF-16%s -t UTF-8", []string{"BE", "LE"}[at])
		}
		return at, errors.New("a byte 0: the file is no text, or damaged")
	}
	if utf8.ValidString(text) {
		return 0, nil
	}
	for at = 0; ; {
		r, n := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && n == 1 {
			return at, fmt.Errorf("byte %#x is no UTF-8; convert the file, for example by: iconv -f LATIN1 -t UTF-8", text[at])
		}
		at += n
	}
}
