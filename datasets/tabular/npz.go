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
func (t *builder) npz(b []byte) {
	x, err := member(b, "X", "x", "data", "features")
	if err != nil {
		t.at(0, 0, "%v", err)
		return
	}
	y, err := member(b, "y", "Y", "target", "labels", "label")
	if err != nil {
		t.at(0, 0, "%v", err)
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
	if len(t.faults) > 0 {
		return
	}
	if !t.numbered(x.shape[1], 1) {
		return
	}
	for i := range x.shape[0] {
		t.arrayRow(i, x, y)
	}
}

// arrayRow adds row i of the arrays.
func (t *builder) arrayRow(i int, x, y array) {
	start, complete := len(t.x), true
	for j := range x.shape[1] {
		v, c := x.number(i, j), &t.columns[j]
		switch {
		case c.role != feature:
		case math.IsNaN(v):
			complete = false
			c.lack(&Fault{File: t.file, Msg: fmt.Sprintf("X[%d, %d] is NaN", i, j)})
		case math.Abs(v) > maxSize:
			t.at(0, 0, "X[%d, %d] is %g, which is not finite or too large: at most 1e100 is possible", i, j, v)
		default:
			c.numbers++
		}
		t.x = append(t.x, v)
	}
	t.keep(start)
	class, ok := y.text(i)
	if !ok {
		complete = false
		t.unnamed = append(t.unnamed, &Fault{File: t.file, Msg: fmt.Sprintf("y[%d] is no label; give it one, remove the row, or add `drop-rows: true`", i)})
	}
	t.end(i+1, start, complete, class, "", func() (int, int) { return i + 1, 0 })
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

// number returns element (i, j) of an array of numbers.
func (a array) number(i, j int) float64 {
	b := a.at(i, j)
	switch {
	case a.kind == 'f' && a.size == 8:
		return math.Float64frombits(a.order.Uint64(b))
	case a.kind == 'f':
		return float64(math.Float32frombits(a.order.Uint32(b)))
	case a.kind == 'i':
		return float64(a.signed(b))
	}
	return float64(a.unsigned(b))
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
		v := a.number(i, 0)
		return strconv.FormatFloat(v, 'f', -1, 64), !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return label, label != ""
}

// member reads the array of the first of some names that is there.
func member(b []byte, names ...string) (array, error) {
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
		a, err := readArray(z.File[i])
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

func readArray(f *zip.File) (array, error) {
	r, err := f.Open()
	if err != nil {
		return array{}, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	switch {
	case err != nil:
		return array{}, fmt.Errorf("damaged: %w", err)
	case len(b) > MaxBytes:
		return array{}, fmt.Errorf("unpacks to more than %d MiB", MaxBytes>>20)
	}
	return parseArray(b)
}

// header is the text at the beginning of an array: a Python dictionary whose
// entries numpy writes in any order.
var (
	descrPattern = regexp.MustCompile(`'descr':\s*'([<>|=]?)([a-zA-Z])(\d*)'`)
	orderPattern = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapePattern = regexp.MustCompile(`'shape':\s*\(([\d, ]*)\)`)
)

// parseArray reads the bytes of an .npy file, versions 1 to 3.
func parseArray(b []byte) (array, error) {
	if len(b) < 12 || string(b[:6]) != "\x93NUMPY" {
		return array{}, errors.New("no NumPy array")
	}
	start, size := 10, int(binary.LittleEndian.Uint16(b[8:]))
	if b[6] > 1 {
		start, size = 12, int(binary.LittleEndian.Uint32(b[8:]))
	}
	if size < 0 || size > 1<<16 || start+size > len(b) {
		return array{}, errors.New("its header is cut off")
	}
	header, data := string(b[start:start+size]), b[start+size:]
	descr, order, shape := descrPattern.FindStringSubmatch(header), orderPattern.FindStringSubmatch(header), shapePattern.FindStringSubmatch(header)
	if descr == nil || order == nil || shape == nil {
		return array{}, fmt.Errorf("its header cannot be read: %s", quoted(header))
	}
	a := array{kind: descr[2][0], order: binary.LittleEndian, cols: order[1] == "True"}
	if descr[1] == ">" {
		a.order = binary.BigEndian
	}
	if err := a.setSize(descr[3]); err != nil {
		return a, err
	}
	values := 1
	for field := range strings.SplitSeq(shape[1], ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		n, err := strconv.Atoi(field)
		if err != nil || n > MaxBytes || values > MaxBytes/max(n, 1) {
			return a, fmt.Errorf("its shape (%s) is too large", shape[1])
		}
		a.shape, values = append(a.shape, n), values*n
	}
	if len(data) < values*a.size {
		return a, fmt.Errorf("%d bytes of data, its shape (%s) needs %d", len(data), shape[1], values*a.size)
	}
	a.data = data
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
