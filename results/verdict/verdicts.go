package verdict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/stats"
)

// Verdicts are the verdicts on all published numbers of a spec. Its JSON is the
// output of "verdict --format json".
type Verdicts struct {
	Schema          int             `json:"schema"`
	Spec            string          `json:"spec"`
	Verdicts        []Verdict       `json:"verdicts"`
	Summary         Summary         `json:"summary"`
	Placebo         Placebo         `json:"placebo"`
	Fits            Fits            `json:"fits"`
	Counterfactuals Counterfactuals `json:"counterfactuals"`
	Ranks           Ranks           `json:"-"`
	Excluded        []Excluded      `json:"excluded,omitempty"`

	Evidence []Evidence `json:"-"` // that the verdicts rest on, in their order
}

// A Summary counts verdicts.
type Summary struct {
	Numbers     int           `json:"numbers"`
	Words       []WordCount   `json:"words"` // in the order of Words, those without a number included
	Wide        int           `json:"wide"`
	Constant    int           `json:"constant"`    // runs of ours with seed 1 that give every test sample one label
	Unreachable int           `json:"unreachable"` // printed values that no count of right answers gives
	Untried     int           `json:"untried"`     // that no rung reaches and for which choice on test was not run
	Slackened   []Share       `json:"slackened"`   // by rung: of the numbers it gives, those that need the row slack
	Unexplained []int         `json:"unexplained"` // by rung: numbers it gives for methods of which it explains nothing, by its decoys
	Close       Closeness     `json:"close"`
	Methods     []MethodCount `json:"methods"`
}

// A WordCount says how many numbers have a verdict.
type WordCount struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// A MethodCount counts the verdicts on the numbers of one column.
type MethodCount struct {
	Method string      `json:"method"`
	Words  []WordCount `json:"words"`
	Close  Closeness   `json:"close"`
	// Spearman is the rank correlation over the data sets of our accuracies with the
	// printed ones; null with fewer than three.
	Spearman *float64 `json:"spearman"`
}

// Closeness tells how near our runs of seed 1 under the stated protocol are to the
// printed values.
type Closeness struct {
	Numbers int      `json:"numbers"` // that have a run of ours
	Within  []Within `json:"within"`
	Mean    *float64 `json:"mean"` // of the absolute differences in points; null without a number
}

// Within counts the numbers at most so many points away.
type Within struct {
	Points float64 `json:"points"`
	Count  int     `json:"count"`
}

// distances are those of Closeness, in points.
var distances = []float64{0.5, 1, 2, 5}

// Judge judges every published number of a spec, and the rungs and protocols by all
// of them together.
func Judge(spec string, evidence []Evidence) (Verdicts, error) {
	all := Verdicts{Schema: 2, Spec: spec, Verdicts: []Verdict{}, Evidence: evidence}
	for _, e := range evidence {
		v, err := New(e)
		if err != nil {
			return all, err
		}
		all.Verdicts = append(all.Verdicts, v)
	}
	all.Placebo, all.Fits, all.Counterfactuals = NewPlacebo(evidence), NewFits(evidence), NewCounterfactuals(evidence)
	all.Ranks = NewRanks(evidence)
	all.Summary = summarize(all.Verdicts, evidence)
	all.Summary.countRungs(all.Verdicts, all.Placebo)
	return all, nil
}

// Clean tells whether there are numbers and the stated protocol gives every one:
// each is equal or reproduced.
func (v Verdicts) Clean() bool {
	return len(v.Verdicts) > 0 && !slices.ContainsFunc(v.Verdicts, func(one Verdict) bool { return one.Rung == nil || *one.Rung > int(Stated) })
}

// Word is the verdict without the mark of a wide range.
func (v Verdict) Word() string { return strings.TrimSuffix(v.Verdict, wideMark) }

func summarize(verdicts []Verdict, evidence []Evidence) Summary {
	s := Summary{Numbers: len(verdicts), Words: countWords(verdicts), Close: closeness(evidence), Methods: []MethodCount{}}
	var columns []string
	for _, v := range verdicts {
		columns = text.AppendNew(columns, v.Method)
		s.Wide += one(v.Wide)
		s.Constant += one(v.Constant)
		s.Unreachable += one(v.Unreachable)
		s.Untried += one(v.Untried)
	}
	for _, column := range columns {
		var its []Verdict
		var theirs []Evidence
		for i, v := range verdicts {
			if v.Method == column {
				its, theirs = append(its, v), append(theirs, evidence[i])
			}
		}
		s.Methods = append(s.Methods, MethodCount{Method: column, Words: countWords(its), Close: closeness(theirs), Spearman: spearman(theirs)})
	}
	return s
}

// countRungs counts numbers by the rung that gives them.
func (s *Summary) countRungs(verdicts []Verdict, p Placebo) {
	s.Slackened, s.Unexplained = make([]Share, rungs), make([]int, rungs)
	for _, v := range verdicts {
		if v.Rung == nil {
			continue
		}
		s.Slackened[*v.Rung].add(v.Slackened)
		s.Unexplained[*v.Rung] += one(!p.explains(v.Method, Rung(*v.Rung)))
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func countWords(verdicts []Verdict) []WordCount {
	var counts []WordCount
	for _, word := range Words() {
		c := WordCount{Word: word}
		for _, v := range verdicts {
			c.Count += one(v.Word() == word)
		}
		counts = append(counts, c)
	}
	return counts
}

// pairs are our accuracies of seed 1 and the printed ones, in percent.
func pairs(evidence []Evidence) (ours, printed []float64) {
	for _, e := range evidence {
		value, _, err := readPrinted(e.Published)
		if own := e.own(); own != nil && err == nil {
			ours, printed = append(ours, own.Percent()), append(printed, value)
		}
	}
	return ours, printed
}

func closeness(evidence []Evidence) Closeness {
	ours, printed := pairs(evidence)
	c := Closeness{Numbers: len(ours), Within: []Within{}}
	sum := 0.0
	for i := range ours {
		sum += math.Abs(ours[i] - printed[i])
	}
	for _, points := range distances {
		w := Within{Points: points}
		for i := range ours {
			w.Count += one(math.Abs(ours[i]-printed[i]) <= points+rounding)
		}
		c.Within = append(c.Within, w)
	}
	if len(ours) > 0 {
		mean := text.SixDigits(sum / float64(len(ours)))
		c.Mean = &mean
	}
	return c
}

func spearman(evidence []Evidence) *float64 {
	ours, printed := pairs(evidence)
	if len(ours) < 3 {
		return nil
	}
	rho := stats.Spearman(ours, printed)
	if math.IsNaN(rho) {
		return nil
	}
	rho = text.SixDigits(rho)
	return &rho
}

// Listing returns the verdicts as a heading and one line each.
func (v Verdicts) Listing() (heading []string, lines [][]string) {
	for _, n := range v.Verdicts {
		span := ""
		switch {
		case n.Runs == 1:
			span = n.Range[0]
		case n.Runs > 1:
			span = n.Range[0] + ".." + n.Range[1]
		}
		samples := ""
		if n.Samples != nil {
			samples = strings.Fields(signedSamples(*n.Samples))[0]
		}
		rung := ""
		if n.Rung != nil {
			rung = strconv.Itoa(*n.Rung)
		}
		lines = append(lines, []string{
			n.Letter, n.Dataset, n.Method, n.Published, n.Ours, n.Difference, samples, rung, n.Verdict, n.Setting, span, text.NonZero(n.Runs), n.Limit, n.Reason,
		})
	}
	return []string{
		"row", "data set", "method", "published", "ours", "points", "samples", "rung", "verdict", "setting", "range", "runs", "margin", "reason",
	}, lines
}

// Notes are the lines under the verdicts.
func (v Verdicts) Notes() []string {
	s := v.Summary
	if s.Numbers == 0 {
		return v.unpublished()
	}
	notes := []string{fmt.Sprintf("%s: %s.", text.Counted(s.Numbers, "published number"), strings.Join(s.counts(), "; "))}
	if s.Wide > 0 {
		notes = append(notes, fmt.Sprintf("Marked \"wide\", as the runs are more than %g points apart: %d.", WideRange, s.Wide))
	}
	if s.Unreachable > 0 {
		notes = append(notes, fmt.Sprintf("Printed values that no count of right answers gives: %d.", s.Unreachable))
	}
	notes = append(notes, s.slackened()...)
	if nothing := v.letters(func(one Verdict) bool { return one.Rung != nil && !v.Placebo.explains(one.Method, Rung(*one.Rung)) }); len(nothing) > 0 {
		notes = append(notes, fmt.Sprintf("Given by a rung that explains nothing of the method, going by its decoys: %s.", strings.Join(nothing, ", ")))
	}
	if s.Constant > 0 {
		constant := v.letters(func(one Verdict) bool { return one.Constant })
		notes = append(notes, fmt.Sprintf("Runs of ours with seed 1 that give every test sample the same label: %s.", strings.Join(constant, ", ")))
	}
	if s.Untried > 0 {
		notes = append(notes, fmt.Sprintf("No rung that was run gives these, and choice on test was not run for them: %s.",
			strings.Join(v.letters(func(one Verdict) bool { return one.Untried }), ", ")))
	}
	return append(append(notes, legend()...), v.excluded()...)
}

// slackened says how many numbers need the row slack.
func (s Summary) slackened() []string {
	var stated, others Share
	for rung, share := range s.Slackened {
		if Rung(rung) <= Stated {
			stated.join(share)
		} else {
			others.join(share)
		}
	}
	if stated.Reached+others.Reached == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Numbers that need the row slack in their margin: %s that the stated protocol gives, and %s that other rungs give.",
		stated.ofAll(), others.ofAll())}
}

// Reaching says in brief when a protocol gives a number, as [Evidence.Margin] has it.
const Reaching = "A protocol gives a number that lies within the range of its runs, or outside by no more than the margin. " +
	"The margin is one point or one test sample, whichever is more, and what Euclidean of that data set is off. " +
	"Numbers printed above exceed all runs there are by more, those printed below fall short of every run of the stated protocol."

// legend says what the words and the columns of the listing mean.
func legend() []string {
	lines := []string{"A number gets the first rung that reaches it: it is within the range of its runs, or outside by no more than the margin. " +
		"The range of a single run is its accuracy."}
	for _, r := range Rungs() {
		also := ""
		switch r {
		case Equal:
			also = ", whatever the seed"
		case Tied:
			also = fmt.Sprintf(", or within one validation sample of the best when fewer than %d validate", fewValidate)
		}
		lines = append(lines, fmt.Sprintf("Rung %d, \"%s\": %s%s.", r, r.Word(), r.Protocol(), also))
	}
	return append(lines,
		fmt.Sprintf("No rung: \"%s\" is above all runs there are; \"%s\" is below every run of the stated protocol; \"%s\" is neither.",
			Above, Below, Between),
		"The stated protocol chooses parameters on the validation samples, the first best of the grid.",
		"An open parameter is one on which the paper's text is silent.",
		"The margin is one point or one test sample, whichever is more, plus the row slack.",
		"The row slack is the difference of the printed Euclidean accuracy of the row from ours. Euclidean itself has none.")
}

// counts are the words that some number has, with how many have it.
func (s Summary) counts() []string {
	var counts []string
	for _, w := range s.Words {
		if w.Count > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", w.Word, w.Count))
		}
	}
	return counts
}

// letters lists the numbers with a property: "G T-R2LML".
func (v Verdicts) letters(has func(Verdict) bool) []string {
	var list []string
	for _, one := range v.Verdicts {
		if has(one) {
			list = append(list, one.Letter+" "+published.MethodName(one.Method))
		}
	}
	return list
}
