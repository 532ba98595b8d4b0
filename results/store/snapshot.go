package store

import "sync"

// A snapshot holds what has been read of a store.
type snapshot struct {
	mu         sync.Mutex
	partitions map[partitionName]*partition
	accepted   map[string]acceptedList // by spec
}

// An acceptedList is what Accepted returned.
type acceptedList struct {
	list  Accepted
	there bool
}

// Snapshot returns the store for a reader who looks at many cells of it, which
// nobody changes meanwhile: every file is read at most once.
func (s Store) Snapshot() *Store {
	if s.snapshot == nil {
		s.snapshot = &snapshot{partitions: map[partitionName]*partition{}, accepted: map[string]acceptedList{}}
	}
	return &s
}
