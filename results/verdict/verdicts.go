package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// Verdicts are the verdicts on all published numbers of a spec. Its JSON is the
// output of "verdict --format json".
type Verdicts struct {
	Schema   int        `json:"schema"`
	Spec     string     `json:"spec"`
	Verdicts []Verdict  `json:"verdicts"`
	Summary  Summary    `json:"summary"`
	Excluded []Excluded `json:"excluded,omitempty"`

	Evidence []Evidence `json:"-"` // that the verdicts rest on, in their order
}

// A Summary counts verdicts.
type Summary struct {
	Numbers     int           `json:"numbers"`
	Words       []WordCount   `json:"words"` // in the order of Words, those without a number included
	Wide        int           `json:"wide"`
	Constant    int           `json:"constant"`    // cells of ours that give every test sample one label
	Unreachable int           `json:"unreachable"` // printed values that no count of right answers gives
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

// Closeness tells how near our cells of seed 1 under the stated protocol are to the
// printed values.
type Closeness struct {
	Numbers int      `json:"numbers"` // that have a cell of ours
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

// Judge judges every published number of a spec.
func Judge(spec string, evidence []Evidence) (Verdicts, error) {
	all := Verdicts{Schema: 2, Spec: spec, Verdicts: []Verdict{}, Evidence: evidence}
	for _, e := range evidence {
		v, err := New(e)
		if err != nil {
			return all, err
		}
		all.Verdicts = append(all.Verdicts, v)
	}
	all.Summary = summarize(all.Verdicts, evidence)
	return all, nil
}

// Clean tells whether there are numbers and the stated protocol gives every one.
func (v Verdicts) Clean() bool {
	return len(v.Verdicts) > 0 && !slices.ContainsFunc(v.Verdicts, func(one Verdict) bool { return one.Rung == nil || *one.Rung > int(Stated) })
}

// Word is the verdict without the mark of a wide range.
func (v Verdict) Word() string { return strings.TrimSuffix(v.Verdict, " wide") }

func summarize(verdicts []Verdict, evidence []Evidence) Summary {
	s := Summary{Numbers: len(verdicts), Words: countWords(verdicts), Close: closeness(evidence), Methods: []MethodCount{}}
	var columns []string
	for _, v := range verdicts {
		columns = text.AppendNew(columns, v.Method)
		s.Wide += one(v.Wide)
		s.Constant += one(v.Constant)
		s.Unreachable += one(v.Unreachable)
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
		if n.Range != nil {
			span = n.Range[0] + ".." + n.Range[1]
		}
		samples := ""
		if n.Samples != nil {
			samples = fmt.Sprintf("%+d", *n.Samples)
		}
		lines = append(lines, []string{
			n.Letter, n.Dataset, n.Method, n.Published, n.Ours, n.Difference, samples, n.Verdict, n.Setting, span, text.NonZero(n.Runs), n.Limit, n.Reason,
		})
	}
	return []string{"row", "data set", "method", "published", "ours", "points", "samples", "verdict", "setting", "range", "runs", "margin", "reason"}, lines
}

// Notes are the lines under the verdicts.
func (v Verdicts) Notes() []string {
	s := v.Summary
	if s.Numbers == 0 {
		return v.unpublished()
	}
	var counts []string
	for _, w := range s.Words {
		if w.Count > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", w.Word, w.Count))
		}
	}
	notes := []string{
		fmt.Sprintf("%s: %s. Of the ranges, %d are wider than %g points; %d printed values are impossible with their test samples.",
			text.Counted(s.Numbers, "published number"), strings.Join(counts, "; "), s.Wide, wideRange, s.Unreachable),
		"A number gets the first protocol whose runs come within its margin: " + strings.Join(ladderInWords(), "; ") + ".",
		"The margin is one point or one test sample, whichever is more, and by how much the row's printed Euclidean accuracy differs from ours.",
		fmt.Sprintf("No protocol: \"%s\" is above every run of all protocols, \"%s\" below every run of the stated one, \"%s\" neither.", Above, Below, Between),
	}
	if s.Constant > 0 {
		notes = append(notes, fmt.Sprintf("%s of ours %s every test sample the same label: %s.",
			text.Counted(s.Constant, "cell"), map[bool]string{true: "gives", false: "give"}[s.Constant == 1], strings.Join(v.constant(), ", ")))
	}
	return append(notes, v.excluded()...)
}

// ladderInWords is a line for every rung.
func ladderInWords() []string {
	var lines []string
	for _, r := range Rungs() {
		lines = append(lines, fmt.Sprintf("(%d) %s, \"%s\"", r, r.Protocol(), r.Word()))
	}
	return lines
}

// constant lists the numbers whose cell of ours gives one label only.
func (v Verdicts) constant() []string {
	var list []string
	for _, one := range v.Verdicts {
		if one.Constant {
			list = append(list, one.Letter+"/"+one.Method)
		}
	}
	return list
}
