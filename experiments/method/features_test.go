package method_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
)

// columns reads stanzas for Two Norm.
func columns(t *testing.T, stanzas string) []spec.Column {
	t.Helper()
	return spectest.Parse(t, "name: x\ndatasets: [twonorm-gen, overlap30]\nmethods:\n"+stanzas).Columns
}

// scales lists the scale of every point of a column, 0 for one that has none.
func scales(c spec.Column, dataset string) []float64 {
	var list []float64
	for _, p := range c.Points(dataset) {
		scale, _ := p.Params["feature-scale"].(float64)
		list = append(list, scale)
	}
	return list
}

// The scale may stand wherever a parameter may.
func TestFeatureScaleInSpecs(t *testing.T) {
	for _, c := range []struct {
		name, stanza string
		want         []float64 // by point of the first column
	}{
		{"nowhere", "  - {method: glml, grid: {gamma: [0, 1]}}", []float64{0, 0}},
		{"params", "  - {method: glml, params: {feature-scale: 2, shrinkage: 0.1}, grid: {gamma: [0, 1]}}", []float64{2, 2}},
		{"grid", "  - {method: glml, grid: {feature-scale: [4, 1, 0.5], gamma: [0, 1]}}", []float64{4, 4, 0, 0, 0.5, 0.5}},
		{"sweep", "  - {method: glml, grid: {gamma: [0, 1]}, sweep: {feature-scale: [0.0625, 8]}}", []float64{0.0625, 0.0625}},
		{"data set", "  - {method: glml, params: {feature-scale: 2}, datasets: {twonorm-gen: {feature-scale: 1024}}}", []float64{1024}},
		{"other data set", "  - {method: glml, params: {feature-scale: 2}, datasets: {overlap30: {feature-scale: 1024}}}", []float64{2}},
		{"back to 1", "  - {method: glml, params: {feature-scale: 2}, datasets: {twonorm-gen: {feature-scale: 1}}}", []float64{0}},
		{"without parameters of its own", "  - {method: euclidean, params: {feature-scale: 1e30}}", []float64{1e30}},
	} {
		if got := scales(columns(t, c.stanza)[0], "twonorm-gen"); !slices.Equal(got, c.want) {
			t.Errorf("%s: scales %v, want %v", c.name, got, c.want)
		}
	}
	swept := columns(t, "  - {method: glml, sweep: {feature-scale: [0.0625, 8]}}")
	if swept[1].ID != "glml:feature-scale=8" || !slices.Equal(scales(swept[1], "overlap30"), []float64{8}) {
		t.Errorf("column %s with scales %v", swept[1].ID, scales(swept[1], "overlap30"))
	}
}

// Scale 1 leaves a setting as it is.
func TestFeatureScaleOne(t *testing.T) {
	c := columns(t, "  - {method: itml, grid: {feature-scale: [1, 2]}}")[0]
	same, features := method.Unprepared(c.Settings["twonorm-gen"][0])
	other, doubled := method.Unprepared(c.Settings["twonorm-gen"][1])
	if features != (method.Features{}) || doubled != (method.Features{Scale: 2}) {
		t.Errorf("features %+v and %+v", features, doubled)
	}
	if diff := cmp.Diff(same, other); diff != "" {
		t.Errorf("the method's own parameters differ:\n%s", diff)
	}
	if _, prepared := c.Settings["twonorm-gen"][0].(method.Prepared); prepared {
		t.Error("scale 1 wraps the setting")
	}
}

func TestFeaturesOf(t *testing.T) {
	x := func(v float64) *mat.Dense { return mat.NewDense(2, 2, []float64{v, 2 * v, 0, -v}) }
	p := method.Problem{
		Problem:    r2lml.Problem{X: x(1), Y: []int{1, 2}, Query: x(3), Seed: 7},
		Phase:      method.TestPhase,
		Neighbors:  5,
		Validation: datasets.Samples{X: x(-4), Y: []int{2, 1}},
		Memory:     99,
	}
	got := method.Features{Scale: 0.5}.Of(p)
	want := p
	want.X, want.Query, want.Validation.X = x(0.5), x(1.5), x(-2)
	for name, pair := range map[string][2]*mat.Dense{
		"training": {want.X, got.X}, "query": {want.Query, got.Query}, "validation": {want.Validation.X, got.Validation.X},
		"the problem's own": {x(1), p.X},
	} {
		if !mat.Equal(pair[0], pair[1]) {
			t.Errorf("%s samples\n%v\nwant\n%v", name, mat.Formatted(pair[1]), mat.Formatted(pair[0]))
		}
	}
	got.X, got.Query, got.Validation.X = p.X, p.Query, p.Validation.X
	if diff := cmp.Diff(p, got, cmp.Comparer(func(a, b *mat.Dense) bool { return a == b })); diff != "" {
		t.Errorf("more than the samples has changed:\n%s", diff)
	}
	if same := (method.Features{}).Of(p); same.X != p.X || same.Query != p.Query || same.Validation.X != p.Validation.X {
		t.Error("features that stay as they are were copied")
	}
	p.Validation, p.Query = datasets.Samples{}, &mat.Dense{}
	if none := (method.Features{Scale: 2}).Of(p); none.Validation.X != nil || none.Query != p.Query {
		t.Errorf("%v and %v made of no samples", none.Validation.X, none.Query)
	}
}

// fits returns the labels that settings of a method give, in their order.
func fits(t *testing.T, m method.Method, p method.Problem, settings []method.Setting) [][]int {
	t.Helper()
	labels := make([][]int, len(settings))
	seen := 0
	for _, task := range m.Family.Tasks(p, settings) {
		open := slices.Clone(task.Settings)
		task.Run(context.Background(), func(i int, f r2lml.Fitted, err error) {
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(open, i) || labels[i] != nil {
				t.Fatalf("setting %d is done, which the task does not have, or is done twice", i)
			}
			seen++
			if labels[i] = f.Labels; f.Labels == nil {
				labels[i] = r2lml.Classify(p.Problem, f.Metric, p.Neighbors)
			}
		})
	}
	if seen != len(settings) {
		t.Fatalf("%d of %d settings done", seen, len(settings))
	}
	return labels
}

// A setting with a scale is fitted as it is alone, beside settings with other scales and none.
func TestScaledFitsAreApart(t *testing.T) {
	e := fixture.Must(spec.FindDataset("overlap30"))(t)
	split := fixture.Must(plan.NewSource(t.TempDir()).Split(e, plan.PaperRule))(t)
	problem := method.Problem{
		Problem:   r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: split.Test.X, Seed: 65536},
		Phase:     method.TestPhase,
		Neighbors: 5,
	}
	for _, stanza := range []string{
		"{method: itml, grid: {feature-scale: [16, 1, 3, 0.25], gamma: [1, 10]}}",
		"{method: e-r2lml, params: {step: 1e-6, epochs: 2, iterations: 20}, grid: {metrics: [1, 2], feature-scale: [16, 1, 3, 0.25]}}",
	} {
		c := columns(t, "  - "+stanza)[0]
		settings := c.Settings["overlap30"]
		for i, labels := range fits(t, c.Method, problem, settings) {
			if alone := fits(t, c.Method, problem, settings[i:i+1])[0]; !slices.Equal(labels, alone) {
				t.Errorf("%s: setting %d has other labels alone", c.Method.ID, i)
			}
		}
	}
}

// A setting with a scale is fitted as the setting without it to features that were
// multiplied by hand, beside settings with other scales and none.
func TestScaledFitsAreThoseOfScaledProblems(t *testing.T) {
	source := plan.NewSource(t.TempDir())
	e := fixture.Must(spec.FindDataset("overlap30"))(t)
	split := fixture.Must(source.Split(e, plan.PaperRule))(t)
	problem := method.Problem{
		Problem:   r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: split.Test.X, Seed: 65536},
		Phase:     method.TestPhase,
		Neighbors: 5,
	}
	byHand := func(scale float64) method.Problem {
		p := problem
		var x, query mat.Dense
		x.Apply(func(_, _ int, v float64) float64 { return v * scale }, problem.X)
		query.Apply(func(_, _ int, v float64) float64 { return v * scale }, problem.Query)
		p.X, p.Query = &x, &query
		return p
	}
	scales := []float64{16, 1, 3, 0.25}
	for _, stanza := range []string{
		"{method: euclidean, params: {}, grid: {feature-scale: [16, 1, 3, 0.25]}}",
		"{method: itml, params: {gamma: 1}, grid: {feature-scale: [16, 1, 3, 0.25]}}",
		"{method: glml, params: {gamma: 1}, grid: {feature-scale: [16, 1, 3, 0.25]}}",
		"{method: e-r2lml, params: {step: 1e-6, metrics: 2, epochs: 2, iterations: 20}, grid: {feature-scale: [16, 1, 3, 0.25]}}",
		"{method: t-r2lml, params: {step: 1e-5, metrics: 2, epochs: 1, iterations: 10}, grid: {feature-scale: [16, 1, 3, 0.25]}}",
	} {
		c := columns(t, "  - "+stanza)[0]
		settings := c.Settings["overlap30"]
		own, ok := registry.Find(c.Method.ID)
		if !ok {
			t.Fatal(c.Method.ID)
		}
		got := fits(t, c.Method, problem, settings)
		for i, s := range settings {
			plain, _ := method.Unprepared(s)
			if want := fits(t, own, byHand(scales[i]), []method.Setting{plain})[0]; !slices.Equal(got[i], want) {
				t.Errorf("%s at scale %v: other labels than on features multiplied by hand", c.Method.ID, scales[i])
			}
		}
		if c.Method.ID == "euclidean" && !(slices.Equal(got[0], got[1]) && slices.Equal(got[1], got[3])) {
			t.Error("Euclidean sees a power of two")
		}
	}
}
