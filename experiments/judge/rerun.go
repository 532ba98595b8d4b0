package judge

import (
	"context"
	"slices"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/results"
)

// rerun lists the commands that compute a cell anew, beside those that are
// stored.
func rerun(name string, j plan.Job) []string {
	var commands []string
	if !j.Entry.Generated() && !j.Entry.Own() && !spec.Imported(*j.Entry) {
		commands = append(commands, invoke.Fetch(j.Entry.ID))
	}
	return append(commands, runCommand(name, j))
}

// runCommand computes the cells of a job's data set and column anew.
func runCommand(name string, j plan.Job) string {
	return invoke.Run{Spec: name, Datasets: j.Entry.ID, Methods: j.Column.ID, Results: "results/runs/remade"}.String()
}

// A request is a column of a spec with its cells on one data set.
type request struct {
	name string // of the spec on the command line
	jobs []plan.Job
}

// rerunAll lists commands that compute cells of one data set and method anew:
// runs of the plan's spec, called name, and of the specs that the program carries.
// Every command asks for as many of the cells as any does of those that are left.
// Cells that no spec asks for have none.
func rerunAll(ctx context.Context, s *Session, p plan.Plan, name string, cells []results.Inputs) ([]string, error) {
	commands := []string{}
	if len(cells) == 0 {
		return commands, nil
	}
	requests, err := requests(ctx, s, p, name, cells[0])
	if err != nil {
		return commands, err
	}
	for uncovered := slices.Clone(cells); len(uncovered) > 0; {
		best, most := request{}, 0
		for _, a := range requests {
			if n := len(uncovered) - len(a.without(uncovered)); n > most {
				best, most = a, n
			}
		}
		if most == 0 {
			break
		}
		commands = append(commands, runCommand(best.name, best.jobs[0]))
		uncovered = best.without(uncovered)
	}
	return commands, nil
}

// requests lists the columns of a cell's method, with their cells on its data set:
// those of the plan first, then those of the specs that the program carries.
func requests(ctx context.Context, s *Session, p plan.Plan, name string, c results.Inputs) ([]request, error) {
	all := requestsOf(p, name, c)
	s.readAhead(experiments.Names())
	for _, other := range experiments.Names() {
		if other == name {
			continue
		}
		complete, err := s.Spec(other)
		if err != nil {
			return nil, err
		}
		narrowed := *complete
		if complete.Split.Alternatives() || narrowed.Narrow([]string{c.Dataset}, []string{c.Method}) != nil {
			continue // no cell of it is evidence, or it has no such data set or method
		}
		requested, err := plan.New(ctx, &narrowed, s.Source)
		if err != nil {
			return nil, err
		}
		all = append(all, requestsOf(requested, other, c)...)
	}
	return all, nil
}

// requestsOf lists the plan's columns of a cell's method, with their cells on its
// data set.
func requestsOf(p plan.Plan, name string, c results.Inputs) []request {
	var all []request
	for i, col := range p.Spec.Columns {
		if col.Method.ID != c.Method {
			continue
		}
		a := request{name: name}
		for _, row := range p.Rows {
			if row.Entry.ID == c.Dataset {
				a.jobs = append(a.jobs, row.Jobs[i]...)
			}
		}
		all = append(all, a)
	}
	return all
}

// without returns the cells that the column does not ask for.
func (a request) without(cells []results.Inputs) []results.Inputs {
	return slices.DeleteFunc(slices.Clone(cells), func(c results.Inputs) bool {
		return slices.ContainsFunc(a.jobs, func(j plan.Job) bool { return len(c.Diff(j.Inputs)) == 0 })
	})
}
