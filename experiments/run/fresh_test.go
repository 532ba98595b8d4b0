package run_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// foreign is another build of the program.
var foreign = results.Build{Sum: "f00d", Revision: "c0ffee", Dirty: true}

// An onlyCell is a spec of one cell whose fits are onlyCell.
type onlyCell struct {
	store *store.Store
	job   plan.Job
	plan  plan.Plan
	retry bool
	fits  int
}

func newOnlyCell(t *testing.T, dir, text string) *onlyCell {
	t.Helper()
	c := &onlyCell{store: &store.Store{Dir: dir, Log: t.Logf}}
	s := spectest.Parse(t, text)
	fitSingly(&s.Columns[0], &c.fits)
	c.plan = spectest.PlanFor(t, s)
	c.job = c.plan.Jobs()[0]
	return c
}

// run computes the cell if need be, and returns how many fits that took.
func (c *onlyCell) run(t *testing.T, ctx context.Context, fresh bool) (fits int, err error) {
	t.Helper()
	c.fits = 0
	runner := Runner{Store: c.store, Source: plan.NewSource(t.TempDir()), Workers: 1, RetryFailed: c.retry, Fresh: fresh}
	err = runner.Run(ctx, []plan.Job{c.job})
	return c.fits, err
}

func (c *onlyCell) cell(t *testing.T) results.Cell {
	t.Helper()
	cell, ok, err := c.store.Get(c.job.Inputs)
	if !ok || err != nil {
		t.Fatalf("no cell: %v", err)
	}
	return cell
}

// fits are those of the four points of reuseSpec and of the chosen one.
const fitsOfAll, fitsOfTest = 5, 1

// TestFresh: a cell with a part in it of another build, or of one that is not known,
// is told from one of this build. Fresh computes it again; without it the cell stays.
func TestFresh(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(t *testing.T, c *onlyCell, cell results.Cell) // what is in the store
		others []results.Build
		fits   int // of a run
		fresh  int // of a run with Fresh instead
	}{
		{"this build", func(t *testing.T, c *onlyCell, cell results.Cell) {
			put(t, c.store, cell, results.Run{Builds: []results.Build{results.ThisBuild()}})
		}, nil, 0, 0},
		{"another build", func(t *testing.T, c *onlyCell, cell results.Cell) {
			put(t, c.store, cell, results.Run{Builds: []results.Build{foreign}})
		}, []results.Build{foreign}, 0, fitsOfAll},
		{"both", func(t *testing.T, c *onlyCell, cell results.Cell) {
			put(t, c.store, cell, results.Run{Builds: []results.Build{results.ThisBuild(), foreign}})
		}, []results.Build{foreign}, 0, fitsOfAll},
		{"a record of an earlier program", func(t *testing.T, c *onlyCell, cell results.Cell) {
			put(t, c.store, cell, results.Run{})
		}, []results.Build{{}}, 0, fitsOfAll},
		{"the record of a later attempt that failed", func(t *testing.T, c *onlyCell, cell results.Cell) {
			put(t, c.store, cell, results.Run{Builds: []results.Build{results.ThisBuild()}})
			failed := results.Cell{Inputs: cell.Inputs, Failure: "it failed"}
			fixture.Check(t, c.store.Put(failed, results.Run{Builds: []results.Build{foreign}}))
		}, []results.Build{{}}, 0, fitsOfAll},
		{"the journal of this build", func(t *testing.T, c *onlyCell, _ results.Cell) { journalOf(t, c, results.ThisBuild()) },
			nil, fitsOfTest, fitsOfTest},
		{"the journal of another build", func(t *testing.T, c *onlyCell, _ results.Cell) { journalOf(t, c, foreign) },
			[]results.Build{foreign}, fitsOfTest, fitsOfAll},
		{"the journal of an earlier program", func(t *testing.T, c *onlyCell, _ results.Cell) { journalOf(t, c, results.Build{}) },
			[]results.Build{{}}, fitsOfTest, fitsOfAll},
		{"the scores of a cell of another build", func(t *testing.T, c *onlyCell, cell results.Cell) {
			lend(t, c, cell, []results.Build{foreign})
		}, []results.Build{foreign}, fitsOfTest, fitsOfAll},
		{"the scores of a cell of this build", func(t *testing.T, c *onlyCell, cell results.Cell) {
			lend(t, c, cell, []results.Build{results.ThisBuild()})
		}, nil, fitsOfTest, fitsOfTest},
	} {
		t.Run(c.name, func(t *testing.T) {
			undisturbed := newOnlyCell(t, t.TempDir(), reuseSpec(""))
			if _, err := undisturbed.run(t, t.Context(), false); err != nil {
				t.Fatal(err)
			}
			want := undisturbed.cell(t)
			for _, fresh := range []bool{false, true} {
				trial := newOnlyCell(t, t.TempDir(), reuseSpec(""))
				c.before(t, trial, want)
				fits, err := trial.run(t, t.Context(), fresh)
				expected, others := c.fits, c.others
				if fresh {
					expected, others = c.fresh, nil
				}
				if got := trial.store.OtherBuilds(trial.cell(t)); err != nil || fits != expected || !slices.Equal(got, others) {
					t.Errorf("fresh %v: %d fits, want %d; other builds %v, want %v (%v)", fresh, fits, expected, got, others, err)
				}
				if n, err := trial.run(t, t.Context(), fresh); fresh && (n != 0 || err != nil) {
					t.Errorf("once more: %d fits, %v", n, err)
				}
			}
		})
	}
}

func put(t *testing.T, s *store.Store, c results.Cell, r results.Run) {
	t.Helper()
	fixture.Check(t, s.Put(c, r))
}

// journalOf leaves the outcomes of an interrupted run of a build.
func journalOf(t *testing.T, c *onlyCell, by results.Build) {
	t.Helper()
	j := fixture.Must(c.store.OpenJournal(c.job.Inputs))(t)
	for point := range c.job.Inputs.Points {
		fixture.Check(t, j.Add(results.Outcome{Point: point, Correct: 10 + point, Build: by}))
	}
	fixture.Check(t, j.Close())
}

// lend stores a cell that differs only in what is measured.
func lend(t *testing.T, c *onlyCell, cell results.Cell, by []results.Build) {
	t.Helper()
	surface := newOnlyCell(t, t.TempDir(), reuseSpec("    measure: surface\n"))
	if _, err := surface.run(t, t.Context(), false); err != nil {
		t.Fatal(err)
	}
	put(t, c.store, surface.cell(t), results.Run{Builds: by})
}

// TestFreshKeepsTheOld: the cell of another build is there until the new one is,
// whether the computation is interrupted or fails.
func TestFreshKeepsTheOld(t *testing.T) {
	c := newOnlyCell(t, t.TempDir(), reuseSpec(""))
	if _, err := c.run(t, t.Context(), false); err != nil {
		t.Fatal(err)
	}
	old := c.cell(t)
	new := c.cell(t)
	old.Predicted = slices.Clone(old.Predicted)
	old.Predicted[0] = 3 - old.Predicted[0]
	put(t, c.store, old, results.Run{Builds: []results.Build{foreign}})

	family := c.job.Column.Method.Family
	ctx, cancel := context.WithCancel(t.Context())
	c.job.Column.Method.Family = method.Typed[r2lml.Efficient]{Fit: func(r2lml.Problem, []r2lml.Efficient) []r2lml.Task { cancel(); return nil }}
	if _, err := c.run(t, ctx, true); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if got := c.cell(t); !slices.Equal(got.Predicted, old.Predicted) || len(c.store.OtherBuilds(got)) != 1 {
		t.Error("the interruption changed the cell")
	}
	c.job.Column.Method.Family = method.Typed[r2lml.Efficient]{Fit: func(r2lml.Problem, []r2lml.Efficient) []r2lml.Task {
		return []r2lml.Task{{Settings: []int{0, 1, 2, 3}, Run: func(context.Context, func(int, r2lml.Fitted, error)) { panic("no fit") }}}
	}}
	if _, err := c.run(t, t.Context(), true); !errors.Is(err, ErrCells) {
		t.Errorf("failed: %v", err)
	}
	if got := c.cell(t); !slices.Equal(got.Predicted, old.Predicted) || len(c.store.OtherBuilds(got)) != 1 {
		t.Error("the failure changed the cell")
	}
	c.job.Column.Method.Family = family
	if n, err := c.run(t, t.Context(), false); n != 0 || err != nil {
		t.Errorf("%d fits without Fresh, %v", n, err)
	}
	if n, err := c.run(t, t.Context(), true); n != 0 || !errors.Is(err, ErrCells) {
		t.Errorf("a failure of this build: %d fits, %v", n, err)
	}
	c.retry = true
	if n, err := c.run(t, t.Context(), true); n != fitsOfAll || err != nil || !slices.Equal(c.cell(t).Predicted, new.Predicted) {
		t.Errorf("%d fits with Fresh, %v; want %d and the new predictions", n, err, fitsOfAll)
	}
}

// TestImportsHaveNoBuild: predictions made elsewhere are of no build of ours.
func TestImportsHaveNoBuild(t *testing.T) {
	c := newOnlyCell(t, t.TempDir(), reuseSpec(""))
	cell := results.Cell{Inputs: c.job.Inputs, Truth: []int{1, 2}, Predicted: []int{1, 2}}
	put(t, c.store, cell, results.Run{Import: &results.Import{File: "mine.csv"}})
	if others := c.store.OtherBuilds(cell); len(others) != 0 {
		t.Errorf("other builds %v", others)
	}
}
