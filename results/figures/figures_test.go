package figures

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

func got(correct int) table.Cell { return table.Cell{Score: &table.Score{Correct: correct}} }

// accuracyTable has three methods on three data sets of 100 samples, and on a fourth two.
func accuracyTable() table.Table {
	t := table.Table{
		Spec: "accuracy", Test: results.TestInfo{Alpha: 0.05},
		Columns: []table.Column{{ID: "euclidean", Name: "Euclidean"}, {ID: "lmnn", Name: "LMNN"}, {ID: "e-r2lml", Name: "E-R2LML"}},
	}
	for i, name := range []string{"Glass", "Heart", "Sonar", "Letter"} {
		r := table.Row{Dataset: strings.ToLower(name), Letter: string(rune('A' + i)), Name: name, N: 100, Cells: []table.Cell{got(50 + i), got(60), got(70 - i)}}
		if name == "Letter" {
			r.Cells[1] = table.Cell{Status: table.StatusFailed}
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// only draws the charts of which there must be one.
func only(t *testing.T, all []chart.Chart) (f chart.Figure, records [][]string) {
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
	_, records := only(t, averageRanks(Input{Table: accuracyTable()}))
	for name, rank := range map[string]string{"E-R2LML 1.00": "1", "LMNN 2.00": "2", "Euclidean 3.00": "3"} {
		has(t, records, name, rank)
	}
	// q of three methods at 0.05 is 2.343 (Demšar 2006, Table 5): 2.343 √(3·4/(6·3)).
	fixture.Equal(t, "the critical difference", records[1][0], "Critical difference 1.91 (level 0.05)")
	has(t, records, "bar", "E-R2LML 1.00", "LMNN 2.00")
	has(t, records, "bar", "LMNN 2.00", "Euclidean 3.00")
	fixture.Equal(t, "records", len(records), 6)
	means := table.Scores{Methods: []string{"euclidean", "lmnn", "e-r2lml"}}
	means.Rows = []table.ScoreRow{{N: 100, Right: []int{9, 8, 7}}, {N: 100, Right: []int{9, 8, 7}}}
	_, records = only(t, averageRanks(Input{Table: accuracyTable(), Ranks: &verdict.Ranks{Scores: means}}))
	has(t, records, "Euclidean 1.00") // means over seeds are ranked
	short := accuracyTable()
	short.Rows = short.Rows[:1]
	fixture.Equal(t, "figures of one data set", len(averageRanks(Input{Table: short})), 0)
}

func someCosts() []study.Cost {
	return []study.Cost{
		{Dataset: "glass", Method: "euclidean", Seconds: 1, Bytes: 1 << 20}, {Dataset: "heart", Method: "euclidean", Seconds: 2},
		{Dataset: "glass", Method: "lmnn", Seconds: 30}, {Dataset: "heart", Method: "lmnn"},
		{Dataset: "glass", Method: "e-r2lml", Seconds: 500, Bytes: 3 << 20}, {Dataset: "heart", Method: "e-r2lml", Seconds: 700},
	}
}

func TestAccuracyByTime(t *testing.T) {
	_, records := only(t, accuracyByTime(Input{Table: accuracyTable(), Costs: someCosts()}))
	// LMNN has a time on Glass only, so that it is the only data set.
	for name, want := range map[string][2]string{"Euclidean": {"1", "50"}, "LMNN": {"30", "60"}, "E-R2LML": {"500", "70"}} {
		has(t, records, name, want[0], want[1])
	}
	slow := someCosts()
	slow[0].Seconds = 1000 // less accurate than the others, and slower
	_, records = only(t, accuracyByTime(Input{Table: accuracyTable(), Costs: slow}))
	if slices.ContainsFunc(records[1:], func(r []string) bool { return r[1] == "front" && r[6] == "50" }) {
		t.Errorf("a method that is slower and less accurate is on the front: %q", records)
	}
}

func TestContrasts(t *testing.T) {
	local := study.Contrast{Mean: 0.75, MeanRange: stats.Interval{Low: -1, High: 2.5}, Sets: []study.SetDifference{
		{Letter: "A", Name: "Robot", Points: 2.5}, {Letter: "B", Name: "Letter", Points: -1},
	}}
	local.Name = "local less global"
	unknown := study.Contrast{Mean: math.NaN(), MeanRange: stats.Interval{Low: math.NaN(), High: math.NaN()}}
	unknown.Name = "unknown"
	_, records := only(t, contrasts(Input{Contrasts: []study.Contrast{local, unknown}}))
	has(t, records, "A Robot", "2.5", "local less global")
	has(t, records, "mean, with its 95 % interval", "0.75", "-1", "2.5")
}

func TestStudies(t *testing.T) {
	set := study.Set{Dataset: "heart", Letter: "M", Name: "Heart", N: 100}
	_, records := only(t, metrics(study.Metrics{Counts: []int{1, 2}, Sets: []study.MetricsSet{{Set: set, Classes: 2, Curves: []study.Curve{
		{Method: published.Efficient, Counts: []int{1, 2}, Cells: []table.Cell{got(61), got(83)}},
		{Method: published.Transductive, Counts: []int{1, 2}, Cells: []table.Cell{{}, got(70)}},
	}}}}))
	has(t, records, "M Heart, 2 classes", "E-R2LML", "2", "83")
	has(t, records, "T-R2LML", "1", "")
	none := study.LambdaFamily{}
	unmeasured := [][]*measure.ZeroColumns{make([]*measure.ZeroColumns, study.LambdaMetrics)}
	draws := []study.Draw{{Correct: 6, N: 10, Zeros: unmeasured}, {Correct: 8, N: 10, Zeros: unmeasured}}
	some := study.LambdaFamily{Found: 2, Settings: []study.LambdaSetting{{Lambda: 0, Draws: draws}, {Lambda: 100}}}
	some.ID, some.Settings[0].Printed.Accuracy, some.Settings[0].Printed.Zeros = "overlap60", "0.75", []int{0, 2, 4}
	f, records := only(t, lambda(study.Lambda{Families: []study.LambdaFamily{none, some}}))
	fixture.Equal(t, "name", f.Name, "lambda-overlap60")
	has(t, records, "Accuracy", "0", "70", "60", "80")
	has(t, records, "printed", "75")
	has(t, records, "Zero columns", "printed", "2", "0", "4")
	places := measure.Places{Labels: []float64{1, 2}, Features: [][]float64{{-1, 1}, {3, 4}}, Lost: math.NaN()}
	column := study.ToyColumn{Method: "euclidean", Nearest: &results.Fact{Count: 1, Of: 2}, Places: places}
	f, records = only(t, toy(study.Toy{Sets: []study.ToySet{{Set: set, Columns: []study.ToyColumn{column}}}}))
	has(t, records, "as they are (1 of 2)", "class 2", "2", "1", "4")
	fixture.Has(t, "the words", f.Alt, "no result")
}

// Figures have names of files that differ, and titles.
func TestDrawings(t *testing.T) {
	names := map[string]bool{}
	for _, d := range Drawings {
		if d.Study != "" {
			continue
		}
		for _, f := range d.Draw(Input{Table: accuracyTable(), Costs: someCosts()}) {
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
		{"measured without a figure", "name: x\nmeasure: triangle\n", []string{Ranks, CostsName}},
		{"neither", "name: metrics\n", []string{Ranks, CostsName}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := spectest.PlanFor(t, spectest.Parse(t, c.text+"datasets: [overlap30]\nmethods: [{method: e-r2lml, params: {step: 1e-6}}]\n"))
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
