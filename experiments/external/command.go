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

// A program is a command and its files.
//
// The files run in place; their digests are checked before and after each fit. A
// copy in the directory of the fit would be safe from edits, but a script looks
// for its modules and data beside itself.
type program struct {
	argv    []string // the command, its paths made absolute
	path    string   // path of the program; each fit looks up a plain name in PATH
	files   []file
	missing error // error of looking up a plain name in PATH
}

// A file is a file of a command, or one that its program depends on, at the time of the plan.
type file struct {
	name   string // in the spec
	path   string
	digest string // "" if it is missing or cannot be read
}

// largestFile is the maximum size of a file of a command, in bytes: every fit reads it twice. The
// largest interpreters are smaller.
const largestFile = 256 << 20

// located looks up the files of a command.
//
// An argument that starts with ./ or ../ must be a regular file relative to folder,
// the folder of the spec; so must the program if it is given by a path. Other
// arguments are passed unchanged, and a plain name of a program is looked up in
// PATH. All files given by a path get a digest, or, without such files, the program
// found in PATH. A file that cannot be read, and a missing absolute path, have no
// digest. The files that the program depends on are added and must exist.
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

// add adds a file with its digest. It refuses large files and those that are not regular.
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

// digests formats the names and digests of the files for the key of a cell.
func (p program) digests() string {
	var words []string
	for _, f := range p.files {
		if f.digest != "" {
			words = append(words, f.name+" "+f.digest)
		}
	}
	return strings.Join(words, ", ")
}

// unchanged returns an error if the content of a file has changed since the plan.
func (p program) unchanged() error {
	for _, f := range p.files {
		if sum, _ := digest(f.path); sum != f.digest { // "" for a file that cannot be read
			return changed(f.name + " has changed since the run was planned")
		}
	}
	return nil
}

// changed returns the failure of a fit whose program has changed since the plan. It is
// transient, since it says nothing about the planned program.
func changed(what string) error {
	return method.TransientFailure{Cause: errors.New(what + "; run again when the files of the command stay as they are, " +
		"which a program must not change either")}
}

// A fileVersion identifies the content of a file by path, size and time.
type fileVersion struct {
	path     string
	size     int64
	modified time.Time
}

// fileDigests caches digests: a plan needs those of a program for every setting of
// every data set. Fits compute them again.
var fileDigests sync.Map // of string by fileVersion

// knownDigest returns the digest of a file, cached if possible.
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

// errLarge refuses a file above largestFile.
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
	if n > largestFile { // it has grown since Stat
		return "", errLarge
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:8]), nil
}
