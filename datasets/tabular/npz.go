package tabular

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"r2lmlbench/internal/text"
)

// An array is one of a NumPy file.
type array struct {
	kind  byte // 'f' float, 'i' int, 'u' unsigned, 'b' bool, 'U' text, 'S' bytes
	size  int  // bytes of an element
	order binary.ByteOrder
	shape []int
	cols  bool // column after column
	data  []byte
}

// npz reads the arrays X and y of a file that numpy.savez or savez_compressed wrote.
func (t *builder) npz() {
	content, err := t.open()
	if err != nil {
		t.ended(faultOf(t.file, 0, 0, err))
		return
	}
	b := t.raw
	if bytes.HasPrefix(b, []byte(gzipMagic)) {
		if b, err = io.ReadAll(content); err != nil {
			t.ended(faultOf(t.file, 0, 0, damaged(err)))
			return
		}
	}
	x, err := t.member(b, "X", "x", "data", "features")
	var y array
	if err == nil {
		y, err = t.member(b, "y", "Y", "target", "labels", "label")
	}
	if err != nil {
		t.ended(faultOf(t.file, 0, 0, err))
		return
	}
	if len(y.shape) == 2 && y.shape[1] == 1 {
		y.shape = y.shape[:1]
	}
	switch {
	case len(x.shape) != 2:
		t.at(0, 0, "X has %s, want two: rows and features", text.Counted(len(x.shape), "dimension"))
	case len(y.shape) != 1:
		t.at(0, 0, "y has %s, want one: a label for each row of X", text.Counted(len(y.shape), "dimension"))
	case x.shape[0] != y.shape[0]:
		t.at(0, 0, "X has %s, y has %d labels", text.Counted(x.shape[0], "row"), y.shape[0])
	case x.kind == 'U' || x.kind == 'S':
		t.at(0, 0, "X holds texts; it must hold numbers")
	case x.shape[1] == 0 || x.shape[1] > MaxColumns:
		t.at(0, 0, "X has %d columns, 1 to %d are possible", x.shape[1], MaxColumns)
	case x.shape[0]*x.shape[1] > MaxValues:
		t.at(0, 0, "X has more than %d values", MaxValues)
	}
	if len(t.faults) > 0 || !t.numbered(x.shape[1], 1) {
		return
	}
	for i := range x.shape[0] {
		if i%1024 == 0 {
			if t.stopped = t.ctx.Err(); t.stopped != nil {
				return
			}
		}
		if !t.arrayRow(i, x, y) {
			return
		}
	}
}

// arrayRow adds row i of the arrays. It tells whether there is room for more.
func (t *builder) arrayRow(i int, x, y array) bool {
	complete := true
	for j := range x.shape[1] {
		c := &t.columns[j]
		if c.role != feature {
			continue
		}
		v, exact := x.number(i, j)
		switch {
		case math.IsNaN(v):
			complete = false
			c.lack(func() *Fault { return &Fault{File: t.file, Msg: fmt.Sprintf("X[%d, %d] is NaN", i, j)} })
		case math.Abs(v) > maxSize:
			t.at(0, 0, "X[%d, %d] is %g, which is not finite or too large: at most 1e100 is possible", i, j, v)
		case !exact:
			t.at(0, 0, "X[%d, %d] is an integer beyond 2^53 that has no exact float64; if column %d has the names of rows, leave it out with `drop: [%d]`, "+
				"or else save X.astype(float)", i, j, j+1, j+1)
		default:
			c.numbers++
		}
		t.x = append(t.x, v)
	}
	class, ok := y.text(i)
	return t.end(i+1, complete, !ok, class, "", func() (int, int) { return i + 1, 0 })
}

// at returns the bytes of element (i, j).
func (a array) at(i, j int) []byte {
	n := i
	if len(a.shape) == 2 {
		n = i*a.shape[1] + j
		if a.cols {
			n = j*a.shape[0] + i
		}
	}
	return a.data[n*a.size : (n+1)*a.size]
}

// number returns element (i, j) of an array of numbers; exact is false for an integer that
// float64 does not have.
func (a array) number(i, j int) (v float64, exact bool) {
	b := a.at(i, j)
	switch {
	case a.kind == 'f' && a.size == 8:
		return math.Float64frombits(a.order.Uint64(b)), true
	case a.kind == 'f':
		return float64(math.Float32frombits(a.order.Uint32(b))), true
	case a.kind == 'i':
		n := a.signed(b)
		v = float64(n)
		return v, n >= -exactIntegers && n <= exactIntegers || v < math.MaxInt64 && int64(v) == n
	}
	n := a.unsigned(b)
	v = float64(n)
	return v, n <= exactIntegers || v < math.MaxUint64 && uint64(v) == n
}

func (a array) unsigned(b []byte) uint64 {
	switch a.size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(a.order.Uint16(b))
	case 4:
		return uint64(a.order.Uint32(b))
	}
	return a.order.Uint64(b)
}

func (a array) signed(b []byte) int64 {
	shift := 64 - 8*a.size
	return int64(a.unsigned(b)<<shift) >> shift
}

// text returns element i as a label; ok is false where there is none.
func (a array) text(i int) (label string, ok bool) {
	b := a.at(i, 0)
	switch a.kind {
	case 'U':
		var s strings.Builder
		for ; len(b) >= 4; b = b[4:] {
			if r := rune(a.order.Uint32(b)); r != 0 {
				s.WriteRune(r)
			}
		}
		label = s.String()
	case 'S':
		label = strings.ToValidUTF8(string(bytes.TrimRight(b, "\x00")), string(utf8.RuneError))
	case 'b':
		label = strconv.FormatBool(b[0] != 0)
	case 'i':
		label = strconv.FormatInt(a.signed(b), 10)
	case 'u':
		label = strconv.FormatUint(a.unsigned(b), 10)
	default:
		v, _ := a.number(i, 0)
		return strconv.FormatFloat(v, 'f', -1, 64), !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return label, label != ""
}

// member reads the array of the first of some names that is there.
func (t *builder) member(b []byte, names ...string) (array, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return array{}, fmt.Errorf("no NPZ file, or a damaged one: %w", err)
	}
	var there []string
	for _, f := range z.File {
		there = append(there, strings.TrimSuffix(f.Name, ".npy"))
	}
	for _, name := range names {
		i := slices.Index(there, name)
		if i < 0 {
			continue
		}
		a, err := t.readArray(z.File[i])
		if err != nil {
			return a, fmt.Errorf("array %s: %w", name, err)
		}
		return a, nil
	}
	var found []string
	for _, name := range there[:min(len(there), 10)] {
		found = append(found, quoted(name))
	}
	return array{}, fmt.Errorf("no array %s; the file has %s; save it with: numpy.savez(FILE, X=X, y=y)", names[0], strings.Join(found, ", "))
}

func (t *builder) readArray(f *zip.File) (array, error) {
	r, err := f.Open()
	if err != nil {
		return array{}, err
	}
	defer r.Close()
	return parseArray(&watched{t.ctx, r, MaxBytes})
}

// header is the text at the beginning of an array: a Python dictionary whose
// entries numpy writes in any order.
var (
	descrPattern = regexp.MustCompile(`'descr':\s*'([<>|=]?)([a-zA-Z])(\d*)(\[\w*\])?'`)
	orderPattern = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapePattern = regexp.MustCompile(`'shape':\s*\(([\d, ]*)\)`)
)

// parseArray reads an .npy file, versions 1 to 3. What its header says is checked before
// its data are read.
func parseArray(r io.Reader) (array, error) {
	cut := errors.New("its header is cut off")
	b := make([]byte, 10)
	if _, err := io.ReadFull(r, b); err != nil || string(b[:6]) != "\x93NUMPY" {
		return array{}, errors.New("no NumPy array")
	}
	size := int(binary.LittleEndian.Uint16(b[8:]))
	if b[6] > 1 {
		b = append(b, 0, 0)
		if _, err := io.ReadFull(r, b[10:]); err != nil {
			return array{}, cut
		}
		size = int(binary.LittleEndian.Uint32(b[8:]))
	}
	if size > 1<<16 {
		return array{}, cut
	}
	b = make([]byte, size)
	if _, err := io.ReadFull(r, b); err != nil {
		return array{}, cut
	}
	header := string(b)
	descr, order, shape := descrPattern.FindStringSubmatch(header), orderPattern.FindStringSubmatch(header), shapePattern.FindStringSubmatch(header)
	switch {
	case strings.Contains(header, "'descr': ["):
		return array{}, errors.New("it is structured: its elements have named fields; save a plain one, for example by: " +
			"numpy.lib.recfunctions.structured_to_unstructured(X)")
	case descr == nil || order == nil || shape == nil:
		return array{}, fmt.Errorf("its header cannot be read: %s", quoted(header))
	case descr[2] == "M" || descr[2] == "m":
		return array{}, errors.New("it holds dates or times; make numbers of them, for example by: X.astype('datetime64[s]').astype(float)")
	}
	a := array{kind: descr[2][0], order: binary.LittleEndian, cols: order[1] == "True"}
	if descr[1] == ">" {
		a.order = binary.BigEndian
	}
	if err := a.setSize(descr[3]); err != nil {
		return a, err
	}
	need := a.size
	for field := range strings.SplitSeq(shape[1], ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		n, err := strconv.Atoi(field)
		switch {
		case err != nil || need > MaxBytes/max(n, 1):
			return a, fmt.Errorf("its shape (%s) is too large: it needs more than %d MiB", shape[1], MaxBytes>>20)
		case len(a.shape) == 0 && n > MaxRows:
			return a, fmt.Errorf("it has %d rows, at most %d are possible; save fewer, for example: X[:100000], y[:100000]", n, MaxRows)
		}
		a.shape, need = append(a.shape, n), need*n
	}
	var err error
	if a.data, err = io.ReadAll(io.LimitReader(r, int64(need))); err != nil {
		return a, fmt.Errorf("damaged: %w", err)
	}
	if len(a.data) < need {
		return a, fmt.Errorf("%d bytes of data, its shape (%s) needs %d", len(a.data), shape[1], need)
	}
	return a, nil
}

// setSize takes the size of the elements from the header's type, such as the 8 of f8.
func (a *array) setSize(text string) error {
	n, _ := strconv.Atoi(text)
	sizes := map[byte][]int{'f': {4, 8}, 'i': {1, 2, 4, 8}, 'u': {1, 2, 4, 8}, 'b': {1}}
	switch a.size = n; {
	case a.kind == 'U' && n > 0 && n <= maxName:
		a.size = 4 * n
		return nil
	case a.kind == 'S' && n > 0 && n <= maxName:
		return nil
	case a.kind == 'O':
		return errors.New("it holds Python objects, which are not read; convert it with astype(float) or astype(str)")
	case slices.Contains(sizes[a.kind], n):
		return nil
	}
	return fmt.Errorf("its type %c%s is not read; convert it with astype(float) or astype(str)", a.kind, text)
}
