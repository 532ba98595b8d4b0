package external

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/gofrs/flock"
)

// scratchPrefix begins the name of the directory of a fit; digits follow.
const scratchPrefix = "r2lmlbench-fit-"

var scratchName = regexp.MustCompile("^" + scratchPrefix + "[0-9]+([^0-9].*)?$")

// sweep removes, once, the directories that killed processes left behind.
var sweep = sync.OnceFunc(sweepScratch)

// newScratch makes a directory for one fit and a function that removes it. The
// directory is locked while in use, so that other processes do not remove it.
func newScratch() (dir string, remove func(), err error) {
	sweep()
	for {
		dir, err := os.MkdirTemp("", scratchPrefix)
		if err != nil {
			return "", nil, err
		}
		lock := lockOf(dir)
		lock.Lock() // fails where directories have no locks; other processes then remove none
		if _, err := os.Stat(dir); err == nil {
			return dir, func() { removeAll(dir); lock.Unlock() }, nil
		}
		lock.Unlock() // another process removed it before the lock
	}
}

// sweepScratch removes the directories that no process holds.
func sweepScratch() {
	entries, _ := os.ReadDir(os.TempDir()) // entries that cannot be read stay
	for _, e := range entries {
		dir := filepath.Join(os.TempDir(), e.Name())
		if !e.IsDir() || !scratchName.MatchString(e.Name()) {
			continue
		}
		allow(dir)
		lock := lockOf(dir)
		if ok, err := lock.TryLock(); ok && err == nil {
			removeAll(dir)
			lock.Unlock()
		}
	}
}

// removeAll removes a directory, even if the program took away rights to parts of it.
func removeAll(dir string) {
	if os.RemoveAll(dir) != nil {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				allow(path)
			}
			return nil
		})
		os.RemoveAll(dir)
	}
}

// allow restores our rights to a directory. It does not follow links. ok is false if the directory
// is gone.
func allow(dir string) (ok bool) {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && os.Chmod(dir, 0o700) == nil
}

func lockOf(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }
