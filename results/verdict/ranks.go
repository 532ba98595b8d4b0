package verdict

import (
	"slices"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/stats"
)

// Ranks are average ranks over the data sets on which every method has a run under the
// stated protocol, 1 the best: of the printed values, and of our means over all seeds.
type Ranks struct {
	Methods, Proposed []string // the latter are those of the former that the paper proposes
	Printed, Ours     []float64
	Sets              int  // such data sets
	All               bool // they are all
}

// NewRanks ranks the methods of evidence. There are none without two methods and a data set.
func NewRanks(evidence []Evidence) Ranks {
	r := Ranks{Methods: columnsOf(evidence)}
	var letters []string
	for _, e := range evidence {
		letters = text.AppendNew(letters, e.Published.Letter)
		if e.Proposed {
			r.Proposed = text.AppendNew(r.Proposed, e.Column)
		}
	}
	var printed, ours [][]float64
	for _, letter := range letters {
		var p, o []float64
		for _, m := range r.Methods {
			i := slices.IndexFunc(evidence, func(e Evidence) bool { return e.Published.Letter == letter && e.Column == m })
			if i < 0 || evidence[i].stated() == nil {
				break
			}
			value, _, err := readPrinted(evidence[i].Published)
			if err != nil {
				break
			}
			p, o = append(p, value), append(o, meanOf(*evidence[i].stated()))
		}
		if len(o) == len(r.Methods) {
			printed, ours = append(printed, p), append(ours, o)
		}
	}
	if len(r.Methods) < 2 || len(ours) == 0 {
		return Ranks{}
	}
	r.Sets, r.All = len(ours), len(ours) == len(letters)
	r.Printed, r.Ours = stats.Friedman(printed).AverageRanks, stats.Friedman(ours).AverageRanks
	return r
}

// leaders are the methods with the best of some ranks.
func (r Ranks) leaders(ranks []float64) []string { return leaders(r.Methods, ranks) }

func leaders(methods []string, ranks []float64) []string {
	var all []string
	for j, rank := range ranks {
		if rank == slices.Min(ranks) {
			all = append(all, published.MethodName(methods[j]))
		}
	}
	return all
}
