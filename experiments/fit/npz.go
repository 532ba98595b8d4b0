package fit

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/npy"
)

// Write writes a model as numpy.savez does: arrays L (P×D), mean, scale (D), features,
// classes, columns and provenance (texts; the last two are JSON), X (N×D), y and neighbors.
// numpy.load reads it.
func (m *Model) Write(w io.Writer) error {
	columns, err := json.Marshal(m.Columns)
	if err != nil {
		return err
	}
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
		{"columns", "", "()", []string{string(columns)}},
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

// Bounds of a model that is read.
const (
	maxBytes = 256 << 20 // of an array
	maxRows  = 1 << 27
	maxText  = 1 << 20 // characters
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
	if m.Columns == nil { // of a model that knew numbers only
		for _, name := range m.Features {
			m.Columns = append(m.Columns, Column{Name: name})
		}
	}
	return m, m.check()
}

// take puts one array in its place. Arrays of other names are left out.
func (m *Model) take(f *zip.File) error {
	file, err := f.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	a, err := npy.Read(file, maxBytes, maxRows, maxText)
	if err != nil {
		return err
	}
	var numbers []float64
	var texts []string
	rows, cols := a.Len(), 1
	if len(a.Shape) == 2 {
		rows, cols = a.Shape[0], a.Shape[1]
	}
	for i := range rows {
		for j := range cols {
			if a.IsText() {
				text, _ := a.Text(i)
				texts = append(texts, text)
			} else {
				v, _ := a.Number(i, j)
				numbers = append(numbers, v)
			}
		}
	}
	matrix := func() *mat.Dense {
		if rows == 0 || cols == 0 || len(numbers) != rows*cols {
			return nil
		}
		return mat.NewDense(rows, cols, numbers)
	}
	switch f.Name {
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
	case "columns.npy":
		if len(texts) == 1 {
			return json.Unmarshal([]byte(texts[0]), &m.Columns)
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
	case !slices.Equal(FeatureNames(m.Columns), m.Features):
		return fmt.Errorf("not a model: its columns do not make its features")
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
