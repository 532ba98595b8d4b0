package judge

import (
	"context"
	"slices"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// A Study is a study with what cells say.
type Study struct {
	ID, Title string
	Result    study.Result
}

// resultOf is the result of the study with this id, nil without it.
func resultOf(all []Study, id string) study.Result {
	for _, s := range all {
		if s.ID == id {
			return s.Result
		}
	}
	return nil
}

// StudyOf reads the study with this id from the cells of its spec. The data files are not
// needed.
func StudyOf(ctx context.Context, s *Session, id string, cells *store.Store) (Study, error) {
	at := slices.IndexFunc(study.Studies, func(known study.Study) bool { return known.ID == id })
	known := study.Studies[at]
	p, err := s.planByCatalogue(ctx, known.Spec)
	if err != nil {
		return Study{}, err
	}
	in, err := s.studyInput(ctx, cells)
	if err != nil {
		return Study{}, err
	}
	if in.Table, err = s.Table(p, cells); err != nil {
		return Study{}, err
	}
	planOf := func(name string) (plan.Plan, error) { return s.planByCatalogue(ctx, name) }
	if in.Specs, err = specCells(ctx, s, known, cells, planOf); err != nil {
		return Study{}, err
	}
	return readStudy(known, p, in, cells)
}

// studyInput is what studies know of the paper's table.
func (s *Session) studyInput(ctx context.Context, cells *store.Store) (study.Input, error) {
	in := study.Input{Files: authorFiles()}
	paper, err := s.planByCatalogue(ctx, experiments.Paper)
	if err != nil {
		return in, err
	}
	if in.Accuracies, err = s.Table(paper, cells); err != nil {
		return in, err
	}
	judged, err := s.Verdicts(ctx, paper, cells)
	in.Runs = runsOf(judged.Evidence)
	return in, err
}

// runsOf are the runs of evidence.
func runsOf(evidence []verdict.Evidence) []study.Runs {
	var all []study.Runs
	for _, e := range evidence {
		if len(e.Runs) == 0 {
			continue
		}
		runs := study.Runs{Dataset: e.Published.Dataset, Method: e.Column, N: e.Runs[0].N}
		for _, r := range e.Runs {
			runs.Correct = append(runs.Correct, r.Correct)
		}
		all = append(all, runs)
	}
	return all
}

// studiesBehind are the studies that the figures of a plan draw, and other specs whose
// lists know what the same cells took. Those of the paper's table are of other specs.
func studiesBehind(ctx context.Context, s *Session, p plan.Plan, own table.Table, cells *store.Store, paper bool) ([]Study, []string, error) {
	if !paper {
		all, err := studiesOf(ctx, s, p, own, cells)
		return all, nil, err
	}
	var all []Study
	for _, d := range drawingsOf(p) {
		if d.Study == "" {
			continue
		}
		one, err := StudyOf(ctx, s, d.Study, cells)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, one)
	}
	return all, nil, nil
}

// studiesOf reads the studies of a plan that is not the paper's.
func studiesOf(ctx context.Context, s *Session, p plan.Plan, own table.Table, cells *store.Store) ([]Study, error) {
	meant, err := meantFor(ctx, s, p)
	if err != nil {
		return nil, err
	}
	in := study.Input{Files: authorFiles()}
	if len(meant) > 0 {
		if in, err = s.studyInput(ctx, cells); err != nil {
			return nil, err
		}
	}
	in.Table = own
	planOf := func(name string) (plan.Plan, error) {
		if name == p.Spec.Name {
			return p, nil
		}
		return s.planByCatalogue(ctx, name)
	}
	for _, known := range study.Studies {
		if !slices.Contains(meant, known.ID) || len(known.With) == 0 {
			continue
		}
		if in.Specs, err = specCells(ctx, s, known, cells, planOf); err != nil {
			return nil, err
		}
	}
	return ownStudies(p, meant, in, cells)
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

// classCounts are the numbers of classes of the paper's data sets, by id.
func classCounts() map[string]int {
	counts := map[string]int{}
	for _, e := range spec.PaperEntries() {
		counts[e.ID] = len(e.Labels)
	}
	return counts
}

// readStudy reads a study of a plan from its input, to which it adds the cells
// behind the table if the study asks for them.
func readStudy(known study.Study, p plan.Plan, in study.Input, cells *store.Store) (Study, error) {
	one := Study{ID: known.ID, Title: known.Title}
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

// ownStudies are those that the plan's cells are meant for, or else those of what
// they measure, and those that its figures draw.
func ownStudies(p plan.Plan, meant []string, in study.Input, cells *store.Store) ([]Study, error) {
	ids := slices.Clone(meant)
	if len(ids) == 0 {
		ids = studied(p)
	}
	for _, d := range drawingsOf(p) {
		ids = append(ids, d.Study)
	}
	var all []Study
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
