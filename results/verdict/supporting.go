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
	File     string         `json:"file"`              // where its cell is kept
	Nearest  bool           `json:"nearest,omitempty"` // the first of those nearest to the published number
}

// Supporting returns the runs that a verdict on the number rests on: those of the
// rung that reaches it, else those of the stated protocol.
func (e Evidence) Supporting(v Verdict) []Run {
	rung := Stated
	if v.Rung != nil {
		rung = max(rung, Rung(*v.Rung))
	}
	return e.runs(rung, v.Setting)
}

// runs are those of a rung and a setting of open parameters.
func (e Evidence) runs(rung Rung, setting string) []Run {
	i := slices.IndexFunc(e.Protocols, func(p Protocol) bool { return p.Rung == rung && p.Setting == setting })
	if i < 0 {
		return nil
	}
	return e.Protocols[i].Runs
}

// Nearest is the index of the run that is nearest to the published number, the first
// of several, and -1 without runs.
func (e Evidence) Nearest(runs []Run) int {
	printed, half, err := readPrinted(e.Published)
	best := -1
	for i, r := range runs {
		if err == nil && (best < 0 || r.gap(printed, half) < runs[best].gap(printed, half)) {
			best = i
		}
	}
	return best
}

// Reaches tells whether so many right ones are within the margin of the published
// number.
func (e Evidence) Reaches(correct, n int) bool {
	printed, half, err := readPrinted(e.Published)
	return err == nil && e.within(Protocol{Runs: []Run{{Correct: correct, N: n}}}, printed, half)
}

func (r Run) gap(printed, half float64) float64 { return gap(printed, half, r.Percent(), r.Percent()) }

// Surfaced returns the run around whose setting a surface shows what a verdict rests
// on, nil without a surface: the nearest of the runs behind it. If these have none, it
// is the surface with the seed of the nearest one, and without a rung that of the best
// setting on the test samples that is nearest. Point is -1 where the surface does not
// have the setting of the nearest run.
func (e Evidence) Surfaced(v Verdict) *Run {
	behind := e.Supporting(v)
	nearest := e.Nearest(behind)
	if nearest < 0 {
		return nil
	}
	if v.Rung != nil && (Rung(*v.Rung) == Tied || Rung(*v.Rung) >= OnTest) {
		return &behind[nearest]
	}
	surfaces := e.surfaces(v)
	if len(surfaces) == 0 {
		return nil
	}
	if v.Rung == nil {
		return &surfaces[e.Nearest(surfaces)]
	}
	shown := surfaces[0]
	if i := slices.IndexFunc(surfaces, func(r Run) bool { return r.Inputs.Seed == behind[nearest].Inputs.Seed }); i >= 0 {
		shown = surfaces[i]
	}
	shown.Point = behind[nearest].in(shown.Inputs)
	return &shown
}

// surfaces are the runs with the best setting on the test samples, for the open setting of a
// verdict if it has one.
func (e Evidence) surfaces(v Verdict) []Run {
	if v.Setting != "" {
		return e.runs(OpenOnTest, v.Setting)
	}
	return e.runs(OnTest, "")
}

// SurfacedWith is Surfaced with the surface of a seed, where there is one for the same
// setting of open parameters; its Point is -1 then.
func (e Evidence) SurfacedWith(v Verdict, seed uint64) *Run {
	shown := e.Surfaced(v)
	if shown == nil || shown.Inputs.Seed == seed {
		return shown
	}
	surfaces := e.surfaces(v)
	if i := slices.IndexFunc(surfaces, func(r Run) bool { return r.Inputs.Seed == seed }); i >= 0 {
		own := surfaces[i]
		own.Point = -1
		return &own
	}
	return shown
}

// in is the index of the setting of a run among the points of other inputs with the
// same seed, -1 if they do not have it.
func (r Run) in(other results.Inputs) int {
	if r.Inputs.Seed != other.Seed || r.Inputs.Unlabeled != other.Unlabeled {
		return -1
	}
	params := r.Inputs.Points[r.Point].Params.String()
	return slices.IndexFunc(other.Points, func(p results.Point) bool { return p.Restart == 0 && p.Params.String() == params })
}

// ChosenOf is the index, among the points of a cell, of the setting that the stated
// protocol chose with the seed of the cell; -1 where it is none of them.
func (e Evidence) ChosenOf(c results.Cell) int {
	for _, r := range e.runs(Stated, "") {
		if at := r.in(c.Inputs); at >= 0 {
			return at
		}
	}
	return -1
}

// NewSupportingRuns describes runs whose cells are in store; nil without any. nearest
// is the index of the one nearest to the published number.
func NewSupportingRuns(runs []Run, nearest int, store *store.Store) *SupportingRuns {
	if len(runs) == 0 {
		return nil
	}
	b := SupportingRuns{Commands: []string{}}
	var accuracies []float64
	for i, r := range runs {
		b.Runs = append(b.Runs, SupportingRun{
			r.Inputs.Split, r.Inputs.Seed, r.Inputs.Points[r.Point].Params, r.Correct, r.N, stats.Percent(r.Correct, r.N, 2), store.Where(r.Inputs), i == nearest,
		})
		accuracies = append(accuracies, r.Percent())
	}
	if len(runs) > 1 {
		b.SD = text.TwoDecimals(stat.StdDev(accuracies, nil))
	}
	return &b
}
