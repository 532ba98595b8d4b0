package store

import (
	"sync"

	"r2lmlbench/results"
)

// A snapshot holds what has been read of a store.
type snapshot struct {
	mu         sync.Mutex
	partitions map[partitionName]*partition
	accepted   map[string]acceptedList // by spec
	points     map[pointList][]byte    // in JSON
}

// A pointList is a list of points, known by where it is: a plan asks for many
// cells with the same one.
type pointList struct {
	first *results.Point
	size  int
}

// An acceptedList is what Accepted returned.
type acceptedList struct {
	list  Accepted
	there bool
}

// Snapshot returns the store for a reader who looks at many cells of it, which
// nobody changes meanwhile: every file is read at most once. Nor may the points
// of the inputs change that it was asked for.
func (s Store) Snapshot() *Store {
	if s.snapshot == nil {
		s.snapshot = &snapshot{partitions: map[partitionName]*partition{}, accepted: map[string]acceptedList{}, points: map[pointList][]byte{}}
	}
	return &s
}

// raw is raw for inputs that are looked up.
func (s Store) raw(in results.Inputs) rawInputs {
	if s.snapshot == nil || len(in.Points) == 0 {
		return raw(in)
	}
	of := pointList{&in.Points[0], len(in.Points)}
	s.snapshot.mu.Lock()
	defer s.snapshot.mu.Unlock()
	points, ok := s.snapshot.points[of]
	if !ok {
		points = results.AppendPoints(nil, in.Points)
		s.snapshot.points[of] = points
	}
	return rawWith(in, points)
}
