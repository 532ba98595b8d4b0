package external

import (
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/gofrs/flock"
)

// scratchPrefix begins the name of the directory that a program runs in; digits
// follow, and what a program may have added.
const scratchPrefix = "r2lmlbench-fit-"

var scratchName = regexp.MustCompile("^" + scratchPrefix + "[0-9]+([^0-9].*)?$")

// sweep removes, once, the directories that killed processes left behind.
var sweep = sync.OnceFunc(sweepScratch)

// newScratch makes a directory for one fit and a function that removes it. It
// is locked for as long as it is in use, so that others leave it alone.
func newScratch() (dir string, remove func(), err error) {
	sweep()
	for {
		dir, err := os.MkdirTemp("", scratchPrefix)
		if err != nil {
			return "", nil, err
		}
		lock := lockOf(dir)
		lock.Lock() // fails where directories have no locks, and then none is ever removed by others
		if _, err := os.Stat(dir); err == nil {
			return dir, func() { os.RemoveAll(dir); lock.Unlock() }, nil
		}
		lock.Unlock() // it was removed before it was locked
	}
}

// sweepScratch removes the directories that no process holds.
func sweepScratch() {
	entries, _ := os.ReadDir(os.TempDir()) // what cannot be read is not swept
	for _, e := range entries {
		dir := filepath.Join(os.TempDir(), e.Name())
		if !e.IsDir() || !scratchName.MatchString(e.Name()) {
			continue
		}
		lock := lockOf(dir)
		if ok, err := lock.TryLock(); ok && err == nil {
			os.RemoveAll(dir)
			lock.Unlock()
		}
	}
}

func lockOf(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }
