package verdict

import (
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// SupportingRuns are the runs that a verdict rests on. Its mean, interval and rank_p
// are those of the verdict.
type SupportingRuns struct {
	SD       string          `json:"sd,omitempty"` // of their accuracies in points, divisor R-1; none of a single run
	Runs     []SupportingRun `json:"runs"`
	Commands []string        `json:"commands"` // that run them again; none for cells that no spec asks for
}

// A SupportingRun is one stored cell of them.
type SupportingRun struct {
	Split    string `json:"split"`
	Seed     uint64 `json:"seed"`
	Correct  int    `json:"correct"`
	N        int    `json:"n"`
	Accuracy string `json:"accuracy"`
	File     string `json:"file"`
}

// Supporting returns the cells that a verdict on the number rests on.
func (e Evidence) Supporting(v Verdict) []results.Cell {
	switch v.Evidence {
	case EvidenceAuthors, EvidenceRule:
		return e.Own[:1]
	case EvidenceSeeds:
		return e.Own
	case EvidenceRandom:
		return e.Random
	}
	return nil
}

// NewSupportingRuns describes cells of store that a verdict rests on; nil without any.
func NewSupportingRuns(cells []results.Cell, store *store.Store) *SupportingRuns {
	if len(cells) == 0 {
		return nil
	}
	b := SupportingRuns{Commands: []string{}}
	for _, c := range cells {
		n := len(c.Truth)
		b.Runs = append(b.Runs, SupportingRun{c.Split, c.Seed, c.Correct(), n, stats.Percent(c.Correct(), n, 2), store.Where(c.Inputs)})
	}
	if len(cells) > 1 {
		b.SD = text.TwoDecimals(table.Deviation(table.TrialsOf(table.CellInput{Cells: cells})))
	}
	return &b
}
