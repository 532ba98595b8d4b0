package experiments

import (
	"context"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/results"
	"r2lmlbench/results/reproduction"
)

// Reproduction gathers from accepted cells what the account of them needs. It
// does not need the data files.
func Reproduction(ctx context.Context, accepted *results.Store, source *Source) (reproduction.Input, error) {
	in := reproduction.Input{Findings: results.Audit(), Classes: classCounts()}
	accepted = accepted.Snapshot()
	g := gatherer{accepted: accepted, source: source, files: map[string]bool{}}
	parts := []struct {
		spec  string
		table *results.Table
	}{
		{"accuracy", &in.Accuracy}, {"seeds", new(results.Table)}, {"splits", new(results.Table)},
		{"variants", &in.Variants},
		{"steps", &in.Steps}, {"metrics", &in.Metrics},
		{"lambda", &in.Lambda}, {"triangle", &in.Triangle}, {"toy", &in.Toy}, {"convergence", &in.Convergence},
	}
	for _, part := range parts {
		plan, err := g.plan(ctx, part.spec)
		if err != nil {
			return in, err
		}
		if *part.table, err = plan.Table(accepted); err != nil {
			return in, err
		}
		if part.spec == "accuracy" {
			if in.Verdicts, err = plan.Verdicts(accepted); err != nil {
				return in, err
			}
		}
	}
	var err error
	if in.Alternatives, err = g.listed("alternatives"); err != nil {
		return in, err
	}
	in.Cells, in.Absent = len(g.files), g.groups()
	return in, nil
}

// classCounts are the numbers of classes of the paper's data sets, by id.
func classCounts() map[string]int {
	counts := map[string]int{}
	for _, e := range paperEntries() {
		counts[e.ID] = len(e.Labels)
	}
	return counts
}

// A gatherer notes which cells of several specs are accepted.
type gatherer struct {
	accepted *results.Store
	source   *Source
	files    map[string]bool // keys of the accepted cells
	absent   []absence
	spent    []spending
}

// An absence is a data set of a spec and method, with the work of the cells that
// are not there.
type absence struct {
	spec, method string
	reproduction.Absence
	work float64
}

// A spending is the time that an accepted cell took for its work.
type spending struct {
	method, dataset string
	seconds, work   float64
}

// plan spells a spec out and counts its cells.
func (g *gatherer) plan(ctx context.Context, name string) (Plan, error) {
	spec, err := Load(name)
	if err != nil {
		return Plan{}, err
	}
	plan, err := NewPlan(ctx, spec, g.source)
	if err != nil {
		return plan, err
	}
	return plan, g.count(plan)
}

// listed makes the table of a spec from the list of its accepted cells: its rows
// cannot be known without the data files, which the account does not need.
func (g *gatherer) listed(name string) (results.Table, error) {
	spec, err := Load(name)
	if err != nil {
		return results.Table{}, err
	}
	list, _, err := g.accepted.Accepted(name)
	if err != nil {
		return results.Table{}, err
	}
	var rows []results.RowInput
	for _, c := range list.Cells {
		cell, ok, err := g.accepted.AcceptedCell(c)
		if err != nil {
			return results.Table{}, err
		}
		column := slices.IndexFunc(spec.Columns, func(col Column) bool { return col.ID == c.Method })
		if !ok || column < 0 {
			continue // shown as missing
		}
		g.files[cell.Key()] = true
		at := slices.IndexFunc(rows, func(r results.RowInput) bool { return r.Dataset == c.Dataset && r.Split == c.Split })
		if at < 0 {
			at = len(rows)
			rows = append(rows, spec.rowOf(c))
		}
		rows[at].Cells[column] = results.CellInput{Cells: []results.Cell{cell}}
	}
	return results.NewTable(Plan{Spec: spec}.tableSpec(), rows), nil
}

// rowOf is the empty row of an accepted cell's data set and split.
func (s *Spec) rowOf(c results.AcceptedCell) results.RowInput {
	row := results.RowInput{Dataset: c.Dataset, Split: c.Split, Unlike: true, Cells: make([]results.CellInput, len(s.Columns))}
	if at := slices.IndexFunc(s.Entries, func(e datasets.Entry) bool { return e.ID == c.Dataset }); at >= 0 {
		row.Letter, row.Name, row.N = s.Entries[at].Letter, s.Entries[at].Name, s.Entries[at].TestSize()
	}
	for i := range row.Cells {
		row.Cells[i] = results.CellInput{Status: results.StatusMissing, Reason: "not among the accepted cells"}
	}
	return row
}

// count counts the plan's cells by method and data set.
func (g *gatherer) count(plan Plan) error {
	list, _, err := g.accepted.Accepted(plan.Spec.Name)
	if err != nil {
		return err
	}
	start := len(g.absent)
	for _, j := range plan.Jobs() {
		cell, ok, err := g.accepted.Find(j.Inputs)
		if err != nil {
			return err
		}
		method := j.Column.Method.ID
		at := slices.IndexFunc(g.absent[start:], func(a absence) bool { return a.method == method && a.Dataset == j.Inputs.Dataset }) + start
		if at < start {
			at = len(g.absent)
			g.absent = append(g.absent, absence{spec: plan.Spec.Name, method: method, Absence: reproduction.Absence{Dataset: j.Inputs.Dataset}})
		}
		g.absent[at].Of++
		if !ok {
			_, failed, err := g.accepted.Failed(j.Inputs)
			if err != nil {
				return err
			}
			if failed {
				continue // the tables say so
			}
			g.absent[at].Cells++
			g.absent[at].work += j.Work(g.source)
			continue
		}
		g.files[cell.Key()] = true
		if i := list.Index(j.place()); i >= 0 && list.Cells[i].Seconds > 0 {
			g.spent = append(g.spent, spending{method, j.Inputs.Dataset, float64(list.Cells[i].Seconds), j.Work(g.source)})
		}
	}
	return nil
}

// groups lists what is absent by spec and method, with what it would take.
func (g *gatherer) groups() []reproduction.Group {
	var groups []reproduction.Group
	for _, a := range g.absent {
		at := slices.IndexFunc(groups, func(group reproduction.Group) bool { return group.Spec == a.spec && group.Method == a.method })
		if at < 0 {
			at = len(groups)
			groups = append(groups, reproduction.Group{Spec: a.spec, Method: a.method})
		}
		groups[at].Of += a.Of
		if a.Cells > 0 {
			a.Seconds = a.work * g.rate(a.method, a.Dataset)
			groups[at].Sets = append(groups[at].Sets, a.Absence)
		}
	}
	return slices.DeleteFunc(groups, func(group reproduction.Group) bool { return len(group.Sets) == 0 })
}

// rate is the measured time of a unit of work: of the method's accepted cells
// on the data set, if there are none of those on all data sets, else 0.
func (g *gatherer) rate(method, dataset string) float64 {
	var here, all spending
	for _, s := range g.spent {
		if s.method != method {
			continue
		}
		all.seconds, all.work = all.seconds+s.seconds, all.work+s.work
		if s.dataset == dataset {
			here.seconds, here.work = here.seconds+s.seconds, here.work+s.work
		}
	}
	switch {
	case here.work > 0:
		return here.seconds / here.work
	case all.work > 0:
		return all.seconds / all.work
	}
	return 0
}
