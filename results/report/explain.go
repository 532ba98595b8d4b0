package report

import (
	_ "embed"
	"errors"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// An Explanation is everything behind one number of a table. Its JSON is the
// output of "explain --format json". Without a result Status and Reason say why,
// and what follows from a result is absent.
type Explanation struct {
	Schema     int                   `json:"schema"`
	Spec       string                `json:"spec"`
	Letter     string                `json:"letter,omitempty"`
	Method     MethodFacts           `json:"method"`
	Data       DataFacts             `json:"data"`
	Split      SplitFacts            `json:"split"`
	Neighbors  int                   `json:"neighbors"`
	Seed       uint64                `json:"seed"`
	File       string                `json:"file"` // where the cell is kept
	Status     string                `json:"status,omitempty"`
	Reason     string                `json:"reason,omitempty"`
	Tried      []TriedPoint          `json:"tried"` // the grid in its order, with validation scores
	Validation int                   `json:"validation_n,omitempty"`
	Over       *OverSplits           `json:"over_splits,omitempty"` // nil: there is one split, or no mean
	Result     *ResultFacts          `json:"result,omitempty"`
	Published  *PublishedRef         `json:"published,omitempty"`
	Verdict    *paper.Verdict        `json:"verdict,omitempty"`
	Readings   []paper.NumberReading `json:"readings,omitempty"` // what each reading of the protocol gives for the number
	Runs       []SeedRun             `json:"runs,omitempty"`     // that the verdict rests on
	Surface    *Surface              `json:"surface,omitempty"`  // nil: the cell has none
	Unjudged   string                `json:"unjudged,omitempty"` // why the published number is not compared with the column
	Warnings   []string              `json:"warnings"`
	Facts      []results.Count       `json:"facts"`
	Run        *results.Run          `json:"run,omitempty"`   // nil: not known
	Since      *Since                `json:"since,omitempty"` // nil: no history of accepted states has these predictions last
	Commands   []string              `json:"commands"`        // that rerun the cell
}

// Since says from which accepted state of the spec on the cell has predicted what it
// does, see store.State.
type Since struct {
	State    int    `json:"state"`              // from 1; what was before the first is not known
	Of       int    `json:"of"`                 // states
	Revision string `json:"revision,omitempty"` // commit of the program that accepted it; empty: unknown
	Dirty    bool   `json:"dirty,omitempty"`    // files differed from those of the commit
}

// MethodFacts say which method it is.
type MethodFacts struct {
	Column     string `json:"column"`
	ID         string `json:"id"`
	Name       string `json:"name"`
	Version    int    `json:"version"`
	Stochastic bool   `json:"stochastic"`
	Source     string `json:"source"`
}

// DataFacts say which data they are.
type DataFacts struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Rows      int         `json:"rows"`
	Features  int         `json:"features"`
	PCA       int         `json:"pca,omitempty"` // principal components kept
	Classes   []ClassFact `json:"classes"`
	Sources   []string    `json:"sources"`
	Licence   string      `json:"licence,omitempty"`
	Digest    string      `json:"digest"`
	Note      string      `json:"note,omitempty"`
	Generated bool        `json:"generated,omitempty"`
}

// A ClassFact is one class of a data set.
type ClassFact struct {
	Code  int    `json:"code"`
	Label string `json:"label"`
	Name  string `json:"name,omitempty"` // where the label is a code
	Rows  int    `json:"rows"`
}

// SplitFacts say how the data are divided. Sizes that are not known are 0.
type SplitFacts struct {
	Name       string `json:"name"`
	Splits     int    `json:"splits,omitempty"` // of the data set, of which this is the first; 0: it is the only one
	Digest     string `json:"digest"`
	Train      int    `json:"train"`
	Validation int    `json:"validation"`
	Test       int    `json:"test"`
}

// OverSplits are the numbers of a method on the splits of a data set, by the measure of the table.
type OverSplits struct {
	table.Spread
	Rank int `json:"rank,omitempty"` // 0: none
}

// A TriedPoint is one setting of the grid.
type TriedPoint struct {
	Params   results.Params `json:"params"`
	Restart  int            `json:"restart,omitempty"`
	Correct  *int           `json:"correct,omitempty"` // validation samples; nil without a score
	Accuracy string         `json:"accuracy,omitempty"`
	Failure  string         `json:"failure,omitempty"`
	Chosen   bool           `json:"chosen,omitempty"`
	Score    string         `json:"score,omitempty"` // the metric that chose, unless it is accuracy
}

// ResultFacts are what follows from the predictions.
type ResultFacts struct {
	N         int          `json:"n"`
	Correct   int          `json:"correct"`
	Accuracy  string       `json:"accuracy"`
	Interval  [2]string    `json:"interval"` // Wilson's, 95 %, in percent
	Metrics   []MetricFact `json:"metrics"`  // beside the accuracy
	Rank      int          `json:"rank"`
	Letters   string       `json:"letters"`
	Confusion Confusion    `json:"confusion"`
	Against   []Opponent   `json:"against"` // every other method of the row
}

// A MetricFact is the value of a metric, as tables print it.
type MetricFact struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Value string `json:"value"`
}

// A Confusion counts test samples by true label (rows) and predicted label
// (columns), both in the order of Codes.
type Confusion struct {
	Codes  []int   `json:"codes"`
	Counts [][]int `json:"counts"`
}

// An Opponent is another method of the row, compared with this one: the size of
// the effect is that of this method against the other.
type Opponent struct {
	Method      string       `json:"method"`
	Accuracy    string       `json:"accuracy"`
	OnlyThis    int          `json:"only_this"`  // samples only this method has right
	OnlyOther   int          `json:"only_other"` // samples only the other has right
	P           table.Digits `json:"p"`
	PHolm       table.Digits `json:"p_holm"`
	Family      int          `json:"family"`
	Significant bool         `json:"significant"`
	table.Effect
}

// A PublishedRef is the printed number.
type PublishedRef struct {
	Accuracy string `json:"accuracy"`
	Rank     int    `json:"rank"`
	Mark     string `json:"mark,omitempty"` // ours minus theirs; nothing for other data or another split
}

// A SeedRun is the run of one seed.
type SeedRun struct {
	Seed     uint64         `json:"seed"`
	Params   results.Params `json:"params"` // of its setting
	Correct  int            `json:"correct"`
	N        int            `json:"n"`
	Accuracy string         `json:"accuracy"`
	File     string         `json:"file"` // where its cell is kept
}

// AddVerdict fills in the verdict on the number, if there is one, with what each reading
// gives. Settings near print are marked on the surface.
func (x *Explanation) AddVerdict(all paper.Verdicts) {
	if x.Verdict = all.Find(x.Data.ID, x.Method.Column); x.Verdict == nil {
		return
	}
	x.Readings = all.Readings.Of(x.Data.ID, x.Method.Column)
	if x.Surface == nil {
		return
	}
	for i, p := range x.Surface.Points {
		x.Surface.Points[i].Reaches = p.Test != nil && x.Verdict.Reached(*p.Test)
	}
}

// AddCell fills in what the cell says by itself.
func (x *Explanation) AddCell(c results.Cell) {
	x.Warnings = slices.Concat(x.Warnings, c.Doubts, c.Warnings, table.Wrong(c))
	x.Facts = append(x.Facts, c.Counts...)
	x.Tried[c.Chosen].Chosen = true
	if c.Validation == nil {
		return
	}
	x.Validation = c.Validation.N
	for i, correct := range c.Validation.Correct {
		t := &x.Tried[i]
		t.Failure = c.Validation.Failures[i]
		if correct >= 0 {
			t.Correct, t.Accuracy = &correct, stats.Percent(correct, c.Validation.N, 2)
			t.Score = c.ScoreText(i)
		}
	}
}

// AddRow fills in what follows from the predictions of the row's cells, which are given by
// column: the score of this one, and every other method against it.
func (x *Explanation) AddRow(row table.Row, this table.Result, cells map[string]results.Cell) {
	if this.Score == nil {
		return
	}
	c := cells[this.Method]
	interval := stats.Wilson(c.Correct(), len(c.Truth), stats.Confidence)
	x.Result = &ResultFacts{
		N: len(c.Truth), Correct: c.Correct(), Accuracy: this.Accuracy,
		Interval: [2]string{text.TwoDecimals(100 * interval.Low), text.TwoDecimals(100 * interval.High)},
		Rank:     this.Rank, Letters: this.Letters, Confusion: newConfusion(c), Against: []Opponent{},
	}
	for _, m := range results.Metrics {
		if value := this.Metrics.Text(m.ID); value != "" {
			x.Result.Metrics = append(x.Result.Metrics, MetricFact{m.ID, m.Title, value})
		}
	}
	for _, other := range row.Cells {
		if p, ok := row.Pair(this.Method, other.Method); ok {
			x.Result.Against = append(x.Result.Against, Opponent{
				Method: other.Method, Accuracy: other.Accuracy, OnlyThis: p.Paired.OnlyFirst, OnlyOther: p.Paired.OnlySecond,
				P: table.Digits(p.P), PHolm: table.Digits(p.PHolm), Family: p.Family, Significant: p.Significant, Effect: p.Effect(),
			})
		}
	}
}

func newConfusion(c results.Cell) Confusion {
	at := map[int]int{}
	for i, code := range c.Truth {
		at[code], at[c.Predicted[i]] = 0, 0
	}
	codes := slices.Sorted(maps.Keys(at))
	m := Confusion{Codes: codes, Counts: make([][]int, len(codes))}
	for i, code := range codes {
		at[code] = i
		m.Counts[i] = make([]int, len(codes))
	}
	for i, label := range c.Truth {
		m.Counts[at[label]][at[c.Predicted[i]]]++
	}
	return m
}

// layout has a section for each thing that is known: a heading, and indented lines whose
// fields tabs divide.
//
//go:embed explain.tmpl
var layout string

var sections = template.Must(template.New("explanation").Funcs(template.FuncMap{
	"o": text.OneLine, "counted": text.Counted, "fixed": text.TwoDecimals, "p": func(p table.Digits) string { return stats.ShortP(float64(p)) },
	"digits": func(x table.Digits) string { return text.TwoDecimals(float64(x)) }, "size": results.Size, "percent": stats.Percent,
}).Parse(layout))

// Text is the explanation in sections, with aligned fields.
func (x Explanation) Text() string {
	var b strings.Builder
	aligned := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if err := errors.Join(sections.Execute(aligned, x), aligned.Flush()); err != nil {
		panic("explain: " + err.Error()) // the template and its data are ours
	}
	return text.TrimLines(b.String())
}
