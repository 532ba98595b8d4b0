package gate_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/baselines"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
)

// acceptedStore has the accepted cells of spectest.Gated.
func acceptedStore(t *testing.T) *store.Store {
	t.Helper()
	p, fresh := spectest.GatedCells(t)
	st := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	if done, err := gate.Accept(t.Context(), p, fresh, st, gate.Options{}); err != nil || done.Accepted != len(p.Jobs()) || done.Missing+done.Kept != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	return st
}

func gateOf(t *testing.T, p plan.Plan, fresh, accepted *store.Store) gate.Gate {
	t.Helper()
	g := fixture.Must(gate.Of(p, fresh, accepted, gate.Options{}))(t)
	return g
}

// statuses lists the cells of a gate that do not pass.
func statuses(g gate.Gate) []string {
	var list []string
	for _, c := range g.Cells {
		if c.Status != gate.Pass {
			list = append(list, c.Dataset+" "+c.Method+" "+c.Status)
		}
	}
	return list
}

// mutated replaces the fit of a column by one that changes its settings first,
// which the inputs of its cells do not tell.
func mutated[M interface {
	r2lml.Method
	method.Resolvable[M]
}](s *spec.Spec, column string, change func(M) M) *spec.Spec {
	i := slices.IndexFunc(s.Columns, func(c spec.Column) bool { return c.ID == column })
	s.Columns[i].Method.Family = method.Typed[M]{Fit: func(p r2lml.Problem, settings []M) []r2lml.Task {
		other := make([]M, len(settings))
		for k, m := range settings {
			other[k] = change(m)
		}
		return r2lml.Singly(p, other)
	}}
	return s
}

// TestMutationTurnsTheGateRed changes one constant of a solver and nothing that
// its cells are identified by.
func TestMutationTurnsTheGateRed(t *testing.T) {
	fixture.Long(t)
	accepted := acceptedStore(t)
	for _, c := range []struct {
		name   string
		spec   *spec.Spec
		status string
		want   []string
	}{
		{"nothing", spectest.Parse(t, spectest.Gated), gate.Pass, nil},
		{"another shrinkage of a deterministic method", mutated(spectest.Parse(t, spectest.Gated), "glml",
			func(m baselines.GLML) baselines.GLML { m.Shrinkage = 1; return m }),
			gate.Regressed, []string{"overlap60 glml regressed", "overlap30 glml changed"}},
		{"a step of the wrong size in a stochastic method", mutated(spectest.Parse(t, spectest.Gated), "e-r2lml",
			func(m r2lml.Efficient) r2lml.Efficient { m.Step *= 3000; return m }),
			gate.Regressed, []string{"overlap60 e-r2lml regressed", "overlap30 e-r2lml regressed"}},
		{"one iteration more of a stochastic method, which costs no accuracy", mutated(spectest.Parse(t, spectest.Gated), "e-r2lml",
			func(m r2lml.Efficient) r2lml.Efficient { m.Iterations++; return m }),
			gate.Changed, []string{"overlap60 e-r2lml changed", "overlap30 e-r2lml changed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, fresh := spectest.Stored(t, c.spec)
			g := gateOf(t, p, fresh, accepted)
			if got := statuses(g); g.Status != c.status || !slices.Equal(got, c.want) || g.Family != 6 {
				t.Errorf("gate %s, family %d, %q; want %s, %q\n%+v", g.Status, g.Family, got, c.status, c.want, g.Cells)
			}
		})
	}
}

func TestGateErrors(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := spectest.GatedCells(t)
	change := func(text, by string) *spec.Spec {
		return spectest.Parse(t, strings.Replace(spectest.Gated, text, by, 1))
	}
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
		{"another level", change("methods:", "test: {alpha: 0.01}\nmethods:"), fresh, accepted, 0, "alpha 0.01"},
		{"a method more", change("methods:", "methods:\n  - method: rca"), fresh, accepted, 2, "makes the family of tests larger"},
		{"a method less", change("  - method: euclidean\n", ""), fresh, accepted, 2, "makes the family of tests smaller"},
		{"another k", change("methods:", "neighbors: 3\nmethods:"), fresh, accepted, 6, "there is no fresh cell"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gateOf(t, spectest.PlanFor(t, c.spec), c.fresh, c.accepted)
			text := strings.Join(g.Errors, "\n")
			failures := 0
			for _, cell := range g.Cells {
				text += "\n" + cell.Reason
				if cell.Status == gate.Error {
					failures++
				}
			}
			if nothing := c.name == "nothing accepted"; nothing && strings.Contains(text, "family of tests") ||
				nothing != strings.Contains(g.Headline(), "Nothing is accepted yet") {
				t.Errorf("%s\n%s", g.Headline(), text)
			}
			if g.Status != gate.Error || failures != c.errors || !strings.Contains(text, c.says) {
				t.Errorf("gate %s, %d cells in error, want error, %d and a reason with %q:\n%s", g.Status, failures, c.errors, c.says, text)
			}
		})
	}
}

// TestGateOfOtherInputs: fresh cells of other settings are refused although
// their places are the same.
func TestGateOfOtherInputs(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := spectest.Stored(t, spectest.Parse(t, strings.Replace(spectest.Gated, "iterations: 20", "iterations: 21", 1)))
	g := gateOf(t, p, fresh, accepted)
	if want := []string{"overlap60 e-r2lml error", "overlap30 e-r2lml error"}; !slices.Equal(statuses(g), want) || !strings.Contains(g.Cells[2].Reason,
		"points: iterations 20 -> 21") {
		t.Errorf("%q, want %q\n%+v", statuses(g), want, g.Cells[2])
	}
}

// TestGateTellsOfDamagedFreshCells: a fresh cell that cannot be read counts as missing,
// and the gate names the file that it is kept as, now and the next time.
func TestGateTellsOfDamagedFreshCells(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := spectest.GatedCells(t)
	path := fresh.Path(p.Jobs()[1].Inputs)
	fixture.Check(t, os.WriteFile(path, []byte("{"), 0o666))
	for range 2 {
		g := gateOf(t, p, fresh, accepted)
		if c := g.Cells[1]; !slices.Equal(statuses(g), []string{"overlap60 glml error"}) || c.Cause != gate.NotComputed ||
			!strings.Contains(c.Reason, "a damaged one is kept as "+path+".corrupt-1") {
			t.Errorf("%q: %s", statuses(g), c.Reason)
		}
	}
}

// TestGateOfOtherBuilds: cells that this build did not compute alone are refused,
// and are neither compared nor accepted unless that is allowed.
func TestGateOfOtherBuilds(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := spectest.GatedCells(t)
	jobs := p.Jobs()
	for i, builds := range [][]results.Build{{{Sum: "f00d", Revision: "c0ffee"}}, nil, {results.ThisBuild(), {}}} {
		c, _, err := fresh.Get(jobs[i].Inputs)
		if err == nil {
			err = fresh.Put(c, results.Run{Builds: builds})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	g := gateOf(t, p, fresh, accepted)
	if want := []string{"overlap60 euclidean error", "overlap60 glml error", "overlap60 e-r2lml error"}; !g.Failed || !slices.Equal(statuses(g), want) ||
		!strings.Contains(g.Next, "3 of 6 cells were made, wholly or in part, by another or an unknown build") || !strings.Contains(g.Next, "gate gated --fresh") {
		t.Errorf("%q, want %q; %s", statuses(g), want, g.Next)
	}
	for i, says := range []string{"made by the build with commit c0ffee, SHA-256 f00d", "made by an unknown build", "made by an unknown build"} {
		if c := g.Cells[i]; c.Cause != gate.OtherBuild || !strings.Contains(c.Reason, says) {
			t.Errorf("%s: %s, want %q", c.Method, c.Reason, says)
		}
	}
	allowed := gate.Options{AllowOtherBuilds: true}
	if g, err := gate.Of(p, fresh, accepted, allowed); err != nil || g.Failed || g.Others != 3 || len(g.Notes()) != 2 {
		t.Errorf("allowed: %+v, %v", g, err)
	}
	before := spectest.Cells(t, accepted.Dir)
	if _, err := gate.Accept(t.Context(), p, fresh, accepted, gate.Options{}); !errors.Is(err, gate.ErrOtherBuilds) ||
		!strings.Contains(err.Error(), "3 fresh cells") || !strings.Contains(err.Error(), "--allow-other-builds") {
		t.Errorf("accepting: %v", err)
	}
	spectest.EqualCells(t, spectest.Cells(t, accepted.Dir), before)
	if done, err := gate.Accept(t.Context(), p, fresh, accepted, allowed); err != nil || done.Accepted != 6 {
		t.Errorf("accepting what is allowed: %+v, %v", done, err)
	}
}

// TestGateOfFailedRecomputation: where this build has failed at a cell that another one
// made, --fresh does not try it again, and the gate does not ask for that.
func TestGateOfFailedRecomputation(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := spectest.GatedCells(t)
	in := p.Jobs()[0].Inputs
	c, _, err := fresh.Get(in)
	if err == nil {
		err = fresh.Put(c, results.Run{Builds: []results.Build{{Sum: "f00d"}}})
	}
	if err == nil {
		err = fresh.Put(results.Cell{Inputs: in, Failure: "it failed"}, results.Run{Builds: []results.Build{results.ThisBuild()}})
	}
	if err != nil {
		t.Fatal(err)
	}
	g := gateOf(t, p, fresh, accepted)
	if c := g.Cells[0]; c.Cause != gate.FailedBefore || !strings.HasSuffix(c.Reason, "computing it again failed: it failed") {
		t.Errorf("%s: %s", c.Cause, c.Reason)
	}
	if !strings.Contains(g.Next, "`r2lmlbench run gated --fresh --retry-failed`") {
		t.Errorf("next: %s", g.Next)
	}
}

// TestAcceptPartly: narrowing leaves the rest as it was, and so does a cell that
// is not there.
func TestAcceptPartly(t *testing.T) {
	accepted := acceptedStore(t)
	before, _, err := accepted.Accepted("gated")
	if err != nil {
		t.Fatal(err)
	}
	p, fresh := spectest.Stored(t, mutated(spectest.Parse(t, spectest.Gated), "glml", func(m baselines.GLML) baselines.GLML { m.Shrinkage = 0.05; return m }))
	s := spectest.Parse(t, spectest.Gated)
	fixture.Check(t, s.Narrow([]string{"overlap30"}, []string{"glml"}))
	narrow := spectest.PlanFor(t, s)
	if g := gateOf(t, narrow, fresh, accepted); g.Family != 1 || g.Status == gate.Pass {
		t.Errorf("narrowed: %+v", g)
	}
	if done, err := gate.Accept(t.Context(), narrow, fresh, accepted, gate.Options{}); err != nil || done != (gate.Acceptance{Accepted: 1, Kept: 5}) {
		t.Errorf("%+v, %v", done, err)
	}
	if g := gateOf(t, p, fresh, accepted); !slices.Equal(statuses(g), []string{"overlap60 glml changed"}) || g.Family != 6 {
		t.Errorf("%q, family %d; want the other set's cell as it was", statuses(g), g.Family)
	}
	if after, _, err := accepted.Accepted("gated"); len(after.Cells) != len(before.Cells) || err != nil {
		t.Errorf("%d cells, %d before (%v)", len(after.Cells), len(before.Cells), err)
	}
	smaller := spectest.PlanFor(t, spectest.Parse(t, strings.Replace(spectest.Gated, "datasets: [overlap60, overlap30]", "datasets: [overlap30]", 1)))
	if done, err := gate.Accept(t.Context(), smaller, fresh, accepted, gate.Options{}); err != nil || done != (gate.Acceptance{Accepted: 3, Dropped: 3}) {
		t.Errorf("a spec of one set: %+v, %v; want three cells dropped", done, err)
	}
	empty := &store.Store{Dir: t.TempDir()}
	if _, err := gate.Accept(t.Context(), p, empty, accepted, gate.Options{}); !errors.Is(err, gate.ErrNothingFresh) {
		t.Errorf("nothing to accept: %v", err)
	}
}

// TestAcceptedSmoke: the accepted cells of the gate of continuous integration
// are those that its spec asks for, whole, and every method that runs by itself
// is among them.
func TestAcceptedSmoke(t *testing.T) {
	s := fixture.Must(spec.Load("smoke"))(t)
	p := spectest.PlanFor(t, s)
	accepted := &store.Store{Dir: filepath.Join("..", "accepted"), Log: t.Logf}
	list, there, err := accepted.Accepted("smoke")
	if !there || err != nil {
		t.Fatalf("%v, %v", there, err)
	}
	jobs := p.Jobs()
	if len(list.Cells) != len(jobs) {
		t.Errorf("%d cells are accepted, the spec has %d", len(list.Cells), len(jobs))
	}
	for _, j := range jobs {
		a, there := list.ByPlace()[j.Place()]
		if !there {
			t.Errorf("%s %s is not accepted: run smoke and gate smoke --accept", j.Entry.ID, j.Column.ID)
			continue
		}
		c, ok, err := accepted.AcceptedCell(a)
		if !ok || err != nil || len(c.Diff(j.Inputs)) > 0 {
			t.Errorf("%s %s: stored %v, %v, differs in %q: run smoke and gate smoke --accept", j.Entry.ID, j.Column.ID, ok, err, c.Diff(j.Inputs))
		}
	}
}

// What an accepted cell took is unknown where an earlier process did a part of it.
func TestTakenByResumedCells(t *testing.T) {
	p := spectest.PlanFor(t, spectest.Parse(t, spectest.Small))
	in := p.Jobs()[0].Inputs
	for _, resumed := range []bool{false, true} {
		cells, accepted := &store.Store{Dir: t.TempDir()}, &store.Store{Dir: t.TempDir()}
		c := results.Cell{Inputs: in, Truth: []int{1}, Predicted: []int{1}}
		fixture.Check(t, cells.Put(c, results.Run{Seconds: 1.50021, Resumed: resumed}))
		fixture.Must(gate.Accept(t.Context(), p, cells, accepted, gate.Options{AllowOtherBuilds: true}))(t)
		list, _, err := accepted.Accepted(p.Spec.Name)
		if err != nil {
			t.Fatal(err)
		}
		if seconds := list.ByPlace()[p.Jobs()[0].Place()].Seconds; (seconds == 0) != resumed || !resumed && seconds != 1.501 {
			t.Errorf("resumed %v: %v seconds", resumed, seconds)
		}
	}
}

// TestGateSeesDamage: an accepted cell that was tampered with counts as missing.
func TestGateSeesDamage(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := spectest.Stored(t, spectest.Parse(t, spectest.Gated))
	file := filepath.Join(accepted.Dir, "packs", "overlap60", "euclidean.jsonl")
	data := fixture.Must(os.ReadFile(file))(t)
	fixture.Check(t, os.WriteFile(file, []byte(strings.Replace(string(data), "1x", "2x", 1)), 0o666))
	if g := gateOf(t, p, fresh, accepted); !slices.Equal(statuses(g), []string{"overlap60 euclidean error"}) {
		t.Errorf("%q", statuses(g))
	}
}
