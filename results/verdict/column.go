package verdict

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// Fits tell which protocol fits the columns of the printed table.
type Fits struct {
	Columns     []ColumnFit  `json:"columns"`
	Interaction *Interaction `json:"interaction"` // null unless both families are there
}

// A ColumnFit compares protocols by the printed values of one method: choice on the
// validation samples, choice on the test samples, and the setting of the paper's
// figures, which fix the regularization and vary the number of metrics.
type ColumnFit struct {
	Method     string     `json:"method"`
	Proposed   bool       `json:"proposed"` // by the paper
	Rows       []FitRow   `json:"rows"`     // data sets with both of the first two protocols
	Validation FitSummary `json:"validation"`
	OnTest     FitSummary `json:"on_test"`
	Figures    FitSummary `json:"figures"` // no numbers without that setting
	// Others are the other protocols that were run on some of the rows: settings that
	// tie on the validation samples, and other values of open parameters.
	Others   []OtherFit `json:"others"`
	Settings int        `json:"settings"` // among which a choice is made on each data set
	// PreferenceP is two-sided, by Wilcoxon's signed-rank test over the rows of the
	// absolute difference under choice on validation less that under choice on test.
	// PreferenceHolm is after Holm's correction over the columns. RankSums are those of
	// the rows on which choice on test is nearer, and choice on validation.
	PreferenceP    float64    `json:"preference_p"`
	PreferenceHolm float64    `json:"preference_holm"`
	RankSums       [2]float64 `json:"rank_sums"`
	// LogLikelihood is by how much the printed values are likelier under choice on
	// test: a Laplace distribution around the median of the runs, with the scale of
	// the other rows; natural logarithms, summed over rows. LogInterval is from 10,000
	// bootstrap samples of the rows.
	LogLikelihood float64    `json:"log_likelihood"`
	LogInterval   [2]float64 `json:"log_interval"`
}

// A FitRow has the absolute differences in points of a printed value from the
// median of the runs.
type FitRow struct {
	Letter     string   `json:"letter"`
	Validation float64  `json:"validation"`
	OnTest     float64  `json:"on_test"`
	Figures    *float64 `json:"figures,omitempty"`
	Margin     float64  `json:"margin"`
}

// A FitSummary sums up absolute differences over rows.
type FitSummary struct {
	Rows   int     `json:"rows"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Within int     `json:"within"` // their margins
}

// An OtherFit sums up the absolute differences under another protocol, beside those of
// the same rows under the first two.
type OtherFit struct {
	Rung    int    `json:"rung"`
	Setting string `json:"setting,omitempty"`
	FitSummary
	Validation float64 `json:"validation_mean"`
	OnTest     float64 `json:"on_test_mean"`
}

// An Interaction tests whether the preference for choice on test is larger for the
// two methods that the paper proposes than for its baselines with a grid. Labels of
// methods are permuted within rows.
type Interaction struct {
	Proposed  []string `json:"proposed"`
	Baselines []string `json:"baselines"`
	Rows      int      `json:"rows"`       // data sets on which all of them ran under both protocols
	Means     []Mean   `json:"means"`      // preference in points by method, over these rows
	Points    float64  `json:"difference"` // mean preference of the proposed methods less that of the baselines
	P         float64  `json:"p"`          // one-sided
	Draws     int      `json:"draws"`
	// Alone has each proposed method by itself against the same baselines.
	Alone []Alone `json:"alone"`
	// Settings are the fewest and the most among which a method chooses. The best of
	// more settings on the test samples gains more by chance alone.
	Settings [2]int `json:"settings"`
}

// An Alone is the interaction of one proposed method.
type Alone struct {
	Method string  `json:"method"`
	Points float64 `json:"difference"`
	P      float64 `json:"p"`
}

// A Mean is a mean of one method.
type Mean struct {
	Method string  `json:"method"`
	Mean   float64 `json:"mean"`
}

const (
	bootstrapDraws   = 10_000
	permutationDraws = 99_999
	// leastScale is the scale of a printed value's rounding, in points.
	leastScale = 0.005
)

// NewFits compares protocols column by column.
func NewFits(evidence []Evidence) Fits {
	f := Fits{Columns: []ColumnFit{}}
	for _, column := range columnsOf(evidence) {
		its := ofColumn(evidence, column)
		if fit, ok := columnFit(its); ok {
			fit.Method, fit.Proposed = column, its[0].Proposed
			f.Columns = append(f.Columns, fit)
		}
	}
	p := make([]float64, len(f.Columns))
	for i, c := range f.Columns {
		p[i] = c.PreferenceP
	}
	for i, holm := range stats.HolmKnown(p) {
		f.Columns[i].PreferenceHolm = text.SixDigits(holm)
	}
	f.Interaction = interaction(f.Columns)
	return f
}

func columnFit(all []Evidence) (ColumnFit, bool) {
	var f ColumnFit
	var validation, onTest []float64 // signed residuals
	var preferences []float64
	for _, e := range all {
		printed, _, err := readPrinted(e.Published)
		stated, test := e.stated(), e.OnRung(OnTest)
		if err != nil || stated == nil || test == nil {
			continue
		}
		a, b := printed-median(*stated), printed-median(*test)
		row := FitRow{e.Published.Letter, text.SixDigits(math.Abs(a)), text.SixDigits(math.Abs(b)), nil, text.SixDigits(e.Margin())}
		if len(e.Figures) > 0 {
			figures := text.SixDigits(math.Abs(printed - median(Protocol{Runs: e.Figures})))
			row.Figures = &figures
		}
		f.Rows, f.Settings = append(f.Rows, row), max(f.Settings, e.Settings)
		validation, onTest = append(validation, a), append(onTest, b)
		preferences = append(preferences, text.SixDigits(math.Abs(a)-math.Abs(b)))
	}
	if len(f.Rows) < 2 {
		return f, false
	}
	f.Validation = summary(f.Rows, func(r FitRow) *float64 { return &r.Validation })
	f.OnTest = summary(f.Rows, func(r FitRow) *float64 { return &r.OnTest })
	f.Figures = summary(f.Rows, func(r FitRow) *float64 { return r.Figures })
	f.Others = f.others(all)
	test := stats.Wilcoxon(preferences)
	f.PreferenceP, f.RankSums = text.SixDigits(test.P), [2]float64{test.WPlus, test.WMinus}
	f.compareLikelihoods(validation, onTest)
	return f, true
}

// median is that of the accuracies of a protocol's runs, in percent.
func median(p Protocol) float64 { return stats.Median(p.percents()) }

// others compares protocols of rungs Tied and Open with those of the column's rows.
func (f ColumnFit) others(all []Evidence) []OtherFit {
	others := []OtherFit{}
	for _, e := range all {
		for _, p := range e.Protocols {
			known := slices.ContainsFunc(others, func(o OtherFit) bool { return o.Rung == int(p.Rung) && o.Setting == p.Setting })
			if (p.Rung == Tied || p.Rung == Open) && !known {
				others = append(others, OtherFit{Rung: int(p.Rung), Setting: p.Setting})
			}
		}
	}
	for i := range others {
		o := &others[i]
		differences := map[string]float64{} // by row
		for _, e := range all {
			printed, _, err := readPrinted(e.Published)
			if runs := e.runs(Rung(o.Rung), o.Setting); err == nil && len(runs) > 0 {
				differences[e.Published.Letter] = text.SixDigits(math.Abs(printed - median(Protocol{Runs: runs})))
			}
		}
		var rows []FitRow
		for _, r := range f.Rows {
			if _, ok := differences[r.Letter]; ok {
				rows = append(rows, r)
			}
		}
		o.FitSummary = summary(rows, func(r FitRow) *float64 { d := differences[r.Letter]; return &d })
		o.Validation = summary(rows, func(r FitRow) *float64 { return &r.Validation }).Mean
		o.OnTest = summary(rows, func(r FitRow) *float64 { return &r.OnTest }).Mean
	}
	others = slices.DeleteFunc(others, func(o OtherFit) bool { return o.Rows == 0 })
	slices.SortFunc(others, func(a, b OtherFit) int {
		return cmp.Or(cmp.Compare(a.Rung, b.Rung), compareSettings(a.Setting, b.Setting))
	})
	return others
}

// summary sums up the differences of rows that have one.
func summary(rows []FitRow, of func(FitRow) *float64) FitSummary {
	var s FitSummary
	var all []float64
	for _, r := range rows {
		d := of(r)
		if d == nil {
			continue
		}
		all = append(all, *d)
		s.Within += one(*d <= r.Margin+rounding)
	}
	if s.Rows = len(all); s.Rows == 0 {
		return s
	}
	s.Median = text.SixDigits(stats.Median(all))
	s.Mean = text.SixDigits(stat.Mean(all, nil))
	return s
}

// compareLikelihoods compares residuals under the two protocols.
func (f *ColumnFit) compareLikelihoods(validation, onTest []float64) {
	a, b := stats.LaplaceLeftOut(validation, leastScale), stats.LaplaceLeftOut(onTest, leastScale)
	gains, sum := make([]float64, len(a)), 0.0
	for i := range a {
		gains[i] = b[i] - a[i]
		sum += gains[i]
	}
	interval := stats.BootstrapSum(gains, bootstrapDraws, 0.95)
	f.LogLikelihood = text.SixDigits(sum)
	f.LogInterval = [2]float64{text.SixDigits(interval.Low), text.SixDigits(interval.High)}
}

// interaction compares the preferences of two families of methods on the rows that
// all of them have; nil unless both have a method and there is such a row.
func interaction(columns []ColumnFit) *Interaction {
	in := Interaction{Draws: permutationDraws, Alone: []Alone{}}
	var marked []bool
	for _, c := range columns {
		marked = append(marked, c.Proposed)
		if c.Proposed {
			in.Proposed = append(in.Proposed, c.Method)
		} else {
			in.Baselines = append(in.Baselines, c.Method)
		}
	}
	rows := preferenceRows(columns)
	if len(in.Proposed) == 0 || len(in.Baselines) == 0 || len(rows) == 0 {
		return nil
	}
	for i, c := range columns {
		sum := 0.0
		for _, r := range rows {
			sum += r[i]
		}
		in.Means = append(in.Means, Mean{c.Method, text.SixDigits(sum / float64(len(rows)))})
	}
	p := stats.PermuteWithinRows(rows, marked, permutationDraws)
	in.Rows, in.Points, in.P = len(rows), text.SixDigits(p.Difference), text.SixDigits(p.P)
	in.Alone = alone(columns, rows)
	in.Settings = [2]int{columns[0].Settings, columns[0].Settings}
	for _, c := range columns {
		in.Settings = [2]int{min(in.Settings[0], c.Settings), max(in.Settings[1], c.Settings)}
	}
	return &in
}

// alone compares each proposed method by itself with the baselines.
func alone(columns []ColumnFit, rows [][]float64) []Alone {
	var all []Alone
	for i, proposed := range columns {
		if !proposed.Proposed {
			continue
		}
		var marked []bool
		its := make([][]float64, len(rows))
		for j, c := range columns {
			if j != i && c.Proposed {
				continue
			}
			marked = append(marked, j == i)
			for k, r := range rows {
				its[k] = append(its[k], r[j])
			}
		}
		p := stats.PermuteWithinRows(its, marked, permutationDraws)
		all = append(all, Alone{proposed.Method, text.SixDigits(p.Difference), text.SixDigits(p.P)})
	}
	return all
}

// preferenceRows has a row for every data set that all columns have, and in it the
// preference of each column.
func preferenceRows(columns []ColumnFit) [][]float64 {
	var rows [][]float64
	if len(columns) == 0 {
		return nil
	}
	for _, first := range columns[0].Rows {
		var row []float64
		for _, c := range columns {
			i := slices.IndexFunc(c.Rows, func(r FitRow) bool { return r.Letter == first.Letter })
			if i >= 0 {
				row = append(row, c.Rows[i].Validation-c.Rows[i].OnTest)
			}
		}
		if len(row) == len(columns) {
			rows = append(rows, row)
		}
	}
	return rows
}
