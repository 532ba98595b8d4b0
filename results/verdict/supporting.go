package verdict

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/stats"
)

// SupportingRuns are the runs that a verdict rests on. Its range is theirs.
type SupportingRuns struct {
	SD       string          `json:"sd,omitempty"` // of their accuracies in points, divisor R-1; none of a single run
	Runs     []SupportingRun `json:"runs"`
	Commands []string        `json:"commands"` // that run them again; none for cells that no spec asks for
}

// A SupportingRun is one fit, or one point of a surface.
type SupportingRun struct {
	Split    string         `json:"split"`
	Seed     uint64         `json:"seed"`
	Params   results.Params `json:"params"` // of its setting
	Correct  int            `json:"correct"`
	N        int            `json:"n"`
	Accuracy string         `json:"accuracy"`
	File     string         `json:"file"` // where its cell is kept
}

// Supporting returns the runs that a verdict on the number rests on: those of the
// rung that reaches it, else those of the stated protocol.
func (e Evidence) Supporting(v Verdict) []Run {
	rung := Stated
	if v.Rung != nil {
		rung = max(rung, Rung(*v.Rung))
	}
	i := slices.IndexFunc(e.Protocols, func(p Protocol) bool { return p.Rung == rung && p.Setting == v.Setting })
	if i < 0 {
		return nil
	}
	return e.Protocols[i].Runs
}

// NewSupportingRuns describes runs whose cells are in store; nil without any.
func NewSupportingRuns(runs []Run, store *store.Store) *SupportingRuns {
	if len(runs) == 0 {
		return nil
	}
	b := SupportingRuns{Commands: []string{}}
	var accuracies []float64
	for _, r := range runs {
		b.Runs = append(b.Runs, SupportingRun{
			r.Inputs.Split, r.Inputs.Seed, r.Inputs.Points[r.Point].Params, r.Correct, r.N, stats.Percent(r.Correct, r.N, 2), store.Where(r.Inputs),
		})
		accuracies = append(accuracies, r.Percent())
	}
	if len(runs) > 1 {
		b.SD = text.TwoDecimals(stat.StdDev(accuracies, nil))
	}
	return &b
}
