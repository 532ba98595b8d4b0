package store

import (
	"context"
	"encoding/json"
	"fmt"
	"path"

	"r2lmlbench/results"
)

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

// Commit writes the cells and makes list that of the spec. Cells go that the old
// list named and no list names any more.
func (u *Update) Commit(list Accepted) error {
	list.Spec, list.Schema = u.before.Spec, 1
	data, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return fmt.Errorf("results: accepted cells of %s: %w", list.Spec, err)
	}
	if _, err := parseAccepted(data); err != nil {
		return fmt.Errorf("results: accepted cells of %s: %w", list.Spec, err)
	}
	if err := u.store.keep(u.lines); err != nil {
		return err
	}
	if err := writeFile(u.store.acceptedPath(list.Spec), append(data, '\n')); err != nil {
		return err
	}
	return u.store.drop(u.before.Cells)
}

// Close ends the update; without Commit nothing has changed.
func (u *Update) Close() { u.release() }
