package compare

import (
	"testing"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
)

// Whatever the registry has is in the spec of all methods, tuned and with the choice of
// the features.
func TestSpecOfAllMethods(t *testing.T) {
	options := Inputs{
		Files: []File{{"two", "two.csv", tabular.Layout{Label: tabular.ColumnRef{Name: "class"}}}}, Splits: 5, Train: 0.5, Validation: 0.2, Neighbors: 5, Seed: 1,
	}
	text := fixture.Must(Spec(options))(t)
	s := testkit.Parse(t, text)
	fixture.Equal(t, "methods", len(Methods()), len(registry.Methods)-2)
	fixture.Equal(t, "columns", len(s.Columns), 2+len(Methods()))
	for _, c := range s.Columns[2:] {
		if n := len(c.Settings["two"]); n < 2 || n%2 != 0 {
			t.Errorf("%s has %d settings, want both scalings of each", c.ID, n)
		}
	}
	for _, c := range s.Columns {
		if step := method.ParamsOf(c.Settings["two"][0])["step"]; c.Method.Proposed && step != "auto" {
			t.Errorf("%s: step %v, which fits no data but some", c.ID, step)
		}
	}
	options.Methods = []string{"lmnm"}
	fixture.Says(t, fixture.Error(Spec(options)), "lmnm")
}
