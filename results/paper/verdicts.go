package paper

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// Verdicts are the verdicts on all printed numbers of a spec. Its JSON is the output of
// "verdict --format json".
type Verdicts struct {
	Schema   int        `json:"schema"`
	Spec     string     `json:"spec"`
	Title    string     `json:"title"`  // of the publication, as its table has it
	Source   string     `json:"source"` // where the numbers were read
	Verdicts []Verdict  `json:"verdicts"`
	Summary  Summary    `json:"summary"`
	Moved    []Moved    `json:"moved"`
	Ranks    *Ranks     `json:"ranks"` // null with fewer than two methods or data sets that have them all
	Readings Readings   `json:"readings"`
	Excluded []Excluded `json:"excluded,omitempty"`
}

// A Summary counts verdicts.
type Summary struct {
	Numbers int `json:"numbers"`
	Counts
	Methods []MethodCount `json:"methods"`
}

// Counts say how verdicts are shared among the words, and how near the means are.
type Counts struct {
	Words []WordCount `json:"words"` // in the order of Words, those without a number included
	Close Closeness   `json:"close"`
}

// A WordCount says how many numbers have a verdict.
type WordCount struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// A MethodCount counts the verdicts on the numbers of one column.
type MethodCount struct {
	Method string `json:"method"`
	Counts
	// Spearman is the rank correlation over the data sets of our means with the printed
	// values; null with fewer than three, or where one side is all the same.
	Spearman *float64 `json:"spearman"`
}

// Closeness tells how near means of runs are to the printed values.
type Closeness struct {
	Numbers int      `json:"numbers"` // that have runs
	Within  []Within `json:"within"`
	Below   int      `json:"below"` // of our means below print
	Above   int      `json:"above"`
	Mean    *float64 `json:"mean"` // of the absolute differences in points; null without a number
}

// Within counts the numbers at most so many points away.
type Within struct {
	Points float64 `json:"points"`
	Count  int     `json:"count"`
}

// distances are those of Closeness, in points.
var distances = []float64{0.5, 1, 2, 5}

// Moved says how many printed values would agree if they were moved by so many points, up
// and down: what the rule lets through by chance. Numbers that cannot tell do not count.
type Moved struct {
	Points float64 `json:"points"`
	Agree  int     `json:"agree"`
	Of     int     `json:"of"`
}

// Percent is the share that agrees.
func (m Moved) Percent() float64 { return 100 * float64(m.Agree) / math.Max(1, float64(m.Of)) }

// Judge judges every printed number of a spec by the runs of the main reading, and counts
// what other readings give.
func Judge(spec string, evidence []Evidence, others ...Reading) Verdicts {
	all := Verdicts{Schema: 3, Spec: spec, Verdicts: newVerdicts(evidence)}
	all.Summary = summarize(all.Verdicts)
	for _, points := range []float64{2, 4} {
		m := Moved{Points: points}
		for _, v := range all.Verdicts {
			if v.Verdict == CannotTell {
				continue
			}
			for _, by := range []float64{points, -points} {
				m.Of++
				if word, _ := v.judge(v.printed() + by); word == Agrees {
					m.Agree++
				}
			}
		}
		all.Moved = append(all.Moved, m)
	}
	all.Ranks = newRanks(all.Verdicts)
	all.Readings = newReadings(all.Verdicts, others)
	return all
}

func newVerdicts(evidence []Evidence) []Verdict {
	all := make([]Verdict, len(evidence))
	for i, e := range evidence {
		all[i] = New(e)
	}
	return all
}

// Clean reports whether there are numbers and every one agrees.
func (v Verdicts) Clean() bool {
	return len(v.Verdicts) > 0 && !slices.ContainsFunc(v.Verdicts, func(one Verdict) bool { return one.Verdict != Agrees })
}

// Find returns the verdict on the number of a data set and a column; nil without one.
func (v Verdicts) Find(dataset, column string) *Verdict {
	for i, one := range v.Verdicts {
		if one.Dataset == dataset && one.Method == column {
			return &v.Verdicts[i]
		}
	}
	return nil
}

func summarize(all []Verdict) Summary {
	s := Summary{Numbers: len(all), Counts: CountsOf(all), Methods: []MethodCount{}}
	for _, column := range columnsOf(all) {
		own := ofColumn(all, column)
		s.Methods = append(s.Methods, MethodCount{column, CountsOf(own), spearman(own)})
	}
	return s
}

// columnsOf are the columns with verdicts, in their order.
func columnsOf(all []Verdict) []string {
	var columns []string
	for _, v := range all {
		columns = text.AppendNew(columns, v.Method)
	}
	return columns
}

func ofColumn(all []Verdict, column string) []Verdict {
	return slices.DeleteFunc(slices.Clone(all), func(v Verdict) bool { return v.Method != column })
}

// CountsOf counts verdicts by their words and their distances.
func CountsOf(all []Verdict) Counts {
	var c Counts
	for _, word := range Words() {
		c.Words = append(c.Words, WordCount{Word: word})
	}
	for _, points := range distances {
		c.Close.Within = append(c.Close.Within, Within{Points: points})
	}
	var away []float64
	for _, v := range all {
		c.Words[slices.Index(Words(), v.Verdict)].Count++
		if v.Difference == nil {
			continue
		}
		away = append(away, math.Abs(*v.Difference))
		switch {
		case *v.Difference < 0:
			c.Close.Below++
		case *v.Difference > 0:
			c.Close.Above++
		}
		for i, points := range distances {
			if math.Abs(*v.Difference) <= points+rounding {
				c.Close.Within[i].Count++
			}
		}
	}
	if c.Close.Numbers = len(away); len(away) > 0 {
		mean := millionths(stat.Mean(away, nil))
		c.Close.Mean = &mean
	}
	return c
}

// Count returns the number of verdicts with a word.
func (c Counts) Count(word string) int {
	for _, w := range c.Words {
		if w.Word == word {
			return w.Count
		}
	}
	return 0
}

// At returns the number of means at most so many points away.
func (c Closeness) At(points float64) int {
	for _, w := range c.Within {
		if w.Points == points {
			return w.Count
		}
	}
	return 0
}

func spearman(all []Verdict) *float64 {
	var ours, printed []float64
	for _, v := range all {
		if v.Mean != nil {
			ours, printed = append(ours, *v.Mean), append(printed, v.printed())
		}
	}
	if len(ours) < 3 {
		return nil
	}
	rho := stats.Spearman(ours, printed)
	if math.IsNaN(rho) {
		return nil
	}
	rho = millionths(rho)
	return &rho
}
