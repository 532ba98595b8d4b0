package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"r2lmlbench/results"
)

// Accepted returns what is accepted of a spec, and whether anything is.
func (s Store) Accepted(spec string) (Accepted, bool, error) {
	if s.snapshot == nil {
		return s.readAccepted(spec)
	}
	s.snapshot.mu.Lock()
	defer s.snapshot.mu.Unlock()
	known, ok := s.snapshot.accepted[spec]
	if !ok {
		list, there, err := s.readAccepted(spec)
		if err != nil {
			return list, there, err
		}
		known = acceptedList{list, there}
		s.snapshot.accepted[spec] = known
	}
	return known.list, known.there, nil
}

func (s Store) readAccepted(spec string) (Accepted, bool, error) {
	file := s.acceptedPath(spec)
	data, err := s.readFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Accepted{}, false, nil
	}
	if err != nil {
		return Accepted{}, false, pathError("read", file, err)
	}
	a, err := parseAccepted(data)
	if err != nil {
		return Accepted{}, false, listError(file, err)
	}
	if a.Digest == "" {
		s.logf("results: %s has no digest, as lists of earlier versions: damage would not be seen; `r2lmlbench gate %s --accept` adds one", file, spec)
	}
	return a.Accepted, true, nil
}

// listError says what is wrong with a list of accepted cells, and what to do.
func listError(file string, err error) error {
	return fmt.Errorf("results: %s: %w; restore it from version control, or remove it and accept its cells anew with gate --accept", file, err)
}

// AcceptedCell reads the cell of a list's entry, and whether it is there.
func (s Store) AcceptedCell(a AcceptedCell) (results.Cell, bool, error) {
	name, stem, ok := a.partition()
	if !ok {
		return results.Cell{}, false, nil
	}
	part, err := s.partition(name, stem+cellSuffix)
	if err != nil {
		return results.Cell{}, false, err
	}
	return s.cell(part, part.named(stem))
}

// An Update changes what is accepted of a spec: cells are put into it, and
// nothing is written before Commit. While it is open nobody else can change the
// store, so what Accepted tells stays true until then.
type Update struct {
	store   Store
	before  Accepted
	lines   lineGroups
	release func()
}

// Update waits for other changes of the store to end, or for ctx. Close it.
func (s Store) Update(ctx context.Context, spec string) (*Update, error) {
	release, err := s.lockStore(ctx)
	if err != nil {
		return nil, err
	}
	before, _, err := s.Accepted(spec)
	if err != nil {
		release()
		return nil, err
	}
	before.Spec = spec
	return &Update{store: s, before: before, lines: lineGroups{}, release: release}, nil
}

// Accepted is the list of the spec as it is stored, an empty one when nothing is
// accepted yet.
func (u *Update) Accepted() Accepted { return u.before }

// Put keeps a cell, without telling how it came to be, and returns the name by
// which a list refers to it. A cell that failed is kept as a record for readers
// of the store, unless there is a good one.
func (u *Update) Put(c results.Cell) (file string, err error) {
	data, err := results.EncodeCell(c)
	if err != nil {
		return "", err
	}
	l, err := scanLine(data)
	if err != nil {
		return "", err
	}
	u.lines.add(l)
	return path.Join(l.partition.folder, l.file()), nil
}

// Commit writes the cells and makes list that of the spec, and its state the last of
// the history where that is another one. Cells go that the old list named and no list
// names any more. Lists of earlier versions get their digest.
func (u *Update) Commit(list Accepted) error {
	list.Spec, list.Schema = u.before.Spec, 1
	data, err := list.encode()
	if err != nil {
		return err
	}
	if _, err := parseAccepted(data); err != nil {
		return fmt.Errorf("results: accepted cells of %s: %w", list.Spec, err)
	}
	history, err := u.store.History(list.Spec)
	if err != nil {
		return err
	}
	if err := u.store.keep(u.lines); err != nil {
		return err
	}
	if err := writeFile(u.store.acceptedPath(list.Spec), data); err != nil {
		return err
	}
	if err := u.store.record(list, history); err != nil {
		return err
	}
	lists, err := u.store.lists()
	if err != nil {
		return err
	}
	if err := u.store.addDigests(lists); err != nil {
		return err
	}
	return u.store.drop(u.before.Cells, lists)
}

// Close ends the update; without Commit nothing has changed.
func (u *Update) Close() { u.release() }
