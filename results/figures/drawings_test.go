package figures_test

import (
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/figures"
)

// What a spec names or measures decides on its figures, its own name does not.
func TestDrawings(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"named", "name: x\nfigures: [metrics, collapse]\n", []string{"collapse", "metrics", figures.CostsName}},
		{"one", "name: x\nfigures: toy\n", []string{"toy", figures.CostsName}},
		{"costs alone", "name: x\nfigures: costs\n", []string{figures.CostsName}},
		{"measured", "name: x\nmeasure: [coordinates, zero-columns]\n", []string{"lambda", "toy", figures.CostsName}},
		{"named, not measured", "name: x\nfigures: [metrics]\nmeasure: [coordinates]\n", []string{"metrics", figures.CostsName}},
		{"measured without a figure", "name: x\nmeasure: triangle\n", []string{figures.Ranks, figures.CostsName}},
		{"neither", "name: metrics\n", []string{figures.Ranks, figures.CostsName}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := spectest.PlanFor(t, spectest.Parse(t, c.text+"datasets: [overlap30]\nmethods: [{method: e-r2lml, params: {step: 1e-6}}]\n"))
			var got []string
			for _, d := range figures.For(plan) {
				got = append(got, d.Name)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A name that is near to none is answered with all there are.
func TestUnknownNames(t *testing.T) {
	for key, known := range map[string][]string{"measure": measure.Names(), "figures": spec.Figures} {
		_, err := spec.Parse("x.yaml", []byte("name: x\ndatasets: [overlap30]\nmethods: [{method: euclidean}]\n"+key+": [photograph]\n"))
		if want := `"photograph"; there are ` + strings.Join(known, ", "); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Every figure that a spec may ask for is drawn, in the same order.
func TestFiguresAreDrawn(t *testing.T) {
	var drawn []string
	for _, d := range figures.Drawings {
		drawn = append(drawn, d.Name)
	}
	if !slices.Equal(drawn, spec.Figures) {
		t.Errorf("drawn are %q, specs may ask for %q", drawn, spec.Figures)
	}
}
