package judge

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/pages"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// Contrasts answers the contrasts of a plan's spec from the cells in a store. Those with
// a column that the plan was narrowed to be without are left out.
func (s *Session) Contrasts(p plan.Plan, cells *store.Store) ([]study.Contrast, error) {
	return contrasts(p, rowInputs(p, layers{s.snapshot(cells)}))
}

// contrasts answers those of a plan's spec from the rows of its table, which are read only
// where there are any.
func contrasts(p plan.Plan, rows iter.Seq2[table.RowInput, error]) ([]study.Contrast, error) {
	columns := tableSpec(p).Columns
	there := func(id string) bool {
		return slices.ContainsFunc(columns, func(c table.Column) bool { return c.ID == id })
	}
	var wanted []spec.Pairing
	for _, w := range p.Spec.Contrast {
		if !slices.ContainsFunc(slices.Concat(w.A, w.B), func(id string) bool { return !there(id) }) {
			wanted = append(wanted, w)
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	all, err := gathered(rows)
	return study.NewContrasts(wanted, columns, all), err
}

// contrastFacts have the numbers of the contrasts of every spec of the repository that
// has accepted cells, as SPEC.CONTRAST.NUMBER, and their tables: "table SPEC.contrasts",
// and "table SPEC.CONTRAST" by data set.
func (s *Session) contrastFacts(ctx context.Context, accepted *store.Store, facts pages.Facts) error {
	for _, name := range experiments.Names() {
		of, err := s.Spec(name)
		if err != nil {
			return err
		}
		if len(of.Contrast) == 0 {
			continue
		}
		p, err := s.planByCatalogue(ctx, name)
		if err != nil {
			return err
		}
		if err := s.addContrasts(p, accepted, facts); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) addContrasts(p plan.Plan, cells *store.Store, facts pages.Facts) error {
	all, err := s.Contrasts(p, cells)
	if err != nil || !slices.ContainsFunc(all, func(c study.Contrast) bool { return len(c.Sets) > 0 }) {
		return err
	}
	for _, c := range all {
		base := p.Spec.Name + "." + c.Name
		for _, n := range c.Numbers() {
			facts[base+"."+n.Name] = n.Text
		}
		facts["table "+base] = page(c.Listing())
	}
	facts[fmt.Sprintf("table %s.contrasts", p.Spec.Name)] = page(study.ContrastListing(all, tableSpec(p).Columns))
	return nil
}
