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

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/files"
)

// A program is what a command consists of.
//
// Its files are run where they lie, and are compared with their digests before
// and after each fit. A copy of them in the directory of the fit would be safe
// from edits, but a script finds its modules and data beside itself, where a copy
// has none.
type program struct {
	argv    []string // the command, its paths made absolute
	path    string   // of the program; a plain name is looked up in PATH at the fit
	files   []file
	missing error // why a program that is known by its name alone was not found
}

// A file is one that a command names or that its program depends on, as it was when the run
// was planned.
type file struct {
	name   string // in the spec
	path   string
	digest string // "" when it cannot be read or is not there
}

// largestFile is how large a file of a command may be, in bytes: it is read
// twice for every fit. A language that is one large program fits in.
const largestFile = 256 << 20

// located looks up what a command consists of.
//
// An argument that starts with ./ or ../ is a regular file, which must be there;
// the path starts at folder, that of the spec. So does a program that is given
// by a path. Other arguments are passed on as they are, and a plain name of a
// program is looked up in PATH. Digests are taken of all files given by a path;
// where there is none, of the program found in PATH. A file that cannot be read
// has none, and neither has an absolute path where nothing is. The files that a program
// depends on are added, and must be there.
func located(command []string, folder string, depends []string) (p program, err error) {
	p.argv = slices.Clone(command)
	for i, arg := range command {
		relative := strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") || i == 0 && strings.Contains(arg, "/")
		if !filepath.IsAbs(arg) && !relative {
			continue
		}
		if !filepath.IsAbs(arg) {
			file := filepath.Join(folder, arg)
			if p.argv[i], err = filepath.Abs(file); err != nil {
				return p, fmt.Errorf("command: %w", err)
			}
			if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
				return p, fmt.Errorf("command: there is no %s; paths in a command start at the folder of the spec", file)
			}
		}
		if err := p.add(arg, p.argv[i]); err != nil {
			return p, fmt.Errorf("command: %w", err)
		}
	}
	if p.path = p.argv[0]; p.digests() == "" {
		if found, err := exec.LookPath(p.path); err != nil {
			p.missing = err
		} else {
			p.path = found
			if err := p.add(p.argv[0], found); err != nil {
				return p, fmt.Errorf("command: %w", err)
			}
		}
	}
	for _, name := range depends {
		if err := p.depend(folder, name); err != nil {
			return p, err
		}
	}
	return p, nil
}

// add takes the digest of a file. It refuses what is no regular file or too large.
func (p *program) add(name, path string) error {
	sum, err := knownDigest(path)
	switch {
	case errors.Is(err, errIrregular):
		return fmt.Errorf("%s is %w; name regular files, whose content is part of the cell's key; anything else can be a parameter of the program", name, err)
	case errors.Is(err, errLarge):
		return fmt.Errorf("%s is %w", name, err)
	}
	p.files = append(p.files, file{name, path, sum})
	return nil
}

// depend adds a file that a program depends on.
func (p *program) depend(folder, name string) error {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, name)
	}
	path, err := filepath.Abs(path)
	if err == nil {
		err = p.add(name, path)
	}
	if err == nil && p.files[len(p.files)-1].digest == "" {
		if _, err = digest(path); errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("there is no %s; a path starts at the folder of the spec", path)
		}
	}
	if err != nil {
		return fmt.Errorf("depends: %w", err)
	}
	return nil
}

// digests are the names and digests of the files, for the key of a cell.
func (p program) digests() string {
	var words []string
	for _, f := range p.files {
		if f.digest != "" {
			words = append(words, f.name+" "+f.digest)
		}
	}
	return strings.Join(words, ", ")
}

// unchanged returns an error when a file has another content than when the run was planned.
func (p program) unchanged() error {
	for _, f := range p.files {
		if sum, _ := digest(f.path); sum != f.digest { // what cannot be read has none
			return changed(f.name + " has changed since the run was planned")
		}
	}
	return nil
}

// changed is the failure of a fit whose program is not the one of its cell. It is
// transient, since it says nothing about the program that was planned.
func changed(what string) error {
	return method.TransientFailure{Cause: errors.New(what + "; run again when the files of the command stay as they are, " +
		"which a program must not change either")}
}

// A fileVersion is a file as it was at some time.
type fileVersion struct {
	path     string
	size     int64
	modified time.Time
}

// fileDigests remembers digests: while a run is planned a program is looked at
// for every setting of every data set. Fits take them anew.
var fileDigests sync.Map // of string by fileVersion

// knownDigest is the digest of a file, from memory where there is one.
func knownDigest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	version := fileVersion{path, info.Size(), info.ModTime()}
	if sum, ok := fileDigests.Load(version); ok && info.Mode().IsRegular() {
		return sum.(string), nil
	}
	sum, err := digest(path)
	if err == nil {
		fileDigests.Store(version, sum)
	}
	return sum, err
}

// errLarge refuses a file of a command.
var errLarge = fmt.Errorf("larger than %d MiB, the most that a file of a command may have; name a smaller one that starts it", largestFile>>20)

// digest returns the start of the SHA-256 of a regular file, in hex.
func digest(path string) (string, error) {
	f, info, err := files.Open(path)
	if err != nil {
		return "", irregular(err)
	}
	defer f.Close()
	if info.Size() > largestFile {
		return "", errLarge
	}
	hash := sha256.New()
	n, err := io.Copy(hash, io.LimitReader(f, largestFile+1))
	if err != nil {
		return "", err
	}
	if n > largestFile { // it has grown meanwhile
		return "", errLarge
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:8]), nil
}
