package verdict

import (
	"fmt"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Verdicts are the verdicts on all published numbers of a spec. Its JSON is the
// output of "verdict --format json".
type Verdicts struct {
	Schema   int        `json:"schema"`
	Spec     string     `json:"spec"`
	Verdicts []Verdict  `json:"verdicts"`
	Summary  Summary    `json:"summary"`
	Excluded []Excluded `json:"left_out,omitempty"`
}

// A Summary counts verdicts and tells how many misses chance explains.
type Summary struct {
	Numbers      int `json:"numbers"`
	Exact        int `json:"exact"`
	Reproduced   int `json:"reproduced"`
	Better       int `json:"better"`
	Worse        int `json:"worse"`
	Inconclusive int `json:"inconclusive"`
	Missing      int `json:"missing"`
	SplitApart   int `json:"split_apart"` // better or worse, though our own cell on the split of the rule is outside the interval, too
	Contrary     int `json:"contrary"`    // better or worse, though our own cell is on the other side of the published value
	Unreachable  int `json:"unreachable"` // printed values that no count of right answers gives

	// Judged numbers have an interval of enough runs, however wide; Outside of
	// them are better or worse. If every one of them were sound, Expected would be
	// outside by chance, and as many or more with probability P. Numbers of
	// one row share a split and are dependent, which P leaves out: so
	// RowsOutside lists the rows that have any.
	Judged      int      `json:"judged"`
	Outside     int      `json:"outside"`
	Expected    float64  `json:"expected"`
	P           float64  `json:"p"`
	RowsOutside []string `json:"rows_outside"`
	Rows        int      `json:"rows"` // rows with a judged number
}

// Judge judges every published number of a spec.
func Judge(spec string, evidence []Evidence) (Verdicts, error) {
	all := Verdicts{Schema: 1, Spec: spec, Verdicts: []Verdict{}}
	for _, e := range evidence {
		v, err := New(e)
		if err != nil {
			return all, err
		}
		all.Verdicts = append(all.Verdicts, v)
	}
	all.Summary = summarize(all.Verdicts)
	return all, nil
}

// Clean tells whether there are numbers and every one is exact or reproduced.
func (v Verdicts) Clean() bool {
	return v.Summary.Numbers > 0 && v.Summary.Exact+v.Summary.Reproduced == v.Summary.Numbers
}

func summarize(verdicts []Verdict) Summary {
	s := Summary{Numbers: len(verdicts), RowsOutside: []string{}}
	var rows []string
	for _, v := range verdicts {
		s.count(v)
		if v.Interval == nil || v.Runs < enoughRuns {
			continue
		}
		s.Judged++
		rows = text.AppendNew(rows, v.Letter)
		if v.outside() {
			s.Outside++
			s.RowsOutside = text.AppendNew(s.RowsOutside, v.Letter)
		}
	}
	s.Rows = len(rows)
	expected, p := stats.ExpectedMisses(s.Judged, s.Outside, table.Confidence)
	s.Expected, s.P = text.SixDigits(expected), text.SixDigits(p)
	return s
}

func (s *Summary) count(v Verdict) {
	switch v.Verdict {
	case Exact:
		s.Exact++
	case Reproduced:
		s.Reproduced++
	case Better:
		s.Better++
	case Worse:
		s.Worse++
	case Inconclusive:
		s.Inconclusive++
	case Missing:
		s.Missing++
	}
	if v.Unreachable {
		s.Unreachable++
	}
	if v.SplitApart && v.outside() {
		s.SplitApart++
	}
	if v.contrary() {
		s.Contrary++
	}
}

// Listing returns the verdicts as a heading and one line each.
func (v Verdicts) Listing() (heading []string, lines [][]string) {
	for _, n := range v.Verdicts {
		interval := ""
		if n.Interval != nil {
			interval = n.Interval[0] + ".." + n.Interval[1]
		}
		lines = append(lines, []string{n.Letter, n.Dataset, n.Method, n.Published, n.Ours, n.Verdict, n.Evidence, text.NonZero(n.Runs), interval, n.Reason})
	}
	return []string{"row", "data set", "method", "published", "ours", "verdict", "evidence", "runs", "interval", "reason"}, lines
}

// Notes are the lines under the verdicts.
func (v Verdicts) Notes() []string {
	s := v.Summary
	if s.Numbers == 0 {
		return v.unpublished()
	}
	notes := []string{
		fmt.Sprintf("%s: %d exact, %d reproduced, %d better, %d worse, %d inconclusive, %d missing; %d printed values are unreachable.",
			text.Counted(s.Numbers, "published number"), s.Exact, s.Reproduced, s.Better, s.Worse, s.Inconclusive, s.Missing, s.Unreachable),
		"Exact: our cell prints the published value. Otherwise the 95 % interval for one more run decides. Reproduced: the value is inside it. " +
			"Better or worse: the interval lies wholly above or below the value. " +
			"Inconclusive: there are fewer than " + strconv.Itoa(enoughRuns) + " runs, or the interval is wider than ±5 points.",
	}
	if s.Judged > 0 {
		notes = append(notes, fmt.Sprintf("Of the numbers that are not exact, %d have an interval of %d runs or more, however wide. Of these, "+
			"%d are outside. Chance alone would leave %s outside, and as many or more with probability %s.",
			s.Judged, enoughRuns, s.Outside, text.TwoDecimals(s.Expected), stats.FormatP(s.P, 0)))
	}
	if s.Contrary > 0 {
		notes = append(notes, fmt.Sprintf("Better and worse speak of the runs. On %d of %s, our own cell on the split of the rule lies on the other side of "+
			"the printed value.",
			s.Contrary, text.Counted(s.Outside, "such number")))
	}
	if s.SplitApart > 0 {
		notes = append(notes, fmt.Sprintf("On %d of them, our own cell is outside the interval of our random splits as well. "+
			"There the split of the rule is unlike a random one, and it may not be the paper's. "+
			"The miss then says more about the split than about the method, and misses are likelier than by chance alone.", s.SplitApart))
	}
	if s.Outside > 0 {
		notes = append(notes, fmt.Sprintf("Numbers of a row share a split and are dependent. Of %[2]s, %[1]d have numbers outside: %[3]s.",
			len(s.RowsOutside), text.Counted(s.Rows, "row"), strings.Join(s.RowsOutside, ", ")))
	}
	return append(notes, v.excluded()...)
}
