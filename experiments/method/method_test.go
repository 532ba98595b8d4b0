package method_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
)

// kind is a named text, as variants are.
type kind string

// scaled is a method with a default, a required parameter and a named type.
type scaled struct {
	Kind  kind    `yaml:"kind" jsonschema_description:"of scaling"`
	Scale float64 `yaml:"scale" jsonschema:"required,exclusiveMinimum=0" jsonschema_description:"of the features"`
	Turns int     `yaml:"turns" jsonschema:"maximum=9" jsonschema_description:"0 means 3"`
	Loss  kind    `yaml:"loss,omitempty" jsonschema:"default=square" jsonschema_description:"of a turn"`
	Rate  float64 `yaml:"rate,omitempty" jsonschema:"default=0.5" jsonschema_description:"of a turn"`
}

var errScale = errors.New("scale is not set")

func (m scaled) Resolve() (scaled, error) {
	if m.Kind == "" {
		m.Kind = "plain"
	}
	if m.Turns == 0 {
		m.Turns = 3
	}
	if m.Scale == 0 {
		return m, errScale
	}
	return m, nil
}

func (m scaled) Fit(context.Context, r2lml.Problem) (r2lml.Fitted, error) { return r2lml.Fitted{}, nil }

func newScaled() Method { return New("scaled", "Scaled", r2lml.Singly[scaled], About{Version: 2}) }

// TestParameters: defaults are those of Resolve, a required one has none. A bound is
// that of the tag, and so is the default of a parameter that is left out while it is 0.
func TestParameters(t *testing.T) {
	want := []Parameter{
		{"kind", "plain", "of scaling", nil}, {"scale", nil, "of the features", nil}, {"turns", 3, "0 means 3", json.Number("9")},
		{"loss", "square", "of a turn", nil}, {"rate", json.Number("0.5"), "of a turn", nil},
		{"k", "that of the spec", "neighbors that vote in the k-NN rule; without it those of the spec. No fit depends on it", json.Number("100000")},
		{"features", "raw", "scaling of the features by the training samples: raw (the default) leaves them as they are, " +
			"zscore gives mean 0 and standard deviation 1, minmax the range from 0 to 1, unit every sample the length 1", nil},
		{"feature-scale", 1, "every feature is multiplied by it before the method sees the samples, scaled ones after that; " +
			"1 leaves them as they are", json.Number("1e30")},
	}
	if got := newScaled().Parameters(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestParamsOf: parameters are numbers and texts without named types.
func TestParamsOf(t *testing.T) {
	want := map[string]any{"kind": "plain", "scale": 0.5, "turns": 7}
	if got := ParamsOf(scaled{Kind: "plain", Scale: 0.5, Turns: 7}); !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, want %#v", got, want)
	}
}

// TestFamily: settings are resolved or refused, and every one gets a task.
func TestFamily(t *testing.T) {
	f := newScaled().Family
	if _, err := f.Resolve(f.Decode(nil, nil)); !errors.Is(err, errScale) {
		t.Errorf("error %v, want %v", err, errScale)
	}
	s, err := f.Resolve(scaled{Scale: 2})
	if err != nil || s != (scaled{Kind: "plain", Scale: 2, Turns: 3}) {
		t.Errorf("%+v, %v", s, err)
	}
	settings := map[int]bool{}
	for _, task := range f.Tasks(Problem{}, []Setting{s, s, s}) {
		for _, i := range task.Settings {
			settings[i] = true
		}
	}
	if len(settings) != 3 {
		t.Errorf("tasks for %v, want three settings", settings)
	}
	if f.Prototype() != reflect.TypeFor[scaled]() {
		t.Errorf("prototype %v", f.Prototype())
	}
}

// TestBudget: failures name the budget, are transient, and keep their cause.
func TestBudget(t *testing.T) {
	b := Budget{Time: 90 * time.Second, Memory: 2 << 30}
	for want, err := range map[string]error{
		"ran out of its time budget (1m30s)":                                      b.Overtime(1),
		"ran out of its time budget (1m30s for each of 4 points fitted together)": b.Overtime(4),
		"ran out of its memory budget (2048 MiB)":                                 b.OutOfMemory(),
	} {
		if transient := (TransientFailure{}); err.Error() != want || !errors.As(err, &transient) {
			t.Errorf("%v, want the transient failure %q", err, want)
		}
	}
	if !errors.Is(TransientFailure{Cause: context.Canceled}, context.Canceled) {
		t.Error("the cause is lost")
	}
}

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

func TestFeaturesOf(t *testing.T) {
	x := func(v float64) *mat.Dense { return mat.NewDense(2, 2, []float64{v, 2 * v, 0, -v}) }
	p := Problem{
		Problem:    r2lml.Problem{X: x(1), Y: []int{1, 2}, Query: x(3), Seed: 7},
		Phase:      TestPhase,
		Neighbors:  5,
		Validation: datasets.Samples{X: x(-4), Y: []int{2, 1}},
		Memory:     99,
	}
	got := Features{Scale: 0.5}.Of(p)
	for name, pair := range map[string][2]*mat.Dense{
		"training": {x(0.5), got.X}, "query": {x(1.5), got.Query}, "validation": {x(-2), got.Validation.X}, "the problem's own": {x(1), p.X},
	} {
		if !mat.Equal(pair[0], pair[1]) {
			t.Errorf("%s samples\n%v\nwant\n%v", name, mat.Formatted(pair[1]), mat.Formatted(pair[0]))
		}
	}
	got.X, got.Query, got.Validation.X = p.X, p.Query, p.Validation.X
	if !reflect.DeepEqual(p, got) {
		t.Errorf("more than the samples has changed: %+v, want %+v", got, p)
	}
	if same := (Features{}).Of(p); same.X != p.X || same.Query != p.Query || same.Validation.X != p.Validation.X {
		t.Error("features that stay as they are were copied")
	}
	p.Validation, p.Query = datasets.Samples{}, &mat.Dense{}
	if none := (Features{Scale: 2}).Of(p); none.Validation.X != nil || none.Query != p.Query {
		t.Errorf("%v and %v made of no samples", none.Validation.X, none.Query)
	}
}

// fits returns the labels that settings of a method give, in their order.
func fits(t *testing.T, m Method, p Problem, settings []Setting) [][]int {
	t.Helper()
	labels := make([][]int, len(settings))
	seen := 0
	for _, task := range m.Family.Tasks(p, settings) {
		open := slices.Clone(task.Settings)
		task.Run(context.Background(), func(i int, f r2lml.Fitted, err error) {
			fixture.Check(t, err)
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

// A setting with a scale is fitted as the setting without it to features that were
// multiplied by hand, beside settings with other scales and none.
func TestScaledFitsAreThoseOfScaledProblems(t *testing.T) {
	e := fixture.Must(spec.FindDataset("overlap30"))(t)
	split := fixture.Must(plan.NewSource(t.TempDir()).Split(e, plan.PaperRule))(t)
	times := func(scale float64) Problem {
		var x, query mat.Dense
		x.Scale(scale, split.Train.X)
		query.Scale(scale, split.Test.X)
		return Problem{Problem: r2lml.Problem{X: &x, Y: split.Train.Y, Query: &query, Seed: 65536}, Phase: TestPhase, Neighbors: 5}
	}
	for _, stanza := range []string{
		"{method: euclidean, grid: {feature-scale: [16, 1, 3, 0.25]}}",
		"{method: itml, grid: {feature-scale: [16, 1, 3, 0.25], gamma: [1, 10]}}",
		"{method: glml, params: {gamma: 1}, grid: {feature-scale: [16, 1, 3, 0.25]}}",
		"{method: e-r2lml, params: {step: 1e-6, epochs: 2, iterations: 20}, grid: {metrics: [1, 2], feature-scale: [16, 1, 3, 0.25]}}",
		"{method: t-r2lml, params: {step: 1e-5, metrics: 2, epochs: 1, iterations: 10}, grid: {feature-scale: [16, 1, 3, 0.25]}}",
	} {
		c := columns(t, "  - "+stanza)[0]
		settings := c.Settings["overlap30"]
		for i, labels := range fits(t, c.Method, times(1), settings) {
			plain, features := Unprepared(settings[i])
			scale := cmp.Or(features.Scale, 1)
			if want := fits(t, c.Method, times(scale), []Setting{plain})[0]; !slices.Equal(labels, want) {
				t.Errorf("%s, setting %d at scale %v: other labels than on features multiplied by hand", c.Method.ID, i, scale)
			}
		}
	}
}
