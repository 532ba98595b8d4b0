package tabular

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/codecs"
	"r2lmlbench/internal/strictyaml"
)

// A source is the bytes of a file as it lies there, perhaps packed. Its content is read as
// often as it is needed and never kept as a whole.
type source struct {
	ctx   context.Context
	raw   []byte
	limit int // of bytes, packed and unpacked
}

// packings are what a table may be packed with, by the first bytes.
var packings = []struct {
	begin, name string
	open        func(b []byte) (io.Reader, error)
}{
	{"\x1f\x8b", "gzip", func(b []byte) (io.Reader, error) { return gzip.NewReader(bytes.NewReader(b)) }},
	{"BZh", "bzip2", func(b []byte) (io.Reader, error) { return bzip2.NewReader(bytes.NewReader(b)), nil }},
	{"PK\x03\x04", "zip", openZip},
}

// packingOf returns the place of a packing in the list, -1 if there is none.
func packingOf(begin []byte) int {
	for i, p := range packings {
		if bytes.HasPrefix(begin, []byte(p.begin)) {
			return i
		}
	}
	return -1
}

// open returns the content, unpacked, and what it was packed with, "" for nothing. Reading it fails once the
// context has ended, and where it is longer than the limit. NPZ files are content, although they are zip files.
func (s source) open() (content *bufio.Reader, packing string, err error) {
	if len(s.raw) > s.limit {
		return nil, "", fmt.Errorf("the file has more than %d MiB; leave rows out", s.limit>>20)
	}
	var r io.Reader = bytes.NewReader(s.raw)
	if i := packingOf(s.raw); i >= 0 {
		switch unpacked, err := packings[i].open(s.raw); {
		case errors.Is(err, errNPZ):
		case err != nil:
			return nil, "", damaged(packings[i].name, err)
		default:
			r, packing = unpacked, packings[i].name
		}
	}
	left := s.limit
	if packing == "bzip2" || packing == "zip" { // a small file must not take long
		left = min(left, max(16<<20, 32*len(s.raw)))
	}
	content = bufio.NewReaderSize(&watched{s.ctx, r, packing, left, left, left < s.limit}, 1<<16)
	begin, err := content.Peek(4)
	if err != nil && err != io.EOF {
		return nil, "", err
	}
	if i := packingOf(begin); packing != "" && i >= 0 && packings[i].name != "zip" {
		return nil, "", fmt.Errorf("the file is packed twice, with %s in %s; unpack it once", packings[i].name, packing)
	}
	if bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")) {
		content.Discard(3) // byte order mark
	}
	return content, packing, nil
}

// Content opens what OpenCells reads, unpacked, with the same limit.
func Content(ctx context.Context, b []byte, most int) (io.Reader, error) {
	content, _, err := source{ctx, b, most}.open()
	return content, err
}

// whole returns the content in one piece, unpacked to so many bytes as a packed file of its size may need.
func (s source) whole() ([]byte, error) {
	content, packing, err := s.open()
	if err != nil || packing == "" {
		return s.raw, err
	}
	most := codecs.Memory(len(s.raw))
	b, err := io.ReadAll(io.LimitReader(content, int64(most)+1))
	if err == nil && len(b) > most {
		err = fmt.Errorf("unpacks to more than %d MiB, the limit for a packed file of this size; unpack it", most>>20)
	}
	return b, err
}

// errNPZ tells that a zip file is one of NumPy.
var errNPZ = errors.New("arrays of NumPy")

// maxMembers is how many files a zip file may hold.
const maxMembers = 1_000

// openZip opens the only table in a zip file.
func openZip(b []byte) (io.Reader, error) {
	const endLength = 22 // of the record that ends the file, with the number of members at byte 10
	end := bytes.LastIndex(b, []byte("PK\x05\x06"))
	if end < 0 || len(b) < end+endLength {
		return nil, errors.New("it does not end as a zip file does; if it is a workbook of a spreadsheet, save the table as CSV")
	}
	if n := int(b[end+10]) | int(b[end+11])<<8; n > maxMembers {
		return nil, plainError(fmt.Sprintf("the zip file has %d files, at most %d are possible; unpack the table", n, maxMembers))
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	var tables []*zip.File
	for _, f := range z.File {
		switch {
		case strings.HasSuffix(f.Name, ".npy"):
			return nil, errNPZ
		case f.Name == "[Content_Types].xml" || f.Name == "content.xml":
			return nil, plainError("the file is a workbook of a spreadsheet; save the table as CSV")
		case f.Mode().IsRegular() && !strings.HasPrefix(path.Base(f.Name), ".") && !strings.HasPrefix(f.Name, "__MACOSX/"):
			tables = append(tables, f)
		}
	}
	if len(tables) != 1 {
		var names []string
		for _, f := range tables {
			names = append(names, quoted(f.Name))
		}
		return nil, plainError(fmt.Sprintf("the zip file has %d files, want one table; unpack the one that is meant: %s", len(tables), someOf(names)))
	}
	return tables[0].Open()
}

// A plainError says all that there is to say of a file.
type plainError string

func (e plainError) Error() string { return string(e) }

// damaged is the error of a file that cannot be unpacked.
func damaged(packing string, err error) error {
	if _, plain := errors.AsType[plainError](err); plain || packing == "" || ofContext(err) {
		return err
	}
	return fmt.Errorf("damaged %s file, or cut off: %w", packing, err)
}

// A watched reader fails when its context ends or after a number of bytes.
type watched struct {
	ctx     context.Context
	r       io.Reader
	packing string
	left    int
	most    int
	small   bool // for a small file
}

func (w *watched) Read(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(b)
	if w.left -= n; w.left < 0 {
		advice := "leave rows out"
		if w.small {
			advice = "unpack it"
		}
		return 0, plainError(fmt.Sprintf("unpacks to more than %d MiB; %s", w.most>>20, advice))
	}
	if err != nil && err != io.EOF {
		err = damaged(w.packing, err)
	}
	return n, err
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
	if l.r, _, l.err = s.open(); l.err != nil {
		l.fail(0, 0, l.err)
		return l
	}
	begin, _ := l.r.Peek(l.r.Size())
	if r := bytes.IndexByte(begin, '\r'); r >= 0 && r < l.r.Size()-1 && !bytes.Contains(begin, []byte("\n")) {
		l.end = '\r'
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
			l.fail(0, 0, err)
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
			from := "LATIN1"
			if c := text[at]; c >= 0x80 && c <= 0x9f { // control characters there, quotes and dashes in the other
				from = "CP1252"
			}
			return at, fmt.Errorf("byte %#x is no UTF-8; convert the file, for example by: iconv -f %s -t UTF-8", text[at], from)
		}
		at += n
	}
}
