package paper_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats/audit"
)

// factsOf are the numbers and tables that pages show, from accepted cells and the printed
// tables alone. Names begin with what they are of: those of the paper's studies
// with the study, those of contrasts as SPEC.CONTRAST.NUMBER.
func factsOf(t *testing.T, accepted *store.Store) facts {
	t.Helper()
	accepted = accepted.Snapshot()
	all := facts{}
	own := fixture.Must(plan.Named(t.Context(), experiments.Paper))(t)
	all.addVerdicts(fixture.Must(paper.Of(t.Context(), own, accepted))(t), own)
	readings, ok, err := paper.ReadPipeline(t.Context(), accepted)
	fixture.Check(t, err)
	if ok && readings.Chosen >= 0 {
		all.addPipeline(readings)
	}
	all.addAudit(published.Table().Findings())
	all.addJudged(t, accepted)
	all.addCollapse(t, accepted)
	all.addTriangle(t, accepted)
	all.addQuick(t, accepted)
	missing := document.New("", "spec", "cells", "missing", "hours")
	for _, name := range experiments.Names() {
		if _, listed, err := accepted.Accepted(name); err != nil || !listed {
			continue // a spec without accepted cells is for users to run
		}
		p := fixture.Must(plan.Named(t.Context(), name))(t)
		if len(p.Spec.Contrast) > 0 {
			splits := fixture.Must(table.Of(p, accepted))(t)
			all.addContrasts(p, splits)
			all.addMethods(t, p, splits, accepted)
		}
		jobs, left, work := p.Jobs(), 0, 0.0
		for _, j := range jobs {
			_, ok, err := accepted.Find(j.Inputs)
			fixture.Check(t, err)
			if !ok {
				left++
				work += cost.Work(j, plan.Catalogue())
			}
		}
		if left > 0 {
			missing.Add(name, len(jobs), left, fmt.Sprintf("%.1f", work/3.6e12))
		}
	}
	all.list("notrun", missing)
	all.addContext(t)
	all.addInvariances()
	return all
}

// addTriangle adds the triples of samples that violate the triangle inequality, and all that
// were looked at, over the fits of each variant.
func (f facts) addTriangle(t *testing.T, accepted *store.Store) {
	t.Helper()
	p := fixture.Must(plan.Named(t.Context(), "triangle"))(t)
	fits := fixture.Must(table.Of(p, accepted))(t)
	for _, variant := range variants {
		violations, of := 0, 0
		for _, r := range fits.Rows {
			for i, c := range r.Cells {
				if c.Score != nil && fits.Columns[i].Swept["variant"] == variant {
					fact, _ := results.CountOf(c.Facts, measure.TriangleFact)
					violations, of = violations+fact.Count, of+fact.Of
				}
			}
		}
		name := "triangle.triangle-" + variant
		f[name], f[name+".of"] = strconv.Itoa(violations), strconv.Itoa(of)
	}
}

// addQuick adds what the smaller grid of quick costs T-R2LML on Ionosphere: its mean accuracy over
// the accepted seeds with all settings, and with the settings of quick alone.
func (f facts) addQuick(t *testing.T, accepted *store.Store) {
	t.Helper()
	at := func(p plan.Plan) []plan.Job { return testkit.JobsOf(p, "I", published.Transductive) }
	small := map[string]bool{}
	for _, point := range at(fixture.Must(plan.Named(t.Context(), "quick"))(t))[0].Inputs.Settings {
		small[fmt.Sprint(point)] = true
	}
	var all, few []float64
	for _, j := range at(fixture.Must(plan.Named(t.Context(), experiments.Paper))(t)) {
		cell, ok, err := accepted.Find(j.Inputs)
		fixture.Check(t, err)
		if !ok || cell.GridScores == nil {
			t.Fatalf("no accepted test scores of %s, seed %d", j.Column.ID, j.Inputs.Seed)
		}
		share := func(point int) float64 {
			return 100 * float64(cell.GridScores.Correct[point]) / float64(len(cell.Truth))
		}
		best := -1
		for i, point := range j.Inputs.Settings {
			if small[fmt.Sprint(point)] && (best < 0 || cell.Validation.Correct[i] > cell.Validation.Correct[best]) {
				best = i
			}
		}
		all, few = append(all, share(cell.Chosen)), append(few, share(best))
	}
	f["quick.settings"], f["quick.all"], f["quick.seeds"] = strconv.Itoa(len(small)), text.TwoDecimals(stat.Mean(all, nil)), strconv.Itoa(len(all))
	f["quick.few"] = text.TwoDecimals(stat.Mean(few, nil))
}

// list adds a listing as a table of a page.
func (f facts) list(name string, l document.Table) {
	lines := l.Texts()
	f["table "+name] = tableText(lines[0], lines[1:])
}

func (f facts) addVerdicts(v paper.Verdicts, p plan.Plan) {
	near := func(suffix string, c paper.Counts) {
		f["compared"+suffix] = strconv.Itoa(c.Close.Numbers)
		for _, w := range c.Close.Within {
			f[fmt.Sprintf("within.%g%s", w.Points, suffix)] = strconv.Itoa(w.Count)
		}
		f["agree"+suffix], f["differ"+suffix] = strconv.Itoa(c.Count(paper.Agrees)), strconv.Itoa(c.Count(paper.Differs))
		f["cannot"+suffix] = strconv.Itoa(c.Count(paper.CannotTell))
		f["below"+suffix], f["above"+suffix] = strconv.Itoa(c.Close.Below), strconv.Itoa(c.Close.Above)
		if c.Close.Mean != nil {
			f["mean"+suffix] = text.TwoDecimals(*c.Close.Mean)
		}
	}
	near("", v.Summary.Counts)
	for _, m := range v.Summary.Methods {
		near("."+m.Method, m.Counts)
	}
	for _, m := range v.Moved {
		f[fmt.Sprintf("moved.%g", m.Points)] = fmt.Sprintf("%.0f", m.Percent())
	}
	bySize := map[string][]paper.Verdict{} // those of T-R2LML with runs, by the size of the test set
	for _, n := range v.Verdicts {
		if n.Method == published.Transductive && n.Difference != nil {
			size := map[bool]string{true: ".large", false: ".small"}[n.Samples > 1000]
			bySize[size] = append(bySize[size], n)
		}
	}
	for size, of := range bySize {
		suffix := "." + published.Transductive + size
		near(suffix, paper.CountsOf(of))
		slices.SortFunc(of, func(a, b paper.Verdict) int { return cmp.Compare(math.Abs(*a.Difference), math.Abs(*b.Difference)) })
		f["nearest"+suffix], f["farthest"+suffix] = fmt.Sprintf("%.0f", math.Abs(*of[0].Difference)), fmt.Sprintf("%.0f", math.Abs(*of[len(of)-1].Difference))
	}
	f["readings"] = strconv.Itoa(v.Readings.Tried - 1)
	f.addProgram(v)
	f.list("closeness", v.SummaryTable())
	f.list("readings", v.Agreements())
	if v.Ranks == nil {
		return
	}
	f["rank.cd"], f["rank.sets"] = text.TwoDecimals(v.Ranks.CriticalDifference), strconv.Itoa(v.Ranks.Sets)
	ranks := v.RanksTable()
	ranks.Columns = append(ranks.Columns, document.Heading{Name: "settings"})
	for i, m := range v.Ranks.Methods {
		f["rank.ours."+m.Method], f["rank.print."+m.Method] = text.TwoDecimals(m.Ours), text.TwoDecimals(m.Printed)
		at := slices.IndexFunc(p.Splits[0].Jobs, func(jobs []plan.Job) bool { return jobs[0].Column.ID == m.Method })
		ranks.Rows[i] = append(ranks.Rows[i], document.Value{Text: strconv.Itoa(len(p.Splits[0].Jobs[at][0].Inputs.Settings))})
	}
	f.list("ranks", ranks)
	f.addConclusions(v.Curve())
}

// addConclusions adds the readings in which each conclusion holds, as conclusion.N and
// conclusion.N.of, with the suffix .all those with all data sets, and their names as conclusion.N.in;
// and the average ranks of T-R2LML as its program runs.
func (f facts) addConclusions(c paper.Curve) {
	f.list("conclusions", c.ConclusionTable())
	for i, one := range c.Conclusions {
		name := fmt.Sprintf("conclusion.%d", i+1)
		f[name], f[name+".of"] = strconv.Itoa(one.Holds), strconv.Itoa(one.Of)
		f[name+".all"], f[name+".all.of"] = strconv.Itoa(one.HoldsAll), strconv.Itoa(one.OfAll)
		var in []string
		for _, p := range c.Procedures {
			if p.Holds[i] {
				in = append(in, p.Reading)
			}
		}
		f[name+".in"] = strings.Join(in, "; ")
	}
	for _, p := range c.Procedures {
		if p.Reading == programReading {
			f["program.cd"] = text.TwoDecimals(p.CriticalDifference)
			for _, r := range p.Ranks {
				f["program.rank."+r.Method] = text.TwoDecimals(r.Ours)
			}
		}
	}
}

// programReading is T-R2LML as its published program runs.
const programReading = "as its program, best moving setting on test"

// addProgram adds what T-R2LML gives as its published program runs, beside the other
// readings: the table program, of the data sets that were run.
func (f facts) addProgram(v paper.Verdicts) {
	l := document.New("", "data", "printed", "main reading", "choice on test", "as its program", "constant settings")
	for _, one := range v.Verdicts {
		given := map[string]paper.NumberReading{}
		for _, r := range v.Readings.Of(one.Dataset, one.Method) {
			given[r.Reading] = r
		}
		if own, ok := given[programReading]; ok && one.Method == published.Transductive {
			onTest := given[paper.ChoiceOnTest]
			l.Add(one.Letter, one.Published, text.TwoDecimals(*one.Mean), text.TwoDecimals(*onTest.Mean), text.TwoDecimals(*own.Mean), own.LeftOut)
		}
	}
	f.list("program", l)
	for _, row := range v.Readings.Rows {
		for i, method := range v.Readings.Methods {
			if row.Reading == paper.ChoiceOnTest {
				f["below.test."+method], f["above.test."+method] = strconv.Itoa(row.Columns[i].Below), strconv.Itoa(row.Columns[i].Above)
			}
		}
		if at := slices.Index(v.Readings.Methods, published.Transductive); row.Reading == programReading {
			near := row.Columns[at].Closeness
			f["program.sets"], f["program.within.2"], f["program.mean"] = strconv.Itoa(near.Numbers), strconv.Itoa(near.At(2)), text.TwoDecimals(*near.Mean)
		}
	}
}

func (f facts) addPipeline(p paper.Pipeline) {
	counts := p.Readings[p.Chosen].Counts()
	f["pipeline.equal"], f["pipeline.within"] = strconv.Itoa(counts[paper.RowEqual]), strconv.Itoa(counts[paper.RowWithin])
	f["pipeline.off"] = strconv.Itoa(counts[paper.RowOff])
	listings := p.Listings()
	f.list("pipeline", listings[0])
	f.list("pipeline-rows", listings[1])
}

// addAudit counts the findings on the printed tables by their kind.
func (f facts) addAudit(findings []audit.Finding) {
	counts, certain := map[string]int{}, 0
	for _, one := range findings {
		counts[one.Kind]++
		if one.Kind == audit.KindInfeasibleRank && (one.Class == audit.ClassFirstRank || one.Class == audit.ClassNoPeer) {
			certain++
		}
		if one.Kind == audit.KindLargest && strings.HasPrefix(one.Text, "no method") {
			f["audit.largest"] += one.Letter + " " + one.Nearest + " "
		}
	}
	f["audit.comparisons"], f["audit.certain"] = strconv.Itoa(counts[audit.KindInfeasibleRank]), strconv.Itoa(certain)
	f["audit.unreachable"] = strconv.Itoa(counts[audit.KindUnreachable])
}

// addJudged counts the claims of the paper's text, and those with each verdict by the printed
// tables and by our runs: "claims.print.holds". claim.ID is what there is on a claim. The
// numbers metrics.NAME are the cases of both proposed methods in which a claim is so, of those
// that have all numbers.
func (f facts) addJudged(t *testing.T, accepted *store.Store) {
	t.Helper()
	ofRuns := func(table *audit.PrintedTable) []audit.Judged {
		return fixture.Must(paper.Claims(t.Context(), table, func(string) *store.Store { return accepted }))(t)
	}
	all, own := ofRuns(published.Table()), *published.Table()
	own.Claims = ownClaims()
	for i := range own.Claims {
		own.Claims[i].NotPrinted = "not of the paper"
	}
	for _, j := range ofRuns(&own) {
		f["claim."+j.ID] = " / " + j.Runs.Word
	}
	counts := map[string]int{}
	for _, j := range all {
		f["claim."+j.ID] = j.Print.Word + " " + j.Print.Why + " / " + j.Runs.Word + " " + j.Runs.Why
		counts["print."+j.Print.Word]++
		counts["runs."+j.Runs.Word]++
	}
	for name, ids := range map[string][]string{"metrics.many-metrics": {"local-t", "local-e"}, "metrics.class-count": {"k-classes-t", "k-classes-e"}} {
		so, of := 0, 0
		for _, j := range all {
			if slices.Contains(ids, j.ID) {
				so, of = so+j.Runs.Cases.So, of+j.Runs.Cases.Of-j.Runs.Cases.Unknown
			}
		}
		f[name], f[name+".of"] = strconv.Itoa(so), strconv.Itoa(of)
	}
	f["claims"] = strconv.Itoa(len(all))
	for name, n := range counts {
		f["claims."+strings.ReplaceAll(name, " ", "-")] = strconv.Itoa(n)
	}
}

// ownClaims are those of our pages, not of the paper: what the authors' program does to the
// objective, three metrics on the samples of Figure 1, and the zero columns of each λ.
func ownClaims() []audit.Claim {
	const found, other = "zero columns * at 1e-06, constant features", "zero columns * at 1e-06, other features"
	zero, one, on := []float64{0, 0}, []float64{1, 1}, []string{"overlap60-13"}
	return []audit.Claim{
		{ID: "reference-rises", Kind: "range", Study: "convergence", Measure: "without momentum: block*", Columns: []string{"*variant=reference"}, Between: zero},
		{ID: "toy-three", Kind: "above", Study: "toy", Measure: measure.NearestFact, Column: "e-r2lml:variant=published:metrics=3",
			Above: []string{"e-r2lml:variant=published:metrics=1"}},
		{ID: "lambda-1e3-found", Kind: "range", Study: "lambda", Measure: found, Columns: []string{"e-r2lml:lambda=1e3"}, Between: one, On: on},
		{ID: "lambda-1e3-only", Kind: "range", Study: "lambda", Measure: other, Columns: []string{"e-r2lml:lambda=1e3"}, Between: zero, On: on},
		{ID: "lambda-1e4-only", Kind: "range", Study: "lambda", Measure: other, Columns: []string{"e-r2lml:lambda=1e4"}, Between: zero, On: on},
	}
}

// addContrasts adds the numbers of the contrasts of a plan's spec, if some have a result,
// and their tables: SPEC.contrasts, and SPEC.CONTRAST by data set.
func (f facts) addContrasts(p plan.Plan, splits table.Table) {
	all := splits.Contrasts
	if !slices.ContainsFunc(all, func(c table.Comparison) bool { return len(c.Sets) > 0 }) {
		return
	}
	for _, c := range all {
		base := p.Spec.Name + "." + c.Name
		for name, number := range c.Numbers() {
			f[base+"."+name] = number
		}
		f.list(base, c.Listing())
	}
	f.list(p.Spec.Name+".contrasts", table.ComparisonListing(all, splits.Columns))
}

// addMethods adds what the methods of a plan's spec choose from, reach and take, and how many
// cells there are and how many of them failed: SPEC.settings.METHOD, SPEC.cells and
// SPEC.failed; for small and larger data sets SPEC.small.METHOD and SPEC.large.METHOD
// (percent), and the same with .seconds; and the table SPEC.methods.
func (f facts) addMethods(t *testing.T, p plan.Plan, splits table.Table, cells *store.Store) {
	t.Helper()
	list, _, err := cells.Accepted(p.Spec.Name)
	fixture.Check(t, err)
	known, failed := 0, 0
	for _, r := range splits.Rows {
		for _, c := range r.Cells {
			if c.Score != nil {
				known++
			} else if c.Status == table.StatusFailed {
				failed++
			}
		}
	}
	base := p.Spec.Name + "."
	f[base+"cells"], f[base+"failed"] = strconv.Itoa(known+failed), strconv.Itoa(failed)
	all, sets := paper.Speeds(splits, fixture.Must(paper.CostsOf(p, cells, list.ByKey()))(t))
	l := document.New("", "method", fmt.Sprintf("accuracy, %d small sets", sets[0]), "seconds", fmt.Sprintf("accuracy, %d larger sets", sets[1]), "seconds")
	for i, c := range splits.Columns {
		settings := 0
		for _, r := range p.Splits {
			settings = max(settings, len(r.Jobs[i][0].Inputs.Settings))
		}
		f[base+"settings."+c.ID] = strconv.Itoa(settings)
		line := []any{c.Name}
		for g, speeds := range all {
			at := slices.IndexFunc(speeds, func(s paper.Speed) bool { return s.Method == c.ID })
			if at < 0 {
				line = append(line, "-", "-")
				continue
			}
			name, percent, seconds := base+[]string{"small.", "large."}[g]+c.ID, text.TwoDecimals(speeds[at].Accuracy), text.TwoDecimals(speeds[at].Seconds)
			f[name], f[name+".seconds"] = percent, seconds
			if speeds[at].Front {
				percent += " front"
			}
			line = append(line, percent, seconds)
		}
		l.Add(line...)
	}
	f.list(base+"methods", l)
}
