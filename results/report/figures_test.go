package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

func got(correct int) table.Result {
	return table.Result{Score: &table.Score{Correct: correct}, Mean: float64(correct)}
}

// accuracyTable has three methods on three data sets of 100 samples, and on a fourth two.
func accuracyTable() table.Table {
	t := table.Table{
		Spec: "accuracy", Test: results.TestInfo{Alpha: 0.05},
		Columns: []table.Column{{ID: "euclidean", Name: "Euclidean"}, {ID: "lmnn", Name: "LMNN"}, {ID: "e-r2lml", Name: "E-R2LML"}},
	}
	for i, name := range []string{"Glass", "Heart", "Sonar", "Letter"} {
		r := table.Row{Dataset: strings.ToLower(name), Letter: string(rune('A' + i)), Name: name, N: 100, Cells: []table.Result{got(50 + i), got(60), got(70 - i)}}
		if name == "Letter" {
			r.Cells[1] = table.Result{Status: table.StatusFailed}
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// only draws the charts of which there must be one.
func only(t *testing.T, all []Chart) (f Figure, records [][]string) {
	t.Helper()
	if len(all) != 1 {
		t.Fatalf("%d charts, want 1", len(all))
	}
	f, ok := all[0].Figure()
	records, err := csv.NewReader(bytes.NewReader(f.CSV)).ReadAll()
	if !ok || err != nil {
		t.Fatalf("figure %t, CSV %v", ok, err)
	}
	return f, records
}

// has marks a test as failed unless some record has all these fields.
func has(t *testing.T, records [][]string, fields ...string) {
	t.Helper()
	if !slices.ContainsFunc(records, func(r []string) bool {
		return !slices.ContainsFunc(fields, func(f string) bool { return !slices.Contains(r, f) })
	}) {
		t.Errorf("no record has %q: %q", fields, records)
	}
}

func TestAverageRanks(t *testing.T) {
	_, records := only(t, fixture.Must(standing(Input{Table: accuracyTable()}))(t))
	for name, rank := range map[string]string{"E-R2LML 1.00": "1", "LMNN 2.00": "2", "Euclidean 3.00": "3"} {
		has(t, records, name, rank)
	}
	// q of three methods at 0.05 is 2.343 (Demšar 2006, Table 5): 2.343 √(3·4/(6·3)).
	has(t, records, "bar", "E-R2LML 1.00", "LMNN 2.00")
	has(t, records, "bar", "LMNN 2.00", "Euclidean 3.00")
	has(t, records, "line", "critical difference 1.91", "1", "2.91362")
	fixture.Equal(t, "records", len(records), 7)
	means := table.Scores{Methods: []string{"euclidean", "lmnn", "e-r2lml"}}
	means.Rows = [][]float64{{9, 8, 7}, {9, 8, 7}, {9, 8, 7}, {9, 8, 7}}
	_, records = only(t, fixture.Must(standing(Input{Table: accuracyTable(), Verdicts: paper.Verdicts{Ranks: &paper.Ranks{Scores: means}}}))(t))
	has(t, records, "Euclidean 1.00") // means over seeds are ranked
	short := accuracyTable()
	short.Rows = short.Rows[:1]
	fixture.Equal(t, "figures of one data set", len(fixture.Must(standing(Input{Table: short}))(t)), 0)
}

func someCosts() []paper.Cost {
	return []paper.Cost{
		{Dataset: "glass", Method: "euclidean", Seconds: 1}, {Dataset: "heart", Method: "euclidean", Seconds: 2},
		{Dataset: "glass", Method: "lmnn", Seconds: 30}, {Dataset: "heart", Method: "lmnn"},
		{Dataset: "glass", Method: "e-r2lml", Seconds: 500}, {Dataset: "heart", Method: "e-r2lml", Seconds: 700},
	}
}

func TestAccuracyByTime(t *testing.T) {
	_, records := only(t, fixture.Must(accuracyByTime(Input{Table: accuracyTable(), Costs: someCosts()}))(t))
	// LMNN has a time on Glass only, so that it is the only data set.
	for name, want := range map[string][2]string{"Euclidean": {"1", "50"}, "LMNN": {"30", "60"}, "E-R2LML": {"500", "70"}} {
		has(t, records, name, want[0], want[1])
	}
	slow := someCosts()
	slow[0].Seconds = 1000 // less accurate than the others, and slower
	_, records = only(t, fixture.Must(accuracyByTime(Input{Table: accuracyTable(), Costs: slow}))(t))
	if slices.ContainsFunc(records[1:], func(r []string) bool { return r[1] == "front" && r[6] == "50" }) {
		t.Errorf("a method that is slower and less accurate is on the front: %q", records)
	}
}

func TestContrasts(t *testing.T) {
	local := table.Comparison{Mean: 0.75, MeanRange: stats.Interval{Low: -1, High: 2.5}, Sets: []table.SetDifference{
		{Letter: "A", Name: "Robot", Points: 2.5}, {Letter: "B", Name: "Letter", Points: -1},
	}}
	local.Name, local.A = "local less global", []string{"plml"}
	unknown := table.Comparison{Mean: math.NaN(), MeanRange: stats.Interval{Low: math.NaN(), High: math.NaN()}}
	unknown.Name = "unknown"
	_, records := only(t, fixture.Must(contrasts(Input{Table: table.Table{Contrasts: []table.Comparison{local, unknown}}}))(t))
	has(t, records, "A Robot", "2.5", "local less global")
	has(t, records, "mean, with its 95 % interval", "0.75", "-1", "2.5")
}

// The dots of the matrix stand below those of the curve, a row for each value.
func TestReadings(t *testing.T) {
	near, far := 1.5, 2.5
	reading := func(name, ties string, mean *float64, sets int) paper.CurveReading {
		r := paper.CurveReading{Reading: name, Choices: []paper.Choice{{Text: ties}}}
		r.Mean, r.Numbers = mean, sets
		return r
	}
	in := Input{Curve: paper.Curve{Sets: 18, Methods: []paper.MethodCurve{
		{Name: "ITML", Choices: []string{"ties"}, Readings: []paper.CurveReading{
			reading(paper.MainReading, "smallest", &near, 18), reading("drawn votes", "random", &far, 2),
		}},
		{Name: "Euclidean", Readings: []paper.CurveReading{reading(paper.MainReading, "", &near, 18)}}, // no curve of one reading
	}}}
	_, records := only(t, fixture.Must(readings(in))(t))
	has(t, records, "ITML", "main reading", "1", "1.5")
	has(t, records, "reading of fewer data sets", "drawn votes", "2", "2.5")
	has(t, records, "row", "ties smallest", "1")
	has(t, records, "row", "ties random", "2")
	fixture.Equal(t, "records", len(records), 5)
	fixture.Equal(t, "figures without readings", len(fixture.Must(readings(Input{}))(t)), 0)
}

// studied is a table of one row of 100 samples, whose columns are written as their ids, such
// as "e-r2lml:metrics=2".
func studied(dataset, columns string, cells ...table.Result) Input {
	t := table.Table{Rows: []table.Row{{Dataset: dataset, Letter: "M", Name: "Heart", N: 100, Cells: cells}}}
	for _, id := range strings.Fields(columns) {
		parts := strings.Split(id, ":")
		c := table.Column{ID: id, Method: parts[0], Swept: map[string]string{}}
		for _, part := range parts[1:] {
			name, value, _ := strings.Cut(part, "=")
			c.Swept[name] = value
		}
		t.Columns = append(t.Columns, c)
	}
	return Input{Table: t}
}

func TestStudies(t *testing.T) {
	in := studied("heart", "e-r2lml:metrics=2 e-r2lml:metrics=1 t-r2lml:metrics=1 t-r2lml:metrics=2", got(83), got(61), table.Result{}, got(70))
	in.Table.Rows[0].Classes = &table.Classes{Counts: make([]results.ClassCount, 2)}
	_, records := only(t, fixture.Must(metrics(in))(t))
	has(t, records, "M Heart, 2 classes", "E-R2LML", "2", "83")
	has(t, records, "T-R2LML", "1", "")

	collapsed := got(50)
	collapsed.Facts = []results.Count{{Name: r2lml.VerticesFact, Count: 3, Of: 4}}
	_, records = only(t, fixture.Must(collapse(studied("heart", "e-r2lml:variant=published:metrics=2", collapsed)))(t))
	has(t, records, "E-R2LML published", "2", "75")
	var looks []int // filled under the reference, open under the published variant
	for _, line := range fixture.Must(collapse(studied("heart", "")))(t)[0].Panels[0].Series {
		looks = append(looks, line.Look)
	}
	fixture.EqualSlice(t, "marks", looks, []int{Disc, Ring, Square, OpenSquare})

	in = studied("overlap30:1", "e-r2lml:lambda=0 e-r2lml:lambda=100", got(60), table.Result{})
	in.Table.Rows = append(in.Table.Rows, table.Row{Dataset: "overlap30:2", N: 50, Cells: []table.Result{got(40), {}}})
	f, records := only(t, fixture.Must(lambda(in))(t))
	fixture.Equal(t, "name", f.Name, "lambda-overlap30")
	has(t, records, "Accuracy", "0", "70", "60", "80")
	has(t, records, "printed", "54.4") // paper, accuracy against λ, 30 features

	// The samples are those of the first fit of the figure that has them. Of several fits with
	// as many metrics the first is shown.
	nearest := func(n int) table.Result {
		c := got(1)
		c.Facts = []results.Count{{Name: measure.NearestFact, Count: n, Of: 2}}
		return c
	}
	features := nearest(1)
	features.Series = []results.Series{results.NewSeries("label", []float64{1, 2}), results.NewSeries("feature 1", []float64{-1, 3}),
		results.NewSeries("feature 2", []float64{1, 4})}
	f, records = only(t, fixture.Must(toy(studied("toy", "e-r2lml:variant=published:metrics=1 e-r2lml:variant=reference:metrics=1 euclidean",
		features, nearest(2), nearest(0))))(t))
	has(t, records, "as they are (0 of 2)", "class 2", "2", "3", "4")
	fixture.Has(t, "the words", string(f.SVG), "one global metric (1 of 2)")
}

// acceptedTable is the table of a spec by the accepted cells.
func acceptedTable(t *testing.T, spec string) table.Table {
	t.Helper()
	return fixture.Must(table.Of(fixture.Must(plan.Named(t.Context(), spec))(t), &store.Store{Dir: "../accepted"}))(t)
}

// altered is a copy of a table whose cells with a result went through a change.
func altered(t table.Table, change func(*table.Result)) Input {
	t.Rows = slices.Clone(t.Rows)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Clone(t.Rows[i].Cells)
		for j := range t.Rows[i].Cells {
			if c := &t.Rows[i].Cells[j]; c.Score != nil {
				score := *c.Score
				c.Score = &score
				change(c)
			}
		}
	}
	return Input{Table: t}
}

// Any cells may be missing or without their measurements; also all of them.
func TestAnyMissing(t *testing.T) {
	lose := func(c *table.Result) { *c = table.Result{Status: table.StatusMissing} }
	bare := func(c *table.Result) { c.Score.Facts, c.Score.Series = nil, nil }
	for _, d := range Drawings {
		if d.Spec == "" {
			continue
		}
		_, known := measure.Find(d.Measure)
		fixture.Equal(t, d.Name+": its measure is one", known, d.Measure != "")
		whole, at := acceptedTable(t, d.Spec), 0
		some := altered(whole, func(c *table.Result) {
			at++
			[]func(*table.Result){lose, bare, func(*table.Result) {}}[at%3](c)
		})
		if len(fixture.Must(d.Draw(some))(t)) == 0 {
			t.Errorf("%s: no figure of some cells", d.Name)
		}
		for _, in := range []Input{{Table: table.Table{Columns: whole.Columns}}, {}, altered(whole, lose)} {
			fixture.Equal(t, d.Name+": figures of no result", len(fixture.Must(d.Draw(in))(t)), 0)
		}
		fixture.Must(d.Draw(altered(whole, bare)))(t)
	}
}

// A series of a wrong length is an error that names the cell and the series.
func TestMalformedSeries(t *testing.T) {
	for _, c := range []struct {
		name, series string
		values       []float64
		want         string
	}{
		{"toy", "map 1 coordinate 2", []float64{1, 2, 3}, `metrics=1 on toy: series "map 1 coordinate 2" has 3 values for 4 samples`},
		{"convergence", "with momentum: iteration", []float64{1}, "figures: convergence of e-r2lml on"},
		{"convergence", "without momentum: iteration", []float64{1, 2}, "2 iterations for"},
		{"convergence", "with momentum: fitted a + b/sqrt(T): a, b, R2", []float64{1}, "1 numbers of the fitted curve"},
	} {
		in := altered(acceptedTable(t, c.name), func(cell *table.Result) {
			cell.Score.Series = slices.Clone(cell.Score.Series)
			for k := range cell.Series {
				if s := &cell.Series[k]; s.Name == c.series {
					s.Values = c.values
				}
			}
		})
		d := Drawings[slices.IndexFunc(Drawings, func(d Drawing) bool { return d.Name == c.name })]
		fixture.Says(t, fixture.Error(d.Draw(in)), c.want)
	}
}

// Figures have names of files that differ, and titles.
func TestDrawings(t *testing.T) {
	names := map[string]bool{}
	for _, d := range Drawings {
		if d.Spec != "" {
			continue
		}
		for _, f := range fixture.Must(d.Draw(Input{Table: accuracyTable(), Costs: someCosts()}))(t) {
			if names[f.Name] || f.Title == "" || f.Alt == "" || len(f.SVG) == 0 {
				t.Errorf("%s: title %q, words %q, %d bytes", f.Name, f.Title, f.Alt, len(f.SVG))
			}
			names[f.Name] = true
		}
	}
	fixture.Equal(t, fmt.Sprintf("figures of a table and its costs, %v", names), len(names), 2)
}

// What a spec names or measures decides on its figures, its own name does not.
func TestFor(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"named", "name: x\nfigures: [metrics, collapse]\n", []string{"collapse", "metrics", CostsName}},
		{"one", "name: x\nfigures: toy\n", []string{"toy", CostsName}},
		{"costs alone", "name: x\nfigures: costs\n", []string{CostsName}},
		{"measured", "name: x\nmeasure: [coordinates, zero-columns]\n", []string{"lambda", "toy", CostsName}},
		{"named, not measured", "name: x\nfigures: [metrics]\nmeasure: [coordinates]\n", []string{"metrics", CostsName}},
		{"measured without a figure", "name: x\nmeasure: triangle\n", []string{RanksName, CostsName}},
		{"neither", "name: metrics\n", []string{RanksName, CostsName}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := testkit.PlanFor(t, testkit.Parse(t, c.text+"datasets: [overlap30]\nmethods: [{method: e-r2lml, params: {step: 1e-6}}]\n"))
			var got []string
			for _, d := range For(plan) {
				got = append(got, d.Name)
			}
			fixture.EqualSlice(t, "drawings", got, c.want)
		})
	}
}

// A name that is near to none is answered with all there are.
func TestUnknownNames(t *testing.T) {
	for key, known := range map[string][]string{"measure": measure.Names(), "figures": spec.Figures} {
		_, err := spec.Parse("x.yaml", []byte("name: x\ndatasets: [overlap30]\nmethods: [{method: euclidean}]\n"+key+": [photograph]\n"))
		fixture.Says(t, err, `"photograph"; there are `+strings.Join(known, ", "))
	}
}

// Every figure that a spec may ask for is drawn, in the same order.
func TestFiguresAreDrawn(t *testing.T) {
	var drawn []string
	for _, d := range Drawings {
		drawn = append(drawn, d.Name)
	}
	fixture.EqualSlice(t, "drawn", drawn, spec.Figures)
}
