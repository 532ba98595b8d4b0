package judge

import (
	"context"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
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
	p, err := s.planByCatalogue(ctx, study.Studies[at].Spec)
	if err != nil {
		return Study{}, err
	}
	t, err := s.Table(p, cells)
	if err != nil {
		return Study{}, err
	}
	return readStudy(study.Studies[at], t)
}

// studiesBehind are the studies that the figures of a plan draw. Those of the paper's
// table are of other specs.
func studiesBehind(ctx context.Context, s *Session, p plan.Plan, own table.Table, cells *store.Store, paper bool) ([]Study, error) {
	if !paper {
		meant, err := meantFor(ctx, s, p)
		if err != nil {
			return nil, err
		}
		return ownStudies(p, meant, own)
	}
	var all []Study
	for _, d := range drawingsOf(p) {
		if d.Study == "" {
			continue
		}
		one, err := StudyOf(ctx, s, d.Study, cells)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// classCounts are the numbers of classes of the paper's data sets, by id.
func classCounts() map[string]int {
	counts := map[string]int{}
	for _, e := range spec.PaperEntries() {
		counts[e.ID] = len(e.Labels)
	}
	return counts
}

func readStudy(known study.Study, t table.Table) (Study, error) {
	result, err := known.Read(t, classCounts())
	return Study{ID: known.ID, Title: known.Title, Result: result}, err
}

// ownStudies are those that the plan's cells are meant for, or else those of what
// they measure, and those that its figures draw.
func ownStudies(p plan.Plan, meant []string, own table.Table) ([]Study, error) {
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
		one, err := readStudy(s, own)
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
		if s.Measure != "" && slices.ContainsFunc(p.Spec.Columns, func(c spec.Column) bool { return slices.Contains(c.Measure, s.Measure) }) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}
