package run

import (
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/machine"
	"r2lmlbench/results/store"
)

// A Runner computes cells into a store, on several workers. The bytes of a
// cell do not depend on their number.
type Runner struct {
	Store       *store.Store
	Source      *plan.Source
	Workers     int           // fits at once; at least 1
	RetryFailed bool          // compute cells again that are stored as failed
	Fresh       bool          // recompute cells of other or unknown builds and of external programs, without reusing any part
	Point       method.Budget // of every fit; a cell that needs more fails
	Observe     func(Event)   // called for every event, never concurrently; may be nil

	began   time.Time           // when Run was called
	slots   machine.Slots       // one token per running fit, and per core that helps one
	room    *semaphore.Weighted // bytes that the fits at work may take by their promises; nil: any
	mu      sync.Mutex          // serializes Observe
	machine int64               // bytes of memory; 0: unknown
	heap    *machine.Limiter    // nil when memory is not bounded
	peak    machine.PeakMeter
}

// An Event is a step of a run.
type Event struct {
	Job      plan.Job
	Kind     EventKind
	Duration time.Duration // of the cell, when it is done
	Failure  string        // reason of the failure of the cell or setting; "": none
	// Shared: the fit of the setting, or the fit of the cell for the test samples, was made
	// for another one and is not counted again.
	Shared bool
}

// EventKind is the kind of an Event.
type EventKind int

// The events of a run.
const (
	SettingDone  EventKind = iota // one more setting of the grid has an outcome
	SettingKnown                  // as PointDone, from the journal of an earlier run
	CellDone                      // the cell is stored, as result or as failure
	CellKnown                     // the cell was stored already, maybe by another process
	PartDone                      // the part of the cell that this share has is in its journal
)

func (r *Runner) event(e Event) {
	if r.Observe == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Observe(e)
}
