package datasets

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
)

// included has the files of Ionosphere, Glass and Sonar, so that some rows of the
// paper's table can be computed without a download. included/README.md says where they
// are from and under which licence they are.
//
//go:embed included/*.gz
var included embed.FS

// readIncluded returns the uncompressed bytes of a file that is part of the program, and
// an error that is fs.ErrNotExist for others.
func readIncluded(f File) ([]byte, error) {
	packed, err := included.ReadFile("included/" + f.Name + ".gz")
	if err != nil {
		return nil, err
	}
	return readGzip(bytes.NewReader(packed), f.limit())
}

// Included tells whether all files of a set are part of the program.
func (e Entry) Included() bool {
	for _, f := range e.Files {
		if _, err := readIncluded(f); errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return len(e.Files) > 0
}
