package judge_test

import (
	"slices"
	"testing"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/study"
)

// The report of a spec of the repository has the studies that it is meant for, whole
// or narrowed. A spec that only has its name is another one.
func TestStudiesOfASpec(t *testing.T) {
	s := NewSession(t.TempDir())
	known := func(name string, sets ...string) plan.Plan {
		p, err := s.Plan(t.Context(), name, sets, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const toy = "datasets: [toy]\nmethods: [{method: euclidean}]\n"
	for _, c := range []struct {
		name string
		plan plan.Plan
		want []string
	}{
		{"whole", known("scales"), []string{"scales"}},
		{"narrowed", known("scales", "coil20"), []string{"scales"}},
		{"random splits", known("splits"), []string{"split-rule", "contrasts"}},
		{"no study", known("seeds"), nil},
		{"the name alone", spectest.PlanFor(t, spectest.Parse(t, "name: probes\n"+toy)), nil},
		{"another name", spectest.PlanFor(t, spectest.Parse(t, "name: mine\n"+toy)), nil},
	} {
		got, err := MeantFor(t.Context(), s, c.plan)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// A study that asks for the cells behind its table gets those of every seed.
func TestStudiesOfCells(t *testing.T) {
	p, cells := runSpec(t, spectest.Parse(t, `
name: x
datasets: [overlap30]
neighbors: 5
methods:
  - {method: itml, measure: surface, seeds: 2, grid: {gamma: [1, 10]}}
`))
	own, err := Table(p, cells)
	if err != nil {
		t.Fatal(err)
	}
	studies, err := OwnStudies(p, nil, study.Input{Table: own}, cells)
	if err != nil {
		t.Fatal(err)
	}
	if len(studies) != 1 || studies[0].ID != "surfaces" {
		t.Fatalf("%+v", studies)
	}
	grids := studies[0].Result.(study.Surfaces).Sets[0].Grids
	if len(grids) != 1 || len(grids[0].Seeds) != 2 || len(grids[0].Seeds[0].Correct) != 2 {
		t.Errorf("%+v", grids)
	}
}
