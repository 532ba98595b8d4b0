package paper

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// A Curve is the specification curve of a printed table: the readings of each method by
// their distance from print, with the choices in which they differ, and the conclusions that
// each reading leads to. Its JSON is the output of "verdict --readings --format json".
//
// Reference:
//
//	U. Simonsohn, J. P. Simmons, L. D. Nelson, Specification curve analysis,
//	  Nature Human Behaviour 4, 2020.
type Curve struct {
	Spec        string        `json:"spec"`
	Sets        int           `json:"sets"` // data sets with printed numbers
	Methods     []MethodCurve `json:"methods"`
	Conclusions []Conclusion  `json:"conclusions"` // none unless the table has the paper's methods
	Procedures  []Procedure   `json:"procedures"`  // readings with ranks, the main one first
}

// A MethodCurve has the readings of a method, the smallest mean difference to print first.
type MethodCurve struct {
	Method   string         `json:"method"`
	Name     string         `json:"name"`
	Choices  []string       `json:"choices"` // names of those that differ between its readings
	Readings []CurveReading `json:"readings"`
}

// A CurveReading has the choices and the counts of a reading for a method.
type CurveReading struct {
	Reading string   `json:"reading"`
	Choices []Choice `json:"choices"` // values, in the order of MethodCurve.Choices
	Count
}

// A Choice is a value that a reading chooses, printed; in JSON it is the text.
type Choice struct {
	Text   string
	number float64
	known  bool // it is a number
}

// MarshalText prints the choice.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.Text), nil }

// before orders numbers by their size, and texts as such.
func (c Choice) before(other Choice) int {
	if c.known && other.known {
		return cmp.Compare(c.number, other.number)
	}
	return cmp.Compare(c.Text, other.Text)
}

// A Procedure is a reading as a procedure for the whole table: methods that do not have the
// reading stay in the main reading. Methods are ranked on the data sets on which all have runs.
type Procedure struct {
	Reading            string  `json:"reading"`
	Sets               int     `json:"sets"`
	Ranks              []Rank  `json:"ranks"`
	CriticalDifference float64 `json:"critical_difference"`
	Holds              []bool  `json:"holds"` // in the order of Curve.Conclusions
}

// A Conclusion counts the procedures in which it holds.
type Conclusion struct {
	Conclusion string `json:"conclusion"`
	Printed    bool   `json:"printed"` // it holds for the printed accuracies
	Holds      int    `json:"holds"`   // procedures
	Of         int    `json:"of"`
	HoldsAll   int    `json:"holds_all_sets"` // procedures with all data sets
	OfAll      int    `json:"of_all_sets"`
}

// A ranked conclusion is tested on average ranks, 1 the best, and the critical difference.
type ranked struct {
	text  string
	holds func(rank map[string]float64, cd float64, scopes map[string]method.Scope) bool
}

const plml = "plml"

// conclusions are those of the paper's table.
var conclusions = []ranked{
	{"E-R2LML has the best average rank", func(rank map[string]float64, _ float64, _ map[string]method.Scope) bool {
		for id, r := range rank {
			if id != published.Efficient && r <= rank[published.Efficient] {
				return false
			}
		}
		return true
	}},
	{"E-R2LML is above PLML by more than the critical difference", func(rank map[string]float64, cd float64, _ map[string]method.Scope) bool {
		return rank[plml]-rank[published.Efficient] > cd
	}},
	{"T-R2LML is above PLML", func(rank map[string]float64, _ float64, _ map[string]method.Scope) bool {
		return rank[published.Transductive] < rank[plml]
	}},
	{"local methods are above global ones on average", func(rank map[string]float64, _ float64, scopes map[string]method.Scope) bool {
		sum, n := map[bool]float64{}, map[bool]float64{} // by whether the method is local
		for _, id := range slices.Sorted(maps.Keys(rank)) {
			if s := scopes[id]; s >= method.Global {
				sum[s > method.Global] += rank[id]
				n[s > method.Global]++
			}
		}
		return sum[true]*n[false] < sum[false]*n[true]
	}},
}

// Curve sorts the readings, and tests the conclusions of the paper's table in each.
func (v Verdicts) Curve() Curve {
	c := Curve{Spec: v.Spec, Methods: []MethodCurve{}, Conclusions: []Conclusion{}, Procedures: []Procedure{}}
	for at, m := range v.Readings.Methods {
		c.Methods = append(c.Methods, v.methodCurve(at, m))
	}
	if v.Ranks == nil {
		return c
	}
	c.Sets = v.Ranks.Of
	scopes := map[string]method.Scope{}
	for _, one := range v.Verdicts {
		if jobs := one.Evidence.jobs; len(jobs) > 0 {
			scopes[one.Method] = jobs[0].Column.Method.Scope
		}
	}
	tested := []ranked{}
	if scopes[published.Efficient] > 0 && scopes[published.Transductive] > 0 && scopes[plml] > 0 {
		tested = conclusions
	}
	for _, t := range tested {
		c.Conclusions = append(c.Conclusions, Conclusion{Conclusion: t.text, Printed: t.holds(rankOf(v.Ranks, Rank.printed), v.Ranks.CriticalDifference, scopes)})
	}
	for _, row := range v.Readings.Rows {
		ranks := newRanks(v.procedure(row))
		if ranks == nil {
			continue
		}
		p := Procedure{row.Reading, ranks.Sets, ranks.Methods, ranks.CriticalDifference, []bool{}}
		for i, t := range tested {
			holds, all := t.holds(rankOf(ranks, Rank.ours), ranks.CriticalDifference, scopes), ranks.Sets == c.Sets
			p.Holds = append(p.Holds, holds)
			c.Conclusions[i].add(holds, all)
		}
		c.Procedures = append(c.Procedures, p)
	}
	return c
}

func (c *Conclusion) add(holds, all bool) {
	c.Of++
	if all {
		c.OfAll++
	}
	if holds {
		c.Holds++
	}
	if holds && all {
		c.HoldsAll++
	}
}

func (r Rank) printed() float64 { return r.Printed }
func (r Rank) ours() float64    { return r.Ours }

func rankOf(r *Ranks, value func(Rank) float64) map[string]float64 {
	all := map[string]float64{}
	for _, m := range r.Methods {
		all[m.Method] = value(m)
	}
	return all
}

// procedure are the verdicts of a reading, and those of the main reading for the methods
// that do not have it.
func (v Verdicts) procedure(row RowOf) []Verdict {
	var all []Verdict
	for at, m := range v.Readings.Methods {
		from := v.Verdicts
		if row.Columns[at].Numbers > 0 {
			from = row.verdicts
		}
		all = append(all, ofColumn(from, m)...)
	}
	return all
}

// methodCurve sorts the readings of a method by their mean difference, and finds the choices
// that differ.
func (v Verdicts) methodCurve(at int, id string) MethodCurve {
	m := MethodCurve{Method: id, Name: v.name(id), Choices: []string{}, Readings: []CurveReading{}}
	own := map[string]map[string]Choice{} // choices by reading
	values := map[string][]Choice{}
	for _, row := range v.Readings.Rows {
		if row.Columns[at].Numbers == 0 {
			continue
		}
		of := choices(ofColumn(v.Readings.Rows[0].verdicts, id), ofColumn(row.verdicts, id))
		own[row.Reading] = of
		for name, value := range of {
			if !slices.Contains(values[name], value) {
				values[name] = append(values[name], value)
			}
		}
		m.Readings = append(m.Readings, CurveReading{row.Reading, []Choice{}, row.Columns[at]})
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 {
			m.Choices = append(m.Choices, name)
		}
	}
	slices.SortStableFunc(m.Readings, func(a, b CurveReading) int { return cmp.Compare(*a.Mean, *b.Mean) })
	for i := range m.Readings {
		for _, name := range m.Choices {
			m.Readings[i].Choices = append(m.Readings[i].Choices, own[m.Readings[i].Reading][name])
		}
	}
	return m
}

// choices are the values by name that a reading has for a method: for the first number for
// which it differs from the main reading, else those of the main reading.
func choices(main, reading []Verdict) map[string]Choice {
	if len(main) == 0 {
		return nil
	}
	first := main[0].Evidence.choices()
	all, seeds := maps.Clone(first), 0
	for _, v := range reading {
		seeds = max(seeds, v.Planned)
		at := slices.IndexFunc(main, func(m Verdict) bool { return m.Dataset == v.Dataset })
		if at < 0 {
			continue
		}
		before := main[at].Evidence.choices()
		for name, value := range v.Evidence.choices() {
			if all[name] == first[name] && value != before[name] {
				all[name] = value
			}
		}
	}
	if seeds > 0 {
		all["seeds"] = Choice{strconv.Itoa(seeds), float64(seeds), true}
	}
	return all
}

// choices returns how the jobs of a number are fitted, tested and chosen, by name: the parameters
// that its grid does not search, and the other inputs.
func (e Evidence) choices() map[string]Choice {
	all := map[string]Choice{}
	if len(e.jobs) == 0 {
		return all
	}
	in := e.jobs[0].Inputs
	chosen := cmp.Or(e.chosen, "validation")
	if in.Folds > 0 && e.chosen == "" {
		chosen = "cross-validation"
	}
	for name, value := range map[string]string{
		"ties": cmp.Or(in.Ties, "smallest"), "distances": cmp.Or(in.Distances, "each"), "unlabelled": cmp.Or(in.Unlabeled, "queries"), "chosen on": chosen,
	} {
		all[name] = Choice{Text: value}
	}
	for name, value := range in.Settings[0].Params {
		if !slices.ContainsFunc(in.Settings, func(p results.Setting) bool { return p.Params[name] != value }) {
			number, known := in.Settings[0].Params.Number(name)
			all[name] = Choice{strings.TrimPrefix(results.Params{name: value}.String(), name+"="), number, known}
		}
	}
	return all
}

// Listing has a line for each reading of each method.
func (c Curve) Listing() document.Table {
	l := document.New("", "method", "reading", "mean difference", "agree", "sets", "choices")
	l.Notes = []string{"A reading is one way to fill in what the paper leaves open, such as who wins a tied vote. " +
		"Readings by the mean absolute difference from the published values, in points. Choices: those in which the readings of the method differ. " +
		"Readings of other sets cannot be compared by their mean."}
	for _, m := range c.Methods {
		for _, r := range m.Readings {
			l.Add(m.Name, r.Reading, document.Number(r.Mean, text.TwoDecimals), r.Agree, r.Numbers, m.said(r))
		}
	}
	return l
}

// A MatrixRow is a value of a choice with the readings that have it, as indices.
type MatrixRow struct {
	Text     string
	Readings []int
}

// Matrix has the values of all choices.
func (m MethodCurve) Matrix() []MatrixRow {
	var all []MatrixRow
	for i, name := range m.Choices {
		values := map[Choice][]int{}
		for at, r := range m.Readings {
			values[r.Choices[i]] = append(values[r.Choices[i]], at)
		}
		for _, value := range slices.SortedFunc(maps.Keys(values), Choice.before) {
			all = append(all, MatrixRow{name + " " + value.Text, values[value]})
		}
	}
	return all
}

// said names the choices of a reading: "ties smallest; seeds 20".
func (m MethodCurve) said(r CurveReading) string {
	var all []string
	for i, name := range m.Choices {
		all = append(all, name+" "+r.Choices[i].Text)
	}
	return cmp.Or(strings.Join(all, "; "), "-")
}

// Document has the readings, and below them the conclusions and what each reading says of these.
func (c Curve) Document() document.Document {
	d := document.Document{Tables: []document.Table{c.Listing()}, Value: c}
	if len(c.Conclusions) > 0 {
		d.Tables = append(d.Tables, c.ConclusionTable(), c.procedureTable())
	}
	return d
}

var yesNo = map[bool]string{true: "yes", false: "no"}

// ConclusionTable counts the readings in which each conclusion holds.
func (c Curve) ConclusionTable() document.Table {
	l := document.New("Does the conclusion depend on the reading?", "conclusion", "published", "main reading", "readings", "with all sets")
	for i, one := range c.Conclusions {
		main := "cannot tell"
		if len(c.Procedures) > 0 && c.Procedures[0].Reading == MainReading {
			main = yesNo[c.Procedures[0].Holds[i]]
		}
		l.Add(one.Conclusion, yesNo[one.Printed], main, fmt.Sprintf("%d of %d", one.Holds, one.Of),
			fmt.Sprintf("%d of %d", one.HoldsAll, one.OfAll))
	}
	l.Notes = []string{fmt.Sprintf("Each of the %d readings is a procedure for all methods: those that do not have it stay in the main reading. "+
		"Above: a better average rank. Global: one metric for all samples, without Euclidean. With all sets: readings that have all %d data sets.",
		len(c.Procedures), c.Sets)}
	return l
}

// procedureTable has what each reading says of the conclusions.
func (c Curve) procedureTable() document.Table {
	head := []string{"reading", "sets", "critical difference"}
	for _, m := range c.Methods {
		head = append(head, m.Name)
	}
	for i := range c.Conclusions {
		head = append(head, strconv.Itoa(i+1))
	}
	l := document.New("Readings, with average ranks and conclusions", head...)
	for _, p := range c.Procedures {
		line := []any{p.Reading, p.Sets, text.TwoDecimals(p.CriticalDifference)}
		for _, r := range p.Ranks {
			line = append(line, text.TwoDecimals(r.Ours))
		}
		for _, holds := range p.Holds {
			line = append(line, yesNo[holds])
		}
		l.Add(line...)
	}
	l.Notes = []string{fmt.Sprintf("1 to %d are the conclusions above. A reading", len(c.Conclusions)) +
		" that lacks data sets is compared on those it has."}
	return l
}
