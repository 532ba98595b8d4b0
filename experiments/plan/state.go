package plan

import (
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// A Status is the status of a cell in the store.
type Status string

// The states of a cell.
const (
	Hit         Status = "hit"          // stored
	Miss        Status = "miss"         // to compute
	Failed      Status = "failed"       // stored as failed; recomputed on request only
	NotImported Status = "not imported" // an imported cell that is not stored
)

// A State is the status of a cell and, if it is no hit, the reason.
type State struct {
	Status Status
	Why    string
}

// StateOf looks up a cell; the reason of a miss is that of WhyMissing.
func StateOf(s *store.Store, j Job) (State, error) {
	state, _, err := Look(s, j)
	if err == nil && state.Status == Miss {
		state.Why, err = WhyMissing(s, j)
	}
	return state, err
}

// Look looks up a cell and returns the stored cell or the record of its failure. It gives
// no reason for a miss.
func Look(s *store.Store, j Job) (State, results.Cell, error) {
	c, ok, err := s.Find(j.Inputs)
	if ok || err != nil {
		return State{Status: Hit}, c, err
	}
	if j.Column.Method.Imported {
		return State{NotImported, WhyNotImported}, c, nil
	}
	c, ok, err = s.Failed(j.Inputs)
	if ok || err != nil {
		return State{Failed, c.Failure}, c, err
	}
	return State{Status: Miss}, c, nil
}

// WhyMissing says that a cell is damaged, or names the inputs in which the most
// similar stored cell of the same data set and method differs. It reads all cells of
// these: use a Snapshot.
func WhyMissing(s *store.Store, j Job) (string, error) {
	near, ok, err := s.Nearest(j.Inputs)
	if err != nil {
		return "", err
	}
	why := "no cell of this data set and method is stored"
	if ok {
		why = "the nearest stored cell differs: " + strings.Join(near.Diff(j.Inputs), "; ")
	}
	if s.Damaged(j.Inputs) {
		why = s.Path(j.Inputs) + " is damaged; " + why
	}
	return why, nil
}

// WhyNotImported is the reason and advice for a missing imported cell.
const WhyNotImported = "no predictions imported under this name; see `r2lmlbench import --help`"

// Begun reports whether a store has any cell of a plan, as result or failure. Use a Snapshot,
// so that other methods reuse its reads.
func (p Plan) Begun(s *store.Store) (bool, error) {
	for _, j := range p.Jobs() {
		if state, _, err := Look(s, j); err != nil || state.Status == Hit || state.Status == Failed {
			return err == nil, err
		}
	}
	return false, nil
}
