package fit

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/codecs"
	"r2lmlbench/r2lml"
)

// arrays lists the arrays of a model file, in order, with pointers into the model. columns is
// the JSON of its columns.
func (m *Model) arrays(columns *string) []array {
	return []array{
		{"L", &m.L}, {"mean", &m.Mean}, {"scale", &m.Scale}, {"features", &m.Features}, {"classes", &m.Classes},
		{"X", &m.X}, {"y", &m.Y}, {"neighbors", &m.Neighbors}, {"weights", &m.Weights}, {"columns", columns}, {"provenance", &m.Provenance},
	}
}

// An array has a name, and a pointer to a matrix, a list of numbers or texts, or one of these.
type array struct {
	name  string
	value any
}

// Write writes a model as numpy.savez does: arrays L (P×D), mean, scale (D), features,
// classes, weights, columns and provenance (texts; the last two are JSON), X (N×D), y and
// neighbors. numpy.load reads it.
func (m *Model) Write(w io.Writer) error {
	b, err := json.Marshal(m.Columns)
	if err != nil {
		return err
	}
	z, columns := zip.NewWriter(w), string(b)
	for _, a := range m.arrays(&columns) {
		kind, shape, data := a.written()
		file, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := file.Write(header(kind, shape)); err != nil {
			return err
		}
		if err := binary.Write(file, binary.LittleEndian, data); err != nil {
			return err
		}
	}
	return z.Close()
}

// written returns the numpy type of an array, its shape, and its elements.
func (a array) written() (kind, shape string, data any) {
	switch v := a.value.(type) {
	case **mat.Dense:
		rows, columns := (*v).Dims()
		return "<f8", fmt.Sprintf("(%d, %d)", rows, columns), values(*v)
	case *[]float64:
		return "<f8", fmt.Sprintf("(%d,)", len(*v)), *v
	case *[]int:
		whole := make([]int64, len(*v))
		for i, n := range *v {
			whole[i] = int64(n)
		}
		return "<i8", fmt.Sprintf("(%d,)", len(*v)), whole
	case *int:
		return "<i8", "()", int64(*v)
	case *[]string:
		kind, runes := runes(*v)
		return kind, fmt.Sprintf("(%d,)", len(*v)), runes
	}
	kind, runes := runes([]string{*a.value.(*string)})
	return kind, "()", runes
}

// values returns the entries of a matrix, row by row.
func values(m *mat.Dense) []float64 {
	rows, _ := m.Dims()
	var all []float64
	for i := range rows {
		all = append(all, m.RawRowView(i)...)
	}
	return all
}

// header returns a header of version 1 of the npy format; its length is a multiple of 64.
func header(kind, shape string) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	for (10+len(text)+1)%64 != 0 {
		text += " "
	}
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)+1), byte((len(text)+1)>>8))
	return append(b, text+"\n"...)
}

// runes returns texts in the form of numpy: all of one length, in UTF-32, padded with 0.
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
	maxRows = 2_000_000
	maxText = 1 << 20 // characters
)

// Read reads a model of Write. It fails if the file has anything else.
func Read(b []byte) (*Model, error) {
	m := &Model{}
	if err := m.read(b); err != nil {
		return nil, fmt.Errorf("not a model: %w", err)
	}
	return m, nil
}

func (m *Model) read(b []byte) error {
	z, err := codecs.Open(b, codecs.Memory(len(b)))
	if err != nil {
		return err
	}
	columns := ""
	arrays := m.arrays(&columns)
	for _, name := range z.Names {
		if !slices.ContainsFunc(arrays, func(a array) bool { return a.name == name }) {
			return fmt.Errorf("array %.40q: models have no such array", name)
		}
	}
	for _, a := range arrays {
		if slices.Contains([]string{"weights", "columns", "provenance"}, a.name) && !slices.Contains(z.Names, a.name) {
			continue // a model by another program, or by an older version
		}
		content, err := z.Read(a.name, maxRows, maxText)
		if err != nil {
			return err
		}
		if err := a.take(content); err != nil {
			return fmt.Errorf("array %s: %w", a.name, err)
		}
	}
	if err := json.Unmarshal([]byte(cmp.Or(columns, "null")), &m.Columns); err != nil {
		return fmt.Errorf("array columns: %w", err)
	}
	if m.Columns == nil {
		for _, name := range m.Features {
			m.Columns = append(m.Columns, EncodedColumn{Name: name})
		}
	}
	return m.check()
}

// take copies the content of an array into the model.
func (a array) take(c codecs.Array) (err error) {
	switch to := a.value.(type) {
	case **mat.Dense:
		var all []float64
		if all, err = numbers(c, 2); err == nil {
			*to = mat.NewDense(c.Shape[0], c.Shape[1], all)
		}
	case *[]float64:
		*to, err = numbers(c, 1)
	case *[]int:
		*to, err = integers(c, 1)
	case *int:
		var one []int
		if one, err = integers(c, 0); err == nil {
			*to = one[0]
		}
	case *[]string:
		*to, err = texts(c, 1)
	case *string:
		var one []string
		if one, err = texts(c, 0); err == nil {
			*to = one[0]
		}
	}
	return err
}

// fits refuses an array with other dimensions, of another kind, or without elements.
func fits(c codecs.Array, dimensions int, text bool) error {
	if len(c.Shape) != dimensions || c.IsText() != text || c.Len() == 0 {
		return fmt.Errorf("its type %c or its shape %v is not that of a model", c.Kind, c.Shape)
	}
	return nil
}

func numbers(c codecs.Array, dimensions int) ([]float64, error) {
	if err := fits(c, dimensions, false); err != nil {
		return nil, err
	}
	all := c.Numbers()
	if slices.ContainsFunc(all, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil, errors.New("a number is not finite")
	}
	return all, nil
}

func integers(c codecs.Array, dimensions int) ([]int, error) {
	all, err := numbers(c, dimensions)
	whole := make([]int, len(all))
	for i, v := range all {
		if v != math.Trunc(v) || math.Abs(v) > codecs.ExactIntegers {
			return nil, fmt.Errorf("%g is no whole number", v)
		}
		whole[i] = int(v)
	}
	return whole, err
}

func texts(c codecs.Array, dimensions int) ([]string, error) {
	if err := fits(c, dimensions, true); err != nil {
		return nil, err
	}
	all := make([]string, c.Len())
	for i := range all {
		all[i], _ = c.Text(i)
	}
	return all, nil
}

// check reports arrays that do not fit together.
func (m *Model) check() error {
	n, d := m.X.Dims()
	_, mapped := m.L.Dims()
	switch {
	case mapped != d || len(m.Mean) != d || len(m.Scale) != d || len(m.Features) != d:
		return fmt.Errorf("arrays L, mean, scale, features and X have %d, %d, %d, %d and %d columns", mapped, len(m.Mean), len(m.Scale), len(m.Features), d)
	case !slices.Equal(FeatureNames(m.Columns), m.Features):
		return errors.New("its columns do not make its features")
	case slices.Contains(m.Scale, 0):
		return errors.New("array scale: the scale of a feature is 0")
	case len(m.Y) != n:
		return fmt.Errorf("array y: %d labels of the %d rows of X", len(m.Y), n)
	case m.Weights != "" && m.Weights != r2lml.UniformWeights && m.Weights != r2lml.DistanceWeights:
		return fmt.Errorf("weights is %.40q, want %s or %s", m.Weights, r2lml.UniformWeights, r2lml.DistanceWeights)
	case m.Neighbors < 1 || m.Neighbors > n:
		return fmt.Errorf("neighbors is %d, want a number from 1 to the %d rows of X", m.Neighbors, n)
	}
	for _, code := range m.Y {
		if code < 1 || code > len(m.Classes) {
			return fmt.Errorf("array y: class %d of %d", code, len(m.Classes))
		}
	}
	return nil
}
