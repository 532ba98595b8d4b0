package gate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// Of compares the plan's cells in fresh with the accepted ones. Of a narrowed
// spec only the cells that are left are compared. A fresh cell counts if this build
// of the program computed it: that of another tells nothing about this one.
func Of(p plan.Plan, fresh, accepted *store.Store, o Options) (Gate, error) {
	fresh, accepted = fresh.Snapshot(), accepted.Snapshot()
	list, there, err := accepted.Accepted(p.Spec.Name)
	if err != nil {
		return Gate{}, err
	}
	s := SpecOf(p, o)
	s.Unaccepted = !there
	var faults []string
	switch now := s.info(); {
	case !there:
		faults = append(faults, fmt.Sprintf("nothing is accepted for %s in %s; run the spec, then accept it with gate --accept", p.Spec.Name, accepted.Dir))
	case list.Test != now:
		faults = append(faults, fmt.Sprintf("the test is not the accepted one: %s -> %s", testText(list.Test), testText(now)))
	}
	var cells []Input
	others, byPlace := 0, list.ByPlace()
	if !there {
		byPlace = nil
	}
	for _, j := range p.Jobs() {
		in, err := gateInput(j, byPlace, fresh, accepted)
		if err != nil {
			return Gate{}, err
		}
		if in.Fresh != nil {
			if builds := fresh.OtherBuilds(*in.Fresh); len(builds) > 0 {
				others++
				if !o.AllowOtherBuilds {
					refuse(&in, builds, fresh)
				}
			}
		}
		cells = append(cells, in)
	}
	g := New(s, faults, append(cells, dropped(p, list)...))
	g.NoTable = !p.Spec.Narrowed && there && len(list.Printed) == 0
	if g.Status == Pass && !p.Spec.Narrowed && len(list.Printed) > 0 {
		forms, err := reprinted(p, fresh, list.Printed)
		if err != nil {
			return g, err
		}
		g.Reprinted(forms)
	}
	if o.AllowOtherBuilds {
		g.Others = others
	}
	return g, nil
}

// SpecOf is what a gate needs to know of a plan.
func SpecOf(p plan.Plan, o Options) Spec {
	return Spec{Name: p.Spec.Name, Test: p.Spec.Test.Variant, Alpha: p.Spec.Test.Alpha, Tolerance: p.Spec.Gate.Tolerance, Options: o}
}

// reprinted names the forms in which the table of the fresh cells is not printed as it
// was accepted.
func reprinted(p plan.Plan, fresh *store.Store, accepted map[string]string) ([]string, error) {
	now, err := printed(p, fresh)
	if err != nil {
		return nil, err
	}
	var forms []string
	for _, form := range slices.Sorted(maps.Keys(now)) {
		if now[form] != accepted[form] {
			forms = append(forms, form)
		}
	}
	return forms, nil
}

// refuse makes a fresh cell of other builds a problem.
func refuse(in *Input, builds []results.Build, fresh *store.Store) {
	in.Cause, in.Problem = OtherBuild, madeBy(builds)
	if failed, ok, err := fresh.Failed(in.Fresh.Inputs); ok && err == nil {
		in.Problem += "; computing it again failed: " + failed.Failure
		if len(fresh.OtherBuilds(failed)) == 0 { // this build did, and will not try again by itself
			in.Cause = FailedBefore
		}
	}
	in.Fresh = nil
}

// madeBy says which other builds had a part in a cell.
func madeBy(others []results.Build) string {
	names := make([]string, len(others))
	for i, b := range others {
		names[i] = b.String()
	}
	return "the fresh cell was made by " + text.Series(names) + ", this is " + results.ThisBuild().String()
}

// testText is a test in words.
func testText(t results.TestInfo) string {
	return fmt.Sprintf("%s, %s, alpha %g", t.Pair, t.Correction, t.Alpha)
}

// gateInput looks up the two cells of a job. byPlace has the entries of the list, and
// is nil when nothing is accepted yet.
func gateInput(j plan.Job, byPlace map[store.Place]store.AcceptedCell, fresh, accepted *store.Store) (Input, error) {
	in := Input{Place: store.AcceptedCell{Place: j.Place()}, Line: j.Column.Line}
	now, ok, err := fresh.Find(j.Inputs)
	if err != nil {
		return in, err
	}
	if !ok {
		s, err := plan.StateOf(fresh, j)
		in.Cause, in.Problem = NotComputed, fmt.Sprintf("there is no fresh cell in %s (%s): %s", fresh.Dir, s.Status, s.Why)
		if s.Status == plan.Failed {
			in.Cause = FailedBefore
		}
		if known, ok := byPlace[j.Place()]; ok {
			in.Place = known
		} else if byPlace != nil {
			in.Problem += "; nor is it among the accepted cells, which makes the family of tests larger"
		}
		return in, err
	}
	in.Fresh = &now
	known, ok := byPlace[j.Place()]
	if !ok {
		in.Cause, in.Problem = NotAccepted, "nothing is accepted yet"
		if byPlace != nil {
			in.Problem = "it is not among the accepted cells, which makes the family of tests larger; accept it with gate --accept"
		}
		return in, nil
	}
	in.Place = known
	before, ok, err := accepted.AcceptedCell(in.Place)
	if !ok {
		in.Cause, in.Problem = Lost, fmt.Sprintf("the accepted cell is missing or damaged: %s", in.Place.File)
	}
	in.Accepted = &before
	return in, err
}

// dropped lists the accepted cells that the spec does not ask for any more; of
// a narrowed spec, those of the data sets and methods that are left.
func dropped(p plan.Plan, list store.Accepted) []Input {
	var gone []Input
	covered := covers(p)
	for _, c := range others(p, list) {
		if !p.Spec.Narrowed || covered(c) {
			gone = append(gone, Input{Place: c, Cause: Dropped, Problem: "the spec does not have it any more, which makes the family of tests smaller"})
		}
	}
	return gone
}

// others lists the accepted cells that no job of the plan has the place of.
func others(p plan.Plan, list store.Accepted) []store.AcceptedCell {
	planned := map[store.Place]bool{}
	for _, j := range p.Jobs() {
		planned[j.Place()] = true
	}
	return slices.DeleteFunc(slices.Clone(list.Cells), func(c store.AcceptedCell) bool { return planned[c.Place] })
}

// covers returns what tells whether the plan has the data set and the column of a cell.
func covers(p plan.Plan) func(store.AcceptedCell) bool {
	sets, columns := map[string]bool{}, map[string]bool{}
	for _, r := range p.Rows {
		sets[r.Entry.ID] = true
	}
	for _, c := range p.Spec.Columns {
		columns[c.ID] = true
	}
	return func(c store.AcceptedCell) bool { return sets[c.Dataset] && columns[c.Method] }
}

// taken is the wall time of a stored cell, rounded up to milliseconds, and by how
// much the heap grew; 0 when unknown, as both are of a cell that several processes worked on.
func taken(st *store.Store, in results.Inputs) (seconds float64, heap int64) {
	run, _ := st.Run(in)
	if !run.Resumed {
		seconds = math.Ceil(1000*run.Seconds) / 1000
	}
	return seconds, run.Heap
}

// An Acceptance counts what Accept did.
type Acceptance struct {
	Accepted int // cells taken from the fresh ones
	Kept     int // cells accepted before that have no fresh one, or were left out by narrowing
	Failed   int // cells that failed: their records are kept beside the accepted ones
	Missing  int // cells of the spec with none of these
	Dropped  int // cells accepted before that the spec does not ask for any more
}

// ErrOtherBuilds is returned by Accept when fresh cells are not of this build alone.
var ErrOtherBuilds = errors.New("what this build computes may be different")

// ErrNothingFresh is returned by Accept when there is no fresh cell at all.
var ErrNothingFresh = errors.New("there is no fresh cell to accept")

// Accept makes the plan's cells in fresh the accepted ones. A cell without a
// fresh one stays as it was accepted; cells that the spec does not ask for any
// more are dropped. Nothing is accepted when a fresh cell is not of this build
// alone, unless that is allowed: long computations go on over several commits. The table
// that the cells make is accepted with them, unless the spec is narrowed.
func Accept(ctx context.Context, p plan.Plan, fresh, accepted *store.Store, o Options) (Acceptance, error) {
	update, err := accepted.Update(ctx, p.Spec.Name)
	if err != nil {
		return Acceptance{}, err
	}
	defer update.Close()
	fresh = fresh.Snapshot()
	if !o.AllowOtherBuilds {
		if err := ownBuild(p, fresh); err != nil {
			return Acceptance{}, err
		}
	}
	list, done, err := accept(p, fresh, update)
	if err == nil && !p.Spec.Narrowed {
		list.Printed, err = printed(p, fresh, accepted.Snapshot())
	}
	if err == nil && done.Accepted == 0 {
		err = fmt.Errorf("%w in %s; run %s first", ErrNothingFresh, fresh.Dir, p.Spec.Name)
	}
	if err != nil {
		return done, err
	}
	return done, update.Commit(list)
}

// ownBuild returns an error that names the first fresh cell of another build.
func ownBuild(p plan.Plan, fresh *store.Store) error {
	found, first := 0, ""
	for _, j := range p.Jobs() {
		cell, ok, err := fresh.Find(j.Inputs)
		if err != nil {
			return err
		}
		if others := fresh.OtherBuilds(cell); ok && len(others) > 0 {
			if found++; found == 1 {
				first = fmt.Sprintf("%s %s seed %d (%s): %s", j.Entry.ID, j.Column.ID, j.Inputs.Seed, j.Inputs.Split, madeBy(others))
			}
		}
	}
	if found == 0 {
		return nil
	}
	return fmt.Errorf("%s: of %s in %s another or an unknown build made the whole or a part, and %w; compute again with --fresh, or accept what is there "+
		"with --allow-other-builds; the first is %s", p.Spec.Name, text.Counted(found, "fresh cell"), fresh.Dir, ErrOtherBuilds, first)
}

// accept puts the plan's cells in fresh into an update, and lists what is
// accepted with them.
func accept(p plan.Plan, fresh *store.Store, update *store.Update) (store.Accepted, Acceptance, error) {
	var done Acceptance
	before := update.Accepted()
	byPlace, covered := before.ByPlace(), covers(p)
	list := store.Accepted{Spec: p.Spec.Name, Test: SpecOf(p, Options{}).info()}
	for _, j := range p.Jobs() {
		entry := store.AcceptedCell{Place: j.Place()}
		cell, ok, err := fresh.Find(j.Inputs)
		if err != nil {
			return list, done, err
		}
		known, listed := byPlace[entry.Place]
		switch {
		case ok:
			if entry.File, err = update.Put(cell); err != nil {
				return list, done, err
			}
			entry.Seconds, entry.Heap = taken(fresh, j.Inputs)
			if listed && known.File == entry.File { // the same cell run again
				entry.Seconds = cmp.Or(known.Seconds, entry.Seconds)
				entry.Heap = cmp.Or(entry.Heap, known.Heap)
			}
			done.Accepted++
		case listed:
			entry = known
			done.Kept++
		default:
			failed, ok, err := fresh.Failed(j.Inputs)
			if err != nil {
				return list, done, err
			}
			if !ok {
				done.Missing++
				continue
			}
			if _, err := update.Put(failed); err != nil {
				return list, done, err
			}
			done.Failed++
			continue
		}
		list.Cells = append(list.Cells, entry)
	}
	for _, c := range others(p, before) {
		if p.Spec.Narrowed && !covered(c) {
			list.Cells = append(list.Cells, c)
			done.Kept++
		} else {
			done.Dropped++
		}
	}
	return list, done, nil
}

// printed has the SHA-256 of the table of a plan, by the cells in stores, in every form that
// is printed: rows of data sets in each format, rows of splits as JSON. Digests of programs
// are left out, as the gate compares what edited ones predict.
func printed(p plan.Plan, stores ...*store.Store) (map[string]string, error) {
	splits, err := table.Of(p, stores...)
	if err != nil {
		return nil, err
	}
	for _, r := range splits.Rows {
		for _, c := range r.Cells {
			if c.Score != nil {
				c.Params = withoutProgram(c.Params)
			}
		}
	}
	pooled := splits.Pooled()
	if answers := study.ContrastsOf(p, splits); len(answers) > 0 {
		pooled.Contrasts = answers
	}
	sums := map[string]string{}
	for form, t := range map[string]table.Table{"splits": splits, "text": pooled, "markdown": pooled, "latex": pooled, "csv": pooled, "json": pooled} {
		format := form
		if form == "splits" {
			format = "json"
		}
		var b bytes.Buffer
		if err := t.Render(&b, format, table.Options{Notes: true}); err != nil {
			return nil, err
		}
		sums[form] = results.Digest(b.Bytes())
	}
	return sums, nil
}
