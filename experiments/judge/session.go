package judge

import (
	"context"
	"sync"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// A Session is what one command has read and worked out so far: a spec is
// parsed, a plan spelled out, a table ranked and its numbers judged once. Stores
// are taken for unchanged from the first look at them. A Session serves one
// goroutine.
type Session struct {
	Source *plan.Source

	catalogue *plan.Source                          // for who needs no data files
	specs     map[string]func() (*spec.Spec, error) // by name on the command line; each reads its spec once
	plans     map[*spec.Spec]plan.Plan
	snapshots map[*store.Store]*store.Store
	tables    map[view]table.Table
	verdicts  map[view]verdict.Verdicts
}

// A view is a plan, known by its spec and its first row, with a store that holds
// its cells.
type view struct {
	spec  *spec.Spec
	row   *plan.Row
	store *store.Store // a snapshot
}

func (s *Session) view(p plan.Plan, cells *store.Store) view {
	v := view{spec: p.Spec, store: s.snapshot(cells)}
	if len(p.Rows) > 0 {
		v.row = &p.Rows[0]
	}
	return v
}

// NewSession returns a session over the data files below the directory data.
func NewSession(data string) *Session {
	return &Session{
		Source:    plan.NewSource(data),
		catalogue: plan.Catalogue(),
		specs:     map[string]func() (*spec.Spec, error){},
		plans:     map[*spec.Spec]plan.Plan{},
		snapshots: map[*store.Store]*store.Store{},
		tables:    map[view]table.Table{},
		verdicts:  map[view]verdict.Verdicts{},
	}
}

// Spec reads the spec of this name or path, see spec.Load. It is shared: narrow a
// copy.
func (s *Session) Spec(name string) (*spec.Spec, error) { return s.reader(name)() }

// reader returns what reads a spec when it is called first.
func (s *Session) reader(name string) func() (*spec.Spec, error) {
	read, ok := s.specs[name]
	if !ok {
		read = sync.OnceValues(func() (*spec.Spec, error) { return spec.Load(name) })
		s.specs[name] = read
	}
	return read
}

// Plan spells out the spec of this name or path. Where data sets or methods are
// named, the spec is narrowed to them.
func (s *Session) Plan(ctx context.Context, name string, datasets, methods []string) (plan.Plan, error) {
	sp, err := s.Spec(name)
	if err != nil {
		return plan.Plan{}, err
	}
	if len(datasets)+len(methods) > 0 {
		narrowed := *sp
		if err := narrowed.Narrow(datasets, methods); err != nil {
			return plan.Plan{}, err
		}
		sp = &narrowed
	}
	return s.planOf(ctx, sp)
}

// planByCatalogue spells out a spec without the data files: digests of random
// splits are unknown, and cells are found by all else.
func (s *Session) planByCatalogue(ctx context.Context, name string) (plan.Plan, error) {
	of, err := s.Spec(name)
	if err != nil {
		return plan.Plan{}, err
	}
	if known, ok := s.plans[of]; ok {
		return known, nil
	}
	return plan.New(ctx, of, s.catalogue)
}

func (s *Session) planOf(ctx context.Context, of *spec.Spec) (plan.Plan, error) {
	if known, ok := s.plans[of]; ok {
		return known, nil
	}
	p, err := plan.New(ctx, of, s.Source)
	if err == nil {
		s.plans[of] = p
	}
	return p, err
}

// snapshot is the store as it is at the first look at it.
func (s *Session) snapshot(cells *store.Store) *store.Store {
	known, ok := s.snapshots[cells]
	if !ok {
		known = cells.Snapshot()
		s.snapshots[cells], s.snapshots[known] = known, known
	}
	return known
}

// Holds tells whether a store knows the outcome of any cell of a plan: the cell, or
// that it failed. What is read serves the other methods, too.
func (s *Session) Holds(p plan.Plan, cells *store.Store) (bool, error) {
	known := s.snapshot(cells)
	for _, j := range p.Jobs() {
		for _, look := range []func(results.Inputs) (results.Cell, bool, error){known.Find, known.Failed} {
			if _, ok, err := look(j.Inputs); err != nil || ok {
				return ok, err
			}
		}
	}
	return false, nil
}

// Table ranks the methods of a plan by the cells in a store.
func (s *Session) Table(p plan.Plan, cells *store.Store) (table.Table, error) {
	at := s.view(p, cells)
	if known, ok := s.tables[at]; ok {
		return known, nil
	}
	t, err := Table(p, at.store)
	if err == nil {
		s.tables[at] = t
	}
	return t, err
}

// PooledTable is Table with one row for each data set.
func (s *Session) PooledTable(p plan.Plan, cells *store.Store) (table.Table, error) {
	return PooledTable(p, s.snapshot(cells))
}
