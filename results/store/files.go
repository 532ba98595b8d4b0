package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/plainfile"
	"r2lmlbench/results"
)

// Put keeps a cell and how it was made, and drops the record of an earlier failure. A
// cell that failed is kept as such a record: why it could not be had, which never counts
// as the cell.
func (s Store) Put(c results.Cell, r results.Run) error {
	if err := s.writable(); err != nil {
		return err
	}
	data, err := results.EncodeCell(c)
	if err != nil {
		return err
	}
	r.Cell = results.Digest(data)
	run, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("results: run of %s/%s: %w", c.Dataset, c.Method, err)
	}
	if s.folders != nil {
		if err := s.enter(c.Inputs); err != nil {
			return err
		}
	}
	return s.write(c, append(run, '\n'), data)
}

// write puts the file of a cell, and how it came to be, nil where that is not known, in
// the place of what is there. The run has its name first, so that no cell stands
// without one. A good cell takes the place of the record of a failure, too.
func (s Store) write(c results.Cell, run, cell []byte) error {
	stem, failed := s.stem(c.Inputs), c.Failure != ""
	var files []atomicfile.File
	if run != nil {
		files = append(files, atomicfile.File{Path: stem + runSuffix, Data: run})
		if _, err := s.load(files[0].Path, func(data []byte) error { return json.Unmarshal(data, &results.Run{}) }); err != nil {
			return err
		}
	}
	files = append(files, atomicfile.File{Path: stem + suffixOf(failed), Data: cell})
	if _, err := s.load(stem+suffixOf(failed), isCellFile(failed)); err != nil {
		return err
	}
	err := atomicfile.WriteAll(files)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return pathError("write", at.Path, err)
	}
	if err != nil || failed {
		return err
	}
	return s.dropFailed(stem + failedSuffix)
}

// isCellFile tells what is wrong with the file of a cell, or of why there is none.
func isCellFile(failed bool) func([]byte) error {
	return func(data []byte) error {
		c, err := results.DecodeCell(data)
		if err == nil && (c.Failure != "") != failed {
			err = errors.New("a failed cell and a good one have changed places")
		}
		return err
	}
}

// Tidy removes what a process that was killed right after it had stored the
// cell of in left beside it: its journal and the record of an earlier failure.
// A cell that another process is at is left alone. So are temporary files of killed
// writers in the folder, unless the store is one for a run.
func (s Store) Tidy(in results.Inputs) error {
	if s.folders != nil && !isNothing(filepath.Dir(s.stem(in))) {
		if err := s.enter(in); err != nil {
			return err
		}
	}
	failed := s.stem(in) + failedSuffix
	if isNothing(s.stem(in)+journalSuffix) && isNothing(failed) {
		return nil
	}
	release, ok, err := s.TryLock(in)
	if !ok || err != nil {
		return err
	}
	defer release()
	j, err := s.OpenJournal(in)
	if err != nil {
		return err
	}
	if err := j.Remove(); err != nil {
		return err
	}
	return s.dropFailed(failed)
}

// dropFailed removes the file of a failure, or sets aside what is none.
func (s Store) dropFailed(failed string) error {
	if ok, err := s.load(failed, isCellFile(true)); !ok || err != nil {
		return s.told(err)
	}
	return remove(failed)
}

// Run returns how the cell of in, or its latest failure, came to be, and
// whether that is known.
func (s Store) Run(in results.Inputs) (results.Run, bool) {
	var r results.Run
	data, err := s.readFile(s.stem(in) + runSuffix)
	if err != nil || json.Unmarshal(data, &r) != nil {
		return results.Run{}, false
	}
	return r, true
}

// RunOf returns how a stored cell came to be, and whether that is known. A record
// that stands beside it and is about another cell tells nothing: that of a later
// attempt which failed, or whose cell did not come to be stored.
func (s Store) RunOf(c results.Cell) (results.Run, bool) {
	r, ok := s.Run(c.Inputs)
	data, err := results.EncodeCell(c)
	if !ok || err != nil || r.Cell != results.Digest(data) {
		return results.Run{}, false
	}
	return r, true
}

// OtherBuilds lists the builds of the program, the running one left out, that
// computed a part of a stored cell. The zero Build stands for those that are not
// known. Predictions that were imported have none: no build of the program made
// them, so that none can make them again.
func (s Store) OtherBuilds(c results.Cell) []results.Build {
	r, _ := s.RunOf(c)
	switch {
	case r.Import != nil:
		return nil
	case len(r.Builds) == 0:
		return []results.Build{{}}
	}
	return slices.DeleteFunc(slices.Clone(r.Builds), results.ThisBuild().Same)
}

// errStays marks a damaged file that cannot be moved away.
var errStays = errors.New("cannot be moved away")

// load reads a file of the store, and tells whether it is there. What read refuses,
// and what is no file, is set aside; an error is errStays when that is not possible.
func (s Store) load(path string, read func([]byte) error) (bool, error) {
	data, err := s.readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil:
		if err = read(data); err == nil {
			return true, nil
		}
	case !errors.Is(err, errForeign):
		return false, pathError("read", path, err)
	}
	return s.setAside(path, err, read)
}

// setAside moves a file away that read refused. Should another process have put a
// good one in its place in the meantime, that one was moved: it is put back, and it is
// there.
func (s Store) setAside(path string, cause error, read func([]byte) error) (bool, error) {
	if s.FS != nil || s.source {
		s.logf("results: %s is damaged (%v) and counts as missing", path, cause)
		return false, nil
	}
	aside, err := moveAside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // somebody else has moved it
	}
	if err != nil {
		return false, fmt.Errorf("results: %s is damaged (%v), counts as missing and %w: %w", path, cause, errStays, pathError("move", path, err))
	}
	if data, err := readFile(aside); err == nil && read(data) == nil {
		if err := os.Rename(aside, path); err != nil {
			return false, pathError("put back", path, err)
		}
		return true, nil
	}
	s.logf("results: %s is damaged (%v) and counts as missing; it was kept as %s", path, cause, aside)
	return false, nil
}

// told tells a reader of a damaged file that cannot be moved away; other errors are
// returned.
func (s Store) told(err error) error {
	if errors.Is(err, errStays) {
		s.logf("%v", err)
		return nil
	}
	return err
}

// maxFileBytes bounds what is read of one file of a store.
const maxFileBytes = 64 << 20

// errForeign marks what stands under a name of the store and cannot be one of
// its files. It is set aside as a damaged file is.
var errForeign = errors.New("no file of this program")

// readFile is os.ReadFile for a regular file of at most maxFileBytes. It waits for
// no pipe.
func readFile(path string) ([]byte, error) {
	data, err := plainfile.Read(path, maxFileBytes+1)
	var other *plainfile.KindError
	switch {
	case errors.As(err, &other):
		return nil, fmt.Errorf("%w: %s", errForeign, plainfile.Kind(other.Mode))
	case (errors.Is(err, syscall.ELOOP) || errors.Is(err, fs.ErrNotExist)) && isLink(path):
		return nil, fmt.Errorf("%w: a link that leads nowhere", errForeign)
	case len(data) > maxFileBytes:
		return nil, fmt.Errorf("%w: more than %d bytes", errForeign, maxFileBytes)
	}
	return data, err
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func isNothing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// writeFile puts data at path, whole or not at all.
func writeFile(path string, data []byte) error {
	if err := atomicfile.Write(path, data); err != nil {
		return pathError("write", path, err)
	}
	return nil
}

// remove removes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return pathError("remove", path, err)
	}
	return nil
}

// pathError says what could not be done to which file, and what would help. What the
// file system did not do is an atomicfile.ErrIO.
func pathError(verb, path string, err error) error {
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err // the path stands in front already
	}
	if help := remedy(err); help != "" {
		return atomicfile.MarkIO(fmt.Errorf("results: cannot %s %s: %w; %s", verb, path, err, help))
	}
	return atomicfile.MarkIO(fmt.Errorf("results: cannot %s %s: %w", verb, path, err))
}

func remedy(err error) string {
	const elsewhere = "choose another directory with --results or --accepted"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space or " + elsewhere
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "allow access to it or " + elsewhere
	case errors.Is(err, errForeign):
		return "move it away"
	case errors.Is(err, syscall.ELOOP):
		return "a link on the way leads in a circle; remove it or " + elsewhere
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "a directory is needed where a file stands; " + elsewhere
	case errors.Is(err, fs.ErrNotExist):
		return "it was moved or removed while the program used it; put it back and run again"
	}
	return ""
}

// moveAside renames what stands at path to path.corrupt-1, or the first number
// that is free, and returns the new name.
func moveAside(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	for n := 1; info.IsDir(); n++ { // it needs no reserved name, for a directory takes the place of nothing
		aside := asideName(path, n)
		if !isNothing(aside) {
			continue
		}
		if err := os.Rename(path, aside); !errors.Is(err, fs.ErrExist) {
			return aside, err
		}
	}
	aside, err := reserve(path)
	if err != nil {
		return "", err
	}
	if err := os.Rename(path, aside); err != nil {
		os.Remove(aside)
		return "", err
	}
	return aside, nil
}

// copyAside keeps data, which was read from path, under such a name.
func copyAside(path string, data []byte) (string, error) {
	aside, err := reserve(path)
	if err != nil {
		return "", err
	}
	if err := atomicfile.Write(aside, data); err != nil {
		os.Remove(aside)
		return "", err
	}
	return aside, nil
}

func asideName(path string, n int) string { return fmt.Sprintf("%s.corrupt-%d", path, n) }

// reserve creates an empty file under the first free name, so that no other
// process takes it.
func reserve(path string) (string, error) {
	for n := 1; ; n++ {
		name := asideName(path, n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return name, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}
