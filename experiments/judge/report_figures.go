package judge

import (
	"cmp"
	"context"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/report"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/verdict"
)

// draw makes the figures of drawings that the input suffices for, of the studies
// that are known.
func draw(drawings []figures.Drawing, in figures.Input, known reproduction.Input) ([]report.Figure, error) {
	var all []report.Figure
	for _, d := range drawings {
		in.Study = known.Study(d.Study)
		drawn, err := d.Draw(in)
		if err != nil {
			return nil, err
		}
		all = append(all, drawn...)
	}
	return all, nil
}

// drawingFiles are the figures that the page of the reproduction report shows.
func drawingFiles(in reproduction.Input) ([]reproduction.Drawing, error) {
	var all []reproduction.Drawing
	for _, d := range figures.Drawings {
		if d.Name != figures.PaysName {
			continue
		}
		drawn, err := d.Draw(figures.Input{Study: in.Study(d.Study)})
		if err != nil {
			return nil, err
		}
		for _, f := range drawn {
			all = append(all, reproduction.Drawing{Name: f.Name, Title: f.Title, SVG: f.SVG})
		}
	}
	return all, nil
}

// surfacesOf are the cells of the paper's methods with seed 1 in which choice on the
// test samples found its settings.
func surfacesOf(all []verdict.Evidence, cells *store.Store) ([]results.Cell, error) {
	var found []results.Cell
	for _, e := range all {
		best := e.OnRung(verdict.OnTest)
		if best == nil || !slices.Contains(study.PaperMethods, e.Published.Method) || best.Runs[0].Inputs.Seed != 1 {
			continue
		}
		c, ok, err := cells.Get(best.Runs[0].Inputs)
		if err != nil {
			return nil, err
		}
		if ok && c.Surface != nil {
			found = append(found, c)
		}
	}
	return found, nil
}

// ownStudies are those that the plan's cells are meant for, or else those of what
// they measure, and those that its figures draw.
func ownStudies(p plan.Plan, meant []string, in study.Input, cells *store.Store) ([]reproduction.Study, error) {
	ids := slices.Clone(meant)
	if len(ids) == 0 {
		ids = studied(p)
	}
	for _, d := range drawingsOf(p) {
		ids = append(ids, d.Study)
	}
	var all []reproduction.Study
	for _, s := range study.Studies {
		if !slices.Contains(ids, s.ID) {
			continue
		}
		one, err := readStudy(s, p, in, cells)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// meantFor are the ids of the studies whose spec of the repository is the plan's.
func meantFor(ctx context.Context, s *Session, p plan.Plan) ([]string, error) {
	var ids []string
	for _, known := range study.Studies {
		if known.Spec == p.Spec.Name {
			ids = append(ids, known.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if is, err := isPlanOf(ctx, s, p, p.Spec.Name); !is || err != nil {
		return nil, err
	}
	return ids, nil
}

// drawingsOf are those that the spec names, or else those of the studies whose
// measures it takes, or else the ranks over the data sets; and the splits where there
// are several, and the costs.
func drawingsOf(p plan.Plan) []figures.Drawing {
	wanted := func(d figures.Drawing) bool { return slices.Contains(p.Spec.Figures, d.Name) }
	if len(p.Spec.Figures) == 0 {
		studied := studied(p)
		wanted = func(d figures.Drawing) bool { return slices.Contains(studied, d.Study) }
		if !slices.ContainsFunc(figures.Drawings, wanted) {
			wanted = func(d figures.Drawing) bool { return d.Name == figures.Ranks }
		}
	}
	several := slices.ContainsFunc(p.Rows, func(r plan.Row) bool { return r.Repeat > 1 })
	var all []figures.Drawing
	for _, d := range figures.Drawings {
		if wanted(d) || d.Name == figures.CostsName || several && d.Name == figures.SplitsName {
			all = append(all, d)
		}
	}
	return all
}

// studied are the ids of the studies whose measures the spec takes.
func studied(p plan.Plan) []string {
	var ids []string
	for _, s := range study.Studies {
		if s.Measure != nil && slices.ContainsFunc(p.Spec.Columns, func(c spec.Column) bool { return slices.Contains(c.Measure, s.Measure.Name) }) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// costsOf are those of the plan's cells of seed 1 on their first split. The lists
// of accepted cells of other specs may know heaps that the plan's own does not.
func costsOf(p plan.Plan, cells *store.Store, others ...string) []figures.Cost {
	var lists []map[store.Place]store.AcceptedCell
	for _, name := range append([]string{p.Spec.Name}, others...) {
		list, _, err := cells.Accepted(name)
		if err != nil {
			return nil // reported where the cells were gathered
		}
		lists = append(lists, list.ByPlace())
	}
	var all []figures.Cost
	for _, row := range p.Rows {
		if row.Repeat > 1 {
			continue
		}
		for _, jobs := range row.Jobs {
			all = append(all, costOf(jobs[0], cells, lists))
		}
	}
	return all
}

// costOf is what the cell of a job took, by the record of its run or else by the
// first of the lists, and its heap by the first that knows.
func costOf(j plan.Job, s *store.Store, lists []map[store.Place]store.AcceptedCell) figures.Cost {
	c := figures.Cost{Dataset: j.Entry.ID, Letter: j.Entry.Letter, Name: j.Entry.Name, Method: j.Column.ID}
	run, known := s.Run(j.Inputs)
	if known && !run.Resumed {
		c.Seconds = run.Seconds
	}
	c.Bytes = run.Heap
	for i, accepted := range lists {
		known := accepted[j.Place()]
		c.Bytes = cmp.Or(c.Bytes, known.Heap)
		if i == 0 {
			c.Seconds = cmp.Or(c.Seconds, known.Seconds)
		}
	}
	return c
}
