package judge_test

import (
	"slices"
	"testing"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/spectest"
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
		{"whole", known("metrics"), []string{"metrics"}},
		{"narrowed", known("metrics", "coil20"), []string{"metrics"}},
		{"no study", known("pipeline"), nil},
		{"the name alone", spectest.PlanFor(t, spectest.Parse(t, "name: toy\n"+toy)), nil},
		{"another name", spectest.PlanFor(t, spectest.Parse(t, "name: mine\n"+toy)), nil},
	} {
		got, err := MeantFor(t.Context(), s, c.plan)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}
