package external

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// located returns a command ready to be run in any directory, and the names
// and digests of the files that it consists of.
//
// An argument that starts with ./ or ../ is a file or folder, which must be
// there; the path starts at folder, that of the spec. So does a program that is
// given by a path. Other arguments are passed on as they are, and a plain name
// of a program is looked up in PATH. Digests are taken of all files given by a
// path; where there is none, of the program found in PATH. A file that cannot
// be read has none.
func located(command []string, folder string) (argv []string, program string, err error) {
	argv = slices.Clone(command)
	var files []string
	for i, arg := range command {
		if !isPath(arg, i == 0) {
			continue
		}
		if !filepath.IsAbs(arg) {
			if argv[i], err = beside(folder, arg); err != nil {
				return nil, "", fmt.Errorf("command: %w", err)
			}
		}
		files = appendDigest(files, arg, argv[i])
	}
	if len(files) == 0 {
		if found, err := exec.LookPath(argv[0]); err == nil {
			files = appendDigest(files, argv[0], found)
		}
	}
	return argv, strings.Join(files, ", "), nil
}

// isPath tells whether an argument of a command is taken for a path.
func isPath(arg string, first bool) bool {
	return strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") || filepath.IsAbs(arg) ||
		first && strings.Contains(arg, "/")
}

// beside returns the absolute path of a file that a spec in folder names.
func beside(folder, name string) (string, error) {
	path, err := filepath.Abs(filepath.Join(folder, name))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no %s; paths in a command start at the folder of the spec", filepath.Join(folder, name))
	}
	return path, nil
}

// appendDigest adds "name digest" when path is a file that can be read.
func appendDigest(files []string, name, path string) []string {
	if sum, err := fileDigest(path); err == nil {
		files = append(files, name+" "+sum)
	}
	return files
}

// A fileVersion is a file as it was at some time.
type fileVersion struct {
	path     string
	size     int64
	modified time.Time
}

// fileDigests remembers digests: a program is looked at for every setting of
// every data set.
var fileDigests sync.Map // of string by fileVersion

// fileDigest returns the start of the SHA-256 of a regular file, in hex.
func fileDigest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", path)
	}
	version := fileVersion{path, info.Size(), info.ModTime()}
	if sum, ok := fileDigests.Load(version); ok {
		return sum.(string), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	sum := fmt.Sprintf("%x", hash.Sum(nil)[:8])
	fileDigests.Store(version, sum)
	return sum, nil
}
