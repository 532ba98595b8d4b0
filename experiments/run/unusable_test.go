package run_test

import (
	"context"
	"errors"
	"testing"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
)

// A run for want of data ends with ErrData each time, not only in the run that
// stores the failure; once the data can be used a retry computes the cell.
func TestUnusableDataTwice(t *testing.T) {
	jobs := spectest.PlanFor(t, spectest.Parse(t, "name: x\ndatasets: [overlap30]\nmethods: [{method: euclidean}]\n")).Jobs()
	cells := &store.Store{Dir: t.TempDir()}
	broken := plan.NewSource(t.TempDir())
	broken.Splits["overlap30 "+jobs[0].Rule.String()] = func() (*datasets.Split, error) { return nil, datasets.ErrCorrupt }
	for i := range 2 {
		r := Runner{Store: cells, Source: broken, Workers: 1}
		if err := r.Run(context.Background(), jobs); !errors.Is(err, ErrData) {
			t.Errorf("run %d: error %v, want %v", i+1, err, ErrData)
		}
	}
	r := Runner{Store: cells, Source: plan.NewSource(t.TempDir()), Workers: 1}
	if err := r.Run(context.Background(), jobs); !errors.Is(err, ErrCells) || errors.Is(err, ErrData) {
		t.Errorf("a stored failure with good data: error %v", err)
	}
	r.RetryFailed = true
	if err := r.Run(context.Background(), jobs); err != nil {
		t.Errorf("retried: %v", err)
	}
}
