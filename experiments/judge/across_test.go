package judge_test

import (
	"path/filepath"
	"testing"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
)

// From the accepted cells come means over seeds for the comparison across the data
// sets, and both references of the study on the split rule.
func TestMeansOverSeeds(t *testing.T) {
	accepted := &store.Store{Dir: filepath.Join("..", "..", "results", "accepted"), Log: t.Errorf}
	in, err := Reproduction(t.Context(), NewSession(t.TempDir()), accepted)
	if err != nil {
		t.Fatal(err)
	}
	for method, fewest := range map[string]int{"euclidean": 1, "glml": 1, "itml": 10, "lmnn": 10, "lmnn-mm": 10, "plml": 10} {
		if s := in.Across.Seeds[method]; s.Fewest < fewest || fewest == 1 && s.Most != 1 {
			t.Errorf("%s: %s seeds", method, s)
		}
	}
	s, ok := in.Study("split-rule").(study.SplitRule)
	if !ok || len(s.Sets) != 18 || len(s.Methods) != 8 || len(s.Numbers) < 125 {
		t.Fatalf("%d data sets, %d methods, %d numbers", len(s.Sets), len(s.Methods), len(s.Numbers))
	}
	for _, n := range s.Numbers {
		if seeds := in.Across.Seeds[s.Methods[n.Method].ID]; n.Seeds < seeds.Fewest || n.Seeds > seeds.Most || n.Splits < 1 || n.Splits > 20 {
			t.Errorf("%s, %s: %d seeds of %s, %d splits", s.Sets[n.Set].Name, s.Methods[n.Method].ID, n.Seeds, seeds, n.Splits)
		}
	}
	for i, want := range []study.AuthorFile{
		{Letter: "A", Name: "Robot", OwnPattern: true}, {Letter: "D", Name: "Wine Quality"}, {Letter: "I", Name: "Ionosphere"},
	} {
		if len(s.Files) != 3 || s.Files[i] != want {
			t.Errorf("%+v", s.Files)
		}
	}
}
