package verdict

import (
	"cmp"
	"math"
	"slices"

	"r2lmlbench/results"
	"r2lmlbench/results/published"
)

// An Evidence is what our cells say about one published number. All runs are on
// the split of the rule.
type Evidence struct {
	Published  published.Number
	Column     string // id of the column; the method's id unless that appears twice
	Size       int    // test samples of our split; 0: unknown
	Stochastic bool   // the method draws random numbers
	Proposed   bool   // the paper proposes the method; the others are its baselines
	// Slack is the row slack: by how many points the printed accuracy of Euclidean
	// distances differs from ours. They have nothing to choose, so that it measures
	// the split. It is 0 for Euclidean distances themselves: with their own difference
	// in the margin, every number of theirs would be reproduced. NaN: unknown.
	Slack     float64
	Settings  int        // among which the stated protocol chooses; 0: unknown
	Protocols []Protocol // by rung, the stated one first; empty: not run
	Figures   []Run      // the best number of metrics on the test samples, the rest as in the paper's figures; by seed
	Absent    string     // why there is no run of seed 1 under the stated protocol; empty when there is
}

// A Protocol has the runs of a method on one data set under one protocol.
type Protocol struct {
	Rung    Rung
	Setting string // values of open parameters: "shrinkage 0.5"; empty on rungs without one
	Runs    []Run  // by seed
}

// A Run is one fit, or one point of a surface, with what it got on the test samples.
type Run struct {
	Inputs   results.Inputs // of the cell
	Point    int            // index of the setting in Inputs.Points
	Correct  int
	N        int
	Constant bool // every test sample was given the same label, though they have several
}

// Percent is the accuracy in percent.
func (r Run) Percent() float64 { return 100 * float64(r.Correct) / float64(r.N) }

// Low and High are the range of the runs in percent.
func (p Protocol) Low() float64 { return slices.MinFunc(p.Runs, byAccuracy).Percent() }

// High is the upper end of the range.
func (p Protocol) High() float64 { return slices.MaxFunc(p.Runs, byAccuracy).Percent() }

func byAccuracy(a, b Run) int { return cmp.Compare(a.Percent(), b.Percent()) }

// percents are the accuracies of the runs.
func (p Protocol) percents() []float64 {
	all := make([]float64, len(p.Runs))
	for i, r := range p.Runs {
		all[i] = r.Percent()
	}
	return all
}

// OnRung is the protocol of a rung, of several open settings the first; nil when none
// was run.
func (e Evidence) OnRung(rung Rung) *Protocol {
	i := slices.IndexFunc(e.Protocols, func(p Protocol) bool { return p.Rung == rung })
	if i < 0 {
		return nil
	}
	return &e.Protocols[i]
}

// stated are the runs under the stated protocol, nil without any.
func (e Evidence) stated() *Protocol { return e.OnRung(Stated) }

// untried tells whether choice on the test samples was not run, though the method has
// something to choose.
func (e Evidence) untried() bool {
	s := e.stated()
	return s != nil && len(s.Runs[0].Inputs.Points) > 1 && e.OnRung(OnTest) == nil
}

// own is the run of seed 1 under the stated protocol, nil without it.
func (e Evidence) own() *Run {
	s := e.stated()
	if s == nil || s.Runs[0].Inputs.Seed != 1 {
		return nil
	}
	return &s.Runs[0]
}

// Margin is how far from a run a printed value may be and still count as reached,
// in points: one point or one test sample, whichever is more, and the row slack. An
// unknown slack counts as 0.
func (e Evidence) Margin() float64 {
	margin := 1.0
	if e.Size > 0 {
		margin = math.Max(margin, 100/float64(e.Size))
	}
	return margin + e.slack()
}

func (e Evidence) slack() float64 {
	if math.IsNaN(e.Slack) {
		return 0
	}
	return e.Slack
}

// rounding absorbs the rounding of binary fractions in comparisons of percentages.
const rounding = 1e-9

// gap is the distance in points of a printed value, which may have been rounded by
// half, to the range of some runs: 0 inside it.
func gap(printed, half, low, high float64) float64 {
	d := math.Max(low-printed, printed-high) - half
	if d < rounding {
		return 0
	}
	return d
}

// Gap is that to the runs of a protocol.
func (p Protocol) Gap(printed, half float64) float64 { return gap(printed, half, p.Low(), p.High()) }

// Within tells whether a run comes within the margin of the printed value.
func (e Evidence) Within(r Run) bool {
	printed, half, err := readPrinted(e.Published)
	return err == nil && Protocol{Runs: []Run{r}}.Gap(printed, half) <= e.Margin()+rounding
}
