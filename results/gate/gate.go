// Package gate compares fresh cells of a spec with accepted ones, and says which accuracies
// regressed or changed. It also writes the accepted cells and tables, and their history.
package gate

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// The outcomes of a gate and of its cells, best first.
const (
	Pass      = "pass"
	Changed   = "changed"   // other predictions, or another choice among the settings, from the same seed
	Regressed = "regressed" // fewer right answers, by more than chance or the tolerance
	Error     = "error"     // nothing to compare, or not the same thing
)

// A Cause is the sort of reason for which a cell cannot be compared.
type Cause string

// The causes of an error.
const (
	NotComputed  Cause = "not-computed"  // there is no fresh cell
	FailedBefore Cause = "failed"        // there is none of this build, since computing it failed
	OtherBuild   Cause = "other-build"   // another or an unknown build had a part in the fresh cell
	Lost         Cause = "accepted-lost" // the accepted cell is missing or damaged
	NotAccepted  Cause = "not-accepted"  // there is no accepted cell
	Dropped      Cause = "dropped"       // the spec does not ask for the accepted cell any more
	OtherInputs  Cause = "other-inputs"  // other data, settings or test labels
)

// Terms are what a gate compares the cells of an experiment by.
type Terms struct {
	Name       string
	Test       stats.Variant // of a cell against the accepted one
	Across     string        // test over data sets of the accepted table; empty for the default
	Alpha      float64       // its level after Holm's correction
	Tolerance  float64       // points of accuracy a cell may lose before it counts as regressed, significant or not
	LossesOnly bool          // a cell that is not the accepted one passes unless it lost: what made it is not deterministic
	Unaccepted bool          // nothing of it was accepted yet
	Options
}

// Options relax the gate, and give the commands that its messages quote.
type Options struct {
	AllowChanged     bool // a gate that is changed does not fail
	AllowOtherBuilds bool // fresh cells may be of other builds of the program, or of unknown ones

	Source    string // file of the spec as annotations name it; empty: there is none
	Run, Gate string // the commands that compute the fresh cells and compare them; empty: those of the spec's name
}

// An Input is one cell of a spec as it is and as it was accepted.
type Input struct {
	Key             store.AcceptedCell // which cell
	Line            int                // of its method in the spec's file; 0: unknown
	Fresh, Accepted *results.Cell
	Cause           Cause  // of Problem
	Problem         string // why they cannot be compared; empty when they can
}

// A Gate compares fresh cells with accepted ones. Its JSON is the output of
// "gate --format json".
type Gate struct {
	Schema    int              `json:"schema"`
	Spec      string           `json:"spec"`
	Status    string           `json:"status"`           // the worst of all cells; error when Errors is not empty
	Failed    bool             `json:"failed"`           // it is not to pass: its status is not pass, nor changed where that is allowed
	Next      string           `json:"next,omitempty"`   // what to do about a gate that failed
	Source    string           `json:"source,omitempty"` // file of the spec
	Test      results.TestInfo `json:"test"`
	Tolerance float64          `json:"tolerance"`
	Family    int              `json:"family"`                 // cells compared, over which Holm's correction is
	Errors    []string         `json:"errors"`                 // faults of the whole
	Others    int              `json:"other_builds,omitempty"` // cells that another or an unknown build made, and that were to be compared all the same
	Tables    []string         `json:"tables,omitempty"`       // forms of the table that differ although all cells are the accepted ones
	Cells     []Checked        `json:"cells"`

	First   bool    `json:"-"`                  // nothing was accepted before
	NoTable bool    `json:"no_table,omitempty"` // no table was accepted, so that none is compared
	Asked   Options `json:"-"`                  // the commands are set
}

// A Checked is the comparison of one cell. It has no Count when its status
// is error.
type Checked struct {
	store.Key
	File   string `json:"file,omitempty"` // name of the accepted cell, as lists have it
	Line   int    `json:"line,omitempty"` // of its method in the spec's file
	Status string `json:"status"`
	Cause  Cause  `json:"cause,omitempty"` // of an error
	Reason string `json:"reason,omitempty"`
	*Count
}

// A Count holds the numbers of a comparison.
type Count struct {
	N                int          `json:"n"` // test samples
	Accepted         int          `json:"accepted_correct"`
	Fresh            int          `json:"correct"`
	AcceptedAccuracy string       `json:"accepted_accuracy"`
	FreshAccuracy    string       `json:"accuracy"`
	Differ           int          `json:"differ"`  // test samples with another label
	BCount           int          `json:"b_count"` // right when accepted, wrong now
	CCount           int          `json:"c_count"` // the other way round
	P                table.Digits `json:"p"`
	PHolm            table.Digits `json:"p_holm"`
}

// New compares cells one by one with McNemar's test, adjusted over all that
// can be compared. A cell passes if all that it holds is what was accepted:
// predictions, chosen setting, validation scores, surface, facts, series and warnings,
// whether or not its method draws random numbers, since the seed is the same. It is
// regressed if it has fewer right answers and either the adjusted p is at most alpha or
// the loss is above the tolerance, and changed otherwise, or passes if only losses count.
// A cell that is not there, or was made of other data or settings, is an error, and so is
// any of faults.
func New(terms Terms, faults []string, cells []Input) Gate {
	g := Gate{
		First:  terms.Unaccepted,
		Schema: 1, Spec: terms.Name, Status: Pass, Test: terms.info(), Tolerance: terms.Tolerance,
		Errors: append([]string{}, faults...), Cells: make([]Checked, len(cells)), Source: terms.Source, Asked: terms.Options,
	}
	g.Asked.Run = cmp.Or(terms.Run, "r2lmlbench run "+text.ShellWord(terms.Name))
	g.Asked.Gate = cmp.Or(terms.Gate, "r2lmlbench gate "+text.ShellWord(terms.Name))
	var samples []stats.Sample // accepted and fresh answers of the cells that can be compared
	var pairs [][2]int
	for i, in := range cells {
		if g.Cells[i] = compareCells(in); g.Cells[i].Count != nil {
			pairs = append(pairs, [2]int{len(samples), len(samples) + 1})
			samples = append(samples, answers(*in.Accepted), answers(*in.Fresh))
		}
	}
	outcomes := stats.Compare(terms.Test, terms.Alpha, samples, pairs)
	g.Family = len(outcomes)
	for i, in := range cells {
		c := &g.Cells[i]
		if c.Count != nil {
			o := outcomes[0]
			outcomes = outcomes[1:]
			c.BCount, c.CCount, c.P, c.PHolm = o.Paired.OnlyFirst, o.Paired.OnlySecond, table.Digits(o.P), table.Digits(o.PHolm)
			c.judge(terms, in, o.Significant)
		}
		g.Status = worse(g.Status, c.Status)
	}
	if len(faults) > 0 {
		g.Status = Error
	}
	g.setNext()
	return g
}

// setNext sets whether the gate failed, and what to do about that.
func (g *Gate) setNext() {
	if g.Failed = g.fails(g.Status); g.Failed {
		g.Next = g.next()
	}
}

// fails tells whether a gate, or a cell of it, with that status is not to pass.
func (g Gate) fails(status string) bool {
	return status != Pass && !(status == Changed && g.Asked.AllowChanged)
}

// info names the test of a spec as lists and tables print it.
func (t Terms) info() results.TestInfo {
	return results.TestInfo{Pair: t.Test.String(), Correction: "holm", Across: t.Across, Alpha: t.Alpha}
}

// compareCells counts the differences of two cells, or says why it cannot. The
// version of the code may differ, and so may the digest of a program outside, which
// is the same for a method in another language: that is what a gate is for.
func compareCells(in Input) Checked {
	c := Checked{Key: in.Key.Key, File: in.Key.File, Line: in.Line, Status: Error, Cause: in.Cause, Reason: in.Problem}
	if c.Reason != "" {
		return c
	}
	before, now := *in.Accepted, *in.Fresh
	was, is := before.Inputs, now.Inputs
	was.Version = is.Version
	for _, points := range []*[]results.Setting{&was.Settings, &is.Settings} {
		*points = slices.Clone(*points)
		for i, p := range *points {
			(*points)[i] = withoutProgram(p)
		}
	}
	if d := was.Diff(is); len(d) > 0 {
		c.Cause, c.Reason = OtherInputs, "it is not the accepted cell any more: "+text.Join("; ", d...)
		return c
	}
	if differing(before.Truth, now.Truth) > 0 {
		c.Cause, c.Reason = OtherInputs, "its test labels are not those of the accepted cell"
		return c
	}
	n := len(now.Truth)
	c.Count = &Count{
		N: n, Accepted: before.Correct(), Fresh: now.Correct(),
		AcceptedAccuracy: stats.Percent(before.Correct(), n, 2), FreshAccuracy: stats.Percent(now.Correct(), n, 2),
		Differ: differing(before.Predicted, now.Predicted),
	}
	return c
}

func answers(c results.Cell) stats.Sample {
	return stats.Sample{Answers: stats.NewAnswers(c.Truth, c.Predicted)}
}

// withoutProgram is a point without the digests of a program. That there is one is kept.
func withoutProgram(p results.Setting) results.Setting {
	if program(p.Params) != "" {
		p.Params = maps.Clone(p.Params)
		p.Params[results.ProgramParam] = "any"
	}
	return p
}

// program names the files of a program outside with their digests; empty for a
// method in Go.
func program(params results.Params) string {
	files, _ := params[results.ProgramParam].(string)
	return files
}

// judge decides the status of a comparison.
func (c *Checked) judge(terms Terms, in Input, significant bool) {
	loss := c.Accepted - c.Fresh
	switch {
	case loss > 0 && (significant || c.beyond(terms.Tolerance)):
		c.Status = Regressed
	case !terms.LossesOnly && (c.Differ > 0 || len(in.unlike()) > 0):
		c.Status = Changed
	default:
		c.Status = Pass
	}
	c.Reason = c.words(in, significant, terms.Tolerance)
}

// beyond tells whether more points of accuracy were lost than the tolerance.
func (c *Count) beyond(tolerance float64) bool {
	return 100*float64(c.Accepted-c.Fresh) > tolerance*float64(c.N)
}

// unlike names the parts of two cells that differ, besides predictions: all that tables, verdicts
// and pages are made from.
func (in Input) unlike() []string {
	var parts []string
	before, now := in.Accepted, in.Fresh
	if before.Chosen != now.Chosen {
		parts = append(parts, "another setting was chosen")
	}
	for _, part := range []struct {
		name        string
		before, now any
	}{
		{"validation scores", before.Validation, now.Validation},
		{"test accuracies of the settings", before.GridScores, now.GridScores},
		{"facts", before.Counts, now.Counts},
		{"series", fmt.Sprint(before.Series), fmt.Sprint(now.Series)}, // NaN is NaN
		{"warnings", before.Warnings, now.Warnings},
	} {
		if !reflect.DeepEqual(part.before, part.now) {
			parts = append(parts, "other "+part.name)
		}
	}
	return parts
}

// words returns the differences as text; "" without any.
func (c Checked) words(in Input, significant bool, tolerance float64) string {
	var parts []string
	if c.Differ > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s %s", c.Differ, text.Counted(c.N, "prediction"), text.Agree(c.Differ, "differs", "differ")))
	}
	if c.Accepted != c.Fresh {
		s := fmt.Sprintf("%s -> %s %%, p %s after Holm", c.AcceptedAccuracy, c.FreshAccuracy, stats.FormatP(float64(c.PHolm), 0))
		if !significant {
			s += ", not significant"
		}
		parts = append(parts, s)
	}
	if c.beyond(tolerance) {
		parts = append(parts, fmt.Sprintf("%s points lost, more than the tolerance of %g", stats.Percent(c.Accepted-c.Fresh, c.N, 2), tolerance))
	}
	parts = append(parts, in.unlike()...)
	if a, b := in.Accepted.Version, in.Fresh.Version; a != b {
		parts = append(parts, fmt.Sprintf("version %d -> %d of the method", a, b))
	}
	if a, b := program(in.Accepted.Setting().Params), program(in.Fresh.Setting().Params); a != b {
		parts = append(parts, fmt.Sprintf("the program was edited: %s -> %s", a, b))
	}
	return text.Join("; ", parts...)
}

// differing counts the places where two sequences have not the same label.
func differing(a, b []int) int {
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// worse returns the worse of two outcomes.
func worse(a, b string) string {
	order := []string{Pass, Changed, Regressed, Error}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}
