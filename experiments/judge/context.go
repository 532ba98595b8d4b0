package judge

import (
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/study"
)

// context reads what other classifiers reach from the list of accepted cells, which may
// have none. Their spec lies beside a program of its own and not among those that this
// program carries, so the list alone says what there is.
func (g *gatherer) context() ([]reproduction.Study, error) {
	list, _, err := g.accepted.Accepted(study.ContextName)
	if err != nil {
		return nil, err
	}
	var cells []study.ContextCell
	for _, one := range list.Cells {
		cell, ok, err := g.accepted.AcceptedCell(one)
		if err != nil {
			return nil, err
		}
		if ok {
			g.files[cell.Key()] = true
			cells = append(cells, study.ContextCell{Column: one.Method, Cell: cell})
		}
	}
	var sets []study.Set
	for _, e := range spec.PaperEntries() {
		sets = append(sets, study.Set{Dataset: e.ID, Letter: e.Letter, Name: e.Name})
	}
	c := study.NewContext(sets, cells)
	if len(c.Sets) == 0 {
		return nil, nil
	}
	return []reproduction.Study{{ID: study.ContextName, Title: study.ContextTitle, Result: c}}, nil
}
