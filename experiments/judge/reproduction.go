package judge

import (
	"context"
	"slices"
	"sync"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/published"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// Reproduction gathers from accepted cells what the reproduction report needs. It
// does not need the data files.
func Reproduction(ctx context.Context, s *Session, accepted *store.Store) (reproduction.Input, error) {
	in := reproduction.Input{Audit: published.Audit()}
	accepted = s.snapshot(accepted)
	g := gatherer{
		session: s, accepted: accepted, specs: map[string]*spec.Spec{}, plans: map[string]plan.Plan{},
		ahead: map[string]counted{}, files: map[string]bool{},
	}
	s.readAhead(reproductionSpecs())
	g.countAhead(ctx)
	paper, err := g.plan(ctx, experiments.Paper)
	if err != nil {
		return in, err
	}
	if in.Accuracy, err = s.Table(paper, accepted); err != nil {
		return in, err
	}
	if in.Verdicts, err = s.Verdicts(paper, accepted); err != nil {
		return in, err
	}
	runs := statedRuns(in.Verdicts.Evidence)
	if in.Across, err = study.ReadAcross(in.Accuracy, runs); err != nil {
		return in, err
	}
	for _, name := range experiments.Evidence {
		if _, err := g.plan(ctx, name); err != nil {
			return in, err
		}
	}
	var surfaces study.Surfaces // read before the studies that look at it
	for i, known := range study.Studies {
		g.release(study.Studies[i:])
		if known.Spec == "" {
			continue
		}
		one, err := g.study(ctx, known, study.Input{Accuracies: in.Accuracy, Runs: runs, Files: authorFiles(), Surfaces: surfaces})
		if err != nil {
			return in, err
		}
		if s, ok := one.Result.(study.Surfaces); ok {
			surfaces = s
		}
		in.Studies = append(in.Studies, one)
	}
	classifiers, err := g.context()
	if err != nil {
		return in, err
	}
	in.Studies = append(in.Studies, classifiers...)
	in.Cells, in.Absent, in.Open = len(g.files), g.groups(), g.openParameters(paper.Spec, in.Verdicts.Evidence)
	if strip := figures.NewStrip(in.Verdicts, figures.Links{Names: figures.SetNames(in.Accuracy)}); !strip.Empty() {
		in.Strip = strip.SVG()
	}
	in.Drawings, err = drawingFiles(in)
	return in, err
}

// statedRuns are the runs of evidence under the protocol that the paper states.
func statedRuns(evidence []verdict.Evidence) []study.Runs {
	var all []study.Runs
	for _, e := range evidence {
		stated := e.OnRung(verdict.Stated)
		if stated == nil {
			continue
		}
		runs := study.Runs{Dataset: e.Published.Dataset, Method: e.Column, N: stated.Runs[0].N}
		for _, r := range stated.Runs {
			runs.Correct = append(runs.Correct, r.Correct)
		}
		all = append(all, runs)
	}
	return all
}

// authorFiles are the splits of the paper's data sets that its authors published.
func authorFiles() []study.AuthorFile {
	var all []study.AuthorFile
	for _, e := range spec.PaperEntries() {
		if e.Recorded {
			all = append(all, study.AuthorFile{Letter: e.Letter, Name: e.Name, OwnPattern: e.Sizes.Head > 0})
		}
	}
	return all
}

// countedSpecs are the specs whose cells the reproduction report counts.
func countedSpecs() []string {
	names := append([]string{experiments.Paper}, experiments.Evidence...)
	for _, known := range study.Studies {
		if known.Spec != "" && known.Read != nil {
			names = text.AppendNew(names, known.Spec)
		}
		for _, other := range known.With {
			names = text.AppendNew(names, other)
		}
	}
	return names
}

// reproductionSpecs are all specs that the reproduction report looks at.
func reproductionSpecs() []string {
	names := countedSpecs()
	for _, known := range study.Studies {
		for _, other := range known.Beside {
			names = text.AppendNew(names, other)
		}
	}
	return names
}

// classCounts are the numbers of classes of the paper's data sets, by id.
func classCounts() map[string]int {
	counts := map[string]int{}
	for _, e := range spec.PaperEntries() {
		counts[e.ID] = len(e.Labels)
	}
	return counts
}

// A gatherer notes which cells of several specs are accepted.
type gatherer struct {
	accepted *store.Store
	session  *Session
	specs    map[string]*spec.Spec // whose cells are counted
	ahead    map[string]counted    // by spec; what was counted before it is asked for
	plans    map[string]plan.Plan  // of specs that have been asked for and not released
	files    map[string]bool       // keys of the accepted cells
	absent   []absence
	spent    []spending
}

// counted is a plan with what a gatherer notes of its cells.
type counted struct {
	plan   plan.Plan
	keys   []string // of the accepted cells
	absent []absence
	spent  []spending
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

// plan spells a spec out and counts its cells, once.
func (g *gatherer) plan(ctx context.Context, name string) (plan.Plan, error) {
	if p, ok := g.plans[name]; ok {
		return p, nil
	}
	c, ok := g.ahead[name]
	if !ok {
		p, err := g.session.planByCatalogue(ctx, name)
		if err != nil {
			return p, err
		}
		if g.specs[name] != nil {
			return p, nil
		}
		if c, err = g.count(p); err != nil {
			return p, err
		}
	}
	delete(g.ahead, name)
	g.plans[name], g.specs[name] = c.plan, c.plan.Spec
	for _, key := range c.keys {
		g.files[key] = true
	}
	g.absent, g.spent = append(g.absent, c.absent...), append(g.spent, c.spent...)
	return c.plan, nil
}

// release forgets the plans that no study from here on reads. Together they are the
// largest part of the memory.
func (g *gatherer) release(from []study.Study) {
	for name := range g.plans {
		reads := func(s study.Study) bool { return s.Spec == name || slices.Contains(s.With, name) }
		if !slices.ContainsFunc(from, reads) {
			delete(g.plans, name)
		}
	}
}

// countAhead counts the cells of the specs that the report counts, on all processors. A
// fault is left to plan.
func (g *gatherer) countAhead(ctx context.Context) {
	names := countedSpecs()
	found, ok := make([]counted, len(names)), make([]bool, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		s, err := g.session.Spec(name)
		if err != nil || s.Split.Alternatives() {
			continue
		}
		wait.Go(func() {
			p, err := g.session.planByCatalogue(ctx, name) // only looks the spec up
			if err == nil {
				found[i], err = g.count(p)
			}
			ok[i] = err == nil
		})
	}
	wait.Wait()
	for i, name := range names {
		if ok[i] {
			g.ahead[name] = found[i]
		}
	}
}

// study reads a study from the accepted cells of its spec.
func (g *gatherer) study(ctx context.Context, known study.Study, in study.Input) (reproduction.Study, error) {
	var err error
	if in.Table, err = g.table(ctx, known.Spec); err != nil {
		return reproduction.Study{}, err
	}
	planOf := func(name string) (plan.Plan, error) { return g.plan(ctx, name) }
	if in.Specs, err = specCells(ctx, g.session, known, g.accepted, planOf); err != nil {
		return reproduction.Study{}, err
	}
	p := plan.Plan{}
	if known.Cells {
		if p, err = g.plan(ctx, known.Spec); err != nil {
			return reproduction.Study{}, err
		}
	}
	return readStudy(known, p, in, g.accepted)
}

// readStudy reads a study of a plan from its input, to which it adds the cells
// behind the table if the study asks for them.
func readStudy(known study.Study, p plan.Plan, in study.Input, cells *store.Store) (reproduction.Study, error) {
	one := reproduction.Study{ID: known.ID, Title: known.Title}
	in.Classes = classCounts()
	var err error
	if known.Cells {
		if in.Rows, err = tableRows(p, cells); err != nil {
			return one, err
		}
	}
	one.Result, err = known.Read(in)
	return one, err
}

// table makes the table of a spec and counts its cells.
func (g *gatherer) table(ctx context.Context, name string) (table.Table, error) {
	s, err := g.session.Spec(name)
	if err != nil {
		return table.Table{}, err
	}
	if s.Split.Alternatives() {
		return g.listed(name)
	}
	p, err := g.plan(ctx, name)
	if err != nil {
		return table.Table{}, err
	}
	return g.session.Table(p, g.accepted)
}

// listed makes the table of a spec from the list of its accepted cells: its rows
// cannot be known without the data files, which the reproduction report does not need.
func (g *gatherer) listed(name string) (table.Table, error) {
	s, err := g.session.Spec(name)
	if err != nil {
		return table.Table{}, err
	}
	list, _, err := g.accepted.Accepted(name)
	if err != nil {
		return table.Table{}, err
	}
	var rows []table.RowInput
	for _, c := range list.Cells {
		cell, ok, err := g.accepted.AcceptedCell(c)
		if err != nil {
			return table.Table{}, err
		}
		column := slices.IndexFunc(s.Columns, func(col spec.Column) bool { return col.ID == c.Method })
		if !ok || column < 0 {
			continue // shown as missing
		}
		g.files[cell.Key()] = true
		at := slices.IndexFunc(rows, func(r table.RowInput) bool { return r.Dataset == c.Dataset && r.Split == c.Split })
		if at < 0 {
			at = len(rows)
			rows = append(rows, rowOf(s, c))
		}
		rows[at].Cells[column] = table.CellInput{Cells: []results.Cell{cell}}
	}
	return table.New(tableSpec(plan.Plan{Spec: s}), rows), nil
}

// rowOf is the empty row of an accepted cell's data set and split.
func rowOf(s *spec.Spec, c store.AcceptedCell) table.RowInput {
	row := table.RowInput{Dataset: c.Dataset, Split: c.Split, Unlike: true, Cells: make([]table.CellInput, len(s.Columns))}
	if at := slices.IndexFunc(s.Entries, func(e datasets.Entry) bool { return e.ID == c.Dataset }); at >= 0 {
		row.Letter, row.Name, row.N = s.Entries[at].Letter, s.Entries[at].Name, s.Entries[at].TestSize()
	}
	for i := range row.Cells {
		row.Cells[i] = table.CellInput{Status: table.StatusMissing, Reason: "not among the accepted cells"}
	}
	return row
}

// count counts the plan's cells by method and data set.
func (g *gatherer) count(p plan.Plan) (counted, error) {
	c := counted{plan: p}
	list, _, err := g.accepted.Accepted(p.Spec.Name)
	if err != nil {
		return c, err
	}
	accepted := list.ByPlace()
	for _, j := range p.Jobs() {
		key, ok, err := g.accepted.FindKey(j.Inputs)
		if err != nil {
			return c, err
		}
		method := j.Column.Method.ID
		at := slices.IndexFunc(c.absent, func(a absence) bool { return a.method == method && a.Dataset == j.Inputs.Dataset })
		if at < 0 {
			at = len(c.absent)
			c.absent = append(c.absent, absence{spec: p.Spec.Name, method: method, Absence: reproduction.Absence{Dataset: j.Inputs.Dataset}})
		}
		c.absent[at].Of++
		if !ok {
			_, failed, err := g.accepted.Failed(j.Inputs)
			if err != nil {
				return c, err
			}
			if failed {
				continue // the tables say so
			}
			c.absent[at].Cells++
			c.absent[at].work += cost.Work(j, g.session.catalogue)
			continue
		}
		c.keys = append(c.keys, key)
		if seconds := accepted[j.Place()].Seconds; seconds > 0 {
			c.spent = append(c.spent, spending{method, j.Inputs.Dataset, float64(seconds), cost.Work(j, g.session.catalogue)})
		}
	}
	return c, nil
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
