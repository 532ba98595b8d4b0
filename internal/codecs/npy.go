package codecs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Array is an array of numbers, truth values or texts.
type Array struct {
	Kind  byte  // 'f' float, 'i' int, 'u' unsigned, 'b' bool, 'U' text, 'S' bytes
	Size  int   // bytes of an element
	Shape []int // none: a single element
	order binary.ByteOrder
	cols  bool // column after column
	data  []byte
}

// ExactIntegers: float64 represents all integers up to this size.
const ExactIntegers = 1 << 53

// The header of an array is a Python dictionary; numpy writes its entries in any order.
var (
	descrPattern = regexp.MustCompile(`'descr':\s*'([<>|=]?)([a-zA-Z])(\d*)(\[\w*\])?'`)
	orderPattern = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapePattern = regexp.MustCompile(`'shape':\s*\(([\d, ]*)\)`)
)

// header reads the header of an .npy file, versions 1 to 3. It refuses more than maxRows rows
// and texts of more than maxText characters. read is its length; the array has no data yet.
func header(r io.Reader, maxRows, maxText int) (a Array, read int, err error) {
	fail := func(format string, args ...any) (Array, int, error) { return a, 0, fmt.Errorf(format, args...) }

	// The beginning: a mark, the version, and the length of the header.
	const cut = "its header is cut off"
	b := make([]byte, 10)
	if _, err := io.ReadFull(r, b); err != nil || string(b[:6]) != "\x93NUMPY" {
		return fail("no NumPy array")
	}
	length := int(binary.LittleEndian.Uint16(b[8:]))
	if b[6] > 1 {
		b = append(b, 0, 0)
		if _, err := io.ReadFull(r, b[10:]); err != nil {
			return fail(cut)
		}
		length = int(binary.LittleEndian.Uint32(b[8:]))
	}
	if length > 1<<16 {
		return fail(cut)
	}
	read = len(b) + length
	b = make([]byte, length)
	if _, err := io.ReadFull(r, b); err != nil {
		return fail(cut)
	}

	// The type of the elements.
	text := string(b)
	descr, order, shape := descrPattern.FindStringSubmatch(text), orderPattern.FindStringSubmatch(text), shapePattern.FindStringSubmatch(text)
	switch {
	case strings.Contains(text, "'descr': ["):
		return fail("it is structured: its elements have named fields; save it as CSV: " +
			"pandas.DataFrame(X).to_csv('table.csv', index=False)")
	case descr == nil || order == nil || shape == nil:
		return fail("its header cannot be read: %.40q", text)
	case descr[2] == "M" || descr[2] == "m":
		return fail("it holds dates or times; make numbers of them, for example by: X.astype('datetime64[s]').astype(float)")
	case descr[2] == "O":
		return fail("it holds Python objects, which are not read; convert it with astype(float) or astype(str)")
	}
	a = Array{Kind: descr[2][0], order: binary.LittleEndian, cols: order[1] == "True"}
	if descr[1] == ">" {
		a.order = binary.BigEndian
	}
	a.Size, _ = strconv.Atoi(descr[3])
	sizes := map[byte][]int{'f': {2, 4, 8}, 'i': {1, 2, 4, 8}, 'u': {1, 2, 4, 8}, 'b': {1}}
	isText := a.IsText() && a.Size > 0 && a.Size <= maxText
	if !isText && !slices.Contains(sizes[a.Kind], a.Size) {
		return fail("its type %c%s is not read; convert it with astype(float) or astype(str)", a.Kind, descr[3])
	}
	if a.Kind == 'U' {
		a.Size *= 4
	}

	a.Shape, err = shapeOf(shape[1], maxRows)
	return a, read, err
}

// shapeOf reads the shape of an array, such as "3, 4" and "3,".
func shapeOf(text string, maxRows int) (shape []int, err error) {
	for field := range strings.SplitSeq(text, ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		n, err := strconv.Atoi(field)
		switch {
		case err != nil:
			return nil, fmt.Errorf("its shape (%s) is too large", text)
		case len(shape) == 0 && n > maxRows:
			return nil, fmt.Errorf("it has %d rows, at most %d are possible; save fewer, for example: X[:100000], y[:100000]", n, maxRows)
		}
		shape = append(shape, n)
	}
	return shape, nil
}

// sizes returns the bytes of the data and of the memory for the elements; ok is false if
// either exceeds most.
func (a Array) sizes(most int) (data, memory int, ok bool) {
	n := 1
	for _, dimension := range a.Shape {
		if n > most/max(dimension, 1) {
			return 0, 0, false
		}
		n *= dimension
	}
	size := max(a.Size, 8)
	return n * a.Size, n * size, n <= most/size
}

// IsText reports whether the elements are texts.
func (a Array) IsText() bool { return a.Kind == 'U' || a.Kind == 'S' }

// Len returns the number of elements.
func (a Array) Len() int { return len(a.data) / a.Size }

// at returns the bytes of element (i, j); j is 0 in an array of one dimension.
func (a Array) at(i, j int) []byte {
	n := i
	if len(a.Shape) == 2 {
		n = i*a.Shape[1] + j
		if a.cols {
			n = j*a.Shape[0] + i
		}
	}
	return a.data[n*a.Size : (n+1)*a.Size]
}

// Numbers returns the elements of an array of numbers, row by row.
func (a Array) Numbers() []float64 {
	rows, columns := a.Len(), 1
	if len(a.Shape) == 2 {
		rows, columns = a.Shape[0], a.Shape[1]
	}
	all := make([]float64, 0, a.Len())
	for i := range rows {
		for j := range columns {
			v, _ := a.Number(i, j)
			all = append(all, v)
		}
	}
	return all
}

// Number returns element (i, j) of an array of numbers; exact is false for an integer that
// float64 rounds.
func (a Array) Number(i, j int) (v float64, exact bool) {
	b := a.at(i, j)
	switch {
	case a.Kind == 'f' && a.Size == 8:
		return math.Float64frombits(a.order.Uint64(b)), true
	case a.Kind == 'f' && a.Size == 2:
		return half(a.order.Uint16(b)), true
	case a.Kind == 'f':
		return float64(math.Float32frombits(a.order.Uint32(b))), true
	case a.Kind == 'i':
		n := a.signed(b)
		v = float64(n)
		return v, n >= -ExactIntegers && n <= ExactIntegers || v < math.MaxInt64 && int64(v) == n
	}
	n := a.unsigned(b)
	v = float64(n)
	return v, n <= ExactIntegers || v < math.MaxUint64 && uint64(v) == n
}

// half is a number of IEEE 754 in 16 bits: a sign, 5 bits of exponent and 10 of fraction.
func half(bits uint16) float64 {
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	v := math.Ldexp(1+fraction/1024, exponent-15)
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, -24)
	case exponent == 0x1f && fraction == 0:
		v = math.Inf(1)
	case exponent == 0x1f:
		v = math.NaN()
	}
	if bits>>15 == 1 {
		return -v
	}
	return v
}

func (a Array) unsigned(b []byte) uint64 {
	switch a.Size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(a.order.Uint16(b))
	case 4:
		return uint64(a.order.Uint32(b))
	}
	return a.order.Uint64(b)
}

func (a Array) signed(b []byte) int64 {
	shift := 64 - 8*a.Size
	return int64(a.unsigned(b)<<shift) >> shift
}

// Text returns element i as a text; ok is false if it is not one.
func (a Array) Text(i int) (text string, ok bool) {
	b := a.at(i, 0)
	switch a.Kind {
	case 'U':
		var s strings.Builder
		for ; len(b) >= 4; b = b[4:] {
			if r := rune(a.order.Uint32(b)); r != 0 {
				s.WriteRune(r)
			}
		}
		text = s.String()
	case 'S':
		text = strings.ToValidUTF8(string(bytes.TrimRight(b, "\x00")), string(utf8.RuneError))
	case 'b':
		text = strconv.FormatBool(b[0] != 0)
	case 'i':
		text = strconv.FormatInt(a.signed(b), 10)
	case 'u':
		text = strconv.FormatUint(a.unsigned(b), 10)
	default:
		v, _ := a.Number(i, 0)
		return strconv.FormatFloat(v, 'f', -1, 64), !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return text, text != ""
}
