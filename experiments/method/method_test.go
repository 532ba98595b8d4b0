package method_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/method"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
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

func (m scaled) Resolve() (scaled, error) {
	m.Kind, m.Turns = cmp.Or(m.Kind, "plain"), cmp.Or(m.Turns, 3)
	if m.Scale == 0 {
		return m, errors.New("scale is not set")
	}
	return m, nil
}

// Fit gives one label, of the first feature and the setting.
func (m scaled) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return r2lml.Fitted{Labels: []int{int(p.X.At(0, 0)) + m.Turns}}, nil
}

func newScaled() Method { return New("scaled", "Scaled", r2lml.Singly[scaled], About{Version: 2}) }

// TestParameters: defaults are those of Resolve, a required one has none. A bound is
// that of the tag, and so is the default of a parameter that is left out while it is 0.
func TestParameters(t *testing.T) {
	want := []Parameter{
		{"kind", "plain", "of scaling", nil}, {"scale", nil, "of the features", nil}, {"turns", 3, "0 means 3", json.Number("9")},
		{"loss", "square", "of a turn", nil}, {"rate", json.Number("0.5"), "of a turn", nil},
	}
	fixture.Same(t, "parameters", newScaled().Parameters()[:len(want)], want) // those of the features and the rule follow
}

// columnOf reads a stanza for Two Norm and overlap30.
func columnOf(t *testing.T, stanza string) spec.Column {
	t.Helper()
	return testkit.Parse(t, "name: x\ndatasets: [twonorm-gen, overlap30]\nmethods:\n  - "+stanza).Columns[0]
}

// The scale may stand wherever a parameter may; 1 is none.
func TestFeatureScaleInSpecs(t *testing.T) {
	for stanza, want := range map[string][]float64{ // by point of the first column, 0 for none
		"{method: glml, params: {feature-scale: 2}, datasets: {overlap30: {feature-scale: 1024}}}":   {2},
		"{method: glml, params: {feature-scale: 2}, datasets: {twonorm-gen: {feature-scale: 1024}}}": {1024},
		"{method: glml, params: {feature-scale: 2}, datasets: {twonorm-gen: {feature-scale: 1}}}":    {0},
		"{method: glml, grid: {feature-scale: [4, 1, 0.5], gamma: [0, 1]}}":                          {4, 4, 0, 0, 0.5, 0.5},
		"{method: glml, grid: {gamma: [0, 1]}, sweep: {feature-scale: [0.0625, 8]}}":                 {0.0625, 0.0625},
		"{method: euclidean, params: {feature-scale: 1e30}}":                                         {1e30},
	} {
		var got []float64
		c := columnOf(t, stanza)
		for _, p := range c.Grid("twonorm-gen") {
			scale, _ := p.Params["feature-scale"].(float64)
			got = append(got, scale)
		}
		fixture.EqualSlice(t, stanza, got, want)
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
	fixture.NearMatrix(t, "training samples", got.X, x(0.5), 0)
	fixture.NearMatrix(t, "query samples", got.Query, x(1.5), 0)
	fixture.NearMatrix(t, "validation samples", got.Validation.X, x(-2), 0)
	fixture.NearMatrix(t, "the problem's own", p.X, x(1), 0)
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

// Each setting is fitted once, to features of its own scale, beside settings with other
// scales and none.
func TestTasksByScale(t *testing.T) {
	scale := func(by float64) Features { return Features{Scale: by} }
	settings := []Setting{{scaled{Turns: 1}, scale(2), Rule{}}, {Of: scaled{Turns: 2}}, {scaled{Turns: 3}, scale(2), Rule{}},
		{scaled{Turns: 4}, scale(0.5), Rule{K: 3}}}
	got := make([][]int, len(settings))
	for _, task := range newScaled().Tasks(Problem{Problem: r2lml.Problem{X: mat.NewDense(1, 1, []float64{80})}}, settings) {
		task.Run(t.Context(), func(i int, f r2lml.Fitted, err error) {
			fixture.Check(t, err)
			got[i] = append(got[i], f.Labels...)
		})
	}
	fixture.Same(t, "labels", got, [][]int{{160 + 1}, {80 + 2}, {160 + 3}, {40 + 4}})
}
