package store

import "sync"

// A snapshot holds what has been read of a store.
type snapshot struct {
	mu         sync.Mutex
	partitions map[partitionName]*partition
}

// Snapshot returns the store for a reader who looks at many cells of it, which
// nobody changes meanwhile: every file is read at most once.
func (s Store) Snapshot() *Store {
	if s.snapshot == nil {
		s.snapshot = &snapshot{partitions: map[partitionName]*partition{}}
	}
	return &s
}
