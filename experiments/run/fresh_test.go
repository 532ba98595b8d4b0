package run_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// foreign is another build of the program.
var foreign = results.Build{Sum: "f00d", Revision: "c0ffee", Dirty: true}

// grid is a spec of one cell with a grid of four points; with is added to its stanza.
func grid(with string) string {
	return "name: grid\ndatasets: [overlap30]\nmethods:\n  - method: e-r2lml\n    params: {step: 1e-6, epochs: 1, iterations: 5}\n" +
		"    grid: {metrics: [1, 2], lambda: [1, 10]}\n" + with
}

// What is fitted for the cell of a grid: the points, the chosen one and, for a surface, the others.
const selection, chosen, others = 4, 1, 3

// A counted is a spec with its fits counted, and a store; the cell is that of its first job.
type counted struct {
	*Runner
	spec *spec.Spec
	jobs []plan.Job
	fits *atomic.Int64
}

func newCounted(t *testing.T, dir, text string) *counted {
	t.Helper()
	s := testkit.Parse(t, text)
	return &counted{&Runner{Store: storeIn(t, dir), Workers: 1}, s, testkit.PlanFor(t, s).Jobs(), countFits(s)}
}

// run computes the cells if need be, and returns how many fits that took.
func (c *counted) run(t *testing.T, ctx context.Context, fresh bool) (fits int, err error) {
	t.Helper()
	c.Fresh = fresh
	_, _, err = compute(t, ctx, c.spec, c.Runner)
	return int(c.fits.Swap(0)), err
}

// cellOf computes the cells of a spec into dir, and returns that of the first job.
func cellOf(t *testing.T, dir, text string) (cell results.Cell, fits int) {
	t.Helper()
	c := newCounted(t, dir, text)
	fits = fixture.Must(c.run(t, t.Context(), false))(t)
	return c.cell(t), fits
}

func (c *counted) cell(t *testing.T) results.Cell {
	t.Helper()
	cell, ok, err := c.Store.Find(c.jobs[0].Inputs)
	if !ok || err != nil {
		t.Fatalf("no cell: %v", err)
	}
	return cell
}

// TestFresh: a cell with a part in it of another build, or of one that is not known,
// is told from one of this build. Fresh computes it again; without it the cell stays.
func TestFresh(t *testing.T) {
	const all = selection + chosen
	this, unknown := results.ThisBuild(), results.Build{}
	want, _ := cellOf(t, t.TempDir(), grid(""))
	surface, _ := cellOf(t, t.TempDir(), grid("    measure: surface\n"))
	stored := func(cell results.Cell, by ...results.Build) func(*testing.T, *counted) { // which differs at most in what is measured
		return func(t *testing.T, c *counted) { put(t, c.Store, cell, results.Run{Builds: by}) }
	}
	journal := func(by results.Build) func(*testing.T, *counted) { // of an interrupted run
		return func(t *testing.T, c *counted) {
			j := fixture.Must(c.Store.OpenJournal(c.jobs[0].Inputs))(t)
			for point := range c.jobs[0].Inputs.Settings {
				fixture.Check(t, j.Add(results.Outcome{Setting: point, Correct: 10 + point, Build: by}))
			}
			fixture.Check(t, j.Close())
		}
	}
	for _, c := range []struct {
		name   string
		before func(*testing.T, *counted) // what is in the store
		others []results.Build
		fits   int // of a run
		fresh  int // of a run with Fresh instead
	}{
		{"this build", stored(want, this), nil, 0, 0},
		{"another build", stored(want, foreign), []results.Build{foreign}, 0, all},
		{"both", stored(want, this, foreign), []results.Build{foreign}, 0, all},
		{"a record of an earlier program", stored(want), []results.Build{unknown}, 0, all},
		{"the record of a later attempt that failed", func(t *testing.T, c *counted) {
			stored(want, this)(t, c)
			stored(results.Cell{Inputs: want.Inputs, Failure: "it failed"}, foreign)(t, c)
		}, []results.Build{unknown}, 0, all},
		{"the journal of this build", journal(this), nil, chosen, chosen},
		{"the journal of another build", journal(foreign), []results.Build{foreign}, chosen, all},
		{"the journal of an earlier program", journal(unknown), []results.Build{unknown}, chosen, all},
		{"the scores of a cell of another build", stored(surface, foreign), []results.Build{foreign}, chosen, all},
		{"the scores of a cell of this build", stored(surface, this), nil, chosen, chosen},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, fresh := range []bool{false, true} {
				trial := newCounted(t, t.TempDir(), grid(""))
				c.before(t, trial)
				fits, err := trial.run(t, t.Context(), fresh)
				expected, others := c.fits, c.others
				if fresh {
					expected, others = c.fresh, nil
				}
				if got := fixture.Must(trial.Store.OtherBuilds(trial.cell(t)))(t); err != nil || fits != expected || !slices.Equal(got, others) {
					t.Errorf("fresh %v: %d fits, want %d; other builds %v, want %v (%v)", fresh, fits, expected, got, others, err)
				}
				if n, err := trial.run(t, t.Context(), fresh); fresh && (n != 0 || err != nil) {
					t.Errorf("once more: %d fits, %v", n, err)
				}
			}
		})
	}
	// Predictions made elsewhere are of no build of ours.
	c := newCounted(t, t.TempDir(), grid(""))
	put(t, c.Store, want, results.Run{Import: &results.Import{File: "mine.csv"}})
	fixture.EqualSlice(t, "other builds of what is imported", fixture.Must(c.Store.OtherBuilds(want))(t), nil)
}

func put(t *testing.T, s *store.Store, c results.Cell, r results.Run) {
	t.Helper()
	fixture.Check(t, s.Put(c, r))
}

// The test scores of a grid in the journal of an interrupted run are taken up too, with Fresh only
// those of this build.
func TestFreshSurface(t *testing.T) {
	text := grid("    measure: surface\n")
	want, all := cellOf(t, t.TempDir(), text)
	fixture.Equal(t, "fits of an undisturbed run", all, selection+chosen+others)
	for _, c := range []struct {
		by          results.Build
		fresh, used bool
	}{{results.ThisBuild(), true, true}, {results.ThisBuild(), false, true}, {foreign, false, true}, {foreign, true, false}} {
		trial := newCounted(t, t.TempDir(), text)
		j := fixture.Must(trial.Store.OpenJournal(trial.jobs[0].Inputs))(t)
		for point := range want.Settings {
			fixture.Check(t, j.Add(results.Outcome{Phase: results.PhaseTest, Setting: point, Test: results.TestCount{ByClass: []int{1, 2}, Largest: 9}, Build: c.by}))
		}
		fixture.Check(t, j.Close())
		fits := fixture.Must(trial.run(t, t.Context(), c.fresh))(t)
		fixture.Equal(t, "fits", fits, map[bool]int{false: all, true: selection + chosen}[c.used])
		fixture.Equal(t, "the surface is that of an undisturbed run", reflect.DeepEqual(trial.cell(t).GridScores, want.GridScores), !c.used)
	}
}

// TestFreshKeepsTheOld: the cell of another build is there until the new one is,
// whether the computation is interrupted or fails.
func TestFreshKeepsTheOld(t *testing.T) {
	c := newCounted(t, t.TempDir(), grid(""))
	fixture.Must(c.run(t, t.Context(), false))(t)
	old, new := c.cell(t), c.cell(t)
	old.Predicted = slices.Clone(old.Predicted)
	old.Predicted[0] = 3 - old.Predicted[0]
	put(t, c.Store, old, results.Run{Builds: []results.Build{foreign}})

	own := &c.spec.Columns[0].Method
	family := own.Family
	ctx, cancel := context.WithCancel(t.Context())
	broken := func(ctx context.Context, want error, fit func() []r2lml.Task) {
		t.Helper()
		own.Family = method.Typed[r2lml.Efficient]{Fit: func(r2lml.Problem, []r2lml.Efficient) []r2lml.Task { return fit() }}
		fixture.Is(t, fixture.Error(c.run(t, ctx, true)), want)
		if got := c.cell(t); !slices.Equal(got.Predicted, old.Predicted) || len(fixture.Must(c.Store.OtherBuilds(got))(t)) != 1 {
			t.Errorf("%v changed the cell", want)
		}
	}
	broken(ctx, context.Canceled, func() []r2lml.Task {
		cancel()
		return nil
	})
	broken(t.Context(), ErrCells, func() []r2lml.Task {
		return []r2lml.Task{{Settings: []int{0, 1, 2, 3}, Run: func(context.Context, func(int, r2lml.Fitted, error)) { panic("no fit") }}}
	})
	own.Family = family
	if n, err := c.run(t, t.Context(), false); n != 0 || err != nil {
		t.Errorf("%d fits without Fresh, %v", n, err)
	}
	if n, err := c.run(t, t.Context(), true); n != 0 || !errors.Is(err, ErrCells) {
		t.Errorf("a failure of this build: %d fits, %v", n, err)
	}
	c.RetryFailed = true
	if n, err := c.run(t, t.Context(), true); n != selection+chosen || err != nil || !slices.Equal(c.cell(t).Predicted, new.Predicted) {
		t.Errorf("%d fits with Fresh, %v; want %d and the new predictions", n, err, selection+chosen)
	}
}

// The validation scores of a cell serve another one that differs in what is measured,
// whichever comes first. The bytes are those of a cell without such help.
func TestSelectionIsTakenOver(t *testing.T) {
	plain, surface, both := grid(""), grid("    measure: surface\n"), grid("    measure: [surface, zero-columns]\n")
	for _, c := range []struct {
		name          string
		first, second string
		fits          int
	}{
		{"a surface after a plain cell", plain, surface, chosen + others},
		{"a plain cell after a surface", surface, plain, chosen},
		{"more measures", surface, both, chosen + others},
		{"another seed", plain, strings.Replace(surface, "    grid", "    seeds: 2\n    grid", 1), chosen + others + selection + chosen + others},
		{"another grid", plain, strings.Replace(surface, "[1, 10]", "[1, 20]", 1), selection + chosen + others},
		{"another k", plain, surface + "neighbors: 3\n", selection + chosen + others},
		{"another split", plain, surface + "split: {rule: random}\n", selection + chosen + others},
	} {
		t.Run(c.name, func(t *testing.T) {
			alone, dir := t.TempDir(), t.TempDir()
			cellOf(t, alone, c.second)
			cellOf(t, dir, c.first)
			_, fits := cellOf(t, dir, c.second)
			fixture.Equal(t, "fits", fits, c.fits)
			want, all := testkit.Cells(t, alone), testkit.Cells(t, dir)
			fixture.Equal(t, "cells of both specs", len(all), len(want)+1)
			maps.DeleteFunc(all, func(name, _ string) bool { _, ok := want[name]; return !ok })
			testkit.EqualCells(t, all, want)
		})
	}
	// A failed cell lends nothing, and stays one.
	failed := newCounted(t, t.TempDir(), plain)
	cell, _ := cellOf(t, t.TempDir(), plain)
	cell.Predicted, cell.Failure = nil, "the fit for the test samples: crashed"
	put(t, failed.Store, cell, results.Run{})
	_, fits := cellOf(t, failed.Store.Dir, surface)
	fixture.Equal(t, "fits after a failed cell", fits, selection+chosen+others) // all of its own
	if n, err := failed.run(t, t.Context(), false); n != 0 || !errors.Is(err, ErrCells) {
		t.Errorf("the failed cell: %d fits, error %v, want that it stays one", n, err)
	}
}
