package plan

import (
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// A Status says what the store holds of a cell.
type Status string

// The states of a cell.
const (
	Hit         Status = "hit"          // stored
	Miss        Status = "miss"         // to be computed
	Failed      Status = "failed"       // stored as failed; computed again on request only
	NotImported Status = "not imported" // nothing computes it, and it is not stored
)

// A State is what the store holds of a cell, and why it is no hit.
type State struct {
	Status Status
	Why    string
}

// StateOf looks a cell up, and says why a miss is one, as WhyMissing does.
func StateOf(s *store.Store, j Job) (State, error) {
	state, _, err := Look(s, j)
	if err == nil && state.Status == Miss {
		state.Why, err = WhyMissing(s, j)
	}
	return state, err
}

// Look looks a cell up, and also returns what is stored: the cell, or the record of
// its failure. It does not say why a miss is one.
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

// WhyMissing tells of a damaged cell, and names the inputs in which the most
// similar stored cell of the same data set and method differs from one that is not
// stored. It reads all of these: use a Snapshot.
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

// WhyNotImported says what to do for an imported cell that is not there.
const WhyNotImported = "no predictions imported under this name; see `r2lmlbench import --help`"

// Begun tells whether a store knows the outcome of any cell of a plan: the cell, or that
// it failed. Use a Snapshot: what is read serves the other methods, too.
func (p Plan) Begun(s *store.Store) (bool, error) {
	for _, j := range p.Jobs() {
		if state, _, err := Look(s, j); err != nil || state.Status == Hit || state.Status == Failed {
			return err == nil, err
		}
	}
	return false, nil
}
