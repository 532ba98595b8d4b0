// Package answer says which metric learner is best on a file, from the cells of the spec that
// [compare.Spec] writes: the sentences, the table, and what the accuracies are worth.
package answer

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"r2lmlbench/experiments/compare"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// An Answer is the outcome of a comparison. Its JSON is the output of
// "compare --format json".
type Answer struct {
	Schema   int               `json:"schema"`
	Spec     string            `json:"spec"`
	Train    int               `json:"train"`                          // samples of a split
	Choice   int               `json:"validation"`                     // samples of the first split that settings are chosen on
	MaxTrain int               `json:"max_train,omitempty"`            // limit of the training samples used; 0: none
	Test     int               `json:"test"`                           // samples of a split
	Rows     int               `json:"rows"`                           // of the file
	Copies   int               `json:"copies"`                         // rows with the features of an earlier one
	Copied   []int             `json:"copied_test_rows"`               // of each split, test rows with a copy or near copy of their class among the training rows
	Remarks  []string          `json:"remarks,omitempty"`              // on the data
	Majority string            `json:"majority"`                       // of always answering Class, in percent by the measure
	Class    string            `json:"majority_class"`                 // the largest class of the training rows
	Needed   int               `json:"splits_for_one_point,omitempty"` // splits for a significant difference of 1 point from the best; 0: no number suffices
	Least    [2]table.Points   `json:"detectable_points"`              // smallest difference from the best that these splits and 10,000 show; 0: not known
	Methods  []Method          `json:"methods"`                        // the most accurate first
	LeftOut  []compare.LeftOut `json:"left_out,omitempty"`
	Failed   []Failed          `json:"failed,omitempty"`
	Doubts   []Doubted         `json:"doubts,omitempty"`
	table.Ranking

	Varies bool `json:"-"` // Class is another on other splits

	always         table.Ranked // always answering Class
	asked, learned int          // methods that learn a metric, and those of them with a result on every split
	useful         bool         // some method is better than always answering Class: significantly, or in accuracy without a test
	grave          []string     // remarks that may make accuracies worthless
	rare           []string     // classes with few rows
}

// A Method is a method of an answer.
type Method struct {
	table.Ranked
	Features string `json:"features"` // the chosen scaling, with numbers of splits if it varies

	PMajority *table.Digits `json:"p_majority,omitempty"`     // of the corrected resampled t-test against always answering Class, among all pairs
	Beats     bool          `json:"beats_majority,omitempty"` // and significantly better than that
}

// A Failed is a method without a result on some or all splits.
type Failed struct {
	Method string `json:"method"`
	Name   string `json:"name"`
	Splits int    `json:"splits"` // without a result
	Reason string `json:"reason"` // on the first of them
}

// Doubted lists methods that may have learned little, for one reason.
type Doubted struct {
	Methods []string `json:"methods"` // with the number of splits
	Reason  string   `json:"reason"`
}

// doubt adds the doubts about a method, without the advice that a comparison follows by itself.
func (a *Answer) doubt(name string, about []table.Doubt) {
	splits, reasons := map[string]int{}, []string{}
	for _, d := range about {
		reason, parameters := method.Standardized(d.Text)
		if parameters {
			reason += "; try other parameters, in the spec that --spec FILE writes"
		}
		reasons = text.AppendNew(reasons, reason)
		splits[reason] += d.Splits
	}
	for _, reason := range reasons {
		name := fmt.Sprintf("%s (%d of %d splits)", name, splits[reason], a.Splits)
		if i := slices.IndexFunc(a.Doubts, func(known Doubted) bool { return known.Reason == reason }); i >= 0 {
			a.Doubts[i].Methods = append(a.Doubts[i].Methods, name)
		} else {
			a.Doubts = append(a.Doubts, Doubted{[]string{name}, reason})
		}
	}
}

// Read computes the answer from the cells of the plan of a comparison. It fails if no
// method has a result on every split.
func Read(p plan.Plan, source *plan.Source, st *store.Store, leftOut []compare.LeftOut) (Answer, error) {
	st = st.Snapshot() // each cell is looked at for the table, for what it chose and for why there is none
	t, err := table.ByDataSet(p, st)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Schema: 1, Spec: p.Spec.Name, MaxTrain: p.Spec.MaxTrain, LeftOut: leftOut}
	row := t.Rows[0]
	learns := func(i int) bool { return p.Spec.Columns[i].Method.Scope != method.NothingLearned }
	var ok bool
	if a.Ranking, ok = t.Rank(row); !ok || row.Pool == nil {
		return a, fmt.Errorf("compare: no method has a result on each of %d splits", len(p.Splits))
	}
	a.Train, a.Test = row.Pool.Train/row.Pool.Splits, row.N/row.Pool.Splits
	for _, one := range a.Ranked {
		i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.ID == one.Method })
		m := Method{Ranked: one}
		if m.Features, err = features(p, i, st); err != nil {
			return a, err
		}
		a.Methods = append(a.Methods, m)
		if m.Partial == 0 && learns(i) {
			a.learned++
		}
	}
	for i, c := range t.Columns {
		if learns(i) {
			a.asked++
		}
		a.doubt(c.Name, row.Cells[i].Doubts)
		f := Failed{Method: c.ID, Name: c.Name}
		if f.Splits, f.Reason, err = failures(p, i, st); err != nil {
			return a, err
		}
		if f.Splits > 0 {
			a.Failed = append(a.Failed, f)
		}
	}
	a.Needed, a.Least = a.power(row)
	return a, a.weigh(p, source, t)
}

// failures counts the splits without a result of column i; reason is that of the first.
func failures(p plan.Plan, i int, st *store.Store) (splits int, reason string, err error) {
	for _, row := range p.Splits {
		state, _, err := plan.Look(st, row.Jobs[i][0])
		if err != nil {
			return 0, "", err
		}
		if state.Status != plan.Hit {
			splits, reason = splits+1, cmp.Or(reason, state.Why, "it was not computed")
		}
	}
	return splits, reason, nil
}

// features returns the chosen features of column i.
func features(p plan.Plan, i int, st *store.Store) (string, error) {
	counts := map[string]int{}
	for _, row := range p.Splits {
		cell, ok, err := st.Find(row.Jobs[i][0].Inputs)
		if err != nil {
			return "", err
		}
		if !ok {
			continue
		}
		chosen, _ := cell.Setting().Params[method.FeaturesKey].(string)
		counts[cmp.Or(chosen, "raw")]++
	}
	var parts []string
	for _, named := range [][2]string{{"raw", "raw"}, {"zscore", "standardized"}} {
		switch n := counts[named[0]]; {
		case n > 0 && len(counts) == 1:
			parts = []string{named[1]}
		case n > 0:
			parts = append(parts, fmt.Sprintf("%s %d", named[1], n))
		}
	}
	return strings.Join(parts, ", "), nil
}

// power returns the number of splits for a significant difference of 1 point from the best, 0 if no
// number suffices, and the least significant difference in points with the splits at hand and with as
// many as that number is sought among, given the median spread of the observed differences.
func (a Answer) power(row table.Row) (needed int, least [2]table.Points) {
	var spreads []float64
	for _, c := range row.Contrasts {
		if c.Min < c.Max && (c.A == a.Best || c.B == a.Best) {
			spreads = append(spreads, c.SD)
		}
	}
	if len(spreads) == 0 || row.Pool.Train == 0 {
		return 0, least
	}
	const most = 10_000
	sd, ratio, level := stats.Median(spreads), float64(row.N)/float64(row.Pool.Train), a.Alpha/float64(max(1, a.Family))
	needed, _ = stats.ResampledSplits(1, sd, ratio, level, most)
	for i, splits := range []int{row.Pool.Splits, most} {
		least[i] = table.Points(min(100, stats.ResampledLeast(splits, sd, ratio, level)))
	}
	return needed, least
}

//go:embed answer.tmpl
var answerText string

var answerTemplate = template.Must(template.New("answer").Funcs(template.FuncMap{
	"p": func(p table.Digits) string { return stats.ShortP(float64(p)) }, "series": text.Series,
	"slow": func(all []compare.LeftOut) []compare.LeftOut {
		return slices.DeleteFunc(slices.Clone(all), func(one compare.LeftOut) bool { return one.Took == 0 })
	},
	"roughly": text.Roughly,
	"about": func(points table.Points) string {
		return strconv.FormatFloat(text.Significant(float64(points), 2), 'f', -1, 64)
	},
}).Parse(answerText))

// say returns the lines of a template of answer.tmpl.
func say(name string, about any) []string {
	var b strings.Builder
	if err := answerTemplate.ExecuteTemplate(&b, name, about); err != nil {
		panic("compare: " + err.Error()) // cannot happen: the template is embedded
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' })
}

// Notes returns the notes below the table.
func (a Answer) Notes() []string { return append(say("notes", a), LeftOutLines(a.LeftOut)...) }

// Learners is how many of the methods learn a metric, 0 if all do.
func (a Answer) Learners() int {
	if a.asked == len(a.Methods) {
		return 0
	}
	return a.asked
}

// Tuned reports whether plain k-NN that chooses its features is one of the methods.
func (a Answer) Tuned() bool {
	return slices.ContainsFunc(a.Methods, func(m Method) bool { return m.Method == "euclidean" })
}

// Several makes the tables of several files: methods by file, with the notes on them, and the pairs over the files.
func Several(t table.Table, leftOut []compare.LeftOut) []document.Table {
	failed, splits, methods, over := "", 0, t.ByMethod(), t.AcrossListings()
	for _, r := range t.Rows {
		if r.Pool != nil {
			splits = r.Pool.Splits
		}
		for i, c := range r.Cells {
			if failed == "" && (c.Score == nil || c.Partial > 0) {
				failed = fmt.Sprintf("%s on %s: %s", t.Columns[i].Name, r.Dataset, cmp.Or(c.Reason, strings.Join(c.Notes, "; ")))
			}
		}
	}
	methods.Notes = say("several", map[string]any{"By": t.By(), "Table": t, "Splits": splits, "Failed": failed})
	if len(over) > 0 { // whose average ranks the methods have
		methods.Notes, over = append(methods.Notes, over[0].Notes...), over[1:]
	}
	methods.Notes = append(methods.Notes, LeftOutLines(leftOut)...)
	return append([]document.Table{methods}, over...)
}

// LeftOutLines names the methods that were not compared, with the reasons.
func LeftOutLines(methods []compare.LeftOut) []string { return say("left out", methods) }

// Sentences returns the answer in words.
func (a Answer) Sentences() []string {
	same, shared, others, untested, why := []string{}, []string{}, -1, 0, ""
	for _, m := range a.Methods {
		if m.Partial == 0 {
			others++ // but the best
		}
		if m.Equal() && m.Method != a.Best {
			shared = append(shared, m.Name)
		}
		switch {
		case m.NotWorse && m.Method != a.Best:
			same = append(same, m.Name)
		case m.Untested != "" && m.Partial == 0: // reported as failed
			untested, why = untested+1, m.Untested
		}
	}
	rare := a.rare
	if a.Measure != "" { // which counts them
		rare = nil
	}
	open := a.Family > 0 && !a.equal() && len(same) > 0 // which is best
	about := map[string]any{
		"Answer": a, "Best": a.Methods[0], "Better": a.Better(), "Asked": a.asked, "Learned": a.learned,
		"Same": strings.Join(same, ", "), "Shared": strings.Join(shared, ", "), "Others": others, "NotWorse": len(same), "Tested": a.Family > 0,
		"Useful": a.useful, "Grave": a.grave, "Copied": a.copied(), "Rare": rare, "Equal": a.equal(), "Untested": untested, "Why": why,
		"Scaling": a.scaling(), "PlainControl": a.Control == compare.Raw || a.Control == compare.Scaled,
		"Several": a.Family > 1, "MoreRows": open && a.Needed == 0, "MoreSplits": open && a.Needed > a.Splits,
	}
	if a.Control != "" {
		about["Control"], about["Use"] = a.Of(a.Control), a.use()
	}
	return say("answer", about)
}

// use is the method that the tests speak for: the control unless one is better, otherwise the first of
// the better ones that is not worse than the best.
func (a Answer) use() table.Ranked {
	better := a.Better()
	if len(better) == 0 {
		return a.Of(a.Control)
	}
	if i := slices.IndexFunc(better, func(m table.Ranked) bool { return m.NotWorse }); i >= 0 {
		return better[i]
	}
	return a.Methods[0].Ranked
}

// equal reports whether all methods have a result on every split, the same mean and the same spread.
func (a Answer) equal() bool {
	first := a.Methods[0]
	return !slices.ContainsFunc(a.Methods, func(m Method) bool {
		return m.Shown() != first.Shown() || m.SD != first.SD || m.Behind != 0 || m.Partial > 0
	})
}

// By names the metric that the methods are ranked by.
func (a Answer) By() string { return results.MetricOf(a.Measure).Name }

// scaling is how many points standardized features give plain k-NN over raw ones, where that is a
// significant gain; empty otherwise.
func (a Answer) scaling() string {
	for _, m := range a.Methods {
		if m.Method == compare.Raw && a.Control == compare.Scaled && m.Over != nil && m.Over.Points < 0 && float64(m.Over.PHolm) <= a.Alpha {
			return (-m.Over.Points).String()
		}
	}
	return ""
}

// Document returns the answer in sentences and its table, one method per row. In CSV the ends
// of an interval have their own columns, and every column has a name.
func (a Answer) Document() document.Document {
	l := document.Table{Notes: a.Notes(), Columns: []document.Heading{
		{Name: "method"}, {Name: a.By(), CSV: results.MetricOf(a.Measure).Field()},
		{Name: "± sd", CSV: "sd"}, {Name: "points behind", CSV: "behind"}, {Name: "95 % interval", Only: "people"},
		{Name: "low", Only: "csv"}, {Name: "high", Only: "csv"}, {Name: "p", Spare: 2}, {Name: "standing"}, {Name: "features", Spare: 3},
	}}
	for _, m := range append(slices.Clone(a.Methods), Method{Ranked: a.always, Features: "none"}) {
		interval := make([]string, 2)
		if m.Interval != nil {
			interval = []string{m.Interval[0].String(), m.Interval[1].String()}
		}
		l.Add(m.Name, m.Shown(), m.SD, m.Behind, m.Between(), interval[0], interval[1], m.P(), standing(m.Ranked, a.Ranking), m.Features)
	}
	return document.Document{Lead: a.Sentences(), Tables: []document.Table{l}, Value: a}
}
