package report

import (
	"encoding/json"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// leastSets is the number of data sets from which on intervals over them are given: those of
// two or three leave the scale.
const leastSets = 5

// An Overview says who wins over several data sets. Its JSON is what the script of the page ranks
// anew for a choice of data sets and another measure.
type Overview struct {
	Sets     []OverviewSet     `json:"sets"`
	Methods  []string          `json:"methods"` // names
	Measures []OverviewMeasure `json:"measures"`
	Seconds  [][]float64       `json:"seconds"` // of one split on average, by data set and method: choice, fit and test; 0: not known
	Unit     float64           `json:"unit"`    // Nemenyi's critical difference times the square root of the number of data sets
	T        []float64         `json:"t"`       // Student's t of 95 % intervals of means over 2, 3, ... data sets
	Least    int               `json:"least"`   // intervals are given from this number of data sets on

	Level float64        `json:"level"`
	CD    string         `json:"-"`
	Of    int            `json:"-"` // data sets on which all methods have a score
	Lines []OverviewLine `json:"-"` // of the first measure and all data sets, the best first
}

// An OverviewSet is a data set that can be chosen.
type OverviewSet struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Rows     int    `json:"rows"` // 0: not known
	Features int    `json:"features"`
	Classes  int    `json:"classes"`
}

// An OverviewMeasure has the scores of every data set by method, null without one.
type OverviewMeasure struct {
	ID     string       `json:"id"`
	Title  string       `json:"title"`
	Range  [2]float64   `json:"range"` // least and largest possible score
	Scores [][]*float64 `json:"scores"`
}

// An OverviewLine is a method.
type OverviewLine struct {
	Name, Rank string
	Best       bool        // not significantly worse than the first by Nemenyi's test
	Fields     [][2]string // average rank, mean, data sets on which no other method has a higher score, mean seconds; with their intervals
}

// standingScores are the scores that methods are ranked by over the data sets: means over the seeds
// where all methods have them, or else those of seed 1.
func (in Input) standingScores() table.Scores {
	scores := in.sets().Scores()
	if r := in.Verdicts.Ranks; r != nil && slices.Equal(r.Scores.Methods, scores.Methods) && len(r.Scores.Rows) == len(scores.Rows) {
		return r.Scores
	}
	return scores
}

// overview compares the methods over the data sets; nil where there are no two with all methods.
func (in Input) overview() *Overview {
	t, scores := in.sets(), in.standingScores()
	st, ok := stats.NewStanding(scores.Rows, t.Test.Alpha)
	if !ok {
		return nil
	}
	o := &Overview{Least: leastSets, Unit: st.CD * math.Sqrt(float64(st.Rows)), Level: t.Test.Alpha, CD: text.TwoDecimals(st.CD), Of: st.Rows}
	by := t.By()
	o.Measures = append(o.Measures, OverviewMeasure{by.ID, by.Heading(), [2]float64{float64(by.Least), 100}, nullable(scores.Rows)})
	for _, id := range t.Metrics {
		o.Measures = append(o.Measures, measureOf(t, id))
	}
	o.Methods = t.Names()
	for _, r := range t.Rows {
		set := OverviewSet{ID: r.Dataset, Name: r.Title()}
		i := slices.IndexFunc(in.Table.Rows, func(one table.Row) bool { return one.Dataset == r.Dataset })
		if known := in.Cells[i]; len(known) > 0 {
			set.Rows, set.Features, set.Classes = known[0].Data.Rows, known[0].Data.Features, len(known[0].Data.Classes)
		}
		took := make([]float64, len(t.Columns))
		for j := range took {
			_, took[j] = in.onSplits(r.Dataset, j)
			took[j] = text.Significant(took[j], 3)
		}
		o.Sets, o.Seconds = append(o.Sets, set), append(o.Seconds, took)
		o.T = append(o.T, distuv.StudentsT{Sigma: 1, Nu: float64(len(o.Sets))}.Quantile((1+stats.Confidence)/2))
	}
	o.lines(scores.Rows, st)
	return o
}

// lines has the methods over the data sets that all have a score on.
func (o *Overview) lines(scores [][]float64, st stats.Standing) {
	ranks := st.Friedman.AverageRanks
	for _, method := range st.Order {
		rank, wins := ranks[method], 0
		line := OverviewLine{Name: o.Methods[method], Rank: text.TwoDecimals(rank), Best: st.NotWorse(method)}
		var all, times []float64
		for i, row := range scores {
			if slices.ContainsFunc(row, math.IsNaN) {
				continue
			}
			all = append(all, row[method])
			if row[method] == slices.Max(row) {
				wins++
			}
			if took := o.Seconds[i][method]; took > 0 {
				times = append(times, took)
			}
		}
		took := [2]string{}
		if len(times) == len(all) {
			took = [2]string{seconds(stat.Mean(times, nil)), seconds(slices.Min(times)) + " to " + seconds(slices.Max(times))}
		}
		line.Fields = [][2]string{{line.Rank}, {text.TwoDecimals(stat.Mean(all, nil))}, {strconv.Itoa(wins)}, took}
		if n := float64(len(all)); len(all) >= leastSets {
			of, share := stats.MeanInterval(all, stats.Confidence), stats.Wilson(wins, len(all), stats.Confidence)
			line.Fields[0][1] = upTo(max(1, rank-st.CD/2), min(float64(len(o.Methods)), rank+st.CD/2))
			line.Fields[1][1], line.Fields[2][1] = upTo(max(o.Measures[0].Range[0], of.Low), min(100, of.High)), upTo(n*share.Low, n*share.High)
		}
		o.Lines = append(o.Lines, line)
	}
}

// upTo is an interval, "1.20 to 3.40".
func upTo(low, high float64) string {
	return document.Minus(text.TwoDecimals(low) + " to " + text.TwoDecimals(high))
}

// Lacking counts the data sets on which some method has no score.
func (o Overview) Lacking() int { return len(o.Sets) - o.Of }

// BestGroup names the methods behind the first that are not significantly worse.
func (o Overview) BestGroup() string {
	var names []string
	for _, l := range o.Lines[1:] {
		if l.Best {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Data is the JSON for the script, without characters that HTML acts upon.
func (o Overview) Data() (template.HTML, error) {
	b, err := json.Marshal(o) // which escapes <, > and &
	return template.HTML(b), err
}

// measureOf has the values of a metric beside accuracy.
func measureOf(t table.Table, id string) OverviewMeasure {
	metric := results.MetricOf(id)
	m := OverviewMeasure{ID: id, Title: metric.Title, Range: [2]float64{float64(metric.Least), 100}}
	if !metric.Percent {
		m.Range = [2]float64{m.Range[0] / 100, 1}
	}
	for _, r := range t.Rows {
		row := make([]*float64, len(r.Cells))
		for i, c := range r.Cells {
			if c.Score != nil && c.Partial == 0 && c.Metrics[id] != nil {
				x, _ := c.Metrics[id].Float64()
				if metric.Percent {
					x *= 100
				}
				row[i] = &x
			}
		}
		m.Scores = append(m.Scores, row)
	}
	return m
}

// nullable has nil for NaN.
func nullable(rows [][]float64) [][]*float64 {
	all := make([][]*float64, len(rows))
	for i, row := range rows {
		all[i] = make([]*float64, len(row))
		for j, x := range row {
			if !math.IsNaN(x) {
				all[i][j] = &x
			}
		}
	}
	return all
}
