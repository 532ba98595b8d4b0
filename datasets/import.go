package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/codecs"
	"r2lmlbench/internal/files"
)

const (
	importedDir = "imported"
	matSuffix   = ".mat"
	maxImport   = 256 << 20 // largest size of an imported split, in bytes
)

// FileName matches the valid names of imported splits and own data: they become parts of file
// names.
var FileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Import copies a split in the form of the authors' files, see
// [ReadAuthorSplit], into the library as <Dir>/imported/<name>.mat; specs name it
// "mat:<name>". If name is "", it is that of the file without .mat. Names have up
// to 64 letters, digits, dots, hyphens and underlines and begin with a letter or
// digit. Importing the same file again is no error; another file under a used name
// is. Import returns the entry of the split.
func Import(l Library, path, name string) (DataSet, error) {
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(path), matSuffix)
	}
	if err := checkImportName(name); err != nil {
		return DataSet{}, err
	}
	b, err := readFile(path, maxImport)
	if err != nil {
		return DataSet{}, fmt.Errorf("import: %w", err)
	}
	s, err := ReadAuthorSplit(b)
	if err != nil {
		return DataSet{}, fmt.Errorf("import %s: %w", path, err)
	}
	to := l.importPath(name)
	switch there, err := readFile(to, maxImport); {
	case errors.Is(err, fs.ErrNotExist):
		if err := files.Write(to, b); err != nil {
			return DataSet{}, fmt.Errorf("import %s: %w", path, err)
		}
	case err != nil:
		return DataSet{}, fmt.Errorf("import %s: %w", path, err)
	case !bytes.Equal(there, b):
		return DataSet{}, fmt.Errorf("import %s: %s holds another split; choose another name, or remove that file", path, to)
	}
	return s.Known(DataSet{ID: "mat:" + name, Name: name}), nil
}

// OpenImported reads an imported split by its name, with or without "mat:".
// The error wraps [ErrMissing] or [ErrCorrupt].
func (l Library) OpenImported(name string) (*Split, error) {
	name = strings.TrimPrefix(name, "mat:")
	if err := checkImportName(name); err != nil {
		return nil, err
	}
	path := l.importPath(name)
	b, err := readFile(path, maxImport)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("datasets: %s: %w; import it with: data import FILE.mat", path, ErrMissing)
	}
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	s, err := ReadAuthorSplit(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrCorrupt, err)
	}
	return s, nil
}

// ImportedNames returns the names of the imported splits, without "mat:", in
// alphabetical order.
func (l Library) ImportedNames() []string {
	files, _ := os.ReadDir(filepath.Join(l.Dir, importedDir)) // none if it is not there
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), matSuffix); ok && checkImportName(name) == nil {
			names = append(names, name)
		}
	}
	return names
}

func (l Library) importPath(name string) string {
	return filepath.Join(l.Dir, importedDir, name+matSuffix)
}

func checkImportName(name string) error {
	if !FileName.MatchString(name) {
		return fmt.Errorf("datasets: %q cannot name an import: want letters, digits, dots, hyphens, underlines, a letter or digit first", name)
	}
	return nil
}

// ReadAuthorSplit reads a split in the form of the three splits that the paper's
// authors published: a MAT-file with the matrices train_data, cross_data
// (validation) and test_data, (D+1)×N each, one sample per column, its class code
// 1..C in the last row. C is the greatest code of train_data.
//
// Rows of the result are the columns of the three matrices, from 0. Digest is
// over the content: the SHA-256 in hex of the number of classes and, for each
// part in the order train, validation, test, what Data.Digest hashes of rows.
func ReadAuthorSplit(b []byte) (*Split, error) {
	arrays, err := codecs.ReadMAT(b)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	s := &Split{}
	classes := 0
	for p, part := range []*Samples{&s.Train, &s.Validation, &s.Test} {
		name := []string{"train_data", "cross_data", "test_data"}[p]
		a, ok := arrays[name]
		if !ok {
			return nil, fmt.Errorf("datasets: the file has no real matrix %s", name)
		}
		if *part, err = columnSamples(a); err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		for i := range part.Y {
			s.Rows[p] = append(s.Rows[p], i)
		}
		// The training part has a sample of each class; the other parts have its features and classes.
		_, want := s.Train.X.Dims()
		_, got := part.X.Dims()
		greatest := slices.Max(part.Y)
		if p == 0 {
			classes = len(slices.Compact(slices.Sorted(slices.Values(part.Y))))
		}
		switch {
		case p == 0 && classes != greatest:
			return nil, fmt.Errorf("datasets: %s: codes run to %d, but only %d classes have a sample", name, greatest, classes)
		case got != want:
			return nil, fmt.Errorf("datasets: %s: %d features, train_data has %d", name, got, want)
		case greatest > classes:
			return nil, fmt.Errorf("datasets: %s: class %d does not occur in train_data", name, greatest)
		}
	}
	s.Digest = contentDigest(fmt.Appendf(nil, "classes %d\n", classes), s.Train, s.Validation, s.Test)
	return s, nil
}

// columnSamples converts columns whose last entry is a label into samples.
func columnSamples(a codecs.Matrix) (Samples, error) {
	d := a.Rows - 1
	if d < 1 || a.Cols < 1 {
		return Samples{}, fmt.Errorf("%d x %d, want at least one feature, a label and one sample", a.Rows, a.Cols)
	}
	s := Samples{X: mat.NewDense(a.Cols, d, nil), Y: make([]int, a.Cols)}
	for i := range s.Y {
		column := a.Data[i*a.Rows : (i+1)*a.Rows]
		for j, v := range column[:d] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return Samples{}, fmt.Errorf("column %d: feature %d is not finite", i+1, j+1)
			}
		}
		s.X.SetRow(i, column[:d])
		label := column[d]
		if label != math.Trunc(label) || label < 1 || label > math.MaxInt32 {
			return Samples{}, fmt.Errorf("column %d: label %v is no class code, want 1, 2, ... in the last row", i+1, label)
		}
		s.Y[i] = int(label)
	}
	return s, nil
}
