package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"r2lmlbench/internal/atomicfile"
)

const (
	importedDir = "imported"
	matSuffix   = ".mat"
	maxImport   = 256 << 20 // bytes of a split that may be imported
)

// importName is what an imported split may be called: it becomes the name of a
// file, in specs too.
var importName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Import takes a split in the form of the authors' files, see
// [ReadAuthorSplit], into the library as <Dir>/imported/<name>.mat, where specs
// find it as "mat:<name>". An empty name stands for that of the file without
// .mat. Names are up to 64 letters, digits, dots, hyphens and underlines, the
// first a letter or digit. The same file may be imported again, another one
// under a name in use is refused. The entry says what the split holds.
func Import(l Library, path, name string) (Entry, error) {
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(path), matSuffix)
	}
	if err := checkImportName(name); err != nil {
		return Entry{}, err
	}
	b, err := readFile(path, "", maxImport)
	if err != nil {
		return Entry{}, fmt.Errorf("import: %w", err)
	}
	s, err := ReadAuthorSplit(b)
	if err != nil {
		return Entry{}, fmt.Errorf("import %s: %w", path, err)
	}
	to := l.importPath(name)
	switch there, err := readFile(to, "", maxImport); {
	case errors.Is(err, fs.ErrNotExist):
		if err := atomicfile.Write(to, b); err != nil {
			return Entry{}, fmt.Errorf("import %s: %w", path, err)
		}
	case err != nil:
		return Entry{}, fmt.Errorf("import %s: %w", path, err)
	case !bytes.Equal(there, b):
		return Entry{}, fmt.Errorf("import %s: %s holds another split; choose another name, or remove that file", path, to)
	}
	return s.Known(Entry{ID: "mat:" + name, Name: name}), nil
}

// OpenImported reads an imported split by its name, with or without "mat:".
// The error wraps [ErrMissing] or [ErrCorrupt].
func (l Library) OpenImported(name string) (*Split, error) {
	name = strings.TrimPrefix(name, "mat:")
	if err := checkImportName(name); err != nil {
		return nil, err
	}
	path := l.importPath(name)
	b, err := readFile(path, "", maxImport)
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
	if !importName.MatchString(name) {
		return fmt.Errorf("datasets: %q cannot name an import: want letters, digits, dots, hyphens, underlines, a letter or digit first", name)
	}
	return nil
}
