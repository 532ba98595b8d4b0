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
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
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
	s := termsOf(p, o)
	s.Unaccepted = !there
	var faults []string
	switch now := s.info(); {
	case !there:
		faults = append(faults, fmt.Sprintf("nothing is accepted for %s in %s; run the spec, then accept it with gate --accept", p.Spec.Name, accepted.Dir))
	case list.Test != now:
		faults = append(faults, fmt.Sprintf("the test is not the accepted one: %s -> %s", testText(list.Test), testText(now)))
	}
	var cells []Input
	others, byPlace := 0, list.ByKey()
	for _, j := range p.Jobs() {
		in, err := gateInput(j, there, byPlace, fresh, accepted)
		if err != nil {
			return Gate{}, err
		}
		builds, err := in.otherBuilds(fresh)
		if err != nil {
			return Gate{}, err
		}
		switch {
		case len(builds) == 0:
		case o.AllowOtherBuilds:
			others++
		default:
			in.refuse(builds, fresh)
		}
		cells = append(cells, in)
	}
	_, gone := unplanned(p, list)
	for _, c := range gone {
		cells = append(cells, Input{Key: c, Cause: Dropped, Problem: "the spec does not have it any more, which makes the family of tests smaller"})
	}
	g := New(s, faults, cells)
	g.Others = others
	g.NoTable = !p.Spec.Narrowed && there && len(list.Printed) == 0
	if g.Status == Pass && !p.Spec.Narrowed && len(list.Printed) > 0 {
		now, err := printed(p, fresh)
		if err != nil {
			return g, err
		}
		for _, form := range slices.Sorted(maps.Keys(now)) {
			if now[form] != list.Printed[form] {
				g.Tables = append(g.Tables, form)
			}
		}
		if len(g.Tables) > 0 { // what ranks, tests or prints has changed
			g.Status = Changed
			g.setNext()
		}
	}
	return g, nil
}

// otherBuilds lists the builds besides this one that computed a part of the fresh cell, if there is one.
func (in Input) otherBuilds(fresh *store.Store) ([]results.Build, error) {
	if in.Fresh == nil {
		return nil, nil
	}
	return fresh.OtherBuilds(*in.Fresh)
}

// refuse makes an input an error because other builds computed the fresh cell.
func (in *Input) refuse(builds []results.Build, fresh *store.Store) {
	in.Cause, in.Problem = OtherBuild, madeBy(builds)
	failed, ok, err := fresh.Failed(in.Fresh.Inputs)
	if !ok || err != nil {
		return
	}
	in.Problem += "; computing it again failed: " + failed.Failure
	if others, err := fresh.OtherBuilds(failed); err == nil && len(others) == 0 { // this build did, and will not try again by itself
		in.Cause = FailedBefore
	}
}

// termsOf returns the terms of a plan.
func termsOf(p plan.Plan, o Options) Terms {
	return Terms{Name: p.Spec.Name, Test: p.Spec.Test.Variant, Across: p.Spec.Test.Across, Alpha: p.Spec.Test.Alpha, Tolerance: p.Spec.Gate.Tolerance, Options: o}
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
	return fmt.Sprintf("%s, alpha %g", text.Join(", ", t.Pair, t.Across, t.Correction), t.Alpha)
}

// gateInput looks up the two cells of a job. byPlace has the entries of the list, if there
// is one.
func gateInput(j plan.Job, there bool, byPlace map[store.Key]store.AcceptedCell, fresh, accepted *store.Store) (Input, error) {
	in := Input{Key: store.AcceptedCell{Key: j.Key()}, Line: j.Column.Line}
	known, listed := byPlace[j.Key()]
	if listed {
		in.Key = known
	}
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
		if there && !listed {
			in.Problem += "; nor is it among the accepted cells, which makes the family of tests larger"
		}
		return in, err
	}
	in.Fresh = &now
	if !listed {
		in.Cause, in.Problem = NotAccepted, "nothing is accepted yet"
		if there {
			in.Problem = "it is not among the accepted cells, which makes the family of tests larger; accept it with gate --accept"
		}
		return in, nil
	}
	before, ok, err := accepted.AcceptedCell(in.Key)
	if !ok {
		in.Cause, in.Problem = Lost, fmt.Sprintf("the accepted cell is missing or damaged: %s", in.Key.File)
	}
	in.Accepted = &before
	return in, err
}

// unplanned lists the accepted cells that the plan does not contain: left are those that narrowing
// removed, gone those that the spec no longer has.
func unplanned(p plan.Plan, list store.Accepted) (left, gone []store.AcceptedCell) {
	planned, sets, columns := map[store.Key]bool{}, map[string]bool{}, map[string]bool{}
	for _, j := range p.Jobs() {
		planned[j.Key()] = true
	}
	for _, r := range p.Splits {
		sets[r.Dataset.ID] = true
	}
	for _, c := range p.Spec.Columns {
		columns[c.ID] = true
	}
	for _, c := range list.Cells {
		switch {
		case planned[c.Key]:
		case p.Spec.Narrowed && !(sets[c.Dataset] && columns[c.Method]):
			left = append(left, c)
		default:
			gone = append(gone, c)
		}
	}
	return left, gone
}

// An Acceptance counts what Accept did.
type Acceptance struct {
	Accepted int  // cells taken from the fresh ones
	Kept     int  // cells accepted before that have no fresh one, or were left out by narrowing
	Failed   int  // cells that failed: their records are kept beside the accepted ones
	Missing  int  // cells of the spec with none of these
	Dropped  int  // cells accepted before that the spec does not ask for any more
	NoTable  bool // the table accepted before is of other cells than these, and is forgotten
}

// ErrOtherBuilds is returned by Accept when fresh cells are not of this build alone.
var ErrOtherBuilds = errors.New("what this build computes may be different")

// ErrNothingFresh is returned by Accept when there is no fresh cell at all.
var ErrNothingFresh = errors.New("there is no fresh cell to accept")

// Accept makes the plan's cells in fresh the accepted ones. A cell without a
// fresh one stays as it was accepted; cells that the spec does not ask for any
// more are dropped. Nothing is accepted when a fresh cell is not of this build
// alone, unless that is allowed: long computations go on over several commits. The table
// that the cells make is accepted with them. Of a narrowed spec no table is made: the one
// accepted before stays if all cells do.
func Accept(ctx context.Context, p plan.Plan, fresh, accepted *store.Store, o Options) (Acceptance, error) {
	update, err := accepted.Update(ctx, p.Spec.Name)
	if err != nil {
		return Acceptance{}, err
	}
	defer update.Close()
	fresh = fresh.Snapshot()
	same := false // all cells of a narrowed spec are those that were accepted
	if p.Spec.Narrowed {
		g, err := Of(p, fresh, accepted, o)
		if err != nil {
			return Acceptance{}, err
		}
		same = g.Status == Pass
	}
	list, done, err := accept(p, fresh, update, o)
	switch before := update.Accepted().Printed; {
	case err != nil:
	case !p.Spec.Narrowed:
		list.Printed, err = printed(p, fresh, accepted.Snapshot())
	case same:
		list.Printed = before
	default:
		done.NoTable = len(before) > 0
	}
	if err == nil && done.Accepted == 0 {
		err = fmt.Errorf("%w in %s; run %s first", ErrNothingFresh, fresh.Dir, p.Spec.Name)
	}
	if err != nil {
		return done, err
	}
	return done, update.Commit(list)
}

// accept puts the plan's cells in fresh into an update, and lists what is
// accepted with them.
func accept(p plan.Plan, fresh *store.Store, update *store.Update, o Options) (store.Accepted, Acceptance, error) {
	var done Acceptance
	before := update.Accepted()
	byPlace := before.ByKey()
	list := store.Accepted{Spec: p.Spec.Name, Test: termsOf(p, o).info()}
	refused, first := 0, "" // cells of other builds
	for _, j := range p.Jobs() {
		entry := store.AcceptedCell{Key: j.Key()}
		known, listed := byPlace[entry.Key]
		state, cell, err := plan.Look(fresh, j)
		if err != nil {
			return list, done, err
		}
		switch {
		case state.Status == plan.Hit:
			others, err := fresh.OtherBuilds(cell)
			if err != nil {
				return list, done, err
			}
			if len(others) > 0 && !o.AllowOtherBuilds {
				refused++
				first = cmp.Or(first, fmt.Sprintf("%s %s seed %d (%s): %s", j.Dataset.ID, j.Column.ID, j.Inputs.Seed, j.Inputs.Split, madeBy(others)))
			}
			if entry.File, err = update.Put(cell); err == nil {
				err = addCost(&entry, fresh, j.Inputs, known)
			}
			if err != nil {
				return list, done, err
			}
			done.Accepted++
		case listed:
			entry = known
			done.Kept++
		case state.Status == plan.Failed:
			if _, err := update.Put(cell); err != nil {
				return list, done, err
			}
			done.Failed++
			continue
		default:
			done.Missing++
			continue
		}
		list.Cells = append(list.Cells, entry)
	}
	if refused > 0 {
		return list, Acceptance{}, fmt.Errorf("%s: of %s in %s another or an unknown build made the whole or a part, and %w; compute again with --fresh, "+
			"or accept what is there with --allow-other-builds; the first is %s", p.Spec.Name, text.Counted(refused, "fresh cell"), fresh.Dir, ErrOtherBuilds, first)
	}
	left, gone := unplanned(p, before)
	list.Cells = append(list.Cells, left...)
	done.Kept, done.Dropped = done.Kept+len(left), len(gone)
	return list, done, nil
}

// addCost adds time and memory of a fresh cell to its entry; known is the entry that was accepted.
func addCost(entry *store.AcceptedCell, fresh *store.Store, in results.Inputs, known store.AcceptedCell) error {
	run, _, err := fresh.Run(in)
	if err != nil {
		return err
	}
	entry.Heap = run.Heap
	if !run.Resumed { // of a cell that several processes worked on the time is unknown
		entry.Seconds = math.Ceil(1000*run.Seconds) / 1000
	}
	if known.File == entry.File { // the same cell run again
		entry.Seconds = cmp.Or(known.Seconds, entry.Seconds)
		entry.Heap = cmp.Or(entry.Heap, known.Heap)
	}
	return nil
}

// printed has the SHA-256 of the table of a plan, by the cells in stores, in every form that
// is printed: rows of data sets in each format, rows of splits as JSON. Digests of programs
// are left out, as the gate compares what edited ones predict, and so are doubts about fits,
// which are not in cells.
func printed(p plan.Plan, stores ...*store.Store) (map[string]string, error) {
	splits, err := table.Of(p, stores...)
	if err != nil {
		return nil, err
	}
	for _, r := range splits.Rows {
		for i := range r.Cells {
			c := &r.Cells[i]
			c.Doubts = nil
			if c.Score != nil {
				c.Params = withoutProgram(results.Setting{Params: c.Params}).Params
			}
		}
	}
	pooled := splits.Pooled()
	splits.Contrasts = nil // which the rows of data sets have
	sums := map[string]string{}
	for form, t := range map[string]table.Table{"splits": splits, "text": pooled, "markdown": pooled, "latex": pooled, "csv": pooled, "json": pooled} {
		format := form
		if form == "splits" {
			format = "json"
		}
		var b bytes.Buffer
		if err := t.Render(&b, format, document.Style{Notes: true}); err != nil {
			return nil, err
		}
		sums[form] = results.Digest(b.Bytes())
	}
	return sums, nil
}
