package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/stats"
)

// A Verdict says which protocol gives one published number, if any.
type Verdict struct {
	Letter    string `json:"letter"`
	Dataset   string `json:"dataset"`
	Method    string `json:"method"` // id of the column
	Published string `json:"published"`
	Ours      string `json:"ours"` // seed 1 under the stated protocol; empty without it
	// Verdict is the word of the rung that reaches the number, with " wide" when its
	// runs span more than 10 points, or one of the words for numbers that none reaches.
	Verdict string `json:"verdict"`
	Rung    *int   `json:"rung"`              // that reaches the number; null: none
	Setting string `json:"setting,omitempty"` // of the open parameter, on rungs that have one
	Wide    bool   `json:"wide,omitempty"`

	// Difference is ours minus the printed value, in points, and Samples the same in
	// test samples; empty and nil without a cell of ours.
	Difference string `json:"difference,omitempty"`
	Samples    *int   `json:"samples,omitempty"`

	// Range is that of the runs that reach the number, else of those of the stated
	// protocol, in percent: low, high. Runs is their number; the range of a single run
	// is its accuracy twice.
	Range []string `json:"range"`
	Runs  int      `json:"runs"`
	Slack string   `json:"slack"`  // row slack in points, part of the margin
	Limit string   `json:"margin"` // in points
	// Gap is from the range to the printed value in points, both as they are printed.
	// What decides allows for the rounding of the printed value besides.
	Gap string `json:"gap,omitempty"`
	// Slackened: the margin without the row slack would not reach the number on this rung.
	Slackened bool `json:"slackened,omitempty"`

	Ladder []Step `json:"ladder"` // every protocol that was run

	Constant bool `json:"constant,omitempty"` // our cell gives every test sample one label
	// Unreachable: no count of right answers of Size samples prints this value;
	// Nearest is the accuracy closest to it.
	Unreachable bool   `json:"unreachable,omitempty"`
	Nearest     string `json:"nearest,omitempty"`
	// Untried: no rung reaches the number, and the best setting on the test samples,
	// which might, was not run.
	Untried bool   `json:"untried,omitempty"`
	Reason  string `json:"reason"`
}

// A Step is what one protocol says about a number.
type Step struct {
	Rung    int       `json:"rung"`
	Setting string    `json:"setting,omitempty"`
	Runs    int       `json:"runs"`
	Range   [2]string `json:"range"` // low, high, in percent
	Gap     string    `json:"gap"`   // in points, from the range to the printed value, both as printed
	Reached bool      `json:"reached"`
}

// New finds the first rung that reaches a published number. The error is that of a
// published text that is no number.
func New(e Evidence) (Verdict, error) {
	v := Verdict{
		Letter: e.Published.Letter, Dataset: e.Published.Dataset, Method: e.Column, Published: e.Published.Accuracy,
		Slack: text.TwoDecimals(e.slack()), Limit: text.TwoDecimals(e.Margin()), Ladder: []Step{},
	}
	printed, half, err := readPrinted(e.Published)
	if err != nil {
		return v, err
	}
	v.compare(e, printed)
	if reached := e.first(printed, half); reached != nil {
		v.reach(e, *reached, printed, half)
	} else {
		v.miss(e, printed, half)
	}
	for _, p := range e.Protocols {
		v.Ladder = append(v.Ladder, Step{
			Rung: int(p.Rung), Setting: p.Setting, Runs: len(p.Runs), Range: rangeOf(p), Gap: p.gapText(v.Published, printed, half),
			Reached: e.within(p, printed, half),
		})
	}
	return v, v.checkGranularity(e.Size)
}

// readPrinted reads a printed percentage and half of its last digit.
func readPrinted(p published.Number) (value, half float64, err error) {
	if value, err = p.Percent(); err != nil {
		return 0, 0, err
	}
	_, decimals, _ := strings.Cut(p.Accuracy, ".")
	return value, 0.5 * math.Pow10(-len(decimals)), nil
}

// rangeOf prints the range of the runs of a protocol.
func rangeOf(p Protocol) [2]string {
	low, high := slices.MinFunc(p.Runs, byAccuracy), slices.MaxFunc(p.Runs, byAccuracy)
	return [2]string{stats.Percent(low.Correct, low.N, 2), stats.Percent(high.Correct, high.N, 2)}
}

// compare states ours beside the printed value.
func (v *Verdict) compare(e Evidence, printed float64) {
	own := e.own()
	if own == nil {
		return
	}
	v.Ours, v.Constant = stats.Percent(own.Correct, own.N, 2), own.Constant
	v.Difference = plainDifference(v.Ours, v.Published)
	samples := own.Correct - int(math.Round(printed*float64(own.N)/100))
	v.Samples = &samples
}

// first is the protocol on the first rung that reaches a printed value, nil without
// one. Of several open settings it is the nearest; of several that are as near the one
// with the narrowest range, and then the one with the smallest value.
func (e Evidence) first(printed, half float64) *Protocol {
	s := e.stated()
	switch {
	case s == nil:
		return nil
	case e.equal(*s):
		equal := *s
		equal.Rung = Equal
		return &equal
	}
	var best *Protocol
	for i := range e.Protocols {
		p := &e.Protocols[i]
		if e.within(*p, printed, half) && (best == nil || p.Rung == best.Rung && p.nearer(*best, printed, half)) {
			best = p
		}
	}
	return best
}

// within tells whether a protocol reaches a value: by the margin.
func (e Evidence) within(p Protocol, value, half float64) bool {
	return p.Gap(value, half) <= e.Margin()+rounding
}

// nearer tells whether a protocol is nearer to a value than another one, or as near
// with a narrower range.
func (p Protocol) nearer(other Protocol, value, half float64) bool {
	if a, b := p.Gap(value, half), other.Gap(value, half); a != b {
		return a < b
	}
	return p.width() < other.width()-rounding
}

func (p Protocol) width() float64 { return p.High() - p.Low() }

// equal tells whether no random number moves the runs of the stated protocol, and
// they print the published value. A stochastic method needs two seeds to tell.
func (e Evidence) equal(p Protocol) bool {
	if e.Stochastic && len(p.Runs) < 2 {
		return false
	}
	_, decimals, _ := strings.Cut(e.Published.Accuracy, ".")
	for _, r := range p.Runs {
		if r.Correct != p.Runs[0].Correct || stats.Percent(r.Correct, r.N, len(decimals)) != e.Published.Accuracy {
			return false
		}
	}
	return true
}

// reach states the rung that reaches the number.
func (v *Verdict) reach(e Evidence, p Protocol, printed, half float64) {
	rung := int(p.Rung)
	v.Rung, v.Setting, v.Verdict = &rung, p.Setting, p.Rung.Word()
	v.state(p, printed, half)
	v.Slackened = p.Gap(printed, half) > e.Margin()-e.slack()+rounding
	if v.Wide = p.width() > WideRange+rounding; v.Wide {
		v.Verdict += wideMark
	}
	v.Reason = fmt.Sprintf("%s; %s gives %s; %s", v.difference(), p.name(), v.spread(), v.distance("within", half))
}

// name names the rung and what the protocol did.
func (p Protocol) name() string {
	if p.Setting == "" {
		return fmt.Sprintf("rung %d, %s,", p.Rung, p.Rung.Protocol())
	}
	return fmt.Sprintf("rung %d, %s (%s),", p.Rung, p.Rung.Protocol(), p.Setting)
}

// state sets the range, the number of runs and the gap.
func (v *Verdict) state(p Protocol, printed, half float64) {
	r := rangeOf(p)
	v.Range, v.Runs, v.Gap = r[:], len(p.Runs), p.gapText(v.Published, printed, half)
}

// miss gives a number that no rung reaches its word.
func (v *Verdict) miss(e Evidence, printed, half float64) {
	stated := e.stated()
	if stated == nil {
		v.Verdict, v.Reason = Untested, e.Absent
		return
	}
	v.state(*stated, printed, half)
	above, below := true, printed < stated.Low()-half
	for _, p := range e.Protocols {
		above = above && printed > p.High()+half
	}
	switch {
	case above:
		v.Verdict = Above
	case below:
		v.Verdict = Below
	default:
		v.Verdict = Between
	}
	untried := ""
	if v.Untried = e.untried(); v.Untried {
		untried = OnTest.Protocol() + " was not run"
	}
	v.Reason = text.Join("; ", fmt.Sprintf("%s; %s gives %s", v.difference(), stated.name(), v.spread()), v.distance("beyond", half),
		e.nearest(printed, half), untried)
}

// nearest says which protocol comes nearest to a printed value, nothing when only
// the stated one was run.
func (e Evidence) nearest(printed, half float64) string {
	best := e.Protocols[0]
	for _, p := range e.Protocols[1:] {
		if p.Gap(printed, half) < best.Gap(printed, half) {
			best = p
		}
	}
	switch {
	case len(e.Protocols) == 1:
		return ""
	case best.Rung == Stated:
		return "no other protocol comes nearer"
	}
	return fmt.Sprintf("nearest is %s with %s", best.name(), spread(rangeOf(best), len(best.Runs)))
}

// difference is ours minus the printed value in words.
func (v Verdict) difference() string {
	if v.Samples == nil {
		return "no run of ours with seed 1"
	}
	return fmt.Sprintf("ours is %s, printed %s: %s points, %s", v.Ours, v.Published, v.Difference, signedSamples(*v.Samples))
}

// signedSamples is a difference in samples with its sign.
func signedSamples(n int) string {
	switch n {
	case 0:
		return "0 samples"
	case 1, -1:
		return fmt.Sprintf("%+d sample", n)
	}
	return fmt.Sprintf("%+d samples", n)
}

// spread is the range of the runs in words.
func (v Verdict) spread() string { return spread([2]string(v.Range), v.Runs) }

// Spread is the range of the runs in words.
func (s Step) Spread() string { return spread(s.Range, s.Runs) }

func spread(r [2]string, runs int) string {
	switch {
	case runs == 1:
		return r[0] + " in a single run"
	case r[0] == r[1]:
		return fmt.Sprintf("%s in all of %d runs", r[0], runs)
	}
	return fmt.Sprintf("%s to %s in %d runs", r[0], r[1], runs)
}

// distance is the gap in words: within the margin or beyond it. Where the gap is within
// it only because the printed value may have been rounded by half, this is said.
func (v Verdict) distance(where string, half float64) string {
	switch {
	case v.Gap != "0.00" && where == "within" && exceeds(v.Gap, v.Limit):
		return fmt.Sprintf("the gap of %s is within the margin of %s (%g allowed for rounding of the printed value)", v.Gap, v.Limit, half)
	case v.Gap != "0.00":
		return fmt.Sprintf("the gap of %s is %s the margin of %s", v.Gap, where, v.Limit)
	case v.Range[0] == v.Range[1]:
		return "that is the printed value"
	}
	return "the printed value is inside"
}

// checkGranularity notes a value that no count of right answers can have given.
func (v *Verdict) checkGranularity(size int) error {
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
	v.Reason = text.Join("; ", v.Reason, fmt.Sprintf("the printed value is impossible with %d test samples, the nearest is %s", size, v.Nearest))
	return nil
}
