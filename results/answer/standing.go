package answer

import (
	"fmt"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/document"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// LeastSplits is the number of finished splits from which on a ranking is shown: with fewer an
// interval says nothing.
const LeastSplits = 3

// Finished returns the plan of the splits without an open cell.
func Finished(p plan.Plan, open func(plan.Job) bool) plan.Plan {
	all := p.Splits
	p.Splits = nil
	for _, row := range all {
		finished := true
		for _, jobs := range row.Jobs {
			for _, j := range jobs {
				finished = finished && !open(j)
			}
		}
		if finished {
			p.Splits = append(p.Splits, row)
		}
	}
	return p
}

// Standing returns the ranking over the splits of a plan, of the splits that are compared in all.
// It has no rows if no method has a result on every split.
func Standing(p plan.Plan, st *store.Store, all int) (document.Table, error) {
	by := results.MetricOf(p.Spec.Test.Metric)
	l := document.New(fmt.Sprintf("so far, %d of %d splits", len(p.Splits), all), "method", by.Name, "± sd", "points behind", "95 % interval", "")
	t, err := table.ByDataSet(p, st)
	if err != nil {
		return l, err
	}
	ranking, _ := t.Rank(t.Rows[0])
	for _, m := range ranking.Ranked {
		l.Add(m.Name, m.Shown(), m.SD, m.Behind, m.Between(), standing(m, ranking))
	}
	return l, nil
}

// standing says how a method compares with the highest mean.
func standing(m table.Ranked, r table.Ranking) string {
	switch {
	case m.Method == r.Best:
		return "highest"
	case m.Behind < 0 && m.PHolm != nil && float64(*m.PHolm) <= r.Alpha: // always answering one class
		return "better"
	case m.NotWorse:
		return "undecided"
	case m.Partial > 0:
		return fmt.Sprintf("%d of %d splits", m.Partial, r.Splits)
	case m.Untested != "":
		return "no test"
	}
	return "worse"
}
