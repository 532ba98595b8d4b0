package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"r2lmlbench/internal/files"
	"r2lmlbench/results"
)

// Put stores a cell and its run record, and removes the record of an earlier failure. It stores a
// failed cell as such a record, which never counts as the cell.
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

// write replaces the cell file and its run record (nil: none). It renames the record first, so
// that no cell is without one. A good cell also replaces the record of a failure.
func (s Store) write(c results.Cell, run, cell []byte) error {
	of := newPartitionName(c.Dataset, c.Method)
	stem, failed := of.stem(c.Key()), c.Failure != ""
	var all []files.File
	if run != nil {
		all = append(all, files.File{Path: s.filePath(of, stem+runSuffix), Data: run})
		if _, err := s.load(all[0].Path, func(data []byte) error { return json.Unmarshal(data, &results.Run{}) }, s.setAside); err != nil {
			return err
		}
	}
	all = append(all, files.File{Path: s.filePath(of, stem+suffixOf(failed)), Data: cell})
	if err := s.makeRoom(of, stem+suffixOf(failed)); err != nil {
		return err
	}
	err := files.WriteAll(all)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return pathError("write", at.Path, err)
	}
	if err != nil || failed {
		return err
	}
	return s.dropFailed(of, stem)
}

// makeRoom sets aside a file that has the name of a cell or of a failure and holds neither.
func (s Store) makeRoom(of partitionName, file string) error {
	_, err := s.load(s.filePath(of, file), func(data []byte) error {
		e, err := newEntryAt(new(results.Decoder), data, of, file)
		if err == nil {
			_, err = e.decoder.Cell(e.Record)
		}
		return err
	}, s.setAside)
	return err
}

// Tidy removes the journal and the record of an earlier failure beside the stored cell of in, which
// a process leaves that is killed right after storing the cell. It skips a cell that another
// process has locked. A store for a run also removes temporary files of killed writers from the
// folder.
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
	of := newPartitionName(in.Dataset, in.Method)
	return s.dropFailed(of, of.stem(in.Key()))
}

// dropFailed removes the file of a failure; what is none is set aside.
func (s Store) dropFailed(of partitionName, stem string) error {
	if err := s.makeRoom(of, stem+failedSuffix); err != nil {
		return err
	}
	return remove(s.filePath(of, stem+failedSuffix))
}

// Run returns how the cell of in, or its latest failure, came to be, and whether that is
// known: a damaged record tells nothing, one that the disk does not read is an error.
func (s Store) Run(in results.Inputs) (results.Run, bool, error) {
	var r results.Run
	known, err := s.load(s.stem(in)+runSuffix, func(data []byte) error { return json.Unmarshal(data, &r) }, func(path string, _ []byte, cause error) error {
		if s.first(path) {
			s.logf("results: %s cannot be read (%v): the build and the time of its cell are not known", path, cause)
		}
		return nil
	})
	if !known {
		r = results.Run{}
	}
	return r, known, err
}

// RunOf returns the run record of a stored cell, and whether there is one. It ignores a record of
// another cell: a later attempt may have failed, or have been killed before it stored its cell.
func (s Store) RunOf(c results.Cell) (results.Run, bool, error) {
	r, known, err := s.Run(c.Inputs)
	if !known || err != nil {
		return results.Run{}, false, err
	}
	data, err := results.EncodeCell(c)
	if err != nil || r.Cell != results.Digest(data) {
		return results.Run{}, false, nil
	}
	return r, true, nil
}

// OtherBuilds lists the builds of the program, except the running one, that computed a part of a
// stored cell; the zero Build stands for an unknown one. Imported predictions have none, because
// no build made them.
func (s Store) OtherBuilds(c results.Cell) ([]results.Build, error) {
	r, _, err := s.RunOf(c)
	switch {
	case err != nil || r.Import != nil:
		return nil, err
	case len(r.Builds) == 0:
		return []results.Build{{}}, nil
	}
	return slices.DeleteFunc(slices.Clone(r.Builds), results.ThisBuild().Same), nil
}

// load reads a file of the store and reports whether it is there and whole. It calls damaged for a
// file that read refuses, and for anything that is no file: readers pass missing, writers setAside.
func (s Store) load(path string, read func([]byte) error, damaged func(path string, data []byte, cause error) error) (bool, error) {
	data, err := s.readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil:
		err = read(data)
	case !errors.Is(err, errForeign):
		return false, pathError("read", path, err)
	}
	if err != nil {
		return false, damaged(path, data, err)
	}
	return true, nil
}

// missing logs a damaged file, in a snapshot or a run once, and leaves it in place until it is
// written anew.
func (s Store) missing(path string, _ []byte, cause error) error {
	if !s.first(path) {
		return nil
	}
	s.logf("results: %s is damaged (%v) and counts as missing: run its spec again, or remove it", path, cause)
	return nil
}

// first reports whether a snapshot or a run has not told of a file yet.
func (s Store) first(path string) bool {
	if s.told == nil {
		return true
	}
	_, again := s.told.LoadOrStore(path, true)
	return !again
}

// setAside keeps a damaged file that is about to be replaced as path.corrupt-1, or under the first
// free number. It copies a file, so that path is never without one, and moves anything else.
func (s Store) setAside(path string, data []byte, cause error) error {
	keep := func(aside string) error {
		if kept, err := readFile(aside); err == nil && bytes.Equal(kept, data) {
			return nil // by a writer that failed, or was killed, before it could write anew
		}
		f, err := os.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Sync(), f.Close(), files.SyncDir(filepath.Dir(aside))); err != nil {
			os.Remove(aside)
		}
		return err
	}
	if errors.Is(cause, errForeign) {
		keep = func(aside string) error {
			if _, err := os.Lstat(aside); err == nil {
				return fs.ErrExist
			}
			return os.Rename(path, aside)
		}
	}
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.corrupt-%d", path, n)
		switch err := keep(aside); {
		case err == nil:
			s.logf("results: %s was damaged (%v) and is written anew; what was there is kept as %s", path, cause, aside)
			return nil
		case !errors.Is(err, fs.ErrExist):
			return pathError("set aside", path, err)
		}
	}
}

// maxFileBytes bounds what is read of one file of a store.
const maxFileBytes = 64 << 20

// errForeign is the error about something with the name of a file of the store that cannot be one.
// It counts as damaged.
var errForeign = errors.New("no file of this program")

// readFile is os.ReadFile for a regular file of at most maxFileBytes. It waits for
// no pipe.
func readFile(path string) ([]byte, error) {
	data, err := files.Read(path, maxFileBytes+1)
	var other *files.KindError
	switch {
	case errors.As(err, &other):
		return nil, fmt.Errorf("%w: %s", errForeign, files.Kind(other.Mode))
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

// writeFile writes data to path, whole or not at all.
func writeFile(path string, data []byte) error {
	if err := files.Write(path, data); err != nil {
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

// pathError returns an error with the operation, the file, the cause and a remedy. It wraps
// files.ErrIO.
func pathError(verb, path string, err error) error {
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err // the path stands in front already
	}
	const elsewhere = "choose another directory with --results or --accepted"
	help := ""
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		help = "; free some space or " + elsewhere
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		help = "; allow access to it or " + elsewhere
	case errors.Is(err, errForeign):
		help = "; move it away"
	case errors.Is(err, syscall.ELOOP):
		help = "; a link on the way leads in a circle; remove it or " + elsewhere
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		help = "; a directory is needed where a file stands; " + elsewhere
	case errors.Is(err, fs.ErrNotExist):
		help = "; it was moved or removed while the program used it; put it back and run again"
	}
	return files.MarkIO(fmt.Errorf("results: cannot %s %s: %w%s", verb, path, err, help))
}
