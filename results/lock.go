package results

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockRetry is how often a lock held elsewhere is tried again.
const lockRetry = 200 * time.Millisecond

// Lock waits until nobody else, in this process or another, holds the lock of
// in, and takes it: whoever holds it may compute the cell. Look again with Get
// afterwards, for the former holder has probably stored it. The wait ends early
// with the context's error. The lock is dropped by release, or with the
// process; its empty file stays.
func (s Store) Lock(ctx context.Context, in Inputs) (release func(), err error) {
	path := s.stem(in) + lockSuffix
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, pathError("create", filepath.Dir(path), err)
	}
	lock := flock.New(path, flock.SetPermissions(0o644))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		s.logf("results: %s/%s is being computed elsewhere (%s is held): waiting", in.Dataset, in.Method, path)
		_, err = lock.TryLockContext(ctx, lockRetry)
	}
	if ctx.Err() != nil && err != nil {
		return nil, fmt.Errorf("results: waiting for %s: %w", path, ctx.Err())
	}
	if err != nil {
		return nil, pathError("lock", path, err)
	}
	return func() { lock.Unlock() }, nil
}
