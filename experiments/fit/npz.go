package fit

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// Write writes a model as numpy.savez does: arrays L (P×D), mean, scale (D), features,
// classes and provenance (texts), X (N×D), y and neighbors. numpy.load reads it.
func (m *Model) Write(w io.Writer) error {
	z := zip.NewWriter(w)
	n, d := m.X.Dims()
	p, _ := m.L.Dims()
	y, k := make([]int64, len(m.Y)), []int64{int64(m.Neighbors)}
	for i, code := range m.Y {
		y[i] = int64(code)
	}
	for _, a := range []struct {
		name, kind, shape string
		data              any
	}{
		{"L", "<f8", fmt.Sprintf("(%d, %d)", p, d), values(m.L)},
		{"mean", "<f8", fmt.Sprintf("(%d,)", d), m.Mean},
		{"scale", "<f8", fmt.Sprintf("(%d,)", d), m.Scale},
		{"features", "", fmt.Sprintf("(%d,)", len(m.Features)), m.Features},
		{"classes", "", fmt.Sprintf("(%d,)", len(m.Classes)), m.Classes},
		{"X", "<f8", fmt.Sprintf("(%d, %d)", n, d), values(m.X)},
		{"y", "<i8", fmt.Sprintf("(%d,)", n), y},
		{"neighbors", "<i8", "()", k},
		{"provenance", "", "()", []string{m.Provenance}},
	} {
		file, err := z.Create(a.name + ".npy")
		if err != nil {
			return err
		}
		data := a.data
		if texts, ok := a.data.([]string); ok {
			a.kind, data = runes(texts)
		}
		if _, err := file.Write(header(a.kind, a.shape)); err != nil {
			return err
		}
		if err := binary.Write(file, binary.LittleEndian, data); err != nil {
			return err
		}
	}
	return z.Close()
}

// values are the entries of a matrix, row by row.
func values(m *mat.Dense) []float64 {
	rows, _ := m.Dims()
	var all []float64
	for i := range rows {
		all = append(all, m.RawRowView(i)...)
	}
	return all
}

// header is that of version 1 of the npy format: its length is a multiple of 64.
func header(kind, shape string) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	for (10+len(text)+1)%64 != 0 {
		text += " "
	}
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)+1), byte((len(text)+1)>>8))
	return append(b, text+"\n"...)
}

// runes are texts as numpy keeps them: all of one length, in UTF-32, padded with 0.
func runes(texts []string) (kind string, all []int32) {
	longest := 1
	for _, s := range texts {
		longest = max(longest, utf8.RuneCountInString(s))
	}
	for _, s := range texts {
		field := make([]int32, longest)
		copy(field, []rune(s))
		all = append(all, field...)
	}
	return "<U" + strconv.Itoa(longest), all
}

var (
	descrPattern = regexp.MustCompile(`'descr': '(<f8|<i8|<U[0-9]+)', 'fortran_order': False, 'shape': \(([0-9]*)(?:, ?([0-9]*))?\)`)
	maxEntries   = 1 << 27
)

// Read reads what Write wrote. Other files are an error.
func Read(r io.ReaderAt, size int64) (*Model, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("not a model: %w", err)
	}
	m := &Model{}
	for _, f := range z.File {
		if err := m.take(f); err != nil {
			return nil, fmt.Errorf("not a model: %s: %w", f.Name, err)
		}
	}
	return m, m.check()
}

// take reads one array.
func (m *Model) take(f *zip.File) error {
	file, err := f.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 10)
	if _, err := io.ReadFull(file, head); err != nil {
		return err
	}
	text := make([]byte, binary.LittleEndian.Uint16(head[8:]))
	if _, err := io.ReadFull(file, text); err != nil {
		return err
	}
	found := descrPattern.FindSubmatch(text)
	if found == nil || !bytes.HasPrefix(head, []byte("\x93NUMPY\x01")) {
		return fmt.Errorf("header %q is not one that this program writes", text)
	}
	rows, cols := 1, 1
	for i, to := range []*int{&rows, &cols} {
		if len(found[i+2]) > 0 {
			if *to, err = strconv.Atoi(string(found[i+2])); err != nil || *to < 0 || *to > maxEntries {
				return fmt.Errorf("shape %q", found[0])
			}
		}
	}
	kind := string(found[1])
	entries, width := rows*cols, 8
	length, isText := 0, kind[1] == 'U'
	if isText {
		if length, err = strconv.Atoi(kind[2:]); err != nil || length > 1<<20 {
			return fmt.Errorf("texts of the length %s", kind[2:])
		}
		width = 4 * length
	}
	if rows > 0 && cols > maxEntries/rows || int64(entries)*int64(width) > int64(f.UncompressedSize64) {
		return fmt.Errorf("it says %d x %d entries and has %d bytes", rows, cols, f.UncompressedSize64)
	}
	raw := make([]byte, entries*width)
	if _, err := io.ReadFull(file, raw); err != nil {
		return err
	}
	var numbers []float64
	var texts []string
	for i := range entries {
		one := raw[i*width : (i+1)*width]
		switch {
		case isText:
			var s []rune
			for j := range length {
				if r := rune(binary.LittleEndian.Uint32(one[4*j:])); r != 0 {
					s = append(s, r)
				}
			}
			texts = append(texts, string(s))
		case kind == "<i8":
			numbers = append(numbers, float64(int64(binary.LittleEndian.Uint64(one))))
		default:
			numbers = append(numbers, math.Float64frombits(binary.LittleEndian.Uint64(one)))
		}
	}
	return m.set(f.Name, rows, cols, numbers, texts)
}

// set puts an array in its place. Arrays of other names are left out.
func (m *Model) set(name string, rows, cols int, numbers []float64, texts []string) error {
	matrix := func() *mat.Dense {
		if rows == 0 || cols == 0 || len(numbers) != rows*cols {
			return nil
		}
		return mat.NewDense(rows, cols, numbers)
	}
	switch name {
	case "L.npy":
		m.L = matrix()
	case "X.npy":
		m.X = matrix()
	case "mean.npy":
		m.Mean = numbers
	case "scale.npy":
		m.Scale = numbers
	case "features.npy":
		m.Features = texts
	case "classes.npy":
		m.Classes = texts
	case "y.npy":
		for _, v := range numbers {
			m.Y = append(m.Y, int(v))
		}
	case "neighbors.npy":
		if len(numbers) == 1 {
			m.Neighbors = int(numbers[0])
		}
	case "provenance.npy":
		if len(texts) == 1 {
			m.Provenance = texts[0]
		}
	}
	return nil
}

// check reports arrays that are missing or do not fit together.
func (m *Model) check() error {
	if m.L == nil || m.X == nil {
		return fmt.Errorf("not a model: it has no arrays L and X")
	}
	n, d := m.X.Dims()
	_, mapped := m.L.Dims()
	switch {
	case mapped != d || len(m.Mean) != d || len(m.Scale) != d || len(m.Features) != d:
		return fmt.Errorf("not a model: L, mean, scale, features and X have %d, %d, %d, %d and %d columns", mapped, len(m.Mean), len(m.Scale), len(m.Features), d)
	case len(m.Y) != n || m.Neighbors < 1:
		return fmt.Errorf("not a model: %d labels of %d samples, k is %d", len(m.Y), n, m.Neighbors)
	}
	for _, of := range [][]float64{values(m.L), m.Mean, m.Scale} {
		if slices.ContainsFunc(of, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			return fmt.Errorf("not a model: L, mean or scale is not finite")
		}
	}
	if slices.Contains(m.Scale, 0) {
		return fmt.Errorf("not a model: a feature has scale 0")
	}
	for _, code := range m.Y {
		if code < 1 || code > len(m.Classes) {
			return fmt.Errorf("not a model: class %d of %d", code, len(m.Classes))
		}
	}
	return nil
}
