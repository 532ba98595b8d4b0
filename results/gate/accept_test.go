package gate

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
)

// acceptedStore has the accepted cells of testkit.Gated.
func acceptedStore(t *testing.T) *store.Store {
	t.Helper()
	p, fresh := testkit.GatedCells(t)
	st := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	if done, err := Accept(t.Context(), p, fresh, st, Options{}); err != nil || done.Accepted != len(p.Jobs()) || done.Missing+done.Kept != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	return st
}

func gateOf(t *testing.T, p plan.Plan, fresh, accepted *store.Store) Gate {
	t.Helper()
	return fixture.Must(Of(p, fresh, accepted, Options{}))(t)
}

// statuses lists the cells of a gate that do not pass.
func statuses(g Gate) []string {
	var list []string
	for _, c := range g.Cells {
		if c.Status != Pass {
			list = append(list, c.Dataset+" "+c.Method+" "+c.Status)
		}
	}
	return list
}

// reput stores a job's cell again, made by some builds, after a change.
func reput(t *testing.T, cells *store.Store, j plan.Job, change func(c *results.Cell), builds ...results.Build) {
	t.Helper()
	c, _, err := cells.Find(j.Inputs)
	fixture.Check(t, err)
	change(&c)
	fixture.Check(t, cells.Put(c, results.Run{Builds: builds}))
}

// same leaves a cell as it is, relabel changes one of its predictions.
func same(*results.Cell) {}

func relabel(c *results.Cell) { c.Predicted[0] = 3 - c.Predicted[0] }

func TestGateErrors(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := testkit.GatedCells(t)
	change := func(text, by string) *spec.Spec {
		return testkit.Parse(t, strings.Replace(testkit.Gated, text, by, 1))
	}
	longer := change("iterations: 20", "iterations: 21")
	_, other := testkit.Stored(t, longer)
	lost := acceptedStore(t)
	fixture.Check(t, os.Remove(filepath.Join(lost.Dir, "packs", "overlap60", "euclidean.jsonl.gz")))
	for _, c := range []struct {
		name            string
		spec            *spec.Spec
		fresh, accepted *store.Store
		errors          int
		says            string
	}{
		{"nothing accepted", p.Spec, fresh, &store.Store{Dir: t.TempDir()}, 6, "nothing is accepted for gated"},
		{"nothing fresh", p.Spec, &store.Store{Dir: t.TempDir()}, accepted, 6, "there is no fresh cell in"},
		{"another test", change("methods:", "test: {pair: mcnemar-midp}\nmethods:"), fresh, accepted, 0,
			"the test is not the accepted one: mcnemar-exact, holm, alpha 0.05 -> mcnemar-midp"},
		{"another test over data sets", change("methods:", "test: {across: sign}\nmethods:"), fresh, accepted, 0, " -> mcnemar-exact, sign, holm, alpha 0.05"},
		{"another level", change("methods:", "test: {alpha: 0.01}\nmethods:"), fresh, accepted, 0, "alpha 0.01"},
		{"a method more", change("methods:", "methods:\n  - method: rca"), fresh, accepted, 2, "makes the family of tests larger"},
		{"a method less", change("  - method: euclidean\n", ""), fresh, accepted, 2, "makes the family of tests smaller"},
		{"other settings", longer, other, accepted, 2, "points: iterations 20 -> 21"},
		{"an accepted cell is lost", p.Spec, fresh, lost, 1, "the accepted cell is missing or damaged"},
		{"another k", change("methods:", "neighbors: 3\nmethods:"), fresh, accepted, 6, "there is no fresh cell"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gateOf(t, testkit.PlanFor(t, c.spec), c.fresh, c.accepted)
			text := strings.Join(g.Errors, "\n")
			failures := 0
			for _, cell := range g.Cells {
				text += "\n" + cell.Reason
				if cell.Status == Error {
					failures++
				}
			}
			nothing := c.name == "nothing accepted"
			fixture.Equal(t, "the headline is on nothing", strings.Contains(g.Headline(), "Nothing is accepted yet"), nothing)
			fixture.Equal(t, "the family has changed since nothing", nothing && strings.Contains(text, "family of tests"), false)
			if g.Status != Error || failures != c.errors || !strings.Contains(text, c.says) {
				t.Errorf("gate %s, %d cells in error, want error, %d and a reason with %q:\n%s", g.Status, failures, c.errors, c.says, text)
			}
		})
	}
}

// TestGateTellsOfDamagedFreshCells: a fresh cell that cannot be read counts as missing,
// and the gate names its file, now and the next time.
func TestGateTellsOfDamagedFreshCells(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := testkit.GatedCells(t)
	path := fresh.Path(p.Jobs()[1].Inputs)
	fixture.Check(t, os.WriteFile(path, []byte("{"), 0o666))
	for range 2 {
		g := gateOf(t, p, fresh, accepted)
		fixture.EqualSlice(t, "cells that do not pass", statuses(g), []string{"overlap60 glml error"})
		fixture.Equal(t, "cause", g.Cells[1].Cause, NotComputed)
		fixture.Has(t, "the reason", g.Cells[1].Reason, path+" is damaged")
	}
}

// TestGateOfOtherBuilds: cells that this build did not compute alone are refused,
// and are neither compared nor accepted unless that is allowed.
func TestGateOfOtherBuilds(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := testkit.GatedCells(t)
	jobs := p.Jobs()
	for i, builds := range [][]results.Build{{{Sum: "f00d", Revision: "c0ffee"}}, nil, {results.ThisBuild(), {}}} {
		reput(t, fresh, jobs[i], same, builds...)
	}
	g := gateOf(t, p, fresh, accepted)
	fixture.Equal(t, "failed", g.Failed, true)
	fixture.EqualSlice(t, "cells that do not pass", statuses(g), []string{"overlap60 euclidean error", "overlap60 glml error", "overlap60 e-r2lml error"})
	fixture.Has(t, "what is next", g.Next, "3 of 6 cells were made, wholly or in part, by another or an unknown build", "gate gated --fresh")
	for i, says := range []string{"made by the build with commit c0ffee, SHA-256 f00d", "made by an unknown build", "made by an unknown build"} {
		fixture.Equal(t, "cause", g.Cells[i].Cause, OtherBuild)
		fixture.Has(t, "the reason", g.Cells[i].Reason, says)
	}
	allowed := Options{AllowOtherBuilds: true}
	if g, err := Of(p, fresh, accepted, allowed); err != nil || g.Failed || g.Others != 3 || len(g.Notes()) != 2 {
		t.Errorf("allowed: %+v, %v", g, err)
	}
	before := testkit.Cells(t, accepted.Dir)
	_, err := Accept(t.Context(), p, fresh, accepted, Options{})
	fixture.Is(t, err, ErrOtherBuilds)
	fixture.Says(t, err, "3 fresh cells", "--allow-other-builds")
	testkit.EqualCells(t, testkit.Cells(t, accepted.Dir), before)
	fixture.Equal(t, "accepted where that is allowed", fixture.Must(Accept(t.Context(), p, fresh, accepted, allowed))(t).Accepted, 6)
}

// TestGateOfFailedRecomputation: where this build has failed at a cell that another one
// made, --fresh does not try it again, and the gate does not ask for that.
func TestGateOfFailedRecomputation(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := testkit.GatedCells(t)
	first := p.Jobs()[0]
	reput(t, fresh, first, same, results.Build{Sum: "f00d"})
	fixture.Check(t, fresh.Put(results.Cell{Inputs: first.Inputs, Failure: "it failed"}, results.Run{Builds: []results.Build{results.ThisBuild()}}))
	g := gateOf(t, p, fresh, accepted)
	fixture.Equal(t, "cause", g.Cells[0].Cause, FailedBefore)
	fixture.Has(t, "the reason", g.Cells[0].Reason, "computing it again failed: it failed")
	fixture.Has(t, "what is next", g.Next, "`r2lmlbench run gated --fresh --retry-failed`")

	others := []results.Build{{Sum: "f00d"}} // which tells nothing of this one
	fixture.Check(t, fresh.Put(results.Cell{Inputs: first.Inputs, Failure: "it failed"}, results.Run{Builds: others}))
	fixture.Equal(t, "cause where another build has failed", gateOf(t, p, fresh, accepted).Cells[0].Cause, OtherBuild)
}

// TestAcceptPartly: narrowing leaves the rest as it was, and so does a cell that
// is not there.
func TestAcceptPartly(t *testing.T) {
	accepted := acceptedStore(t)
	before, _, err := accepted.Accepted("gated")
	fixture.Check(t, err)
	p, fresh := testkit.GatedCells(t)
	for _, j := range p.Jobs() {
		if j.Column.ID == "glml" {
			reput(t, fresh, j, relabel, results.ThisBuild())
		}
	}
	same := testkit.Parse(t, testkit.Gated)
	fixture.Check(t, same.Narrow([]string{"overlap30"}, []string{"euclidean"}))
	done := fixture.Must(Accept(t.Context(), testkit.PlanFor(t, same), fresh, accepted, Options{}))(t)
	fixture.Equal(t, "of an equal cell", done, Acceptance{Accepted: 1, Kept: 5})
	s := testkit.Parse(t, testkit.Gated)
	fixture.Check(t, s.Narrow([]string{"overlap30"}, []string{"glml"}))
	narrow := testkit.PlanFor(t, s)
	if g := gateOf(t, narrow, fresh, accepted); g.Family != 1 || g.Status == Pass {
		t.Errorf("narrowed: %+v", g)
	}
	fixture.Equal(t, "of one cell", fixture.Must(Accept(t.Context(), narrow, fresh, accepted, Options{}))(t), Acceptance{Accepted: 1, Kept: 5, NoTable: true})
	g := gateOf(t, p, fresh, accepted)
	fixture.EqualSlice(t, "cells that do not pass: that of the other set", statuses(g), []string{"overlap60 glml changed"})
	fixture.Equal(t, "family", g.Family, 6)
	after, _, err := accepted.Accepted("gated")
	fixture.Check(t, err)
	fixture.Equal(t, "cells", len(after.Cells), len(before.Cells))
	smaller := testkit.PlanFor(t, testkit.Parse(t, strings.Replace(testkit.Gated, "datasets: [overlap60, overlap30]", "datasets: [overlap30]", 1)))
	fixture.Equal(t, "of a spec of one set", fixture.Must(Accept(t.Context(), smaller, fresh, accepted, Options{}))(t), Acceptance{Accepted: 3, Dropped: 3})
	empty := &store.Store{Dir: t.TempDir()}
	fixture.Is(t, fixture.Error(Accept(t.Context(), p, empty, accepted, Options{})), ErrNothingFresh)
}

// TestNarrowedGateOfADroppedCell: narrowing leaves out cells of other sets and methods, and no
// cell of those that are left which the spec has dropped.
func TestNarrowedGateOfADroppedCell(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := testkit.GatedCells(t)
	update := fixture.Must(accepted.Update(t.Context(), "gated"))(t)
	list, _, err := accepted.Accepted("gated")
	fixture.Check(t, err)
	for _, c := range slices.Clone(list.Cells) { // as if there had been a second seed
		c.Seed = 2
		list.Cells = append(list.Cells, c)
	}
	fixture.Check(t, update.Commit(list))
	update.Close()
	fixture.Equal(t, "dropped", len(statuses(gateOf(t, p, fresh, accepted))), 6)
	s := testkit.Parse(t, testkit.Gated)
	fixture.Check(t, s.Narrow([]string{"overlap30"}, []string{"glml"}))
	g := gateOf(t, testkit.PlanFor(t, s), fresh, accepted)
	fixture.EqualSlice(t, "narrowed", statuses(g), []string{"overlap30 glml error"})
	for _, c := range g.Cells[1:] {
		fixture.Equal(t, "cause", c.Cause, Dropped)
	}
}

// TestGateOfTheTable: cells that are all the accepted ones make the accepted table, or
// the gate is changed.
func TestGateOfTheTable(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := testkit.GatedCells(t)
	list, _, err := accepted.Accepted("gated")
	fixture.Check(t, err)
	fixture.EqualSlice(t, "forms", slices.Sorted(maps.Keys(list.Printed)), []string{"csv", "json", "latex", "markdown", "splits", "text"})
	if g := gateOf(t, p, fresh, accepted); g.Status != Pass || len(g.Tables) > 0 {
		t.Fatalf("gate %s, tables %q", g.Status, g.Tables)
	}

	// Another program printed the text that was accepted.
	update := fixture.Must(accepted.Update(t.Context(), "gated"))(t)
	list.Printed["text"] = strings.Repeat("0", 64)
	fixture.Check(t, update.Commit(list))
	update.Close()
	g := gateOf(t, p, fresh, accepted)
	if g.Status != Changed || !g.Failed || !slices.Equal(g.Tables, []string{"text"}) || len(statuses(g)) > 0 {
		t.Errorf("gate %s, failed %t, tables %q, cells %q", g.Status, g.Failed, g.Tables, statuses(g))
	}
	var junit bytes.Buffer
	fixture.Check(t, g.Render(&junit, "junit"))
	fixture.Has(t, "JUnit", junit.String(), `failures="1"`)
	if g, err := Of(p, fresh, accepted, Options{AllowChanged: true}); err != nil || g.Failed {
		t.Errorf("allowed: gate %s failed %t, %v", g.Status, g.Failed, err)
	}
	narrowed := *p.Spec
	fixture.Check(t, narrowed.Narrow(nil, []string{"euclidean"}))
	// Of one method the table is another one and is not compared.
	fixture.Equal(t, "the gate narrowed to one method", gateOf(t, testkit.PlanFor(t, &narrowed), fresh, accepted).Status, Pass)
	update = fixture.Must(accepted.Update(t.Context(), "gated"))(t)
	list.Printed = nil
	fixture.Check(t, update.Commit(list))
	update.Close()
	fixture.Equal(t, "no table is accepted", gateOf(t, p, fresh, accepted).NoTable, true)
	fixture.Equal(t, "no table is accepted, which one method has none of", gateOf(t, testkit.PlanFor(t, &narrowed), fresh, accepted).NoTable, false)
}

const ballast = 64 << 20

// hold keeps so many bytes long enough for a look at the heap, which is taken
// twenty times a second.
func hold(size int) {
	b := make([]byte, size)
	time.Sleep(150 * time.Millisecond)
	runtime.KeepAlive(b)
}

// TestHeapOfCells: a cell computed alone by one worker has the heap of its fits; with two
// workers none has.
func TestHeapOfCells(t *testing.T) {
	fixture.Long(t)
	s := testkit.Parse(t, testkit.Small)
	s.Columns[1].Method.Family = method.Typed[r2lml.Efficient]{Fit: func(p r2lml.Problem, settings []r2lml.Efficient) []r2lml.Task {
		hold(ballast)
		return r2lml.Singly(p, settings)
	}}
	cells := &store.Store{Dir: t.TempDir()}
	fixture.Must(testkit.Run(t, t.Context(), s, cells.Dir, 1, nil))(t)
	two := &store.Store{Dir: t.TempDir()}
	fixture.Must(testkit.Run(t, t.Context(), s, two.Dir, 2, nil))(t)
	for _, j := range testkit.PlanFor(t, s).Jobs() {
		if r, ok, _ := cells.Run(j.Inputs); !ok || (r.Heap >= ballast) != (j.Column.ID == s.Columns[1].ID) || r.Heap <= 0 {
			t.Errorf("%s: %d bytes", j.Column.ID, r.Heap)
		}
		if r, ok, _ := two.Run(j.Inputs); !ok || r.Heap != 0 {
			t.Errorf("two workers, %s: %d bytes, want unknown", j.Column.ID, r.Heap)
		}
	}
}

// TestTaken: the lists of accepted cells keep what cells took, for costs to be told from. Of
// a cell that an earlier process did a part of it is unknown.
func TestTaken(t *testing.T) {
	p := testkit.PlanFor(t, testkit.Parse(t, testkit.Small))
	cells, accepted := &store.Store{Dir: t.TempDir()}, &store.Store{Dir: t.TempDir()}
	for i, j := range p.Jobs() {
		c := results.Cell{Inputs: j.Inputs, Truth: []int{1}, Predicted: []int{1}}
		if len(c.Settings) > 1 {
			c.Validation = &results.Profile{N: 1, Correct: make([]int, len(c.Settings))}
		}
		fixture.Check(t, cells.Put(c, results.Run{Seconds: 1.50021, Heap: int64(1-i) << 20, Resumed: i == 1}))
	}
	fixture.Must(Accept(t.Context(), p, cells, accepted, Options{AllowOtherBuilds: true}))(t)
	list, _, err := accepted.Accepted(p.Spec.Name)
	costs := fixture.Must(paper.CostsOf(p, accepted, list.ByKey()))(t)
	if err != nil || len(costs) != 2 {
		t.Fatalf("%d costs, want 2 (%v)", len(costs), err)
	}
	for i, want := range []store.AcceptedCell{{Seconds: 1.501, Heap: 1 << 20}, {}} {
		if c, cost := list.Cells[i], costs[i]; c.Seconds != want.Seconds || cost.Seconds != want.Seconds || c.Heap != want.Heap {
			t.Errorf("cell %d: accepted as %+v, costs %+v, want %+v", i, c, cost, want)
		}
	}
	// Of the same cell whose time is not known this time the accepted one stays, of other inputs it does not.
	for _, want := range []float64{1.501, 0} {
		again := p
		if want == 0 {
			again = testkit.PlanFor(t, testkit.Parse(t, strings.Replace(testkit.Small, "methods:", "neighbors: 3\nmethods:", 1)))
		}
		j := again.Jobs()[0]
		fixture.Check(t, cells.Put(results.Cell{Inputs: j.Inputs, Truth: []int{1}, Predicted: []int{1}}, results.Run{Seconds: 9, Resumed: true}))
		fixture.Must(Accept(t.Context(), again, cells, accepted, Options{AllowOtherBuilds: true}))(t)
		list, _, err := accepted.Accepted(p.Spec.Name)
		fixture.Check(t, err)
		fixture.Equal(t, "seconds of the first cell", list.ByKey()[j.Key()].Seconds, want)
	}
}
