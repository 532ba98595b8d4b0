package verdict

import (
	"fmt"
	"math"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// The verdicts on a published number. Better and worse are the two ways of not
// being reproduced.
const (
	Exact        = "exact"                    // our cell prints the published value
	Reproduced   = string(stats.Reproduced)   // one of our runs could have given it
	Better       = string(stats.Better)       // our whole interval is above it
	Worse        = string(stats.Worse)        // our whole interval is below it
	Inconclusive = string(stats.Inconclusive) // too few runs, or too wide an interval, to tell
	Missing      = "missing"                  // we have no number of our own
)

// What a verdict rests on, the strongest first.
const (
	EvidenceAuthors = "authors-split" // our cell on a split that the authors published themselves
	EvidenceRule    = "rule-split"    // our cell on a split by the rule measured on theirs
	EvidenceSeeds   = "seeds"         // several seeds of a stochastic method on that split
	EvidenceRandom  = "random-splits" // one run on each of several random splits
)

// An Evidence is what our cells say about one published number.
type Evidence struct {
	Published  published.Number
	Column     string         // id of the column; the method's id unless that appears twice
	Size       int            // test samples of our split; 0: unknown
	Recorded   bool           // the authors published this split, and ours equals it
	Stochastic bool           // the method draws random numbers
	Euclidean  bool           // on this set the Euclidean cell is exact, so that the split must be theirs
	Own        []results.Cell // on the split of the rule, by seed
	Random     []results.Cell // on random splits of the same sizes, one of each
	Absent     string         // why there is no cell of seed 1 in Own; empty when there is
}

// A Verdict is what became of one published number.
type Verdict struct {
	Letter    string   `json:"letter"`
	Dataset   string   `json:"dataset"`
	Method    string   `json:"method"` // id of the column
	Published string   `json:"published"`
	Ours      string   `json:"ours"` // seed 1 on the split of the rule; failing that the mean of the runs, or nothing
	Verdict   string   `json:"verdict"`
	Evidence  string   `json:"evidence,omitempty"` // none for a number that is missing
	Runs      int      `json:"runs"`
	Interval  []string `json:"interval"` // for one more run, in percent: low, high; null without one
	Mean      string   `json:"mean,omitempty"`
	RankP     *float64 `json:"rank_p,omitempty"` // (1 + runs as far from their median as the published value or farther) / (1 + runs)
	// Unreachable: no count of right answers of Size samples prints this value;
	// Nearest is the accuracy closest to it.
	Unreachable bool   `json:"unreachable,omitempty"`
	Nearest     string `json:"nearest,omitempty"`
	// SplitApart: the runs are on random splits, and our own cell on the split of
	// the rule, which may not be the paper's, lies outside their interval, too. That
	// split is then unlike a random one, which may explain a miss.
	SplitApart bool   `json:"split_apart,omitempty"`
	Reason     string `json:"reason"`
}

// New judges a published number: by our own cell when it prints the same
// value, else by the interval of the runs. Seeds on the split come before random
// splits, but only where the split is known to be the paper's, and only if there
// are enough of them or no more of the others. The error is that of a published
// text that is no number.
func New(e Evidence) (Verdict, error) {
	v := Verdict{Letter: e.Published.Letter, Dataset: e.Published.Dataset, Method: e.Column, Published: e.Published.Accuracy}
	own := e.own()
	if own != nil {
		v.Ours = stats.Percent(own.Correct(), len(own.Truth), 2)
	}
	kind, runs := e.runs()
	switch {
	case own != nil && v.Ours == v.Published:
		v.Verdict, v.Evidence, v.Runs = Exact, e.split(), 1
		v.Reason = fmt.Sprintf("ours prints the same accuracy, %d of %d, on %s", own.Correct(), len(own.Truth), e.where())
	case kind != "":
		if err := v.predict(e, kind, runs); err != nil {
			return v, err
		}
	case own != nil:
		v.Verdict, v.Evidence, v.Runs = Inconclusive, e.split(), 1
		v.Reason = text.Join("; ", e.compared(v), e.unseeded(), "no run on a random split")
	default:
		v.Verdict, v.Reason = Missing, text.Join("; ", e.Absent, "no run on a random split")
	}
	return v, v.reach(e.Size)
}

// own is the cell of seed 1 on the split of the rule, or nil.
func (e Evidence) own() *results.Cell {
	if len(e.Own) > 0 && e.Own[0].Seed == 1 {
		return &e.Own[0]
	}
	return nil
}

// enoughRuns is the number of runs from which an interval decides.
const enoughRuns = 10

// runs chooses the runs to judge by; none without any that qualify.
func (e Evidence) runs() (kind string, runs []table.Trial) {
	seeds := len(e.Own)
	if seeds < 2 || e.unseeded() != "" {
		seeds = 0
	}
	switch random := len(e.Random); {
	case seeds >= enoughRuns || seeds > 0 && seeds >= random:
		return EvidenceSeeds, table.TrialsOf(table.CellInput{Cells: e.Own})
	case random > 0:
		return EvidenceRandom, table.TrialsOf(table.CellInput{Cells: e.Random})
	}
	return "", nil
}

// splitKnown reports whether the split of the rule is known to be the paper's:
// its authors published it, or the Euclidean cell is exact on it.
func (e Evidence) splitKnown() bool { return e.Recorded || e.Euclidean }

// unseeded says why seeds on the split of the rule are no evidence; nothing when
// they are.
func (e Evidence) unseeded() string {
	switch {
	case !e.Stochastic:
		return "the method draws no random numbers"
	case !e.splitKnown():
		return "Euclidean is not exact on this set, so that the split may be another"
	}
	return ""
}

// predict judges by the interval of the runs.
func (v *Verdict) predict(e Evidence, kind string, runs []table.Trial) error {
	accuracies := make([]float64, len(runs))
	for i, r := range runs {
		accuracies[i] = r.Percent()
	}
	p, err := stats.Predict(v.Published, accuracies, stats.PredictionSettings{Confidence: table.Confidence, MinRuns: enoughRuns})
	if err != nil {
		return fmt.Errorf("results: published %s/%s: %w", v.Letter, v.Method, err)
	}
	v.Verdict, v.Evidence, v.Runs = string(p.Verdict), kind, len(runs)
	v.Mean = text.TwoDecimals(p.Mean)
	if !math.IsNaN(p.HalfWidth) {
		v.Interval = []string{text.TwoDecimals(p.Interval.Low), text.TwoDecimals(p.Interval.High)}
		rank := text.SixDigits(p.RankP)
		v.RankP = &rank
	}
	what := "seeds on " + e.where()
	if kind == EvidenceRandom {
		what = "random splits"
	}
	v.Reason = text.Join("; ", e.compared(*v), fmt.Sprintf("%d %s: %s", len(runs), what, p.Reason), v.apart(e, p.Interval))
	if v.Ours == "" {
		v.Ours = v.Mean
	}
	return nil
}

// apart notes where our own cell on the split of the rule stands to the interval
// of random splits, and says so of a number outside that interval: another split
// may explain it, unless the split is known to be the paper's.
func (v *Verdict) apart(e Evidence, i stats.Interval) string {
	own := e.own()
	if v.Evidence != EvidenceRandom || own == nil || v.Interval == nil {
		return ""
	}
	if e.splitKnown() {
		return "that split is the paper's, of which random ones tell less"
	}
	x := 100 * float64(own.Correct()) / float64(len(own.Truth))
	v.SplitApart = x < i.Low || x > i.High
	if v.SplitApart && v.outside() {
		return "ours on the split of the rule is outside that interval, too, so that the split may explain the miss"
	}
	return ""
}

// outside reports whether the number lies outside the interval of our runs.
func (v Verdict) outside() bool {
	return v.Verdict == Better || v.Verdict == Worse
}

// contrary reports whether our own cell lies on the other side of the published
// value than the interval of the runs.
func (v Verdict) contrary() bool {
	ours, err := text.Hundredths(v.Ours)
	published, other := text.Hundredths(v.Published)
	if err != nil || other != nil {
		return false
	}
	return v.Verdict == Better && ours < published || v.Verdict == Worse && ours > published
}

// compared says how our own cell differs from the published value, or why there
// is none.
func (e Evidence) compared(v Verdict) string {
	if e.own() == nil {
		return e.Absent
	}
	return fmt.Sprintf("ours differs by %s on %s", table.Mark(v.Ours, v.Published), e.where())
}

func (e Evidence) split() string {
	if e.Recorded {
		return EvidenceAuthors
	}
	return EvidenceRule
}

func (e Evidence) where() string {
	if e.Recorded {
		return "the authors' own split"
	}
	return "the split of the rule"
}

// reach notes a value that no count of right answers can have given.
func (v *Verdict) reach(size int) error {
	if size == 0 {
		return nil
	}
	r, err := stats.CheckPercent(v.Published, size)
	if err != nil {
		return fmt.Errorf("results: published %s/%s: %w", v.Letter, v.Method, err)
	}
	if r.Possible {
		return nil
	}
	_, decimals, _ := strings.Cut(v.Published, ".")
	v.Unreachable, v.Nearest = true, stats.Percent(r.Nearest, size, len(decimals))
	v.Reason = text.Join("; ", v.Reason, fmt.Sprintf("the printed value is unreachable with %d test samples, the nearest is %s", size, v.Nearest))
	return nil
}
