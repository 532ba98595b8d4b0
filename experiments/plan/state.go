package plan

import (
	"fmt"
	"strings"

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

// StateOf looks a cell up. For a miss it names the inputs in which the most
// similar stored cell of the same data set and method differs, for which it reads all
// of these: use a Snapshot.
func StateOf(s *store.Store, j Job) (State, error) {
	state, err := StatusOf(s, j)
	if err != nil || state.Status != Miss {
		return state, err
	}
	near, ok, err := s.Nearest(j.Inputs)
	switch {
	case err != nil:
		return State{}, err
	case !ok:
		state.Why = "no cell of this data set and method is stored"
	default:
		state.Why = fmt.Sprintf("the nearest stored cell differs: %s", strings.Join(near.Diff(j.Inputs), "; "))
	}
	return state, nil
}

// StatusOf is StateOf without the reason of a miss.
func StatusOf(s *store.Store, j Job) (State, error) {
	if _, ok, err := s.Find(j.Inputs); ok || err != nil {
		return State{Status: Hit}, err
	}
	if j.Column.Method.Imported {
		return State{NotImported, WhyNotImported}, nil
	}
	if c, ok, err := s.Failed(j.Inputs); ok || err != nil {
		return State{Failed, c.Failure}, err
	}
	return State{Status: Miss}, nil
}

// WhyNotImported says what to do for an imported cell that is not there.
const WhyNotImported = "no predictions imported under this name; see `r2lmlbench import --help`"
