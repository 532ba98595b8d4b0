package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// limited runs the one cell of a method whose metric is slow, and returns why it failed.
func limited(t *testing.T, ctx context.Context, r *Runner, about method.About) (failure string, err error) {
	t.Helper()
	s := spectest.Parse(t, tiny("  - method: euclidean\n"))
	about.Version = 1
	s.Columns[0].Method = method.New("trial", "Trial", r2lml.Singly[trial], about)
	s.Columns[0].Settings["mat:tiny"] = []method.Setting{trial{"give a slow metric"}}
	source, _ := tinySource(t)
	p := fixture.Must(plan.New(context.Background(), s, source))(t)
	r.Store, r.Source, r.Workers = &store.Store{Dir: t.TempDir(), Log: t.Logf}, source, 1
	err = r.Run(ctx, p.Jobs())
	c, _, _ := r.Store.Failed(p.Jobs()[0].Inputs)
	return c.Failure, err
}

// TestLabellingIsInTime: labels that take longer than a point may fail the cell, and an
// interrupt does not wait for them.
func TestLabellingIsInTime(t *testing.T) {
	fixture.Long(t)
	began := time.Now()
	failure, err := limited(t, context.Background(), &Runner{Point: method.Budget{Time: 50 * time.Millisecond}}, method.About{})
	if !errors.Is(err, ErrCells) || !strings.Contains(failure, "time budget") {
		t.Errorf("%v, %q", err, failure)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if failure, err := limited(t, ctx, &Runner{}, method.About{}); !errors.Is(err, context.DeadlineExceeded) || failure != "" {
		t.Errorf("interrupted: %v, %q", err, failure)
	}
	if took := time.Since(began); took > 8*time.Second { // all labels of both would take 10 s
		t.Errorf("both took %v", took)
	}
}

// TestRefusal: a cell whose promise is beyond the budget or the machine is not begun, and
// says what it needs, what there is and what to do; one below is computed.
func TestRefusal(t *testing.T) {
	promising := func(bytes float64) method.About {
		return method.About{Memory: func(method.Size, []results.Params) float64 { return bytes }}
	}
	short := method.Budget{Memory: 300 << 20, Time: 50 * time.Millisecond}
	for _, c := range []struct {
		name    string
		promise float64
		point   method.Budget
		want    []string
	}{
		{"budget", 1 << 30, short, []string{"needs 1.0 GiB", "--point-memory allows 300 MiB", "fewer rows"}},
		{"machine", 1 << 60, method.Budget{}, []string{"this machine has", "fewer rows", "a machine with more"}},
		{"both", 1 << 60, short, []string{"--point-memory"}},
		{"enough", 200 << 20, short, []string{"time budget"}},
	} {
		failure, err := limited(t, context.Background(), &Runner{Point: c.point}, promising(c.promise))
		if !errors.Is(err, ErrCells) {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(failure, want) {
				t.Errorf("%s: %q, want %q in it", c.name, failure, want)
			}
		}
	}
}
