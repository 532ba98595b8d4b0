// Package verdicttest checks that a verdict does not contradict the numbers it
// rests on. Tests of several packages use it.
package verdicttest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// rounding absorbs that of binary fractions.
const rounding = 1e-9

// Check returns every contradiction between a verdict and its evidence. Gaps, ranges
// and margins are computed here anew, from the counts of right answers.
func Check(e verdict.Evidence, v verdict.Verdict) error {
	c := checker{e: e, v: v}
	c.printed, _ = strconv.ParseFloat(e.Published.Accuracy, 64)
	_, decimals, _ := strings.Cut(e.Published.Accuracy, ".")
	c.decimals = len(decimals)
	c.margin = 1
	if e.Size > 0 {
		c.margin = math.Max(1, 100/float64(e.Size))
	}
	if !math.IsNaN(e.Slack) {
		c.margin += e.Slack
	}
	if i := slices.IndexFunc(e.Protocols, func(p verdict.Protocol) bool { return p.Rung == verdict.Stated }); i >= 0 {
		c.stated = e.Protocols[i].Runs
	}
	c.word()
	c.rungs()
	c.numbers()
	c.reason()
	return errors.Join(c.wrong...)
}

type checker struct {
	e        verdict.Evidence
	v        verdict.Verdict
	printed  float64
	decimals int
	margin   float64
	stated   []verdict.Run
	wrong    []error
}

// want records a contradiction unless ok.
func (c *checker) want(ok bool, format string, args ...any) {
	if !ok {
		c.wrong = append(c.wrong, fmt.Errorf("%s/%s: %s: "+format, append([]any{c.v.Letter, c.v.Method, c.v.Verdict}, args...)...))
	}
}

// gap is that of the printed value to some runs.
func (c *checker) gap(runs []verdict.Run) float64 {
	low, high := ends(runs)
	return math.Max(0, math.Max(low-c.printed, c.printed-high)-0.5*math.Pow10(-c.decimals))
}

// plainGap is that between the texts of the printed value and the range; none where the
// value has fewer decimals and is that of a run.
func (c *checker) plainGap(runs []verdict.Run) float64 {
	if c.decimals < 2 && c.gap(runs) <= rounding {
		return 0
	}
	low, err1 := strconv.ParseFloat(c.v.Range[0], 64)
	high, err2 := strconv.ParseFloat(c.v.Range[1], 64)
	c.want(err1 == nil && err2 == nil, "range %v", c.v.Range)
	return math.Max(0, math.Max(low-c.printed, c.printed-high))
}

func ends(runs []verdict.Run) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, r := range runs {
		percent := 100 * float64(r.Correct) / float64(r.N)
		low, high = math.Min(low, percent), math.Max(high, percent)
	}
	return low, high
}

// word checks the word by the runs.
func (c *checker) word() {
	word := c.v.Word()
	c.want(slices.Contains(verdict.Words(), word), "no such word")
	if c.v.Rung != nil {
		c.want(word == verdict.Rung(*c.v.Rung).Word(), "the word of another rung than %d", *c.v.Rung)
	} else {
		c.want(slices.Contains([]string{verdict.Above, verdict.Below, verdict.Between, verdict.Untested}, word), "a word without its rung")
	}
	var all []verdict.Run
	for _, p := range c.e.Protocols {
		all = append(all, p.Runs...)
	}
	_, highest := ends(all)
	lowest, _ := ends(c.stated)
	switch word {
	case verdict.Untested:
		c.want(len(c.stated) == 0 && strings.HasPrefix(c.v.Reason, c.e.Absent), "there are runs, or no reason")
	case verdict.Above:
		c.want(c.printed > highest, "a run has %g", highest)
		c.want(c.v.Samples == nil || strings.HasPrefix(c.v.Difference, "-"), "ours is larger: %s", c.v.Difference)
	case verdict.Below:
		c.want(c.printed < lowest, "a run has %g", lowest)
		c.want(c.v.Samples == nil || strings.HasPrefix(c.v.Difference, "+"), "ours is smaller: %s", c.v.Difference)
	case verdict.Between:
		c.want(c.printed <= highest+0.01 && c.printed >= lowest-0.01, "above or below all of %g to %g", lowest, highest)
	case verdict.Equal.Word():
		c.want(c.v.Samples == nil || *c.v.Samples == 0, "%v samples differ", c.v.Samples)
		c.want(!c.e.Stochastic || len(c.stated) > 1, "a single seed of a stochastic method")
		for _, r := range c.stated {
			c.want(stats.Percent(r.Correct, r.N, c.decimals) == c.e.Published.Accuracy, "a run has %d of %d", r.Correct, r.N)
		}
	}
}

// rungs checks that the rung is the first that reaches the number.
func (c *checker) rungs() {
	c.want(len(c.v.Ladder) == len(c.e.Protocols), "%d steps of %d protocols", len(c.v.Ladder), len(c.e.Protocols))
	first := -1
	for i, p := range c.e.Protocols {
		reached := c.gap(p.Runs) <= c.margin+rounding
		c.want(c.v.Ladder[i].Reached == reached && c.v.Ladder[i].Runs == len(p.Runs), "step %d is %+v", i, c.v.Ladder[i])
		if reached && (first < 0 || int(p.Rung) < first) {
			first = int(p.Rung)
		}
	}
	switch {
	case c.v.Rung == nil:
		c.want(first < 0 || len(c.stated) == 0, "rung %d reaches the number", first)
	case *c.v.Rung == int(verdict.Equal):
		c.want(first == int(verdict.Stated), "equal, and rung 1 does not reach the number")
	default:
		c.want(first == *c.v.Rung, "rung %d is the first that reaches the number", first)
	}
}

// numbers checks range, runs, margin, gap and marks.
func (c *checker) numbers() {
	if c.v.Verdict == verdict.Untested {
		c.want(c.v.Runs == 0 && c.v.Range == nil && !c.v.Wide, "numbers of nothing")
		return
	}
	runs := c.e.Supporting(c.v)
	low, high := ends(runs)
	c.want(len(runs) == c.v.Runs && len(c.v.Range) == 2, "%d runs behind it, range %v", len(runs), c.v.Range)
	c.want(0 <= low && low <= high && high <= 100, "a range of %g to %g", low, high)
	c.want(c.near(c.v.Range[0], low) && c.near(c.v.Range[1], high), "range %v of runs from %g to %g", c.v.Range, low, high)
	c.want(c.near(c.v.Limit, c.margin), "margin %s, want %g", c.v.Limit, c.margin)
	gap, err := strconv.ParseFloat(c.v.Gap, 64)
	c.want(err == nil && math.Abs(gap-c.plainGap(runs)) <= 0.005+rounding, "gap %s of %s to %v", c.v.Gap, c.v.Published, c.v.Range)
	c.want(gap >= c.gap(runs)-0.005-rounding, "gap %s, the runs are %g apart from it", c.v.Gap, c.gap(runs))
	wide := c.v.Rung != nil && high-low > 10+rounding
	c.want(c.v.Wide == wide && strings.HasSuffix(c.v.Verdict, " wide") == wide, "the range is %g points wide", high-low)
	if c.v.Ours == "" {
		return
	}
	ours, err := strconv.ParseFloat(c.v.Ours, 64)
	low, high = ends(c.stated)
	c.want(err == nil && low-0.005-rounding <= ours && ours <= high+0.005+rounding, "ours is %s, the stated runs are %g to %g", c.v.Ours, low, high)
	difference, err := strconv.ParseFloat(c.v.Difference, 64)
	c.want(err == nil && math.Abs(ours-c.printed-difference) <= 0.0101, "ours is %s, the difference %s", c.v.Ours, c.v.Difference)
}

// near tells whether a text has the two decimals of a number.
func (c *checker) near(text string, x float64) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && math.Abs(v-x) <= 0.005+rounding
}

// reason checks that the sentence has the numbers of the fields.
func (c *checker) reason() {
	c.want(c.v.Reason != "", "no reason")
	if c.v.Verdict == verdict.Untested {
		return
	}
	has := []string{c.v.Range[0], c.v.Range[1]}
	if c.v.Ours != "" {
		has = append(has, "ours is "+c.v.Ours, "printed "+c.v.Published, c.v.Difference+" points")
	}
	if c.v.Gap != "0.00" {
		has = append(has, "the gap of "+c.v.Gap, "the margin of "+c.v.Limit)
	}
	if c.v.Rung != nil {
		has = append(has, fmt.Sprintf("rung %d, ", *c.v.Rung))
	}
	if c.v.Setting != "" {
		has = append(has, "("+c.v.Setting+")")
	}
	for _, text := range has {
		c.want(strings.Contains(c.v.Reason, text), "%q is not in the reason %q", text, c.v.Reason)
	}
}
