package results

import "r2lmlbench/stats"

// RunsBehind are the runs that a verdict rests on. Its mean, interval and rank_p
// are those of the verdict.
type RunsBehind struct {
	SD       string      `json:"sd,omitempty"` // of their accuracies in points, divisor R-1; none of a single run
	Runs     []RunBehind `json:"runs"`
	Commands []string    `json:"commands"` // that remake them; none for cells that no spec asks for
}

// A RunBehind is one stored cell of them.
type RunBehind struct {
	Split    string `json:"split"`
	Seed     uint64 `json:"seed"`
	Correct  int    `json:"correct"`
	N        int    `json:"n"`
	Accuracy string `json:"accuracy"`
	File     string `json:"file"`
}

// Behind returns the cells that a verdict on the number rests on.
func (e Evidence) Behind(v Verdict) []Cell {
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

// NewRunsBehind describes cells of store that a verdict rests on; nil without any.
func NewRunsBehind(cells []Cell, store *Store) *RunsBehind {
	if len(cells) == 0 {
		return nil
	}
	b := RunsBehind{Commands: []string{}}
	for _, c := range cells {
		n := len(c.Truth)
		b.Runs = append(b.Runs, RunBehind{c.Split, c.Seed, c.Correct(), n, stats.Percent(c.Correct(), n, 2), store.Where(c.Inputs)})
	}
	if len(cells) > 1 {
		b.SD = twoDecimals(deviation(trialsOf(CellInput{Cells: cells})))
	}
	return &b
}
